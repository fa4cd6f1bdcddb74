/* The sheets of a stage, and finding terms in them. */
#include <actuary/explain.h>

#include "core/memory_fsdp.h"
#include "core/memory_megatron.h"
#include "core/memory_textbook.h"

#include <string.h>

#define FITS(type) _Static_assert(sizeof(type) <= sizeof(double) * ACT_TERMS_MAX, "sheet too large")
FITS(struct act_megatron_stage);
FITS(struct act_megatron_states);
FITS(struct act_megatron_layer);
FITS(struct act_fsdp_stage);
FITS(struct act_fsdp_states);
FITS(struct act_fsdp_layer);
FITS(struct act_parameters_sheet);
FITS(struct act_schedule_sheet);
FITS(struct act_textbook_sheet);

static void add_sheet(struct act_sheets *sheets, enum act_sheet sheet,
                      const struct act_term_table *table, const void *values, size_t size)
{
    sheets->table[sheet] = table;
    memcpy(sheets->value[sheet], values, size);
}

static const enum act_sheet sheet_of_layer[ACT_LAYER_KINDS] = {
    [ACT_LAYER_DENSE] = ACT_SHEET_DENSE,
    [ACT_LAYER_MOE] = ACT_SHEET_MOE,
};

static void add_common(const struct act_parameters_sheet *parameters,
                       const struct act_schedule_sheet *schedule, struct act_sheets *ret)
{
    add_sheet(ret, ACT_SHEET_PARAMETERS, &act_parameters_table, parameters, sizeof *parameters);
    add_sheet(ret, ACT_SHEET_SCHEDULE, &act_schedule_table, schedule, sizeof *schedule);
}

/* Layers of a kind that the model has not have no figure to explain. */
static bool has_layers(const struct act_parts *parts, int kind)
{
    double layers =
        kind == ACT_LAYER_MOE ? parts->parameters->moe_layers : parts->parameters->dense_layers;

    return layers > 0 || (parts->plan->model.mtp_layers > 0 && parts->mtp_kind == kind);
}

static void add_megatron(const struct act_parts *parts, int stage, struct act_sheets *ret)
{
    struct act_megatron_sheets from;
    struct act_stage_layers layers;

    for (int kind = 0; kind < ACT_LAYER_KINDS; kind++) {
        act_megatron_layer_sheet(parts, (enum act_layer_kind)kind, &from.layer[kind]);
        if (has_layers(parts, kind))
            add_sheet(ret, sheet_of_layer[kind], &act_megatron_layer_table, &from.layer[kind],
                      sizeof from.layer[kind]);
    }
    act_stage_walk(parts, stage, &layers);
    act_megatron_stage_sheets(parts, stage, &layers, &from);
    add_common(&from.parameters, &from.schedule, ret);
    add_sheet(ret, ACT_SHEET_STAGE, &act_megatron_stage_table, &from.stage, sizeof from.stage);
    add_sheet(ret, ACT_SHEET_STATES, &act_megatron_states_table, &from.states, sizeof from.states);
}

static void add_fsdp(const struct act_parts *parts, int stage, struct act_sheets *ret)
{
    struct act_fsdp_sheets from;
    struct act_stage_layers layers;

    for (int kind = 0; kind < ACT_LAYER_KINDS; kind++) {
        act_fsdp_layer_sheet(parts, (enum act_layer_kind)kind, &from.layer[kind]);
        if (has_layers(parts, kind))
            add_sheet(ret, sheet_of_layer[kind], &act_fsdp_layer_table, &from.layer[kind],
                      sizeof from.layer[kind]);
    }
    act_stage_walk(parts, stage, &layers);
    act_fsdp_stage_sheets(parts, stage, &layers, &from);
    add_common(&from.parameters, &from.schedule, ret);
    add_sheet(ret, ACT_SHEET_STAGE, &act_fsdp_stage_table, &from.stage, sizeof from.stage);
    add_sheet(ret, ACT_SHEET_STATES, &act_fsdp_states_table, &from.states, sizeof from.states);
}

static void add_textbook(const struct act_parts *parts, struct act_sheets *ret)
{
    struct act_textbook_sheet from;

    act_textbook_sheet_of(parts, &from);
    add_sheet(ret, ACT_SHEET_STAGE, &act_textbook_table, &from, sizeof from);
}

void act_sheets_of(const struct act_plan *plan, int stage, struct act_sheets *ret)
{
    struct act_plan resolved;
    struct act_parameters parameters;
    struct act_layout layout;
    struct act_parts parts;

    act_plan_resolve(plan, &resolved);
    act_model_count(&resolved, &parameters);
    act_layout_of(&resolved, &layout);
    act_parts_of(&resolved, &parameters, &layout, &parts);
    memset(ret, 0, sizeof *ret);
    ret->stage = stage;
    ret->decimal_sizes = plan->decimal_sizes != 0;
    act_memory_errors(&resolved, &ret->error_allocated, &ret->error_device);
    switch ((enum act_family)resolved.framework.family) {
    case ACT_TEXTBOOK:
        add_textbook(&parts, ret);
        break;
    case ACT_MEGATRON:
        add_megatron(&parts, stage, ret);
        break;
    case ACT_FSDP:
        add_fsdp(&parts, stage, ret);
        break;
    }
}

bool act_sheets_find(const struct act_sheets *sheets, enum act_sheet sheet, const char *symbol,
                     struct act_term *ret)
{
    const struct act_term_table *table = sheets->table[sheet];

    for (int i = 0; table != NULL && i < table->count; i++) {
        const struct act_term_row *row = &table->row[i];
        if (row->kind <= ACT_ROW_TERM && strcmp(row->symbol, symbol) == 0) {
            *ret = (struct act_term){sheet, i};
            return true;
        }
    }
    return false;
}

bool act_sheets_component(const struct act_sheets *sheets, enum act_phase phase,
                          enum act_component component, struct act_term *ret)
{
    const struct act_term_table *table = sheets->table[ACT_SHEET_STAGE];

    if (component == ACT_FRAGMENTATION)
        return act_sheets_find(sheets, ACT_SHEET_STAGE, "fragmentation", ret);
    if (component == ACT_CONTEXT)
        return act_sheets_find(sheets, ACT_SHEET_STAGE, "context", ret);
    for (int i = 0; table != NULL && i < table->count; i++) {
        const struct act_term_row *row = &table->row[i];
        if (row->kind == ACT_ROW_CONTENT && row->phase == (int)phase &&
            row->component == (int)component)
            return act_sheets_find(sheets, ACT_SHEET_STAGE, row->symbol, ret);
    }
    return false;
}

static const struct act_term_row *row_of(const struct act_sheets *sheets, struct act_term term)
{
    return &sheets->table[term.sheet]->row[term.row];
}

bool act_sheets_next(const struct act_sheets *sheets, struct act_term *term)
{
    int sheet = (int)term->sheet, row = term->row + 1;

    for (; sheet < ACT_SHEET_COUNT; sheet++, row = 0) {
        const struct act_term_table *table = sheets->table[sheet];
        for (; table != NULL && row < table->count; row++) {
            if (table->row[row].kind <= ACT_ROW_TERM) {
                *term = (struct act_term){(enum act_sheet)sheet, row};
                return true;
            }
        }
    }
    return false;
}

static bool find_symbol(const struct act_sheets *sheets, const char *text, struct act_term *ret)
{
    const char *dot = strchr(text, '.');

    for (int i = 0; i < ACT_SHEET_COUNT; i++) {
        const char *name = act_sheet_name((enum act_sheet)i);
        if (dot != NULL &&
            (strlen(name) != (size_t)(dot - text) || memcmp(name, text, (size_t)(dot - text)) != 0))
            continue;
        if (act_sheets_find(sheets, (enum act_sheet)i, dot != NULL ? dot + 1 : text, ret))
            return true;
    }
    return false;
}

/* As figures are listed, with and without blanks at hand: "at the loss", "head, loss". */
static bool find_listed(const struct act_sheets *sheets, enum act_phase peak, const char *text,
                        struct act_figure *ret)
{
    struct act_figure figure[ACT_FIGURES_MAX];
    int count = act_sheets_figures(sheets, peak, figure);

    for (int i = 0; i < count; i++) {
        if (strcmp(text, figure[i].name) == 0) {
            *ret = figure[i];
            return true;
        }
    }
    return false;
}

bool act_sheets_named(const struct act_sheets *sheets, enum act_phase peak, const char *text,
                      struct act_figure *ret)
{
    if (find_listed(sheets, peak, text, ret))
        return true;
    ret->letter = ' ';
    for (int i = 0; i < ACT_COMPONENT_COUNT; i++) {
        enum act_component component = (enum act_component)i;
        if (strcmp(text, act_component_name(component)) != 0)
            continue;
        if (!act_sheets_component(sheets, peak, component, &ret->term) ||
            act_term_value(sheets, ret->term) == 0)
            return false;
        ret->name = act_component_label(component);
        ret->letter = act_component_letter(component);
        return true;
    }
    if (!find_symbol(sheets, text, &ret->term))
        return false;
    ret->name = act_term_symbol(sheets, ret->term);
    return true;
}

const char *act_term_symbol(const struct act_sheets *sheets, struct act_term term)
{
    return row_of(sheets, term)->symbol;
}

double act_term_value(const struct act_sheets *sheets, struct act_term term)
{
    return sheets->value[term.sheet][row_of(sheets, term)->place];
}

const char *act_sheet_name(enum act_sheet sheet)
{
    static const char *const names[ACT_SHEET_COUNT] = {"stage",    "states", "parameters",
                                                       "schedule", "dense",  "moe"};
    return names[sheet];
}

static int add_figure(const struct act_sheets *sheets, const char *symbol, const char *name,
                      bool empty_too, struct act_figure *ret)
{
    if (!act_sheets_find(sheets, ACT_SHEET_STAGE, symbol, &ret->term) ||
        (act_term_value(sheets, ret->term) == 0 && !empty_too))
        return 0;
    ret->name = name;
    ret->letter = ' ';
    return 1;
}

int act_sheets_figures(const struct act_sheets *sheets, enum act_phase peak,
                       struct act_figure ret[ACT_FIGURES_MAX])
{
    static const char *const phases[ACT_PHASE_COUNT] = {
        [ACT_PHASE_LOSS] = "at the loss",
        [ACT_PHASE_BACKWARD] = "in backward",
        [ACT_PHASE_STEP] = "in the step",
        [ACT_PHASE_LOAD] = "at load",
    };
    int count = 0;

    count += add_figure(sheets, "device", "device", true, &ret[count]);
    count += add_figure(sheets, "reserved", "reserved", false, &ret[count]);
    count += add_figure(sheets, "allocated", "allocated", false, &ret[count]);
    for (int i = 0; i < ACT_PHASE_COUNT; i++)
        count +=
            add_figure(sheets, act_phase_name((enum act_phase)i), phases[i], false, &ret[count]);
    for (int i = 0; i < ACT_COMPONENT_COUNT; i++) {
        enum act_component component = (enum act_component)i;
        struct act_figure *figure = &ret[count];
        if (!act_sheets_component(sheets, peak, component, &figure->term) ||
            act_term_value(sheets, figure->term) == 0)
            continue;
        figure->name = act_component_label(component);
        figure->letter = act_component_letter(component);
        count++;
    }
    count += add_figure(sheets, "headroom", "headroom", true, &ret[count]);
    return count;
}

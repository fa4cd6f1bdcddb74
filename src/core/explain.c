/* The sheets of a stage, and any of their terms in words. */
#include <actuary/explain.h>

#include "core/expression.h"
#include "core/memory_fsdp.h"
#include "core/memory_megatron.h"
#include "core/memory_textbook.h"

#include <actuary/units.h>

#include <math.h>
#include <stdio.h>
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

static void add_megatron(const struct act_parts *parts, int stage, struct act_sheets *ret)
{
    struct act_megatron_sheets from;
    struct act_stage_layers layers;

    for (int kind = 0; kind < ACT_LAYER_KINDS; kind++)
        act_megatron_layer_sheet(parts, (enum act_layer_kind)kind, &from.layer[kind]);
    act_stage_walk(parts, stage, &layers);
    act_megatron_stage_sheets(parts, stage, &layers, &from);
    add_common(&from.parameters, &from.schedule, ret);
    add_sheet(ret, ACT_SHEET_STAGE, &act_megatron_stage_table, &from.stage, sizeof from.stage);
    add_sheet(ret, ACT_SHEET_STATES, &act_megatron_states_table, &from.states, sizeof from.states);
    for (int kind = 0; kind < ACT_LAYER_KINDS; kind++)
        add_sheet(ret, sheet_of_layer[kind], &act_megatron_layer_table, &from.layer[kind],
                  sizeof from.layer[kind]);
}

static void add_fsdp(const struct act_parts *parts, int stage, struct act_sheets *ret)
{
    struct act_fsdp_sheets from;
    struct act_stage_layers layers;

    for (int kind = 0; kind < ACT_LAYER_KINDS; kind++)
        act_fsdp_layer_sheet(parts, (enum act_layer_kind)kind, &from.layer[kind]);
    act_stage_walk(parts, stage, &layers);
    act_fsdp_stage_sheets(parts, stage, &layers, &from);
    add_common(&from.parameters, &from.schedule, ret);
    add_sheet(ret, ACT_SHEET_STAGE, &act_fsdp_stage_table, &from.stage, sizeof from.stage);
    add_sheet(ret, ACT_SHEET_STATES, &act_fsdp_states_table, &from.states, sizeof from.states);
    for (int kind = 0; kind < ACT_LAYER_KINDS; kind++)
        add_sheet(ret, sheet_of_layer[kind], &act_fsdp_layer_table, &from.layer[kind],
                  sizeof from.layer[kind]);
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

bool act_sheets_named(const struct act_sheets *sheets, enum act_phase peak, const char *text,
                      struct act_figure *ret)
{
    ret->letter = ' ';
    for (int i = 0; i < ACT_COMPONENT_COUNT; i++) {
        enum act_component component = (enum act_component)i;
        if (strcmp(text, act_component_name(component)) == 0 &&
            act_sheets_component(sheets, peak, component, &ret->term)) {
            ret->name = act_component_label(component);
            ret->letter = act_component_letter(component);
            return true;
        }
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
    static const char *const phases[ACT_PHASE_COUNT][2] = {
        {"loss", "at the loss"},
        {"backward", "in backward"},
        {"step", "in the step"},
        {"load", "at load"},
    };
    int count = 0;

    count += add_figure(sheets, "device", "device", true, &ret[count]);
    count += add_figure(sheets, "reserved", "reserved", false, &ret[count]);
    count += add_figure(sheets, "allocated", "allocated", false, &ret[count]);
    for (int i = 0; i < ACT_PHASE_COUNT; i++)
        count += add_figure(sheets, phases[i][0], phases[i][1], false, &ret[count]);
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

/* Where a term is worked out: what comes from another sheet stands for the term there. */
static struct act_term origin_of(const struct act_sheets *sheets, struct act_term term)
{
    const struct act_term_row *row = row_of(sheets, term);
    struct act_term ret;

    if (row->kind == ACT_ROW_FROM &&
        act_sheets_find(sheets, (enum act_sheet)row->sheet, row->other, &ret))
        return ret;
    return term;
}

/* The symbols of one sheet, for reading a formula of it. */
struct scope {
    const struct act_sheets *sheets;
    enum act_sheet sheet;
    enum act_notation notation;
};

static int look_up(const void *context, const char *name, int length, double *ret_value)
{
    const struct scope *scope = context;
    const struct act_term_table *table = scope->sheets->table[scope->sheet];

    for (int i = 0; i < table->count; i++) {
        const struct act_term_row *row = &table->row[i];
        if (row->kind <= ACT_ROW_TERM && strlen(row->symbol) == (size_t)length &&
            memcmp(row->symbol, name, (size_t)length) == 0) {
            *ret_value = scope->sheets->value[scope->sheet][row->place];
            return i;
        }
    }
    return -1;
}

static bool may_be_left_out(const void *context, int symbol)
{
    const struct scope *scope = context;
    enum act_term_unit unit = scope->sheets->table[scope->sheet]->row[symbol].unit;

    return unit == ACT_TERM_SWITCH || unit == ACT_TERM_FACTOR;
}

static void write_symbol(const void *context, int symbol, struct act_writer *writer)
{
    const struct scope *scope = context;

    act_writer_put(writer, scope->sheets->table[scope->sheet]->row[symbol].symbol);
}

static void write_value(const void *context, int symbol, struct act_writer *writer)
{
    const struct scope *scope = context;
    const struct act_term_row *row = &scope->sheets->table[scope->sheet]->row[symbol];
    double value = scope->sheets->value[scope->sheet][row->place];
    char text[64];

    if (scope->notation == ACT_NOTATION_EXACT)
        act_quantity_format(value, ACT_UNIT_NONE, ACT_STYLE_FILE, text, sizeof text);
    else
        act_term_format(value, row->unit, text, sizeof text);
    act_writer_put(writer, text);
}

/* The row whose formula holds: the last whose switch is on, else the term's own. */
static const struct act_term_row *formula_of(const struct act_sheets *sheets, struct act_term term)
{
    const struct act_term_table *table = sheets->table[term.sheet];
    const struct act_term_row *ret = &table->row[term.row];
    struct act_term on;

    for (int i = term.row + 1; i < table->count; i++) {
        const struct act_term_row *row = &table->row[i];
        if (row->kind == ACT_ROW_WHEN && row->place == table->row[term.row].place &&
            act_sheets_find(sheets, term.sheet, row->other, &on) && act_term_value(sheets, on) > 0)
            ret = row;
    }
    return ret;
}

static void add_uses(const struct act_sheets *sheets, enum act_sheet sheet,
                     const struct act_written *written, struct act_explanation *ret)
{
    for (int i = 0; i < written->count && ret->uses < ACT_USES_MAX; i++) {
        const struct act_term_row *row = &sheets->table[sheet]->row[written->symbol[i]];
        ret->use[ret->uses++] = (struct act_use){
            .symbol = row->symbol,
            .meaning = row->meaning,
            .unit = row->unit,
            .value = sheets->value[sheet][row->place],
            .term = origin_of(sheets, (struct act_term){sheet, written->symbol[i]})};
    }
}

/* A formula that comes down to one symbol says nothing: the symbol's own is meant. */
static bool see_through(const struct act_sheets *sheets, const struct act_expression *expression,
                        const struct act_hand *hand, struct act_term *term)
{
    int symbol = act_expression_symbol(expression, hand);
    struct act_term origin;

    if (symbol < 0)
        return false;
    origin = origin_of(sheets, (struct act_term){term->sheet, symbol});
    if (row_of(sheets, origin)->kind != ACT_ROW_TERM)
        return false;
    *term = origin;
    return true;
}

void act_explain(const struct act_sheets *sheets, struct act_term term, enum act_notation notation,
                 struct act_explanation *ret)
{
    struct scope scope = {sheets, ACT_SHEET_STAGE, notation};
    struct act_hand hand = {
        .context = &scope,
        .symbol = write_symbol,
        .optional = may_be_left_out,
        .times = notation == ACT_NOTATION_UTF8 ? "·" : " * ",
        .over = notation == ACT_NOTATION_UTF8 ? "/" : " / ",
        .minus = notation == ACT_NOTATION_UTF8 ? " − " : " - ",
        .exact = notation == ACT_NOTATION_EXACT,
    };
    const struct act_term_row *formula;
    struct act_expression expression;
    struct act_writer writer;
    struct act_written written;

    memset(ret, 0, sizeof *ret);
    term = origin_of(sheets, term);
    ret->symbol = row_of(sheets, term)->symbol;
    ret->meaning = row_of(sheets, term)->meaning;
    ret->unit = row_of(sheets, term)->unit;
    ret->value = act_term_value(sheets, term);
    ret->source = "";
    do {
        scope.sheet = term.sheet;
        formula = formula_of(sheets, term);
        ret->given = formula->formula == NULL ||
                     !act_expression_read(formula->formula, look_up, &scope, &expression);
        if (ret->given)
            return;
    } while (see_through(sheets, &expression, &hand, &term));
    ret->source = formula->source;
    act_writer_init(&writer, ret->formula, sizeof ret->formula);
    act_expression_write(&expression, &hand, &writer, &written);
    hand.symbol = write_value;
    if (notation == ACT_NOTATION_UTF8) {
        hand.times = " × ";
        hand.over = " / ";
    }
    act_writer_init(&writer, ret->numbers, sizeof ret->numbers);
    act_expression_write(&expression, &hand, &writer, &written);
    add_uses(sheets, term.sheet, &written, ret);
}

/* Four digits, without zeros at the end; very small numbers with an exponent. */
static void put_digits(double value, const char *suffix, char *out, size_t size)
{
    char text[64], power[16] = "";
    int exponent = value > 0 ? (int)floor(log10(value) + 1e-12) : 0;

    if (exponent < -4) {
        value /= pow(10, exponent);
        snprintf(power, sizeof power, "e%d", exponent);
        exponent = 0;
    }
    act_number_format(value, exponent > 3 ? 0 : 3 - exponent, true, text, sizeof text);
    if (strchr(text, '.') != NULL) {
        size_t length = strlen(text);
        while (text[length - 1] == '0')
            length--;
        text[text[length - 1] == '.' ? length - 1 : length] = '\0';
    }
    snprintf(out, size, "%s%s%s", text, power, suffix);
}

void act_term_format(double value, enum act_term_unit unit, char *out, size_t size)
{
    static const struct {
        double size;
        const char *suffix;
    } bytes[] = {{0x1p50, " PiB"}, {0x1p40, " TiB"}, {0x1p30, " GiB"},
                 {0x1p20, " MiB"}, {0x1p10, " KiB"}, {1, " bytes"}},
      counts[] = {{1e15, " P"}, {1e12, " T"}, {1e9, " B"}, {1e6, " M"}, {1, ""}};
    double positive = fabs(value);
    char *to = out;

    if (value < 0 && size > 1) {
        *to++ = '-';
        size--;
    }
    if (unit == ACT_TERM_BYTES) {
        int i = 0;
        while (bytes[i].size > 1 && positive < bytes[i].size)
            i++;
        put_digits(positive / bytes[i].size, bytes[i].suffix, to, size);
    } else if (unit != ACT_TERM_NUMBER && unit != ACT_TERM_FACTOR && positive >= 1e6) {
        int i = 0;
        while (positive < counts[i].size)
            i++;
        put_digits(positive / counts[i].size, counts[i].suffix, to, size);
    } else if (positive == floor(positive)) {
        act_number_format(positive, 0, true, to, size);
    } else {
        put_digits(positive, "", to, size);
    }
}

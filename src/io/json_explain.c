#include "io/json_explain.h"

#include "io/json_build.h"
#include "io/json_write.h"

#include <stdio.h>

static const char *unit_name(enum act_term_unit unit)
{
    static const char *const names[] = {"bytes",  "parameters", "count",
                                        "number", "number",     "switch"};
    return names[unit];
}

/* Sizes are integers. */
static void set_value(struct act_json_builder *builder, json_t *object, const char *key,
                      double value, enum act_term_unit unit)
{
    if (unit == ACT_TERM_BYTES)
        act_json_set_integer(builder, object, key, value);
    else
        act_json_set_real(builder, object, key, value);
}

static json_t *uses_of(struct act_json_builder *builder, const struct act_sheets *sheets,
                       const struct act_explanation *from)
{
    json_t *array = act_json_keep(builder, json_array());

    for (int i = 0; i < from->uses; i++) {
        const struct act_use *use = &from->use[i];
        json_t *object = act_json_keep(builder, json_object());
        act_json_set_text(builder, object, "symbol", use->symbol);
        act_json_set_text(builder, object, "meaning", use->meaning);
        act_json_set_text(builder, object, "unit", unit_name(use->unit));
        set_value(builder, object, "value", use->value, use->unit);
        char term[96];
        snprintf(term, sizeof term, "%s.%s", act_sheet_name(use->term.sheet),
                 act_term_symbol(sheets, use->term));
        act_json_set_text(builder, object, "term", term);
        act_json_append(builder, array, object);
    }
    return array;
}

static json_t *chapter_of(struct act_json_builder *builder, const struct act_chapter *line,
                          int count)
{
    json_t *array = act_json_keep(builder, json_array());

    for (int i = 0; i < count; i++) {
        json_t *object = act_json_keep(builder, json_object());
        act_json_set_text(builder, object, "meaning", line[i].meaning);
        act_json_set_integer(builder, object, "bytes", line[i].bytes);
        if (line[i].formula[0] != '\0') {
            act_json_set_text(builder, object, "formula", line[i].formula);
            act_json_set_text(builder, object, "numbers", line[i].numbers);
        }
        if (line[i].note[0] != '\0')
            act_json_set_text(builder, object, "note", line[i].note);
        if (line[i].in_use)
            act_json_set(builder, object, "in_use", json_true());
        act_json_append(builder, array, object);
    }
    return array;
}

static json_t *figure_of(struct act_json_builder *builder, const struct act_plan *plan,
                         const struct act_sheets *sheets, const struct act_figure *figure)
{
    struct act_explanation text;
    struct act_chapter line[ACT_CHAPTER_MAX];
    json_t *object = act_json_keep(builder, json_object());
    int lines = act_explain_chapter(plan, sheets, figure->term, ACT_NOTATION_ASCII, line);

    act_explain(sheets, figure->term, ACT_NOTATION_ASCII, &text);
    act_json_set_text(builder, object, "figure", figure->name);
    act_json_set_text(builder, object, "symbol", text.symbol);
    act_json_set_text(builder, object, "meaning", text.meaning);
    act_json_set_text(builder, object, "unit", unit_name(text.unit));
    set_value(builder, object, "value", text.value, text.unit);
    if (text.error > 0)
        act_json_set_real(builder, object, "error_bar", text.error);
    if (!text.given) {
        act_json_set_text(builder, object, "formula", text.formula);
        act_json_set_text(builder, object, "numbers", text.numbers);
        act_json_set_text(builder, object, "source", text.source);
        act_json_set(builder, object, "with", uses_of(builder, sheets, &text));
    }
    if (lines > 0)
        act_json_set(builder, object, "chapter", chapter_of(builder, line, lines));
    return object;
}

int act_json_explain(const struct act_plan *plan, const struct act_sheets *sheets,
                     enum act_phase phase, const struct act_figure *figure, int count,
                     struct act_buffer *out)
{
    struct act_json_builder builder = {false};
    json_t *root = act_json_keep(&builder, json_object());
    json_t *figures = act_json_keep(&builder, json_array());

    act_json_set_integer(&builder, root, "schema", 1);
    act_json_set_text(&builder, root, "name", plan->scenario.name);
    act_json_set_integer(&builder, root, "stage", sheets->stage);
    act_json_set_text(&builder, root, "phase", act_phase_name(phase));
    for (int i = 0; i < count; i++)
        act_json_append(&builder, figures, figure_of(&builder, plan, sheets, &figure[i]));
    act_json_set(&builder, root, "figures", figures);
    int status = builder.failed ? -1 : act_json_write(root, out);
    json_decref(root);
    return status;
}

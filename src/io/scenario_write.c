#include "io/scenario.h"

#include "core/letters.h"
#include "core/utf8.h"
#include "io/assign.h"
#include <actuary/field.h>
#include <string.h>

static const enum act_group order[] = {
    ACT_GROUP_model,    ACT_GROUP_framework,   ACT_GROUP_training, ACT_GROUP_parallel,
    ACT_GROUP_hardware, ACT_GROUP_calibration, ACT_GROUP_cost};

/* Words that some YAML readers take for something else than text. */
static bool is_reserved(const char *text)
{
    static const char *const words[] = {"null", "true", "false", "yes", "no", "on",
                                        "off",  "y",    "n",     "nan", "inf"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (act_same_letters(text, words[i]))
            return true;
    return false;
}

/* May the text stand without quotes? Letters first, and only characters without a meaning. */
static bool is_plain(const char *text)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    static const char others[] = "0123456789 ._()/+-";
    size_t size = strlen(text);
    if (size == 0 || !strchr(letters, text[0]) || text[size - 1] == ' ' || is_reserved(text))
        return false;
    for (size_t i = 0; i < size; i++)
        if (!strchr(letters, text[i]) && !strchr(others, text[i]))
            return false;
    return true;
}

/* In double quotes; what a terminal or YAML would not take as it is as an escape. */
static void write_quoted(struct act_buffer *out, const char *text)
{
    size_t size = strlen(text);
    act_buffer_puts(out, "\"");
    for (size_t i = 0; i < size;) {
        uint32_t code;
        size_t step = act_utf8_decode(text + i, size - i, &code);
        if (step == 0) { /* not text at all: the mark for what cannot be shown */
            act_buffer_puts(out, "\\uFFFD");
            step = 1;
        } else if (code == '"' || code == '\\') {
            act_buffer_printf(out, "\\%c", (int)code);
        } else if (act_utf8_printable(code)) {
            act_buffer_add(out, text + i, step);
        } else if (code > 0xFFFF) {
            act_buffer_printf(out, "\\U%08X", (unsigned)code);
        } else {
            act_buffer_printf(out, "\\u%04X", (unsigned)code);
        }
        i += step;
    }
    act_buffer_puts(out, "\"");
}

static void write_text(struct act_buffer *out, const char *text)
{
    if (is_plain(text))
        act_buffer_puts(out, text);
    else
        write_quoted(out, text);
}

static void write_value(struct act_buffer *out, const struct act_plan *plan,
                        const struct act_field *field)
{
    if (field->kind == ACT_KIND_TEXT) {
        write_text(out, act_field_string(plan, field->id));
        return;
    }
    char text[8 * ACT_LIST_MAX]; /* the longest is a list of ACT_LIST_MAX numbers up to 1024 */
    act_field_text(plan, field->id, ACT_STYLE_FILE, text, sizeof text);
    if (field->kind == ACT_KIND_SET)
        act_buffer_printf(out, "[%s]", text);
    else
        act_buffer_puts(out, text);
}

static bool is_saved(const struct act_plan *plan, const struct act_field *field)
{
    return field->kind != ACT_KIND_GPUS && act_plan_given(plan, field->id);
}

static void write_group(struct act_buffer *out, const struct act_plan *plan, enum act_group group)
{
    const char *name = act_group_name(group);
    int preset = act_group_preset(group);
    const struct act_field *preset_field =
        preset >= 0 ? act_field((enum act_field_id)preset) : NULL;
    bool open = false; /* the group's own line stands */
    for (int i = 0; i < ACT_FIELD_COUNT; i++) {
        const struct act_field *field = act_field((enum act_field_id)i);
        if (field->group != group || i == preset || !is_saved(plan, field))
            continue;
        if (!open) {
            act_buffer_printf(out, "%s:\n", name);
            if (preset_field) {
                act_buffer_printf(out, "  %s: ", preset_field->member);
                write_value(out, plan, preset_field);
                act_buffer_puts(out, "\n");
            }
        }
        open = true;
        act_buffer_printf(out, "  %s: ", field->member);
        write_value(out, plan, field);
        act_buffer_puts(out, "\n");
    }
    if (!open && preset_field) {
        act_buffer_printf(out, "%s: ", name);
        write_value(out, plan, preset_field);
        act_buffer_puts(out, "\n");
    }
}

int act_scenario_write(const struct act_plan *plan, struct act_buffer *out)
{
    act_buffer_printf(out, "schema: %d\n", ACT_SCHEMA);
    for (int i = 0; i < ACT_FIELD_COUNT; i++) {
        const struct act_field *field = act_field((enum act_field_id)i);
        if (field->group != ACT_GROUP_scenario || !is_saved(plan, field))
            continue;
        act_buffer_printf(out, "%s: ", field->member);
        write_value(out, plan, field);
        act_buffer_puts(out, "\n");
    }
    for (size_t i = 0; i < sizeof order / sizeof *order; i++)
        write_group(out, plan, order[i]);
    return out->failed ? -1 : 0;
}

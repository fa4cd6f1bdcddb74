#include "io/written.h"

#include "core/letters.h"
#include "core/utf8.h"
#include <string.h>

enum act_group act_written_group(int index)
{
    static const enum act_group order[ACT_WRITTEN_GROUPS] = {
        ACT_GROUP_model,    ACT_GROUP_framework,   ACT_GROUP_training, ACT_GROUP_parallel,
        ACT_GROUP_hardware, ACT_GROUP_calibration, ACT_GROUP_cost};
    return order[index];
}

bool act_written_is_saved(const struct act_plan *plan, enum act_field_id id)
{
    return act_field(id)->kind != ACT_KIND_GPUS && act_plan_given(plan, id);
}

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
static void write_double(struct act_buffer *out, const char *text)
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

static bool is_printable(const char *text)
{
    size_t size = strlen(text);
    for (size_t i = 0; i < size;) {
        uint32_t code;
        size_t step = act_utf8_decode(text + i, size - i, &code);
        if (step == 0 || !act_utf8_printable(code))
            return false;
        i += step;
    }
    return true;
}

/* Single quotes know no escapes but their own. */
static void write_single(struct act_buffer *out, const char *text)
{
    if (!is_printable(text)) {
        write_double(out, text);
        return;
    }
    act_buffer_puts(out, "'");
    for (; *text; text++)
        act_buffer_printf(out, *text == '\'' ? "''" : "%c", *text);
    act_buffer_puts(out, "'");
}

static void write_quoted(struct act_buffer *out, const char *text, enum act_written_style style)
{
    if (style == ACT_WRITTEN_SINGLE)
        write_single(out, text);
    else
        write_double(out, text);
}

/* Numbers and truths stand bare unless a unit follows: files refuse them in quotes. */
static bool takes_quotes(const struct act_field *field, const char *text)
{
    if ((field->flags & ACT_FIELD_AUTO) && strcmp(text, "auto") == 0)
        return true;
    if (field->kind == ACT_KIND_INT || field->kind == ACT_KIND_REAL)
        return field->unit != ACT_UNIT_NONE;
    return field->kind != ACT_KIND_BOOL && field->kind != ACT_KIND_LIST;
}

/* What stands bare in JSON too: a number, a truth, a list of numbers. */
static bool is_json(const struct act_field *field, const char *text)
{
    static const char digits[] = "0123456789";
    if (field->kind == ACT_KIND_BOOL || field->kind == ACT_KIND_LIST)
        return strcmp(text, "auto") != 0;
    if (field->kind != ACT_KIND_INT && field->kind != ACT_KIND_REAL)
        return false;
    text += strspn(text, "-");
    text += strspn(text, digits);
    if (*text == '.')
        text += 1 + strspn(text + 1, digits);
    if (*text == 'e')
        text += 1 + strspn(text + 1, "+-0123456789");
    return *text == '\0';
}

/* A set's names as a list. */
static void write_set(struct act_buffer *out, const char *text, enum act_written_style style)
{
    const char *quote = style == ACT_WRITTEN_JSON ? "\"" : "";
    act_buffer_puts(out, "[");
    while (*text) {
        size_t size = strcspn(text, ",");
        act_buffer_printf(out, "%s%.*s%s", quote, (int)size, text, quote);
        text += size;
        if (*text) {
            act_buffer_puts(out, ", ");
            text += 1 + strspn(text + 1, " ");
        }
    }
    act_buffer_puts(out, "]");
}

void act_written_value(struct act_buffer *out, const struct act_plan *plan, enum act_field_id id,
                       enum act_written_style style)
{
    const struct act_field *field = act_field(id);
    if (field->kind == ACT_KIND_TEXT) {
        const char *string = act_field_string(plan, id);
        if (style == ACT_WRITTEN_PLAIN && is_plain(string))
            act_buffer_puts(out, string);
        else
            write_quoted(out, string, style);
        return;
    }
    char text[8 * ACT_LIST_MAX]; /* the longest is a list of ACT_LIST_MAX numbers up to 1024 */
    act_field_text(plan, id, ACT_STYLE_FILE, text, sizeof text);
    if (field->kind == ACT_KIND_SET)
        write_set(out, text, style);
    else if (style == ACT_WRITTEN_PLAIN || !takes_quotes(field, text) ||
             (style == ACT_WRITTEN_JSON && is_json(field, text)))
        act_buffer_puts(out, text);
    else
        write_quoted(out, text, style);
}

/* Values as text: parsing what a user wrote for a field, and writing what a file will hold. */
#include <actuary/field.h>

#include "core/letters.h"
#include "core/writer.h"
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { WORD = 32, RANGE_TEXT = 200, NUMBER_TEXT = 64 };

__attribute__((format(printf, 3, 4))) static int fail(char *why, size_t why_size,
                                                      const char *format, ...)
{
    va_list arguments;

    if (why_size > 0) {
        va_start(arguments, format);
        vsnprintf(why, why_size, format, arguments);
        va_end(arguments);
    }
    return -1;
}

/* "<text> <problem>; give <what the field takes>" */
static int fail_range(const struct act_field *field, const char *text, const char *problem,
                      char *why, size_t why_size)
{
    char quoted[ACT_EXCERPT], range[RANGE_TEXT];

    act_field_range(field->id, range, sizeof range);
    act_text_excerpt(text, quoted);
    return fail(why, why_size, "%s %s; give %s", quoted[0] == '\0' ? "an empty text" : quoted,
                problem, range);
}

/* Copies a word of `length` bytes, spaces around it left out, in lower case. False: too long. */
static bool take_word(const char *text, size_t length, char word[WORD])
{
    while (length > 0 && *text == ' ') {
        text++;
        length--;
    }
    while (length > 0 && text[length - 1] == ' ')
        length--;
    if (length >= WORD)
        return false;
    for (size_t i = 0; i < length; i++)
        word[i] = act_lower(text[i]);
    word[length] = '\0';
    return true;
}

static int find_name(const char *const *names, const char *word)
{
    for (int i = 0; names[i] != NULL; i++) {
        if (strcmp(names[i], word) == 0)
            return i;
    }
    return -1;
}

static bool parse_bool(const char *word, double *ret)
{
    static const char *const texts[] = {"false", "true", "off", "on", "no", "yes", NULL};
    int index = find_name(texts, word);

    if (index < 0)
        return false;
    *ret = index % 2;
    return true;
}

static bool parse_name(const struct act_field *field, const char *word, double *ret)
{
    int index = find_name(field->names, word);

    if (index < 0)
        return false;
    *ret = index;
    return true;
}

/* The inside of "[…]", or the whole text; false when one bracket is missing. */
static bool take_items(const char *text, const char **ret_start, const char **ret_end)
{
    const char *end = text + strlen(text);

    while (*text == ' ')
        text++;
    while (end > text && end[-1] == ' ')
        end--;
    bool opened = *text == '[', closed = end > text && end[-1] == ']';
    if (opened != closed || (opened && end - text < 2))
        return false;
    *ret_start = opened ? text + 1 : text;
    *ret_end = opened ? end - 1 : end;
    return true;
}

static const char *end_of_item(const char *at, const char *end)
{
    const char *comma = memchr(at, ',', (size_t)(end - at));

    return comma == NULL ? end : comma;
}

/* "layernorm, mlp"; "none" or "[]" is the empty set. */
static bool parse_set(const struct act_field *field, const char *text, double *ret)
{
    const char *at, *end;
    unsigned bits = 0;
    char word[WORD];

    if (!take_items(text, &at, &end) || !take_word(at, (size_t)(end - at), word))
        word[0] = '\1'; /* too long for one word: items follow */
    if (strcmp(word, "none") == 0 || (word[0] == '\0' && text[strspn(text, " ")] == '[')) {
        *ret = 0;
        return true;
    }
    if (!take_items(text, &at, &end))
        return false;
    for (;;) {
        const char *item_end = end_of_item(at, end);
        int index =
            take_word(at, (size_t)(item_end - at), word) ? find_name(field->names, word) : -1;
        if (index < 0)
            return false;
        bits |= 1u << index;
        if (item_end == end)
            break;
        at = item_end + 1;
    }
    *ret = bits;
    return true;
}

static int parse_list(const struct act_field *field, const char *text, unsigned flags,
                      struct act_list *ret, char *why, size_t why_size)
{
    struct act_list list = {0};
    const char *at, *end;
    char word[WORD];

    if (!take_items(text, &at, &end))
        return fail_range(field, text, "is not a list", why, why_size);
    for (;;) {
        const char *item_end = end_of_item(at, end);
        double value;

        if (!take_word(at, (size_t)(item_end - at), word))
            return fail_range(field, text, "has an item that is not a number", why, why_size);
        if (act_quantity_parse(word, field->unit, flags | ACT_PARSE_INTEGER, &value, why,
                               why_size) != 0)
            return -1;
        if (value < field->min || value > field->max)
            return fail_range(field, text, "has an item out of range", why, why_size);
        if (list.count == ACT_LIST_MAX)
            return fail(why, why_size, "the list is too long; give at most %d items",
                        (int)ACT_LIST_MAX);
        list.item[list.count++] = (uint16_t)value;
        if (item_end == end)
            break;
        at = item_end + 1;
    }
    *ret = list;
    return 0;
}

static int parse_quantity(const struct act_field *field, const char *text, unsigned flags,
                          double *ret, char *why, size_t why_size)
{
    double value;

    if (field->kind != ACT_KIND_REAL)
        flags |= ACT_PARSE_INTEGER;
    if (act_quantity_parse(text, field->unit, flags, &value, why, why_size) != 0)
        return -1;
    if (value < field->min)
        return fail_range(field, text, "is too small", why, why_size);
    if (value > field->max)
        return fail_range(field, text, "is too large", why, why_size);
    *ret = value;
    return 0;
}

/* Everything that act_field_set_number can store. */
static int parse_number(const struct act_field *field, const char *text, unsigned flags,
                        double *ret, char *why, size_t why_size)
{
    char word[WORD];
    bool one_word = take_word(text, strlen(text), word);

    if (one_word && strcmp(word, "auto") == 0) {
        if ((field->flags & ACT_FIELD_AUTO) != 0) {
            *ret = ACT_AUTO;
            return 0;
        }
        if (field->unit == ACT_UNIT_SHARE)
            return fail(why, why_size, "auto is not available; give a share such as 40%%");
        return fail_range(field, text, "is not available", why, why_size);
    }
    switch (field->kind) {
    case ACT_KIND_BOOL:
        if (one_word && parse_bool(word, ret))
            return 0;
        return fail_range(field, text, "is neither true nor false", why, why_size);
    case ACT_KIND_ENUM:
        if (one_word && parse_name(field, word, ret))
            return 0;
        return fail_range(field, text, "is not known", why, why_size);
    case ACT_KIND_SET:
        if (parse_set(field, text, ret))
            return 0;
        return fail_range(field, text, "is not known", why, why_size);
    default:
        return parse_quantity(field, text, flags, ret, why, why_size);
    }
}

static int set_string(struct act_plan *plan, const struct act_field *field, const char *text,
                      char *why, size_t why_size)
{
    size_t length = strnlen(text, field->size);

    if (length == field->size)
        return fail(why, why_size, "the text is too long; give at most %zu bytes", field->size - 1);
    if (!act_text_printable(text))
        return fail(why, why_size,
                    "the text has control characters or is not UTF-8; give printable UTF-8");
    memmove((char *)plan + field->offset, text, length + 1);
    /* Nothing of a longer text stays behind: undo compares bytes. */
    memset((char *)plan + field->offset + length + 1, 0, field->size - length - 1);
    act_plan_set_given(plan, field->id, true);
    return 0;
}

static int set_list(struct act_plan *plan, const struct act_field *field, const char *text,
                    unsigned flags, char *why, size_t why_size)
{
    struct act_list list = {0};
    char word[WORD];
    bool automatic = (field->flags & ACT_FIELD_AUTO) != 0 && take_word(text, strlen(text), word) &&
                     strcmp(word, "auto") == 0;

    if (!automatic && parse_list(field, text, flags, &list, why, why_size) != 0)
        return -1;
    memcpy((char *)plan + field->offset, &list, sizeof list);
    act_plan_set_given(plan, field->id, true);
    return 0;
}

int act_field_set_text(struct act_plan *plan, enum act_field_id id, const char *text,
                       unsigned flags, char *why, size_t why_size)
{
    const struct act_field *field = act_field(id);
    double value = 0;

    if (field->kind == ACT_KIND_TEXT)
        return set_string(plan, field, text, why, why_size);
    if (field->kind == ACT_KIND_LIST)
        return set_list(plan, field, text, flags, why, why_size);
    if (parse_number(field, text, flags, &value, why, why_size) != 0)
        return -1;
    act_field_set_number(plan, id, value);
    return 0;
}

static void put_number(struct act_writer *writer, const struct act_field *field, double value,
                       enum act_style style)
{
    char text[NUMBER_TEXT];

    /* Whole numbers are shown as they are: 131072 tokens, not 131 k. */
    if (field->kind != ACT_KIND_REAL)
        style = ACT_STYLE_FILE;
    act_quantity_format(value, field->unit, style, text, sizeof text);
    act_writer_put(writer, text);
}

static void put_set(struct act_writer *writer, const struct act_field *field, unsigned bits)
{
    bool first = true;

    if (bits == 0)
        act_writer_put(writer, "none");
    for (int i = 0; field->names[i] != NULL; i++) {
        if ((bits >> i & 1) == 0)
            continue;
        act_writer_put(writer, first ? "" : ", ");
        act_writer_put(writer, field->names[i]);
        first = false;
    }
}

static void put_list(struct act_writer *writer, const struct act_plan *plan,
                     const struct act_field *field)
{
    const char *place = (const char *)plan + field->offset;
    const struct act_list *list = (const struct act_list *)(const void *)place;
    char text[NUMBER_TEXT];

    if (list->count == 0) {
        act_writer_put(writer, "auto");
        return;
    }
    act_writer_put_char(writer, '[');
    for (int32_t i = 0; i < list->count; i++) {
        snprintf(text, sizeof text, "%s%d", i == 0 ? "" : ", ", list->item[i]);
        act_writer_put(writer, text);
    }
    act_writer_put_char(writer, ']');
}

static const char *bool_text(double value, enum act_style style)
{
    if (style == ACT_STYLE_FILE)
        return value != 0 ? "true" : "false";
    return value != 0 ? "on" : "off";
}

size_t act_field_text(const struct act_plan *plan, enum act_field_id id, enum act_style style,
                      char *out, size_t out_size)
{
    const struct act_field *field = act_field(id);
    double value = act_field_number(plan, id);
    struct act_writer writer;

    act_writer_init(&writer, out, out_size);
    if (field->kind == ACT_KIND_TEXT) {
        act_writer_put(&writer, act_field_string(plan, id));
    } else if (field->kind == ACT_KIND_LIST) {
        put_list(&writer, plan, field);
    } else if (value == ACT_AUTO && (field->flags & ACT_FIELD_AUTO) != 0) {
        act_writer_put(&writer, "auto");
    } else if (field->kind == ACT_KIND_BOOL) {
        act_writer_put(&writer, bool_text(value, style));
    } else if (field->kind == ACT_KIND_ENUM) {
        act_writer_put(&writer, field->names[(size_t)value]);
    } else if (field->kind == ACT_KIND_SET) {
        put_set(&writer, field, (unsigned)value);
    } else {
        put_number(&writer, field, value, style);
    }
    return writer.length;
}

static void put_names(struct act_writer *writer, const char *const *names)
{
    for (int i = 0; names[i] != NULL; i++) {
        act_writer_put(writer, i == 0 ? "" : ", ");
        act_writer_put(writer, names[i]);
    }
}

size_t act_field_range(enum act_field_id id, char *out, size_t out_size)
{
    const struct act_field *field = act_field(id);
    bool named = field->kind == ACT_KIND_ENUM || field->kind == ACT_KIND_BOOL;
    char bytes[NUMBER_TEXT];
    struct act_writer writer;

    act_writer_init(&writer, out, out_size);
    if ((field->flags & ACT_FIELD_AUTO) != 0)
        act_writer_put(&writer, named ? "auto, " : "auto or ");
    switch (field->kind) {
    case ACT_KIND_BOOL:
        act_writer_put(&writer, "true or false");
        break;
    case ACT_KIND_ENUM:
        put_names(&writer, field->names);
        break;
    case ACT_KIND_SET:
        act_writer_put(&writer, "none or some of ");
        put_names(&writer, field->names);
        break;
    case ACT_KIND_TEXT:
        snprintf(bytes, sizeof bytes, "text of at most %zu bytes", field->size - 1);
        act_writer_put(&writer, bytes);
        break;
    case ACT_KIND_LIST:
        act_writer_put(&writer, "a list such as [20, 20], each ");
        put_number(&writer, field, field->min, ACT_STYLE_FILE);
        act_writer_put(&writer, " to ");
        put_number(&writer, field, field->max, ACT_STYLE_FILE);
        break;
    case ACT_KIND_INT:
    case ACT_KIND_REAL:
    case ACT_KIND_GPUS:
        put_number(&writer, field, field->min, ACT_STYLE_FILE);
        act_writer_put(&writer, " to ");
        put_number(&writer, field, field->max, ACT_STYLE_FILE);
        break;
    }
    return writer.length;
}

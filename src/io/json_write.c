#include "io/json_write.h"

#include <actuary/units.h>
#include <stdlib.h>
#include <string.h>

static void new_line(struct act_buffer *out, int depth)
{
    act_buffer_printf(out, "\n%*s", 2 * depth, "");
}

/* Texts and integers are jansson's to write. */
static void write_simple(const json_t *value, struct act_buffer *out)
{
    char *text = json_dumps(value, JSON_ENCODE_ANY);
    if (text)
        act_buffer_puts(out, text);
    else
        out->failed = true;
    free(text);
}

static void write_key(const char *key, struct act_buffer *out)
{
    json_t *text = json_string(key);
    write_simple(text, out);
    json_decref(text);
    act_buffer_puts(out, ": ");
}

static void write_value(const json_t *value, int depth, struct act_buffer *out)
{
    bool object = json_is_object(value);
    size_t size = object ? json_object_size(value) : json_array_size(value);
    if (json_is_real(value)) {
        char text[64];
        act_quantity_format(json_real_value(value), ACT_UNIT_NONE, ACT_STYLE_FILE, text,
                            sizeof text - 2);
        /* Readers take digits alone for an integer, and refuse one of more than 64 bits. */
        if (strlen(text) > 18 && strpbrk(text, ".e") == NULL)
            memcpy(text + strlen(text), ".0", 3);
        act_buffer_puts(out, text);
        return;
    }
    if (size == 0) {
        write_simple(value, out);
        return;
    }
    act_buffer_puts(out, object ? "{" : "[");
    if (object) {
        const char *key;
        json_t *member;
        bool first = true;
        /* The loop only reads; jansson has no form of it for a constant object. */
        json_object_foreach((json_t *)value, key, member)
        {
            act_buffer_puts(out, first ? "" : ",");
            first = false;
            new_line(out, depth + 1);
            write_key(key, out);
            write_value(member, depth + 1, out);
        }
    } else {
        for (size_t i = 0; i < size; i++) {
            act_buffer_puts(out, i == 0 ? "" : ",");
            new_line(out, depth + 1);
            write_value(json_array_get(value, i), depth + 1, out);
        }
    }
    new_line(out, depth);
    act_buffer_puts(out, object ? "}" : "]");
}

int act_json_write(const json_t *value, struct act_buffer *out)
{
    write_value(value, 0, out);
    act_buffer_puts(out, "\n");
    return out->failed ? -1 : 0;
}

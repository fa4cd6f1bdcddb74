#include "io/escape.h"

#include "core/utf8.h"

#include <actuary/units.h>

#include <stdint.h>
#include <string.h>

/* The next character of `*text`, which is not at its end: itself, or U+FFFD for what may not stand
 * in a text. `lines`: line breaks may. */
static size_t take(const char **text, bool lines, const char **ret_shown)
{
    uint32_t code;
    size_t length = act_utf8_decode(*text, strlen(*text), &code);
    bool fine =
        length > 0 && (act_utf8_printable(code) || (lines && (code == '\n' || code == '\r')));

    *ret_shown = fine ? *text : "\xEF\xBF\xBD";
    *text += length > 0 ? length : 1;
    return fine ? length : 3;
}

static const char *html_name(char c)
{
    switch (c) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    case '\'':
        return "&#39;";
    default:
        return NULL;
    }
}

static void put_html(struct act_buffer *out, const char **text)
{
    const char *shown;
    size_t length = take(text, true, &shown);
    const char *name = html_name(*shown);

    if (name)
        act_buffer_puts(out, name);
    else
        act_buffer_add(out, shown, length);
}

void act_escape_html(struct act_buffer *out, const char *text)
{
    while (*text)
        put_html(out, &text);
}

void act_escape_prose(struct act_buffer *out, const char *text)
{
    const char *end = text;

    while (*text) {
        if (text >= end)
            end = text + act_word_length(text);
        if (*text == ' ' && text < end) {
            act_buffer_puts(out, "&#160;");
            text++;
        } else {
            put_html(out, &text);
        }
    }
}

/* Does "12." or "12)" stand at `at`, with which a list begins? */
static bool begins_list(const char *at)
{
    size_t digits = strspn(at, "0123456789");
    return digits > 0 && (at[digits] == '.' || at[digits] == ')');
}

void act_escape_markdown(struct act_buffer *out, const char *text, bool begins)
{
    bool start = begins;
    const char *number_end = begins && begins_list(text) ? text + strspn(text, "0123456789") : NULL;

    while (*text) {
        const char *shown, *at = text;
        size_t length = take(&text, true, &shown);
        if (*shown == '\n' || *shown == '\r') {
            act_buffer_puts(out, " ");
            continue;
        }
        if (*shown == '&' || *shown == '<' || *shown == '>') {
            act_buffer_puts(out, html_name(*shown));
        } else {
            bool special = strchr("\\`*_[]|~$#!", *shown) != NULL;
            bool line = start && strchr("+-=", *shown) != NULL;
            act_buffer_puts(out, special || line || at == number_end ? "\\" : "");
            act_buffer_add(out, shown, length);
        }
        start = start && *shown == ' ';
    }
}

void act_escape_csv(struct act_buffer *out, const char *text)
{
    size_t size = strlen(text);
    bool quoted =
        strpbrk(text, ",\"\r\n") != NULL || (size > 0 && (text[0] == ' ' || text[size - 1] == ' '));

    act_buffer_puts(out, quoted ? "\"" : "");
    while (*text) {
        const char *shown;
        size_t length = take(&text, true, &shown);
        act_buffer_puts(out, *shown == '"' ? "\"" : "");
        act_buffer_add(out, shown, length);
    }
    act_buffer_puts(out, quoted ? "\"" : "");
}

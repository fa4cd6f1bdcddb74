/* A strict reader of the reports' HTML: as XML would have it, but for the first line; and with no
 * element or attribute but those known to load nothing and to run nothing. */
#ifndef ACTUARY_TESTS_MARKUP_H
#define ACTUARY_TESTS_MARKUP_H

#include <stdbool.h>
#include <string.h>

enum { MARKUP_DEPTH = 64, MARKUP_NAME = 32 };

struct markup {
    char open[MARKUP_DEPTH][MARKUP_NAME];
    int depth, elements;
    const char *wrong; /* where it is not well-formed, or NULL */
};

static inline bool markup_name_char(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == ':';
}

/* Is the name of `length` bytes among these? */
static inline bool markup_among(const char *const *names, const char *name, size_t length)
{
    for (; *names; names++) {
        if (strlen(*names) == length && memcmp(*names, name, length) == 0)
            return true;
    }
    return false;
}

/* "&amp;", "&#160;" */
static inline size_t markup_entity(const char *at)
{
    static const char *const names[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&#39;", "&#160;"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strncmp(at, names[i], strlen(names[i])) == 0)
            return strlen(names[i]);
    }
    return 0;
}

/* The tag at `at`, which begins with '<'; its end, or NULL. */
static inline const char *markup_tag(struct markup *markup, const char *at)
{
    static const char *const elements[] = {
        "html", "head", "meta", "title", "style", "body",  "main",  "h1",     "h2",         "h3",
        "p",    "div",  "span", "ul",    "li",    "table", "thead", "tr",     "tbody",      "th",
        "td",   "svg",  "rect", "text",  "line",  "desc",  "sup",   "footer", "blockquote", NULL};
    static const char *const attributes[] = {
        "lang",  "charset", "name",   "content", "http-equiv",  "class",
        "scope", "width",   "height", "role",    "x",           "y",
        "x1",    "x2",      "y1",     "y2",      "aria-hidden", NULL};
    bool closing = at[1] == '/';
    const char *name = at + 1 + closing;
    size_t length = 0;

    while (markup_name_char(name[length]))
        length++;
    if (length >= MARKUP_NAME || !markup_among(elements, name, length))
        return NULL;
    at = name + length;
    while (*at == ' ') {
        size_t attribute = 0;
        at++;
        while (markup_name_char(at[attribute]))
            attribute++;
        if (!markup_among(attributes, at, attribute) || at[attribute] != '=' ||
            at[attribute + 1] != '"')
            return NULL;
        for (at += attribute + 2; *at != '"'; at++) {
            if (*at == '\0' || *at == '<' || (*at == '&' && markup_entity(at) == 0))
                return NULL;
        }
        at++;
    }
    bool empty = *at == '/';
    at += empty;
    if (*at != '>')
        return NULL;
    markup->elements += !closing;
    if (closing) {
        if (markup->depth == 0 || strlen(markup->open[markup->depth - 1]) != length ||
            memcmp(markup->open[markup->depth - 1], name, length) != 0)
            return NULL;
        markup->depth--;
    } else if (!empty) {
        if (markup->depth == MARKUP_DEPTH)
            return NULL;
        memcpy(markup->open[markup->depth], name, length);
        markup->open[markup->depth++][length] = '\0';
    }
    return at + 1;
}

static inline void markup_read(const char *text, struct markup *ret)
{
    static const char doctype[] = "<!DOCTYPE html>\n";

    memset(ret, 0, sizeof *ret);
    if (strncmp(text, doctype, strlen(doctype)) != 0) {
        ret->wrong = text;
        return;
    }
    for (const char *at = text + strlen(doctype); *at;) {
        const char *next = at + 1;
        if (*at == '<')
            next = markup_tag(ret, at);
        else if (*at == '&')
            next = markup_entity(at) ? at + markup_entity(at) : NULL;
        else if (*at == '>' || ((unsigned char)*at < ' ' && *at != '\n'))
            next = NULL;
        if (!next) {
            ret->wrong = at;
            return;
        }
        at = next;
    }
    if (ret->depth > 0)
        ret->wrong = text + strlen(text);
}

#endif

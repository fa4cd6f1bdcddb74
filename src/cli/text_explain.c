#include "cli/text_explain.h"

#include "cli/wrap.h"

#include <actuary/units.h>

#include <stdio.h>
#include <string.h>

enum { NAME = 15, VALUE = 12 };

/* "  = text", wrapped behind the sign. */
static void put_marked(struct act_buffer *out, const char *mark, const char *text)
{
    int margin = 2 + (int)strlen(mark) + 1;

    act_buffer_printf(out, "  %s ", mark);
    act_wrap(out, margin, text);
}

static void put_name(struct act_buffer *out, const struct act_sheets *sheets, const char *name,
                     double value, enum act_term_unit unit, bool color)
{
    char text[48];

    act_term_format_in(sheets->decimal_sizes, value, unit, text, sizeof text);
    act_buffer_printf(out, "%s%-*s%s %*s", color ? "\033[1m" : "", NAME, name,
                      color ? "\033[0m" : "", VALUE, text);
}

static void put_chapter(const struct act_plan *plan, const struct act_sheets *sheets,
                        struct act_term term, struct act_buffer *out)
{
    struct act_chapter line[ACT_CHAPTER_MAX];
    int count = act_explain_chapter(plan, sheets, term, ACT_NOTATION_ASCII, line);

    for (int i = 0; i < count; i++) {
        char gb[48], gib[48], text[256];
        act_quantity_format(line[i].bytes, ACT_UNIT_BYTES, ACT_STYLE_SHORT_GB, gb, sizeof gb);
        act_term_format(line[i].bytes, ACT_TERM_BYTES, gib, sizeof gib);
        snprintf(text, sizeof text, "%s (%s): %s%s", gb, gib, line[i].meaning,
                 line[i].in_use ? " [the form in use]" : "");
        put_marked(out, "textbook:", text);
        if (line[i].formula[0] != '\0') {
            put_marked(out, "  =", line[i].formula);
            put_marked(out, "  =", line[i].numbers);
        }
        if (line[i].note[0] != '\0')
            put_marked(out, "   ", line[i].note);
    }
}

static void put_uses(const struct act_sheets *sheets, const struct act_explanation *from,
                     bool color, struct act_buffer *out)
{
    act_buffer_puts(out, "  with\n");
    for (int i = 0; i < from->uses; i++) {
        const struct act_use *use = &from->use[i];
        char text[256];
        act_buffer_puts(out, "    ");
        put_name(out, sheets, use->symbol, use->value, use->unit, color);
        act_buffer_puts(out, "  ");
        /* What is worked out elsewhere can be asked for by that name. */
        struct act_explanation origin;
        act_explain(sheets, use->term, ACT_NOTATION_ASCII, &origin);
        if (origin.given)
            snprintf(text, sizeof text, "%s", use->meaning);
        else
            snprintf(text, sizeof text, "%s (%s.%s)", use->meaning, act_sheet_name(use->term.sheet),
                     act_term_symbol(sheets, use->term));
        act_wrap(out, 4 + NAME + 1 + VALUE + 2, text);
    }
}

void act_text_explain(const struct act_plan *plan, const struct act_sheets *sheets,
                      const struct act_figure *figure, int count, bool whole, bool color,
                      struct act_buffer *out)
{
    for (int i = 0; i < count; i++) {
        struct act_explanation text;
        act_explain(sheets, figure[i].term, ACT_NOTATION_ASCII, &text);
        if (i > 0)
            act_buffer_puts(out, "\n");
        put_name(out, sheets, figure[i].name, text.value, text.unit, color);
        act_buffer_puts(out, "  ");
        char meaning[256];
        if (text.error > 0)
            snprintf(meaning, sizeof meaning, "+-%.0f %%: %s", 100 * text.error, text.meaning);
        else
            snprintf(meaning, sizeof meaning, "%s", text.meaning);
        act_wrap(out, NAME + 1 + VALUE + 2, meaning);
        if (text.given)
            continue;
        put_marked(out, "=", text.formula);
        put_marked(out, "=", text.numbers);
        if (!whole)
            continue;
        put_marked(out, "source:", text.source);
        put_chapter(plan, sheets, figure[i].term, out);
        put_uses(sheets, &text, color, out);
    }
}

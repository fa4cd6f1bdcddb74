#include "cli/text_compare.h"

#include "cli/wrap.h"
#include "io/problem.h"

#include <stdio.h>
#include <string.h>

/* 18 + 14 + 2 x 24 columns are 80. A value may run on into the room of its difference, when there
 * is none. */
enum { LABEL = 18, BASE = 14, VALUE = 11, CHANGE = 13, BLOCK = 2 };

/* A base and the scenarios that stand beside it. */
struct block {
    const struct act_case *cases;
    int count; /* of all cases */
    int first, last;
    bool only, color;
    struct act_buffer *out;
};

/* Columns that a text takes, as far as counting code points goes. */
static int width_of(const char *text)
{
    int width = 0;

    for (; *text; text++)
        width += ((unsigned char)*text & 0xC0) != 0x80;
    return width;
}

/* At most `room` columns of a text, the last two dots when it is cut. */
static void cut(const char *text, int room, char *out, size_t size)
{
    int width = 0;
    size_t at = 0;
    bool whole = width_of(text) <= room;

    while (text[at] && at + 1 < size) {
        width += ((unsigned char)text[at] & 0xC0) != 0x80;
        if (!whole && width > room - 2)
            break;
        out[at] = text[at];
        at++;
    }
    out[at] = '\0';
    if (!whole && at + 3 < size)
        memcpy(out + at, "..", 3);
}

/* Right-aligned in `room` columns, the first of them blank. */
static void put_right(struct act_buffer *out, const char *text, int room)
{
    char shown[160];

    cut(text, room - 1, shown, sizeof shown);
    act_buffer_printf(out, "%*s%s", room - width_of(shown), "", shown);
}

static void put_verdict(const struct block *block, enum act_verdict verdict, const char *text)
{
    const char *code = verdict == ACT_VERDICT_BETTER ? "32" : "31";

    if (block->color && verdict != ACT_VERDICT_NONE)
        act_buffer_printf(block->out, "\033[%sm%s\033[0m", code, text);
    else
        act_buffer_puts(block->out, text);
}

static void put_cell(const struct block *block, int index, const struct act_compared *cell)
{
    char change[64] = "";

    if (index == 0) {
        put_right(block->out, cell->text, BASE);
        return;
    }
    if (!cell->change[0]) {
        int room = VALUE + CHANGE, own = width_of(cell->text) < VALUE ? VALUE : room;
        put_right(block->out, cell->text, own);
        act_buffer_printf(block->out, "%*s", room - own, "");
        return;
    }
    snprintf(change, sizeof change, "%s%s%s", cell->change,
             cell->verdict != ACT_VERDICT_NONE ? " " : "", act_verdict_name(cell->verdict));
    put_right(block->out, cell->text, VALUE);
    act_buffer_puts(block->out, " ");
    put_verdict(block, cell->verdict, change);
    act_buffer_printf(block->out, "%*s",
                      width_of(change) < CHANGE - 1 ? CHANGE - 1 - width_of(change) : 0, "");
}

/* No blanks stay at line ends. */
static void end_line(struct act_buffer *out)
{
    while (!out->failed && out->size > 0 && out->text[out->size - 1] == ' ')
        out->text[--out->size] = '\0';
    act_buffer_puts(out, "\n");
}

/* The base, then the cases of the block. */
static int case_at(const struct block *block, int column)
{
    return column == 0 ? 0 : block->first + column - 1;
}

static int columns_of(const struct block *block)
{
    return block->last - block->first + 2;
}

static void put_row(const struct block *block, const char *label, const struct act_compared *cells)
{
    bool differs = false;

    for (int i = 1; i < columns_of(block); i++)
        differs = differs || cells[i].differs;
    if (block->only && !differs)
        return;
    char shown[80];
    cut(label, LABEL - 2, shown, sizeof shown);
    act_buffer_printf(block->out, "%c %s%*s", differs ? '*' : ' ', shown,
                      LABEL - 2 - width_of(shown), "");
    for (int i = 0; i < columns_of(block); i++)
        put_cell(block, i, &cells[i]);
    end_line(block->out);
}

static void put_results(const struct block *block)
{
    struct act_compared cells[BLOCK + 1];

    for (int i = 0; i < columns_of(block); i++) {
        const char *verdict = act_case_verdict(&block->cases[case_at(block, i)]);
        cells[i] = (struct act_compared){0};
        snprintf(cells[i].text, sizeof cells[i].text, "%s", verdict);
        cells[i].differs = strcmp(verdict, cells[0].text) != 0;
    }
    put_row(block, "verdict", cells);
    for (int i = 0; act_metric_at(i); i++) {
        if (!act_compare_metric_row(block->cases, block->count, i, false))
            continue;
        for (int j = 0; j < columns_of(block); j++)
            act_compare_metric(block->cases, case_at(block, j), i, &cells[j]);
        put_row(block, act_metric_at(i)->label, cells);
    }
}

static void put_fields(const struct block *block)
{
    struct act_compared cells[BLOCK + 1];
    bool begun = false;

    for (int i = 0; i < ACT_FIELD_COUNT; i++) {
        enum act_field_id id = (enum act_field_id)i;
        if (!act_compare_field_row(block->cases, block->count, id, false))
            continue;
        bool applies = false;
        for (int j = 0; j < columns_of(block); j++) {
            const struct act_case *item = &block->cases[case_at(block, j)];
            act_compare_field(block->cases, case_at(block, j), id, &cells[j]);
            applies = applies || act_field_applies(&item->resolved, id);
        }
        if (!applies)
            continue;
        act_buffer_puts(block->out, begun ? "" : "\n");
        begun = true;
        put_row(block, act_field(id)->label, cells);
    }
}

/* Names stand above their columns as far as there is room, after a list of them in full. */
static void put_names(const struct block *block)
{
    char name[100];

    act_buffer_printf(block->out, "%*s", LABEL, "");
    for (int i = 0; i < columns_of(block); i++) {
        const char *from = block->cases[case_at(block, i)].plan->scenario.name;
        act_printable(from, strlen(from), name, sizeof name);
        struct act_compared cell = {0};
        int room = i == 0 ? BASE - 1 : VALUE + CHANGE - 2;
        cut(name, room, cell.text, sizeof cell.text);
        if (i == 0)
            put_right(block->out, cell.text, BASE);
        else
            act_buffer_printf(block->out, "  %s%*s", cell.text,
                              VALUE + CHANGE - 2 - width_of(cell.text), "");
    }
    end_line(block->out);
}

static void put_list(const struct act_case *cases, int count, struct act_buffer *out)
{
    char name[100];

    for (int i = 0; i < count; i++) {
        act_printable(cases[i].plan->scenario.name, strlen(cases[i].plan->scenario.name), name,
                      sizeof name);
        act_buffer_printf(out, "%-8s %s\n", i == 0 ? "base" : i == 1 ? "against" : "", name);
    }
    act_buffer_puts(out, "\n");
}

void act_text_compare(const struct act_case *cases, int count, bool only, bool color,
                      struct act_buffer *out)
{
    int beside = act_compare_beside(cases, count);

    put_list(cases, count, out);
    for (int first = 1; first < count; first += BLOCK) {
        int last = first + BLOCK - 1 < count ? first + BLOCK - 1 : count - 1;
        const struct block block = {cases, count, first, last, only, color, out};
        act_buffer_puts(out, first > 1 ? "\n" : "");
        put_names(&block);
        put_results(&block);
        put_fields(&block);
    }
    if (beside > 0)
        act_buffer_printf(
            out, "\n%d more value%s differ%s with the presets: --format json has %s\n", beside,
            beside > 1 ? "s" : "", beside > 1 ? "" : "s", beside > 1 ? "them" : "it");
}

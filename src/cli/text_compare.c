#include "cli/text_compare.h"

#include "cli/wrap.h"
#include "io/problem.h"

#include <stdio.h>
#include <string.h>

/* How wide the columns are, and how many scenarios stand beside the base: 80 in all. A value may
 * run on into the room of its difference, when there is none. */
struct widths {
    int label, base, value, change, beside;
};
enum { BLOCK = 2 };

/* Two stand beside the base where that cuts nothing, else one. */
static const struct widths narrow = {20, 14, 10, 13, BLOCK}, wide = {20, 23, 18, 19, 1};

/* A base and the scenarios that stand beside it. */
struct block {
    const struct act_case *cases;
    int count; /* of all cases */
    int first, last;
    bool only, color;
    struct act_buffer *out;
    const struct widths *widths;
    bool *cut; /* set where a cell has no room */
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
static void put_right(const struct block *block, const char *text, int room)
{
    char shown[160];

    *block->cut = *block->cut || width_of(text) > room - 1;
    cut(text, room - 1, shown, sizeof shown);
    act_buffer_printf(block->out, "%*s%s", room - width_of(shown), "", shown);
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
    const struct widths *widths = block->widths;
    int room = widths->value + widths->change;
    char change[64] = "";

    if (index == 0) {
        put_right(block, cell->text, widths->base);
        return;
    }
    if (!cell->change[0]) {
        int own = width_of(cell->text) < widths->value ? widths->value : room;
        put_right(block, cell->text, own);
        act_buffer_printf(block->out, "%*s", room - own, "");
        return;
    }
    snprintf(change, sizeof change, "%s%s%s", cell->change,
             cell->verdict != ACT_VERDICT_NONE ? " " : "", act_verdict_name(cell->verdict));
    *block->cut = *block->cut || width_of(change) > widths->change - 1;
    put_right(block, cell->text, widths->value);
    act_buffer_puts(block->out, " ");
    put_verdict(block, cell->verdict, change);
    act_buffer_printf(
        block->out, "%*s",
        width_of(change) < widths->change - 1 ? widths->change - 1 - width_of(change) : 0, "");
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
    int label_room = block->widths->label - 2;
    *block->cut = *block->cut || width_of(label) > label_room;
    cut(label, label_room, shown, sizeof shown);
    act_buffer_printf(block->out, "%c %s%*s", differs ? '*' : ' ', shown,
                      label_room - width_of(shown), "");
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
        for (int j = 1; j < columns_of(block); j++)
            act_compared_for_eyes(&cells[0], &cells[j]);
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
        for (int j = 1; j < columns_of(block); j++)
            act_compared_for_eyes(&cells[0], &cells[j]);
        act_buffer_puts(block->out, begun ? "" : "\n");
        begun = true;
        put_row(block, act_field(id)->label, cells);
    }
}

/* Names stand above their columns as far as there is room, after a list of them in full. */
static void put_names(const struct block *block)
{
    const struct widths *widths = block->widths;
    char name[100], shown[100];

    act_buffer_printf(block->out, "%*s", widths->label, "");
    for (int i = 0; i < columns_of(block); i++) {
        const char *from = block->cases[case_at(block, i)].plan->scenario.name;
        act_printable(from, strlen(from), name, sizeof name);
        int room = i == 0 ? widths->base - 1 : widths->value + widths->change - 2;
        cut(name, room, shown, sizeof shown);
        if (i == 0)
            act_buffer_printf(block->out, "%*s%s", widths->base - width_of(shown), "", shown);
        else
            act_buffer_printf(block->out, "  %s%*s", shown, room - width_of(shown), "");
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

/* True when a cell was cut. */
static bool put_blocks(const struct act_case *cases, int count, bool only, bool color,
                       const struct widths *widths, struct act_buffer *out)
{
    bool cut = false;

    for (int first = 1; first < count; first += widths->beside) {
        int last = first + widths->beside - 1 < count ? first + widths->beside - 1 : count - 1;
        const struct block block = {cases, count, first, last, only, color, out, widths, &cut};
        act_buffer_puts(out, first > 1 ? "\n" : "");
        put_names(&block);
        put_results(&block);
        put_fields(&block);
    }
    return cut;
}

void act_text_compare(const struct act_case *cases, int count, bool only, bool color,
                      struct act_buffer *out)
{
    int beside = act_compare_beside(cases, count);

    put_list(cases, count, out);
    size_t from = out->size;
    if (count == 2 || put_blocks(cases, count, only, color, &narrow, out)) {
        if (!out->failed)
            out->text[out->size = from] = '\0';
        put_blocks(cases, count, only, color, &wide, out);
    }
    if (beside > 0)
        act_buffer_printf(
            out, "\n%d more value%s differ%s with the presets: --format json has %s\n", beside,
            beside > 1 ? "s" : "", beside > 1 ? "" : "s", beside > 1 ? "them" : "it");
}

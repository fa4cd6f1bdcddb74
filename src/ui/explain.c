#include "ui/explain.h"

#include "session/action.h"
#include "ui/bars.h"
#include "ui/page.h"

#include <actuary/units.h>
#include <stdio.h>
#include <string.h>

/* Columns of the outline beside the text; narrower screens stack the two. */
enum {
    OUTLINE = 40,
    OUTLINE_MOST = 56,
    STACKED_BELOW = 84,
    NAME = 17,
    VALUE = 11,
    MEANING_LEAST = 16
};

static void list_figures(struct act_explain_view *view, const struct act_tab *tab)
{
    struct act_sheets sheets;
    struct act_figure figure[ACT_FIGURES_MAX];

    act_sheets_of(&tab->plan, view->stage, &sheets);
    view->count = act_sheets_figures(&sheets, tab->result.memory.stage[view->stage].phase, figure);
    for (int i = 0; i < view->count; i++)
        view->row[i] = (struct act_outline_row){
            .term = figure[i].term, .name = figure[i].name, .letter = figure[i].letter};
    view->scroll = 0;
}

void act_explain_start(struct act_explain_view *view, const struct act_tab *tab, int stage)
{
    *view = (struct act_explain_view){.stage = stage};
    list_figures(view, tab);
}

/* The same figure of another stage, or the first where it has none. */
static void change_stage(struct act_explain_view *view, const struct act_tab *tab, int by)
{
    int stage = view->stage + by, at = view->cursor;

    if (stage < 0 || stage >= tab->result.memory.stages)
        return;
    while (at > 0 && view->row[at].depth > 0)
        at--;
    const char *name = view->row[at].name;
    view->stage = stage;
    view->cursor = 0;
    list_figures(view, tab);
    for (int i = 0; i < view->count; i++)
        if (strcmp(view->row[i].name, name) == 0)
            view->cursor = i;
}

static void close_row(struct act_explain_view *view)
{
    struct act_outline_row *row = &view->row[view->cursor];
    int end = view->cursor + 1;

    while (end < view->count && view->row[end].depth > row->depth)
        end++;
    memmove(row + 1, view->row + end, sizeof *row * (size_t)(view->count - end));
    view->count -= end - view->cursor - 1;
    row->open = false;
}

static void open_row(struct act_explain_view *view, const struct act_tab *tab)
{
    struct act_outline_row *row = &view->row[view->cursor];
    struct act_sheets sheets;
    struct act_explanation text;

    act_sheets_of(&tab->plan, view->stage, &sheets);
    act_explain(&sheets, row->term, ACT_NOTATION_UTF8, &text);
    if (row->open || text.uses == 0 || view->count + text.uses > ACT_OUTLINE_MAX)
        return;
    memmove(row + 1 + text.uses, row + 1, sizeof *row * (size_t)(view->count - view->cursor - 1));
    for (int i = 0; i < text.uses; i++)
        row[1 + i] = (struct act_outline_row){.term = text.use[i].term,
                                              .name = text.use[i].symbol,
                                              .letter = ' ',
                                              .depth = row->depth + 1};
    view->count += text.uses;
    row->open = true;
}

static void move(struct act_explain_view *view, int to)
{
    view->cursor = to < 0 ? 0 : to >= view->count ? view->count - 1 : to;
    view->scroll = 0;
}

/* Closes the line, or goes to the one it belongs to. */
static void go_out(struct act_explain_view *view)
{
    int depth = view->row[view->cursor].depth;

    if (view->row[view->cursor].open) {
        close_row(view);
        return;
    }
    int to = view->cursor;
    while (to > 0 && depth > 0 && view->row[to].depth >= depth)
        to--;
    move(view, to);
}

static void scroll(struct act_explain_view *view, int by)
{
    int most = view->lines > view->page ? view->lines - view->page : 0;

    view->scroll += by;
    view->scroll = view->scroll < 0 ? 0 : view->scroll > most ? most : view->scroll;
}

bool act_explain_key(struct act_explain_view *view, const struct act_tab *tab, int key)
{
    switch (key) {
    case ACT_KEY_UP:
    case 'k':
        move(view, view->cursor - 1);
        break;
    case ACT_KEY_DOWN:
    case 'j':
        move(view, view->cursor + 1);
        break;
    case ACT_KEY_HOME:
    case 'g':
        move(view, 0);
        break;
    case ACT_KEY_END:
    case 'G':
        move(view, view->count - 1);
        break;
    case ACT_KEY_RIGHT:
    case 'l':
        open_row(view, tab);
        break;
    case ACT_KEY_ENTER:
    case ' ':
        if (view->row[view->cursor].open)
            close_row(view);
        else
            open_row(view, tab);
        break;
    case ACT_KEY_LEFT:
    case 'h':
        go_out(view);
        break;
    case ACT_KEY_PAGE_UP:
        scroll(view, -view->page);
        break;
    case ACT_KEY_PAGE_DOWN:
        scroll(view, view->page);
        break;
    case '[':
        change_stage(view, tab, -1);
        break;
    case ']':
        change_stage(view, tab, 1);
        break;
    default:
        return false;
    }
    return true;
}

static enum act_look look_of_letter(char letter)
{
    char candidate;
    enum act_look look;
    const char *word;

    for (int i = 0; act_bar_legend(i, 0, &candidate, &look, &word); i++)
        if (candidate == letter)
            return look;
    return ACT_LOOK_TEXT;
}

static void draw_row(const struct act_explain_view *view, struct act_canvas *canvas,
                     struct act_rect rect, const struct act_sheets *sheets, int index)
{
    const struct act_outline_row *row = &view->row[index];
    struct act_explanation text;
    char value[48], letter[] = {row->letter, '\0'};
    int line = index - view->top, column = 1 + 2 * row->depth;
    bool focused = index == view->cursor;

    act_explain(sheets, row->term, ACT_NOTATION_UTF8, &text);
    act_term_format_in(sheets->decimal_sizes, text.value, text.unit, value, sizeof value);
    if (column > rect.columns / 2)
        column = rect.columns / 2;
    act_draw_text(canvas, rect, line, column, text.uses == 0 ? ACT_LOOK_DIM : ACT_LOOK_KEY,
                  text.uses == 0 ? " "
                  : row->open    ? "▾"
                                 : "▸");
    column += 2;
    if (row->letter != ' ') {
        act_draw_text(canvas, rect, line, column, look_of_letter(row->letter), letter);
        column += 2;
    } else if (row->depth == 0) {
        column += 2;
    }
    int room = rect.columns - column - act_text_columns(canvas, value) - 2;
    act_draw_cut(canvas, rect, line, column, room, text.given ? ACT_LOOK_DIM : ACT_LOOK_TEXT,
                 row->name);
    act_draw_right(canvas, rect, line, rect.columns - 1, ACT_LOOK_VALUE, value);
    if (focused) {
        act_draw_look(
            canvas,
            act_rect_clip(rect, (struct act_rect){rect.row + line, rect.column, 1, rect.columns}),
            ACT_LOOK_FOCUS);
        canvas->cursor_row = rect.row + line;
        canvas->cursor_column = rect.column;
    }
}

static void draw_outline(struct act_explain_view *view, struct act_canvas *canvas,
                         struct act_rect rect, const struct act_sheets *sheets)
{
    if (rect.rows <= 0)
        return;
    if (view->cursor < view->top)
        view->top = view->cursor;
    if (view->cursor >= view->top + rect.rows)
        view->top = view->cursor - rect.rows + 1;
    if (view->top > 0 && view->count - view->top < rect.rows)
        view->top = view->count > rect.rows ? view->count - rect.rows : 0;
    for (int i = view->top; i < view->count && i < view->top + rect.rows; i++)
        draw_row(view, canvas, rect, sheets, i);
}

/* A word in the margin, and what it is about behind it. */
static void draw_item(struct act_page *page, const char *word, enum act_look look, const char *text)
{
    enum { MARGIN = 9 };

    act_page_line(page, 0, ACT_LOOK_DIM, word);
    act_page_paragraph(page, MARGIN, look, text);
}

static void draw_uses(struct act_page *page, const struct act_sheets *sheets,
                      const struct act_explanation *text)
{
    for (int i = 0; i < text->uses; i++) {
        const struct act_use *use = &text->use[i];
        char value[48];
        act_term_format_in(sheets->decimal_sizes, use->value, use->unit, value, sizeof value);
        int row = page->row - page->scroll;
        act_page_line(page, 2, ACT_LOOK_TEXT, use->symbol);
        if (row >= 0 && row < page->rect.rows)
            act_draw_right(page->canvas, page->rect, row, 2 + NAME + VALUE, ACT_LOOK_VALUE, value);
        bool beside = page->rect.columns >= 2 + NAME + VALUE + 2 + MEANING_LEAST;
        if (!beside)
            page->row++;
        act_page_paragraph(page, beside ? 2 + NAME + VALUE + 2 : 4, ACT_LOOK_DIM, use->meaning);
    }
}

static void draw_chapter(struct act_page *page, const struct act_plan *plan,
                         const struct act_sheets *sheets, struct act_term term)
{
    struct act_chapter line[ACT_CHAPTER_MAX];
    enum act_notation notation = page->canvas->ascii ? ACT_NOTATION_ASCII : ACT_NOTATION_UTF8;
    int count = act_explain_chapter(plan, sheets, term, notation, line);

    for (int i = 0; i < count; i++) {
        char gb[48], gib[48], text[320];
        act_quantity_format(line[i].bytes, ACT_UNIT_BYTES, ACT_STYLE_SHORT_GB, gb, sizeof gb);
        act_term_format(line[i].bytes, ACT_TERM_BYTES, gib, sizeof gib);
        page->row++;
        snprintf(text, sizeof text, "%s (%s)  %s%s", gb, gib, line[i].meaning,
                 line[i].in_use ? "; the form in use" : "");
        draw_item(page, "textbook", line[i].in_use ? ACT_LOOK_VALUE : ACT_LOOK_TEXT, text);
        if (line[i].formula[0] != '\0') {
            draw_item(page, "      =", ACT_LOOK_DIM, line[i].formula);
            draw_item(page, "      =", ACT_LOOK_DIM, line[i].numbers);
        }
        if (line[i].note[0] != '\0')
            draw_item(page, "", ACT_LOOK_DIM, line[i].note);
    }
}

static void draw_text(struct act_explain_view *view, struct act_canvas *canvas,
                      struct act_rect rect, const struct act_tab *tab,
                      const struct act_sheets *sheets)
{
    const struct act_outline_row *row = &view->row[view->cursor];
    struct act_page page = {.canvas = canvas, .rect = rect, .scroll = view->scroll};
    struct act_explanation text;
    char value[48], head[96];

    act_explain(sheets, row->term, canvas->ascii ? ACT_NOTATION_ASCII : ACT_NOTATION_UTF8, &text);
    act_term_format_in(sheets->decimal_sizes, text.value, text.unit, value, sizeof value);
    int length = snprintf(head, sizeof head, "%s  %s", row->name, value);
    if (text.error > 0)
        snprintf(head + length, sizeof head - (size_t)length, " ±%.0f %%", 100 * text.error);
    act_page_paragraph(&page, 0, ACT_LOOK_VALUE, head);
    act_page_paragraph(&page, 0, ACT_LOOK_TEXT, text.meaning);
    page.row++;
    if (text.given) {
        act_page_paragraph(&page, 0, ACT_LOOK_DIM,
                           "put in: a field of the plan, or counted from the fields");
    } else {
        draw_item(&page, "formula", ACT_LOOK_VALUE, text.formula);
        draw_item(&page, "numbers", ACT_LOOK_VALUE, text.numbers);
        draw_item(&page, "source", ACT_LOOK_TEXT, text.source);
        page.row++;
        draw_uses(&page, sheets, &text);
        draw_chapter(&page, &tab->plan, sheets, row->term);
    }
    view->lines = page.row;
    view->page = rect.rows;
    /* A larger screen, or a shorter text, leaves less to scroll. */
    int most = view->lines > view->page ? view->lines - view->page : 0;
    if (view->scroll > most) {
        view->scroll = most;
        act_draw_fill(canvas, rect, ' ', ACT_LOOK_TEXT);
        draw_text(view, canvas, rect, tab, sheets);
    }
}

static void draw_head(const struct act_explain_view *view, struct act_canvas *canvas,
                      struct act_rect rect, const struct act_tab *tab)
{
    const struct act_memory *memory = &tab->result.memory;
    bool wide = rect.columns >= 50;
    int column = act_draw_text(canvas, rect, 0, 1, ACT_LOOK_HEADING,
                               wide ? "WHERE IT COMES FROM" : "EXPLAIN");

    column = act_draw_format(canvas, rect, 0, column + 2, ACT_LOOK_VALUE, "stage %d", view->stage);
    if (wide)
        column =
            act_draw_format(canvas, rect, 0, column + 1, ACT_LOOK_DIM, "of %d%s · peak in %s",
                            memory->stages, view->stage == memory->worst ? ", the fullest" : "",
                            act_phase_name(memory->stage[view->stage].phase));
    if (column + 2 + act_text_columns(canvas, tab->plan.scenario.name) < rect.columns)
        act_draw_right(canvas, rect, 0, rect.columns - 1, ACT_LOOK_DIM, tab->plan.scenario.name);
}

static void draw_foot(const struct act_explain_view *view, struct act_canvas *canvas,
                      struct act_rect rect, const struct act_tab *tab)
{
    const struct {
        const char *keys, *what;
        bool shown;
    } hints[] = {
        {"↑ ↓", "figure", rect.columns >= 60},
        {"→ ←", "open, close", rect.columns >= 60},
        {"→ ←", "open", rect.columns < 60},
        {"PgDn", "more", view->lines > view->page},
        {"[ ]", "stage", tab->result.memory.stages > 1},
        {"Esc", "leave", true},
    };
    int column = 1;

    for (size_t i = 0; i < sizeof hints / sizeof *hints; i++) {
        int width =
            act_text_columns(canvas, hints[i].keys) + 1 + act_text_columns(canvas, hints[i].what);
        if (!hints[i].shown || column + width >= rect.columns)
            continue;
        int key = act_key_named(hints[i].keys, strlen(hints[i].keys));
        if (key != ACT_KEY_NONE)
            act_canvas_hit(canvas, rect.row, column, width, ACT_HIT_KEY, key);
        column = act_draw_text(canvas, rect, 0, column, ACT_LOOK_KEY, hints[i].keys);
        column = act_draw_text(canvas, rect, 0, column + 1, ACT_LOOK_DIM, hints[i].what) + 2;
    }
}

void act_explain_draw(struct act_explain_view *view, struct act_canvas *canvas,
                      const struct act_tab *tab)
{
    struct act_rect all = act_canvas_rect(canvas), outline, text;
    struct act_sheets sheets;

    act_sheets_of(&tab->plan, view->stage, &sheets);
    canvas->cursor_row = canvas->cursor_column = 0;
    if (all.rows < 4) {
        outline = (struct act_rect){0, 0, 1, all.columns};
        draw_outline(view, canvas, outline, &sheets);
        return;
    }
    int body = all.rows - 2;
    if (all.columns < STACKED_BELOW || canvas->plain) { /* ears take one thing after the other */
        int upper = body > 12 ? body / 2 - 1 : body / 2;
        outline = (struct act_rect){1, 0, upper, all.columns};
        text = (struct act_rect){2 + upper, 1, body - upper - 1, all.columns - 2};
        for (int i = 0; i < all.columns; i++)
            act_draw_text(canvas, all, 1 + upper, i, ACT_LOOK_RULE, "─");
    } else {
        int width = all.columns / 3 < OUTLINE        ? OUTLINE
                    : all.columns / 3 > OUTLINE_MOST ? OUTLINE_MOST
                                                     : all.columns / 3;
        outline = (struct act_rect){2, 0, body - 1, width};
        text = (struct act_rect){2, width + 3, body - 1, all.columns - width - 4};
        if (text.columns > 110)
            text.columns = 110;
        for (int i = 2; i < all.rows - 1; i++)
            act_draw_text(canvas, all, i, width + 1, ACT_LOOK_RULE, "│");
    }
    draw_outline(view, canvas, outline, &sheets);
    draw_text(view, canvas, text, tab, &sheets);
    draw_head(view, canvas, (struct act_rect){0, 0, 1, all.columns}, tab);
    draw_foot(view, canvas, (struct act_rect){all.rows - 1, 0, 1, all.columns}, tab);
}

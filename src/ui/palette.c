#include "ui/palette.h"
#include "session/action.h"
#include <actuary/field.h>
#include <stdio.h>
#include <string.h>

bool act_palette_open(struct act_palette_view *view, const struct act_desk *desk)
{
    if (!act_palette_make(desk, &view->palette))
        return false;
    act_edit_start(&view->line, "", ACT_COMMAND_MAX - 1);
    view->recent_at = view->recent_count;
    act_palette_typed(view);
    return true;
}

void act_palette_close(struct act_palette_view *view)
{
    act_palette_free(&view->palette);
}

/* What a command comes to, in words. */
static void describe(const struct act_desk *desk, const struct act_command *command, char *out,
                     size_t size)
{
    const struct act_tab *tab = desk->tab[desk->current];
    const struct act_field *field = act_field(command->field);
    struct act_plan plan;
    double held;
    char was[48], now[48], why[200];
    switch (command->kind) {
    case ACT_COMMAND_SET:
        if (act_desk_try(desk, tab, field->id, 0, command->text, &plan, &held, why, sizeof why) !=
            0) {
            snprintf(out, size, "%s: %s", field->label, why);
            return;
        }
        act_field_text(&tab->plan, field->id, ACT_STYLE_FILE, was, sizeof was);
        act_field_text(&plan, field->id, ACT_STYLE_FILE, now, sizeof now);
        snprintf(out, size, "%s %s → %s", field->label, was, now);
        break;
    case ACT_COMMAND_FOCUS:
        snprintf(out, size, "go to %s, or type a value behind it", field->label);
        break;
    case ACT_COMMAND_RESET:
        snprintf(out, size, "%s back to its default",
                 act_field(command->has_field ? command->field : tab->focus)->label);
        break;
    case ACT_COMMAND_OPEN:
        snprintf(out, size, "open %.120s", command->text);
        break;
    case ACT_COMMAND_SAVE:
        snprintf(out, size, "save%s%.120s", command->text[0] != '\0' ? " " : "", command->text);
        break;
    case ACT_COMMAND_TAB:
        snprintf(out, size, "go to scenario %d", command->tab + 1);
        break;
    case ACT_COMMAND_CLOSE:
        snprintf(out, size, "close this scenario");
        break;
    case ACT_COMMAND_ACTION:
        snprintf(out, size, "%s%s%s", act_action(command->action)->help,
                 command->has_field ? " On " : "", command->has_field ? field->label : "");
        break;
    default:
        out[0] = '\0';
        break;
    }
}

static void to_line(struct act_palette_view *view)
{
    view->chosen = false;
    view->cursor = view->scroll = 0;
}

/* Ranking takes milliseconds, so keys that come in a burst leave it to the frame they end in. With
 * nothing shown, a click meant for the list that was is not taken for one of the list to come. */
void act_palette_typed(struct act_palette_view *view)
{
    to_line(view);
    view->valid = view->best = false;
    view->preview[0] = '\0';
    view->palette.shown = 0;
    view->stale = true;
}

void act_palette_ready(struct act_palette_view *view, const struct act_desk *desk)
{
    struct act_command command;
    char first[ACT_COMMAND_MAX + 1] = "", name[ACT_COMMAND_MAX + 1];
    const char *line = view->line.text;
    if (!view->stale)
        return;
    view->stale = false;
    act_command_next(&line, first);
    view->valid =
        act_command_parse(desk, first, &command, view->preview, sizeof view->preview) == 0;
    if (view->valid)
        describe(desk, &command, view->preview, sizeof view->preview);
    if (*line != '\0') {
        size_t length = strlen(view->preview);
        snprintf(view->preview + length, sizeof view->preview - length, "; and more");
    }
    act_palette_filter(&view->palette, first);
    if (view->palette.shown > 0 && !view->valid) { /* Enter takes the one that fits best */
        view->best = true;
        describe(desk, &act_palette_current(view)->command, view->preview, sizeof view->preview);
    }
    if (view->palette.shown > 0)
        return;
    /* With a value behind it the line itself fits nothing: its name still does. */
    const char *at = first + strspn(first, " :");
    if (strncmp(at, "set ", 4) == 0)
        at += 4;
    snprintf(name, sizeof name, "%.*s", (int)strcspn(at, " ="), at);
    if (name[0] != '\0')
        act_palette_filter(&view->palette, name);
}

static void move(struct act_palette_view *view, int by)
{
    int at = view->cursor + by, last = view->palette.shown - 1;
    view->cursor = at > last ? last : at;
    if (view->cursor < 0)
        view->cursor = 0;
    view->chosen = view->palette.shown > 0;
}

/* Another of the recent lines into the edit. */
static void recall(struct act_palette_view *view, int by)
{
    int at = view->recent_at + by;
    if (at < 0 || at > view->recent_count)
        return;
    act_edit_start(&view->line, at < view->recent_count ? view->recent[at] : "",
                   ACT_COMMAND_MAX - 1);
    act_palette_typed(view);
    view->recent_at = at;
}

/* Keys that change nothing, as one beyond the limit of the line, rank nothing. */
static bool edit_key(struct act_palette_view *view, int key)
{
    char before[ACT_EDIT_MAX];
    memcpy(before, view->line.text, view->line.size + 1);
    if (!act_edit_key(&view->line, key))
        return false;
    view->recent_at = view->recent_count;
    if (strcmp(before, view->line.text) != 0)
        act_palette_typed(view);
    else
        to_line(view);
    return true;
}

bool act_palette_key(struct act_palette_view *view, const struct act_desk *desk, int key)
{
    bool recalling = view->recent_at < view->recent_count;
    int page = view->page > 1 ? view->page - 1 : 1;
    if (edit_key(view, key))
        return true;
    act_palette_ready(view, desk);
    switch (key) {
    case ACT_KEY_UP: /* above the list stand the lines typed before */
        if (!view->chosen && (recalling || view->line.size == 0 || view->cursor == 0))
            recall(view, -1);
        else if (view->cursor == 0)
            view->chosen = false;
        else
            move(view, -1);
        return true;
    case ACT_KEY_DOWN:
        if (!view->chosen && recalling)
            recall(view, 1);
        else /* from the line onto its first entry, unless that is taken already */
            move(view, view->chosen || view->best ? 1 : 0);
        return true;
    case ACT_KEY_TAB:
        move(view, view->chosen || view->best ? 1 : 0);
        return true;
    case ACT_KEY_BACK_TAB:
        move(view, -1);
        return true;
    case ACT_KEY_PAGE_UP:
        move(view, -page);
        return true;
    case ACT_KEY_PAGE_DOWN:
        move(view, page);
        return true;
    default:
        return false;
    }
}

const struct act_entry *act_palette_current(struct act_palette_view *view)
{
    if (view->palette.shown == 0)
        return NULL;
    return act_palette_entry(&view->palette, view->cursor);
}

void act_palette_remember(struct act_palette_view *view, const char *line)
{
    bool again = view->recent_count > 0 && strcmp(view->recent[view->recent_count - 1], line) == 0;
    if (line[0] == '\0' || again)
        return;
    if (view->recent_count == ACT_RECENT_MAX) {
        memmove(view->recent, view->recent + 1, sizeof view->recent - sizeof view->recent[0]);
        view->recent_count--;
    }
    snprintf(view->recent[view->recent_count++], ACT_COMMAND_MAX, "%s", line);
}

static void draw_entry(struct act_canvas *canvas, struct act_rect line,
                       const struct act_entry *entry, bool focused)
{
    enum { KEY = 11, VALUE = 16 };
    enum act_look look = focused ? ACT_LOOK_FOCUS : ACT_LOOK_TEXT;
    enum act_look dim = focused ? ACT_LOOK_FOCUS_DIM : ACT_LOOK_DIM;
    bool wide = line.columns >= 100, helps = line.columns >= 56;
    int end = line.columns - 1;
    int name = wide ? 34 : helps ? 26 : end - 2 - KEY;
    if (focused)
        act_draw_fill(canvas, line, ' ', ACT_LOOK_FOCUS);
    act_draw_text(canvas, line, 0, 0, look, focused ? "▸" : " ");
    int column = act_draw_cut(canvas, line, 0, 2, name - 3, look, entry->name);
    int value = act_text_columns(canvas, entry->value);
    if (wide && value > 0 && column + value + 2 <= name + VALUE)
        act_draw_right(canvas, line, 0, name + VALUE, focused ? look : ACT_LOOK_VALUE,
                       entry->value);
    int help = wide ? name + VALUE + 2 : name;
    if (helps)
        act_draw_cut(canvas, line, 0, help, end - KEY - help, dim, entry->help);
    act_draw_right(canvas, line, 0, end, focused ? look : ACT_LOOK_KEY, entry->key);
}

void act_palette_draw(struct act_palette_view *view, struct act_canvas *canvas,
                      const struct act_desk *desk)
{
    int most = canvas->rows - 4;
    int top = canvas->rows >= 28 ? 4 : canvas->rows >= 16 ? 3 : 0; /* below the verdict */
    struct act_rect box = {top, 0, most, canvas->columns};
    canvas->hits = 0;
    act_palette_ready(view, desk);
    if (canvas->columns < 16 || most < 4) { /* no room for a box: the line alone */
        struct act_rect line = {canvas->rows - 1, 0, 1, canvas->columns};
        act_draw_fill(canvas, line, ' ', ACT_LOOK_TEXT);
        int column = act_draw_text(canvas, line, 0, 0, ACT_LOOK_VALUE, ":");
        act_edit_draw(&view->line, canvas, line, 0, column, line.columns - column);
        view->page = 1;
        return;
    }
    if (box.row + box.rows > canvas->rows - 2)
        box.rows = canvas->rows - 2 - box.row;
    struct act_rect inner = {box.row + 1, 2, box.rows - 2,
                             box.columns - 4 > 116 ? 116 : box.columns - 4};
    act_draw_frame(canvas, box);
    act_draw_text(canvas, box, 0, 2, ACT_LOOK_HEADING, " command ");
    int column = act_draw_text(canvas, inner, 0, 0, ACT_LOOK_VALUE, ": ");
    int width = inner.columns >= 70 ? 34 : inner.columns - column;
    act_edit_draw(&view->line, canvas, inner, 0, column, width);
    int below = 0; /* what the line would do stands beside it, or below where that is narrow */
    if (inner.columns < 70 && inner.rows >= 5)
        below = 1;
    struct act_rect preview = {inner.row + below, inner.column, 1, inner.columns};
    int at = below > 0 ? 0 : column + width + 2;
    bool empty = view->line.size == 0;
    act_draw_cut(canvas, preview, 0, at, inner.columns - at,
                 empty || view->chosen       ? ACT_LOOK_DIM
                 : view->valid || view->best ? ACT_LOOK_VALUE
                                             : ACT_LOOK_WARN,
                 empty ? "a name, or a field and its value: tp 8" : view->preview);
    view->page = inner.rows - 1 - below;
    if (view->cursor < view->scroll)
        view->scroll = view->cursor;
    if (view->cursor >= view->scroll + view->page)
        view->scroll = view->cursor - view->page + 1;
    if (view->palette.shown == 0)
        act_draw_text(canvas, inner, 1 + below, 0, ACT_LOOK_DIM, "nothing of that name");
    for (int i = 0; i < view->page && view->scroll + i < view->palette.shown; i++) {
        int index = view->scroll + i;
        struct act_rect line = {inner.row + 1 + below + i, inner.column, 1, inner.columns};
        draw_entry(canvas, line, act_palette_entry(&view->palette, index),
                   index == view->cursor && (view->chosen || view->best));
        act_canvas_hit(canvas, line.row, line.column, line.columns, ACT_HIT_ENTRY, index);
    }
    char count[32];
    snprintf(count, sizeof count, " %d of %d ", view->palette.shown, view->palette.count);
    act_draw_right(canvas, box, box.rows - 1, box.columns - 2, ACT_LOOK_DIM, count);
}

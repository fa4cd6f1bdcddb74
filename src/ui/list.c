#include "ui/list.h"
#include "core/letters.h"
#include "io/presets.h"
#include "io/scenario.h"
#include "session/keep.h"
#include "ui/figure.h"
#include <actuary/field.h>
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

enum { FILES_MAX = 500 };

static bool prepare(struct act_list_view *list)
{
    act_edit_start(&list->filter, "", 200);
    list->shown = calloc((size_t)list->choices.count + 1, sizeof *list->shown);
    if (list->shown == NULL)
        return false;
    act_list_refilter(list);
    for (int i = 0; i < list->count; i++) {
        if (list->choices.choice[list->shown[i]].now)
            list->cursor = i;
    }
    return true;
}

bool act_list_field(struct act_list_view *list, const struct act_desk *desk,
                    enum act_field_id field)
{
    *list = (struct act_list_view){.kind = ACT_LIST_FIELD};
    if (!act_choices_make(desk, field, &list->choices))
        return false;
    if (list->choices.count == 0 || !prepare(list)) {
        act_list_free(list);
        return false;
    }
    return true;
}

static bool add_scenario(struct act_choices *choices, const char *text, const char *note)
{
    struct act_choice *grown =
        realloc(choices->choice, ((size_t)choices->count + 1) * sizeof *grown);
    if (grown == NULL)
        return false;
    choices->choice = grown;
    struct act_choice *choice = &grown[choices->count++];
    memset(choice, 0, sizeof *choice);
    snprintf(choice->text, sizeof choice->text, "%s", text);
    snprintf(choice->note, sizeof choice->note, "%s", note);
    return true;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(((const struct act_choice *)a)->text, ((const struct act_choice *)b)->text);
}

static bool is_yaml(const char *name)
{
    size_t length = strlen(name);
    return name[0] != '.' && length < ACT_CHOICE_TEXT &&
           ((length > 5 && strcmp(name + length - 5, ".yaml") == 0) ||
            (length > 4 && strcmp(name + length - 4, ".yml") == 0));
}

/* "unsaved, kept 15:04", or the day of an earlier one: kept work is no file of the user's. */
static void kept_label(const char *path, char *out, size_t size)
{
    struct stat info;
    struct tm at, now;
    time_t today = time(NULL);

    snprintf(out, size, "unsaved, kept");
    if (stat(path, &info) != 0 || localtime_r(&info.st_mtime, &at) == NULL ||
        localtime_r(&today, &now) == NULL)
        return;
    bool same_day = at.tm_year == now.tm_year && at.tm_yday == now.tm_yday;
    snprintf(out, size, same_day ? "unsaved, kept %02d:%02d" : "unsaved, kept %02d-%02d",
             same_day ? at.tm_hour : at.tm_mon + 1, same_day ? at.tm_min : at.tm_mday);
}

/* Kept work, by its path: long ones cannot be listed, but typed. */
static bool add_kept(void *context, const char *path)
{
    struct act_choices *choices = context;

    if (strlen(path) >= ACT_CHOICE_TEXT)
        return true;
    if (!add_scenario(choices, path, "kept"))
        return false;
    struct act_choice *choice = &choices->choice[choices->count - 1];
    kept_label(path, choice->label, sizeof choice->label);
    return true;
}

bool act_list_scenarios(struct act_list_view *list, bool only_presets)
{
    *list = (struct act_list_view){.kind = ACT_LIST_OPEN};
    for (int i = 0; i < act_preset_count(ACT_SCENARIOS); i++) {
        if (!add_scenario(&list->choices, act_preset_name(ACT_SCENARIOS, i), "preset")) {
            act_list_free(list);
            return false;
        }
    }
    int presets = list->choices.count;
    DIR *folder = only_presets ? NULL : opendir(".");
    if (folder != NULL) {
        struct dirent *entry;
        while ((entry = readdir(folder)) != NULL && list->choices.count - presets < FILES_MAX) {
            if (is_yaml(entry->d_name) && !add_scenario(&list->choices, entry->d_name, "file"))
                break;
        }
        closedir(folder);
    }
    if (list->choices.count > presets)
        qsort(list->choices.choice + presets, (size_t)(list->choices.count - presets),
              sizeof(struct act_choice), by_text);
    if (!only_presets)
        act_keep_list(add_kept, &list->choices);
    if (!prepare(list)) {
        act_list_free(list);
        return false;
    }
    return true;
}

void act_list_free(struct act_list_view *list)
{
    act_choices_free(&list->choices);
    free(list->shown);
    list->shown = NULL;
    list->count = 0;
}

/* Do the words of the filter all stand in the text? Letter case does not matter. */
static bool matches(const char *text, const char *filter)
{
    while (*filter != '\0') {
        filter += strspn(filter, " ");
        size_t length = strcspn(filter, " ");
        if (!act_contains_letters(text, filter, length))
            return false;
        filter += length;
    }
    return true;
}

void act_list_refilter(struct act_list_view *list)
{
    list->count = 0;
    for (int i = 0; i < list->choices.count; i++) {
        if (matches(list->choices.choice[i].text, list->filter.text))
            list->shown[list->count++] = i;
    }
    list->cursor = list->scroll = 0;
    for (int i = 0; i < list->count; i++) { /* what is typed in full comes first under the cursor */
        if (strcmp(list->choices.choice[list->shown[i]].text, list->filter.text) == 0)
            list->cursor = i;
    }
}

void act_list_move(struct act_list_view *list, int by)
{
    int at = list->cursor + by;
    list->cursor = at < 0 ? 0 : at >= list->count ? list->count - 1 : at;
    if (list->cursor < 0)
        list->cursor = 0;
}

static void try_entry(struct act_list_view *list, const struct act_desk *desk, int index)
{
    struct act_choice *choice = &list->choices.choice[index];
    if (list->kind == ACT_LIST_FIELD) {
        act_choices_try(desk, &list->choices, index);
        return;
    }
    if (choice->tried)
        return;
    struct act_problems problems;
    struct act_plan plan;
    act_problems_init(&problems, choice->text);
    choice->tried = true;
    if (act_scenario_open(choice->text, &plan, NULL, &problems) != 0) {
        choice->refused = true;
        if (problems.count > 0 && strcmp(problems.problem[0].key, "kind") == 0) {
            snprintf(choice->note, sizeof choice->note, "a session: opens its scenarios");
            return;
        }
        snprintf(choice->note, sizeof choice->note, "%.*s", ACT_CHOICE_TEXT - 1,
                 problems.count > 0 ? problems.problem[0].text : "cannot be read");
        return;
    }
    act_desk_summarise(&plan, HUGE_VAL, &choice->summary);
    snprintf(choice->note, sizeof choice->note, "%.*s", ACT_CHOICE_TEXT - 1, plan.scenario.name);
}

struct act_choice *act_list_current(struct act_list_view *list, const struct act_desk *desk)
{
    return list->count == 0 ? NULL : act_list_entry(list, desk, list->cursor);
}

struct act_choice *act_list_entry(struct act_list_view *list, const struct act_desk *desk,
                                  int index)
{
    try_entry(list, desk, list->shown[index]);
    return &list->choices.choice[list->shown[index]];
}

static void draw_entry(struct act_canvas *canvas, struct act_rect line,
                       const struct act_choice *choice, const char *currency, bool focused)
{
    bool figures = line.columns >= 52;
    int name = line.columns >= 90 ? 30 : figures ? 22 : line.columns - 2;
    enum act_look look = focused ? ACT_LOOK_FOCUS : ACT_LOOK_TEXT;
    enum act_look dim = focused ? ACT_LOOK_FOCUS_DIM : ACT_LOOK_DIM;
    if (focused)
        act_draw_fill(canvas, line, ' ', ACT_LOOK_FOCUS);
    act_draw_text(canvas, line, 0, 0, look, focused ? "▸" : choice->now ? "·" : " ");
    act_draw_cut(canvas, line, 0, 2, name - 2, look,
                 choice->label[0] != '\0' ? choice->label : choice->text);
    if (!figures)
        return;
    if (choice->refused) {
        act_draw_cut(canvas, line, 0, name + 1, line.columns - name - 2, dim, choice->note);
        return;
    }
    const struct act_summary *summary = &choice->summary;
    char text[96];
    int column = line.columns;
    const char *word = summary->fit == ACT_DOES_NOT_FIT ? "✗ no fit"
                       : summary->fit == ACT_TIGHT      ? "! tight"
                                                        : "✓ fits";
    enum act_look good = summary->fit == ACT_DOES_NOT_FIT ? ACT_LOOK_BAD
                         : summary->fit == ACT_TIGHT      ? ACT_LOOK_WARN
                                                          : ACT_LOOK_GOOD;
    const char *note = choice->note;
    if (summary->note[0] != '\0' && summary->fit != ACT_DOES_NOT_FIT) {
        word = "! check";
        good = ACT_LOOK_WARN;
        note = summary->note;
    }
    act_draw_text(canvas, line, 0, column - 9, focused ? look : good, word);
    if (summary->priced)
        act_figure_money(summary->cost, currency, text, sizeof text);
    else
        snprintf(text, sizeof text, "–");
    act_draw_right(canvas, line, 0, column - 10, look, text);
    act_figure_days(summary->days, text, sizeof text);
    act_draw_right(canvas, line, 0, column - 23, look, text);
    act_figure_gib(summary->peak, text, sizeof text);
    act_draw_right(canvas, line, 0, column - 32, look, text);
    if (column - 42 > name + 1)
        act_draw_cut(canvas, line, 0, name + 1, column - 42 - name - 1, dim, note);
}

void act_list_draw(struct act_list_view *list, struct act_canvas *canvas,
                   const struct act_desk *desk)
{
    int columns = canvas->columns;
    int most = canvas->rows - 6;
    canvas->hits = 0;               /* what lies below is out of reach */
    if (columns < 16 || most < 4) { /* no room for a box: one line */
        struct act_choice *choice = act_list_current(list, desk);
        struct act_rect line = {canvas->rows - 1, 0, 1, canvas->columns};
        act_draw_fill(canvas, line, ' ', ACT_LOOK_FOCUS);
        act_draw_text(canvas, line, 0, 0, ACT_LOOK_FOCUS,
                      choice != NULL ? choice->text : list->filter.text);
        return;
    }
    struct act_rect box = {canvas->rows >= 28 ? 4 : canvas->rows >= 16 ? 3 : 2, 0, most, columns};
    if (box.row + box.rows > canvas->rows - 2)
        box.rows = canvas->rows - 2 - box.row;
    struct act_rect inner = {box.row + 1, box.column + 2, box.rows - 2,
                             box.columns - 4 > 116 ? 116 : box.columns - 4};
    act_draw_frame(canvas, box);
    const char *title =
        list->kind == ACT_LIST_OPEN ? "open" : act_field(list->choices.field)->label;
    int after = act_draw_format(canvas, box, 0, 2, ACT_LOOK_HEADING, " %s ", title);
    const struct act_plan *plan = &desk->tab[desk->current]->plan;
    if (list->kind == ACT_LIST_FIELD && list->choices.field == ACT_F_hardware_preset &&
        plan->cost.basis == ACT_RENT && act_plan_given(plan, ACT_F_cost_price_per_gpu_hour)) {
        char price[64];
        act_figure_money(plan->cost.price_per_gpu_hour, plan->cost.currency, price, sizeof price);
        act_draw_format(canvas, box, 0, after, ACT_LOOK_DIM, " cost at your %s a GPU-hour ", price);
    }
    int column = act_draw_text(canvas, inner, 0, 0, ACT_LOOK_DIM, "filter ");
    act_edit_draw(&list->filter, canvas, inner, 0, column,
                  inner.columns >= 60 ? 20 : inner.columns - column);
    if (inner.columns >= 52) {
        act_draw_right(canvas, inner, 0, inner.columns - 32, ACT_LOOK_DIM, act_figure_unit());
        act_draw_right(canvas, inner, 0, inner.columns - 23, ACT_LOOK_DIM, "days");
        act_draw_right(canvas, inner, 0, inner.columns - 10, ACT_LOOK_DIM, "cost");
    }
    list->page = inner.rows - 1;
    if (list->cursor < list->scroll)
        list->scroll = list->cursor;
    if (list->cursor >= list->scroll + list->page)
        list->scroll = list->cursor - list->page + 1;
    if (list->count == 0)
        act_draw_text(canvas, inner, 1, 0, ACT_LOOK_DIM,
                      list->kind == ACT_LIST_OPEN
                          ? "no such scenario here; Enter opens it as a path"
                          : "nothing matches; Backspace widens");
    for (int i = 0; i < list->page && list->scroll + i < list->count; i++) {
        int index = list->shown[list->scroll + i];
        struct act_rect line = {inner.row + 1 + i, inner.column, 1, inner.columns};
        try_entry(list, desk, index);
        act_canvas_hit(canvas, line.row, line.column, line.columns, ACT_HIT_ENTRY,
                       list->scroll + i);
        draw_entry(canvas, line, &list->choices.choice[index], plan->cost.currency,
                   list->scroll + i == list->cursor);
    }
    char count[32];
    snprintf(count, sizeof count, " %d of %d ", list->count, list->choices.count);
    act_draw_right(canvas, box, box.rows - 1, box.columns - 2, ACT_LOOK_DIM, count);
}

/* Keys of WHAT IT TAKES. */
#include "ui/takes.h"

#include "session/action.h"
#include <actuary/field.h>
#include <actuary/units.h>
#include <stdio.h>

enum { CTRL_C = 3, DAYS_TEXT = 32 };

void act_takes_open(struct act_takes_view *view, const struct act_tab *tab)
{
    view->cursor = view->top = 0;
    view->typing = false;
    act_takes_start(&view->takes, tab);
    /* The change that helps most, when there is one to look for. */
    if (view->takes.answers.advices.now.fit == ACT_DOES_NOT_FIT &&
        view->takes.answers.advices.count > 0)
        view->cursor = 1;
}

/* Tries what is typed: a valid deadline is answered at once. */
static void try_days(struct act_takes_view *view)
{
    const struct act_field *field = act_field(ACT_F_training_deadline_days);
    double days;

    view->problem[0] = '\0';
    if (view->edit.size == 0) {
        snprintf(view->problem, sizeof view->problem, "type a number of days");
    } else if (act_quantity_parse(view->edit.text, ACT_UNIT_DAYS, ACT_PARSE_ARITHMETIC, &days,
                                  view->problem, sizeof view->problem) == 0) {
        if (days < field->min || days > field->max)
            snprintf(view->problem, sizeof view->problem, "a deadline is 0.001 to 100000 days");
        else
            act_takes_set_days(&view->takes, days);
    }
}

static bool typing_key(struct act_takes_view *view, int key)
{
    if (key == ACT_KEY_ESC || key == CTRL_C) {
        act_takes_set_days(&view->takes, view->before);
        view->typing = false;
    } else if (key == ACT_KEY_ENTER) {
        view->typing = view->problem[0] != '\0';
    } else if (act_edit_key(&view->edit, key)) {
        try_days(view);
    }
    return true;
}

static void move(struct act_takes_view *view, int to)
{
    int last = act_takes_count(&view->takes) - 1;

    view->cursor = to < 0 ? 0 : to > last ? last : to;
}

static void run(struct act_desk *desk, enum act_action_id id, int64_t now_ms)
{
    act_action(id)->run(desk, now_ms);
}

/* Halves or doubles the deadline, or steps to the next round number. */
static void change_days(struct act_takes_view *view, int direction, bool scale)
{
    struct act_plan plan;
    double days;

    act_plan_init(&plan);
    act_field_set_number(&plan, ACT_F_training_deadline_days, view->takes.deadline.days);
    if (scale ? act_field_scale(&plan, ACT_F_training_deadline_days, direction, &days)
              : act_field_step(&plan, ACT_F_training_deadline_days, direction, &days))
        act_takes_set_days(&view->takes, days);
}

static bool answer_key(struct act_takes_view *view, struct act_desk *desk, int key, int64_t now_ms)
{
    int page = view->page > 1 ? view->page - 1 : 1;

    switch (key) {
    case ACT_KEY_UP:
    case 'k':
        move(view, view->cursor - 1);
        return true;
    case ACT_KEY_DOWN:
    case 'j':
        move(view, view->cursor + 1);
        return true;
    case ACT_KEY_PAGE_UP:
        move(view, view->cursor - page);
        return true;
    case ACT_KEY_PAGE_DOWN:
        move(view, view->cursor + page);
        return true;
    case ACT_KEY_HOME:
    case 'g':
        move(view, 0);
        return true;
    case ACT_KEY_END:
    case 'G':
        move(view, act_takes_count(&view->takes));
        return true;
    case ACT_KEY_ENTER:
        act_takes_make(&view->takes, desk, view->cursor, now_ms);
        return true;
    default:
        return false;
    }
}

static bool question_key(struct act_takes_view *view, int key)
{
    if ((key >= '0' && key <= '9') || key == '.' || key == '(') {
        act_edit_start(&view->edit, "", DAYS_TEXT);
        view->before = view->takes.deadline.days;
        view->typing = true;
        act_edit_key(&view->edit, key);
        try_days(view);
        return true;
    }
    switch (key) {
    case '+':
    case '=':
    case '-':
        change_days(view, key == '-' ? -1 : 1, false);
        return true;
    case '{':
    case '}':
        change_days(view, key == '{' ? -1 : 1, true);
        return true;
    case 's':
        act_takes_next_spare(&view->takes);
        return true;
    case 'r':
        act_takes_next_round(&view->takes);
        return true;
    default:
        return false;
    }
}

bool act_takes_key(struct act_takes_view *view, struct act_desk *desk, int key, int64_t now_ms)
{
    if (view->typing)
        return typing_key(view, key);
    desk->said = ACT_SAY_NOTHING;
    if (answer_key(view, desk, key, now_ms) || question_key(view, key)) {
        /* done */
    } else if (key == 'u') {
        run(desk, ACT_DO_undo, now_ms);
    } else if (key == 'U' || key == ('R' & 0x1f)) {
        run(desk, ACT_DO_redo, now_ms);
    } else if (key == ACT_KEY_ESC || key == CTRL_C || key == 'q' || key == 'y') {
        return false;
    }
    act_takes_update(&view->takes, act_desk_tab(desk));
    move(view, view->cursor);
    return true;
}

bool act_takes_paste(struct act_takes_view *view, const char *text, size_t size)
{
    if (!view->typing)
        return false;
    act_edit_paste(&view->edit, text, size);
    try_days(view);
    return true;
}

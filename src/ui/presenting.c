/* Keys of the pages that are presented, and of the notes typed on them. */
#include "session/action.h"
#include "ui/modes.h"
#include "ui/present.h"

#include <actuary/conclusion.h>
#include <stdio.h>
#include <string.h>

static void turn(struct act_view *view, int to)
{
    int last = view->desk.count - 1;
    view->desk.current = to < 0 ? 0 : to > last ? last : to;
}

/* What the page says now is what is edited. */
static void edit_notes(struct act_view *view)
{
    const struct act_tab *tab = act_desk_tab(&view->desk);
    char sentence[ACT_CONCLUSION_MAX];

    act_present_sentence(tab, sentence, sizeof sentence);
    const char *notes = act_present_notes(tab);
    act_edit_start(&view->edit, notes[0] != '\0' ? notes : sentence,
                   sizeof tab->plan.scenario.notes - 1);
    view->mode = ACT_MODE_NOTES;
}

void act_mode_present_key(struct act_view *view, int key)
{
    int at = view->desk.current;

    view->desk.said = ACT_SAY_NOTHING;
    if (key >= (ACT_KEY_ALT | '1') && key <= (ACT_KEY_ALT | '9')) {
        int to = key - (ACT_KEY_ALT | '1');
        turn(view, to < view->desk.count ? to : at);
        return;
    }
    switch (key) {
    case ACT_KEY_RIGHT:
    case ACT_KEY_DOWN:
    case ACT_KEY_PAGE_DOWN:
    case ' ':
    case 'l':
    case 'j':
    case ']':
        turn(view, at + 1);
        break;
    case ACT_KEY_LEFT:
    case ACT_KEY_UP:
    case ACT_KEY_PAGE_UP:
    case ACT_KEY_BACKSPACE:
    case 'h':
    case 'k':
    case '[':
        turn(view, at - 1);
        break;
    case ACT_KEY_HOME:
    case 'g':
        turn(view, 0);
        break;
    case ACT_KEY_END:
    case 'G':
        turn(view, view->desk.count);
        break;
    case 'e':
    case ACT_KEY_ENTER:
        edit_notes(view);
        break;
    case 'u':
        act_action(ACT_DO_undo)->run(&view->desk, view->now_ms);
        break;
    case 'U':
    case 'R' & 0x1f:
        act_action(ACT_DO_redo)->run(&view->desk, view->now_ms);
        break;
    case 'q':
    case 'P':
    case ACT_KEY_F5:
    case ACT_KEY_ESC:
    case 3:
        view->mode = ACT_MODE_MAIN;
        break;
    default:
        break; /* a stray key ends no talk */
    }
}

/* Our own sentence, kept as it is, stays ours: it follows the figures. */
static void keep_notes(struct act_view *view)
{
    struct act_tab *tab = act_desk_tab(&view->desk);
    char sentence[ACT_CONCLUSION_MAX], why[160];
    struct act_plan plan;
    double held;

    act_present_sentence(tab, sentence, sizeof sentence);
    const char *text = strcmp(view->edit.text, sentence) == 0 ? "" : view->edit.text;
    if (strcmp(text, act_present_notes(tab)) == 0)
        return;
    if (act_desk_try(&view->desk, tab, ACT_F_scenario_notes, 0, text, &plan, &held, why,
                     sizeof why) != 0) {
        act_desk_say(&view->desk, ACT_SAY_ERROR, "notes: %s", why);
        return;
    }
    act_desk_commit_as(&view->desk, &plan, held, "notes", view->now_ms);
    act_desk_say(&view->desk, ACT_SAY_NOTE,
                 text[0] != '\0' ? "notes kept; u takes them back"
                                 : "the conclusion is made of the figures");
}

void act_mode_notes_key(struct act_view *view, int key)
{
    if (key == ACT_KEY_ESC || key == 3) {
        view->mode = ACT_MODE_PRESENT;
    } else if (key == ACT_KEY_ENTER) {
        view->mode = ACT_MODE_PRESENT;
        keep_notes(view);
    } else {
        act_edit_key(&view->edit, key);
    }
}

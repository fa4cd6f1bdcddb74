/* Lines of the palette to what they do, one command after the other. */
#include "session/command.h"
#include "ui/modes.h"
#include <actuary/field.h>
#include <stdio.h>
#include <string.h>

/* A field that the panes do not show by themselves is shown among all. */
static void show_focus(struct act_view *view)
{
    enum act_field_id focus = act_desk_tab(&view->desk)->focus;
    view->filter[0] = '\0';
    act_pane_rows(&act_desk_tab(&view->desk)->plan, view->all_fields, "", focus,
                  view->fields_height, &view->rows);
    int at = act_pane_find(&view->rows, focus);
    if (at < 0 || view->rows.row[at].field != focus)
        view->all_fields = true;
}

/* Carries one out; false when the rest of the line is to be left. */
static bool carry_out(struct act_view *view, const struct act_command *command)
{
    if (command->kind == ACT_COMMAND_SAVE) { /* on the screen what is in doubt is asked */
        if (command->text[0] == '\0')
            act_mode_save(view);
        else
            act_mode_save_to(view, command->text);
    } else if (command->kind == ACT_COMMAND_CLOSE) {
        act_mode_run(view, ACT_DO_close);
    } else if (command->kind == ACT_COMMAND_RESET && !command->has_field) {
        act_mode_run(view, ACT_DO_reset);
    } else {
        switch (act_command_run(&view->desk, command, view->now_ms)) {
        case ACT_DONE_WRONG:
            return false;
        case ACT_DONE_SCREEN:
            show_focus(view);
            act_mode_run(view, command->action);
            break;
        default:
            if (command->has_field)
                show_focus(view);
            if (command->kind == ACT_COMMAND_OPEN || command->kind == ACT_COMMAND_TAB)
                view->scroll = 0;
            break;
        }
    }
    return view->mode == ACT_MODE_MAIN && !view->done && view->desk.said != ACT_SAY_ERROR;
}

static void run_line(struct act_view *view, const char *line)
{
    struct act_command command;
    char one[ACT_COMMAND_MAX + 1], why[256];
    while (act_command_next(&line, one)) {
        if (act_command_parse(&view->desk, one, &command, why, sizeof why) != 0) {
            act_desk_say(&view->desk, ACT_SAY_ERROR, "%s", why);
            return;
        }
        if (!carry_out(view, &command))
            return;
    }
}

static void leave(struct act_view *view)
{
    act_palette_close(&view->palette);
    view->mode = ACT_MODE_MAIN;
}

/* Enter takes what is typed if that is a command, or the entry that was moved to, or else the one
 * that fits best. */
static void enter(struct act_view *view)
{
    struct act_palette_view *palette = &view->palette;
    act_palette_ready(palette, &view->desk);
    const struct act_entry *entry = act_palette_current(palette);
    bool several = strchr(palette->line.text, ';') != NULL;
    bool typed = palette->line.size > 0 && !palette->chosen && (palette->valid || several);
    char line[ACT_COMMAND_MAX];
    if (!typed && (entry == NULL || !(palette->chosen || palette->best)))
        return; /* the line says why, or is empty; Esc leaves */
    view->desk.said = ACT_SAY_NOTHING;
    if (typed) {
        snprintf(line, sizeof line, "%s", palette->line.text);
        leave(view);
        act_palette_remember(palette, line);
        run_line(view, line);
        return;
    }
    struct act_command command = entry->command;
    snprintf(line, sizeof line, "%s", entry->name);
    if (entry->kind == ACT_ENTRY_FIELD)
        snprintf(line, sizeof line, "%s", act_field(command.field)->key);
    leave(view);
    act_palette_remember(palette, line);
    carry_out(view, &command);
}

void act_mode_palette_key(struct act_view *view, int key)
{
    if (key == ACT_KEY_ESC || key == 3)
        leave(view);
    else if (key == ACT_KEY_ENTER)
        enter(view);
    else
        act_palette_key(&view->palette, &view->desk, key);
}

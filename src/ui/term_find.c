#include "ui/term_find.h"
#include <curses.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <term.h>
#include <unistd.h>

static bool speaks_xterm(const char *name)
{
    static const char *const kinds[] = {"xterm",   "screen", "tmux",    "rxvt", "alacritty",
                                        "konsole", "foot",   "wezterm", "st-",  "kitty"};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (strstr(name, kinds[i]) != NULL)
            return true;
    }
    return false;
}

int act_term_find(const char **ret_name, char *why, size_t why_size)
{
    const char *name = getenv("TERM");
    int status = 0;
    if (name == NULL || name[0] == '\0') {
        snprintf(why, why_size,
                 "TERM is not set; set it, for example TERM=xterm-256color, or use actuary plan");
        return -1;
    }
    if (setupterm(name, STDOUT_FILENO, &status) != OK) {
        if (!speaks_xterm(name) || setupterm("xterm-256color", STDOUT_FILENO, &status) != OK) {
            char shown[64];
            size_t at = 0;
            for (; name[at] != '\0' && at < sizeof shown - 1; at++)
                shown[at] = name[at] > ' ' && name[at] < 127 ? name[at] : '?';
            shown[at] = '\0';
            snprintf(why, why_size,
                     "terminal \"%s\" is not known here; try TERM=xterm-256color, or use actuary "
                     "plan",
                     shown);
            return -1;
        }
        name = "xterm-256color";
    }
    if (cursor_address == NULL || clear_screen == NULL) {
        snprintf(
            why, why_size,
            "terminal \"%.40s\" cannot place the cursor; use another terminal, or actuary plan",
            name);
        return -1;
    }
    del_curterm(cur_term); /* newterm reads its own */
    *ret_name = name;
    return 0;
}

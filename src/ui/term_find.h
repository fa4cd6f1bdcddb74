/* Which terminal description to start curses with. */
#ifndef ACTUARY_UI_TERM_FIND_H
#define ACTUARY_UI_TERM_FIND_H

#include <stddef.h>

/* Finds a description that can place the cursor, by TERM. Unknown relatives of xterm ("xterm-new"
 * on an older host) are taken for xterm-256color. 0 with its name, or -1 with a sentence. */
int act_term_find(const char **ret_name, char *why, size_t why_size);

#endif

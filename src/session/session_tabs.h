/* The open tabs as a session file (io/session_file.h): opened like a scenario, saved with an
 * action. Scenarios stay files of their own; a session only names them. */
#ifndef ACTUARY_SESSION_SESSION_TABS_H
#define ACTUARY_SESSION_SESSION_TABS_H

#include "session/desk.h"

/* Opens what the path names: a session's scenarios, all or none, or one scenario as act_desk_open
 * does; one that was closed comes back as it was. 0, or -1 with the desk unchanged and problems
 * filled. */
int act_session_open(struct act_desk *desk, const char *path_or_preset,
                     struct act_problems *problems);

/* Saves the open tabs, in their order, and the baseline. Every scenario must have a file or be an
 * unchanged preset: the first that has not becomes current, and the message says so. Changes that
 * are not saved stay in their tabs. */
enum act_save_result act_session_save(struct act_desk *desk, const char *path, bool force);

#endif

/* A report on all open scenarios, as a file. */
#ifndef ACTUARY_SESSION_REPORT_H
#define ACTUARY_SESSION_REPORT_H

#include "session/desk.h"

/* The file name offered: the current scenario's, ending in .html. */
void act_desk_suggest_report(const struct act_tab *tab, char *out, size_t size);

/* Writes the report on every tab, in their order, with their comparison when there are several. The
 * name's end chooses the format: .html or .htm, .md or .markdown, .csv. ACT_SAVE_CHANGED: such a
 * file exists; `force` overwrites it. What came of it is the desk's message. */
enum act_save_result act_desk_report(struct act_desk *desk, const char *path, bool force);

#endif

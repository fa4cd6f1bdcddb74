/* The planner: opens files, runs the loop, gives the terminal back. */
#ifndef ACTUARY_UI_APP_H
#define ACTUARY_UI_APP_H

#include "io/settings.h"

/* Opens each file or scenario preset as a tab (none: the example) and runs until the user leaves.
 * Returns an exit status: 0, 2 no usable terminal, 3 a file that cannot be read. When a signal
 * asked to leave, the process dies of it after the terminal is restored. */
int act_ui_run(int count, char **files, const struct act_settings *settings);

#endif

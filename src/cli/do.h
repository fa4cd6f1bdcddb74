/* actuary [FILE…] --do LINE: the palette's lines without a screen. */
#ifndef ACTUARY_CLI_DO_H
#define ACTUARY_CLI_DO_H

#include "cli/options.h"

/* Opens the operands (none: the example), carries the lines out in order, stops at the first that
 * is wrong, prints every open scenario as `plan` does. Returns the exit status: as of plan; 2 a
 * line is wrong, 4 it could not save. */
int act_cli_do(const struct act_options *options);

#endif

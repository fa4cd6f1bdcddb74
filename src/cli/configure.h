/* The user's settings: the config file, and the options that overrule it. */
#ifndef ACTUARY_CLI_CONFIGURE_H
#define ACTUARY_CLI_CONFIGURE_H

#include "cli/options.h"

/* Fills in `settings`. Returns an exit status; what is wrong is printed. */
int act_cli_configure(struct act_options *ret);

#endif

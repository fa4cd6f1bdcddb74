/* actuary: options, then the verbs or the planner. */
#include "cli/configure.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/verbs.h"
#include "ui/app.h"

#include <locale.h>
#include <signal.h>

int main(int argc, char **argv)
{
    static struct act_options options;
    char why[256];

    /* Characters only: numbers look the same everywhere. */
    setlocale(LC_CTYPE, "");
    /* A closed pipe shows as a failed write. */
    signal(SIGPIPE, SIG_IGN);
    /* So does a limit on the size of files. */
    signal(SIGXFSZ, SIG_IGN);

    if (act_options_parse(argc, argv, &options, why, sizeof why) < 0) {
        act_output_error(act_verb_name(options.verb), "%s", why);
        return ACT_EXIT_USAGE;
    }
    if (!options.help && !options.version) {
        int status = act_cli_configure(&options);
        if (status != ACT_EXIT_OK)
            return status;
    }
    if (options.verb != ACT_VERB_PLANNER || options.help || options.version || options.dos > 0) {
        return act_cli_run(&options);
    }
    return act_ui_run(options.operands, options.operand, &options.settings);
}

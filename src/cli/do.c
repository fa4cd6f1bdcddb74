#include "cli/do.h"

#include "cli/output.h"
#include "cli/verbs.h"
#include "session/command.h"
#include "session/session_tabs.h"

#include <stdlib.h>
#include <string.h>

static int open_all(struct act_desk *desk, const struct act_options *options)
{
    static const char *const example[] = {"example"};
    int count = options->operands > 0 ? options->operands : 1;

    for (int i = 0; i < count; i++) {
        struct act_problems problems;
        const char *file = options->operands > 0 ? options->operand[i] : example[0];
        act_problems_init(&problems, file);
        if (act_session_open(desk, file, &problems) != 0) {
            act_output_problems(&problems);
            return ACT_EXIT_FILE;
        }
    }
    desk->current = 0;
    return ACT_EXIT_OK;
}

/* An action that did nothing: a script that counts on it must not go on. */
static void say_nothing_done(const struct act_desk *desk, const char *action)
{
    const char *keys = strstr(desk->message, "; ");

    if (desk->said == ACT_SAY_NOTHING)
        act_output_error("--do", "%s: there is nothing to do", action);
    else
        act_output_error(
            "--do", "%s: %.*s", action,
            (int)(keys != NULL ? (size_t)(keys - desk->message) : strlen(desk->message)),
            desk->message);
}

/* Carries out one command. Every one has a time of its own, so that no two changes merge and undo
 * takes back what one command did. */
static int run_one(struct act_desk *desk, const char *text, int64_t now_ms)
{
    struct act_command command;
    char why[ACT_MESSAGE_MAX];

    if (act_command_parse(desk, text, &command, why, sizeof why) != 0) {
        act_output_error("--do", "%s", why);
        return ACT_EXIT_USAGE;
    }
    switch (act_command_run(desk, &command, now_ms)) {
    case ACT_DONE_WRONG:
        act_output_error("--do", "%s", desk->message);
        return command.kind == ACT_COMMAND_SAVE && desk->said == ACT_SAY_ERROR &&
                       strncmp(desk->message, "not saved", 9) == 0
                   ? ACT_EXIT_WRITE
               : command.kind == ACT_COMMAND_OPEN ? ACT_EXIT_FILE
                                                  : ACT_EXIT_USAGE;
    case ACT_DONE_NOTHING:
        say_nothing_done(desk, act_action(command.action)->name);
        return ACT_EXIT_USAGE;
    case ACT_DONE_SCREEN:
        act_output_error("--do", "%s needs the screen; leave it out here",
                         act_action(command.action)->name);
        return ACT_EXIT_USAGE;
    default:
        return ACT_EXIT_OK;
    }
}

static int run_lines(struct act_desk *desk, const struct act_options *options)
{
    enum { APART = 10000 }; /* ms: changes of a field within a second merge */
    char one[ACT_COMMAND_MAX + 1];
    int64_t now_ms = 0;

    for (int i = 0; i < options->dos; i++) {
        const char *line = options->line[i];
        while (act_command_next(&line, one)) {
            int status = run_one(desk, one, now_ms += APART);
            if (status != ACT_EXIT_OK)
                return status;
        }
    }
    return ACT_EXIT_OK;
}

static int print_all(const struct act_desk *desk, const struct act_options *options)
{
    struct act_plan *plans = calloc((size_t)desk->count, sizeof *plans);

    if (plans == NULL) {
        act_output_error("--do", "out of memory");
        return ACT_EXIT_WRITE;
    }
    for (int i = 0; i < desk->count; i++)
        plans[i] = desk->tab[i]->plan;
    int status = act_cli_print_plans(options, plans, desk->count);
    free(plans);
    return status;
}

int act_cli_do(const struct act_options *options)
{
    static struct act_desk desk;

    desk.settings = options->settings;
    int status = open_all(&desk, options);
    if (status == ACT_EXIT_OK)
        status = run_lines(&desk, options);
    if (status == ACT_EXIT_OK)
        status = print_all(&desk, options);
    act_desk_free(&desk);
    return status;
}

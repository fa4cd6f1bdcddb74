#include "cli/options.h"

#include "core/letters.h"
#include "io/nearest.h"
#include "io/problem.h"

#include <actuary/field.h>
#include <actuary/units.h>

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum option_id {
    OPTION_HELP,
    OPTION_VERSION,
    OPTION_SET,
    OPTION_LOG,
    OPTION_FORMAT,
    OPTION_OUTPUT,
    OPTION_NO_COLOR,
    OPTION_STAGE,
    OPTION_DO,
    OPTION_THEME,
    OPTION_PLAIN,
    OPTION_ASCII,
    OPTION_MOUSE,
    OPTION_CONFIG,
    OPTION_NO_CONFIG,
    OPTION_DIFFERENCES,
    OPTION_DAYS,
    OPTION_SPARE,
    OPTION_ROUND,
    OPTION_BUDGET
};

#define FOR(verb) (1U << (verb))
struct option {
    enum option_id id;
    const char *name, *letter;
    bool takes_value;
    unsigned verbs;
};

/* Verbs that estimate scenarios and print them. */
#define ESTIMATING (FOR(ACT_VERB_PLAN) | FOR(ACT_VERB_COMPARE))
#define PRINTING   (ESTIMATING | FOR(ACT_VERB_EXPLAIN) | FOR(ACT_VERB_NEED) | FOR(ACT_VERB_LIST))

/* What shows sizes, money or a screen. */
#define CONFIGURED (FOR(ACT_VERB_PLANNER) | PRINTING)

static const struct option options[] = {
    {OPTION_HELP, "--help", "-h", false, FOR(ACT_VERB_PLANNER) | PRINTING | FOR(ACT_VERB_SHOW)},
    {OPTION_VERSION, "--version", "-V", false, FOR(ACT_VERB_PLANNER)},
    {OPTION_SET, "--set", NULL, true, ESTIMATING | FOR(ACT_VERB_EXPLAIN) | FOR(ACT_VERB_NEED)},
    {OPTION_LOG, "--measured-log", NULL, true,
     ESTIMATING | FOR(ACT_VERB_EXPLAIN) | FOR(ACT_VERB_NEED)},
    {OPTION_FORMAT, "--format", NULL, true, FOR(ACT_VERB_PLANNER) | PRINTING},
    {OPTION_OUTPUT, "--output", "-o", true, FOR(ACT_VERB_PLANNER) | PRINTING | FOR(ACT_VERB_SHOW)},
    {OPTION_NO_COLOR, "--no-color", NULL, false,
     FOR(ACT_VERB_PLANNER) | ESTIMATING | FOR(ACT_VERB_EXPLAIN) | FOR(ACT_VERB_NEED)},
    {OPTION_STAGE, "--stage", NULL, true, FOR(ACT_VERB_EXPLAIN)},
    {OPTION_DIFFERENCES, "--differences", NULL, false, FOR(ACT_VERB_COMPARE)},
    {OPTION_DAYS, "--days", NULL, true, FOR(ACT_VERB_NEED)},
    {OPTION_SPARE, "--spare", NULL, true, FOR(ACT_VERB_NEED)},
    {OPTION_ROUND, "--round", NULL, true, FOR(ACT_VERB_NEED)},
    {OPTION_BUDGET, "--budget", NULL, true, FOR(ACT_VERB_NEED)},
    {OPTION_DO, "--do", NULL, true, FOR(ACT_VERB_PLANNER)},
    {OPTION_THEME, "--theme", NULL, true, FOR(ACT_VERB_PLANNER)},
    {OPTION_PLAIN, "--plain", NULL, false, FOR(ACT_VERB_PLANNER)},
    {OPTION_ASCII, "--ascii", NULL, false, FOR(ACT_VERB_PLANNER)},
    {OPTION_MOUSE, "--mouse", NULL, false, FOR(ACT_VERB_PLANNER)},
    {OPTION_CONFIG, "--config", NULL, true, CONFIGURED},
    {OPTION_NO_CONFIG, "--no-config", NULL, false, CONFIGURED},
};

enum { OPTIONS = sizeof options / sizeof options[0] };

static const struct {
    const char *name;
    unsigned verbs;
} formats[] = {
    {"text", FOR(ACT_VERB_PLANNER) | PRINTING},
    {"json", FOR(ACT_VERB_PLANNER) | PRINTING},
    {"csv", FOR(ACT_VERB_PLANNER) | ESTIMATING},
    {"markdown", ESTIMATING},
    {"html", ESTIMATING},
};

enum { FORMATS = sizeof formats / sizeof formats[0] };

static const char *const verb_names[ACT_VERB_COUNT] = {"",     "plan", "compare", "explain",
                                                       "need", "list", "show"};

static const char *const helps[ACT_VERB_COUNT] = {
    [ACT_VERB_PLANNER] =
        "actuary: how many GPUs a training run needs, does it fit, how long, how much\n"
        "\n"
        "  actuary [FILE...]           open the planner, one tab a scenario; or a session\n"
        "  actuary [FILE...] --do LINE carry out commands without a screen, print, exit\n"
        "  actuary plan FILE|PRESET|-  estimate, print, exit\n"
        "  actuary compare A B...      scenarios side by side, differences marked\n"
        "  actuary explain FILE [FIGURE...]  where memory figures come from\n"
        "  actuary need FILE           GPUs for a deadline, largest values, what helps\n"
        "  actuary list KIND           models, frameworks, hardware, scenarios or fields\n"
        "  actuary show PRESET         print one preset as YAML\n"
        "  actuary VERB --help         options of a verb\n"
        "  actuary --help, --version\n"
        "\n"
        "  --do LINE         commands as after : in the planner (\"tp 8; recompute full\"),\n"
        "                    may be repeated; prints as plan does, with --format and -o\n"
        "  --theme NAME      default, terminal, light, dark, high-contrast or mono\n"
        "  --plain           for screen readers: lines of words, nothing drawn\n"
        "  --ascii           no signs beyond ASCII\n"
        "  --mouse           clicks focus and press, the wheel steps\n"
        "  --no-color        no colour\n"
        "  --config FILE     settings from FILE instead of actuary/config.yaml in\n"
        "                    $XDG_CONFIG_HOME; --no-config reads none\n"
        "\n"
        "FILE is a scenario in YAML or the name of a scenario preset. -- ends options.\n"
        "Exit status: 0 fits; 1 does not fit, breaks a rule, misses the deadline or the\n"
        "budget; 2 wrong usage; 3 a file is wrong or cannot be read; 4 the result cannot\n"
        "be written.\n",
    [ACT_VERB_PLAN] =
        "actuary plan FILE|PRESET|- ...: estimate scenarios and print the result\n"
        "\n"
        "  --set KEY=VALUE   set a key as in a scenario file; may be repeated; values may\n"
        "                    calculate (8*1024). Keys: actuary list fields\n"
        "  --measured-log LOG  correct the estimates by a training log of this layout\n"
        "                    (Megatron-LM, torchtitan, HF Trainer, DeepSpeed)\n"
        "  --format FORMAT   text (default); json: several scenarios make an array; csv:\n"
        "                    a row a scenario; markdown, html: a report to send, with the\n"
        "                    comparison of several scenarios\n"
        "  -o FILE           write to FILE instead of standard output; .json, .csv, .md\n"
        "                    and .html choose the format\n"
        "  --no-color        no colour, also on a terminal\n"
        "\n"
        "\"-\" reads standard input.\n"
        "Exit status: 0 fits; 1 does not fit, breaks a rule, misses the deadline or the\n"
        "budget.\n",
    [ACT_VERB_COMPARE] =
        "actuary compare FILE|PRESET|- FILE|PRESET...: scenarios side by side; the first\n"
        "is the one that the others are compared with\n"
        "\n"
        "  --differences     only what differs\n"
        "  --set KEY=VALUE   set a key of every scenario; may be repeated\n"
        "  --format FORMAT   text (default), json, csv (a row a field or result),\n"
        "                    markdown or html\n"
        "  -o FILE           write to FILE instead of standard output; .json, .csv, .md\n"
        "                    and .html choose the format\n"
        "  --no-color        no colour, also on a terminal\n"
        "\n"
        "* marks what differs; results tell by how much, and whether that is better.\n"
        "Exit status: 0 all fit; 1 one does not fit, breaks a rule, misses the deadline\n"
        "or the budget.\n",
    [ACT_VERB_EXPLAIN] =
        "actuary explain FILE|PRESET|- [FIGURE...]: where memory figures come from:\n"
        "formula, values put in, result, source\n"
        "\n"
        "  FIGURE            a figure as FILE alone lists them (device, activations), or\n"
        "                    any symbol of a formula (dense.whole), then with source and\n"
        "                    with what the symbols of its formula are\n"
        "  --stage N         pipeline stage, from 0; default: the fullest\n"
        "  --set KEY=VALUE   set a key as in a scenario file; may be repeated\n"
        "  --measured-log LOG  correct the estimates by a training log of this layout\n"
        "  --format FORMAT   text (default) or json\n"
        "  -o FILE           write to FILE instead of standard output\n"
        "  --no-color        no colour, also on a terminal\n"
        "\n"
        "\"-\" reads standard input.\n"
        "Exit status: 0 fits; 1 does not fit, breaks a rule, misses the deadline or the\n"
        "budget.\n",
    [ACT_VERB_NEED] =
        "actuary need FILE|PRESET|- ...: what it takes: GPUs for a deadline; the largest\n"
        "micro batch, sequence, model and token count within memory, days and budget; the\n"
        "single changes that would make it fit or faster, with their price\n"
        "\n"
        "  --days N          deadline in calendar days; default: training.deadline_days\n"
        "  --spare PERCENT   GPUs in reserve, as 5%; default: none\n"
        "  --round WHAT      round the count up to replica, node (default) or power2\n"
        "  --budget AMOUNT   in the scenario's currency; default: cost.budget\n"
        "  --set KEY=VALUE   set a key as in a scenario file; may be repeated\n"
        "  --format FORMAT   text (default) or json; several scenarios make a JSON array\n"
        "  -o FILE           write to FILE instead of standard output\n"
        "  --no-color        no colour, also on a terminal\n"
        "\n"
        "\"-\" reads standard input.\n"
        "Exit status: 0 the plan fits on the GPUs found for the deadline (without one: as\n"
        "it is), 1 it does not, breaks a rule, misses the budget, or no count makes the\n"
        "deadline.\n",
    [ACT_VERB_LIST] =
        "actuary list models|frameworks|hardware|scenarios|fields: what there is\n"
        "\n"
        "  --format FORMAT   text (default) or json\n"
        "  -o FILE           write to FILE instead of standard output\n"
        "\n"
        "Presets in your own folders (actuary/presets/KIND under $XDG_CONFIG_HOME or\n"
        "$XDG_DATA_HOME) are listed too and come before those that ship.\n",
    [ACT_VERB_SHOW] =
        "actuary show PRESET: print one preset as YAML\n"
        "\n"
        "  -o FILE           write to FILE instead of standard output\n"
        "\n"
        "A name of more than one kind is told apart as models/NAME, frameworks/NAME,\n"
        "hardware/NAME or scenarios/NAME.\n",
};

const char *act_verb_name(enum act_verb verb)
{
    return verb_names[verb];
}

const char *act_options_help(enum act_verb verb)
{
    return helps[verb];
}

static int refuse(char *why, size_t why_size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static int refuse(char *why, size_t why_size, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(why, why_size, format, arguments);
    va_end(arguments);
    return -1;
}

/* Arguments come from anywhere; what is shown of them is printable. */
static const char *shown(const char *text, char out[64])
{
    act_printable(text, strlen(text), out, 64);
    return out;
}

static enum act_verb verb_of(const char *word)
{
    for (int i = ACT_VERB_PLANNER + 1; i < ACT_VERB_COUNT; i++) {
        if (strcmp(word, verb_names[i]) == 0) {
            return (enum act_verb)i;
        }
    }
    return ACT_VERB_PLANNER;
}

/* The option that `argument` names, with what follows its '=' or its letter. */
static const struct option *find_option(const char *argument, enum act_verb verb,
                                        const char **ret_value)
{
    for (int i = 0; i < OPTIONS; i++) {
        size_t length = strlen(options[i].name);
        if (!(options[i].verbs & FOR(verb))) {
            continue;
        }
        if (strncmp(argument, options[i].name, length) == 0 &&
            (argument[length] == '\0' || argument[length] == '=')) {
            *ret_value = argument[length] == '=' ? argument + length + 1 : NULL;
            return &options[i];
        }
        if (options[i].letter && strncmp(argument, options[i].letter, 2) == 0 &&
            (argument[2] == '\0' || options[i].takes_value)) {
            *ret_value = argument[2] == '\0' ? NULL : argument + 2;
            return &options[i];
        }
    }
    return NULL;
}

static int refuse_unknown(const char *argument, enum act_verb verb, char *why, size_t why_size)
{
    const char *names[OPTIONS + 1];
    char word[64];
    int count = 0;

    for (int i = 0; i < OPTIONS; i++) {
        if (options[i].verbs & FOR(verb)) {
            names[count++] = options[i].name;
        }
    }
    names[count] = NULL;
    shown(argument, word);
    word[strcspn(word, "=")] = '\0';
    const char *nearest = act_nearest(names, word);
    const char *space = verb == ACT_VERB_PLANNER ? "" : " ";
    if (nearest) {
        return refuse(why, why_size, "unknown option %s; did you mean %s?", word, nearest);
    }
    return refuse(why, why_size, "unknown option %s; \"actuary%s%s --help\" lists those there are",
                  word, space, verb_names[verb]);
}

static int add_set(struct act_options *ret, const char *value, char *why, size_t why_size)
{
    const char *sign = strchr(value, '=');
    char word[64];

    if (!sign || sign == value) {
        return refuse(why, why_size, "--set %s: there is no key; write KEY=VALUE",
                      shown(value, word));
    }
    if (ret->sets == ACT_SETS_MAX) {
        return refuse(why, why_size, "more than %d times --set; put the keys in a file",
                      ACT_SETS_MAX);
    }
    struct act_set *set = &ret->set[ret->sets];
    size_t length = (size_t)(sign - value);
    if (length >= sizeof set->key) {
        return refuse(why, why_size, "--set %s: no key is that long; actuary list fields",
                      shown(value, word));
    }
    memcpy(set->key, value, length);
    set->key[length] = '\0';
    set->value = sign + 1;
    ret->sets++;
    return 0;
}

/* "text, json, csv, markdown or html": what a verb writes. */
static void list_formats(enum act_verb verb, char *out, size_t size)
{
    size_t length = 0;
    int last = FORMATS - 1;

    while (last > 0 && !(formats[last].verbs & FOR(verb))) {
        last--;
    }
    for (int i = 0; i <= last && length < size; i++) {
        if (formats[i].verbs & FOR(verb)) {
            length += (size_t)snprintf(out + length, size - length, "%s%s",
                                       i == 0      ? ""
                                       : i == last ? " or "
                                                   : ", ",
                                       formats[i].name);
        }
    }
}

static int set_format(struct act_options *ret, const char *value, char *why, size_t why_size)
{
    char word[64], names[64] = "";

    for (int i = 0; i < FORMATS; i++) {
        if (strcmp(value, formats[i].name) == 0 && (formats[i].verbs & FOR(ret->verb))) {
            ret->format = (enum act_format)i;
            ret->format_given = true;
            return 0;
        }
    }
    list_formats(ret->verb, names, sizeof names);
    return refuse(why, why_size, "--format %s: there is no such format here; %s",
                  shown(value, word), names);
}

static int set_stage(struct act_options *ret, const char *value, char *why, size_t why_size)
{
    char word[64], reason[160];
    double stage;

    if (act_quantity_parse(value, ACT_UNIT_NONE, ACT_PARSE_INTEGER, &stage, reason, sizeof reason) <
            0 ||
        stage < 0 || stage >= ACT_STAGES_MAX)
        return refuse(why, why_size, "--stage %s: stages are counted from 0 to %d",
                      shown(value, word), ACT_STAGES_MAX - 1);
    ret->stage = (int)stage;
    return 0;
}

/* A quantity above zero, or from zero on where `zero` is allowed. */
static int set_quantity(const char *option, const char *value, enum act_unit unit, double least,
                        double most, double *ret, char *why, size_t why_size)
{
    char reason[160];
    double number;

    if (act_quantity_parse(value, unit, ACT_PARSE_ARITHMETIC, &number, reason, sizeof reason) < 0)
        return refuse(why, why_size, "%s: %s", option, reason);
    if (number < least || number > most) {
        char word[64], start[64], end[64];
        act_quantity_format(least, unit, ACT_STYLE_FILE, start, sizeof start);
        act_quantity_format(most, unit, ACT_STYLE_FILE, end, sizeof end);
        return refuse(why, why_size, "%s %s: give %s to %s", option, shown(value, word), start,
                      end);
    }
    *ret = number;
    return 0;
}

static int set_round(struct act_options *ret, const char *value, char *why, size_t why_size)
{
    char word[64];

    for (int i = 0; i < ACT_ROUND_COUNT; i++) {
        if (strcmp(value, act_round_name((enum act_round)i)) == 0) {
            ret->round = (enum act_round)i;
            return 0;
        }
    }
    return refuse(why, why_size, "--round %s: round up to replica, node or power2",
                  shown(value, word));
}

/* "-o report.html" says what it is. */
static int format_of_output(struct act_options *ret, char *why, size_t why_size)
{
    static const struct {
        const char *end;
        enum act_format format;
    } ends[] = {{".json", ACT_FORMAT_JSON},   {".csv", ACT_FORMAT_CSV},
                {".md", ACT_FORMAT_MARKDOWN}, {".markdown", ACT_FORMAT_MARKDOWN},
                {".html", ACT_FORMAT_HTML},   {".htm", ACT_FORMAT_HTML}};
    const char *point = ret->output ? strrchr(ret->output, '.') : NULL;
    char word[64], names[64] = "";

    if (!point || ret->format_given || ret->verb == ACT_VERB_SHOW) {
        return 0;
    }
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        if (!act_same_letters(point, ends[i].end)) {
            continue;
        }
        if (formats[ends[i].format].verbs & FOR(ret->verb)) {
            ret->format = ends[i].format;
            return 0;
        }
        list_formats(ret->verb, names, sizeof names);
        return refuse(why, why_size, "-o %s: there is no %s here; %s (--format text writes text)",
                      shown(ret->output, word), formats[ends[i].format].name, names);
    }
    return 0;
}

static int apply(struct act_options *ret, const struct option *option, const char *value, char *why,
                 size_t why_size)
{
    switch (option->id) {
    case OPTION_HELP:
        ret->help = true;
        return 0;
    case OPTION_VERSION:
        ret->version = true;
        return 0;
    case OPTION_SET:
        return add_set(ret, value, why, why_size);
    case OPTION_LOG:
        if (value[0] == '\0') {
            return refuse(why, why_size, "--measured-log needs the name of a training log");
        }
        ret->measured_log = value;
        return 0;
    case OPTION_FORMAT:
        return set_format(ret, value, why, why_size);
    case OPTION_OUTPUT:
        if (value[0] == '\0') {
            return refuse(why, why_size, "-o needs the name of a file");
        }
        ret->output = value;
        return 0;
    case OPTION_NO_COLOR:
        ret->no_color = true;
        return 0;
    case OPTION_DIFFERENCES:
        ret->differences = true;
        return 0;
    case OPTION_STAGE:
        return set_stage(ret, value, why, why_size);
    case OPTION_DO:
        if (ret->dos == ACT_DOS_MAX)
            return refuse(why, why_size, "more than %d times --do; a line takes several commands",
                          ACT_DOS_MAX);
        ret->line[ret->dos++] = value;
        return 0;
    case OPTION_THEME:
        ret->theme = value;
        return act_scheme_find(value, &ret->settings.scheme, why, why_size);
    case OPTION_PLAIN:
        ret->plain = true;
        return 0;
    case OPTION_ASCII:
        ret->ascii = true;
        return 0;
    case OPTION_MOUSE:
        ret->mouse = true;
        return 0;
    case OPTION_CONFIG:
        ret->config = value;
        ret->no_config = false;
        return 0;
    case OPTION_NO_CONFIG:
        ret->no_config = true;
        return 0;
    case OPTION_DAYS:
        return set_quantity(
            "--days", value, ACT_UNIT_DAYS, act_field(ACT_F_training_deadline_days)->min,
            act_field(ACT_F_training_deadline_days)->max, &ret->days, why, why_size);
    case OPTION_SPARE:
        return set_quantity("--spare", value, ACT_UNIT_SHARE, 0, 1, &ret->spare, why, why_size);
    case OPTION_ROUND:
        return set_round(ret, value, why, why_size);
    case OPTION_BUDGET:
        return set_quantity("--budget", value, ACT_UNIT_MONEY, 0, act_field(ACT_F_cost_budget)->max,
                            &ret->budget, why, why_size);
    }
    return 0;
}

int act_options_parse(int argc, char **argv, struct act_options *ret, char *why, size_t why_size)
{
    bool ended = false;
    int at = 1;

    memset(ret, 0, sizeof *ret);
    ret->operand = argv + (argc > 0);
    ret->stage = -1;
    ret->days = NAN;
    ret->budget = NAN;
    ret->round = ACT_ROUND_NODE;
    if (argc > 1) {
        ret->verb = verb_of(argv[1]);
        at += ret->verb != ACT_VERB_PLANNER;
    }
    for (; at < argc; at++) {
        char *argument = argv[at];
        const char *value = NULL;
        if (ended || argument[0] != '-' || argument[1] == '\0') {
            ret->operand[ret->operands++] = argument;
            continue;
        }
        if (strcmp(argument, "--") == 0) {
            ended = true;
            continue;
        }
        const struct option *option = find_option(argument, ret->verb, &value);
        if (!option) {
            return refuse_unknown(argument, ret->verb, why, why_size);
        }
        if (!option->takes_value && value) {
            return refuse(why, why_size, "%s takes no value", option->name);
        }
        if (option->takes_value && !value) {
            if (at + 1 >= argc) {
                return refuse(why, why_size, "%s needs a value", option->name);
            }
            value = argv[++at];
        }
        if (apply(ret, option, value, why, why_size) < 0) {
            return -1;
        }
    }
    for (int i = 0; i < ret->operands && ret->measured_log; i++) {
        if (strcmp(ret->operand[i], "-") == 0 && strcmp(ret->measured_log, "-") == 0) {
            return refuse(why, why_size,
                          "standard input cannot be the scenario and its log at once; give one of "
                          "them as a file");
        }
    }
    if (ret->verb == ACT_VERB_PLANNER && ret->dos == 0 &&
        (ret->output || ret->format != ACT_FORMAT_TEXT)) {
        return refuse(why, why_size,
                      "%s is for results without a screen; add --do LINE, or use "
                      "actuary plan",
                      ret->output ? "-o" : "--format");
    }
    return format_of_output(ret, why, why_size);
}

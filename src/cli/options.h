/* The command line as a struct: which verb, on what, how. */
#ifndef ACTUARY_CLI_OPTIONS_H
#define ACTUARY_CLI_OPTIONS_H

#include <actuary/need.h>
#include <stdbool.h>
#include <stddef.h>

/* Exit status of the program (the contract). */
enum act_exit {
    ACT_EXIT_OK = 0,
    ACT_EXIT_UNFIT = 1, /* computed; does not fit or breaks a rule */
    ACT_EXIT_USAGE = 2,
    ACT_EXIT_FILE = 3,  /* a file cannot be read or is wrong */
    ACT_EXIT_WRITE = 4, /* the result could not be written */
};

enum act_verb {
    ACT_VERB_PLANNER,
    ACT_VERB_PLAN,
    ACT_VERB_COMPARE,
    ACT_VERB_EXPLAIN,
    ACT_VERB_NEED,
    ACT_VERB_LIST,
    ACT_VERB_SHOW,
    ACT_VERB_COUNT
};

enum act_format {
    ACT_FORMAT_TEXT,
    ACT_FORMAT_JSON,
    ACT_FORMAT_CSV,
    ACT_FORMAT_MARKDOWN,
    ACT_FORMAT_HTML
};

/* Options of one command line are few; more are refused. */
enum { ACT_SETS_MAX = 256 };

struct act_set {
    char key[96];
    const char *value;
};

struct act_options {
    enum act_verb verb;
    bool help, version;
    int operands;
    char **operand; /* files, presets or what to list: inside argv, in order */
    int sets;
    struct act_set set[ACT_SETS_MAX];
    enum act_format format;
    const char *measured_log; /* NULL: none */
    const char *output;       /* NULL: standard output */
    bool no_color;
    int stage;        /* of explain; -1: the fullest */
    bool differences; /* of compare: nothing that is the same */
    /* Of need; NAN: as the scenario says. */
    double days, budget;
    double spare;
    enum act_round round;
};

/* "plan"; "" for the planner. */
const char *act_verb_name(enum act_verb verb);

/* Reads the arguments; moves operands to the front of argv + 1. Returns 0, or -1 with one
 * sentence (what is wrong; what would be right) in `why`. */
int act_options_parse(int argc, char **argv, struct act_options *ret, char *why, size_t why_size);

/* Help of a verb, or of the program for the planner. */
const char *act_options_help(enum act_verb verb);

#endif

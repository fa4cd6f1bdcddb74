/* Formulas of a sheet as trees: read from the C text that was compiled, evaluated again, written
 * for people. No allocation; a formula that is too large is refused, and a test reads them all. */
#ifndef ACTUARY_CORE_EXPRESSION_H
#define ACTUARY_CORE_EXPRESSION_H

#include "core/writer.h"

#include <stdbool.h>

enum act_node_kind {
    ACT_NODE_NUMBER,
    ACT_NODE_SYMBOL,
    ACT_NODE_ADD,
    ACT_NODE_SUBTRACT,
    ACT_NODE_MULTIPLY,
    ACT_NODE_DIVIDE,
    ACT_NODE_MAX,
    ACT_NODE_MIN
};

enum { ACT_NODES_MAX = 160 };

struct act_node {
    enum act_node_kind kind;
    int left, right;  /* nodes */
    int symbol;       /* what the lookup returned */
    double value;     /* of the whole node */
    bool literal;     /* no symbol in it */
    const char *text; /* of a number */
    int length;
};

struct act_expression {
    int count;
    int root;
    struct act_node node[ACT_NODES_MAX];
};

/* Finds a symbol of `length` bytes: its number, or -1; and its value. */
typedef int act_lookup(const void *context, const char *name, int length, double *ret_value);

/* Reads `text` and works every node out. False when it is no formula, a symbol is unknown or it is
 * too large. */
bool act_expression_read(const char *text, act_lookup *lookup, const void *context,
                         struct act_expression *ret);

/* How the leaves and signs of a tree are written. */
struct act_hand {
    const void *context;
    void (*symbol)(const void *context, int symbol, struct act_writer *writer);
    bool (*optional)(const void *context, int symbol); /* left out as a factor of 1 */
    const char *times, *over, *minus;
    bool exact; /* as C: nothing left out, fmax and fmin */
};

/* Symbols in the order in which they were written, each once. */
struct act_written {
    int count;
    int symbol[ACT_NODES_MAX];
};

/* Writes the tree without addends and candidates of a maximum that are 0, divisors that are 1 and
 * optional factors that are 1; as a whole when it is 0. */
void act_expression_write(const struct act_expression *expression, const struct act_hand *hand,
                          struct act_writer *writer, struct act_written *written);

/* The symbol that is left when everything else is left out; -1 when more than one is. */
int act_expression_symbol(const struct act_expression *expression, const struct act_hand *hand);

#endif

#include "core/expression.h"

#include "core/letters.h"

#include <math.h>
#include <string.h>

enum { DEPTH_MAX = 64 };

struct reader {
    const char *at;
    act_lookup *lookup;
    const void *context;
    struct act_expression *out;
    int depth;
    bool wrong;
};

static void skip_spaces(struct reader *reader)
{
    while (*reader->at == ' ' || *reader->at == '\n' || *reader->at == '\t')
        reader->at++;
}

static bool take(struct reader *reader, char c)
{
    skip_spaces(reader);
    if (*reader->at != c)
        return false;
    reader->at++;
    return true;
}

static double value_of(enum act_node_kind kind, double left, double right)
{
    switch (kind) {
    case ACT_NODE_ADD:
        return left + right;
    case ACT_NODE_SUBTRACT:
        return left - right;
    case ACT_NODE_MULTIPLY:
        return left * right;
    case ACT_NODE_DIVIDE:
        return left / right;
    case ACT_NODE_MAX:
        return fmax(left, right);
    case ACT_NODE_MIN:
        return fmin(left, right);
    default:
        return 0;
    }
}

static int add_node(struct reader *reader, struct act_node node)
{
    struct act_expression *out = reader->out;

    if (out->count == ACT_NODES_MAX) {
        reader->wrong = true;
        return 0;
    }
    out->node[out->count] = node;
    return out->count++;
}

static int join(struct reader *reader, enum act_node_kind kind, int left, int right)
{
    const struct act_node *a = &reader->out->node[left], *b = &reader->out->node[right];

    return add_node(reader, (struct act_node){.kind = kind,
                                              .left = left,
                                              .right = right,
                                              .symbol = -1,
                                              .value = value_of(kind, a->value, b->value),
                                              .literal = a->literal && b->literal});
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_word(char c)
{
    return act_is_letter(c) || is_digit(c) || c == '_';
}

/* Plain decimals and exponents, as C has them. */
static int read_number(struct reader *reader)
{
    const char *from = reader->at;
    double value = 0, unit = 1;
    int exponent = 0;

    for (; is_digit(*reader->at); reader->at++)
        value = value * 10 + (*reader->at - '0');
    if (*reader->at == '.')
        for (reader->at++; is_digit(*reader->at); reader->at++)
            value += (*reader->at - '0') * (unit /= 10);
    if (*reader->at == 'e')
        for (reader->at++; is_digit(*reader->at); reader->at++)
            exponent = exponent * 10 + (*reader->at - '0');
    return add_node(reader, (struct act_node){.kind = ACT_NODE_NUMBER,
                                              .symbol = -1,
                                              .value = value * pow(10, exponent),
                                              .literal = true,
                                              .text = from,
                                              .length = (int)(reader->at - from)});
}

static int read_sum(struct reader *reader);

static int read_call(struct reader *reader, enum act_node_kind kind)
{
    int left = read_sum(reader);

    reader->wrong |= !take(reader, ',');
    int right = read_sum(reader);
    reader->wrong |= !take(reader, ')');
    return join(reader, kind, left, right);
}

static int read_leaf(struct reader *reader)
{
    skip_spaces(reader);
    if (reader->wrong || ++reader->depth > DEPTH_MAX) {
        reader->wrong = true;
        return 0;
    }
    int node = 0;
    const char *from = reader->at;
    if (take(reader, '(')) {
        node = read_sum(reader);
        reader->wrong |= !take(reader, ')');
    } else if (is_digit(*from)) {
        node = read_number(reader);
    } else if (act_is_letter(*from)) {
        while (is_word(*reader->at))
            reader->at++;
        int length = (int)(reader->at - from);
        bool max = length == 4 && memcmp(from, "fmax", 4) == 0;
        bool min = length == 4 && memcmp(from, "fmin", 4) == 0;
        if ((max || min) && take(reader, '(')) {
            node = read_call(reader, max ? ACT_NODE_MAX : ACT_NODE_MIN);
        } else {
            double value = 0;
            int symbol = reader->lookup(reader->context, from, length, &value);
            reader->wrong |= symbol < 0;
            node = add_node(reader, (struct act_node){
                                        .kind = ACT_NODE_SYMBOL, .symbol = symbol, .value = value});
        }
    } else {
        reader->wrong = true;
    }
    reader->depth--;
    return node;
}

static int read_product(struct reader *reader)
{
    int left = read_leaf(reader);

    while (!reader->wrong) {
        if (take(reader, '*'))
            left = join(reader, ACT_NODE_MULTIPLY, left, read_leaf(reader));
        else if (take(reader, '/'))
            left = join(reader, ACT_NODE_DIVIDE, left, read_leaf(reader));
        else
            break;
    }
    return left;
}

static int read_sum(struct reader *reader)
{
    int left = read_product(reader);

    while (!reader->wrong) {
        if (take(reader, '+'))
            left = join(reader, ACT_NODE_ADD, left, read_product(reader));
        else if (take(reader, '-'))
            left = join(reader, ACT_NODE_SUBTRACT, left, read_product(reader));
        else
            break;
    }
    return left;
}

bool act_expression_read(const char *text, act_lookup *lookup, const void *context,
                         struct act_expression *ret)
{
    struct reader reader = {.at = text, .lookup = lookup, .context = context, .out = ret};

    ret->count = 0;
    ret->root = read_sum(&reader);
    skip_spaces(&reader);
    return !reader.wrong && *reader.at == '\0' && ret->count > 0;
}

/* Binding strength of a sign. */
enum { BIND_SUM = 1, BIND_PRODUCT = 2, BIND_LEAF = 3 };

struct pen {
    const struct act_expression *expression;
    const struct act_hand *hand;
    struct act_writer *writer;
    struct act_written *written;
    bool whole; /* nothing is left out */
};

static void note(struct act_written *written, int symbol)
{
    for (int i = 0; i < written->count; i++)
        if (written->symbol[i] == symbol)
            return;
    written->symbol[written->count++] = symbol;
}

static bool is_on(const struct pen *pen, const struct act_node *node)
{
    return node->kind == ACT_NODE_SYMBOL && node->value == 1 &&
           pen->hand->optional(pen->hand->context, node->symbol);
}

static bool is_absent(const struct act_node *node)
{
    return node->value == 0 && !node->literal;
}

/* The node that stands for this one once what does not apply is left out. */
static int essence(const struct pen *pen, int index)
{
    for (;;) {
        const struct act_node *node = &pen->expression->node[index];
        const struct act_node *left = &pen->expression->node[node->left];
        const struct act_node *right = &pen->expression->node[node->right];
        /* A candidate of 0 decides nothing unless the other is below. */
        bool max = node->kind == ACT_NODE_MAX && left->value >= 0 && right->value >= 0;
        bool sum = node->kind == ACT_NODE_ADD || max;
        if (pen->whole)
            return index;
        if ((sum || node->kind == ACT_NODE_SUBTRACT) && is_absent(right))
            index = node->left;
        else if (sum && is_absent(left))
            index = node->right;
        else if (node->kind == ACT_NODE_DIVIDE && right->kind == ACT_NODE_SYMBOL &&
                 right->value == 1)
            index = node->left;
        else if (node->kind == ACT_NODE_MULTIPLY && is_on(pen, left) && !right->literal)
            index = node->right;
        else if (node->kind == ACT_NODE_MULTIPLY && is_on(pen, right) && !left->literal)
            index = node->left;
        else
            return index;
    }
}

static int binding(enum act_node_kind kind)
{
    switch (kind) {
    case ACT_NODE_ADD:
    case ACT_NODE_SUBTRACT:
        return BIND_SUM;
    case ACT_NODE_MULTIPLY:
    case ACT_NODE_DIVIDE:
        return BIND_PRODUCT;
    default:
        return BIND_LEAF;
    }
}

static void write_node(const struct pen *pen, int index, int around);

/* max(a, max(b, c)) is max(a, b, c) for people. */
static void write_arguments(const struct pen *pen, const struct act_node *node)
{
    const int sides[] = {essence(pen, node->left), essence(pen, node->right)};

    for (int i = 0; i < 2; i++) {
        const struct act_node *side = &pen->expression->node[sides[i]];
        if (i > 0)
            act_writer_put(pen->writer, ", ");
        if (!pen->hand->exact && side->kind == node->kind)
            write_arguments(pen, side);
        else
            write_node(pen, sides[i], BIND_SUM);
    }
}

static void write_call(const struct pen *pen, const char *name, const struct act_node *node)
{
    act_writer_put(pen->writer, pen->hand->exact ? "f" : "");
    act_writer_put(pen->writer, name);
    act_writer_put(pen->writer, "(");
    write_arguments(pen, node);
    act_writer_put(pen->writer, ")");
}

static void write_sign(const struct pen *pen, const struct act_node *node)
{
    bool product = binding(node->kind) == BIND_PRODUCT;
    const char *sign = node->kind == ACT_NODE_MULTIPLY   ? pen->hand->times
                       : node->kind == ACT_NODE_DIVIDE   ? pen->hand->over
                       : node->kind == ACT_NODE_SUBTRACT ? pen->hand->minus
                                                         : " + ";
    int own = binding(node->kind);

    write_node(pen, node->left, own);
    act_writer_put(pen->writer, sign);
    /* a - (b + c) and a / (b c) keep their brackets; a (b c) needs none. */
    bool tight = node->kind == ACT_NODE_SUBTRACT || node->kind == ACT_NODE_DIVIDE;
    write_node(pen, node->right, tight ? own + 1 : product ? BIND_PRODUCT : BIND_SUM);
}

static void write_node(const struct pen *pen, int index, int around)
{
    const struct act_node *node = &pen->expression->node[essence(pen, index)];
    bool brackets = binding(node->kind) < around;

    if (brackets)
        act_writer_put(pen->writer, "(");
    switch (node->kind) {
    case ACT_NODE_NUMBER:
        for (int i = 0; i < node->length; i++)
            act_writer_put_char(pen->writer, node->text[i]);
        break;
    case ACT_NODE_SYMBOL:
        pen->hand->symbol(pen->hand->context, node->symbol, pen->writer);
        note(pen->written, node->symbol);
        break;
    case ACT_NODE_MAX:
        write_call(pen, "max", node);
        break;
    case ACT_NODE_MIN:
        write_call(pen, "min", node);
        break;
    default:
        write_sign(pen, node);
        break;
    }
    if (brackets)
        act_writer_put(pen->writer, ")");
}

void act_expression_write(const struct act_expression *expression, const struct act_hand *hand,
                          struct act_writer *writer, struct act_written *written)
{
    struct pen pen = {.expression = expression,
                      .hand = hand,
                      .writer = writer,
                      .written = written,
                      /* Of a sum that is 0 every part is as good as another. */
                      .whole = hand->exact || expression->node[expression->root].value == 0};

    written->count = 0;
    write_node(&pen, expression->root, BIND_SUM);
}

int act_expression_symbol(const struct act_expression *expression, const struct act_hand *hand)
{
    struct pen pen = {.expression = expression, .hand = hand, .whole = hand->exact};
    const struct act_node *node = &expression->node[essence(&pen, expression->root)];

    return node->kind == ACT_NODE_SYMBOL ? node->symbol : -1;
}

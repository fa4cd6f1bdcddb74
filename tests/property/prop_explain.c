/* Every formula that can be shown is evaluated again, from its printed text, by a reader of its
 * own, and compared with what the engine computed: as exact C with all digits, and as people see
 * it. And every figure of a stage is the figure that its explanation ends in. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "random_plan.h"

#include "core/expression.h"
#include "core/terms.h"

#include <actuary/estimate.h>
#include <actuary/explain.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

enum { PLANS = 600 };

static uint64_t seed;
static struct act_result result;
static struct act_sheets sheets;

/* A value, and how large the numbers are that it is made of: what rounding is measured by. */
struct sum {
    double value, size;
};

static const char *at;
static struct act_explanation meant; /* whose symbols are read */

static struct sum read_terms(void);

static bool take(const char *text)
{
    while (*at == ' ')
        at++;
    size_t length = strlen(text);
    if (strncmp(at, text, length) != 0)
        return false;
    at += length;
    return true;
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* A symbol has the value that the explanation gives beside it. */
static struct sum read_symbol(void)
{
    size_t length = 0;

    while (is_letter(at[length]) || at[length] == '_' || (at[length] >= '0' && at[length] <= '9'))
        length++;
    for (int i = 0; i < meant.uses; i++) {
        const struct act_use *use = &meant.use[i];
        if (strlen(use->symbol) == length && memcmp(use->symbol, at, length) == 0) {
            at += length;
            return (struct sum){use->value, fabs(use->value)};
        }
    }
    fail_msg("no symbol at \"%s\"", at);
    return (struct sum){0, 0};
}

static struct sum read_number(void)
{
    static const struct {
        const char *suffix;
        double size;
    } suffixes[] = {{" PiB", 0x1p50}, {" TiB", 0x1p40}, {" GiB", 0x1p30}, {" MiB", 0x1p20},
                    {" KiB", 0x1p10}, {" bytes", 1},    {" P", 1e15},     {" T", 1e12},
                    {" B", 1e9},      {" M", 1e6}};
    char digits[64], *end;
    size_t length = 0;

    for (; (*at >= '0' && *at <= '9') || *at == '.' || *at == ',' || *at == 'e' ||
           (length > 0 && *at == '-' && at[-1] == 'e');
         at++) {
        /* A comma is a separator of thousands when three digits follow it. */
        if (*at == ',' && !(at[1] >= '0' && at[1] <= '9'))
            break;
        if (*at != ',')
            digits[length++] = *at;
        assert_true(length < sizeof digits);
    }
    digits[length] = '\0';
    double value = strtod(digits, &end);
    if (length == 0 || *end != '\0')
        fail_msg("no number at \"%s\"", at);
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++)
        if (strncmp(at, suffixes[i].suffix, strlen(suffixes[i].suffix)) == 0) {
            at += strlen(suffixes[i].suffix);
            value *= suffixes[i].size;
        }
    return (struct sum){value, value};
}

static struct sum read_leaf(void)
{
    bool max = take("max(") || take("fmax("), min = !max && (take("min(") || take("fmin("));
    struct sum ret;

    if (max || min) {
        ret = read_terms();
        while (take(",")) {
            struct sum next = read_terms();
            ret.value = max ? fmax(ret.value, next.value) : fmin(ret.value, next.value);
            ret.size = fmax(ret.size, next.size);
        }
        assert_true(take(")"));
        return ret;
    }
    if (take("(")) {
        ret = read_terms();
        assert_true(take(")"));
        return ret;
    }
    if (take("-")) {
        ret = read_leaf();
        return (struct sum){-ret.value, ret.size};
    }
    while (*at == ' ')
        at++;
    return is_letter(*at) ? read_symbol() : read_number();
}

static struct sum read_factors(void)
{
    struct sum ret = read_leaf();

    for (;;) {
        if (take("*") || take("×") || take("·")) {
            struct sum next = read_leaf();
            ret = (struct sum){ret.value * next.value, ret.size * next.size};
        } else if (take("/")) {
            struct sum next = read_leaf();
            ret = (struct sum){ret.value / next.value, ret.size / fabs(next.value)};
        } else {
            return ret;
        }
    }
}

static struct sum read_terms(void)
{
    struct sum ret = read_factors();

    for (;;) {
        bool plus = take("+"), minus = !plus && (take("−") || take("-"));
        if (!plus && !minus)
            return ret;
        struct sum next = read_factors();
        ret.value += plus ? next.value : -next.value;
        ret.size += next.size;
    }
}

static struct sum evaluate(const char *text)
{
    at = text;
    struct sum ret = read_terms();
    if (*at != '\0')
        fail_msg("left over: \"%s\" of \"%s\"", at, text);
    return ret;
}

static void check_value(const char *printed, double share, int plan)
{
    struct sum sum = evaluate(printed);
    double value = meant.value;

    if (!(fabs(sum.value - value) <= share * fmax(sum.size, fabs(value))))
        fail_msg("seed %llu, plan %d, %s: %s is %.10g, not %.10g", (unsigned long long)seed, plan,
                 meant.symbol, printed, sum.value, value);
}

/* What is printed of a term gives its value: the formula with the values of its symbols, and the
 * numbers; four digits a number in what people see. */
static void check_term(struct act_term term, int plan)
{
    static const enum act_notation notations[] = {ACT_NOTATION_EXACT, ACT_NOTATION_ASCII,
                                                  ACT_NOTATION_UTF8};

    for (size_t i = 0; i < sizeof notations / sizeof *notations; i++) {
        act_explain(&sheets, term, notations[i], &meant);
        assert_non_null(meant.symbol);
        assert_true(meant.meaning[0] != '\0');
        if (meant.given)
            return;
        assert_true(strlen(meant.formula) + 1 < sizeof meant.formula);
        assert_true(strlen(meant.numbers) + 1 < sizeof meant.numbers);
        assert_true(meant.source[0] != '\0');
        check_value(meant.formula, 1e-9, plan);
        check_value(meant.numbers, notations[i] == ACT_NOTATION_EXACT ? 1e-9 : 4e-3, plan);
        for (int k = 0; k < meant.uses; k++)
            assert_true(meant.use[k].value == act_term_value(&sheets, meant.use[k].term));
        for (const char *c = meant.formula; notations[i] == ACT_NOTATION_ASCII && *c != '\0'; c++)
            assert_true(*c >= ' ' && *c < 0x7f);
    }
}

static double value_of(const char *symbol)
{
    struct act_term term;

    if (!act_sheets_find(&sheets, ACT_SHEET_STAGE, symbol, &term))
        fail_msg("no %s", symbol);
    return act_term_value(&sheets, term);
}

static void same(double explained, double shown, const char *what, int plan)
{
    if (!(fabs(explained - shown) <= 1e-12 * fabs(shown)))
        fail_msg("seed %llu, plan %d: %s is explained as %.17g, shown as %.17g",
                 (unsigned long long)seed, plan, what, explained, shown);
}

/* The figures of a stage are those of its sheets. */
static void check_stage(const struct act_stage *stage, int plan)
{
    struct act_figure figure[ACT_FIGURES_MAX];

    same(value_of("allocated"), stage->allocated, "allocated", plan);
    same(value_of("reserved"), stage->reserved, "reserved", plan);
    same(value_of("device"), stage->device, "device", plan);
    for (int k = 0; k < ACT_PHASE_COUNT; k++) {
        for (int i = 0; i < ACT_FRAGMENTATION; i++) {
            struct act_term term;
            const char *name = act_component_name((enum act_component)i);
            if (act_sheets_component(&sheets, (enum act_phase)k, (enum act_component)i, &term))
                same(act_term_value(&sheets, term), stage->contents[k][i], name, plan);
            else
                same(0, stage->contents[k][i], name, plan);
        }
    }
    int count = act_sheets_figures(&sheets, stage->phase, figure);
    assert_in_range(count, 2, ACT_FIGURES_MAX);
    for (int i = 0; i < count; i++)
        assert_true(figure[i].name[0] != '\0' && figure[i].letter >= ' ');
}

static void test_every_formula(void **state)
{
    struct act_plan plan;
    int terms = 0;

    (void)state;
    for (int i = 0; i < PLANS; i++) {
        act_plan_init(&plan);
        for (int k = 0; k < 30; k++)
            change(&plan, act_field((enum act_field_id)below(ACT_FIELD_COUNT)));
        act_estimate(&plan, &result);
        int stage = (int)below(result.memory.stages);
        act_sheets_of(&plan, stage, &sheets);
        check_stage(&result.memory.stage[stage], i);
        struct act_term term = {ACT_SHEET_STAGE, -1};
        while (act_sheets_next(&sheets, &term)) {
            check_term(term, i);
            terms++;
        }
    }
    assert_true(terms > 100 * PLANS);
}

static int look_up(const void *context, const char *name, int length, double *ret_value)
{
    const struct act_term_table *table = context;

    *ret_value = 1;
    for (int i = 0; i < table->count; i++)
        if (table->row[i].kind <= ACT_ROW_TERM && strlen(table->row[i].symbol) == (size_t)length &&
            memcmp(table->row[i].symbol, name, (size_t)length) == 0)
            return i;
    return -1;
}

/* Every formula that a table holds, also those that no random plan reached, reads. */
static void test_every_row(void **state)
{
    static struct act_expression expression;
    static const enum act_family families[] = {ACT_TEXTBOOK, ACT_MEGATRON, ACT_FSDP};
    struct act_plan plan;

    (void)state;
    for (size_t f = 0; f < sizeof families / sizeof *families; f++) {
        act_plan_init(&plan);
        plan.framework.family = families[f];
        plan.model.experts = 8; /* layers of both kinds */
        plan.model.dense_layers = 1;
        act_sheets_of(&plan, 0, &sheets);
        for (int s = 0; s < ACT_SHEET_COUNT; s++) {
            const struct act_term_table *table = sheets.table[s];
            for (int i = 0; table != NULL && i < table->count; i++) {
                const struct act_term_row *row = &table->row[i];
                if (row->kind == ACT_ROW_WHEN || row->kind == ACT_ROW_TERM)
                    assert_true(row->source[0] != '\0' &&
                                act_expression_read(row->formula, look_up, table, &expression));
                if (row->kind <= ACT_ROW_TERM)
                    assert_true(row->meaning[0] != '\0' && row->place < ACT_TERMS_MAX);
                struct act_term other;
                if (row->kind == ACT_ROW_FROM)
                    assert_true(
                        act_sheets_find(&sheets, (enum act_sheet)row->sheet, row->other, &other));
                if (row->kind == ACT_ROW_WHEN)
                    assert_true(act_sheets_find(&sheets, (enum act_sheet)s, row->other, &other));
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_formula),
        cmocka_unit_test(test_every_row),
    };
    const char *given = getenv("ACTUARY_SEED");

    seed = given ? strtoull(given, NULL, 10) : 20261130;
    seed_random(seed);
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Explanations of known plans: formulas as people read them, numbers put in, the chapter's own
 * figures, and figures that are asked for by name. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "memory_plans.h"

#include "core/expression.h"

#include <actuary/estimate.h>
#include <actuary/explain.h>
#include <cmocka.h>
#include <math.h>
#include <string.h>

static struct act_sheets sheets;
static struct act_explanation text;

static void explain(const char *symbol, enum act_notation notation)
{
    struct act_figure figure;

    if (!act_sheets_named(&sheets, ACT_PHASE_BACKWARD, symbol, &figure))
        fail_msg("no %s", symbol);
    act_explain(&sheets, figure.term, notation, &text);
}

/* Llama-2-70B, TP 4, PP 2, DP 8: 40 layers a stage, two micro batches alive on the first. */
static void plan_example(struct act_plan *plan)
{
    plan_megatron(plan);
    model_llama2_70b(&plan->model);
    plan->training.sequence = 4096;
    plan->training.micro_batch = 1;
    plan->training.global_batch = 1024;
    plan->parallel.tensor = 4;
    plan->parallel.pipeline = 2;
    plan->parallel.data = 8;
    plan->parallel.sequence_parallel = 1;
    plan->hardware.usable_memory = 80 * gib;
}

static void test_what_applies_is_written(void **state)
{
    struct act_plan plan;

    (void)state;
    plan_example(&plan);
    act_sheets_of(&plan, 0, &sheets);
    explain("activations", ACT_NOTATION_UTF8);
    assert_string_equal(text.formula, "alive·kept_dense·A_dense");
    assert_string_equal(text.numbers, "2 × 40 × 268.2 MiB");
    assert_int_equal(text.uses, 3);
    assert_string_equal(text.use[0].symbol, "alive");
    assert_true(text.use[0].value == 2);
    /* 2 + 2 units of h for norms, 2 + 2 for what the linear layers read, split four ways. */
    explain("dense.stream", ACT_NOTATION_ASCII);
    assert_string_equal(text.formula, "T * h * q * (norms * kept_norm + reads * el)");
    assert_string_equal(text.numbers, "4,096 * 8,192 * 0.25 * (2 * 2 + 2 * 2)");
    assert_true(text.value == 4096.0 * 8192 * 8 / 4);

    /* Dropout adds its masks, full recompute another term. */
    plan.training.hidden_dropout = 0.1;
    plan.parallel.recompute = ACT_RECOMPUTE_FULL;
    act_sheets_of(&plan, 0, &sheets);
    explain("dense.stream", ACT_NOTATION_UTF8);
    assert_string_equal(text.formula, "T·h·q·(norms·kept_norm + reads·el + masks)");
    explain("activations", ACT_NOTATION_UTF8);
    assert_string_equal(text.formula, "alive·full_layers·input + masked·T·h·q");
}

/* weights -> all_weights -> own_weights: what only hands on is seen through. */
static void test_handing_on_is_seen_through(void **state)
{
    struct act_plan plan;

    (void)state;
    plan_example(&plan);
    act_sheets_of(&plan, 0, &sheets);
    explain("weights", ACT_NOTATION_UTF8);
    assert_string_equal(text.formula, "W·(matrix + rest)");
    assert_string_equal(text.symbol, "weights");
    plan.parallel.zero = 3;
    act_sheets_of(&plan, 0, &sheets);
    explain("weights", ACT_NOTATION_UTF8);
    assert_string_equal(text.formula, "W·(matrix + rest)/D_w");
    explain("usable", ACT_NOTATION_UTF8);
    assert_true(text.given);
    assert_true(text.value == 80 * gib);
    assert_string_equal(text.formula, "");
}

static int chapter(const struct act_plan *plan, const char *symbol, struct act_chapter *line)
{
    struct act_figure figure;

    act_sheets_of(plan, 0, &sheets);
    if (!act_sheets_named(&sheets, ACT_PHASE_BACKWARD, symbol, &figure))
        fail_msg("no %s", symbol);
    return act_explain_chapter(plan, &sheets, figure.term, ACT_NOTATION_UTF8, line);
}

static void near(double value, double expected)
{
    if (!(fabs(value - expected) <= 1e-9 * expected))
        fail_msg("%.3f is not %.3f", value, expected);
}

/* engine.md 7: 980 GB of static memory, 122.5 with TP 8; four activation forms; the 105 GB that
 * the chapter quotes for one layout. */
static void test_the_chapter_stands_beside(void **state)
{
    struct act_chapter line[ACT_CHAPTER_MAX];
    struct act_plan plan;

    (void)state;
    plan_example(&plan);
    plan.model.parameters = 70e9;
    plan.parallel.zero = 0;
    plan.parallel.pipeline = 1;
    plan.parallel.tensor = 1;
    assert_int_equal(chapter(&plan, "states", line), 1);
    near(line[0].bytes, 980e9);
    plan.parallel.tensor = 8;
    assert_int_equal(chapter(&plan, "states", line), 1);
    near(line[0].bytes, 122.5e9);
    assert_int_equal(chapter(&plan, "weights", line), 1);
    near(line[0].bytes, 17.5e9);
    assert_string_equal(line[0].formula, "W·held");

    assert_int_equal(chapter(&plan, "activations", line), 4);
    double unit = 4096.0 * 8192 * 80;
    near(line[0].bytes, unit * (34 + 5.0 * 64 * 4096 / (8192 * 8)));
    near(line[1].bytes, unit * (10 + 24.0 / 8) / 8);
    near(line[2].bytes, unit * 2 * (1 + 64.0 / (8192 * 8)));
    near(line[3].bytes, 2.0 * 4096 * 70 / 80 * 1e6); /* "7168 MB" */
    assert_true(line[0].in_use && !line[1].in_use && !line[2].in_use && !line[3].in_use);
    plan.framework.textbook_activations = ACT_TEXTBOOK_SIMPLE;
    assert_int_equal(chapter(&plan, "activations", line), 4);
    assert_true(!line[0].in_use && !line[1].in_use && line[2].in_use && !line[3].in_use);

    assert_int_equal(chapter(&plan, "allocated", line), 1);
    plan.parallel.recompute = ACT_RECOMPUTE_FULL;
    assert_int_equal(chapter(&plan, "allocated", line), 2);
    near(line[1].bytes, 105e9);
    assert_int_equal(chapter(&plan, "context", line), 0);
    /* Its own form of full recompute stands first. */
    assert_int_equal(chapter(&plan, "activations", line), 5);
    near(line[0].bytes, 2 * 4096.0 * 8192 * 80);
    assert_true(line[0].in_use && !line[3].in_use);
    /* LoRA is 2P + 14P' whatever the base is stored as. */
    plan.training.method = ACT_QLORA;
    plan.training.quantisation = ACT_NF4;
    assert_int_equal(chapter(&plan, "weights", line), 1);
    assert_true(line[0].bytes > 17.5e9 && line[0].bytes < 17.8e9);
    plan.framework.family = ACT_TEXTBOOK;
    assert_int_equal(chapter(&plan, "weights", line), 0);
}

/* In every family weights, gradients, optimizer and activations have the chapter's figure beside
 * them, in whatever phase the peak is. */
static void test_every_component_has_the_chapters(void **state)
{
    static const enum act_component components[] = {ACT_WEIGHTS, ACT_GRADIENTS, ACT_OPTIMIZER,
                                                    ACT_ACTIVATIONS};
    struct act_chapter line[ACT_CHAPTER_MAX];
    struct act_plan plan;
    struct act_term term;

    (void)state;
    for (int family = ACT_MEGATRON; family <= ACT_FSDP; family++) {
        plan_example(&plan);
        plan.framework.family = family;
        act_sheets_of(&plan, 0, &sheets);
        for (int phase = ACT_PHASE_LOSS; phase <= ACT_PHASE_BACKWARD; phase++)
            for (size_t i = 0; i < sizeof components / sizeof *components; i++)
                if (act_sheets_component(&sheets, (enum act_phase)phase, components[i], &term))
                    assert_true(act_explain_chapter(&plan, &sheets, term, ACT_NOTATION_UTF8, line) >
                                0);
                else
                    fail_msg("no %s", act_component_name(components[i]));
    }
}

/* A dense model has no MoE layer to explain; what is typed is not said to be measured. */
static void test_nothing_is_made_up(void **state)
{
    struct act_figure figure;
    struct act_plan plan;

    (void)state;
    plan_example(&plan);
    act_sheets_of(&plan, 0, &sheets);
    assert_false(act_sheets_named(&sheets, ACT_PHASE_BACKWARD, "moe.whole", &figure));
    assert_true(act_sheets_named(&sheets, ACT_PHASE_BACKWARD, "in backward", &figure));
    explain("device", ACT_NOTATION_UTF8);
    assert_true(text.error == 0.10);
    explain("allocated", ACT_NOTATION_UTF8);
    assert_true(text.error == 0.03);
    explain("reserved", ACT_NOTATION_UTF8);
    assert_non_null(strstr(text.source, "fitted"));
    plan.hardware.fragmentation = 1.2;
    plan.hardware.context_memory = 5 * gib;
    act_sheets_of(&plan, 0, &sheets);
    explain("reserved", ACT_NOTATION_UTF8);
    assert_string_equal(text.source, "hardware.fragmentation as it is given");
    explain("context", ACT_NOTATION_UTF8);
    assert_string_equal(text.source, "hardware.context_memory as it is given");
    assert_string_equal(text.numbers, "5 GiB");
}

static void test_values_have_four_digits(void **state)
{
    static const struct {
        double value;
        enum act_term_unit unit;
        const char *text;
    } cases[] = {
        {21.04 * 1073741824.0, ACT_TERM_BYTES, "21.04 GiB"},
        {512, ACT_TERM_BYTES, "512 bytes"},
        {-8.978 * 1073741824.0, ACT_TERM_BYTES, "-8.978 GiB"},
        {8.6236e9, ACT_TERM_PARAMETERS, "8.624 B"},
        {999999, ACT_TERM_COUNT, "999,999"},
        {2.5, ACT_TERM_COUNT, "2.5"},
        {0.015869140625, ACT_TERM_NUMBER, "0.01587"},
        {1.234567e-8, ACT_TERM_NUMBER, "1.235e-8"},
        {0, ACT_TERM_BYTES, "0 bytes"},
        {1e7, ACT_TERM_NUMBER, "10,000,000"},
    };
    char out[48];

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        act_term_format(cases[i].value, cases[i].unit, out, sizeof out);
        assert_string_equal(out, cases[i].text);
    }
}

/* ---- expressions by themselves ---- */

static const char *const symbols[] = {"a", "b", "nought", "on"};
static const double values[] = {6, 3, 0, 1};

static int look_up(const void *context, const char *name, int length, double *ret_value)
{
    (void)context;
    for (int i = 0; i < 4; i++)
        if (strlen(symbols[i]) == (size_t)length && memcmp(symbols[i], name, (size_t)length) == 0) {
            *ret_value = values[i];
            return i;
        }
    return -1;
}

static void write_symbol(const void *context, int symbol, struct act_writer *writer)
{
    (void)context;
    act_writer_put(writer, symbols[symbol]);
}

static bool optional(const void *context, int symbol)
{
    (void)context;
    return symbol == 3;
}

static void test_expressions(void **state)
{
    static const struct {
        const char *text, *written;
        double value;
    } cases[] = {
        {"a - (b - 1)", "a - (b - 1)", 4},
        {"a / (b * 2)", "a / (b * 2)", 1},
        {"a / b * 2", "a / b * 2", 4},
        {"(a + b) * 2.5e1", "(a + b) * 2.5e1", 225},
        {"fmax(a, fmax(b, 7))", "max(a, b, 7)", 7},
        {"fmin(a, b)", "min(a, b)", 3},
        {"a + nought * b", "a", 6},
        {"nought * b + a", "a", 6},
        {"fmax(nought, b)", "b", 3},
        {"on * (a + b)", "a + b", 9},
        {"a * (b + nought)", "a * b", 18},
        {"a / on", "a", 6},
        {"nought + nought", "nought + nought", 0},
        {"2 * on", "2 * on", 2},
        {"fmax(nought - b, nought)", "max(nought - b, nought)", 0},
        {"0.0", "0.0", 0},
    };
    static const char *const refused[] = {"",    "a +",     "(a",       "unknown",
                                          "a b", "fmax(a)", "a ? b : 1"};
    const struct act_hand hand = {.symbol = write_symbol,
                                  .optional = optional,
                                  .times = " * ",
                                  .over = " / ",
                                  .minus = " - "};
    struct act_expression expression;
    struct act_written written;
    struct act_writer writer;
    char out[128], deep[400];

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_true(act_expression_read(cases[i].text, look_up, NULL, &expression));
        assert_true(expression.node[expression.root].value == cases[i].value);
        act_writer_init(&writer, out, sizeof out);
        act_expression_write(&expression, &hand, &writer, &written);
        assert_string_equal(out, cases[i].written);
    }
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        assert_false(act_expression_read(refused[i], look_up, NULL, &expression));
    /* Too deep, and too long. */
    memset(deep, '(', sizeof deep);
    deep[sizeof deep - 1] = '\0';
    assert_false(act_expression_read(deep, look_up, NULL, &expression));
    for (size_t i = 0; i + 1 < sizeof deep; i++)
        deep[i] = i % 2 == 0 ? 'a' : '+';
    assert_false(act_expression_read(deep, look_up, NULL, &expression));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_applies_is_written),
        cmocka_unit_test(test_handing_on_is_seen_through),
        cmocka_unit_test(test_the_chapter_stands_beside),
        cmocka_unit_test(test_every_component_has_the_chapters),
        cmocka_unit_test(test_nothing_is_made_up),
        cmocka_unit_test(test_values_have_four_digits),
        cmocka_unit_test(test_expressions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

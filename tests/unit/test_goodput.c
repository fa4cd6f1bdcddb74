/* Checkpoints and failures: against a second formula, a search, and failures thrown by dice. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <actuary/goodput.h>

#include <math.h>

static void assert_near(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance)) {
        fail_msg("%.9g instead of %.9g +- %.3g", value, expected, tolerance);
    }
}

static const struct {
    double write, restart, between;
} cases[] = {
    {40, 600, 11160},   /* 16,384 GPUs of Llama 3 (facts: presets 8) */
    {30, 600, 168750},  /* 1,024 GPUs at 0.5 failures in 1,000 GPU-days */
    {30, 600, 28125},   /* at 3 */
    {9.8, 300, 28125},  /* the chapter's 980 GB at 100 GB/s */
    {600, 1800, 28125}, /* slow storage */
    {120, 1200, 828},   /* 131,072 GPUs: a failure every 0.23 h */
    {1, 0, 1e7},
};

enum { CASES = sizeof cases / sizeof cases[0] };

/* Daly's second formula: sqrt(2 d M) (1 + 1/3 sqrt(d / 2M) + d / 18M) - d. */
static double daly_interval(double write, double between)
{
    double part = write / (2 * between);

    return sqrt(2 * write * between) * (1 + sqrt(part) / 3 + part / 9) - write;
}

/* The best interval found by trying: the share has one maximum. */
static double searched_interval(double write, double restart, double between)
{
    double low = 1, high = 20 * between;

    for (int i = 0; i < 200; i++) {
        double a = low + (high - low) / 3, b = high - (high - low) / 3;
        if (act_goodput_share(a, write, restart, between) <
            act_goodput_share(b, write, restart, between)) {
            low = a;
        } else {
            high = b;
        }
    }
    return (low + high) / 2;
}

static void test_interval_by_hand(void **state)
{
    (void)state;
    /* sqrt(2 x 40 x 11,160) = sqrt(892,800) */
    assert_near(act_checkpoint_interval(40, 11160), 944.88, 0.01);
    /* sqrt(2 x 30 x 168,750) = sqrt(10,125,000) */
    assert_near(act_checkpoint_interval(30, 168750), 3181.98, 0.01);
    assert_true(isinf(act_checkpoint_interval(30, INFINITY)));
    /* Writing takes longer than the cluster holds: Daly's end of the formula. */
    assert_near(act_checkpoint_interval(500, 200), 200, 0);
    assert_near(act_checkpoint_interval(400, 200), 200, 0);
    assert_near(act_checkpoint_interval(399, 200), 399.5, 0.1);
    assert_near(act_checkpoint_interval(0, 200), 1, 0);
}

static void test_interval_against_the_best(void **state)
{
    (void)state;
    for (int i = 0; i < CASES; i++) {
        double write = cases[i].write, restart = cases[i].restart, between = cases[i].between;
        double interval = act_checkpoint_interval(write, between);
        double best = searched_interval(write, restart, between);
        /* Daly's second formula finds the maximum; Young's is beside it, where it is flat. */
        assert_near(daly_interval(write, between), best, best * 0.01);
        assert_near(interval, best, best * (write > between / 50 ? 0.4 : 0.15));
        double lost = act_goodput_share(best, write, restart, between) -
                      act_goodput_share(interval, write, restart, between);
        assert_true(lost >= -1e-12 && lost < 0.01);
    }
}

static void test_share_to_first_order(void **state)
{
    (void)state;
    /* facts: presets 8. 40/945 + 945/(2 x 11,160) + 600/11,160 = 4.2 + 4.2 + 5.4 % are lost. */
    double share = act_goodput_share(944.88, 40, 600, 11160);
    assert_near(share, 1 - (0.0423 + 0.0423 + 0.0538), 0.01);
    for (int i = 0; i < CASES; i++) {
        double write = cases[i].write, restart = cases[i].restart, between = cases[i].between;
        double interval = act_checkpoint_interval(write, between);
        double lost = write / interval + interval / (2 * between) + restart / between;
        double exact = act_goodput_share(interval, write, restart, between);
        assert_near(exact, 1 / (1 + lost), lost * lost);
    }
}

/* 0 to 1, never either. */
static double throw_dice(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return ((double)(*seed >> 11) + 0.5) / 9007199254740992.0;
}

/* Time from one failure to the next: any moment is as good as any other. */
static double next_failure(uint64_t *seed, double between)
{
    return -log(throw_dice(seed)) * between;
}

/* A run of `pieces` intervals that is told second by second, without any formula. */
static double simulated_share(double interval, double write, double restart, double between,
                              int pieces, uint64_t seed)
{
    double calendar = 0, failure = next_failure(&seed, between);

    for (int done = 0; done < pieces;) {
        double end = calendar + interval + write;
        if (end <= failure) {
            calendar = end;
            done++;
            continue;
        }
        do { /* a restart may fail too */
            calendar = failure;
            failure = calendar + next_failure(&seed, between);
        } while (failure < calendar + restart);
        calendar += restart;
    }
    return pieces * interval / calendar;
}

static void test_share_against_dice(void **state)
{
    (void)state;
    for (int i = 0; i < CASES; i++) {
        double write = cases[i].write, restart = cases[i].restart, between = cases[i].between;
        double interval = act_checkpoint_interval(write, between);
        assert_near(act_goodput_share(interval, write, restart, between),
                    simulated_share(interval, write, restart, between, 400000, 7), 0.004);
        interval = between / 2;
        assert_near(act_goodput_share(interval, write, restart, between),
                    simulated_share(interval, write, restart, between, 400000, 11), 0.004);
    }
}

static void test_ends_of_the_share(void **state)
{
    (void)state;
    assert_near(act_goodput_share(INFINITY, 40, 600, INFINITY), 1, 0);
    assert_near(act_goodput_share(INFINITY, 40, 600, 1000), 0, 0);
    assert_near(act_goodput_share(960, 40, 600, INFINITY), 0.96, 1e-12);
    assert_near(act_goodput_share(1e7, 40, 600, 1), 0, 0);
    assert_near(act_goodput_share(1, 0, 1e9, 1), 0, 0);
    for (int i = 0; i < CASES; i++) {
        double write = cases[i].write, restart = cases[i].restart, between = cases[i].between;
        double share = act_goodput_share(1000, write, restart, between);
        assert_true(share > 0 && share < 1);
        assert_true(act_goodput_share(1000, write + 10, restart, between) < share);
        assert_true(act_goodput_share(1000, write, restart + 10, between) < share);
        assert_true(act_goodput_share(1000, write, restart, between * 1.1) > share);
    }
}

static struct act_plan plan_of(double failures)
{
    struct act_plan plan;

    act_plan_init(&plan);
    plan.cost.failures_per_1000_gpu_days = failures;
    plan.cost.checkpoint_bytes_per_parameter = 14;
    return plan;
}

static void test_goodput_of_a_plan(void **state)
{
    (void)state;
    const struct act_parameters parameters = {.total = 70e9, .trainable = 70e9};
    struct act_plan plan = plan_of(3);
    struct act_goodput goodput;

    /* 1,024 GPUs: 1,000 / 3,072 of a day; 7.8 hours, where 7.9 were measured (2.97) */
    act_goodput_of(&plan, &parameters, 1024, &goodput);
    assert_near(goodput.mean_time_between_failures, 28125, 1e-6);
    assert_near(goodput.checkpoint_bytes, 980e9, 1);
    assert_near(goodput.checkpoint_seconds, 30, 0);
    assert_near(goodput.interval, 1299.04, 0.01); /* sqrt(2 x 30 x 28,125) */
    assert_near(goodput.restart_seconds, 600, 0);
    assert_near(goodput.share, 1299.04 / (28125 * exp(600 / 28125.0) * (exp(1329.04 / 28125) - 1)),
                1e-6);

    /* Storage that is known: 980 GB at 100 GB/s. */
    plan.cost.checkpoint_bandwidth = 100e9;
    act_goodput_of(&plan, &parameters, 1024, &goodput);
    assert_near(goodput.checkpoint_seconds, 9.8, 1e-9);
    plan.cost.checkpoint_minutes = 30;
    act_goodput_of(&plan, &parameters, 1024, &goodput);
    assert_near(goodput.interval, 1800, 0);

    /* Llama 3: 0.47 on 16,384 GPUs is a failure every 3.1 hours. */
    plan = plan_of(0.47);
    act_goodput_of(&plan, &parameters, 16384, &goodput);
    assert_near(goodput.mean_time_between_failures / 3600, 3.1, 0.05);

    /* The interval of a run that says nothing of failures is reckoned with the usual ones. */
    plan = plan_of(ACT_AUTO);
    act_goodput_of(&plan, &parameters, 1024, &goodput);
    assert_near(goodput.failures, 0.5, 0);
    assert_near(goodput.interval, 3181.98, 0.01);

    plan = plan_of(0);
    act_goodput_of(&plan, &parameters, 1024, &goodput);
    assert_true(isinf(goodput.mean_time_between_failures) && isinf(goodput.interval));
    assert_near(goodput.share, 1, 0);
    assert_near(goodput.lost_to_restarts, 0, 0);
}

static void test_losses_add_up(void **state)
{
    (void)state;
    const struct act_parameters parameters = {.total = 70e9, .trainable = 70e9};
    static const double rates[] = {0, 0.01, 0.5, 3, 50, 1000, 1e5};

    for (size_t i = 0; i < sizeof rates / sizeof rates[0]; i++) {
        for (double gpus = 1; gpus <= 1e6; gpus *= 10) {
            struct act_plan plan = plan_of(rates[i]);
            struct act_goodput goodput;
            act_goodput_of(&plan, &parameters, gpus, &goodput);
            assert_near(goodput.share + goodput.lost_to_checkpoints + goodput.lost_to_rework +
                            goodput.lost_to_restarts,
                        1, 1e-9);
            assert_true(goodput.lost_to_checkpoints >= 0 && goodput.lost_to_rework >= 0 &&
                        goodput.lost_to_restarts >= 0);
        }
    }
    /* 40/945, 945/(2 x 11,160) and 600/11,160 again, now each by itself */
    struct act_plan plan = plan_of(1);
    struct act_goodput goodput;
    plan.cost.checkpoint_stall = 40;
    act_goodput_of(&plan, &parameters, 86400 / 11.160, &goodput);
    assert_near(goodput.mean_time_between_failures, 11160, 1e-6);
    assert_near(goodput.lost_to_checkpoints, 0.042, 0.006);
    assert_near(goodput.lost_to_rework, 0.042, 0.006);
    assert_near(goodput.lost_to_restarts, 0.054, 0.006);
}

static void test_checkpoint_bytes(void **state)
{
    (void)state;
    struct act_plan plan = plan_of(ACT_AUTO);
    struct act_parameters parameters = {.total = 176.25e9, .trainable = 176.25e9};

    /* BLOOM: 2.3 TiB, 14.3 bytes a parameter (facts: presets 8). */
    assert_near(act_checkpoint_bytes(&plan, &parameters), 2.3 * 1099511627776.0, 0.07e12);
    plan.cost.checkpoint_bytes_per_parameter = 2; /* weights alone: "329 GB" are 328.3 GiB */
    assert_near(act_checkpoint_bytes(&plan, &parameters) / 1073741824.0, 328.3, 0.05);

    plan.cost.checkpoint_bytes_per_parameter = 14;
    plan.training.method = ACT_LORA;
    parameters = (struct act_parameters){.total = 7e9, .trainable = 4e7};
    assert_near(act_checkpoint_bytes(&plan, &parameters), 5.6e8, 1);
    plan.training.method = ACT_FREEZE; /* the frozen weights are written with the others */
    parameters.trainable = 1e9;
    assert_near(act_checkpoint_bytes(&plan, &parameters), 14e9 + 12e9, 1);
}

/* What memory counts of states is what a checkpoint holds. */
static void test_checkpoint_width(void **state)
{
    static const struct {
        enum act_optimizer optimizer;
        enum act_precision precision;
        double master, weight, width;
    } widths[] = {
        {ACT_ADAMW, ACT_BF16, 1, 2, 2 + 4 + 8},   {ACT_ADAMW, ACT_FP32, 1, 2, 4 + 8},
        {ACT_ADAMW, ACT_BF16, 0, 4, 4 + 8},       {ACT_SGD, ACT_BF16, 1, 2, 2 + 4},
        {ACT_ADAMW_BF16, ACT_BF16, 0, 2, 2 + 4},  {ACT_LION, ACT_BF16, 1, 2, 2 + 4 + 4},
        {ACT_ADAM_8BIT, ACT_BF16, 0, 2, 4.03125},
    };

    (void)state;
    for (size_t i = 0; i < sizeof widths / sizeof widths[0]; i++) {
        struct act_plan plan;
        act_plan_init(&plan);
        plan.framework.family = ACT_MEGATRON;
        plan.framework.master_weights = widths[i].master > 0;
        plan.framework.weight_bytes = widths[i].weight;
        plan.training.optimizer = widths[i].optimizer;
        plan.training.precision = widths[i].precision;
        act_plan_resolve(&plan, &plan);
        assert_near(plan.cost.checkpoint_bytes_per_parameter, widths[i].width, 1e-12);
        assert_near(act_checkpoint_width(&plan), widths[i].width, 1e-12);
    }
    struct act_plan plan;
    act_plan_init(&plan);
    plan.framework.family = ACT_TEXTBOOK; /* the chapter's figure */
    act_plan_resolve(&plan, &plan);
    assert_near(plan.cost.checkpoint_bytes_per_parameter, 14, 0);
    plan.cost.checkpoint_bytes_per_parameter = 2; /* typed */
    act_plan_resolve(&plan, &plan);
    assert_near(plan.cost.checkpoint_bytes_per_parameter, 2, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_interval_by_hand),
        cmocka_unit_test(test_interval_against_the_best),
        cmocka_unit_test(test_share_to_first_order),
        cmocka_unit_test(test_share_against_dice),
        cmocka_unit_test(test_ends_of_the_share),
        cmocka_unit_test(test_goodput_of_a_plan),
        cmocka_unit_test(test_losses_add_up),
        cmocka_unit_test(test_checkpoint_bytes),
        cmocka_unit_test(test_checkpoint_width),
    };
    return cmocka_run_group_tests_name("goodput", tests, NULL, NULL);
}

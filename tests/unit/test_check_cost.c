/* Rules on prices, budget, failures and checkpoints, and power. */
#include "check_plans.h"

static struct act_plan owned(void)
{
    struct act_plan plan = sound();

    plan.cost.basis = ACT_OWN;
    plan.cost.server_price = 300000;
    plan.cost.electricity_price = 0.1;
    plan.hardware.tdp = 400;
    return plan;
}

static void test_a_rent_has_its_currency(void **state)
{
    (void)state;
    struct act_plan plan = sound();

    assert_holds(&plan, "price-currency"); /* no price, and no other currency */
    plan.hardware.rental_price = 1.5;
    assert_holds(&plan, "price-currency");
    memcpy(plan.cost.currency, "RMB", sizeof "RMB");
    assert_breaks(&plan, "price-currency", ACT_NOTE,
                  "is in USD and is not converted; give the "
                  "price in RMB");
    plan.hardware.rental_price = ACT_AUTO;
    assert_breaks(&plan, "price-currency", ACT_NOTE, "no price in RMB is known; give one");
    plan.cost.price_per_gpu_hour = 10;
    assert_holds(&plan, "price-currency");
    plan.cost.price_per_gpu_hour = ACT_AUTO;
    plan.cost.basis = ACT_OWN;
    assert_holds(&plan, "price-currency");
}

static void test_owned_servers_have_prices(void **state)
{
    (void)state;
    struct act_plan plan = owned();

    assert_holds(&plan, "server-price");
    assert_holds(&plan, "electricity-price");
    plan.cost.server_price = ACT_AUTO;
    memcpy(plan.cost.currency, "RMB", sizeof "RMB");
    assert_breaks(&plan, "server-price", ACT_WARNING,
                  "not known, so there is no total; give it "
                  "in RMB");
    assert_holds(&plan, "electricity-price"); /* one thing at a time */

    plan = owned();
    plan.cost.electricity_price = ACT_AUTO;
    assert_breaks(&plan, "electricity-price", ACT_NOTE, "MWh of energy; give the price of a kWh");
    plan.hardware.tdp = ACT_AUTO;
    assert_breaks(&plan, "electricity-price", ACT_NOTE, "without energy; give the price of a kWh");
    plan.cost.electricity_price = 0.1;
    struct act_check check =
        assert_breaks(&plan, "electricity-price", ACT_NOTE, "power of a800-80gb-sxm is not known");
    assert_int_equal(check.field[0], ACT_F_hardware_node_power);

    plan.cost.basis = ACT_RENT; /* nothing of it matters */
    plan.cost.server_price = ACT_AUTO;
    assert_holds(&plan, "server-price");
    assert_holds(&plan, "electricity-price");
}

static void test_budget(void **state)
{
    (void)state;
    struct act_plan plan = sound();

    plan.cost.budget = 1;
    assert_holds(&plan, "budget"); /* nothing is known to compare */
    plan.cost.price_per_gpu_hour = 2;
    struct act_check check =
        assert_breaks(&plan, "budget", ACT_WARNING, "USD exceed the budget of");
    assert_int_equal(check.field[1], ACT_F_cost_price_per_gpu_hour);
    act_estimate(&plan, &result);
    plan.cost.budget = result.cost.total;
    assert_holds(&plan, "budget");
    plan.cost.budget = 0.999 * result.cost.total;
    assert_breaks(&plan, "budget", ACT_WARNING, "exceed");

    plan = owned();
    plan.cost.budget = 1;
    check = assert_breaks(&plan, "budget", ACT_WARNING, "exceed the budget of 1");
    assert_int_equal(check.field[1], ACT_F_cost_server_price);
}

static void test_failures_leave_time(void **state)
{
    (void)state;
    struct act_plan plan = sound();

    assert_holds(&plan, "failures-leave-time");
    act_field_set_number(&plan, ACT_F_cost_failures_per_1000_gpu_days, 3);
    assert_holds(&plan, "failures-leave-time");
    act_estimate(&plan, &result);
    double gpus = result.layout.gpus;
    /* Every ten minutes, with a restart that takes as long: e^-1 and less. */
    act_field_set_number(&plan, ACT_F_cost_failures_per_1000_gpu_days, 144000 / gpus);
    assert_breaks(&plan, "failures-leave-time", ACT_WARNING,
                  "a failure every 10 minutes only 26 % of the time trains");
    act_field_set_number(&plan, ACT_F_cost_restart_minutes, 100);
    assert_breaks(&plan, "failures-leave-time", ACT_ERROR,
                  "minutes less than 0.1 % of the time trains");
    act_field_set_number(&plan, ACT_F_cost_failures_per_1000_gpu_days, 86400000 / gpus / 3);
    assert_breaks(&plan, "failures-leave-time", ACT_ERROR, "a failure every 3.0 seconds less than");
    act_field_set_number(&plan, ACT_F_cost_goodput, 0.8); /* typed: it is so */
    assert_holds(&plan, "failures-leave-time");
}

static void test_checkpoints_and_failures(void **state)
{
    (void)state;
    struct act_plan plan = sound();

    act_estimate(&plan, &result);
    double gpus = result.layout.gpus;
    act_field_set_number(&plan, ACT_F_cost_failures_per_1000_gpu_days, 24000 / gpus); /* an hour */
    assert_holds(&plan, "checkpoint-interval");
    act_field_set_number(&plan, ACT_F_cost_checkpoint_minutes, 60);
    assert_holds(&plan, "checkpoint-interval");
    act_field_set_number(&plan, ACT_F_cost_checkpoint_minutes, 61);
    struct act_check check =
        assert_breaks(&plan, "checkpoint-interval", ACT_WARNING,
                      "every 61 minutes and a failure every 60 minutes: 48 % of "
                      "the time trains");
    assert_null(strstr(check.message, "does not count"));
    assert_repair(&check, 0, ACT_F_cost_checkpoint_minutes, ACT_AUTO);
    act_estimate(&plan, &result);
    assert_int_equal((int)(100 * result.cost.goodput.share + 0.5), 48);
    assert_true(result.cost.goodput_in_use == result.cost.goodput.share);
    /* A goodput that is not made of the failures does not know of the interval, and is said so. */
    act_field_set_number(&plan, ACT_F_cost_failures_per_1000_gpu_days, ACT_AUTO);
    act_field_set_number(&plan, ACT_F_cost_checkpoint_minutes, 1e6);
    assert_breaks(&plan, "checkpoint-interval", ACT_WARNING,
                  "the usual goodput does not count that until failures are given");
    act_field_set_number(&plan, ACT_F_cost_goodput, 0.8);
    assert_breaks(&plan, "checkpoint-interval", ACT_WARNING,
                  "the goodput given does not count that");
}

static void test_storage_and_stall(void **state)
{
    (void)state;
    struct act_plan plan = sound();

    /* Slow storage alone only takes longer; the stall has to be wanted. */
    act_field_set_number(&plan, ACT_F_cost_checkpoint_bandwidth, 1e9);
    assert_holds(&plan, "checkpoint-stall");
    act_field_set_number(&plan, ACT_F_cost_checkpoint_stall, 30);
    assert_breaks(&plan, "checkpoint-stall", ACT_WARNING, "30 s are allowed; storage needs");
    act_estimate(&plan, &result);
    act_field_set_number(&plan, ACT_F_cost_checkpoint_bandwidth,
                         1.001 * result.cost.facility.storage_bandwidth);
    assert_holds(&plan, "checkpoint-stall");
}

static void test_rack_power(void **state)
{
    (void)state;
    struct act_plan plan = sound();

    assert_holds(&plan, "rack-power"); /* unknown power accuses nobody */
    plan.hardware.node_power = 40e3;
    assert_holds(&plan, "rack-power");
    plan.hardware.node_power = 40001;
    assert_breaks(&plan, "rack-power", ACT_NOTE, "and a rack has 40 kW");
}

/* Calendar days with so many replicas. */
static double days_with(const struct act_plan *plan, int64_t data)
{
    struct act_plan other = *plan;

    act_field_set_number(&other, ACT_F_parallel_data, (double)data);
    act_estimate(&other, &result);
    return result.time.calendar_days;
}

/* Goodput falls as GPUs are added: where some number of replicas meets the deadline a repair is
 * offered, and it does meet it; where none does none is offered. */
static void test_deadline_with_failures(void **state)
{
    (void)state;
    struct act_plan plan = sound();
    int mended = 0, hopeless = 0;

    for (double failures = 0.5; failures <= 2000; failures *= 2) {
        act_field_set_number(&plan, ACT_F_cost_failures_per_1000_gpu_days, failures);
        double best = 1e300; /* over all that share the global batch evenly */
        for (int64_t data = 1; data <= 1024; data *= 2) {
            double days = days_with(&plan, data);
            best = days < best ? days : best;
        }
        for (double days = best / 2; days < days_with(&plan, 4); days *= 1.1) {
            plan.training.deadline_days = days;
            act_estimate(&plan, &result);
            const struct act_check *late = NULL;
            for (int i = 0; i < result.checks.count; i++) {
                if (strcmp(result.checks.check[i].rule, "deadline") == 0) {
                    late = &result.checks.check[i];
                }
            }
            assert_non_null(late);
            if (late->repairs == 0) {
                assert_true(days < best);
                hopeless++;
                continue;
            }
            double repaired = days_with(&plan, (int64_t)late->repair[0].value);
            assert_true(repaired <= days);
            mended++;
        }
    }
    assert_true(mended > 100);
    assert_true(hopeless > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_rent_has_its_currency),
        cmocka_unit_test(test_owned_servers_have_prices),
        cmocka_unit_test(test_budget),
        cmocka_unit_test(test_failures_leave_time),
        cmocka_unit_test(test_checkpoints_and_failures),
        cmocka_unit_test(test_storage_and_stall),
        cmocka_unit_test(test_rack_power),
        cmocka_unit_test(test_deadline_with_failures),
    };
    return cmocka_run_group_tests_name("check_cost", tests, NULL, NULL);
}

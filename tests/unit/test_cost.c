/* Rent, purchase, energy and staff against arithmetic by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <actuary/estimate.h>
#include <actuary/field.h>

#include <math.h>
#include <string.h>

/* The chapter's case: 70e9 parameters, 2e12 tokens, 1,024 A800 of 312 TFLOPS at 40 %, in servers
 * of 6.5 kW: 76.076584 days, 1,869,658.12 GPU-hours. */
static struct act_plan chapter(void)
{
    struct act_plan plan;

    act_plan_init(&plan);
    plan.framework.family = ACT_TEXTBOOK;
    plan.model.parameters = 70e9;
    plan.training.tokens = 2e12;
    plan.training.precision = ACT_BF16;
    plan.parallel.tensor = 4;
    plan.parallel.pipeline = 4;
    plan.parallel.data = 64;
    plan.hardware.peak_bf16 = 312e12;
    plan.hardware.mfu = 0.40;
    plan.hardware.tdp = 400;
    plan.hardware.node_power = 6500;
    act_field_set_number(&plan, ACT_F_cost_goodput, 1);
    return plan;
}

static struct act_plan owned(void)
{
    struct act_plan plan = chapter();

    act_field_set_number(&plan, ACT_F_cost_basis, ACT_OWN);
    act_field_set_number(&plan, ACT_F_cost_server_price, 300000);
    act_field_set_number(&plan, ACT_F_cost_electricity_price, 0.1);
    return plan;
}

static struct act_cost cost_of(const struct act_plan *plan)
{
    static struct act_result result;
    act_estimate(plan, &result);
    return result.cost;
}

static void assert_near(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance)) {
        fail_msg("%.9g instead of %.9g +- %.3g", value, expected, tolerance);
    }
}

static void test_energy(void **state)
{
    (void)state;
    struct act_plan plan = chapter();

    /* 400 W x 0.8 x 1.4 = 448 W a GPU; 1,869,658.12 h x 448 W = 837.6068 MWh, x 1.54 */
    struct act_cost cost = cost_of(&plan);
    assert_near(cost.facility.average_power, 448, 1e-9);
    assert_near(cost.energy_mwh, 1289.91453, 1e-4);
    /* Rent includes it. */
    assert_true(isnan(cost.energy));

    /* LLaMA-65B (facts: presets 6): 1,022,362 GPU-hours x 400 W x 1.1 = 449.8 MWh; the paper
     * counts the card alone. */
    plan.cost.power_load = 1;
    plan.cost.node_overhead = 1;
    plan.cost.pue = 1.1;
    plan.training.tokens *= 1022362 / cost.gpu_hours;
    cost = cost_of(&plan);
    assert_near(cost.gpu_hours, 1022362, 0.01);
    assert_near(cost.energy_mwh, 449.8, 0.05);
}

static void test_energy_as_measured(void **state)
{
    (void)state;
    struct act_plan plan = chapter();

    /* GPT-3 trained at 330 W a V100, host included (arXiv 2104.10350). */
    plan.hardware.tdp = 300;
    assert_near(cost_of(&plan).facility.average_power, 330, 330 * 0.03);
}

static void test_power_that_is_not_known(void **state)
{
    (void)state;
    struct act_plan plan = owned();

    /* From the TDP: 8 x 400 W x 1.83. */
    plan.hardware.node_power = ACT_AUTO;
    assert_near(cost_of(&plan).facility.node_power, 5856, 1e-9);
    /* From the server alone: 560 kW / 48 servers of 8; the same rule backwards. */
    plan.hardware.tdp = ACT_AUTO;
    plan.hardware.node_power = 5856;
    struct act_cost cost = cost_of(&plan);
    assert_near(cost.facility.average_power, 448, 1e-9);
    assert_true(cost.known);
    /* From nothing: no energy, no power, no racks, and money all the same. */
    plan.hardware.node_power = ACT_AUTO;
    cost = cost_of(&plan);
    assert_true(isnan(cost.energy_mwh) && isnan(cost.energy));
    assert_true(isnan(cost.facility.computing_power) && isnan(cost.facility.racks));
    assert_true(cost.known);
    assert_near(cost.total, cost.purchase, 0);
}

/* What a preset knows of its server is not of one that was typed beside it. */
static void test_a_typed_server_has_its_own_power(void **state)
{
    (void)state;
    struct act_plan plan = chapter();

    act_field_set_number(&plan, ACT_F_hardware_gpus_per_node, 16);
    assert_near(cost_of(&plan).facility.node_power, 16 * 400 * 1.83, 1e-9);
    act_field_set_number(&plan, ACT_F_hardware_node_power, 12000);
    assert_near(cost_of(&plan).facility.node_power, 12000, 0);
}

static void test_purchase(void **state)
{
    (void)state;
    struct act_plan plan = owned();
    struct act_cost cost = cost_of(&plan);

    /* 128 x 300,000 x 1.24; x 76.076584 / (5 x 365) */
    assert_near(cost.outlay, 47616000, 1e-6);
    assert_near(cost.purchase, 1984911.02, 0.01);
    /* 1,289,914.53 kWh at 0.1 */
    assert_near(cost.energy, 128991.45, 0.01);
    assert_true(isnan(cost.staff));
    assert_near(cost.total, 2113902.47, 0.01);
    assert_true(cost.known);

    /* Twice the years, half the run's part; without a network 1 / 1.24 of it. */
    plan.cost.amortise_years = 10;
    assert_near(cost_of(&plan).purchase, 1984911.02 / 2, 0.01);
    plan.cost.network_share = 0;
    assert_near(cost_of(&plan).purchase, 1984911.02 / 2 / 1.24, 0.01);
    /* The calendar counts, not the computing. */
    plan.cost.goodput = 0.5;
    assert_near(cost_of(&plan).purchase, 1984911.02 / 1.24, 0.01);
    /* A part of a server cannot be bought: 1,008 GPUs of 10 in a server are 101. */
    plan.hardware.gpus_per_node = 10;
    plan.parallel.data = 63;
    assert_near(cost_of(&plan).outlay, 101 * 300000, 1e-6);
}

static void test_a_run_pays_no_more_than_the_outlay(void **state)
{
    (void)state;
    struct act_plan plan = owned();

    plan.cost.amortise_years = 0.1; /* 36.5 days */
    struct act_cost cost = cost_of(&plan);
    assert_near(cost.purchase, cost.outlay, 0);
}

static void test_staff(void **state)
{
    (void)state;
    struct act_plan plan = owned();

    /* 5 M a year x 76.076584 / 365, in what is owned and in what is rented */
    act_field_set_number(&plan, ACT_F_cost_staff_per_year, 5e6);
    struct act_cost cost = cost_of(&plan);
    assert_near(cost.staff, 1042144.98, 0.01);
    assert_near(cost.total, 2113902.47 + 1042144.98, 0.02);
    act_field_set_number(&plan, ACT_F_cost_basis, ACT_RENT);
    act_field_set_number(&plan, ACT_F_cost_price_per_gpu_hour, 1.5);
    cost = cost_of(&plan);
    assert_near(cost.rent, 2804487.18, 0.01);
    assert_near(cost.total, 2804487.18 + 1042144.98, 0.02);
    assert_true(isnan(cost.outlay) && isnan(cost.purchase));
}

static void test_what_is_missing_is_not_nothing(void **state)
{
    (void)state;
    struct act_plan plan = owned();

    /* Rent beside an owned cluster, to compare. */
    assert_true(isnan(cost_of(&plan).rent));
    plan.hardware.rental_price = 1.5;
    struct act_cost cost = cost_of(&plan);
    assert_near(cost.rent, 2804487.18, 0.01);
    assert_near(cost.total, 2113902.47, 0.01);

    plan.cost.electricity_price = ACT_AUTO;
    cost = cost_of(&plan);
    assert_true(cost.known && isnan(cost.energy));
    assert_near(cost.total, cost.purchase, 0);
    plan.cost.electricity_price = 0; /* the sun's */
    assert_near(cost_of(&plan).energy, 0, 0);

    plan.cost.server_price = ACT_AUTO;
    cost = cost_of(&plan);
    assert_false(cost.known);
    assert_true(isnan(cost.total) && isnan(cost.purchase) && isnan(cost.outlay));
}

static void test_goodput_has_a_source(void **state)
{
    (void)state;
    struct act_plan plan = chapter(), resolved;

    assert_int_equal(cost_of(&plan).goodput_source, ACT_GOODPUT_GIVEN);
    act_field_reset(&plan, ACT_F_cost_goodput);
    assert_int_equal(cost_of(&plan).goodput_source, ACT_GOODPUT_USUAL);
    act_plan_resolve(&plan, &resolved);
    assert_near(resolved.cost.goodput, 0.9, 0);

    act_field_set_number(&plan, ACT_F_cost_failures_per_1000_gpu_days, 3);
    struct act_cost cost = cost_of(&plan);
    assert_int_equal(cost.goodput_source, ACT_GOODPUT_FAILURES);
    act_plan_resolve(&plan, &resolved);
    assert_near(resolved.cost.goodput, cost.goodput.share, 0);
    assert_true(cost.goodput.share > 0.92 && cost.goodput.share < 0.95);
    assert_near(cost.gpu_hours, 1869658.12 / cost.goodput.share, 0.02);

    act_field_set_number(&plan, ACT_F_cost_goodput, ACT_AUTO); /* as --set cost.goodput=auto */
    assert_int_equal(cost_of(&plan).goodput_source, ACT_GOODPUT_FAILURES);

    /* A typed goodput stands; what follows from the failures is told beside it. */
    act_field_set_number(&plan, ACT_F_cost_goodput, 0.8);
    double computed = cost.goodput.share;
    cost = cost_of(&plan);
    assert_int_equal(cost.goodput_source, ACT_GOODPUT_GIVEN);
    assert_near(cost.goodput.share, computed, 0);
    assert_near(cost.gpu_hours, 1869658.12 / 0.8, 0.02);
}

/* So many failures that nothing is finished: days stay finite. */
static void test_no_headway(void **state)
{
    (void)state;
    struct act_plan plan = chapter(), resolved;

    act_field_reset(&plan, ACT_F_cost_goodput);
    act_field_set_number(&plan, ACT_F_cost_failures_per_1000_gpu_days, 1e5);
    act_plan_resolve(&plan, &resolved);
    assert_near(resolved.cost.goodput, 0.01, 0);
    struct act_cost cost = cost_of(&plan);
    assert_true(cost.goodput.share >= 0 && cost.goodput.share < 0.01);
    assert_true(isfinite(cost.gpu_hours));
}

static void test_sources_have_names(void **state)
{
    (void)state;
    assert_string_equal(act_goodput_source_name(ACT_GOODPUT_GIVEN), "given");
    assert_string_equal(act_goodput_source_name(ACT_GOODPUT_FAILURES), "failures");
    assert_string_equal(act_goodput_source_name(ACT_GOODPUT_USUAL), "usual");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_energy),
        cmocka_unit_test(test_energy_as_measured),
        cmocka_unit_test(test_power_that_is_not_known),
        cmocka_unit_test(test_a_typed_server_has_its_own_power),
        cmocka_unit_test(test_purchase),
        cmocka_unit_test(test_a_run_pays_no_more_than_the_outlay),
        cmocka_unit_test(test_staff),
        cmocka_unit_test(test_what_is_missing_is_not_nothing),
        cmocka_unit_test(test_goodput_has_a_source),
        cmocka_unit_test(test_no_headway),
        cmocka_unit_test(test_sources_have_names),
    };
    return cmocka_run_group_tests_name("cost", tests, NULL, NULL);
}

/* The planning chapter's case for cost, from its scenario and the A800's preset: servers, racks,
 * power, storage, network, money (engine.md 7). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "io/scenario.h"
#include <actuary/estimate.h>
#include <actuary/field.h>

#include <math.h>
#include <string.h>

static struct act_plan plan;
static struct act_result result;

static int open_chapter(void **state)
{
    (void)state;
    struct act_problems problems;

    act_problems_init(&problems, "chapter-7");
    return act_scenario_open("chapter-7", &plan, NULL, &problems);
}

static const struct act_cost *cost_of(void)
{
    act_estimate(&plan, &result);
    return &result.cost;
}

static void assert_near(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance)) {
        fail_msg("%.9g instead of %.9g +- %.3g", value, expected, tolerance);
    }
}

static bool has_check(const char *rule)
{
    for (int i = 0; i < result.checks.count; i++) {
        if (strcmp(result.checks.check[i].rule, rule) == 0) {
            return true;
        }
    }
    return false;
}

/* 844 GPUs by compute and 74.17 days on 1,024 of them: 8.4e23 FLOP at 320 TFLOPS and 40 %. */
static void the_second_case(void **state)
{
    (void)state;
    struct act_problems problems;
    const double flops = 6 * 70e9 * 2e12, speed = 320e12 * 0.40;

    act_problems_init(&problems, "chapter-7-910b");
    assert_int_equal(act_scenario_open("chapter-7-910b", &plan, NULL, &problems), 0);
    act_estimate(&plan, &result);
    assert_near(result.time.calendar_days, flops / (1024 * speed) / 86400, 1e-6);
    assert_near(result.time.calendar_days, 74.17, 0.01);
    assert_near(ceil(flops / (90 * 86400) / speed), 844, 0);
    assert_int_equal(result.fit, ACT_FITS);
}

static void servers_and_power(void **state)
{
    (void)state;
    const struct act_facility *facility = &cost_of()->facility;

    assert_near(facility->servers, 128, 0);
    assert_near(facility->node_power, 6500, 0);
    assert_near(facility->computing_power, 832e3, 0);    /* 0.83 MW */
    assert_near(facility->building_power, 1281280, 0.1); /* the chapter: over 1 MW */
    assert_true(facility->building_power > 1e6);
}

/* The chapter has 32 to 40 racks of 40 kW: it takes 10 kW a server for granted, and 12.5. */
static void racks(void **state)
{
    (void)state;
    assert_near(cost_of()->facility.servers_per_rack, 6, 0);
    assert_near(result.cost.facility.racks, 22, 0);
    act_field_set_number(&plan, ACT_F_hardware_node_power, 10e3);
    assert_near(cost_of()->facility.racks, 32, 0);
    assert_near(result.cost.facility.computing_power, 1.28e6, 0);
    act_field_set_number(&plan, ACT_F_hardware_node_power, 12.5e3);
    const struct act_facility *facility = &cost_of()->facility;
    assert_near(facility->computing_power / plan.hardware.rack_power, 40, 0);
    assert_near(facility->racks, 43, 0); /* three whole servers a rack */
}

static void storage(void **state)
{
    (void)state;
    const struct act_cost *cost = cost_of();

    assert_near(cost->goodput.checkpoint_bytes, 980e9, 1); /* 14 P */
    assert_near(cost->facility.storage_bandwidth, 980e9 / 30, 1);
    assert_true(cost->facility.storage_bandwidth < 100e9); /* the chapter's storage will do */
    /* and the chapter's "PB": every 53 minutes for 76 days, nothing deleted */
    assert_near(cost->goodput.interval / 60, 53, 0.1);
    assert_near(cost->checkpoints * cost->goodput.checkpoint_bytes, 2.02e15, 0.01e15);
    act_field_set_number(&plan, ACT_F_cost_checkpoint_bandwidth, 100e9);
    assert_near(cost_of()->goodput.checkpoint_seconds, 9.8, 1e-9);
}

/* RDMA in a fat tree for 128 servers. */
static void network(void **state)
{
    (void)state;
    const struct act_facility *facility = &cost_of()->facility;

    assert_near(facility->ports, 1024, 0);
    assert_near(facility->switches, 48, 0);       /* 32 leaves and 16 spines of 64 ports */
    assert_near(facility->bisection, 12.8e12, 0); /* 512 x 25 GB/s */
}

static void energy(void **state)
{
    (void)state;
    /* 1,024 x 76.0766 d x 24 h x 400 W x 0.8 x 1.4 x 1.54 */
    assert_near(cost_of()->energy_mwh, 1289.9, 0.1);
    assert_near(result.time.days, 76.08, 0.01);
    assert_near(result.cost.gpu_hours, 1869658, 1);
}

/* "Several hundred million" RMB: any currency, its prices typed. */
static void money(void **state)
{
    (void)state;
    memcpy(plan.cost.currency, "RMB", sizeof "RMB");
    assert_false(cost_of()->known);
    assert_true(has_check("price-currency"));
    act_field_set_number(&plan, ACT_F_cost_basis, ACT_OWN);
    assert_false(cost_of()->known);
    assert_true(has_check("server-price"));
    act_field_set_number(&plan, ACT_F_cost_server_price, 1.5e6);
    assert_true(cost_of()->known);
    assert_near(result.cost.outlay, 128 * 1.5e6 * 1.24, 1); /* 238 million */
    assert_true(has_check("electricity-price"));
    act_field_set_number(&plan, ACT_F_cost_electricity_price, 0.6);
    assert_near(cost_of()->energy, 1289914.5 * 0.6, 1);
    assert_false(has_check("electricity-price"));
    /* Rented at 10 RMB: 18.7 million for the run. */
    act_field_set_number(&plan, ACT_F_cost_basis, ACT_RENT);
    act_field_set_number(&plan, ACT_F_cost_price_per_gpu_hour, 10);
    assert_near(cost_of()->total, 18696581, 1);
    assert_false(has_check("price-currency"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_second_case),
        cmocka_unit_test_setup(servers_and_power, open_chapter),
        cmocka_unit_test_setup(racks, open_chapter),
        cmocka_unit_test_setup(storage, open_chapter),
        cmocka_unit_test_setup(network, open_chapter),
        cmocka_unit_test_setup(energy, open_chapter),
        cmocka_unit_test_setup(money, open_chapter),
    };
    return cmocka_run_group_tests_name("chapter", tests, NULL, NULL);
}

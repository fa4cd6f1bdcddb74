/* Servers, racks, power, storage and the fabric, against arithmetic by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <actuary/facility.h>

#include <math.h>

static void assert_near(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance)) {
        fail_msg("%.9g instead of %.9g +- %.3g", value, expected, tolerance);
    }
}

static void test_racks(void **state)
{
    (void)state;
    static const struct {
        double servers, power, rack, racks;
    } cases[] = {
        {128, 6500, 40e3, 22},   /* six a rack: 21.3 */
        {128, 10e3, 40e3, 32},   /* the chapter's lower figure */
        {128, 12.5e3, 40e3, 43}, /* three a rack; its 40 would be 1.6 MW over 40 kW */
        {128, 10.2e3, 40e3, 43}, /* DGX H100: 40.8 kW would be four */
        {18, 7.33e3, 132e3, 1},  /* GB200 NVL72 */
        {18, 7.5e3, 135e3, 1},   /* GB300 NVL72 */
        {1, 6500, 40e3, 1},      {128, 50e3, 40e3, 160}, /* a server takes a rack and a quarter */
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_near(act_racks(cases[i].servers, cases[i].power, cases[i].rack), cases[i].racks, 0);
    }
}

static void test_fat_tree(void **state)
{
    (void)state;
    static const struct {
        double ports, radix, switches;
    } cases[] = {
        {16, 4, 20}, /* Al-Fares et al., figure 3: 16 hosts, 20 switches of 4 ports */
        {64, 64, 1},
        {65, 64, 3 + 2},
        {1024, 64, 32 + 16}, /* the chapter's servers */
        {2048, 64, 64 + 32}, /* all that two tiers reach: 64^2 / 2 */
        {2049, 64, 65 + 65 + 33},
        {65536, 64, 5120}, /* k^3 / 4 hosts, 5 k^2 / 4 switches */
        {1024, 40, 52 + 52 + 26},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_near(act_fat_tree_switches(cases[i].ports, cases[i].radix), cases[i].switches, 0);
    }
    double before = 1;
    for (double ports = 1; ports < 1e6; ports = ceil(ports * 1.3)) {
        double switches = act_fat_tree_switches(ports, 64);
        assert_true(switches >= before);
        before = switches;
    }
}

static struct act_facility facility_of(const struct act_plan *plan, double bytes)
{
    struct act_plan resolved;
    struct act_layout layout;
    struct act_facility facility;

    act_plan_resolve(plan, &resolved);
    act_layout_of(&resolved, &layout);
    act_facility_of(&resolved, &layout, bytes, &facility);
    return facility;
}

static void test_facility(void **state)
{
    (void)state;
    struct act_plan plan;

    act_plan_init(&plan);
    plan.parallel.tensor = 8;
    plan.parallel.data = 126; /* 1,008 GPUs */
    plan.hardware.tdp = 700;
    plan.hardware.node_power = 10200;
    plan.hardware.nic_bandwidth = 50e9;
    struct act_facility facility = facility_of(&plan, 980e9);
    assert_near(facility.servers, 126, 0);
    assert_near(facility.computing_power, 1285200, 1e-6);
    assert_near(facility.building_power, 1285200 * 1.54, 1e-6);
    assert_near(facility.servers_per_rack, 3, 0);
    assert_near(facility.racks, 42, 0);
    assert_near(facility.ports, 1008, 0);
    assert_near(facility.switches, 32 + 16, 0); /* 31.5 and 15.75 */
    assert_near(facility.bisection, 25.2e12, 1);
    assert_near(facility.average_power, 700 * 0.8 * 1.4, 1e-9);
    /* facts: presets 8. In 30 s 33 GB/s; with ten minutes 1.6 GB/s. */
    assert_near(facility.storage_bandwidth, 33e9, 0.4e9);
    plan.cost.checkpoint_stall = 600;
    assert_near(facility_of(&plan, 980e9).storage_bandwidth, 1.6e9, 0.04e9);
}

static void test_one_server_needs_no_fabric(void **state)
{
    (void)state;
    struct act_plan plan;

    act_plan_init(&plan);
    plan.parallel.data = 4;
    struct act_facility facility = facility_of(&plan, 1e9);
    assert_near(facility.servers, 1, 0);
    assert_near(facility.ports, 0, 0);
    assert_near(facility.switches, 0, 0);
    assert_true(isnan(facility.racks));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_racks),
        cmocka_unit_test(test_fat_tree),
        cmocka_unit_test(test_facility),
        cmocka_unit_test(test_one_server_needs_no_fabric),
    };
    return cmocka_run_group_tests_name("facility", tests, NULL, NULL);
}

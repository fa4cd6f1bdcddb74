/* What would make a plan fit, or faster: which changes are offered, in which order, and which one
 * the check on memory names. */
#include "check_plans.h"

#include <actuary/advice.h>

#include <math.h>

static struct act_advices advices;

/* Where a change of this field to this value stands, -1 where it is not offered. */
static int place_of(enum act_field_id field, double value)
{
    for (int i = 0; i < advices.count; i++)
        if (advices.item[i].set[0].field == field && advices.item[i].set[0].value == value)
            return i;
    return -1;
}

static bool offers(enum act_field_id field)
{
    for (int i = 0; i < advices.count; i++)
        if (advices.item[i].set[0].field == field)
            return true;
    return false;
}

/* Without recompute the plan does not fit. */
static struct act_plan unfit(void)
{
    struct act_plan plan = sound();

    plan.parallel.recompute = ACT_RECOMPUTE_NONE;
    plan.parallel.tensor = 2;
    plan.parallel.data = 8;
    return plan;
}

static void what_fits_comes_first_by_days(void **state)
{
    (void)state;
    struct act_plan plan = unfit();

    act_advise(&plan, &advices);
    assert_int_equal(advices.now.fit, ACT_DOES_NOT_FIT);
    assert_true(advices.count > 5);
    assert_int_equal(advices.item[0].fit, ACT_FITS);
    for (int i = 1; i < advices.count; i++) {
        const struct act_advice *before = &advices.item[i - 1], *advice = &advices.item[i];
        bool same = before->fit == advice->fit && before->gpus == advice->gpus;
        if (before->fit == ACT_FITS && same)
            assert_true(before->days <= advice->days);
        if (before->fit == ACT_DOES_NOT_FIT)
            assert_int_equal(advice->fit, ACT_DOES_NOT_FIT);
    }
    assert_int_equal(place_of(ACT_F_parallel_tensor, 4), 0);
    assert_int_equal(place_of(ACT_F_parallel_tensor, 8), -1); /* 4 was enough */
    assert_int_equal(place_of(ACT_F_parallel_tensor, 1), -1);
    assert_true(act_advice_helps(&advices, &advices.item[0]));
    assert_false(act_advice_helps(&advices, &advices.item[advices.count - 1]));
}

/* TP x 2 is paid for by DP. */
static void layout_keeps_the_gpus(void **state)
{
    (void)state;
    struct act_plan plan = unfit();

    act_advise(&plan, &advices);
    const struct act_advice *tensor = &advices.item[place_of(ACT_F_parallel_tensor, 4)];
    assert_int_equal(tensor->sets, 2);
    assert_int_equal(tensor->set[1].field, ACT_F_parallel_data);
    assert_true(tensor->set[1].value == 4);
    assert_true(tensor->gpus == 64);
    act_advice_take(tensor, &plan);
    assert_int_equal(plan.parallel.tensor, 4);
    assert_int_equal(plan.parallel.data, 4);
    char text[32];
    plan = unfit();
    act_advice_value(tensor, &plan, text, sizeof text);
    assert_string_equal(text, "4");
}

/* Where DP does not divide, more GPUs are the price: as few as will do. */
static void more_gpus_where_dp_is_one(void **state)
{
    (void)state;
    struct act_plan plan = unfit();

    plan.parallel.data = 1;
    act_advise(&plan, &advices);
    int tensor = place_of(ACT_F_parallel_tensor, 8);
    int pipeline = place_of(ACT_F_parallel_pipeline, 40);
    assert_int_equal(tensor, 0);
    assert_int_equal(advices.item[tensor].sets, 1);
    assert_true(advices.item[tensor].gpus == 4 * advices.now.gpus);
    assert_true(pipeline > tensor); /* faster, on more */
    assert_true(advices.item[pipeline].days < advices.item[tensor].days);
    act_estimate_cured(&plan, &result);
    assert_int_equal(result.checks.check[0].repair[0].field, ACT_F_parallel_tensor);
}

/* What changes the model or the data is no advice, nor is what the card or framework has not. */
static void only_levers(void **state)
{
    (void)state;
    struct act_plan plan = unfit();

    act_advise(&plan, &advices);
    for (int i = 0; i < advices.count; i++) {
        const struct act_field *field = act_field(advices.item[i].set[0].field);
        assert_true(field->flags & ACT_FIELD_LEVER);
        assert_int_not_equal(field->group, ACT_GROUP_model);
    }
    assert_false(offers(ACT_F_training_sequence));
    assert_false(offers(ACT_F_parallel_zero)); /* this framework has ZeRO-1 at most */
    assert_int_equal(place_of(ACT_F_training_precision, ACT_FP8), -1); /* an A800 */
    assert_int_equal(place_of(ACT_F_framework_loss, ACT_LOSS_LIGER), -1);
}

/* fp8 is offered on a card that has it; not with a given MFU, which is a share of another peak. */
static void fp8_where_the_card_has_it(void **state)
{
    (void)state;
    struct act_plan plan = sound();

    plan.hardware.peak_fp8 = 624e12;
    act_advise(&plan, &advices);
    int fp8 = place_of(ACT_F_training_precision, ACT_FP8);
    assert_true(fp8 >= 0 && advices.item[fp8].days < advices.now.days);
    assert_true(act_advice_helps(&advices, &advices.item[fp8]));
    plan.hardware.mfu = 0.4;
    act_advise(&plan, &advices);
    assert_false(offers(ACT_F_training_precision));
}

/* A plan that fits is offered nothing that does not, and only what gains something. */
static void a_plan_that_fits(void **state)
{
    (void)state;
    struct act_plan plan = sound();

    act_advise(&plan, &advices);
    assert_int_equal(advices.now.fit, ACT_FITS);
    assert_true(advices.count > 0);
    for (int i = 0; i < advices.count; i++) {
        const struct act_advice *advice = &advices.item[i];
        assert_int_not_equal(advice->fit, ACT_DOES_NOT_FIT);
        assert_true(advice->days < advices.now.days || advice->peak < advices.now.peak ||
                    advice->cost < advices.now.cost);
    }
    assert_true(advices.item[0].days < advices.now.days);
}

static const struct act_check *check_of(const char *rule)
{
    for (int i = 0; i < result.checks.count; i++)
        if (strcmp(result.checks.check[i].rule, rule) == 0)
            return &result.checks.check[i];
    fail_msg("no check %s", rule);
    return NULL;
}

/* The repair of "memory" is the change that fits at the fewest days. */
static void the_check_names_the_best(void **state)
{
    (void)state;
    struct act_plan plan = unfit();

    act_advise(&plan, &advices);
    act_estimate_cured(&plan, &result);
    const struct act_check *check = check_of("memory");
    assert_int_equal(check->repairs, advices.item[0].sets);
    for (int i = 0; i < check->repairs; i++) {
        assert_int_equal(check->repair[i].field, advices.item[0].set[i].field);
        assert_true(check->repair[i].value == advices.item[0].set[i].value);
    }
    act_check_mend(check, &plan);
    act_estimate_cured(&plan, &result);
    assert_int_equal(result.fit, ACT_FITS);
    for (int i = 0; i < advices.count; i++)
        if (advices.item[i].fit == ACT_FITS && advices.item[i].gpus <= advices.now.gpus)
            assert_true(result.time.calendar_days <= advices.item[i].days);
}

/* A brief estimate is the same but for that repair. */
static void a_brief_estimate_names_none(void **state)
{
    (void)state;
    static struct act_result brief;
    struct act_plan plan = unfit();

    act_estimate_cured(&plan, &result);
    act_estimate(&plan, &brief);
    assert_true(check_of("memory")->repairs > 0);
    assert_int_equal(brief.checks.count, result.checks.count);
    assert_int_equal(brief.checks.check[0].repairs, 0);
    assert_true(brief.memory.peak == result.memory.peak);
    assert_true(brief.time.calendar_days == result.time.calendar_days);
}

/* Where no single change will do, several are named together. */
static void several_changes_at_once(void **state)
{
    (void)state;
    struct act_plan plan = unfit();

    plan.parallel.tensor = 1;
    plan.parallel.pipeline = 1;
    plan.parallel.data = 64;
    plan.training.sequence = 16384;
    act_advise(&plan, &advices);
    for (int i = 0; i < advices.count; i++)
        assert_true(advices.item[i].fit == ACT_DOES_NOT_FIT || advices.item[i].gpus > 64);
    act_estimate_cured(&plan, &result);
    const struct act_check *check = check_of("memory");
    assert_true(check->repairs > 2);
    act_check_mend(check, &plan);
    act_estimate_cured(&plan, &result);
    assert_int_not_equal(result.fit, ACT_DOES_NOT_FIT);
    assert_int_equal(result.errors, 0);
    assert_true(result.layout.gpus == 64);
}

/* And where nothing will, how many cards the states alone need. */
static void what_nothing_mends(void **state)
{
    (void)state;
    struct act_plan plan = unfit();

    plan.hardware.usable_memory = 2 * 1073741824.0;
    act_estimate_cured(&plan, &result);
    const struct act_check *check = check_of("memory");
    assert_int_equal(check->repairs, 0);
    assert_non_null(strstr(check->message, "; states alone need "));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_fits_comes_first_by_days),
        cmocka_unit_test(layout_keeps_the_gpus),
        cmocka_unit_test(more_gpus_where_dp_is_one),
        cmocka_unit_test(only_levers),
        cmocka_unit_test(fp8_where_the_card_has_it),
        cmocka_unit_test(a_plan_that_fits),
        cmocka_unit_test(the_check_names_the_best),
        cmocka_unit_test(a_brief_estimate_names_none),
        cmocka_unit_test(several_changes_at_once),
        cmocka_unit_test(what_nothing_mends),
    };
    return cmocka_run_group_tests_name("advice", tests, NULL, NULL);
}

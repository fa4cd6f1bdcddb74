/* Sequences of what a user may do on a desk, against a model of it that keeps whole plans: undo and
 * redo come back to the byte, quick steps on one field join, GPUs that are held stay held, and a
 * repair ends the rule it is for. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "random_plan.h"
#include "session/action.h"
#include "session/desk.h"
#include <actuary/calibrate.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SEQUENCES = 300, DEEDS = 80, TABS = 2, REPAIRS = 600 };

static const char *const scenarios[] = {"example", "chapter-7", "llama3-8b-h100",
                                        "qwen2.5-7b-lora-4090", "deepseek-v3-h800"};

enum { SCENARIOS = sizeof scenarios / sizeof scenarios[0] };

static struct act_desk desk;
static int64_t now_ms;
static unsigned long long seed;

/* A change as the model keeps it. */
struct step {
    struct act_plan before, after;
    double held_before, held_after;
    int merge;
    int64_t when_ms;
};

struct model {
    struct act_plan opened, plan;
    double held;
    struct step step[DEEDS];
    int count, done;
};

static struct model models[TABS];

static void start_desk(int tabs)
{
    for (int i = 0; i < tabs; i++) {
        struct act_problems problems;
        const char *name = scenarios[below(SCENARIOS)];
        act_problems_init(&problems, name);
        assert_int_equal(act_desk_open(&desk, name, &problems), 0);
        models[i].opened = models[i].plan = desk.tab[i]->plan;
        models[i].held = desk.tab[i]->held;
        models[i].count = models[i].done = 0;
    }
    now_ms = 1000000;
}

static double replica(const struct act_plan *plan)
{
    return (double)plan->parallel.tensor * (double)plan->parallel.context *
           (double)plan->parallel.pipeline;
}

static bool is_layout(enum act_field_id field)
{
    return field == ACT_F_parallel_tensor || field == ACT_F_parallel_pipeline ||
           field == ACT_F_parallel_context;
}

/* Records as history.h says it: a step on the same field within a second of the last joins it. */
static void model_records(struct model *model, const struct act_plan *after, double held, int merge)
{
    struct step *last = model->done > 0 ? &model->step[model->done - 1] : NULL;

    if (merge >= 0 && last && model->done == model->count && last->merge == merge &&
        now_ms - last->when_ms <= 1000) {
        last->after = *after;
        last->held_after = held;
        last->when_ms = now_ms;
        if (act_plan_equal(&last->before, after))
            model->count = --model->done;
    } else {
        model->step[model->done++] =
            (struct step){model->plan, *after, model->held, held, merge, now_ms};
        model->count = model->done;
    }
    model->plan = *after;
    model->held = held;
}

static void model_undoes(struct model *model)
{
    if (model->done == 0)
        return;
    const struct step *step = &model->step[--model->done];
    model->plan = step->before;
    model->held = step->held_before;
}

static void model_redoes(struct model *model)
{
    if (model->done == model->count)
        return;
    const struct step *step = &model->step[model->done++];
    model->plan = step->after;
    model->held = step->held_after;
}

static void compare(const char *deed)
{
    for (int i = 0; i < desk.count; i++) {
        const struct act_tab *tab = desk.tab[i];
        const struct model *model = &models[i];
        if (memcmp(&tab->plan, &model->plan, sizeof tab->plan) != 0)
            fail_msg("seed %llu: after %s tab %d has another plan", seed, deed, i);
        if (tab->history.done != model->done || tab->history.count != model->count)
            fail_msg("seed %llu: after %s %d of %d changes, not %d of %d", seed, deed,
                     tab->history.done, tab->history.count, model->done, model->count);
        if (tab->held != model->held)
            fail_msg("seed %llu: after %s %g GPUs are held, not %g", seed, deed, tab->held,
                     model->held);
        if (act_tab_modified(tab) == act_plan_equal(&model->plan, &model->opened))
            fail_msg("seed %llu: after %s tab %d is wrong about being modified", seed, deed, i);
    }
}

/* What holding promises, after a change of `field`. */
static void check_held(enum act_field_id field, double held_before, const struct act_plan *plan,
                       double held)
{
    double gpus = act_plan_gpus(plan);

    if (!desk.hold_data && gpus > fmax(held, replica(plan)))
        fail_msg("seed %llu: %g GPUs in use, %g held, a replica of %g", seed, gpus, held,
                 replica(plan));
    bool counts = field == ACT_F_parallel_data || field == ACT_F_parallel_gpus;
    if (!desk.hold_data && !counts && held != held_before)
        fail_msg("seed %llu: %s changes the GPUs held from %g to %g", seed, act_field(field)->key,
                 held_before, held);
    if (desk.hold_data && held != gpus)
        fail_msg("seed %llu: with data held, %g GPUs are held and %g used", seed, held, gpus);
}

static enum act_field_id any_field(void)
{
    static const enum act_field_id usual[] = {
        ACT_F_parallel_tensor,   ACT_F_parallel_pipeline,  ACT_F_parallel_context,
        ACT_F_parallel_data,     ACT_F_parallel_gpus,      ACT_F_training_micro_batch,
        ACT_F_parallel_zero,     ACT_F_training_sequence,  ACT_F_parallel_recompute,
        ACT_F_hardware_preset,   ACT_F_model_preset,       ACT_F_framework_preset,
        ACT_F_training_method,   ACT_F_training_precision, ACT_F_parallel_interleave,
        ACT_F_training_optimizer};

    return one_in(3) ? (enum act_field_id)below(ACT_FIELD_COUNT)
                     : usual[below(sizeof usual / sizeof usual[0])];
}

static void act(void)
{
    static const enum act_action_id ids[] = {ACT_DO_step_up,   ACT_DO_step_up, ACT_DO_step_down,
                                             ACT_DO_step_down, ACT_DO_half,    ACT_DO_twice,
                                             ACT_DO_undo,      ACT_DO_undo,    ACT_DO_redo,
                                             ACT_DO_repair,    ACT_DO_hold,    ACT_DO_next_tab};
    const struct act_action *action = act_action(ids[below(sizeof ids / sizeof ids[0])]);
    struct act_tab *tab = act_desk_tab(&desk);
    struct model *model = &models[desk.current];
    struct act_plan before = tab->plan;
    double held = tab->held;

    assert_non_null(action->run);
    bool done = action->run(&desk, now_ms);
    if (!done && (memcmp(&before, &tab->plan, sizeof before) != 0 || held != tab->held))
        fail_msg("seed %llu: %s did nothing, and the plan changed", seed, action->name);
    if (action->id == ACT_DO_undo)
        model_undoes(model);
    else if (action->id == ACT_DO_redo)
        model_redoes(model);
    else if (action->id == ACT_DO_hold)
        model->held = act_plan_gpus(&model->plan);
    else if (!act_plan_equal(&before, &tab->plan)) {
        bool repair = action->id == ACT_DO_repair;
        model_records(model, &tab->plan, tab->held, repair ? -1 : (int)tab->focus);
        check_held(repair ? ACT_F_parallel_data : tab->focus, held, &tab->plan, tab->held);
    }
    compare(action->name);
}

/* Types a value or a text into a field. */
static void type(enum act_field_id field)
{
    static const char *const junk[] = {"", "x", "-1", "1e400", "auto", "8*2", "12,5", "none", "0"};
    struct act_tab *tab = act_desk_tab(&desk);
    struct act_plan before = tab->plan, scratch = tab->plan, plan = {0};
    double held_before = tab->held, held = -7;
    const struct act_field *row = act_field(field);
    bool texts = row->kind == ACT_KIND_TEXT || row->kind == ACT_KIND_LIST || one_in(2);
    bool merge = one_in(2);
    char text[1200], why[256] = "";

    if (field == ACT_F_parallel_gpus)
        act_plan_set_gpus(&scratch, (double)(1 + below(5000)));
    else
        change(&scratch, row);
    act_field_text(&scratch, field, ACT_STYLE_FILE, text, sizeof text);
    if (one_in(4))
        snprintf(text, sizeof text, "%s", junk[below(sizeof junk / sizeof junk[0])]);
    int failed = act_desk_try(&desk, tab, field, act_field_number(&scratch, field),
                              texts ? text : NULL, &plan, &held, why, sizeof why);
    assert_memory_equal(&tab->plan, &before, sizeof before);
    if (failed) {
        /* A number is in its range; only what a run measured can clash with the estimate. */
        if (why[0] == '\0' || held != -7 || (!texts && act_pin_of_field(field) == 0))
            fail_msg("seed %llu: %s = %s fails without a word", seed, row->key, text);
        return;
    }
    check_held(field, held_before, &plan, held);
    act_desk_commit(&desk, &plan, held, field, merge, now_ms);
    if (!act_plan_equal(&before, &plan))
        model_records(&models[desk.current], &plan, held, merge ? (int)field : -1);
    else
        models[desk.current].held = held;
    compare(row->key);
}

/* To the opened plans and back to the last ones. */
static void undo_and_redo_all(void)
{
    for (int i = 0; i < desk.count; i++) {
        struct act_tab *tab = desk.tab[i];
        desk.current = i;
        while (act_action(ACT_DO_redo)->run(&desk, now_ms))
            model_redoes(&models[i]);
        compare("redo");
        struct act_plan last = tab->plan;
        while (act_action(ACT_DO_undo)->run(&desk, now_ms))
            model_undoes(&models[i]);
        compare("undo");
        assert_true(act_plan_equal(&tab->plan, &models[i].opened));
        assert_memory_equal(&tab->plan, &models[i].opened, sizeof tab->plan);
        assert_false(act_tab_modified(tab));
        while (act_action(ACT_DO_redo)->run(&desk, now_ms))
            model_redoes(&models[i]);
        compare("redo");
        assert_memory_equal(&tab->plan, &last, sizeof last);
    }
}

static void run_sequence(void)
{
    static const int pauses[] = {0, 1, 40, 400, 999, 1000, 1001, 1500, 2500, 60000};

    seed_random(seed);
    start_desk(TABS);
    for (int i = 0; i < DEEDS; i++) {
        now_ms += pauses[below(sizeof pauses / sizeof pauses[0])];
        struct act_tab *tab = act_desk_tab(&desk);
        if (!one_in(2)) /* stay on the field now and then, so that steps may join */
            tab->focus = any_field();
        if (one_in(3))
            type(tab->focus);
        else
            act();
    }
    undo_and_redo_all();
    act_desk_free(&desk);
}

static void sequences(void **state)
{
    const char *given = getenv("ACTUARY_SEED");
    uint64_t first = given ? strtoull(given, NULL, 10) : 1;

    (void)state;
    for (seed = first; seed < first + (given ? 1 : SEQUENCES); seed++)
        run_sequence();
}

/* A valid value is left and found again within a second: nothing is left to undo. */
static void there_and_back_leaves_nothing(void **state)
{
    int found = 0;

    (void)state;
    for (seed = 1; seed <= 60; seed++) {
        seed_random(seed);
        start_desk(1);
        struct act_tab *tab = desk.tab[0];
        for (int id = 0; id < ACT_FIELD_COUNT; id++) {
            now_ms += 5000;
            tab->focus = (enum act_field_id)id;
            /* Onto a value of the field's own steps, which is then the user's. */
            if (!act_action(ACT_DO_step_up)->run(&desk, now_ms))
                continue;
            now_ms += 5000;
            struct act_plan before = tab->plan;
            double held = tab->held;
            int done = tab->history.done;
            if (!act_action(ACT_DO_step_up)->run(&desk, now_ms))
                continue;
            assert_int_equal(tab->history.done, done + 1);
            now_ms += below(1001);
            act_action(ACT_DO_step_down)->run(&desk, now_ms);
            if (!act_plan_equal(&before, &tab->plan)) /* ends of ranges */
                continue;
            found++;
            if (tab->history.done != done || tab->history.count != done || tab->held != held)
                fail_msg("seed %llu: %s there and back leaves an undo", seed,
                         act_field((enum act_field_id)id)->key);
        }
        act_desk_free(&desk);
    }
    assert_true(found > 1000);
}

static bool is_broken(const struct act_result *result, const char *rule)
{
    for (int i = 0; i < result->checks.count; i++)
        if (strcmp(result->checks.check[i].rule, rule) == 0)
            return true;
    return false;
}

/* Breaks something by changing the layout and its surroundings. */
static void disturb(struct act_tab *tab)
{
    static const enum act_field_id fields[] = {
        ACT_F_parallel_tensor,       ACT_F_parallel_pipeline,    ACT_F_parallel_context,
        ACT_F_parallel_interleave,   ACT_F_parallel_expert,      ACT_F_parallel_zero,
        ACT_F_training_sequence,     ACT_F_training_micro_batch, ACT_F_training_global_batch,
        ACT_F_model_heads,           ACT_F_model_layers,         ACT_F_training_precision,
        ACT_F_training_deadline_days};

    for (int i = (int)below(4); i >= 0; i--) {
        enum act_field_id field = fields[below(sizeof fields / sizeof fields[0])];
        struct act_plan scratch = tab->plan, plan;
        double held;
        char why[256];
        change(&scratch, act_field(field));
        assert_int_equal(act_desk_try(&desk, tab, field, act_field_number(&scratch, field), NULL,
                                      &plan, &held, why, sizeof why),
                         0);
        act_desk_commit(&desk, &plan, held, field, false, now_ms);
    }
}

static void repairs_end_their_rule(void **state)
{
    int repaired = 0, layouts = 0;

    (void)state;
    for (seed = 1; seed <= REPAIRS; seed++) {
        seed_random(seed);
        start_desk(1);
        struct act_tab *tab = desk.tab[0];
        desk.hold_data = one_in(4);
        disturb(tab);
        for (int i = 0; i < 12; i++) {
            const struct act_checks *checks = &tab->result.checks;
            int at = 0;
            while (at < checks->count && checks->check[at].repairs == 0)
                at++;
            bool any = at < checks->count;
            struct act_check check = any ? checks->check[at] : (struct act_check){0};
            double held = tab->held;
            int done = tab->history.done;
            assert_int_equal(act_action(ACT_DO_repair)->run(&desk, now_ms), any);
            if (!any)
                break;
            repaired++;
            assert_int_equal(tab->history.done, done + 1);
            if (is_broken(&tab->result, check.rule))
                fail_msg("seed %llu: \"%s\" is not ended by its repair", seed, check.message);
            bool layout = false, data = false;
            for (int k = 0; k < check.repairs; k++) {
                layout = layout || is_layout(check.repair[k].field);
                data = data || check.repair[k].field == ACT_F_parallel_data;
            }
            double gpus = act_plan_gpus(&tab->plan);
            if (desk.hold_data || data) {
                assert_true(tab->held == gpus);
                continue;
            }
            layouts += layout;
            /* Held GPUs stay, and are used as far as whole replicas go. */
            if (tab->held != held || (gpus > held && gpus > replica(&tab->plan)) ||
                (layout && gpus + replica(&tab->plan) <= held))
                fail_msg("seed %llu: %s: %g of %g GPUs after the repair, %g held before", seed,
                         check.rule, gpus, tab->held, held);
        }
        act_desk_free(&desk);
    }
    assert_true(repaired > REPAIRS && layouts > REPAIRS / 10);
}

static int free_desk(void **state)
{
    (void)state;
    act_desk_free(&desk);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(sequences, free_desk),
        cmocka_unit_test_teardown(there_and_back_leaves_nothing, free_desk),
        cmocka_unit_test_teardown(repairs_end_their_rule, free_desk),
    };
    /* No presets but those compiled in. */
    setenv("XDG_CONFIG_HOME", "/nonexistent", 1);
    setenv("XDG_DATA_HOME", "/nonexistent", 1);
    setenv("XDG_DATA_DIRS", "/nonexistent", 1);
    return cmocka_run_group_tests_name("desk", tests, NULL, NULL);
}

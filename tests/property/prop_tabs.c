/* Sequences of what a user may do with scenarios as a whole, against a model of it: tabs are
 * copied, moved, closed and brought back to their places, the baseline is one of them, nothing
 * unsaved goes away, and values copied across are undoable changes of the other. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "random_plan.h"
#include "session/action.h"
#include "session/desk.h"

#include <stdlib.h>
#include <string.h>

enum { ORDERS = 250, MOVES = 120, TABS = 2 };

static struct act_desk desk;
static int64_t now_ms;
static unsigned long long seed;

static void start_desk(void)
{
    static const char *const scenarios[TABS] = {"example", "qwen2.5-7b-lora-4090"};
    for (int i = 0; i < TABS; i++) {
        struct act_problems problems;
        act_problems_init(&problems, scenarios[i]);
        assert_int_equal(act_desk_open(&desk, scenarios[i], &problems), 0);
    }
    now_ms = 1000000;
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

/* The desk as lists of tabs. */
struct order {
    struct act_tab *open[ACT_TABS_MAX + ACT_CLOSED_MAX], *pinned;
    struct act_closed closed[ACT_CLOSED_MAX];
    int count, current, closed_count;
};

static struct order order;

static void order_inserts(int at, struct act_tab *tab)
{
    for (int i = order.count++; i > at; i--)
        order.open[i] = order.open[i - 1];
    order.open[at] = tab;
    order.current = at;
}

static void order_closes(void)
{
    struct act_tab *tab = order.open[order.current];
    if (order.count == 1)
        return;
    if (order.closed_count == ACT_CLOSED_MAX) { /* the oldest without unsaved work goes */
        int at = 0;
        while (at < order.closed_count && act_tab_modified(order.closed[at].tab))
            at++;
        if (at == order.closed_count)
            return;
        for (order.closed_count--; at < order.closed_count; at++)
            order.closed[at] = order.closed[at + 1];
    }
    order.closed[order.closed_count++] = (struct act_closed){
        .tab = tab, .at = order.current, .pinned = tab == order.pinned, .when_ms = now_ms};
    if (tab == order.pinned)
        order.pinned = NULL;
    order.count--;
    for (int i = order.current; i < order.count; i++)
        order.open[i] = order.open[i + 1];
    if (order.current == order.count)
        order.current--;
}

static void order_reopens(void)
{
    const struct act_closed *last = &order.closed[--order.closed_count];
    order_inserts(last->at < order.count ? last->at : order.count, last->tab);
    if (last->pinned && order.pinned == NULL)
        order.pinned = last->tab;
}

static void order_moves(int by)
{
    int to = order.current + by;
    if (to < 0 || to >= order.count)
        return;
    struct act_tab *tab = order.open[to];
    order.open[to] = order.open[order.current];
    order.open[order.current] = tab;
    order.current = to;
}

static void compare_order(const char *deed)
{
    if (desk.count != order.count || desk.current != order.current ||
        desk.closed_count != order.closed_count || desk.pinned != order.pinned)
        fail_msg("seed %llu: after %s %d open, %d current, %d closed; not %d, %d, %d", seed, deed,
                 desk.count, desk.current, desk.closed_count, order.count, order.current,
                 order.closed_count);
    if (desk.count < 1 || desk.count + desk.closed_count > ACT_TABS_MAX + ACT_CLOSED_MAX)
        fail_msg("seed %llu: after %s %d are open", seed, deed, desk.count);
    bool modified = false;
    for (int i = 0; i < desk.count + desk.closed_count; i++) {
        bool open = i < desk.count;
        const struct act_tab *tab = open ? desk.tab[i] : desk.closed[i - desk.count].tab;
        if (tab != (open ? order.open[i] : order.closed[i - desk.count].tab))
            fail_msg("seed %llu: after %s another tab is at %d", seed, deed, i);
        modified = modified || act_tab_modified(tab);
        for (int k = 0; open && k < i; k++)
            assert_ptr_not_equal(desk.tab[k], tab);
    }
    assert_int_equal(act_desk_modified(&desk), modified);
    assert_true(desk.pinned == NULL || act_desk_index(&desk, desk.pinned) >= 0);
}

/* What undo takes back: the last closing, unless the current tab changed after it. */
static bool undo_reopens(void)
{
    return order.closed_count > 0 && order.closed[order.closed_count - 1].when_ms >=
                                         act_history_when(&act_desk_tab(&desk)->history);
}

static void copy_a_value(void)
{
    int from = order.current, to = (int)below(order.count);
    enum act_field_id field = any_field();
    struct act_plan before = desk.tab[to]->plan, other = desk.tab[from]->plan;
    int done = desk.tab[to]->history.done;
    if (from == to)
        return;
    bool copied = act_desk_copy(&desk, from, to, field, now_ms);
    const struct act_tab *tab = desk.tab[to];
    assert_memory_equal(&desk.tab[from]->plan, &other, sizeof other);
    if (copied && field != ACT_F_parallel_gpus && !act_field_equal(&tab->plan, &other, field))
        fail_msg("seed %llu: %s is not copied", seed, act_field(field)->key);
    if (act_plan_equal(&before, &tab->plan))
        assert_int_equal(tab->history.done, done);
    else
        assert_int_equal(tab->history.done, done + 1);
    struct act_plan plan = tab->plan;
    double held = tab->held;
    if (tab->history.done > done) { /* it is one step of the other's own undo */
        act_history_undo(&desk.tab[to]->history, &desk.tab[to]->plan, &desk.tab[to]->held);
        assert_true(act_plan_equal(&desk.tab[to]->plan, &before));
        act_history_redo(&desk.tab[to]->history, &desk.tab[to]->plan, &desk.tab[to]->held);
        assert_memory_equal(&desk.tab[to]->plan, &plan, sizeof plan);
        assert_true(desk.tab[to]->held == held);
    }
}

static void do_with_tabs(void)
{
    static const enum act_action_id ids[] = {ACT_DO_duplicate,  ACT_DO_duplicate, ACT_DO_duplicate,
                                             ACT_DO_close,      ACT_DO_close,     ACT_DO_undo,
                                             ACT_DO_undo,       ACT_DO_move_left, ACT_DO_pin,
                                             ACT_DO_move_right, ACT_DO_next_tab,  ACT_DO_step_up};
    const struct act_action *action = act_action(ids[below(sizeof ids / sizeof ids[0])]);
    bool reopens = action->id == ACT_DO_undo && undo_reopens();
    bool done = action->run(&desk, now_ms);

    switch (action->id) {
    case ACT_DO_duplicate:
        assert_int_equal(done, order.count < ACT_TABS_MAX);
        if (done)
            order_inserts(order.current + 1, desk.tab[desk.current]);
        break;
    case ACT_DO_close:
        order_closes();
        break;
    case ACT_DO_undo:
        if (reopens)
            order_reopens();
        break;
    case ACT_DO_move_left:
    case ACT_DO_move_right:
        order_moves(action->id == ACT_DO_move_left ? -1 : 1);
        break;
    case ACT_DO_pin:
        order.pinned = order.pinned == order.open[order.current] ? NULL : order.open[order.current];
        break;
    case ACT_DO_next_tab:
        order.current = (order.current + 1) % order.count;
        break;
    default:
        break;
    }
    compare_order(action->name);
}

static void tabs_keep_their_order(void **state)
{
    (void)state;
    for (seed = 1; seed <= ORDERS; seed++) {
        seed_random(seed);
        start_desk();
        order = (struct order){.count = TABS, .current = TABS - 1};
        for (int i = 0; i < TABS; i++)
            order.open[i] = desk.tab[i];
        for (int i = 0; i < MOVES; i++) {
            now_ms += below(3000);
            act_desk_tab(&desk)->focus = any_field();
            if (one_in(6))
                copy_a_value();
            else
                do_with_tabs();
        }
        compare_order("all");
        act_desk_free(&desk);
    }
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
        cmocka_unit_test_teardown(tabs_keep_their_order, free_desk),
    };
    /* No presets but those compiled in. */
    setenv("XDG_CONFIG_HOME", "/nonexistent", 1);
    setenv("XDG_DATA_HOME", "/nonexistent", 1);
    setenv("XDG_DATA_DIRS", "/nonexistent", 1);
    return cmocka_run_group_tests_name("tabs_in_order", tests, NULL, NULL);
}

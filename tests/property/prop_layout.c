/* Where things stand on the screen, for every size of it: rectangles inside and apart, what must
 * be there is there; and the rows of the panes, for any plan and room. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "random_plan.h"
#include "ui/pane.h"
#include "ui/rect.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { ROWS = 70, COLUMNS = 200, STAGES = 128, RECTS = 13, LAYOUTS = 150000, PLANS = 4000 };

static struct act_needs needs;
static int rows, columns;

/* What is wrong, with what it was asked for. */
static void wrong(const char *what, const char *which)
{
    fail_msg("%d rows, %d columns, stages %d, what-if %d, checks %d, contents %d: %s %s", rows,
             columns, needs.stages, needs.what_if, needs.checks, needs.contents, which, what);
}

struct named {
    const char *name;
    struct act_rect rect;
};

static void name_all(const struct act_layout_view *view, struct named named[RECTS])
{
    const struct named all[RECTS] = {
        {"tabs", view->tabs},         {"verdict", view->verdict},
        {"top rule", view->rule_top}, {"fields", view->fields},
        {"divider", view->divider},   {"memory", view->memory},
        {"step", view->step},         {"what-if", view->what_if},
        {"checks", view->checks},     {"contents", view->contents},
        {"hint", view->hint},         {"bottom rule", view->rule_bottom},
        {"keys", view->keys},
    };
    memcpy(named, all, sizeof all);
}

static bool is_empty(struct act_rect rect)
{
    return rect.rows == 0 || rect.columns == 0;
}

static bool overlap(struct act_rect a, struct act_rect b)
{
    return !is_empty(a) && !is_empty(b) && a.row < b.row + b.rows && b.row < a.row + a.rows &&
           a.column < b.column + b.columns && b.column < a.column + a.columns;
}

static void check_rects(const struct act_layout_view *view)
{
    struct named named[RECTS];

    name_all(view, named);
    for (int i = 0; i < RECTS; i++) {
        struct act_rect rect = named[i].rect;
        if (rect.row < 0 || rect.column < 0 || rect.rows < 0 || rect.columns < 0)
            wrong("is negative", named[i].name);
        if (rect.row + rect.rows > rows || rect.column + rect.columns > columns)
            wrong("leaves the screen", named[i].name);
        for (int j = 0; j < i; j++)
            if (overlap(rect, named[j].rect))
                wrong(named[j].name, named[i].name);
    }
}

static void check_blocks(const struct act_layout_view *view)
{
    bool line = rows < 4 || columns < 20, full = rows >= 16 && columns >= 76;

    if ((view->form == ACT_FORM_LINE) != line || (view->form == ACT_FORM_FULL) != full)
        wrong("is another", "the form");
    if (is_empty(view->verdict))
        wrong("is not there", "verdict");
    if (line)
        return;
    if (is_empty(view->fields))
        wrong("are not there", "fields");
    if (is_empty(view->hint))
        wrong("is not there", "hint");
    if (is_empty(view->memory))
        wrong("is not there", "memory");
    /* A heading and a bar at least. */
    if (view->form != ACT_FORM_SMALL && view->memory.rows < 2)
        wrong("has no bar", "memory");
    if (view->form != ACT_FORM_SMALL && view->memory.rows > needs.stages + 3)
        wrong("has rows to spare", "memory");
    if (view->what_if.rows == 1 || view->what_if.rows == 2)
        wrong("has nothing to compare", "what-if");
    if (view->contents.rows == 1 || view->contents.rows == 2)
        wrong("has only a heading", "contents");
    if (!full)
        return;
    if (is_empty(view->step) || is_empty(view->tabs) || is_empty(view->keys))
        wrong("step, tabs or keys", "no");
    if (view->fields.columns < 28 || view->memory.columns < 40)
        wrong("are too narrow", "columns");
    /* No block is larger than what it has to show. */
    if (view->checks.rows > needs.checks || view->what_if.rows > needs.what_if + 1 ||
        view->contents.rows > needs.contents + 1)
        wrong("has rows to spare", "a block");
}

static void check_layout(void)
{
    struct act_layout_view view;

    act_rect_layout(rows, columns, &needs, &view);
    check_rects(&view);
    check_blocks(&view);
}

static void every_size(void **state)
{
    static const struct act_needs few[] = {
        {1, 3, 3, 3, 2, false},           {2, 5, 3, 3, 3, true},  {8, 5, 6, 3, 3, false},
        {STAGES, 5, 6, STAGES, 3, false}, {1, 0, 0, 0, 2, false}, {1, 3, 3, 3, 2, true},
    };

    (void)state;
    for (size_t i = 0; i < sizeof few / sizeof few[0]; i++) {
        needs = few[i];
        for (rows = 1; rows <= ROWS; rows++)
            for (columns = 1; columns <= COLUMNS; columns++)
                check_layout();
    }
}

static void any_needs(void **state)
{
    (void)state;
    seed_random(20261130);
    for (int i = 0; i < LAYOUTS; i++) {
        rows = 1 + (int)below(ROWS);
        columns = 1 + (int)below(COLUMNS);
        needs.stages = 1 + (int)below(STAGES);
        needs.what_if = (int)below(8);
        needs.checks = (int)below(12);
        needs.contents = (int)below(one_in(4) ? STAGES + 1 : 6);
        needs.step = 2 + (int)below(2);
        check_layout();
    }
}

/* More room takes nothing away: not a bar, a check or a row of fields. */
static void taller_shows_no_less(void **state)
{
    (void)state;
    seed_random(7);
    for (int i = 0; i < 2000; i++) {
        struct act_layout_view view, taller;
        columns = 76 + (int)below(COLUMNS - 76);
        needs = (struct act_needs){1 + (int)below(STAGES), 5,        1 + (int)below(6), 3,
                                   2 + (int)below(2),      one_in(2)};
        for (rows = 28; rows < ROWS; rows++) {
            act_rect_layout(rows, columns, &needs, &view);
            act_rect_layout(rows + 1, columns, &needs, &taller);
            if (taller.memory.rows < view.memory.rows)
                wrong("shrinks in a taller screen", "memory");
            if (taller.checks.rows < view.checks.rows)
                wrong("shrink in a taller screen", "checks");
            if (taller.fields.rows < view.fields.rows)
                wrong("shrink in a taller screen", "fields");
        }
    }
}

/* Sizes at which something changes. */
static void thresholds(void **state)
{
    struct act_layout_view view;

    (void)state;
    needs = (struct act_needs){2, 2, 3, 3, 2, false};
    act_rect_layout(28, 100, &needs, &view); /* a blank row below the tabs */
    assert_int_equal(view.verdict.row, 2);
    act_rect_layout(27, 100, &needs, &view);
    assert_int_equal(view.verdict.row, 1);
    /* What-if is worth its rows from two values on, and contents from two rows on. */
    act_rect_layout(40, 100, &needs, &view);
    assert_int_equal(view.what_if.rows, 3);
    assert_int_equal(view.contents.rows, 4);
    needs.what_if = 1;
    act_rect_layout(40, 100, &needs, &view);
    assert_int_equal(view.what_if.rows, 0);
    /* Columns: the fields, a rule, a blank, the results up to the edge. */
    static const int widths[][2] = {{76, 30}, {89, 33}, {90, 38}, {109, 38}, {110, 47}, {160, 56}};
    for (size_t i = 0; i < sizeof widths / sizeof widths[0]; i++) {
        act_rect_layout(40, widths[i][0], &needs, &view);
        assert_int_equal(view.fields.columns, widths[i][1]);
        assert_int_equal(view.divider.column, widths[i][1]);
        assert_int_equal(view.memory.column, widths[i][1] + 2);
        assert_int_equal(view.memory.column + view.memory.columns, widths[i][0]);
    }
    /* Blocks of a roomy screen stand a blank row apart. */
    needs = (struct act_needs){2, 5, 3, 3, 3, false};
    act_rect_layout(50, 120, &needs, &view);
    assert_int_equal(view.step.row, view.memory.row + view.memory.rows + 1);
    assert_int_equal(view.what_if.row, view.step.row + view.step.rows + 1);
    assert_int_equal(view.checks.row, view.what_if.row + view.what_if.rows + 1);
    assert_int_equal(view.contents.row, view.checks.row + view.checks.rows + 1);
    /* Differences have a line of their own where there is room, and move nothing elsewhere. */
    struct act_layout_view with;
    needs.versus = true;
    act_rect_layout(50, 120, &needs, &with);
    assert_int_equal(with.verdict.rows, view.verdict.rows + 1);
    act_rect_layout(24, 80, &needs, &with);
    needs.versus = false;
    act_rect_layout(24, 80, &needs, &view);
    assert_memory_equal(&with, &view, sizeof view);
    needs.versus = true;
    act_rect_layout(12, 40, &needs, &with);
    assert_int_equal(with.verdict.rows, 3);
}

static void a_screen_without_size(void **state)
{
    static const int sizes[][2] = {{0, 0}, {-1, -1}, {0, 200}, {70, 0}, {-5, 80}};

    (void)state;
    needs = (struct act_needs){8, 5, 6, 3, 3, false};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        struct act_layout_view view;
        act_rect_layout(sizes[i][0], sizes[i][1], &needs, &view);
        rows = sizes[i][0] > 0 ? sizes[i][0] : 0;
        columns = sizes[i][1] > 0 ? sizes[i][1] : 0;
        check_rects(&view);
        assert_int_equal(view.form, ACT_FORM_LINE);
    }
}

static bool holds(struct act_rect rect, int row, int column)
{
    return row >= rect.row && row < rect.row + rect.rows && column >= rect.column &&
           column < rect.column + rect.columns;
}

/* A cell is in what is clipped exactly when it is in both. */
static void clipping_is_the_common_part(void **state)
{
    (void)state;
    seed_random(11);
    for (int i = 0; i < 20000; i++) {
        struct act_rect a = {(int)below(8), (int)below(8), (int)below(8), (int)below(8)};
        struct act_rect b = {(int)below(20) - 6, (int)below(20) - 6, (int)below(9), (int)below(9)};
        struct act_rect both = act_rect_clip(a, b);
        assert_true(both.rows >= 0 && both.columns >= 0);
        for (int row = -8; row < 24; row++)
            for (int column = -8; column < 24; column++)
                assert_int_equal(holds(both, row, column),
                                 holds(a, row, column) && holds(b, row, column));
    }
}

/* Rows of the panes. */

static struct act_plan random_plan(void)
{
    struct act_plan plan;

    act_plan_init(&plan);
    for (int i = (int)below(12); i > 0; i--)
        change(&plan, act_field((enum act_field_id)below(ACT_FIELD_COUNT)));
    return plan;
}

static void check_rows(const struct act_rows *list, uint64_t seed)
{
    bool seen[ACT_FIELD_COUNT] = {false};

    assert_in_range(list->count, 0, ACT_FIELD_COUNT);
    for (int i = 0; i < list->count; i++) {
        const struct act_row *row = &list->row[i];
        if ((int)row->field < 0 || row->field >= ACT_FIELD_COUNT || seen[row->field] ||
            act_field(row->field)->group != row->group)
            fail_msg("seed %llu: row %d is wrong", (unsigned long long)seed, i);
        seen[row->field] = true;
    }
}

/* Rows of a pane follow its heading; a pane folded away is its heading alone. */
static void check_headings(const struct act_rows *list, uint64_t seed)
{
    for (int i = 0; i < list->count; i++) {
        const struct act_row *row = &list->row[i];
        bool alone = i + 1 == list->count || list->row[i + 1].heading;
        bool starts = i == 0 || list->row[i - 1].group != row->group;
        if (row->heading != starts || (row->closed && (!row->heading || !alone)))
            fail_msg("seed %llu: row %d: heading %d, closed %d", (unsigned long long)seed, i,
                     row->heading, row->closed);
    }
}

/* Panes whose rows are shown. */
static int open_panes(const struct act_rows *list)
{
    int open = 0;

    for (int i = 0; i + 1 < list->count; i++)
        open += list->row[i].heading && !list->row[i + 1].heading;
    return open;
}

static void check_panes(const struct act_plan *plan, bool all, uint64_t seed)
{
    static struct act_rows list;
    enum act_field_id focus = (enum act_field_id)below(ACT_FIELD_COUNT);
    const struct act_field *row = act_field(focus);
    int room = (int)below(60);

    act_pane_rows(plan, all, "", focus, room, &list);
    check_rows(&list, seed);
    check_headings(&list, seed);
    int at = act_pane_find(&list, focus);
    /* The scenario's own fields have no pane but in the list of all. */
    if (row->group == ACT_GROUP_scenario && !all) {
        assert_int_equal(at, -1);
        return;
    }
    if (at < 0 || at >= list.count || list.row[at].group != row->group)
        fail_msg("seed %llu: %s has no row", (unsigned long long)seed, row->key);
    bool wanted = act_field_applies(plan, focus) && (all || (row->flags & ACT_FIELD_MAIN) != 0);
    bool unused = row->group == ACT_GROUP_model && act_field_number(plan, focus) == 0;
    if (wanted && (all || !unused) && list.row[at].field != focus)
        fail_msg("seed %llu: %s is folded away", (unsigned long long)seed, row->key);
    if (!list.row[at].heading && list.row[at].field != focus)
        fail_msg("seed %llu: %s is on a row of another", (unsigned long long)seed, row->key);
    /* Panes beside the focus open only where there is room for them. */
    if (!all && open_panes(&list) > 1 && list.count > room)
        fail_msg("seed %llu: %d rows for a room of %d", (unsigned long long)seed, list.count, room);
    if (all)
        for (int i = 0; i < list.count; i++)
            assert_false(list.row[i].closed);
}

static void focus_has_a_row(void **state)
{
    const char *given = getenv("ACTUARY_SEED");
    uint64_t first = given ? strtoull(given, NULL, 10) : 1;

    (void)state;
    for (uint64_t seed = first; seed < first + (given ? 1 : PLANS); seed++) {
        seed_random(seed);
        struct act_plan plan = random_plan();
        for (int i = 0; i < 8; i++)
            check_panes(&plan, i % 2 == 0, seed);
    }
}

/* Each heading's rows fit as soon as there is room for all of them, and a row less folds one. */
static void panes_fold_when_they_must(void **state)
{
    static struct act_rows list;
    struct act_plan plan;

    (void)state;
    act_plan_init(&plan);
    act_pane_rows(&plan, false, "", ACT_F_parallel_tensor, 1000, &list);
    int whole = list.count;
    for (int i = 0; i < whole; i++)
        assert_false(list.row[i].closed);
    act_pane_rows(&plan, false, "", ACT_F_parallel_tensor, whole, &list);
    assert_int_equal(list.count, whole);
    act_pane_rows(&plan, false, "", ACT_F_parallel_tensor, whole - 1, &list);
    assert_true(list.count < whole);
    /* With no room at all: six headings and the pane of the focus. */
    act_pane_rows(&plan, false, "", ACT_F_cost_price_per_gpu_hour, 0, &list);
    assert_int_equal(list.row[list.count - 1].group, ACT_GROUP_cost);
    for (int i = 0; i < 5; i++)
        assert_true(list.row[i].heading && list.row[i].closed);
}

static bool has(const char *text, const char *part)
{
    for (; *text != '\0'; text++)
        if (strncasecmp(text, part, strlen(part)) == 0)
            return true;
    return false;
}

/* As the beginning of a word: of "global batch", "ba" but not "at". */
static bool begins_word(const char *label, const char *part)
{
    bool begins = strncasecmp(label, part, strlen(part)) == 0;

    for (; *label != '\0'; label++)
        if (strchr(" ._", *label) && strncasecmp(label + 1, part, strlen(part)) == 0)
            begins = true;
    return begins;
}

/* Those of whose label a word begins with it come first. */
static void filters_find_all_and_only_what_matches(void **state)
{
    static struct act_rows list;

    (void)state;
    for (uint64_t seed = 1; seed <= 2000; seed++) {
        seed_random(seed);
        struct act_plan plan = random_plan();
        const struct act_field *from = act_field((enum act_field_id)below(ACT_FIELD_COUNT));
        const char *text = one_in(2) ? from->label : from->key;
        char filter[24];
        size_t start = (size_t)below((int64_t)strlen(text));
        snprintf(filter, sizeof filter, "%.*s", 1 + (int)below(6), text + start);
        for (char *at = filter; *at != '\0'; at++)
            *at = (char)(one_in(2) ? toupper((unsigned char)*at) : *at);

        act_pane_rows(&plan, one_in(2), filter, from->id, (int)below(60), &list);
        check_rows(&list, seed);
        int expected = 0;
        for (int id = 0; id < ACT_FIELD_COUNT; id++) {
            const struct act_field *field = act_field((enum act_field_id)id);
            bool matches = act_field_applies(&plan, field->id) &&
                           (has(field->label, filter) || has(field->key, filter));
            expected += matches;
            if ((act_pane_find(&list, field->id) >= 0) != matches)
                fail_msg("seed %llu: \"%s\" and %s", (unsigned long long)seed, filter, field->key);
        }
        assert_int_equal(list.count, expected);
        for (int i = 1; i < list.count; i++)
            if (begins_word(act_field(list.row[i].field)->label, filter) &&
                !begins_word(act_field(list.row[i - 1].field)->label, filter))
                fail_msg("seed %llu: \"%s\" lists %s late", (unsigned long long)seed, filter,
                         act_field(list.row[i].field)->key);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_size),
        cmocka_unit_test(any_needs),
        cmocka_unit_test(taller_shows_no_less),
        cmocka_unit_test(thresholds),
        cmocka_unit_test(a_screen_without_size),
        cmocka_unit_test(clipping_is_the_common_part),
        cmocka_unit_test(focus_has_a_row),
        cmocka_unit_test(panes_fold_when_they_must),
        cmocka_unit_test(filters_find_all_and_only_what_matches),
    };
    return cmocka_run_group_tests_name("screen layout", tests, NULL, NULL);
}

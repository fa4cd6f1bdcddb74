/* Typed commands: what they mean, what is ambiguous or wrong and how that is said, hostile lines,
 * and the palette's order. The example has TP 4 x PP 2 x DP 8 = 64 GPUs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "scratch.h"
#include "session/palette.h"
#include "ui/palette.h"
#include <actuary/field.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct act_desk desk;
static int64_t now_ms;

static int open_example(void **state)
{
    struct act_problems problems;
    (void)state;
    act_problems_init(&problems, "example");
    return act_desk_open(&desk, "example", &problems);
}

static int free_desk(void **state)
{
    (void)state;
    act_desk_free(&desk);
    return 0;
}

/* Carries a whole line out; fails when one of its commands cannot be. */
static void obey(const char *line)
{
    struct act_command command;
    char one[ACT_COMMAND_MAX + 1], why[ACT_MESSAGE_MAX];
    while (act_command_next(&line, one)) {
        if (act_command_parse(&desk, one, &command, why, sizeof why) != 0)
            fail_msg("%s: %s", one, why);
        if (act_command_run(&desk, &command, now_ms += 10000) != ACT_DONE)
            fail_msg("%s: %s", one, desk.message);
    }
}

/* What is said of a line that is not obeyed: by its parse or by the desk. */
static const char *refusal(const char *line)
{
    static char why[ACT_MESSAGE_MAX];
    struct act_command command;
    struct act_plan before = act_desk_tab(&desk)->plan;
    if (act_command_parse(&desk, line, &command, why, sizeof why) == 0) {
        if (act_command_run(&desk, &command, now_ms += 10000) != ACT_DONE_WRONG)
            fail_msg("\"%s\" was obeyed", line);
        snprintf(why, sizeof why, "%s", desk.message);
    }
    assert_true(act_plan_equal(&before, &act_desk_tab(&desk)->plan));
    return why;
}

static void assert_value(enum act_field_id field, const char *expected)
{
    char text[256];
    act_field_text(&act_desk_tab(&desk)->plan, field, ACT_STYLE_FILE, text, sizeof text);
    if (strcmp(text, expected) != 0)
        fail_msg("%s is %s instead of %s", act_field(field)->key, text, expected);
}

static void names_of_fields(void **state)
{
    (void)state;
    static const struct {
        const char *line;
        enum act_field_id field;
        const char *value;
    } cases[] = {
        {"tp 8", ACT_F_parallel_tensor, "8"},
        {"TP=4", ACT_F_parallel_tensor, "4"},
        {":tp = 8", ACT_F_parallel_tensor, "8"},
        {"tensor TP 4", ACT_F_parallel_tensor, "4"},
        {"tensor 8", ACT_F_parallel_tensor, "8"},
        {"set parallel.tensor 4", ACT_F_parallel_tensor, "4"},
        {"set parallel.tensor=8", ACT_F_parallel_tensor, "8"},
        {"tens 4", ACT_F_parallel_tensor, "4"},
        {"pp 4", ACT_F_parallel_pipeline, "4"},
        {"pp 2", ACT_F_parallel_pipeline, "2"},
        {"cp 2", ACT_F_parallel_context, "2"},
        {"cp 1", ACT_F_parallel_context, "1"},
        {"dp 16", ACT_F_parallel_data, "16"},
        {"dp 8", ACT_F_parallel_data, "8"},
        {"mb 2", ACT_F_training_micro_batch, "2"},
        {"micro batch 1", ACT_F_training_micro_batch, "1"},
        {"micro_batch 2", ACT_F_training_micro_batch, "2"},
        {"micro-batch 1", ACT_F_training_micro_batch, "1"},
        {"gb 8*64", ACT_F_training_global_batch, "512"},
        {"global batch 1024", ACT_F_training_global_batch, "1024"},
        {"seq 8*1024", ACT_F_training_sequence, "8192"},
        {"sequence 4096", ACT_F_training_sequence, "4096"},
        {"recompute full", ACT_F_parallel_recompute, "full"},
        {"model llama2-7b", ACT_F_model_preset, "llama2-7b"},
        {"llama2-70b", ACT_F_model_preset, "llama2-70b"},
        {"hardware h100-sxm", ACT_F_hardware_preset, "h100-sxm"},
        {"framework fsdp", ACT_F_framework_preset, "fsdp"},
        {"name \"one; two\"", ACT_F_scenario_name, "one; two"},
        {"tokens 2T", ACT_F_training_tokens, "2T"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        obey(cases[i].line);
        assert_value(cases[i].field, cases[i].value);
    }
}

/* What the planner's own hands keep is kept here too: the GPU count, undo, the focus. */
static void as_on_the_screen(void **state)
{
    (void)state;
    obey("tp 8; recompute full");
    assert_true(act_plan_gpus(&act_desk_tab(&desk)->plan) == 64);
    assert_value(ACT_F_parallel_data, "4");
    obey("undo");
    assert_value(ACT_F_parallel_recompute, "none");
    obey("undo; redo; redo");
    assert_value(ACT_F_parallel_tensor, "8");
    obey("hold; tp 4");
    assert_value(ACT_F_parallel_data, "4");
    obey("half gpus; undo; twice seq");
    assert_value(ACT_F_training_sequence, "8192");
    assert_int_equal(act_desk_tab(&desk)->focus, ACT_F_training_sequence);
    obey("tp; step up");
    assert_value(ACT_F_parallel_tensor, "8");
    obey("reset recompute");
    assert_value(ACT_F_parallel_recompute, "auto");
    obey("units");
    assert_true(desk.settings.decimal);
    obey("; ;; units ;");
    assert_false(desk.settings.decimal);
    obey("open chapter-7; tab 1");
    assert_int_equal(desk.count, 2);
    assert_int_equal(desk.current, 0);
}

static void what_is_wrong_is_said_in_a_line(void **state)
{
    (void)state;
    static const struct {
        const char *line, *says;
    } cases[] = {
        {"tensr 8", "tensr: no such name; did you mean parallel.tensor?"},
        {"h100-sxn", "did you mean h100-sxm?"},
        {"qqqqqq", "no such name"},
        {"tp 3x", "parallel.tensor: 3x"},
        {"tp 0", "parallel.tensor"},
        {"tp 1,024", "parallel.tensor"},
        {"set tp", "parallel.tensor: needs a value"},
        {"set undo", "undo is an action"},
        {"undo 3", "undo takes nothing behind it"},
        {"half 3", "3: no such name"},
        {"half tp 3", "half takes the name of a field"},
        {"lora 3", "lora may be"},
        {"model no-such-model", "model.preset"},
        {"save", "has no file yet"},
        {"tab 9", "tab takes the number or name of an open scenario"},
        {"close now", "takes no name"},
        {"open no-such-file.yaml", "no-such-file.yaml"},
        {"= 8", "begins with no name"},
        {"name \"Run 2", "a quote is not closed"},
        {"tp \"8", "a quote is not closed"},
        {"\"", "a quote is not closed"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *why = refusal(cases[i].line);
        if (strstr(why, cases[i].says) == NULL || strchr(why, '\n') != NULL)
            fail_msg("\"%s\" says \"%s\"", cases[i].line, why);
    }
}

/* Every action can be named; those without a `run` leave it to the screen. */
static void every_action_has_its_name(void **state)
{
    (void)state;
    for (int id = 0; id < ACT_ACTION_COUNT; id++) {
        const struct act_action *action = act_action((enum act_action_id)id);
        struct act_command command;
        char why[256];
        assert_int_equal(act_command_parse(&desk, action->name, &command, why, sizeof why), 0);
        bool own = command.kind == ACT_COMMAND_SAVE || command.kind == ACT_COMMAND_CLOSE ||
                   command.kind == ACT_COMMAND_RESET;
        if (!own) {
            assert_int_equal(command.kind, ACT_COMMAND_ACTION);
            assert_int_equal(command.action, id);
        }
        if (!own && action->run == NULL)
            assert_int_equal(act_command_run(&desk, &command, 0), ACT_DONE_SCREEN);
    }
}

/* No key stands for two actions, and each is one that is known. */
static void every_key_is_one_action(void **state)
{
    (void)state;
    for (int id = 0; id < ACT_ACTION_COUNT; id++) {
        const struct act_action *action = act_action((enum act_action_id)id);
        int key;
        for (int i = 0; (key = act_action_key(action, i)) != 0; i++) {
            const struct act_action *found = action->place == ACT_PLACE_COLUMNS
                                                 ? act_action_in_columns(key)
                                                 : act_action_of_key(key);
            if (key == ACT_KEY_NONE || found != action)
                fail_msg("key %d of %s is %s's", i, action->name, found ? found->name : "nobody");
        }
    }
}

static uint64_t next_random(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005U + 1442695040888963407U;
    return *seed >> 33;
}

/* Whatever is typed ends: obeyed, or refused in one printable line. Nothing is saved or opened. */
static void hostile_lines(void **state)
{
    (void)state;
    static const char *const parts[] = {
        "tp",       "set ", " ",     "=",           ";",    "\"",     "8",     "-",
        "undo",     "half", "1e999", "((((",        "9/0",  "\t",     "\033[", "\xff",
        "\xe5\xae", ":",    "tab ",  "micro batch", "lora", "reset ", "%s%n",  "recompute full",
        "gpus",     "redo", "auto",  "repair",      "[1,2", ".",      "model."};
    uint64_t seed = 20261130;
    for (int round = 0; round < 20000; round++) {
        char line[512] = "", one[ACT_COMMAND_MAX + 1], why[ACT_MESSAGE_MAX];
        const char *at = line;
        struct act_command command;
        int count = (int)(next_random(&seed) % 9);
        for (int i = 0; i < count; i++)
            strcat(line, parts[next_random(&seed) % (sizeof parts / sizeof *parts)]);
        while (act_command_next(&at, one)) {
            const char *said = why;
            if (act_command_parse(&desk, one, &command, why, sizeof why) == 0) {
                if (act_command_run(&desk, &command, now_ms += 10000) != ACT_DONE_WRONG)
                    continue;
                said = desk.message;
            }
            assert_true(said[0] != '\0');
            for (const char *c = said; *c != '\0'; c++)
                if ((unsigned char)*c < ' ' || *c == 127)
                    fail_msg("\"%s\" is answered with a control character", one);
        }
    }
    char longest[3000];
    memset(longest, 'x', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    assert_non_null(strstr(refusal(longest), "at most"));
    memset(longest, '(', ACT_COMMAND_MAX - 1);
    memcpy(longest, "tp ", 3);
    longest[ACT_COMMAND_MAX - 1] = '\0';
    assert_non_null(strstr(refusal(longest), "parallel.tensor"));
    char one[ACT_COMMAND_MAX + 1];
    const char *at = "a;;\"b;c\";";
    static const char *const expected[] = {"a", "", "\"b;c\""};
    for (int i = 0; i < 3; i++) {
        assert_true(act_command_next(&at, one));
        assert_string_equal(one, expected[i]);
    }
    assert_false(act_command_next(&at, one));
}

static const char *first_of(struct act_palette *palette, const char *pattern)
{
    act_palette_filter(palette, pattern);
    return palette->shown > 0 ? act_palette_entry(palette, 0)->name : "";
}

static void the_palette_puts_first_what_is_meant(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"tp", "tensor TP"},        {"undo", "undo"},         {"recompute", "recompute"},
        {"h100-sxm", "h100-sxm"},   {"gb", "global batch"},   {"mb", "micro batch"},
        {"save", "save"},           {"quit", "quit"},         {"tensor", "tensor TP"},
        {"seq", "sequence"},        {"chapter", "chapter-7"}, {"parallel.zero", "ZeRO"},
        {"glo bat", "global batch"}};
    struct act_palette palette;
    assert_true(act_palette_make(&desk, &palette));
    assert_true(palette.count > 300 && palette.count <= ACT_ENTRIES_MAX);
    assert_int_equal(palette.shown, palette.count);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *first = first_of(&palette, cases[i][0]);
        if (strcmp(first, cases[i][1]) != 0)
            fail_msg("\"%s\" finds \"%s\" first", cases[i][0], first);
    }
    assert_string_equal(first_of(&palette, "zzzzzz"), "");
    assert_int_equal(palette.shown, 0);
    act_palette_free(&palette);
}

/* Each entry has what stands at its right, and its name leads to it. */
static void every_entry_can_be_found(void **state)
{
    (void)state;
    struct act_palette palette;
    assert_true(act_palette_make(&desk, &palette));
    int kinds[4] = {0};
    for (int i = 0; i < palette.count; i++) {
        char name[ACT_ENTRY_TEXT];
        kinds[palette.entry[i].kind]++;
        memcpy(name, palette.entry[i].name, sizeof name);
        assert_true(name[0] != '\0' && palette.entry[i].help[0] != '\0');
        act_palette_filter(&palette, name);
        bool found = false;
        for (int k = 0; k < palette.shown && k < 12; k++)
            found = found || palette.order[k] == i;
        if (!found)
            fail_msg("\"%s\" does not find itself", name);
    }
    for (int i = 0; i < 4; i++)
        assert_true(kinds[i] > 0);
    act_palette_free(&palette);
}

static enum act_done run(const char *line)
{
    struct act_command command;
    char why[ACT_MESSAGE_MAX];
    assert_int_equal(act_command_parse(&desk, line, &command, why, sizeof why), 0);
    return act_command_run(&desk, &command, now_ms += 10000);
}

static void nothing_to_do_is_told_apart(void **state)
{
    (void)state;
    static const char *const lines[] = {"undo", "redo", "next_tab", "previous_tab", "copy_right"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        assert_int_equal(run(lines[i]), ACT_DONE_NOTHING);
    assert_int_equal(run("half tp"), ACT_DONE); /* 4 to 2 to 1 */
    assert_int_equal(run("half tp"), ACT_DONE);
    assert_int_equal(run("half tp"), ACT_DONE_NOTHING);
    assert_value(ACT_F_parallel_tensor, "1");
    assert_int_equal(run("undo"), ACT_DONE);
    assert_int_equal(run("tp 2"), ACT_DONE); /* is so already, as was asked */
}

/* "open" opens a session as the planner does: all of its scenarios, or none. */
static void sessions_are_opened(void **state)
{
    (void)state;
    char folder[SCRATCH_PATH], line[SCRATCH_PATH + 100];
    static const char two[] = "kind: session\nopen: [chapter-7, a.yaml]\npinned: 2\n";
    static const char none[] = "kind: session\nopen: [chapter-7, none.yaml]\n";
    scratch_make(folder);
    scratch_write(scratch_path(folder, "a.yaml"), "name: from a file\n", 18);
    scratch_write(scratch_path(folder, "two.yaml"), two, sizeof two - 1);
    scratch_write(scratch_path(folder, "none.yaml.session"), none, sizeof none - 1);
    snprintf(line, sizeof line, "open %s", scratch_path(folder, "none.yaml.session"));
    const char *why = refusal(line);
    assert_non_null(strstr(why, "session:2:19: open: "));
    assert_non_null(strstr(why, "none.yaml"));
    assert_int_equal(desk.count, 1);
    snprintf(line, sizeof line, ":open %s", scratch_path(folder, "two.yaml"));
    obey(line);
    assert_int_equal(desk.count, 3);
    assert_int_equal(desk.current, 1);
    assert_string_equal(desk.tab[2]->plan.scenario.name, "from a file");
    assert_ptr_equal(desk.pinned, desk.tab[2]);
    scratch_remove(folder);
}

/* Keys only mark the list: it is ranked when it is shown or taken, and never for a key that changes
 * nothing. */
static void bursts_rank_once(void **state)
{
    (void)state;
    static struct act_palette_view view;
    memset(&view, 0, sizeof view);
    assert_true(act_palette_open(&view, &desk));
    act_palette_ready(&view, &desk);
    int all = view.palette.shown;
    assert_int_equal(all, view.palette.count);
    for (const char *at = "undo"; *at != '\0'; at++) {
        assert_true(act_palette_key(&view, &desk, *at));
        assert_true(view.stale);
        assert_int_equal(view.palette.shown, 0); /* no click meets the list that was */
        assert_null(act_palette_current(&view));
    }
    assert_true(act_palette_key(&view, &desk, ACT_KEY_TAB)); /* needs the list */
    assert_false(view.stale);
    assert_true(view.valid && view.chosen && view.palette.shown > 0 && view.palette.shown < all);
    assert_string_equal(act_palette_current(&view)->name, "undo");
    assert_true(act_palette_key(&view, &desk, ACT_KEY_LEFT)); /* back to the line as it is */
    assert_false(view.stale || view.chosen);
    for (size_t i = view.line.size; i < ACT_COMMAND_MAX - 1; i++) {
        act_palette_key(&view, &desk, 'x');
        assert_true(view.stale);
    }
    act_palette_ready(&view, &desk);
    assert_false(view.stale);
    for (int i = 0; i < 100; i++) { /* the line is full */
        assert_true(act_palette_key(&view, &desk, 'x'));
        assert_false(view.stale);
    }
    assert_true(act_palette_key(&view, &desk, ACT_KEY_BACKSPACE));
    assert_true(view.stale);
    act_palette_close(&view);
}

#define test(function) cmocka_unit_test_setup_teardown(function, open_example, free_desk)

int main(void)
{
    const struct CMUnitTest tests[] = {
        test(names_of_fields),
        test(as_on_the_screen),
        test(what_is_wrong_is_said_in_a_line),
        test(every_action_has_its_name),
        test(every_key_is_one_action),
        test(hostile_lines),
        test(the_palette_puts_first_what_is_meant),
        test(every_entry_can_be_found),
        test(nothing_to_do_is_told_apart),
        test(sessions_are_opened),
        test(bursts_rank_once),
    };
    return cmocka_run_group_tests_name("command", tests, NULL, NULL);
}

/* Session files: strict reading with place and cure, writing, paths that follow the file, all or
 * nothing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "io/scenario.h"
#include "io/session_file.h"
#include "scratch.h"
#include "session/session_tabs.h"

static struct act_session_file session;
static struct act_problems problems;
static struct act_desk desk;
static char folder[SCRATCH_PATH];

static enum act_session_read parse(const char *text)
{
    act_problems_init(&problems, "f");
    session = (struct act_session_file){.count = -7};
    return act_session_parse(text, strlen(text), &session, &problems);
}

static void refused(const char *text, const char *message)
{
    char all[8000] = "";
    assert_int_equal(parse(text), ACT_SESSION_BROKEN);
    assert_int_equal(session.count, -7); /* untouched */
    for (int i = 0; i < problems.count; i++) {
        char line[800];
        act_problem_text(&problems, i, line, sizeof line);
        snprintf(all + strlen(all), sizeof all - strlen(all), "%s\n", line);
    }
    if (strstr(all, message) == NULL)
        fail_msg("\"%s\" is not in:\n%s", message, all);
}

static void reads_what_is_open(void **state)
{
    (void)state;
    assert_int_equal(parse("schema: 1\nkind: session\nopen: [a.yaml, \"b c.yaml\", chapter-7]\n"
                           "pinned: 2\n"),
                     ACT_SESSION_OK);
    assert_int_equal(session.count, 3);
    assert_int_equal(session.pinned, 1);
    assert_string_equal(session.open[1].path, "b c.yaml");
    assert_int_equal(session.open[2].line, 3);
    assert_int_equal(parse("kind: session\nopen:\n  - a.yaml\n"), ACT_SESSION_OK);
    assert_int_equal(session.pinned, -1);
}

static void tells_what_is_wrong(void **state)
{
    (void)state;
    refused("kind: session\n", "f:1:1: open: is missing; name the scenario files");
    refused("kind: session\nopen: a.yaml\n", "f:2:7: open: must be a list");
    refused("kind: session\nopen: []\n", "f:2:7: open: must be a list");
    refused("kind: session\nopen: [a.yaml, [b.yaml]]\n", "f:2:16: open");
    refused("kind: session\nopen: [\"\"]\n", "has no name");
    refused("kind: session\nopen: [a.yaml]\npinned: 2\n",
            "f:3:9: pinned: 2 is none of the scenarios of open, which count from 1 to 1");
    refused("kind: session\nopen: [a.yaml]\npinned: 0\n", "count from 1 to 1");
    refused("kind: session\nopen: [a.yaml]\npinned: one\n", "f:3:9: pinned");
    refused("kind: session\nopen: [a.yaml]\npin: 1\n",
            "f:3:1: pin: unknown key; a session has schema, kind, open and pinned");
    refused("schema: 2\nkind: session\nopen: [a.yaml]\n", "schema 2 is newer than this program");
    refused("kind: session\nopen: [a.yaml]\nopen: [b.yaml]\n", "open");
    refused("kind: session\nopen: [&x a.yaml]\n", "anchors");
}

/* What is none is left to who reads scenarios. */
static void other_files_are_no_sessions(void **state)
{
    static const char *const texts[] = {"",  "name: a\n",         "[a, b]\n", "kind: scenario\n",
                                        "{", "kind: [session]\n", "session\n"};
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        assert_int_equal(parse(texts[i]), ACT_SESSION_OTHER);
        assert_int_equal(problems.count, 0);
    }
    struct act_plan plan;
    static const char text[] = "kind: session\nopen: [a.yaml]\n";
    act_problems_init(&problems, "f");
    assert_int_equal(act_scenario_parse(text, strlen(text), &plan, &problems), -1);
    assert_int_equal(problems.count, 1);
    assert_non_null(
        strstr(problems.problem[0].text, "this is a session, not a scenario; name the"));
    assert_null(strstr(problems.problem[0].text, "actuary")); /* may be what was just run */
}

static void writes_what_it_reads(void **state)
{
    static const char *const paths[] = {"a.yaml",  "../x y/b.yaml", "null", "- a",  "q\"\\.yaml",
                                        "宽.yaml", "/abs.yaml",     "1e5",  "a: b", "~",
                                        "#c.yaml"};
    static struct act_session_file written;
    char why[200];
    (void)state;
    written = (struct act_session_file){.pinned = 3};
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++)
        snprintf(written.open[written.count++].path, ACT_SESSION_PATH_MAX, "%s", paths[i]);
    struct act_buffer text;
    act_buffer_init(&text, 100000);
    assert_int_equal(act_session_write(&written, &text, why, sizeof why), 0);
    assert_int_equal(parse(text.text), ACT_SESSION_OK);
    act_buffer_free(&text);
    assert_int_equal(session.count, written.count);
    assert_int_equal(session.pinned, 3);
    for (int i = 0; i < session.count; i++)
        assert_string_equal(session.open[i].path, paths[i]);
    snprintf(written.open[0].path, ACT_SESSION_PATH_MAX, "a\xff\n.yaml");
    act_buffer_init(&text, 100000);
    assert_int_equal(act_session_write(&written, &text, why, sizeof why), -1);
    assert_non_null(strstr(why, "rename the file"));
    act_buffer_free(&text);
}

/* Whatever stands in a file: it is read, refused with problems, or left to others. */
static void no_text_is_trouble(void **state)
{
    static const char model[] = "schema: 1\nkind: session\nopen: [a.yaml, \"b c.yaml\", x/y]\n"
                                "pinned: 2\n";
    static const char letters[] = " \n:,[]{}\"'#&*!|>%@`-~0129abkindopes\t\x01\xc3\xff";
    int found[3] = {0};
    uint64_t random = 20261130;
    (void)state;
    for (int i = 0; i < 20000; i++) {
        char text[sizeof model];
        memcpy(text, model, sizeof text);
        for (int k = 0; k < 1 + i % 4; k++) {
            random = random * 6364136223846793005U + 1442695040888963407U;
            text[(random >> 33) % (sizeof text - 1)] =
                letters[(random >> 20) % (sizeof letters - 1)];
        }
        enum act_session_read read = parse(text);
        found[read]++;
        assert_int_equal(problems.count > 0, read == ACT_SESSION_BROKEN);
        if (read == ACT_SESSION_OK)
            assert_true(session.count >= 1 && session.pinned < session.count);
        else
            assert_int_equal(session.count, -7);
    }
    for (int i = 0; i < 3; i++)
        assert_true(found[i] > 100);
}

static void write_file(const char *name, const char *text)
{
    scratch_write(scratch_path(folder, name), text, strlen(text));
}

static int start(void **state)
{
    (void)state;
    scratch_make(folder);
    assert_int_equal(mkdir(scratch_path(folder, "runs"), 0700), 0);
    write_file("runs/a.yaml", "schema: 1\nname: a\nparallel: {tensor: 8, data: 16}\n");
    write_file("b.yaml", "schema: 1\nname: b\n");
    return 0;
}

static int stop(void **state)
{
    (void)state;
    act_desk_free(&desk);
    scratch_remove(folder);
    return 0;
}

static int open_path(const char *path)
{
    act_problems_init(&problems, path);
    return act_session_open(&desk, path, &problems);
}

static void open_named(const char *name)
{
    if (open_path(scratch_path(folder, name)) != 0)
        fail_msg("%s: %s", name, problems.problem[0].text);
}

static void saved_and_opened_again(void **state)
{
    (void)state;
    open_named("runs/a.yaml");
    open_named("b.yaml");
    assert_int_equal(open_path("chapter-7"), 0);
    desk.current = 1;
    act_desk_pin_baseline(&desk);
    assert_int_equal(mkdir(scratch_path(folder, "meetings"), 0700), 0);
    assert_int_equal(act_session_save(&desk, scratch_path(folder, "meetings/s.yaml"), false),
                     ACT_SAVED);
    struct stat state_of;
    assert_int_equal(stat(scratch_path(folder, "meetings/s.yaml"), &state_of), 0);
    char text[400] = "";
    FILE *file = fopen(scratch_path(folder, "meetings/s.yaml"), "rb");
    assert_non_null(file);
    assert_true(fread(text, 1, sizeof text - 1, file) > 0);
    fclose(file);
    assert_string_equal(text, "schema: 1\nkind: session\nopen:\n  - \"../runs/a.yaml\"\n"
                              "  - \"../b.yaml\"\n  - \"chapter-7\"\npinned: 2\n");
    act_desk_free(&desk);
    open_named("meetings/s.yaml");
    assert_int_equal(desk.count, 3);
    assert_int_equal(desk.current, 0);
    assert_string_equal(desk.tab[0]->plan.scenario.name, "a");
    assert_ptr_equal(desk.pinned, desk.tab[1]);
    assert_string_equal(desk.tab[2]->preset, "chapter-7");
    /* Its own file is saved over without a question, one that is there is not. */
    act_desk_move(&desk, 1);
    assert_int_equal(act_session_save(&desk, desk.session, false), ACT_SAVED);
    write_file("other.yaml", "name: of nobody here\n");
    assert_int_equal(act_session_save(&desk, scratch_path(folder, "other.yaml"), false),
                     ACT_SAVE_CHANGED);
    /* A scenario of the session is never written over, not even when that is asked for. */
    assert_int_equal(act_session_save(&desk, scratch_path(folder, "b.yaml"), true),
                     ACT_SAVE_FAILED);
    assert_non_null(strstr(desk.message, "is the file of an open scenario"));
}

static void all_or_nothing(void **state)
{
    (void)state;
    open_named("b.yaml");
    struct act_tab *only = desk.tab[0];
    write_file("s.yaml", "kind: session\nopen: [runs/a.yaml, runs/none.yaml]\npinned: 1\n");
    assert_int_equal(open_path(scratch_path(folder, "s.yaml")), -1);
    assert_int_equal(problems.count, 1);
    assert_int_equal(problems.problem[0].line, 2);
    assert_int_equal(problems.problem[0].column, 21);
    assert_non_null(strstr(problems.problem[0].text, "none.yaml"));
    assert_int_equal(desk.count, 1);
    assert_ptr_equal(desk.tab[0], only);
    assert_null(desk.pinned);
    assert_string_equal(desk.session, "");
    /* A session in a session is no scenario. */
    write_file("t.yaml", "kind: session\nopen: [s.yaml]\n");
    assert_int_equal(open_path(scratch_path(folder, "t.yaml")), -1);
    assert_non_null(strstr(problems.problem[0].text, "this is a session"));
    /* What is open is not opened twice. */
    write_file("u.yaml", "kind: session\nopen: [b.yaml, runs/a.yaml, b.yaml]\npinned: 3\n");
    open_named("u.yaml");
    assert_int_equal(desk.count, 2);
    assert_ptr_equal(desk.pinned, only);
}

static void a_closed_file_comes_back_as_it_was(void **state)
{
    (void)state;
    open_named("b.yaml");
    struct act_tab *first = desk.tab[0];
    open_named("runs/a.yaml");
    desk.current = 0;
    struct act_plan plan = first->plan;
    plan.parallel.tensor = 2;
    act_desk_commit(&desk, &plan, first->held, ACT_F_parallel_tensor, false, 1000);
    assert_true(act_desk_close(&desk, 2000));
    open_named("b.yaml");
    assert_int_equal(desk.count, 2);
    assert_int_equal(desk.closed_count, 0);
    assert_ptr_equal(desk.tab[0], first);
    assert_int_equal(first->plan.parallel.tensor, 2); /* with what was not saved */
}

static void every_scenario_needs_a_file(void **state)
{
    (void)state;
    open_named("b.yaml");
    act_desk_duplicate(&desk);
    desk.current = 0;
    assert_int_equal(act_session_save(&desk, scratch_path(folder, "s.yaml"), false),
                     ACT_SAVE_FAILED);
    assert_int_equal(desk.current, 1); /* that one */
    assert_non_null(strstr(desk.message, "b (2) has no file yet; s saves it"));
    assert_int_equal(access(scratch_path(folder, "s.yaml"), F_OK), -1);
    assert_int_equal(act_session_save(&desk, scratch_path(folder, "none/s.yaml"), false),
                     ACT_SAVE_FAILED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_what_is_open),
        cmocka_unit_test(tells_what_is_wrong),
        cmocka_unit_test(other_files_are_no_sessions),
        cmocka_unit_test(writes_what_it_reads),
        cmocka_unit_test(no_text_is_trouble),
        cmocka_unit_test_setup_teardown(saved_and_opened_again, start, stop),
        cmocka_unit_test_setup_teardown(all_or_nothing, start, stop),
        cmocka_unit_test_setup_teardown(a_closed_file_comes_back_as_it_was, start, stop),
        cmocka_unit_test_setup_teardown(every_scenario_needs_a_file, start, stop),
    };
    setenv("XDG_CONFIG_HOME", "/nonexistent", 1);
    setenv("XDG_DATA_HOME", "/nonexistent", 1);
    setenv("XDG_DATA_DIRS", "/nonexistent", 1);
    return cmocka_run_group_tests_name("session", tests, NULL, NULL);
}

/* Reports and tables for other programs: hostile texts stay texts, HTML is well-formed and loads
 * nothing, CSV has the figures of JSON, and the locale changes nothing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "io/csv.h"
#include "io/escape.h"
#include "io/json.h"
#include "io/json_compare.h"
#include "io/presets.h"
#include "io/report.h"
#include "io/scenario.h"
#include "markup.h"
#include <jansson.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CASES = 3, LIMIT = 8 * 1024 * 1024 };

static struct act_plan plans[CASES];
static struct act_result results[CASES];
static struct act_case cases[CASES];

static void open_cases(void)
{
    static const char *const names[CASES] = {"example", "deepseek-v3-h800", "qwen2.5-7b-lora-4090"};
    for (int i = 0; i < CASES; i++) {
        struct act_problems problems;
        assert_int_equal(act_scenario_open(names[i], &plans[i], NULL, &problems), 0);
        act_case_estimate(&plans[i], &results[i], &cases[i]);
    }
}

static void name_cases(const char *name, const char *notes)
{
    for (int i = 0; i < CASES; i++) {
        snprintf(plans[i].scenario.name, sizeof plans[i].scenario.name, "%s", name);
        snprintf(plans[i].scenario.notes, sizeof plans[i].scenario.notes, "%s", notes);
        act_case_init(&cases[i], &plans[i], &results[i]);
    }
}

/* ---- escaping ---- */

typedef void (*escape)(struct act_buffer *, const char *);

static void markdown_inline(struct act_buffer *out, const char *text)
{
    act_escape_markdown(out, text, false);
}

static void markdown_block(struct act_buffer *out, const char *text)
{
    act_escape_markdown(out, text, true);
}

static void expect_escaped(escape function, const char *text, const char *expected)
{
    struct act_buffer out;
    act_buffer_init(&out, 4096);
    function(&out, text);
    assert_false(out.failed);
    assert_string_equal(out.text ? out.text : "", expected);
    act_buffer_free(&out);
}

static void test_html_text(void **state)
{
    (void)state;
    expect_escaped(act_escape_html, "<script>alert(\"1\" & '2')</script>",
                   "&lt;script&gt;alert(&quot;1&quot; &amp; &#39;2&#39;)&lt;/script&gt;");
    expect_escaped(act_escape_html, "\xE8\xAE\xAD \x01 \xFF \xE2\x80\xAE",
                   "\xE8\xAE\xAD \xEF\xBF\xBD \xEF\xBF\xBD \xEF\xBF\xBD");
    expect_escaped(act_escape_html, "", "");
    expect_escaped(act_escape_prose, "holds 66.8 of 79.1 GiB <b> at 97 %, or",
                   "holds 66.8 of 79.1&#160;GiB &lt;b&gt; at 97&#160;%, or");
}

static void test_markdown_text(void **state)
{
    (void)state;
    expect_escaped(markdown_inline, "a|b *c* _d_ `e` [f](g) ~h~ \\ $i$ #j !k",
                   "a\\|b \\*c\\* \\_d\\_ \\`e\\` \\[f\\](g) \\~h\\~ \\\\ \\$i\\$ \\#j \\!k");
    expect_escaped(markdown_inline, "<img src=x>&amp;", "&lt;img src=x&gt;&amp;amp;");
    expect_escaped(markdown_inline, "one\ntwo\r", "one two ");
    expect_escaped(markdown_inline, "12. 3.5 - x", "12. 3.5 - x");
    expect_escaped(markdown_block, "12. not a list", "12\\. not a list");
    expect_escaped(markdown_block, "1.5 is no list", "1\\.5 is no list");
    expect_escaped(markdown_block, "- nor this", "\\- nor this");
    expect_escaped(markdown_block, "  + nor this", "  \\+ nor this");
    expect_escaped(markdown_block, "=== nor a heading", "\\=== nor a heading");
}

static void test_csv_text(void **state)
{
    (void)state;
    expect_escaped(act_escape_csv, "plain; text", "plain; text");
    expect_escaped(act_escape_csv, "a,b", "\"a,b\"");
    expect_escaped(act_escape_csv, "say \"x\"", "\"say \"\"x\"\"\"");
    expect_escaped(act_escape_csv, "two\nlines", "\"two\nlines\"");
    expect_escaped(act_escape_csv, " blank", "\" blank\"");
    expect_escaped(act_escape_csv, "\x02", "\xEF\xBF\xBD");
    expect_escaped(act_escape_csv, "", "");
}

/* ---- HTML ---- */

static const char *const hostile[] = {
    "</title><script>alert(1)</script>",
    "\" onload=\"alert(1)\" x=\"",
    "<img src=\"http://example.org/x.png\">",
    "]]> --> <!-- <![CDATA[ &bogus; &#0;",
    "a|b **c** \n# heading\n\n| x | y |",
    "\xE8\xAE\xAD\xE7\xBB\x83 \xE2\x80\xAE reversed \xFF \x1B[31m",
    "javascript:alert(1)",
};

enum { HOSTILE = sizeof hostile / sizeof hostile[0] };

static void expect_safe(const char *html)
{
    struct markup markup;
    const char *style = strstr(html, "<style>"), *end = strstr(html, "</style>");

    markup_read(html, &markup);
    if (markup.wrong)
        fail_msg("not well-formed, or not known to be safe: %.60s", markup.wrong);
    assert_true(markup.elements > 100);
    /* Styles can fetch too. */
    assert_true(style && end && style < end);
    for (; style < end; style++) {
        if (strncmp(style, "url", 3) == 0 || strncmp(style, "@import", 7) == 0)
            fail_msg("the style loads something: %.60s", style);
    }
}

static char *html_of(int count, enum act_report_parts parts)
{
    struct act_buffer out;
    act_buffer_init(&out, LIMIT);
    act_report_html(cases, count, parts, &out);
    assert_false(out.failed);
    return out.text;
}

static char *markdown_of(int count, enum act_report_parts parts)
{
    struct act_buffer out;
    act_buffer_init(&out, LIMIT);
    act_report_markdown(cases, count, parts, &out);
    assert_false(out.failed);
    return out.text;
}

static void test_html_is_well_formed_and_loads_nothing(void **state)
{
    (void)state;
    open_cases();
    for (int count = 1; count <= CASES; count++) {
        char *html = html_of(count, ACT_REPORT_WHOLE);
        expect_safe(html);
        assert_non_null(strstr(html, "default-src 'none'"));
        assert_non_null(strstr(html, "prefers-color-scheme:dark"));
        assert_non_null(strstr(html, "@media print"));
        assert_non_null(strstr(html, cases[count - 1].plan->scenario.name));
        free(html);
    }
}

static void test_hostile_names_stay_names(void **state)
{
    (void)state;
    open_cases();
    for (int i = 0; i < HOSTILE; i++) {
        name_cases(hostile[i], hostile[(i + 1) % HOSTILE]);
        char *html = html_of(CASES, ACT_REPORT_WHOLE);
        expect_safe(html);
        assert_null(strstr(html, "\x1B"));
        free(html);
        char *markdown = markdown_of(CASES, ACT_REPORT_WHOLE);
        assert_null(strstr(markdown, "<script"));
        assert_null(strstr(markdown, "<img"));
        assert_null(strstr(markdown, "\x1B"));
        assert_null(strstr(markdown, "\n# heading"));
        free(markdown);
    }
}

/* Every table of the Markdown has as many cells in each row as in its heading. */
static void test_markdown_tables_are_even(void **state)
{
    (void)state;
    int rows = 0;

    open_cases();
    name_cases("a | b", "notes");
    char *text = markdown_of(CASES, ACT_REPORT_WHOLE);
    bool code = false;
    for (char *line = strtok(text, "\n"), *last = NULL; line; line = strtok(NULL, "\n")) {
        static int columns;
        int bars = 0;
        if (strncmp(line, "```", 3) == 0)
            code = !code;
        if (code || line[0] != '|') {
            last = NULL;
            continue;
        }
        for (char *at = line; *at; at++)
            bars += *at == '|' && (at == line || at[-1] != '\\');
        if (!last)
            columns = bars;
        assert_int_equal(bars, columns);
        last = line;
        rows++;
    }
    assert_true(rows > 100);
    free(text);
}

static void test_the_conclusion_and_the_notes_are_there(void **state)
{
    (void)state;
    open_cases();
    char *html = html_of(1, ACT_REPORT_WHOLE), *markdown = markdown_of(1, ACT_REPORT_WHOLE);
    static const char *const said[] = {"does not fit on 64 GPUs (NVIDIA A800 SXM 80GB)",
                                       "This assumes an MFU of", "Where something must be done",
                                       "Megatron-Core with tuned recipes", "2026-08"};
    for (size_t i = 0; i < sizeof said / sizeof said[0]; i++) {
        assert_non_null(strstr(html, said[i]));
        assert_non_null(strstr(markdown, said[i]));
    }
    free(html);
    free(markdown);
}

static void test_a_comparison_alone(void **state)
{
    (void)state;
    open_cases();
    char *whole = html_of(CASES, ACT_REPORT_WHOLE), *part = html_of(CASES, ACT_REPORT_COMPARISON);
    char *only = html_of(CASES, ACT_REPORT_DIFFERENCES);
    assert_non_null(strstr(whole, "Presets and their sources"));
    assert_null(strstr(part, "Presets and their sources"));
    assert_non_null(strstr(part, ">micro batch<"));
    assert_null(strstr(only, ">micro batch<"));
    assert_non_null(strstr(only, ">tensor TP<"));
    free(whole);
    free(part);
    free(only);
}

static void test_no_room_is_said(void **state)
{
    (void)state;
    struct act_buffer out;

    open_cases();
    act_buffer_init(&out, 5000);
    act_report_html(cases, CASES, ACT_REPORT_WHOLE, &out);
    assert_true(out.failed);
    act_buffer_free(&out);
}

/* ---- CSV ---- */

/* The next field of a row of RFC 4180; what follows it in *ret_rest. */
static void take_field(const char *at, char *out, size_t size, const char **ret_rest)
{
    size_t length = 0;
    bool quoted = *at == '"';

    at += quoted;
    while (*at && (quoted || (*at != ',' && *at != '\n'))) {
        if (quoted && *at == '"') {
            if (at[1] != '"')
                break;
            at++;
        }
        assert_true(length + 1 < size);
        out[length++] = *at++;
    }
    out[length] = '\0';
    *ret_rest = at + quoted;
}

/* The number of a plan's JSON at a key with dots; NAN when there is none. */
static double number_of(json_t *object, const char *key)
{
    char copy[96];

    snprintf(copy, sizeof copy, "%s", key);
    for (char *rest = copy, *part; (part = strsep(&rest, ".")) != NULL;)
        object = json_object_get(object, part);
    return json_is_number(object) ? json_number_value(object) : NAN;
}

static void test_csv_has_the_figures_of_json(void **state)
{
    (void)state;
    char name[96], value[256];

    open_cases();
    name_cases("a \"quoted\", name", "");
    for (int i = 0; i < CASES; i++) {
        struct act_buffer csv, json;
        act_buffer_init(&csv, LIMIT);
        act_buffer_init(&json, LIMIT);
        act_csv_header(&csv);
        act_csv_plan(&plans[i], &results[i], &csv);
        assert_int_equal(act_json_plan(&plans[i], &results[i], &json), 0);
        json_t *object = json_loads(json.text, 0, NULL);
        const char *head = csv.text, *row = strchr(csv.text, '\n') + 1;
        int compared = 0;
        for (;; head++, row++) {
            take_field(head, name, sizeof name, &head);
            take_field(row, value, sizeof value, &row);
            if (strcmp(name, "name") == 0)
                assert_string_equal(value, "a \"quoted\", name");
            double number = number_of(object, name);
            if (!isnan(number)) {
                if (strtod(value, NULL) != number)
                    fail_msg("%s: %s in CSV, %.17g in JSON", name, value, number);
                compared++;
            }
            assert_int_equal(*head, *row == '\n' ? '\n' : ',');
            if (*head == '\n')
                break;
        }
        assert_true(compared >= 20);
        json_decref(object);
        act_buffer_free(&csv);
        act_buffer_free(&json);
    }
}

static void test_the_comparison_marks_what_differs(void **state)
{
    (void)state;
    struct act_buffer out;

    open_cases();
    act_buffer_init(&out, LIMIT);
    act_csv_comparison(cases, 2, false, &out);
    assert_non_null(strstr(out.text, "\nparallel.tensor,true,4,1\n"));
    assert_non_null(strstr(out.text, "\ntraining.micro_batch,false,1,1\n"));
    assert_non_null(strstr(out.text, "\nfits,true,false,true\n"));
    act_buffer_free(&out);
    act_buffer_init(&out, LIMIT);
    act_csv_comparison(cases, 2, true, &out);
    assert_null(strstr(out.text, ",false,1,1\n"));
    act_buffer_free(&out);
    act_buffer_init(&out, LIMIT);
    assert_int_equal(act_json_comparison(cases, 2, false, &out), 0);
    json_t *object = json_loads(out.text, 0, NULL);
    json_t *second = json_array_get(json_object_get(object, "scenarios"), 1);
    json_t *days = json_object_get(json_object_get(second, "differences"), "time.calendar_days");
    double by = json_number_value(json_object_get(days, "by"));
    assert_true(by == results[1].time.calendar_days - results[0].time.calendar_days);
    assert_string_equal(json_string_value(json_object_get(days, "verdict")), "better");
    json_decref(object);
    act_buffer_free(&out);
}

/* Different currencies: figures stand side by side, and no difference is made up. */
static void test_money_of_two_currencies_is_not_compared(void **state)
{
    (void)state;
    open_cases();
    snprintf(plans[1].cost.currency, sizeof plans[1].cost.currency, "RMB");
    act_case_estimate(&plans[1], &results[1], &cases[1]);
    for (int i = 0; act_metric_at(i); i++) {
        if (act_metric_at(i)->unit == ACT_METRIC_MONEY)
            assert_false(act_compare_change(cases, 1, i).known);
    }
}

static void test_does_not_follow_the_locale(void **state)
{
    (void)state;
    open_cases();
    char *before = html_of(CASES, ACT_REPORT_WHOLE);
    char *text_before = markdown_of(CASES, ACT_REPORT_WHOLE);
    if (!setlocale(LC_ALL, "de_DE.UTF-8"))
        setlocale(LC_ALL, "C.UTF-8");
    char *after = html_of(CASES, ACT_REPORT_WHOLE);
    char *text_after = markdown_of(CASES, ACT_REPORT_WHOLE);
    setlocale(LC_ALL, "C");
    assert_string_equal(before, after);
    assert_string_equal(text_before, text_after);
    free(before);
    free(text_before);
    free(after);
    free(text_after);
}

static int tear_down(void **state)
{
    (void)state;
    act_presets_free();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_html_text),
        cmocka_unit_test(test_markdown_text),
        cmocka_unit_test(test_csv_text),
        cmocka_unit_test(test_html_is_well_formed_and_loads_nothing),
        cmocka_unit_test(test_hostile_names_stay_names),
        cmocka_unit_test(test_markdown_tables_are_even),
        cmocka_unit_test(test_the_conclusion_and_the_notes_are_there),
        cmocka_unit_test(test_a_comparison_alone),
        cmocka_unit_test(test_no_room_is_said),
        cmocka_unit_test(test_csv_has_the_figures_of_json),
        cmocka_unit_test(test_the_comparison_marks_what_differs),
        cmocka_unit_test(test_money_of_two_currencies_is_not_compared),
        cmocka_unit_test(test_does_not_follow_the_locale),
    };
    return cmocka_run_group_tests_name("report", tests, NULL, tear_down);
}

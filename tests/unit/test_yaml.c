/* The tree of io/yaml: shapes, places, and everything it refuses. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "io/buffer.h"
#include "io/yaml.h"
#include <stdlib.h>
#include <string.h>
#include <time.h>

static struct act_problems problems;

static struct act_yaml *parse(const char *text, size_t size)
{
    act_problems_init(&problems, "file");
    return act_yaml_parse(text, size, "scenario", &problems);
}

/* Refused with exactly this first problem. */
static void refused(const char *text, size_t size, const char *expected)
{
    char line[512];
    struct act_yaml *yaml = parse(text, size);
    act_yaml_free(yaml);
    assert_true(problems.count > 0);
    act_problem_text(&problems, 0, line, sizeof line);
    if (strncmp(line, expected, strlen(expected)) != 0)
        assert_string_equal(line, expected);
}

static void refused_text(const char *text, const char *expected)
{
    refused(text, strlen(text), expected);
}

static const struct act_node *member(const struct act_node *map, const char *key)
{
    const struct act_node *node = act_node_find(map, key);
    assert_non_null(node);
    return node;
}

static void reads_maps_lists_and_scalars(void **state)
{
    (void)state;
    static const char text[] = "a: 1\n"
                               "group:\n"
                               "  b: 'two words'\n"
                               "  c: [x, \"y\", 3]\n"
                               "d:\n"
                               "  - 20\n"
                               "  - 21\n";
    struct act_yaml *yaml = parse(text, strlen(text));
    assert_non_null(yaml);
    assert_int_equal(problems.count, 0);
    const struct act_node *root = act_yaml_root(yaml);
    assert_int_equal(root->kind, ACT_NODE_MAP);
    assert_int_equal(root->count, 3);
    const struct act_node *a = member(root, "a");
    assert_string_equal(a->text, "1");
    assert_true(a->plain);
    assert_int_equal(a->line, 1);
    assert_int_equal(a->column, 4);
    const struct act_node *b = member(member(root, "group"), "b");
    assert_string_equal(b->text, "two words");
    assert_false(b->plain);
    assert_int_equal(b->key_line, 3);
    assert_int_equal(b->key_column, 3);
    assert_int_equal(b->column, 6);
    const struct act_node *c = member(member(root, "group"), "c");
    assert_int_equal(c->kind, ACT_NODE_LIST);
    assert_int_equal(c->count, 3);
    assert_string_equal(c->first->next->text, "y");
    assert_false(c->first->next->plain);
    assert_string_equal(c->first->next->next->text, "3");
    assert_null(c->first->next->next->next);
    assert_int_equal(member(root, "d")->count, 2);
    assert_null(act_node_find(root, "b"));
    act_yaml_free(yaml);
}

static void knows_what_is_no_value(void **state)
{
    (void)state;
    static const char text[] = "a:\nb: ~\nc: null\nd: ''\ne: \"null\"\nf: 0\n";
    struct act_yaml *yaml = parse(text, strlen(text));
    const struct act_node *root = act_yaml_root(yaml);
    assert_true(act_node_is_null(member(root, "a")));
    assert_true(act_node_is_null(member(root, "b")));
    assert_true(act_node_is_null(member(root, "c")));
    assert_false(act_node_is_null(member(root, "d")));
    assert_false(act_node_is_null(member(root, "e")));
    assert_false(act_node_is_null(member(root, "f")));
    act_yaml_free(yaml);
}

static void takes_json_byte_order_marks_and_crlf(void **state)
{
    (void)state;
    static const char *const texts[] = {"{\"a\": {\"b\": \"\\u00e9\"}}", "\xEF\xBB\xBF"
                                                                         "a:\r\n  b: \xC3\xA9\r\n"};
    for (int i = 0; i < 2; i++) {
        struct act_yaml *yaml = parse(texts[i], strlen(texts[i]));
        assert_non_null(yaml);
        const struct act_node *b = member(member(act_yaml_root(yaml), "a"), "b");
        assert_string_equal(b->text, "\xC3\xA9");
        assert_int_equal(problems.count, 0);
        act_yaml_free(yaml);
    }
}

static void places_count_characters_not_bytes(void **state)
{
    (void)state;
    static const char text[] = "\xE8\xAE\xAD\xE7\xBB\x83: x\n";
    struct act_yaml *yaml = parse(text, strlen(text));
    assert_int_equal(act_yaml_root(yaml)->first->column, 5);
    act_yaml_free(yaml);
}

/* The bytes from `start` to `end` of a text. */
static void assert_bytes(const char *text, size_t start, size_t end, const char *expected)
{
    char part[64];
    assert_true(start <= end && end - start < sizeof part);
    memcpy(part, text + start, end - start);
    part[end - start] = '\0';
    assert_string_equal(part, expected);
}

static void tells_the_bytes_of_keys_and_values(void **state)
{
    (void)state;
    static const char text[] = "\xEF\xBB\xBF# \xE8\xAE\xA1\r\n\xC3\xA9:  'it''s'  # c\r\n"
                               "list: [ 1,\xC3\xA9 ] # d\r\n\"q\" : >-\r\n  one\r\n  two\r\n\r\n"
                               "map: # e\r\n   a: x y\r\n   b:\r\n   - \"z\"\r\n# f\r\n";
    struct act_yaml *yaml = parse(text, sizeof text - 1);
    assert_non_null(yaml);
    const struct act_node *node = act_yaml_root(yaml)->first;
    assert_bytes(text, node->key_start, node->key_end, "\xC3\xA9");
    assert_bytes(text, node->start, node->end, "'it''s'");
    assert_int_equal(node->mark, '\'');
    node = node->next;
    assert_bytes(text, node->start, node->end, "[ 1,\xC3\xA9 ]");
    assert_true(node->flow);
    node = node->next;
    assert_bytes(text, node->key_start, node->key_end, "\"q\"");
    assert_bytes(text, node->start, act_node_end(node, text), ">-\r\n  one\r\n  two");
    assert_int_equal(node->mark, '>');
    node = node->next;
    assert_false(node->flow);
    assert_bytes(text, node->start, act_node_end(node, text), "a: x y\r\n   b:\r\n   - \"z\"");
    assert_bytes(text, node->first->start, node->first->end, "x y");
    act_yaml_free(yaml);
}

static void refuses_what_yaml_has_beyond_trees(void **state)
{
    (void)state;
    refused_text("a: &x 1\nb: 2\n", "file:1:4: a: anchors (&) are not accepted");
    refused_text("b: 1\na: *x\n", "file:2:4: a: aliases (*) are not accepted");
    refused_text("a: &x [*x]\n", "file:1:4: a: anchors (&) are not accepted");
    refused_text("a: !!str 1\n", "file:1:4: a: tags (!) are not accepted");
    refused_text("a: 1\n---\na: 2\n", "file:2:1: a second document");
    refused_text("a: 1\n...\n---\n", "file:3:1: a second document");
    refused_text("? [a]\n: 1\n", "file:1:3: a key must be a plain word");
    refused_text("? {a: b}\n: 1\n", "file:1:3: a key must be a plain word");
}

static void refuses_duplicate_keys_with_both_places(void **state)
{
    (void)state;
    refused_text("g:\n  a: 1\n  b: 1\n  a: 2\n",
                 "file:4:3: g.a: given twice, first on line 2; keep one");
    refused_text("g: 1\n'g': 2\n", "file:2:1: g: given twice, first on line 1");
}

static void refuses_empty_texts(void **state)
{
    (void)state;
    static const char empty[] = "file: an empty scenario; write at least \"model: NAME\"";
    refused_text("", empty);
    refused_text("# only a comment\n", empty);
    refused_text("---\n", empty);
    refused_text("\xEF\xBB\xBF", empty);
}

static void refuses_what_is_not_text(void **state)
{
    (void)state;
    refused("a: x\0y\n", 7, "file:1:5: the control character U+0000");
    refused_text("a: 1\nb: \x1b[31m\n", "file:2:4: the control character U+001B");
    refused_text("a: \xC2\x9B\n", "file:1:4: the control character U+009B");
    refused_text("a: \xff\n", "file:1:4: byte 0xff is not UTF-8");
    refused_text("a: \xC0\x80\n", "file:1:4: byte 0xc0 is not UTF-8");
    refused_text("a: \xED\xA0\x80\n", "file:1:4: byte 0xed is not UTF-8"); /* a surrogate */
    refused_text("a: \xF4\x90\x80\x80\n", "file:1:4: byte 0xf4 is not UTF-8");
    refused_text("a: \xE2\x82", "file:1:4: byte 0xe2 is not UTF-8"); /* cut off */
    refused("\xFF\xFEm\0", 4, "file:1:1: byte 0xff is not UTF-8");   /* UTF-16 */
    refused_text("a: \"x\\0y\"\n", "file:1:4: a: a NUL character in a text");
}

static void refuses_broken_syntax_with_a_cure(void **state)
{
    (void)state;
    refused_text("a:\n\tb: 1\n", "file:2:1: not valid YAML: found character that cannot start any "
                                 "token; quote the value, and indent with spaces, not tabs");
    refused_text("a: b: c\n", "file:1:5: not valid YAML: mapping values are not allowed in this "
                              "context; put each key on its own line");
    refused_text("a: {b: 1\nc: 2\n", "file:2:2: not valid YAML: did not find expected ',' or '}'");
    refused_text("a: \"b\n", "file:2:1: not valid YAML: found unexpected end of stream");
}

/* Runs and measures; hostile texts must end at once. Generous, for sanitizers and busy machines:
 * the document interface of libyaml needs 20 s for the first of them. */
static void refused_quickly(struct act_buffer *text, const char *expected)
{
    assert_false(text->failed);
    clock_t start = clock();
    refused(text->text, text->size, expected);
    double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    assert_true(seconds < 1.0);
    act_buffer_free(text);
}

static struct act_buffer repeated(const char *part, int times)
{
    struct act_buffer text;
    act_buffer_init(&text, 8 << 20);
    for (int i = 0; i < times; i++)
        act_buffer_puts(&text, part);
    return text;
}

static void ends_hostile_texts_quickly(void **state)
{
    (void)state;
    struct act_buffer text = repeated("[", 100000);
    refused_quickly(&text, "file:1:17: nested more than 16 deep");
    text = repeated("[", 1 << 20);
    refused_quickly(&text, "file: is larger than 256 KiB");
    text = repeated("{a: ", 50000);
    refused_quickly(&text, "file:1:65: nested more than 16 deep");
    text = repeated("- ", 50000);
    refused_quickly(&text, "file:1:33: nested more than 16 deep");
    text = repeated("? ", 50000);
    refused_quickly(&text, "file:1:3: a key must be a plain word");
    text = repeated("- a\n", 60000); /* three events come before the first item's */
    refused_quickly(&text, "file:19998:3: more than 20000 values");
    text = repeated("# nothing\n", 20000);
    refused_quickly(&text, "file: an empty scenario");
    text = repeated("a: 'x", 40000);
    refused_quickly(&text, "file:1:");
}

static void limits_texts_and_keys(void **state)
{
    (void)state;
    struct act_buffer text;
    act_buffer_init(&text, 1 << 20);
    act_buffer_puts(&text, "name: ");
    for (int i = 0; i < ACT_YAML_SCALAR_MAX; i++)
        act_buffer_puts(&text, "x");
    struct act_yaml *yaml = parse(text.text, text.size);
    assert_non_null(yaml);
    assert_int_equal(problems.count, 0);
    act_yaml_free(yaml);
    act_buffer_puts(&text, "x");
    refused_quickly(&text, "file:1:7: name: a text of 4097 bytes; at most 4096 are accepted");

    act_buffer_init(&text, 1 << 20);
    for (int i = 0; i < ACT_YAML_KEYS_MAX; i++)
        act_buffer_printf(&text, "k%d: 1\n", i);
    yaml = parse(text.text, text.size);
    assert_non_null(yaml);
    assert_int_equal(problems.count, 0);
    act_yaml_free(yaml);
    act_buffer_puts(&text, "last: 1\n");
    refused_quickly(&text, "file:257:1: more than 256 keys");
}

/* Escapes that grow, up to the limit: the block of texts is large enough. */
static void holds_texts_that_grow(void **state)
{
    (void)state;
    struct act_buffer text;
    act_buffer_init(&text, 1 << 20);
    act_buffer_puts(&text, "[");
    for (int i = 0; i < 200; i++) {
        act_buffer_puts(&text, "\"");
        for (int j = 0; j < 600; j++)
            act_buffer_puts(&text, "\\L");
        act_buffer_puts(&text, "\",");
    }
    act_buffer_puts(&text, "]");
    struct act_yaml *yaml = parse(text.text, text.size);
    assert_non_null(yaml);
    assert_int_equal(problems.count, 0);
    assert_int_equal(act_yaml_root(yaml)->count, 200);
    assert_int_equal(strlen(act_yaml_root(yaml)->first->text), 1800);
    act_yaml_free(yaml);
    act_buffer_free(&text);
}

static void finds_several_problems_in_one_go(void **state)
{
    (void)state;
    static const char text[] = "a: &x 1\nb: *x\nc: !t 3\na: 4\n";
    struct act_yaml *yaml = parse(text, strlen(text));
    assert_int_equal(problems.count, 4);
    assert_int_equal(problems.problem[3].line, 4);
    act_yaml_free(yaml);
}

static void counts_on_beyond_twenty_problems(void **state)
{
    (void)state;
    struct act_buffer text = repeated("a: 1\n", 30);
    act_yaml_free(parse(text.text, text.size));
    assert_int_equal(problems.count, ACT_PROBLEMS_MAX);
    assert_true(problems.more);
    act_buffer_free(&text);
}

static void problems_are_printable_and_cut(void **state)
{
    (void)state;
    char out[16];
    act_printable("a\x1b[31mb\x7f\xff", 9, out, sizeof out);
    assert_string_equal(out, "a?[31mb??");
    act_printable("0123456789abcdef", 16, out, sizeof out);
    assert_string_equal(out, "0123456789ab...");
    act_printable("0123456789\xC3\xA9\xC3\xA9\xC3\xA9", 16, out, sizeof out);
    assert_string_equal(out, "0123456789\xC3\xA9...");
    act_printable("0123456789abcde", 15, out, sizeof out);
    assert_string_equal(out, "0123456789abcde");
    char line[64];
    act_problems_init(&problems, "a\nb");
    act_problems_add(&problems, 3, 5, "", "odd");
    act_problems_add(&problems, 0, 0, "key", "odd");
    assert_int_equal(act_problem_text(&problems, 0, line, sizeof line), strlen("a?b:3:5: odd"));
    assert_string_equal(line, "a?b:3:5: odd");
    act_problem_text(&problems, 1, line, sizeof line);
    assert_string_equal(line, "a?b: key: odd");
    assert_int_equal(act_problem_text(&problems, 1, line, 5), strlen("a?b: key: odd"));
    assert_string_equal(line, "a?b:");
}

static void buffers_fail_for_good(void **state)
{
    (void)state;
    struct act_buffer text;
    act_buffer_init(&text, 10);
    act_buffer_printf(&text, "%d-%s", 12345, "abcd");
    assert_string_equal(text.text, "12345-abcd");
    act_buffer_puts(&text, "");
    assert_false(text.failed);
    act_buffer_puts(&text, "x");
    assert_true(text.failed);
    assert_int_equal(text.size, 0);
    assert_null(text.text);
    act_buffer_puts(&text, "x");
    assert_true(text.failed);
    assert_int_equal(text.size, 0);
    act_buffer_free(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_maps_lists_and_scalars),
        cmocka_unit_test(knows_what_is_no_value),
        cmocka_unit_test(takes_json_byte_order_marks_and_crlf),
        cmocka_unit_test(places_count_characters_not_bytes),
        cmocka_unit_test(tells_the_bytes_of_keys_and_values),
        cmocka_unit_test(refuses_what_yaml_has_beyond_trees),
        cmocka_unit_test(refuses_duplicate_keys_with_both_places),
        cmocka_unit_test(refuses_empty_texts),
        cmocka_unit_test(refuses_what_is_not_text),
        cmocka_unit_test(refuses_broken_syntax_with_a_cure),
        cmocka_unit_test(ends_hostile_texts_quickly),
        cmocka_unit_test(limits_texts_and_keys),
        cmocka_unit_test(holds_texts_that_grow),
        cmocka_unit_test(finds_several_problems_in_one_go),
        cmocka_unit_test(counts_on_beyond_twenty_problems),
        cmocka_unit_test(problems_are_printable_and_cut),
        cmocka_unit_test(buffers_fail_for_good),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

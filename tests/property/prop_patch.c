/* Random changes of plans in files of random formatting: the patched text says the new plan, and
 * every line that a change has no business with stands as it was, in the same order. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "io/buffer.h"
#include "io/patch.h"
#include "io/scenario.h"
#include "io/written.h"
#include "io/yaml.h"
#include "random_scenario.h"
#include "unit/patch_change.h"

enum { FILES = 3000, LINES_MAX = 1000 };

/* A line may change with one field, with any of a group, or never. */
struct line {
    size_t start, end; /* without its break */
    int field, group;  /* -1: none */
};

struct file {
    struct act_buffer text;
    struct line line[LINES_MAX];
    int lines;
    const char *newline;
    uint64_t *seed;
};

static void end_line(struct file *file, size_t start, int field, int group)
{
    assert_true(file->lines < LINES_MAX);
    file->line[file->lines++] = (struct line){start, file->text.size, field, group};
    act_buffer_puts(&file->text, file->newline);
}

static void blanks(struct file *file, uint64_t limit)
{
    act_buffer_printf(&file->text, "%*s", (int)below(file->seed, limit), "");
}

/* Comments and empty lines between two others; the empty ones of a group may go with it. */
static void between(struct file *file, int group)
{
    static const char *const lines[] = {"",
                                        "  ",
                                        "# a comment",
                                        "    # further in: {a: 1}",
                                        "#\ttabs\tand 'quotes\"",
                                        "# \xC3\xA9\xE8\xAE\xA1"};
    while (below(file->seed, 4) == 0) {
        size_t start = file->text.size;
        uint64_t which = below(file->seed, sizeof lines / sizeof *lines);
        act_buffer_puts(&file->text, lines[which]);
        end_line(file, start, -1, which < 2 ? group : -1);
    }
}

static void trailing(struct file *file)
{
    static const char *const ends[] = {"", " ", "  # why", " # a: b, c", "\t# 'it", " #"};
    act_buffer_puts(&file->text, ends[below(file->seed, sizeof ends / sizeof *ends)]);
}

static void value(struct file *file, const struct act_plan *plan, int field)
{
    act_written_value(&file->text, plan, (enum act_field_id)field,
                      (enum act_written_style)below(file->seed, ACT_WRITTEN_JSON));
}

static void pair(struct file *file, const struct act_plan *plan, int field)
{
    static const char *const colons[] = {": ", ":   ", " : "};
    act_buffer_printf(&file->text, "%s%s", act_field((enum act_field_id)field)->member,
                      colons[below(file->seed, 3)]);
    value(file, plan, field);
}

/* The group's saved fields, shuffled. */
static int fields_of(struct file *file, const struct act_plan *plan, enum act_group group,
                     int fields[ACT_FIELD_COUNT])
{
    int count = 0;
    for (int i = 0; i < ACT_FIELD_COUNT; i++)
        if (act_field((enum act_field_id)i)->group == group &&
            act_written_is_saved(plan, (enum act_field_id)i))
            fields[count++] = i;
    for (int i = count - 1; i > 0; i--) {
        int other = (int)below(file->seed, (uint64_t)i + 1), kept = fields[i];
        fields[i] = fields[other];
        fields[other] = kept;
    }
    return count;
}

static void write_block(struct file *file, const struct act_plan *plan, enum act_group group,
                        const int *fields, int count)
{
    size_t start = file->text.size;
    int indent = 1 + (int)below(file->seed, 6);
    act_buffer_printf(&file->text, "%s:", act_group_name(group));
    trailing(file);
    end_line(file, start, -1, (int)group);
    for (int i = 0; i < count; i++) {
        between(file, (int)group);
        start = file->text.size;
        act_buffer_printf(&file->text, "%*s", indent, "");
        pair(file, plan, fields[i]);
        trailing(file);
        end_line(file, start, fields[i], -1);
    }
}

static void write_flow(struct file *file, const struct act_plan *plan, enum act_group group,
                       const int *fields, int count)
{
    bool lines = below(file->seed, 2) == 0;
    size_t start = file->text.size;
    act_buffer_printf(&file->text, "%s: {", act_group_name(group));
    for (int i = 0; i < count; i++) {
        if (lines) {
            end_line(file, start, -1, (int)group);
            start = file->text.size;
            act_buffer_puts(&file->text, "   ");
        }
        blanks(file, 3);
        pair(file, plan, fields[i]);
        blanks(file, 2);
        if (i + 1 < count)
            act_buffer_puts(&file->text, lines || below(file->seed, 2) ? ", " : " ,  ");
        if (lines)
            trailing(file);
    }
    if (lines) {
        end_line(file, start, -1, (int)group);
        start = file->text.size;
    }
    act_buffer_puts(&file->text, " }");
    trailing(file);
    end_line(file, start, -1, (int)group);
}

static void write_group(struct file *file, const struct act_plan *plan, enum act_group group)
{
    int fields[ACT_FIELD_COUNT];
    int count = fields_of(file, plan, group, fields);
    between(file, -1);
    if (group == ACT_GROUP_scenario) {
        for (int i = 0; i < count; i++) {
            size_t start = file->text.size;
            pair(file, plan, fields[i]);
            trailing(file);
            end_line(file, start, fields[i], -1);
            between(file, -1);
        }
    } else if (count == 1 && act_group_preset(group) == fields[0] && below(file->seed, 2)) {
        size_t start = file->text.size;
        act_buffer_printf(&file->text, "%s:  ", act_group_name(group));
        value(file, plan, fields[0]);
        trailing(file);
        end_line(file, start, -1, (int)group);
    } else if (count > 0 && below(file->seed, 3) == 0) {
        write_flow(file, plan, group, fields, count);
    } else if (count > 0) {
        write_block(file, plan, group, fields, count);
    }
}

static void write_file(struct file *file, const struct act_plan *plan)
{
    static const char *const newlines[] = {"\n", "\n", "\r\n"};
    file->newline = newlines[below(file->seed, 3)];
    file->lines = 0;
    act_buffer_init(&file->text, 1 << 20);
    if (below(file->seed, 8) == 0)
        act_buffer_puts(&file->text, "\xEF\xBB\xBF");
    int order[ACT_GROUP_COUNT];
    for (int i = 0; i < ACT_GROUP_COUNT; i++) {
        int at = (int)below(file->seed, (uint64_t)i + 1);
        order[i] = order[at];
        order[at] = i;
    }
    for (int i = 0; i < ACT_GROUP_COUNT; i++)
        write_group(file, plan, (enum act_group)order[i]);
    between(file, -1);
    if (below(file->seed, 4) == 0 && file->text.size > strlen(file->newline))
        file->text.text[file->text.size -= strlen(file->newline)] = '\0';
}

/* A few changes as the planner makes them. */
static void change_plan(struct act_plan *plan, uint64_t *seed)
{
    for (uint64_t times = 1 + below(seed, 4); times > 0; times--) {
        const struct act_field *field = act_field((enum act_field_id)below(seed, ACT_FIELD_COUNT));
        int kind = act_preset_kind_of_group(field->group);
        struct act_problems inside;
        if (act_group_preset(field->group) == (int)field->id) {
            int count = act_preset_count((enum act_preset_kind)kind);
            const char *name =
                act_preset_name((enum act_preset_kind)kind, (int)below(seed, (uint64_t)count));
            assert_int_equal(
                act_preset_apply(plan, (enum act_preset_kind)kind, name, true, &inside), 0);
        } else if (below(seed, 3) == 0) {
            patch_reset(plan, field);
        } else {
            set_random(plan, field, seed);
        }
    }
}

/* The field is written, or its spelling may change. */
static bool is_touched(const struct act_plan *was, const struct act_plan *plan, int field)
{
    enum act_field_id id = (enum act_field_id)field;
    return act_plan_given(was, id) != act_plan_given(plan, id) ||
           (act_plan_given(plan, id) && !act_field_equal(was, plan, id));
}

static bool may_change(const struct line *line, const struct act_plan *was,
                       const struct act_plan *plan)
{
    if (line->field >= 0)
        return is_touched(was, plan, line->field);
    for (int i = 0; line->group >= 0 && i < ACT_FIELD_COUNT; i++)
        if ((int)act_field((enum act_field_id)i)->group == line->group && is_touched(was, plan, i))
            return true;
    return false;
}

/* Every line that must stay is found in the result, one behind the other. */
static const struct line *lost_line(const struct file *file, const struct act_buffer *result,
                                    const struct act_plan *was, const struct act_plan *plan)
{
    size_t at = strncmp(result->text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    for (int i = 0; i < file->lines; i++) {
        const struct line *line = &file->line[i];
        if (may_change(line, was, plan))
            continue;
        size_t size = line->end - line->start;
        bool found = false;
        while (!found && at <= result->size) {
            size_t length = strcspn(result->text + at, "\r\n");
            found = length == size &&
                    memcmp(result->text + at, file->text.text + line->start, size) == 0;
            at += length;
            at += result->text[at] == '\r';
            at += result->text[at] == '\n' || at == result->size;
        }
        if (!found)
            return line;
    }
    return NULL;
}

static bool has_lone_newline(const struct act_buffer *text)
{
    for (size_t i = 0; i < text->size; i++)
        if (text->text[i] == '\n' && (i == 0 || text->text[i - 1] != '\r'))
            return true;
    return false;
}

/* The fields that change, for messages. */
static const char *touched(const struct act_plan *was, const struct act_plan *plan)
{
    static char text[1024];
    size_t size = 0;
    text[0] = '\0';
    for (int i = 0; i < ACT_FIELD_COUNT && size < sizeof text; i++)
        if (is_touched(was, plan, i))
            size += (size_t)snprintf(text + size, sizeof text - size, " %s%s",
                                     act_plan_given(plan, (enum act_field_id)i) ? "" : "-",
                                     act_field((enum act_field_id)i)->key);
    return text;
}

static void check(int number, struct file *file, const struct act_plan *was,
                  const struct act_plan *plan)
{
    struct act_buffer result;
    struct act_plan read;
    struct act_problems inside;
    act_buffer_init(&result, ACT_YAML_SIZE_MAX);
    act_problems_init(&inside, "patched");
    if (act_patch(file->text.text, file->text.size, plan, &result) != 0)
        fail_msg("file of seed %d cannot be patched with%s:\n%s", number, touched(was, plan),
                 file->text.text);
    if (act_scenario_parse(result.text, result.size, &read, &inside) != 0 ||
        !act_plan_equal(&read, plan))
        fail_msg("file of seed %d is patched to another plan:\n%s", number, result.text);
    const struct line *lost = lost_line(file, &result, was, plan);
    if (lost)
        fail_msg("file of seed %d loses the line\n%.*s\nwas\n%s\nis\n%s", number,
                 (int)(lost->end - lost->start), file->text.text + lost->start, file->text.text,
                 result.text);
    if (strcmp(file->newline, "\r\n") == 0 && has_lone_newline(&result))
        fail_msg("file of seed %d mixes line ends:\n%s", number, result.text);
    if (act_plan_equal(was, plan) &&
        (result.size != file->text.size || memcmp(result.text, file->text.text, result.size) != 0))
        fail_msg("file of seed %d is changed for nothing:\n%s", number, result.text);
    act_buffer_free(&result);
}

static void only_what_changed_changes(void **state)
{
    (void)state;
    static struct file file;
    for (int number = 1; number <= FILES; number++) {
        uint64_t seed = (uint64_t)number * 0x9E3779B97F4A7C15u;
        struct act_plan was, plan;
        struct act_problems inside;
        random_plan(&plan, &seed);
        file.seed = &seed;
        write_file(&file, &plan);
        act_problems_init(&inside, "written");
        if (act_scenario_parse(file.text.text, file.text.size, &was, &inside) != 0) {
            char text[700];
            act_problem_text(&inside, 0, text, sizeof text);
            fail_msg("file of seed %d: %s\n%s", number, text, file.text.text);
        }
        plan = was;
        if (below(&seed, 16) != 0)
            change_plan(&plan, &seed);
        check(number, &file, &was, &plan);
        act_buffer_free(&file.text);
    }
    act_presets_free();
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(only_what_changed_changes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

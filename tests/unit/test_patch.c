/* Changing a file's text: hostile formatting, one edit each, and the exact text that must come of
 * it. What is not changed stays byte for byte. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "io/patch.h"
#include "io/yaml.h"
#include "patch_change.h"

struct edit {
    const char *what;
    const char *text, *change, *expected; /* NULL: cannot be done without losing something */
};

static void check(const struct edit *edit)
{
    struct act_plan plan;
    struct act_problems problems;
    struct act_buffer out;
    char why[512];
    act_problems_init(&problems, edit->what);
    if (act_scenario_parse(edit->text, strlen(edit->text), &plan, &problems) != 0) {
        act_problem_text(&problems, 0, why, sizeof why);
        fail_msg("%s: %s", edit->what, why);
    }
    if (patch_change(&plan, edit->change, why, sizeof why) != 0)
        fail_msg("%s: %s", edit->what, why);
    act_buffer_init(&out, ACT_YAML_SIZE_MAX);
    int result = act_patch(edit->text, strlen(edit->text), &plan, &out);
    if (edit->expected && result != 0)
        fail_msg("%s: cannot be patched", edit->what);
    if (!edit->expected && result == 0)
        fail_msg("%s: is patched to\n%s", edit->what, out.text);
    if (!edit->expected)
        assert_int_equal(out.size, 0);
    else if (strcmp(out.text, edit->expected) != 0)
        fail_msg("%s: expected\n%s\nbut it is\n%s", edit->what, edit->expected, out.text);
    act_buffer_free(&out);
}

#define CHECK_ALL(edits)                                                                           \
    do {                                                                                           \
        for (size_t i = 0; i < sizeof(edits) / sizeof *(edits); i++)                               \
            check(&(edits)[i]);                                                                    \
        act_presets_free();                                                                        \
    } while (0)

static void values_are_replaced_in_place(void **state)
{
    (void)state;
    static const struct edit edits[] = {
        {"no change at all", "# a\nmodel:   llama2-70b   # b\n\n\n# c", "",
         "# a\nmodel:   llama2-70b   # b\n\n\n# c"},
        {"trailing comment and blanks", "# ours\nparallel:\n  tensor:    4   # cards\n  data: 16\n",
         "parallel.tensor=8", "# ours\nparallel:\n  tensor:    8   # cards\n  data: 16\n"},
        {"CRLF", "# a\r\nparallel:\r\n  tensor: 4 # b\r\n  data: 16\r\n", "parallel.tensor=8",
         "# a\r\nparallel:\r\n  tensor: 8 # b\r\n  data: 16\r\n"},
        {"no final newline", "parallel:\n  data: 16\n  tensor: 4", "parallel.tensor=8",
         "parallel:\n  data: 16\n  tensor: 8"},
        {"byte order mark and words of many bytes",
         "\xEF\xBB\xBFname: \xE8\xAE\xA1\xE5\x88\x92 # \xC3\xA9\xF0\x9F\x98\x80\nparallel: "
         "{tensor: 4} # \xC3\xA9\n",
         "parallel.tensor=8",
         "\xEF\xBB\xBFname: \xE8\xAE\xA1\xE5\x88\x92 # \xC3\xA9\xF0\x9F\x98\x80\nparallel: "
         "{tensor: 8} # \xC3\xA9\n"},
        {"tabs in comments and after colons", "parallel:\n  tensor:\t4\t# a\tb\n#\tc\n",
         "parallel.tensor=8", "parallel:\n  tensor:\t8\t# a\tb\n#\tc\n"},
        {"document marks and a directive",
         "%YAML 1.1\n# head\n---\n# a\nparallel:\n  tensor: 4\n...\n# foot\n", "parallel.tensor=8",
         "%YAML 1.1\n# head\n---\n# a\nparallel:\n  tensor: 8\n...\n# foot\n"},
        {"double quotes stay", "name: \"old # name\" # c\n", "name=new", "name: \"new\" # c\n"},
        {"single quotes stay", "name: 'it''s old' # c\n", "name=it's # new",
         "name: 'it''s # new' # c\n"},
        {"quotes come where they are needed", "name: old # c\n", "name=new: one",
         "name: \"new: one\" # c\n"},
        {"a quoted number with a unit", "hardware: {mfu: \"40%\"} # c\n", "hardware.mfu=50%",
         "hardware: {mfu: \"50%\"} # c\n"},
        {"a quoted auto becomes a bare number",
         "parallel: {expert: 1, zero: 'auto'}\n", "parallel.zero=2",
         "parallel: {expert: 1, zero: 2}\n"},
        {"other spellings are left", "training:\n  tokens: 2_000_000M\n  sequence: 4Ki # long\n",
         "training.sequence=8192", "training:\n  tokens: 2_000_000M\n  sequence: 8192 # long\n"},
        {"a quoted text over lines", "notes: \"one\n  two\n  three\" # c\nname: a\n",
         "notes=four", "notes: \"four\" # c\nname: a\n"},
        {"a plain text over lines", "notes: one\n  two\nname: a # b\n", "notes=four five",
         "notes: four five\nname: a # b\n"},
        {"a folded block", "notes: >- # why\n    one\n    two\n\n# after\nname: a\n",
         "notes=four # five", "notes: >- # why\n    four # five\n\n# after\nname: a\n"},
        {"a literal block at the end", "name: a\nnotes: |-\n  one", "notes=two",
         "name: a\nnotes: |-\n  two"},
        {"a value on a line of its own", "parallel:\n  tensor:\n    4 # cards\n  data: 16\n",
         "parallel.tensor=8", "parallel:\n  tensor:\n    8 # cards\n  data: 16\n"},
        {"explicit keys", "parallel:\n  ? tensor\n  : 4 # cards\n", "parallel.tensor=8",
         "parallel:\n  ? tensor\n  : 8 # cards\n"},
        {"a list in brackets", "parallel: {pipeline: 2, layers_per_stage: [ 40,40 ]} # c\n",
         "parallel.layers_per_stage=[41, 39]",
         "parallel: {pipeline: 2, layers_per_stage: [41, 39]} # c\n"},
        {"a list in a block", "parallel:\n  layers_per_stage:\n  - 40\n  - 40\n  pipeline: 2 # c\n",
         "parallel.layers_per_stage=[41, 39]",
         "parallel:\n  layers_per_stage: [41, 39]\n  pipeline: 2 # c\n"},
        {"a list with comments cannot go unasked",
         "parallel:\n  layers_per_stage:\n  - 40 # first\n  - 40\n  pipeline: 2\n",
         "parallel.layers_per_stage=[41, 39]", NULL},
        {"a preset as a scalar", "model: llama2-70b # big\nparallel: {tensor: 4}\n",
         "model=llama3-8b", "model: llama3-8b # big\nparallel: {tensor: 4}\n"},
        {"a preset with its values",
         "model: # ours\n  layers: 40 # half\n  preset: llama2-70b # big\n", "model=llama3-8b",
         "model: # ours\n  preset: llama3-8b # big\n"},
    };
    CHECK_ALL(edits);
}

static void keys_are_inserted_where_they_belong(void **state)
{
    (void)state;
    static const struct edit edits[] = {
        {"behind the nearest one before",
         "parallel: # layout\n    # cards of a node\n    tensor: 4   # TP\n    data: 16  # DP\n",
         "parallel.pipeline=2",
         "parallel: # layout\n    # cards of a node\n    tensor: 4   # TP\n    pipeline: 2\n    "
         "data: 16  # DP\n"},
        {"first of its group", "parallel: # layout\n  # replicas\n  data: 16\n",
         "parallel.tensor=8", "parallel: # layout\n  tensor: 8\n  # replicas\n  data: 16\n"},
        {"last, without a final newline", "parallel:\n  tensor: 4", "parallel.data=16",
         "parallel:\n  tensor: 4\n  data: 16"},
        {"CRLF", "parallel:\r\n  tensor: 4 # a\r\n# b\r\n", "parallel.data=16",
         "parallel:\r\n  tensor: 4 # a\r\n  data: 16\r\n# b\r\n"},
        {"behind a block of text", "notes: >-\n  one\n  two\n\nparallel: {tensor: 4}\n",
         "training.tokens=2T",
         "notes: >-\n  one\n  two\n\nparallel: {tensor: 4}\ntraining:\n  tokens: 2T\n"},
        {"between braces", "parallel: {tensor: 4, data: 16} # c\n", "parallel.pipeline=2",
         "parallel: {tensor: 4, pipeline: 2, data: 16} # c\n"},
        {"first between braces", "parallel: { data: 16 }\n", "parallel.tensor=8",
         "parallel: { tensor: 8, data: 16 }\n"},
        {"between empty braces", "name: a\nparallel: {} # none yet\n",
         "parallel.tensor=8|parallel.data=4",
         "name: a\nparallel: {tensor: 8, data: 4} # none yet\n"},
        {"between braces over lines",
         "parallel: {\n  tensor: 4, # cards\n  data: 16 # replicas\n}\n",
         "parallel.pipeline=2|parallel.zero=1",
         "parallel: {\n  tensor: 4, # cards\n  pipeline: 2,\n  data: 16, # replicas\n  zero: "
         "1\n}\n"},
        {"a preset given as a scalar becomes a group",
         "model: llama2-70b   # big\nparallel: {tensor: 4}\n", "model.layers=40",
         "model:\n  preset: llama2-70b   # big\n  layers: 40\nparallel: {tensor: 4}\n"},
        {"the same on a line of its own", "model:\n    llama2-70b # big\n", "model.layers=40",
         "model:\n    preset: llama2-70b # big\n    layers: 40\n"},
        {"the same with another indent", "model: llama2-70b\nparallel:\n     tensor: 4\n",
         "model.layers=40",
         "model:\n     preset: llama2-70b\n     layers: 40\nparallel:\n     tensor: 4\n"},
        {"the same between braces", "{model: llama2-70b, name: a} # c\n", "model.layers=40",
         "{model: {preset: llama2-70b, layers: 40}, name: a} # c\n"},
        {"a group that was missing", "# head\nparallel:\n    tensor: 4\n    # zero: 1\n\n# foot\n",
         "cost.currency=EUR",
         "# head\nparallel:\n    tensor: 4\n    # zero: 1\ncost:\n    currency: EUR\n\n# foot\n"},
        {"groups that were missing, in order", "---\nname: a\n...\n",
         "cost.currency=EUR|training.sequence=8192|framework=fsdp",
         "---\nname: a\nframework: fsdp\ntraining:\n  sequence: 8192\ncost:\n  currency: "
         "EUR\n...\n"},
        {"the name, behind the schema", "schema: 1 # of files\nmodel: llama2-70b\n", "name=mine",
         "schema: 1 # of files\nname: mine\nmodel: llama2-70b\n"},
        {"the name, first of all", "model: llama2-70b\n", "name=mine",
         "name: mine\nmodel: llama2-70b\n"},
        {"the name, below a comment that stays with its key",
         "# our model\nmodel: llama2-70b\nparallel: {tensor: 4}\n", "name=mine",
         "# our model\nmodel: llama2-70b\nname: mine\nparallel: {tensor: 4}\n"},
        {"a preset that was silent", "hardware: # ours\n  mfu: 0.4 # seen\n",
         "hardware.memory=64GiB|"
         "hardware=a100-80gb-sxm|hardware.mfu=0.4",
         "hardware: # ours\n  preset: a100-80gb-sxm\n  mfu: 0.4 # seen\n"},
        {"a root that stands further in", "  name: a\n  parallel:\n    tensor: 4\n",
         "training.sequence=8192",
         "  name: a\n  parallel:\n    tensor: 4\n  training:\n    sequence: 8192\n"},
        {"explicit keys have no place for others", "parallel:\n  ? tensor\n  : 4\n",
         "parallel.data=16", NULL},
        {"a text that the next line would change", "name: a\nnotes: >\n  one", "parallel.tensor=8",
         NULL},
    };
    CHECK_ALL(edits);
}

static void keys_go_with_their_line(void **state)
{
    (void)state;
    static const struct edit edits[] = {
        {"with its own comment",
         "parallel:\n  # cards\n  tensor: 4\n  pipeline: 2 # stages\n  data: 16 # replicas\n",
         "-parallel.pipeline", "parallel:\n  # cards\n  tensor: 4\n  data: 16 # replicas\n"},
        {"the last line, without a newline", "parallel:\r\n  tensor: 4\r\n  pipeline: 2",
         "-parallel.pipeline", "parallel:\r\n  tensor: 4"},
        {"the first line", "name: a # b\n\nparallel: {tensor: 4}\n", "-name",
         "\nparallel: {tensor: 4}\n"},
        {"a group left empty", "name: a\n\nparallel: # layout\n  tensor: 4 # c\n\n# foot\n",
         "-parallel.tensor", "name: a\n\n\n# foot\n"},
        {"a group left with comments", "name: a\nparallel: # layout\n  # keep\n  tensor: 4 # c\n",
         "-parallel.tensor", "name: a\nparallel: {} # layout\n  # keep\n"},
        {"the only group", "parallel:\n  tensor: 4\n", "-parallel.tensor", "parallel: {}\n"},
        {"between braces", "parallel: {tensor: 4, pipeline: 2, data: 16} # c\n",
         "-parallel.pipeline", "parallel: {tensor: 4, data: 16} # c\n"},
        {"last between braces", "parallel: { tensor: 4, pipeline: 2 } # c\n", "-parallel.pipeline",
         "parallel: { tensor: 4 } # c\n"},
        {"alone between braces", "name: a\nparallel: {tensor: 4} # c\nmodel: llama2-70b\n",
         "-parallel.tensor", "name: a\nmodel: llama2-70b\n"},
        {"between braces over lines",
         "parallel: {\n  tensor: 4, # cards\n  pipeline: 2, # stages\n  data: 16 # replicas\n}\n",
         "-parallel.pipeline", "parallel: {\n  tensor: 4, # cards\n  data: 16 # replicas\n}\n"},
        {"last between braces over lines",
         "parallel: {\n  tensor: 4, # cards\n  pipeline: 2 # stages\n}\n", "-parallel.pipeline",
         "parallel: {\n  tensor: 4 # cards\n}\n"},
        {"a value beside a preset", "model:\n  preset: llama2-70b # big\n  layers: 40\n",
         "-model.layers", "model:\n  preset: llama2-70b # big\n"},
        {"a block of text", "name: a\nnotes: >-\n  one\n  # two\nparallel: {tensor: 4}\n", "-notes",
         "name: a\nparallel: {tensor: 4}\n"},
        {"a list with comments cannot go unasked",
         "parallel:\n  tensor: 4\n  layers_per_stage:\n  - 40 # first\n  - 40\n",
         "-parallel.layers_per_stage", NULL},
        {"one comes, one goes", "parallel:\n  tensor: 4 # TP\n", "-parallel.tensor|parallel.data=4",
         "parallel:\n  data: 4\n"},
    };
    CHECK_ALL(edits);
}

static void json_stays_json(void **state)
{
    (void)state;
    static const struct edit edits[] = {
        {"a number", "{\"parallel\": {\"tensor\": 4}}", "parallel.tensor=8",
         "{\"parallel\": {\"tensor\": 8}}"},
        {"a number with a unit", "{\"training\": {\"tokens\": \"1T\"}}\n", "training.tokens=2T",
         "{\"training\": {\"tokens\": \"2T\"}}\n"},
        {"a name", "{\"model\": \"llama2-70b\"}", "model=llama3-8b", "{\"model\": \"llama3-8b\"}"},
        {"an insertion without blanks", "{\"parallel\":{\"tensor\":4,\"data\":16}}",
         "parallel.pipeline=2|parallel.recompute=full",
         "{\"parallel\":{\"tensor\":4,\"pipeline\":2,\"data\":16,\"recompute\":\"full\"}}"},
        {"a line each", "{\n  \"parallel\": {\n    \"tensor\": 4,\n    \"data\": 16\n  }\n}\n",
         "parallel.pipeline=2|parallel.recompute_modules=mlp, layernorm",
         "{\n  \"parallel\": {\n    \"tensor\": 4,\n    \"pipeline\": 2,\n    \"data\": 16,\n"
         "    \"recompute_modules\": [\"layernorm\", \"mlp\"]\n  }\n}\n"},
        {"a group", "{\n  \"model\": \"llama2-70b\"\n}\n", "model.layers=40|parallel.tensor=8",
         "{\n  \"model\": {\"preset\": \"llama2-70b\", \"layers\": 40},\n  \"parallel\": "
         "{\"tensor\": 8}\n}\n"},
        {"a last key that goes",
         "{\n  \"name\": \"a\",\n  \"parallel\": {\n    \"tensor\": 4\n  }\n}\n",
         "-parallel.tensor", "{\n  \"name\": \"a\"\n}\n"},
        {"a name with signs", "{\"name\": \"a\"}", "name=\"b\" \\ \xC3\xA9 # c",
         "{\"name\": \"\\\"b\\\" \\\\ \xC3\xA9 # c\"}"},
        {"a list", "{\"parallel\": {\"pipeline\": 2, \"layers_per_stage\": \"auto\"}}",
         "parallel.layers_per_stage=[41, 39]",
         "{\"parallel\": {\"pipeline\": 2, \"layers_per_stage\": [41, 39]}}"},
    };
    CHECK_ALL(edits);
}

static void what_is_no_scenario_is_refused(void **state)
{
    (void)state;
    static const char *const texts[] = {"",          "[[[",          "parallel: 4\n",
                                        "a: &b 1\n", "schema: 99\n", "- 1\n"};
    struct act_plan plan;
    act_preset_default_plan(&plan);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct act_buffer out;
        act_buffer_init(&out, ACT_YAML_SIZE_MAX);
        assert_int_equal(act_patch(texts[i], strlen(texts[i]), &plan, &out), -1);
        assert_int_equal(out.size, 0);
        act_buffer_free(&out);
    }
    act_presets_free();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_replaced_in_place),
        cmocka_unit_test(keys_are_inserted_where_they_belong),
        cmocka_unit_test(keys_go_with_their_line),
        cmocka_unit_test(json_stays_json),
        cmocka_unit_test(what_is_no_scenario_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

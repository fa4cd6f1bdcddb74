/* The table of fields and access through it: names, texts, ranges, when fields apply. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <actuary/field.h>
#include <stdio.h>
#include <string.h>

static struct act_plan plan;

static int start(void **state)
{
    (void)state;
    act_plan_init(&plan);
    return 0;
}

/* Sets a field from text; the message on failure stays in `why`. */
static char why[300];
static int set(const char *key, const char *text)
{
    const struct act_field *field = act_field_find(key);

    assert_non_null(field);
    why[0] = '\0';
    return act_field_set_text(&plan, field->id, text, 0, why, sizeof why);
}

static const char *text_of(const char *key, enum act_style style)
{
    static char text[1100];

    act_field_text(&plan, act_field_find(key)->id, style, text, sizeof text);
    return text;
}

static void test_table_is_complete(void **state)
{
    (void)state;
    for (int i = 0; i < ACT_FIELD_COUNT; i++) {
        const struct act_field *field = act_field((enum act_field_id)i);
        bool named = field->kind == ACT_KIND_ENUM || field->kind == ACT_KIND_SET;
        struct act_plan copy = plan;

        assert_int_equal(field->id, i);
        assert_true(strlen(field->key) > 0 && strlen(field->label) > 0);
        assert_non_null(field->applies);
        assert_ptr_equal(act_field_find(field->key), field); /* so keys are unique */
        if (strlen(field->help) < 10 || field->help[strlen(field->help) - 1] != '.')
            fail_msg("%s: help '%s'", field->key, field->help);
        if (act_field_set_text(&copy, field->id, field->initial, 0, why, sizeof why) != 0)
            fail_msg("%s: default '%s': %s", field->key, field->initial, why);
        assert_true(field->min <= field->max);
        if (named != (field->names != NULL) || (named && field->names[0] == NULL))
            fail_msg("%s: names", field->key);
        if ((field->flags & ACT_FIELD_AUTO) != 0)
            assert_true(field->min >= 0); /* else -1 could be a value */
        const char *point = strchr(field->key, '.');
        assert_string_equal(field->member, point == NULL ? field->key : point + 1);
    }
}

static void test_finds_fields(void **state)
{
    (void)state;
    assert_int_equal(act_field_find("parallel.tensor")->id, ACT_F_parallel_tensor);
    assert_int_equal(act_field_find("name")->id, ACT_F_scenario_name);
    assert_null(act_field_find("tensor"));
    assert_null(act_field_find(""));
    assert_string_equal(act_group_name(ACT_GROUP_parallel), "parallel");
    assert_string_equal(act_group_name(ACT_GROUP_scenario), "");
    assert_string_equal(act_group_title(ACT_GROUP_model), "MODEL");
    assert_int_equal(act_group_preset(ACT_GROUP_model), ACT_F_model_preset);
    assert_int_equal(act_group_preset(ACT_GROUP_hardware), ACT_F_hardware_preset);
    assert_int_equal(act_group_preset(ACT_GROUP_framework), ACT_F_framework_preset);
    assert_int_equal(act_group_preset(ACT_GROUP_cost), -1);
}

static void test_nearest(void **state)
{
    static const struct {
        const char *key, *nearest; /* NULL: none */
    } cases[] = {
        {"parallel.tensr", "parallel.tensor"},
        {"parallel.tesnor", "parallel.tensor"},
        {"tensr", "parallel.tensor"},
        {"Tensor", "parallel.tensor"},
        {"paralel.tensor", "parallel.tensor"},
        {"training.tensor", "parallel.tensor"},
        {"training.micro-batch", "training.micro_batch"},
        {"training.recompute", "parallel.recompute"},
        {"framework.zro", "framework.zero"},
        {"parallel.zro", "parallel.zero"},
        {"notess", "notes"},
        {"training.globl_btchs", "training.global_batch"}, /* three letters off */
        {"embeding_slats", "parallel.embedding_slot"},
        {"embeding_slatsy", NULL}, /* four, however long the word */
        {"tp", "parallel.tensor"},
        {"TP", "parallel.tensor"},
        {"pp", "parallel.pipeline"},
        {"dp", "parallel.data"},
        {"cp", "parallel.context"},
        {"ep", "parallel.expert"},
        {"vpp", "parallel.interleave"},
        {"parallel.tp", "parallel.tensor"},
        {"parallel.pp", "parallel.pipeline"},
        {"x", NULL},
        {"", NULL},
        {".", NULL},
        {"parallel.", NULL},
        {"parallel.qqqqqqq", NULL},
        {"\xff\xfe", NULL},
    };
    char word[400];

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct act_field *field = act_field_nearest(cases[i].key);

        if ((field == NULL) != (cases[i].nearest == NULL) ||
            (field != NULL && strcmp(field->key, cases[i].nearest) != 0))
            fail_msg("%s: %s", cases[i].key, field == NULL ? "none" : field->key);
    }
    memset(word, 't', sizeof word);
    word[sizeof word - 1] = '\0';
    assert_null(act_field_nearest(word));
    word[200] = '.';
    assert_null(act_field_nearest(word));
}

static void test_numbers_from_text(void **state)
{
    (void)state;
    assert_int_equal(set("training.tokens", "2T"), 0);
    assert_true(plan.training.tokens == 2e12);
    assert_true(act_plan_given(&plan, ACT_F_training_tokens));
    assert_true(act_field_number(&plan, ACT_F_training_tokens) == 2e12);
    assert_string_equal(text_of("training.tokens", ACT_STYLE_SHORT), "2 T");
    assert_int_equal(set("training.tokens", "auto"), 0);
    assert_true(plan.training.tokens == ACT_AUTO);
    assert_string_equal(text_of("training.tokens", ACT_STYLE_SHORT), "auto");
    assert_int_equal(set("training.sequence", "131_072"), 0);
    assert_string_equal(text_of("training.sequence", ACT_STYLE_SHORT), "131072");
    assert_int_equal(set("hardware.mfu", "40%"), 0);
    assert_true(plan.hardware.mfu == 0.4);
    assert_string_equal(text_of("hardware.mfu", ACT_STYLE_SHORT), "40 %");
    assert_int_equal(set("parallel.zero", "0"), 0);
    assert_int_equal(plan.parallel.zero, 0);
}

static void test_refused_numbers(void **state)
{
    static const struct {
        const char *key, *text, *message;
    } cases[] = {
        {"training.tokens", "-5", "-5 is too small; give auto or 1 to"},
        {"parallel.tensor", "0", "0 is too small; give 1 to 1024"},
        {"parallel.tensor", "1025", "1025 is too large; give 1 to 1024"},
        {"parallel.tensor", "auto", "auto is not available; give 1 to 1024"},
        {"parallel.tensor", "2.5", "write 2 or 3"},
        {"parallel.tensor", "8*2", "arithmetic"},
        {"parallel.tensor", "", "nothing is given"},
        {"parallel.tensor", "99999999999999999999999999", "too large"},
        {"training.lora_dropout", "auto", "auto is not available; give a share such as 40%"},
        {"hardware.mfu", "nan", "not a number"},
        {"hardware.mfu", "40", "40 is more than the whole; write 40% or 0.4"},
        {"hardware.mfu", "120%", "120% is too large; give auto or 0.1% to 100%"},
        {"hardware.memory", "80", "80 is too small; give 1MB to 1PB"},
        {"training.precision", "bf17", "bf17 is not known; give auto, fp32, tf32, fp16, bf16"},
        {"training.precision", "", "an empty text is not known"},
        {"model.tied_embeddings", "maybe", "maybe is neither true nor false"},
        {"model.tied_embeddings", "auto", "auto is not available; give true or false"},
        {"parallel.recompute_modules", "mlp,attention", "is not known; give none or some of"},
        {"parallel.recompute_modules", "mlp,", "is not known"},
        {"parallel.layers_per_stage", "[1, 2", "is not a list"},
        {"parallel.layers_per_stage", "[", "is not a list"},
        {"parallel.layers_per_stage", "[]", "nothing is given"},
        {"parallel.layers_per_stage", "1, 2000", "out of range"},
        {"parallel.layers_per_stage", "1, x", "not a number"},
        {"cost.currency", "far too long", "too long; give at most 7 bytes"},
        {"name", "a\nb", "control characters"},
        {"name", "\x1b[31m", "control characters"},
        {"name", "\xc3", "not UTF-8"},
        {"name", "\xc0\xaf", "not UTF-8"},     /* overlong */
        {"name", "\xed\xa0\x80", "not UTF-8"}, /* a surrogate */
        {"name",
         "a\xe2\x80\xae"
         "b",
         "control"}, /* right-to-left override */
        {"name",
         "a\xc2\x9b"
         "b",
         "control"}, /* C1: an escape for some terminals */
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct act_plan before = plan;

        if (set(cases[i].key, cases[i].text) != -1 || strstr(why, cases[i].message) == NULL)
            fail_msg("%s '%s': '%s' lacks '%s'", cases[i].key, cases[i].text, why,
                     cases[i].message);
        assert_memory_equal(&before, &plan, sizeof plan);
    }
}

static void test_names_and_bools(void **state)
{
    static const char *const yes[] = {"true", "on", "yes", " True "};
    static const char *const no[] = {"false", "off", "no"};

    (void)state;
    assert_int_equal(set("training.precision", "fp8-rowwise"), 0);
    assert_int_equal(plan.training.precision, ACT_FP8_ROWWISE);
    assert_int_equal(set("training.precision", "BF16"), 0);
    assert_int_equal(plan.training.precision, ACT_BF16);
    assert_int_equal(set("parallel.recompute", "first-n"), 0);
    assert_int_equal(plan.parallel.recompute, ACT_RECOMPUTE_FIRST_N);
    assert_int_equal(set("framework.loss", "chunked-offload"), 0);
    assert_int_equal(plan.framework.loss, ACT_LOSS_CHUNKED_OFFLOAD);
    for (size_t i = 0; i < sizeof yes / sizeof *yes; i++) {
        plan.model.tied_embeddings = 0;
        assert_int_equal(set("model.tied_embeddings", yes[i]), 0);
        assert_int_equal(plan.model.tied_embeddings, 1);
    }
    assert_string_equal(text_of("model.tied_embeddings", ACT_STYLE_FILE), "true");
    for (size_t i = 0; i < sizeof no / sizeof *no; i++) {
        plan.model.tied_embeddings = 1;
        assert_int_equal(set("model.tied_embeddings", no[i]), 0);
        assert_int_equal(plan.model.tied_embeddings, 0);
    }
}

static void test_sets_and_lists(void **state)
{
    char text[4 * ACT_LIST_MAX + 8] = "1";

    (void)state;
    assert_int_equal(set("parallel.recompute_modules", "core_attn, mlp"), 0);
    assert_int_equal(plan.parallel.recompute_modules, ACT_MODULE_CORE_ATTN | ACT_MODULE_MLP);
    assert_string_equal(text_of("parallel.recompute_modules", ACT_STYLE_FILE), "mlp, core_attn");
    assert_int_equal(
        set("parallel.recompute_modules", "[layernorm,mla_up_proj,mlp,moe_act,core_attn]"), 0);
    assert_int_equal(plan.parallel.recompute_modules, 31);
    assert_int_equal(set("parallel.recompute_modules", "none"), 0);
    assert_int_equal(plan.parallel.recompute_modules, 0);
    assert_string_equal(text_of("parallel.recompute_modules", ACT_STYLE_FILE), "none");
    assert_int_equal(set("parallel.recompute_modules", "[]"), 0);

    assert_int_equal(set("parallel.layers_per_stage", "[19, 20,21 , 20]"), 0);
    assert_int_equal(plan.parallel.layers_per_stage.count, 4);
    assert_int_equal(plan.parallel.layers_per_stage.item[2], 21);
    assert_string_equal(text_of("parallel.layers_per_stage", ACT_STYLE_FILE), "[19, 20, 21, 20]");
    assert_int_equal(set("parallel.layers_per_stage", "7,1"), 0);
    assert_int_equal(plan.parallel.layers_per_stage.count, 2);
    assert_int_equal(set("parallel.layers_per_stage", "auto"), 0);
    assert_int_equal(plan.parallel.layers_per_stage.count, 0);
    assert_string_equal(text_of("parallel.layers_per_stage", ACT_STYLE_FILE), "auto");

    for (int i = 1; i < ACT_LIST_MAX; i++)
        memcpy(text + 2 * i - 1, ",1", 3);
    assert_int_equal(set("parallel.layers_per_stage", text), 0);
    assert_int_equal(plan.parallel.layers_per_stage.count, ACT_LIST_MAX);
    memcpy(text + strlen(text), ",1", 3);
    assert_int_equal(set("parallel.layers_per_stage", text), -1);
    assert_non_null(strstr(why, "at most 512 items"));
}

static void test_texts(void **state)
{
    (void)state;
    assert_int_equal(set("name", "Größe \xe6\xa8\xa1"), 0);
    assert_string_equal(act_field_string(&plan, ACT_F_scenario_name), "Größe \xe6\xa8\xa1");
    assert_int_equal(set("cost.currency", "EURSHOP"), 0); /* seven bytes: just fits */
    assert_string_equal(text_of("cost.currency", ACT_STYLE_FILE), "EURSHOP");
    assert_int_equal(set("notes", ""), 0);
    assert_true(act_plan_given(&plan, ACT_F_scenario_notes));
    assert_string_equal(act_field_string(&plan, ACT_F_model_layers), "");
}

static void test_gpus_set_data(void **state)
{
    (void)state;
    plan.parallel.tensor = 8;
    plan.parallel.pipeline = 4;
    assert_int_equal(set("parallel.gpus", "1000"), 0);
    assert_int_equal(plan.parallel.data, 31); /* 31 x 32 = 992 */
    assert_true(act_field_number(&plan, ACT_F_parallel_gpus) == 992);
    assert_true(act_plan_given(&plan, ACT_F_parallel_data));
    assert_false(act_plan_given(&plan, ACT_F_parallel_gpus));
    assert_string_equal(text_of("parallel.gpus", ACT_STYLE_SHORT), "992");
    act_field_reset(&plan, ACT_F_parallel_gpus);
    assert_int_equal(plan.parallel.data, 1);
    assert_false(act_plan_given(&plan, ACT_F_parallel_data));
}

static void test_ranges(void **state)
{
    static const struct {
        enum act_field_id id;
        const char *range;
    } cases[] = {
        {ACT_F_parallel_tensor, "1 to 1024"},
        {ACT_F_training_global_batch, "auto or 1 to 1073741824"},
        {ACT_F_hardware_mfu, "auto or 0.1% to 100%"},
        {ACT_F_hardware_memory, "1MB to 1PB"},
        {ACT_F_parallel_offload, "none, optimizer, optimizer+weights"},
        {ACT_F_training_attention_kernel, "auto, cudnn, flash, math"},
        {ACT_F_parallel_sequence_parallel, "auto, true or false"},
        {ACT_F_cost_currency, "text of at most 7 bytes"},
        {ACT_F_parallel_layers_per_stage, "auto or a list such as [20, 20], each 0 to 1024"},
        {ACT_F_parallel_recompute_modules,
         "none or some of layernorm, mla_up_proj, mlp, moe_act, core_attn"},
    };
    char range[200];

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(act_field_range(cases[i].id, range, sizeof range), strlen(cases[i].range));
        assert_string_equal(range, cases[i].range);
    }
    assert_int_equal(act_field_range(ACT_F_parallel_tensor, range, 5), 9);
    assert_string_equal(range, "1 to");
}

static void test_copy_reset_equal(void **state)
{
    struct act_plan other;

    (void)state;
    act_plan_init(&other);
    assert_int_equal(set("name", "other"), 0);
    assert_int_equal(set("training.tokens", "3B"), 0);
    assert_int_equal(set("parallel.layers_per_stage", "40,40"), 0);
    assert_int_equal(set("parallel.tensor", "4"), 0);
    for (int id = 0; id < ACT_FIELD_COUNT; id++) {
        bool differs = id == ACT_F_scenario_name || id == ACT_F_training_tokens ||
                       id == ACT_F_parallel_layers_per_stage || id == ACT_F_parallel_tensor ||
                       id == ACT_F_parallel_gpus;

        assert_int_equal(act_field_equal(&plan, &other, (enum act_field_id)id), !differs);
    }
    for (int id = 0; id < ACT_FIELD_COUNT; id++)
        act_field_copy(&other, &plan, (enum act_field_id)id);
    assert_true(act_plan_equal(&plan, &other));
    for (int id = 0; id < ACT_FIELD_COUNT; id++)
        act_field_reset(&plan, (enum act_field_id)id);
    act_plan_init(&other);
    assert_true(act_plan_equal(&plan, &other));
}

static bool applies(enum act_field_id id)
{
    return act_field_applies(&plan, id);
}

static void test_applies_model(void **state)
{
    (void)state;
    assert_true(applies(ACT_F_model_layers));
    assert_true(applies(ACT_F_model_kv_heads) && !applies(ACT_F_model_kv_lora_rank));
    plan.model.attention = ACT_MLA;
    assert_true(!applies(ACT_F_model_kv_heads) && applies(ACT_F_model_kv_lora_rank));
    assert_true(applies(ACT_F_model_ffn) && !applies(ACT_F_model_expert_ffn));
    plan.model.experts = 8; /* every layer is MoE: there is no dense FFN */
    assert_true(!applies(ACT_F_model_ffn) && applies(ACT_F_model_expert_ffn));
    plan.model.dense_layers = 3;
    assert_true(applies(ACT_F_model_ffn));
    plan.model.dense_layers = 0;
    plan.model.moe_every = 2;
    assert_true(applies(ACT_F_model_ffn));
    assert_false(applies(ACT_F_model_position_rows));
    plan.model.positions = ACT_LEARNED;
    assert_true(applies(ACT_F_model_position_rows));
    assert_false(applies(ACT_F_model_global_every));
    plan.model.window = 1024;
    assert_true(applies(ACT_F_model_global_every));
    assert_false(applies(ACT_F_model_index_dim));
    plan.model.index_heads = 64;
    assert_true(applies(ACT_F_model_index_dim));
}

static void test_applies_training(void **state)
{
    (void)state;
    assert_true(applies(ACT_F_framework_loss));
    assert_false(applies(ACT_F_framework_textbook_activations));
    plan.framework.family = ACT_TEXTBOOK;
    assert_false(applies(ACT_F_framework_loss));
    assert_true(applies(ACT_F_framework_textbook_activations));
    assert_false(applies(ACT_F_training_lora_rank));
    plan.training.method = ACT_LORA;
    assert_true(applies(ACT_F_training_lora_rank) && !applies(ACT_F_training_quantisation));
    plan.training.method = ACT_QLORA;
    assert_true(applies(ACT_F_training_lora_rank) && applies(ACT_F_training_quantisation));
    assert_false(applies(ACT_F_training_frozen_layers));
    plan.training.method = ACT_FREEZE;
    assert_true(applies(ACT_F_training_frozen_layers) && !applies(ACT_F_training_lora_rank));
}

static void test_applies_parallel(void **state)
{
    (void)state;
    assert_false(applies(ACT_F_parallel_sequence_parallel));
    assert_false(applies(ACT_F_parallel_interleave));
    assert_false(applies(ACT_F_parallel_layers_per_stage));
    assert_false(applies(ACT_F_parallel_expert));
    plan.parallel.tensor = 2;
    plan.parallel.pipeline = 2;
    plan.model.experts = 8;
    assert_true(applies(ACT_F_parallel_sequence_parallel));
    assert_true(applies(ACT_F_parallel_interleave));
    assert_true(applies(ACT_F_parallel_layers_per_stage));
    assert_true(applies(ACT_F_parallel_expert));
    plan.framework.family = ACT_TEXTBOOK;
    assert_false(applies(ACT_F_parallel_sequence_parallel));
    assert_false(applies(ACT_F_parallel_interleave));
    assert_true(applies(ACT_F_parallel_layers_per_stage));

    assert_false(applies(ACT_F_parallel_recompute_modules));
    plan.framework.recompute = ACT_RECOMPUTE_MODULES; /* given by none: the framework's */
    assert_true(applies(ACT_F_parallel_recompute_modules));
    plan.parallel.recompute = ACT_RECOMPUTE_FIRST_N;
    assert_false(applies(ACT_F_parallel_recompute_modules));
    assert_true(applies(ACT_F_parallel_recompute_layers));
    plan.parallel.recompute = ACT_RECOMPUTE_ALTERNATE;
    assert_true(applies(ACT_F_parallel_recompute_layers));
    plan.parallel.recompute = ACT_RECOMPUTE_FULL;
    assert_false(applies(ACT_F_parallel_recompute_layers));
}

#define TEST(name) cmocka_unit_test_setup(name, start)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_table_is_complete), TEST(test_finds_fields),
        TEST(test_nearest),           TEST(test_numbers_from_text),
        TEST(test_refused_numbers),   TEST(test_names_and_bools),
        TEST(test_sets_and_lists),    TEST(test_texts),
        TEST(test_gpus_set_data),     TEST(test_ranges),
        TEST(test_copy_reset_equal),  TEST(test_applies_model),
        TEST(test_applies_training),  TEST(test_applies_parallel),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "megatron_settings.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "io/presets.h"
#include <cmocka.h>
#include <string.h>

/* The frameworks of the rows. Widths, buffers, loss and allocator are the preset's, so that a wrong
 * one shows; a row overrules what its run set or its release did not have yet. */
struct run {
    const char *name; /* in the rows */
    const char *preset;
    int64_t precision;
};

static const struct run runs[] = {
    {"megatron", "megatron-stock", ACT_BF16},       {"megatron-fp16", "megatron-stock", ACT_FP16},
    {"ds-fp16", "megatron-deepspeed", ACT_FP16},    {"ds-bf16", "megatron-deepspeed", ACT_BF16},
    {"ds-bf16-lp", "megatron-deepspeed", ACT_BF16}, {"paddle", "paddle", ACT_BF16},
};

static int64_t integer(const json_t *settings, const char *key, int64_t absent)
{
    const json_t *value = json_object_get(settings, key);
    return value ? (int64_t)json_number_value(value) : absent;
}

static bool flag(const json_t *settings, const char *key, bool absent)
{
    const json_t *value = json_object_get(settings, key);
    return value ? json_is_true(value) : absent;
}

static const char *word(const json_t *settings, const char *key, const char *absent)
{
    const json_t *value = json_object_get(settings, key);
    return value ? json_string_value(value) : absent;
}

static void read_model(const json_t *settings, struct act_model_fields *model)
{
    const json_t *mla = json_object_get(settings, "mla");
    int64_t rows = integer(settings, "pos", 0);
    bool bias = flag(settings, "bias", true);

    model->layers = integer(settings, "layers", 0);
    model->hidden = integer(settings, "hidden", 0);
    model->heads = integer(settings, "heads", 0);
    model->kv_heads = integer(settings, "kv", 0);
    model->head_dim = integer(settings, "hd", 0);
    model->ffn = integer(settings, "ffn", 0);
    model->vocab = integer(settings, "vocab", 0);
    model->activation = flag(settings, "gated", false) ? ACT_SWIGLU : ACT_GELU;
    model->norm = flag(settings, "layernorm", true) ? ACT_LAYERNORM : ACT_RMSNORM;
    model->tied_embeddings = flag(settings, "tied", true);
    model->qkv_bias = model->out_bias = model->mlp_bias = bias;
    model->positions = rows > 0 ? ACT_LEARNED : ACT_ROPE;
    if (rows > 0)
        model->position_rows = rows;
    if (mla) {
        model->attention = ACT_MLA;
        model->q_lora_rank = json_integer_value(json_array_get(mla, 0));
        model->kv_lora_rank = json_integer_value(json_array_get(mla, 1));
        model->qk_nope_dim = json_integer_value(json_array_get(mla, 2));
        model->qk_rope_dim = json_integer_value(json_array_get(mla, 3));
        model->v_head_dim = json_integer_value(json_array_get(mla, 4));
    }
    model->experts = integer(settings, "E", 0);
    model->experts_per_token = integer(settings, "k", 1);
    model->expert_ffn = integer(settings, "fm", 1);
    model->shared_ffn = integer(settings, "fs", 0);
    model->dense_layers = integer(settings, "dense", 0);
    model->mtp_layers = integer(settings, "mtp", 0);
}

/* Megatron-LM's kinds are told apart by what their rows say. */
static const char *preset_of(const json_t *settings, const struct run *run)
{
    if (strcmp(run->preset, "megatron-stock") != 0)
        return run->preset;
    return flag(settings, "legacy", false)  ? "megatron-old" /* before Megatron-Core */
           : flag(settings, "dummy", false) ? "megatron"     /* tuned, Transformer Engine 2.3 */
                                            : run->preset;
}

static void overrule_flag(const json_t *settings, const char *key, struct act_plan *plan,
                          enum act_field_id field)
{
    if (json_object_get(settings, key))
        act_field_set_number(plan, field, flag(settings, key, false));
}

/* The legacy loss, silu and flash kernel of old Megatron and Paddle are their presets'. */
static void overrule_kernels(const json_t *settings, const char *preset,
                             struct act_framework_fields *framework)
{
    const char *loss = word(settings, "loss", "");
    bool legacy = flag(settings, "legacy", false), paddle = strcmp(preset, "paddle") == 0;

    if (legacy && (paddle || strcmp(preset, "megatron-old") == 0))
        return;
    if (strcmp(loss, "fused") == 0)
        framework->loss = ACT_LOSS_FUSED;
    else if (strcmp(loss, "legacy") == 0)
        framework->loss = ACT_LOSS_LEGACY;
    else if (paddle)
        framework->loss = ACT_LOSS_UNFUSED; /* its GPT recipe; the preset's is LLaMA's */
    framework->keeps_silu = legacy;
    /* Rows that name flash attention ran the batch-first kernel. */
    framework->flash_copies = strcmp(word(settings, "attention", ""), "flash") == 0;
}

static void read_framework(const json_t *settings, struct act_plan *plan)
{
    struct act_framework_fields *framework = &plan->framework;
    const char *name = word(settings, "profile", "megatron");
    const struct run *run = NULL;
    struct act_problems problems;

    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++)
        if (strcmp(runs[i].name, name) == 0)
            run = &runs[i];
    assert_non_null(run);
    const char *preset = preset_of(settings, run);
    act_problems_init(&problems, preset);
    assert_int_equal(act_preset_apply(plan, ACT_FRAMEWORKS, preset, true, &problems), 0);
    plan->training.precision = run->precision;

    if (strcmp(name, "ds-bf16-lp") == 0) {
        /* 16-bit accumulation, and a bucket of 5e6 elements set by its launch script. */
        framework->gradient_bytes = 2;
        framework->step_bytes = 6;
        framework->bucket_bytes = 1e7;
    }
    overrule_kernels(settings, preset, framework);
    if (!flag(settings, "dummy", false))
        framework->weight_gradient_scratch = false; /* before Transformer Engine 2.3 */
    framework->vocabulary_padding = integer(settings, "pad", framework->vocabulary_padding);
    overrule_flag(settings, "defer_head", plan, ACT_F_framework_defer_embedding_gradient);
    overrule_flag(settings, "probs_late", plan, ACT_F_framework_moe_combine_kept);
}

static void read_modules(const json_t *settings, struct act_plan *plan)
{
    static const struct {
        const char *name;
        int64_t bit;
    } modules[] = {{"layernorm", ACT_MODULE_LAYERNORM},
                   {"mla_up_proj", ACT_MODULE_MLA_UP_PROJ},
                   {"mlp", ACT_MODULE_MLP},
                   {"moe_act", ACT_MODULE_MOE_ACT}};
    const json_t *list = json_object_get(settings, "modules");
    const char *recompute = word(settings, "recompute", "none");

    plan->parallel.recompute = strcmp(recompute, "full") == 0        ? ACT_RECOMPUTE_FULL
                               : strcmp(recompute, "selective") == 0 ? ACT_RECOMPUTE_ATTENTION
                                                                     : ACT_RECOMPUTE_NONE;
    if (!list)
        return;
    plan->parallel.recompute = ACT_RECOMPUTE_MODULES;
    plan->parallel.recompute_modules = 0;
    for (size_t i = 0; i < json_array_size(list); i++)
        for (size_t k = 0; k < sizeof modules / sizeof *modules; k++)
            if (strcmp(json_string_value(json_array_get(list, i)), modules[k].name) == 0)
                plan->parallel.recompute_modules |= modules[k].bit;
}

static void read_parallel(const json_t *settings, struct act_plan *plan)
{
    struct act_parallel_fields *parallel = &plan->parallel;
    const char *schedule = word(settings, "schedule", "1f1b");
    const json_t *stages = json_object_get(settings, "stages");
    const json_t *chunks = json_object_get(settings, "chunks");

    parallel->tensor = integer(settings, "t", 1);
    parallel->sequence_parallel = flag(settings, "sp", false);
    parallel->pipeline = integer(settings, "p", 1);
    parallel->interleave = integer(settings, "v", 1);
    parallel->schedule = strcmp(schedule, "zb-1p") == 0   ? ACT_ZB_1P
                         : strcmp(schedule, "zb-2p") == 0 ? ACT_ZB_2P
                                                          : ACT_1F1B;
    parallel->context = integer(settings, "c", 1);
    parallel->expert = integer(settings, "n", 1);
    parallel->expert_tensor = integer(settings, "etp", 1);
    parallel->data = integer(settings, "d", 1);
    parallel->zero = integer(settings, "zero", 0);
    parallel->shard_group = parallel->data * parallel->context / integer(settings, "instances", 1);
    parallel->moe_imbalance = json_object_get(settings, "imbalance")
                                  ? json_number_value(json_object_get(settings, "imbalance"))
                                  : 1;
    parallel->moe_dispatcher = flag(settings, "allgather", false) ? ACT_ALL_GATHER : ACT_ALL_TO_ALL;

    /* Stage sums with chunks of one layer each mean that embedding and loss are slots. */
    if (stages && parallel->interleave > 1) {
        parallel->embedding_slot = parallel->loss_slot = true;
    } else if (stages || chunks) {
        const json_t *list = chunks ? chunks : stages;
        parallel->layers_per_stage.count = (int32_t)json_array_size(list);
        for (size_t i = 0; i < json_array_size(list); i++)
            parallel->layers_per_stage.item[i] =
                (uint16_t)json_integer_value(json_array_get(list, i));
    }
}

static void read_training(const json_t *settings, struct act_plan *plan)
{
    struct act_training_fields *training = &plan->training;
    const char *kernel = word(settings, "attention", "cudnn");

    training->sequence = integer(settings, "s", 0);
    training->micro_batch = integer(settings, "b", 1);
    training->global_batch =
        integer(settings, "m", 1) * training->micro_batch * plan->parallel.data;
    training->attention_kernel = strcmp(kernel, "math") == 0    ? ACT_MATH
                                 : strcmp(kernel, "flash") == 0 ? ACT_FLASH
                                                                : ACT_CUDNN;
    training->hidden_dropout = flag(settings, "dropout", false) ? 0.1 : 0;
    training->attention_dropout = flag(settings, "attn_dropout", false) ? 0.1 : 0;
}

void plan_of_megatron_settings(const json_t *settings, struct act_plan *ret)
{
    act_plan_init(ret);
    read_model(settings, &ret->model);
    read_framework(settings, ret);
    read_parallel(settings, ret);
    read_training(settings, ret);
    read_modules(settings, ret);
    act_plan_resolve(ret, ret);
}

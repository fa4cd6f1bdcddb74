#include "timing_settings.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "io/presets.h"
#include <actuary/field.h>
#include <cmocka.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* The study's names of frameworks and accelerators, and the presets that hold their constants. */
static const struct named {
    const char *name, *preset;
    double nic; /* of the measured cluster, bytes/s, where it is not the preset's */
} frameworks[] = {{"megatron-2021", "megatron-2021", 0},
                  {"megatron-ds", "megatron-deepspeed", 0},
                  {"megatron", "megatron-stock", 0},
                  {"nemo", "megatron", 0},
                  {"composer", "composer", 0},
                  {"fsdp-eager", "fsdp-eager", 0},
                  {"fsdp-compile", "fsdp", 0},
                  {"deepspeed", "deepspeed", 0},
                  {"paddle", "paddle", 0},
                  {"internevo", "internevo", 0},
                  {"mindspeed", "mindspeed", 0},
                  {"maxtext", "maxtext", 0}},
  cards[] = {{"a100", "a100-80gb-sxm", 0},
             {"a100-40", "a100-40gb-sxm", 25e9},
             {"a800", "a800-80gb-sxm", 0},
             {"h100", "h100-sxm", 0},
             {"h100-500w", "h100-96gb", 0},
             {"h800", "h800-sxm", 0},
             {"h200", "h200-sxm", 0},
             {"b200", "b200", 0},
             {"b300", "b300", 0},
             {"gb200", "gb200", 0},
             {"gb300", "gb300", 0},
             {"910b", "ascend-910b3", 0},
             {"v100", "v100-32gb", 12.5e9},
             {"rtx3090", "rtx-3090", 0},
             {"rtx4090", "rtx-4090", 0},
             {"rtx6000ada", "rtx-6000-ada", 0},
             {"l40s", "l40s", 0}};

#define FIND_IN(table, name) find_in(table, sizeof(table) / sizeof *(table), name)

static const struct named *find_in(const struct named *table, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(table[i].name, name) == 0)
            return &table[i];
    fail_msg("%s has no preset", name);
    return NULL;
}

static int64_t integer(const json_t *settings, const char *key, int64_t absent)
{
    const json_t *value = json_object_get(settings, key);
    return value ? (int64_t)json_number_value(value) : absent;
}

static bool flag(const json_t *settings, const char *key)
{
    return json_is_true(json_object_get(settings, key));
}

static const char *word(const json_t *settings, const char *key)
{
    const char *value = json_string_value(json_object_get(settings, key));
    return value ? value : "";
}

static void read_model(const json_t *settings, struct act_model_fields *model)
{
    const json_t *mla = json_object_get(settings, "mla");

    model->layers = integer(settings, "layers", 0);
    model->hidden = integer(settings, "hidden", 0);
    model->heads = integer(settings, "heads", 0);
    model->kv_heads = integer(settings, "kv", 0);
    model->head_dim = integer(settings, "hd", 0);
    model->ffn = integer(settings, "ffn", 0);
    model->vocab = integer(settings, "vocab", 0);
    model->activation = flag(settings, "gated") ? ACT_SWIGLU : ACT_GELU;
    model->positions = flag(settings, "rope") ? ACT_ROPE : ACT_NO_POSITIONS;
    model->tied_embeddings = flag(settings, "tied");
    /* Sliding windows of these rows are every second layer's (GPT-OSS). */
    model->window = integer(settings, "window", 0);
    model->global_every = 2;
    if (mla) {
        model->attention = ACT_MLA;
        model->q_lora_rank = json_integer_value(json_array_get(mla, 0));
        model->kv_lora_rank = json_integer_value(json_array_get(mla, 1));
        model->qk_nope_dim = json_integer_value(json_array_get(mla, 2));
        model->qk_rope_dim = json_integer_value(json_array_get(mla, 3));
        model->v_head_dim = json_integer_value(json_array_get(mla, 4));
    }
    model->experts = integer(settings, "experts", 0);
    model->experts_per_token = integer(settings, "topk", 1);
    model->expert_ffn = integer(settings, "fm", 1);
    model->shared_ffn = integer(settings, "fs", 0);
    model->dense_layers = integer(settings, "dense", 0);
}

static void apply(struct act_plan *plan, enum act_preset_kind kind, const char *preset)
{
    struct act_problems problems;

    act_problems_init(&problems, preset);
    assert_int_equal(act_preset_apply(plan, kind, preset, true, &problems), 0);
}

static void read_framework(const json_t *settings, struct act_plan *plan)
{
    struct act_framework_fields *framework = &plan->framework;
    long long date = (long long)integer(settings, "date", 2500), month = date % 100;

    apply(plan, ACT_FRAMEWORKS, FIND_IN(frameworks, word(settings, "profile"))->preset);
    framework->cuda_graphs = flag(settings, "graphs");
    /* 14 bytes a parameter in the update: torchtune's loop in 16 bits. */
    if (integer(settings, "optbytes", 34) == 14) /* all in bf16 */
        framework->weight_bytes = 2, framework->state_bytes = 4;
    /* Year and month; no month: before all that matters. */
    snprintf(framework->software_date, sizeof framework->software_date, "20%02lld-%02lld",
             date / 100 % 100, month > 0 ? month : 1);
}

static void read_card(const json_t *settings, struct act_plan *plan)
{
    const char *name = word(settings, "hardware");
    const json_t *nic = json_object_get(settings, "nic");
    struct act_hardware_fields *card = &plan->hardware;

    const struct named *found = FIND_IN(cards, name);
    apply(plan, ACT_HARDWARE, found->preset);
    if (found->nic > 0)
        card->nic_bandwidth = found->nic;
    if (nic)
        card->nic_bandwidth = json_number_value(nic);
    /* The recipes lay groups out in 64 of an NVL72's 72 GPUs; the V100 nodes are of four. */
    if (strcmp(name, "gb200") == 0 || strcmp(name, "gb300") == 0)
        card->link_domain = 64;
    card->link_domain = integer(settings, "dom", card->link_domain);
}

static void read_parallel(const json_t *settings, struct act_plan *plan)
{
    static const struct {
        const char *name;
        enum act_recompute policy;
    } policies[] = {{"none", ACT_RECOMPUTE_NONE},
                    {"selective", ACT_RECOMPUTE_ATTENTION},
                    {"op", ACT_RECOMPUTE_OP},
                    {"alternate", ACT_RECOMPUTE_ALTERNATE},
                    {"full", ACT_RECOMPUTE_FULL}};
    struct act_parallel_fields *parallel = &plan->parallel;

    parallel->tensor = integer(settings, "tp", 1);
    parallel->sequence_parallel = flag(settings, "sp");
    parallel->pipeline = integer(settings, "pp", 1);
    parallel->interleave = integer(settings, "vpp", 1);
    parallel->context = integer(settings, "cp", 1);
    parallel->expert = integer(settings, "ep", 1);
    parallel->expert_tensor = integer(settings, "etp", 1);
    parallel->data = integer(settings, "dp", 1);
    parallel->zero = integer(settings, "zero", 0);
    if (json_object_get(settings, "shard"))
        parallel->shard_group = integer(settings, "shard", 1);
    parallel->recompute = ACT_AUTO;
    for (size_t i = 0; i < sizeof policies / sizeof *policies; i++)
        if (strcmp(policies[i].name, word(settings, "recompute")) == 0)
            parallel->recompute = policies[i].policy;
    assert_true(parallel->recompute != ACT_AUTO);
}

/* fp8 by the passes its casts make: one scale a tensor, one a block, one a row. */
static enum act_precision precision_of(const json_t *settings)
{
    const char *name = word(settings, "prec");
    int64_t passes = integer(settings, "cast", 1);

    if (strcmp(name, "fp4") == 0)
        return ACT_NVFP4;
    if (strcmp(name, "fp8") == 0)
        return passes == 6 ? ACT_FP8_ROWWISE : passes == 3 ? ACT_MXFP8 : ACT_FP8;
    return strcmp(word(settings, "hardware"), "v100") == 0 ? ACT_FP16 : ACT_BF16;
}

static void read_training(const json_t *settings, struct act_plan *plan)
{
    struct act_training_fields *training = &plan->training;
    const char *lora = word(settings, "lora");

    training->sequence = integer(settings, "seq", 0);
    training->micro_batch = integer(settings, "micro", 1);
    training->global_batch = integer(settings, "gb", 1);
    training->document_length = integer(settings, "doc", ACT_AUTO);
    training->precision = precision_of(settings);
    training->attention_kernel = flag(settings, "flash") ? ACT_FLASH : ACT_MATH;
    training->hidden_dropout = training->attention_dropout = flag(settings, "drop") ? 0.1 : 0;
    if (lora[0] != '\0') {
        training->method = flag(settings, "q4") ? ACT_QLORA : ACT_LORA;
        training->lora_targets = strcmp(lora, "all") == 0 ? ACT_TARGETS_ALL : ACT_TARGETS_ATTENTION;
    }
}

void plan_of_timing_settings(const json_t *settings, struct act_plan *ret)
{
    act_plan_init(ret);
    read_model(settings, &ret->model);
    read_framework(settings, ret);
    read_card(settings, ret);
    read_parallel(settings, ret);
    read_training(settings, ret);
    ret->hardware.mfu = ACT_AUTO;
    act_plan_resolve(ret, ret);
}

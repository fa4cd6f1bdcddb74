/* The table of fields, built from fields.h, and finding rows in it. */
#include <actuary/field.h>

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Names of enumerations, in the order of plan.h. `text_of_none` stands in all other rows. */
#define text_of_none NULL
#define NAMES(name, last, ...)                                                                     \
    static const char *const text_of_##name[] = {__VA_ARGS__, NULL};                               \
    _Static_assert(sizeof text_of_##name / sizeof *text_of_##name == (size_t)(last) + 2,           \
                   "one name a value of " #name)

NAMES(activation, ACT_SILU, "swiglu", "geglu", "gelu", "relu", "relu2", "silu");
NAMES(positions, ACT_NO_POSITIONS, "rope", "learned", "alibi", "none");
NAMES(norm, ACT_NO_NORM, "rmsnorm", "layernorm", "layernorm-no-bias", "none");
NAMES(qk_norm, ACT_QK_FULL, "none", "head", "full");
NAMES(attention, ACT_MLA, "gqa", "mla");
NAMES(family, ACT_FSDP, "textbook", "megatron", "fsdp");
NAMES(kernels, ACT_EAGER, "fused", "compiled", "eager");
NAMES(loss, ACT_LOSS_LIGER, "none", "unfused", "legacy", "fused", "plain", "plain-held", "half",
      "half-held", "chunked", "chunked-half", "chunked-offload", "liger");
NAMES(residual, ACT_RESIDUAL_FP32, "bf16", "fp16", "fp32");
NAMES(allocator, ACT_ZERO3_ALLOCATOR, "expandable", "classic", "zero3");
NAMES(stage_split, ACT_SPLIT_FRONT, "even", "front");
NAMES(expert_tensor, ACT_ETP_TENSOR, "one", "tensor");
NAMES(textbook_activations, ACT_TEXTBOOK_BLOOM, "anyscale", "sequence-parallel", "simple", "bloom");
NAMES(method, ACT_FREEZE, "full", "lora", "qlora", "freeze");
NAMES(lora_targets, ACT_TARGETS_ALL_HEAD, "all", "attention", "q-v", "mlp", "q-k-v", "q-k-v-mlp",
      "all-head");
NAMES(adapter, ACT_ADAPTER_LLAMA_2, "lora", "llama-adapter", "llama-adapter-v2");
NAMES(quantised_fp32, ACT_FP32_LAYER, "none", "attention", "layer");
NAMES(quantisation, ACT_NO_QUANTISATION, "nf4", "nf4-double", "gptq-4", "gptq-8", "none");
NAMES(lengths, ACT_VARYING, "constant", "varying");
NAMES(precision, ACT_NVFP4, "fp32", "tf32", "fp16", "bf16", "fp8", "fp8-rowwise", "mxfp8", "nvfp4");
NAMES(optimizer, ACT_MUON, "adamw", "adamw-bf16", "adam-8bit", "lion", "sgd", "sgd-momentum",
      "adafactor", "muon");
NAMES(attention_kernel, ACT_MATH, "cudnn", "flash", "math");
NAMES(schedule, ACT_DUALPIPE, "1f1b", "gpipe", "zb-1p", "zb-2p", "dualpipe");
NAMES(recompute, ACT_RECOMPUTE_FULL, "none", "attention", "op", "modules", "alternate", "first-n",
      "full");
NAMES(moe_dispatcher, ACT_ALL_GATHER, "all-to-all", "all-gather");
NAMES(offload, ACT_OFFLOAD_ALL, "none", "optimizer", "optimizer+weights");
NAMES(memory_kind, ACT_OTHER_MEMORY, "hbm", "gddr", "gddr-ecc", "other");
NAMES(link_topology, ACT_PCIE, "switch", "mesh", "pcie");

NAMES(counter, ACT_COUNTER_DEVICE, "allocated", "reserved", "device");
NAMES(basis, ACT_OWN, "rent", "own");

/* A set's n-th name stands for bit n. */
NAMES(recompute_modules, 4, "layernorm", "mla_up_proj", "mlp", "moe_act", "core_attn");
_Static_assert(ACT_MODULE_CORE_ATTN == 1 << 4, "names of recompute_modules follow its bits");

/* When a field means something. */
static bool always(const struct act_plan *plan)
{
    (void)plan;
    return true;
}

static bool mla(const struct act_plan *plan)
{
    return plan->model.attention == ACT_MLA;
}

static bool gqa(const struct act_plan *plan)
{
    return plan->model.attention == ACT_GQA;
}

static bool moe(const struct act_plan *plan)
{
    return plan->model.experts > 0;
}

static bool dense_ffn(const struct act_plan *plan)
{
    return !moe(plan) || plan->model.dense_layers > 0 || plan->model.moe_every > 1;
}

static bool learned(const struct act_plan *plan)
{
    return plan->model.positions == ACT_LEARNED;
}

static bool windowed(const struct act_plan *plan)
{
    return plan->model.window > 0;
}

static bool indexer(const struct act_plan *plan)
{
    return plan->model.index_heads > 0;
}

static bool textbook(const struct act_plan *plan)
{
    return plan->framework.family == ACT_TEXTBOOK;
}

static bool layered(const struct act_plan *plan)
{
    return !textbook(plan);
}

static bool fsdp(const struct act_plan *plan)
{
    return plan->framework.family == ACT_FSDP;
}

static bool freeze(const struct act_plan *plan)
{
    return plan->training.method == ACT_FREEZE;
}

static bool qlora(const struct act_plan *plan)
{
    return plan->training.method == ACT_QLORA;
}

static bool lora(const struct act_plan *plan)
{
    return plan->training.method == ACT_LORA || qlora(plan);
}

static bool ranked(const struct act_plan *plan)
{
    return lora(plan) && plan->training.adapter == ACT_ADAPTER_LORA;
}

static bool lora_fsdp(const struct act_plan *plan)
{
    return lora(plan) && fsdp(plan);
}

static bool tp_layered(const struct act_plan *plan)
{
    return plan->parallel.tensor > 1 && layered(plan);
}

static bool pipelined(const struct act_plan *plan)
{
    return plan->parallel.pipeline > 1;
}

static bool pipelined_layered(const struct act_plan *plan)
{
    return pipelined(plan) && layered(plan);
}

static int64_t recompute_of(const struct act_plan *plan)
{
    int64_t given = plan->parallel.recompute;

    return given == ACT_AUTO ? plan->framework.recompute : given;
}

static bool recompute_modules(const struct act_plan *plan)
{
    return recompute_of(plan) == ACT_RECOMPUTE_MODULES;
}

static bool recompute_layers(const struct act_plan *plan)
{
    int64_t kind = recompute_of(plan);

    return kind == ACT_RECOMPUTE_FIRST_N || kind == ACT_RECOMPUTE_ALTERNATE;
}

static bool owned(const struct act_plan *plan)
{
    return plan->cost.basis == ACT_OWN;
}

static bool rented(const struct act_plan *plan)
{
    return !owned(plan);
}

static bool fails(const struct act_plan *plan)
{
    return plan->cost.failures_per_1000_gpu_days != ACT_AUTO;
}

/* The flags as fields.h writes them. */
enum {
    M = ACT_FIELD_MAIN,
    A = ACT_FIELD_AUTO,
    P = ACT_FIELD_PRESET,
    B = ACT_FIELD_BACK,
    L = ACT_FIELD_LEVER
};

#define KIND_INT      ACT_KIND_INT
#define KIND_REAL     ACT_KIND_REAL
#define KIND_BOOL     ACT_KIND_BOOL
#define KIND_ENUM     ACT_KIND_ENUM
#define KIND_SET      ACT_KIND_SET
#define KIND_LIST     ACT_KIND_LIST
#define KIND_GPUS     ACT_KIND_GPUS
#define KIND_TEXT8    ACT_KIND_TEXT
#define KIND_TEXT16   ACT_KIND_TEXT
#define KIND_TEXT64   ACT_KIND_TEXT
#define KIND_TEXT96   ACT_KIND_TEXT
#define KIND_TEXT128  ACT_KIND_TEXT
#define KIND_TEXT1024 ACT_KIND_TEXT

/* parallel.gpus has no member. */
#define AT(group, member)                                                                          \
    .offset = offsetof(struct act_plan, group.member),                                             \
    .size = sizeof(((const struct act_plan *)NULL)->group.member)
#define PLACE_INT                 AT
#define PLACE_REAL                AT
#define PLACE_BOOL                AT
#define PLACE_ENUM                AT
#define PLACE_SET                 AT
#define PLACE_LIST                AT
#define PLACE_TEXT8               AT
#define PLACE_TEXT16              AT
#define PLACE_TEXT64              AT
#define PLACE_TEXT96              AT
#define PLACE_TEXT128             AT
#define PLACE_TEXT1024            AT
#define PLACE_GPUS(group, member) .offset = 0, .size = 0

#define PREFIX_scenario    ""
#define PREFIX_model       "model."
#define PREFIX_training    "training."
#define PREFIX_framework   "framework."
#define PREFIX_parallel    "parallel."
#define PREFIX_hardware    "hardware."
#define PREFIX_calibration "calibration."
#define PREFIX_cost        "cost."

#define ROW(group_, member_, kind_, unit_, min_, max_, default_, steps_, flags_, names_, when_,    \
            label_, help_, source_)                                                                \
    {.id = ACT_F_##group_##_##member_,                                                             \
     .group = ACT_GROUP_##group_,                                                                  \
     .kind = KIND_##kind_,                                                                         \
     .unit = ACT_UNIT_##unit_,                                                                     \
     PLACE_##kind_(group_, member_),                                                               \
     .min = (min_),                                                                                \
     .max = (max_),                                                                                \
     .initial = default_,                                                                          \
     .steps = ACT_STEPS_##steps_,                                                                  \
     .flags = (flags_),                                                                            \
     .names = text_of_##names_,                                                                    \
     .applies = when_,                                                                             \
     .key = PREFIX_##group_ #member_,                                                              \
     .member = #member_,                                                                           \
     .label = label_,                                                                              \
     .help = help_,                                                                                \
     .source = source_},

static const struct act_field table[ACT_FIELD_COUNT] = {ACT_FIELDS(ROW)};

static const char *const group_names[ACT_GROUP_COUNT] = {
    "", "model", "training", "framework", "parallel", "hardware", "calibration", "cost"};
static const char *const group_titles[ACT_GROUP_COUNT] = {
    "SCENARIO", "MODEL", "TRAINING", "FRAMEWORK", "PARALLELISM", "HARDWARE", "CALIBRATION", "COST"};

const struct act_field *act_field(enum act_field_id id)
{
    return &table[id];
}

const struct act_field *act_field_find(const char *key)
{
    for (size_t i = 0; i < ACT_FIELD_COUNT; i++) {
        if (strcmp(table[i].key, key) == 0)
            return &table[i];
    }
    return NULL;
}

const char *act_group_name(enum act_group group)
{
    return group_names[group];
}

const char *act_group_title(enum act_group group)
{
    return group_titles[group];
}

int act_group_preset(enum act_group group)
{
    switch (group) {
    case ACT_GROUP_model:
        return ACT_F_model_preset;
    case ACT_GROUP_framework:
        return ACT_F_framework_preset;
    case ACT_GROUP_hardware:
        return ACT_F_hardware_preset;
    default:
        return -1;
    }
}

bool act_field_applies(const struct act_plan *plan, enum act_field_id id)
{
    return table[id].applies(plan);
}

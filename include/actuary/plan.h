/* The plan: everything a user can set, as one plain struct. Copying is assignment.
 *
 * Members, units, ranges and defaults are rows of fields.h. ACT_AUTO in a number, boolean or
 * enum means "not given: derive it"; an empty list means the same. act_plan_resolve replaces
 * every ACT_AUTO that has a derivation; the engine works on resolved plans only. */
#ifndef ACTUARY_PLAN_H
#define ACTUARY_PLAN_H

#include <actuary/fields.h>
#include <stdbool.h>
#include <stdint.h>

enum {
    ACT_AUTO = -1,
    ACT_STAGES_MAX = 256, /* pipeline stages; the range of parallel.pipeline */
    ACT_LIST_MAX = 512,   /* stages x chunks in an explicit layout */
};

struct act_list {
    int32_t count; /* 0: auto */
    uint16_t item[ACT_LIST_MAX];
};

/* Enumerations in the order of their names in field.c. */
enum act_activation { ACT_SWIGLU, ACT_GEGLU, ACT_GELU, ACT_RELU, ACT_RELU2, ACT_SILU };
enum act_positions { ACT_ROPE, ACT_LEARNED, ACT_ALIBI, ACT_NO_POSITIONS };
enum act_norm { ACT_RMSNORM, ACT_LAYERNORM, ACT_LAYERNORM_NO_BIAS, ACT_NO_NORM };
enum act_qk_norm { ACT_QK_NONE, ACT_QK_HEAD, ACT_QK_FULL };
enum act_attention { ACT_GQA, ACT_MLA };
enum act_family { ACT_TEXTBOOK, ACT_MEGATRON, ACT_FSDP };
enum act_kernels { ACT_FUSED, ACT_COMPILED, ACT_EAGER };
enum act_loss {
    ACT_LOSS_NONE,
    ACT_LOSS_UNFUSED,
    ACT_LOSS_LEGACY,
    ACT_LOSS_FUSED,
    ACT_LOSS_PLAIN,
    ACT_LOSS_PLAIN_HELD,
    ACT_LOSS_HALF,
    ACT_LOSS_HALF_HELD,
    ACT_LOSS_CHUNKED,
    ACT_LOSS_CHUNKED_HALF,
    ACT_LOSS_CHUNKED_OFFLOAD,
    ACT_LOSS_LIGER
};
enum act_residual { ACT_RESIDUAL_BF16, ACT_RESIDUAL_FP16, ACT_RESIDUAL_FP32 };
enum act_allocator { ACT_EXPANDABLE, ACT_CLASSIC, ACT_ZERO3_ALLOCATOR };
enum act_stage_split { ACT_SPLIT_EVEN, ACT_SPLIT_FRONT };
enum act_expert_tensor { ACT_ETP_ONE, ACT_ETP_TENSOR };
enum act_textbook_activations {
    ACT_TEXTBOOK_ANYSCALE,
    ACT_TEXTBOOK_SEQUENCE_PARALLEL,
    ACT_TEXTBOOK_SIMPLE,
    ACT_TEXTBOOK_BLOOM
};
enum act_method { ACT_FULL, ACT_LORA, ACT_QLORA, ACT_FREEZE };
enum act_lora_targets {
    ACT_TARGETS_ALL,
    ACT_TARGETS_ATTENTION,
    ACT_TARGETS_QV,
    ACT_TARGETS_MLP,
    ACT_TARGETS_QKV,
    ACT_TARGETS_QKV_MLP,
    ACT_TARGETS_ALL_HEAD
};
enum act_adapter { ACT_ADAPTER_LORA, ACT_ADAPTER_LLAMA, ACT_ADAPTER_LLAMA_2 };
enum act_quantisation { ACT_NF4, ACT_NF4_DOUBLE, ACT_GPTQ_4, ACT_GPTQ_8, ACT_NO_QUANTISATION };
enum act_quantised_fp32 { ACT_FP32_NONE, ACT_FP32_ATTENTION, ACT_FP32_LAYER };
enum act_lengths { ACT_CONSTANT, ACT_VARYING };
enum act_precision {
    ACT_FP32,
    ACT_TF32,
    ACT_FP16,
    ACT_BF16,
    ACT_FP8,
    ACT_FP8_ROWWISE,
    ACT_MXFP8,
    ACT_NVFP4
};
enum act_optimizer {
    ACT_ADAMW,
    ACT_ADAMW_BF16,
    ACT_ADAM_8BIT,
    ACT_LION,
    ACT_SGD,
    ACT_SGD_MOMENTUM,
    ACT_ADAFACTOR,
    ACT_MUON
};
enum act_attention_kernel { ACT_CUDNN, ACT_FLASH, ACT_MATH };
enum act_schedule { ACT_1F1B, ACT_GPIPE, ACT_ZB_1P, ACT_ZB_2P, ACT_DUALPIPE };
enum act_recompute {
    ACT_RECOMPUTE_NONE,
    ACT_RECOMPUTE_ATTENTION,
    ACT_RECOMPUTE_OP,
    ACT_RECOMPUTE_MODULES,
    ACT_RECOMPUTE_ALTERNATE,
    ACT_RECOMPUTE_FIRST_N,
    ACT_RECOMPUTE_FULL
};
enum act_recompute_module { /* bits of parallel.recompute_modules */
                            ACT_MODULE_LAYERNORM = 1,
                            ACT_MODULE_MLA_UP_PROJ = 2,
                            ACT_MODULE_MLP = 4,
                            ACT_MODULE_MOE_ACT = 8,
                            ACT_MODULE_CORE_ATTN = 16
};
enum act_moe_dispatcher { ACT_ALL_TO_ALL, ACT_ALL_GATHER };
enum act_offload { ACT_OFFLOAD_NONE, ACT_OFFLOAD_OPTIMIZER, ACT_OFFLOAD_ALL };
enum act_memory_kind { ACT_HBM, ACT_GDDR, ACT_GDDR_ECC, ACT_OTHER_MEMORY };
enum act_counter { ACT_COUNTER_ALLOCATED, ACT_COUNTER_RESERVED, ACT_COUNTER_DEVICE };
enum act_basis { ACT_RENT, ACT_OWN };
enum act_link_topology { ACT_SWITCH, ACT_MESH, ACT_PCIE };

#define ACT_MEMBER_INT(member)  int64_t member;
#define ACT_MEMBER_REAL(member) double member;
#define ACT_MEMBER_BOOL(member) int64_t member;
#define ACT_MEMBER_ENUM(member) int64_t member;
#define ACT_MEMBER_SET(member)  int64_t member;
#define ACT_MEMBER_LIST(member) struct act_list member;
#define ACT_MEMBER_GPUS(member)
#define ACT_MEMBER_TEXT8(member)             char member[8];
#define ACT_MEMBER_TEXT16(member)            char member[16];
#define ACT_MEMBER_TEXT64(member)            char member[64];
#define ACT_MEMBER_TEXT96(member)            char member[96];
#define ACT_MEMBER_TEXT128(member)           char member[128];
#define ACT_MEMBER_TEXT1024(member)          char member[1024];
#define ACT_MEMBER(group, member, kind, ...) ACT_MEMBER_##kind(member)

struct act_scenario_fields {
    ACT_FIELDS_SCENARIO(ACT_MEMBER)
};
struct act_model_fields {
    ACT_FIELDS_MODEL(ACT_MEMBER)
};
struct act_training_fields {
    ACT_FIELDS_TRAINING(ACT_MEMBER)
};
struct act_framework_fields {
    ACT_FIELDS_FRAMEWORK(ACT_MEMBER)
};
struct act_parallel_fields {
    ACT_FIELDS_PARALLEL(ACT_MEMBER)
};
struct act_hardware_fields {
    ACT_FIELDS_HARDWARE(ACT_MEMBER)
};
struct act_calibration_fields {
    ACT_FIELDS_CALIBRATION(ACT_MEMBER)
};
struct act_cost_fields {
    ACT_FIELDS_COST(ACT_MEMBER)
};

/* ids: ACT_F_model_layers, ACT_F_parallel_tensor, … in the order of fields.h. */
#define ACT_ID(group, member, ...) ACT_F_##group##_##member,
enum act_field_id { ACT_FIELDS(ACT_ID) ACT_FIELD_COUNT };

enum { ACT_GIVEN_WORDS = (ACT_FIELD_COUNT + 63) / 64 };

struct act_plan {
    struct act_scenario_fields scenario;
    struct act_model_fields model;
    struct act_training_fields training;
    struct act_framework_fields framework;
    struct act_parallel_fields parallel;
    struct act_hardware_fields hardware;
    struct act_calibration_fields calibration;
    struct act_cost_fields cost;
    /* One bit a field: the user gave it (file, --set or typed). What is not given came from a
     * preset or the default; only given fields are saved. */
    uint64_t given[ACT_GIVEN_WORDS];
};

/* Every field at the default of fields.h, nothing given, presets named but not filled in
 * (the values of presets live outside the engine). */
void act_plan_init(struct act_plan *ret_plan);

/* Replaces each ACT_AUTO that has a derivation (decisions 6): kv_heads, head_dim, ffn, tokens,
 * batch, precision, ZeRO, recompute, SP, peak, usable memory, goodput, price, …
 * Idempotent. `plan` and `ret_plan` may be the same. */
void act_plan_resolve(const struct act_plan *plan, struct act_plan *ret_plan);

/* GPUs in use: tensor x context x pipeline x data. A double, since a plan being typed may
 * exceed every integer that makes sense. */
double act_plan_gpus(const struct act_plan *plan);

/* Sets data so that tensor x context x pipeline x data is the largest count <= gpus (data >= 1)
 * and returns the count reached. */
double act_plan_set_gpus(struct act_plan *plan, double gpus);

bool act_plan_given(const struct act_plan *plan, enum act_field_id id);
void act_plan_set_given(struct act_plan *plan, enum act_field_id id, bool given);

/* Same values and same given bits in every field. */
bool act_plan_equal(const struct act_plan *a, const struct act_plan *b);

#endif

#include "fsdp_settings.h"

#include <math.h>
#include <string.h>

static double number(const json_t *settings, const char *key, double absent)
{
    const json_t *value = json_object_get(settings, key);
    return value ? json_number_value(value) : absent;
}

static int64_t integer(const json_t *settings, const char *key, int64_t absent)
{
    return (int64_t)number(settings, key, (double)absent);
}

static bool flag(const json_t *settings, const char *key)
{
    return json_is_true(json_object_get(settings, key));
}

static const char *word(const json_t *settings, const char *key, const char *absent)
{
    const json_t *value = json_object_get(settings, key);
    return value ? json_string_value(value) : absent;
}

static bool is(const json_t *settings, const char *key, const char *value)
{
    return strcmp(word(settings, key, ""), value) == 0;
}

static void read_model(const json_t *settings, struct act_model_fields *model)
{
    const json_t *gated = json_object_get(settings, "gated");

    model->layers = integer(settings, "L", 0);
    model->hidden = integer(settings, "h", 0);
    model->heads = integer(settings, "a", 0);
    model->kv_heads = integer(settings, "g", 0);
    model->head_dim = integer(settings, "e", 0);
    model->ffn = integer(settings, "f", 0);
    model->vocab = integer(settings, "V", 0);
    model->activation = gated && !json_is_true(gated) ? ACT_GELU : ACT_SWIGLU;
    model->norm = flag(settings, "ln") ? ACT_LAYERNORM : ACT_RMSNORM;
    model->norms_per_layer = flag(settings, "par") ? 1 : flag(settings, "post_norms") ? 4 : 2;
    model->tied_embeddings = flag(settings, "tied");
    model->soft_cap = is(settings, "loss", "chunk-capped");
}

static int64_t loss_of(const json_t *settings)
{
    static const struct {
        const char *name;
        enum act_loss loss;
    } losses[] = {{"fp32", ACT_LOSS_PLAIN},
                  {"fp32-held", ACT_LOSS_PLAIN_HELD},
                  {"half", ACT_LOSS_HALF},
                  {"half-held", ACT_LOSS_HALF_HELD},
                  {"chunk-half", ACT_LOSS_CHUNKED_HALF},
                  {"chunk-capped", ACT_LOSS_CHUNKED_HALF},
                  {"chunk-fp32", ACT_LOSS_CHUNKED},
                  {"chunk-offload", ACT_LOSS_CHUNKED_OFFLOAD},
                  {"fused", ACT_LOSS_LIGER}};

    if (flag(settings, "encoder"))
        return ACT_LOSS_NONE;
    for (size_t i = 0; i < sizeof losses / sizeof *losses; i++)
        if (strcmp(losses[i].name, word(settings, "loss", "fp32")) == 0)
            return losses[i].loss;
    return -2;
}

static void read_allocator(const json_t *settings, struct act_plan *plan)
{
    plan->framework.allocator = is(settings, "slack", "expandable") ? ACT_EXPANDABLE
                                : is(settings, "slack", "zero3")    ? ACT_ZERO3_ALLOCATOR
                                                                    : ACT_CLASSIC;
    plan->training.lengths = is(settings, "slack", "variable") ? ACT_VARYING : ACT_CONSTANT;
    /* Where the study adds no slack: the counter is taken for what is allocated. */
    if (!json_object_get(settings, "slack"))
        plan->hardware.fragmentation = 1;
    plan->hardware.memory = 1e15;
    plan->hardware.usable_memory = number(settings, "card", 1e15);
}

static void read_framework(const json_t *settings, struct act_plan *plan)
{
    struct act_framework_fields *framework = &plan->framework;
    bool lora = json_object_get(settings, "method");
    /* fp32 adapters 4 + 4 + 8, in a pure bf16 loop 2 + 2 + 4. */
    double half = integer(settings, "adapter_bytes", 16) == 8 ? 0.5 : 1;

    framework->family = ACT_FSDP;
    framework->weight_bytes = lora ? 4 * half : number(settings, "wb", 4);
    framework->gradient_bytes = lora ? 4 * half : number(settings, "gb", 4);
    framework->state_bytes = lora ? 8 * half : number(settings, "ob", 8);
    act_plan_set_given(plan, ACT_F_framework_state_bytes, true);
    framework->master_weights = false;
    framework->kernels = flag(settings, "fused") ? ACT_FUSED : ACT_EAGER;
    framework->keeps_silu = flag(settings, "silu");
    framework->loss = loss_of(settings);
    framework->residual =
        integer(settings, "residual", 2) == 4 ? ACT_RESIDUAL_FP32 : ACT_RESIDUAL_BF16;
    framework->vocabulary_padding = 1;
    framework->expands_kv = flag(settings, "gqa_copy");
    framework->fused_qkv = flag(settings, "fused_qkv");
    framework->sp_keeps_inputs = flag(settings, "sp_keep");
    framework->reshard = !flag(settings, "keep_gathered");
    framework->no_sync = framework->mixed_units = flag(settings, "no_sync");
    framework->live_parameters = number(settings, "live", 0);
    framework->load_whole = flag(settings, "load");
    framework->quantised_head = flag(settings, "q_head");
    if (flag(settings, "act32"))
        framework->quantised_fp32 = flag(settings, "mlp32") ? ACT_FP32_LAYER : ACT_FP32_ATTENTION;
    /* transformers' first LLaMA clamped the scores with max(), which keeps 2 bytes more. */
    if (integer(settings, "math", 0) == 8 && !plan->model.soft_cap)
        framework->score_bytes = 8;
}

static void read_targets(const json_t *settings, struct act_training_fields *training)
{
    const json_t *targets = json_object_get(settings, "targets");
    bool has[5] = {false};
    static const char *const names[] = {"k", "o", "gate", "head", "q"};

    for (size_t i = 0; i < json_array_size(targets); i++)
        for (size_t k = 0; k < 5; k++)
            has[k] |= strcmp(json_string_value(json_array_get(targets, i)), names[k]) == 0;
    training->lora_targets = has[3]             ? ACT_TARGETS_ALL_HEAD
                             : has[1]           ? ACT_TARGETS_ALL
                             : has[0] && has[2] ? ACT_TARGETS_QKV_MLP
                             : has[0]           ? ACT_TARGETS_QKV
                                                : ACT_TARGETS_QV;
}

static void read_method(const json_t *settings, struct act_plan *plan)
{
    struct act_training_fields *training = &plan->training;
    double base = number(settings, "base", number(settings, "wb", 4));
    double scales = number(settings, "scales", 0);

    training->method = ACT_FULL;
    if (!json_object_get(settings, "method"))
        return;
    training->method = base < 2 ? ACT_QLORA : ACT_LORA;
    plan->framework.frozen_bytes = number(settings, "wb", 4);
    /* Scales of 1/16, 1/64 + 1/4096 and 2.5/128 bytes tell the kinds apart. */
    training->quantisation = scales > 0.05    ? ACT_NF4
                             : scales < 0.018 ? ACT_NF4_DOUBLE
                             : base == 1      ? ACT_GPTQ_8
                                              : ACT_GPTQ_4;
    plan->framework.lifts_frozen = integer(settings, "residual", 2) == 4;
    training->adapter = is(settings, "adapter", "v1")   ? ACT_ADAPTER_LLAMA
                        : is(settings, "adapter", "v2") ? ACT_ADAPTER_LLAMA_2
                                                        : ACT_ADAPTER_LORA;
    training->lora_rank = integer(settings, "rank", 1);
    training->lora_dropout = flag(settings, "drop") ? 0.05 : 0;
    training->trained_embeddings = flag(settings, "emb_trained");
    read_targets(settings, training);
}

/* Two rows were predicted with both ends of a pipeline on one stage, which no layout has. They are
 * dealt as nanotron deals: by compute, a layer 4 h^2 + 3 h f and the head h V, and the block that
 * passes a stage's share still belongs to it (get_block_compute_costs). Its three other pipeline
 * rows keep the layers that their predictions name; dealt so too, they would stand at -10, -2 and
 * +14 % instead of -24, -17 and -3. */
static int64_t dealt_by_compute(const struct act_plan *plan)
{
    double h = (double)plan->model.hidden, layers = (double)plan->model.layers;
    double layer = 4 * h * h + 3 * h * (double)plan->model.ffn;
    double all = layers * layer + h * (double)plan->model.vocab;

    return (int64_t)floor(all / (double)plan->parallel.pipeline / layer) + 1;
}

static void read_parallel(const json_t *settings, int64_t first_stage, struct act_plan *plan)
{
    struct act_parallel_fields *parallel = &plan->parallel;
    const char *recompute = word(settings, "recompute", "none");
    int64_t sequence = plan->training.sequence, tokens = integer(settings, "T", 0);

    parallel->tensor = integer(settings, "tp", 1);
    parallel->sequence_parallel = parallel->tensor > 1;
    parallel->context = sequence > tokens ? sequence / tokens : 1;
    parallel->data = integer(settings, "D", 1) / parallel->context;
    parallel->zero = integer(settings, "zero", 0);
    parallel->recompute = strcmp(recompute, "full") == 0     ? ACT_RECOMPUTE_FULL
                          : strncmp(recompute, "op", 2) == 0 ? ACT_RECOMPUTE_OP
                                                             : ACT_RECOMPUTE_NONE;
    parallel->offload = flag(settings, "offload") ? ACT_OFFLOAD_ALL : ACT_OFFLOAD_NONE;
    parallel->activation_offload = flag(settings, "act_offload");

    parallel->pipeline = integer(settings, "pp", 1);
    if (parallel->pipeline == 1)
        return;
    if (!json_object_get(settings, "last"))
        first_stage = dealt_by_compute(plan);
    int64_t left = plan->model.layers - first_stage, stages = parallel->pipeline - 1;
    parallel->layers_per_stage.count = (int32_t)parallel->pipeline;
    parallel->layers_per_stage.item[0] = (uint16_t)first_stage;
    for (int64_t i = 0; i < stages; i++)
        parallel->layers_per_stage.item[i + 1] = (uint16_t)(left / stages + (i < left % stages));
}

void plan_of_fsdp_settings(const json_t *settings, const char *counter, int64_t first_stage,
                           struct act_plan *ret)
{
    struct act_training_fields *training = &ret->training;
    bool encoder = flag(settings, "encoder");

    act_plan_init(ret);
    read_model(settings, &ret->model);
    read_framework(settings, ret);
    training->sequence = integer(settings, "s", 0);
    training->precision = integer(settings, "compute", 2) == 4 ? ACT_FP32 : ACT_BF16;
    training->attention_kernel = integer(settings, "math", 0) > 0 ? ACT_MATH : ACT_FLASH;
    training->hidden_dropout = training->attention_dropout = encoder ? 0.1 : 0;
    read_method(settings, ret);
    read_parallel(settings, first_stage, ret);
    read_allocator(settings, ret);

    int64_t batch = integer(settings, "T", 0) / training->sequence;
    training->micro_batch = batch > 1 ? batch : 1;
    /* The sharded gradients are there during the forward pass: accumulation, or they are zeroed
     * instead of freed. A reserved counter sees them in any case. */
    bool zeroed = flag(settings, "phase_sum") && strcmp(counter, "allocated") == 0;
    ret->framework.gradients_kept = zeroed;
    int64_t micro_batches = integer(settings, "inflight", flag(settings, "accumulate") ? 2 : 1);
    training->global_batch = micro_batches * training->micro_batch * ret->parallel.data;
    act_plan_resolve(ret, ret);
}

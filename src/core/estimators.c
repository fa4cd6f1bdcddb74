#include <actuary/estimators.h>

#include "core/memory_parts.h"

#include <math.h>

/* Both DeepSpeed estimators multiply host memory by this, for buffers. */
static const double host_buffers = 1.5;

struct act_zero_needs act_zero2_needs(double parameters, double gpus_per_node, double nodes,
                                      bool offload)
{
    double gpus = gpus_per_node * nodes;

    if (offload)
        return (struct act_zero_needs){.gpu = 2 * parameters,
                                       .host = parameters * fmax(4 * gpus, 16) * host_buffers};
    /* Older versions have 4 P + 16 P / N: whole 16-bit gradients. */
    return (struct act_zero_needs){.gpu = 2 * parameters + 18 * parameters / gpus,
                                   .host = parameters * 4 * gpus_per_node * host_buffers};
}

struct act_zero_needs act_zero3_needs(double parameters, double largest, double gpus_per_node,
                                      double nodes, enum act_offload offload)
{
    double gpus = gpus_per_node * nodes;
    double gathered = 4 * largest;

    switch (offload) {
    case ACT_OFFLOAD_ALL:
        return (struct act_zero_needs){.gpu = gathered,
                                       .host = 18 * parameters / nodes * host_buffers};
    case ACT_OFFLOAD_OPTIMIZER:
        return (struct act_zero_needs){.gpu = gathered + 2 * parameters / gpus,
                                       .host = 16 * parameters / nodes * host_buffers};
    case ACT_OFFLOAD_NONE:
        break;
    }
    return (struct act_zero_needs){.gpu = gathered + 18 * parameters / gpus,
                                   .host = 4 * largest * gpus_per_node * host_buffers};
}

double act_largest_module(const struct act_plan *plan)
{
    double width = plan->model.embedding_width > 0 ? (double)plan->model.embedding_width
                                                   : (double)plan->model.hidden;
    double largest = (double)plan->model.vocab * width;

    for (int kind = 0; kind < ACT_LAYER_KINDS; kind++) {
        struct act_layer_matrices list;
        if (kind == ACT_LAYER_MOE && plan->model.experts <= 0)
            continue;
        act_layer_matrices_of(plan, (enum act_layer_kind)kind, false, &list);
        for (int i = 0; i < list.count; i++)
            largest = fmax(largest, list.item[i].in * list.item[i].out + list.item[i].bias);
    }
    return largest;
}

/* Attention's matrices, and with MLA the norms of its ranks. */
static double megatron_attention(const struct act_model_fields *model, double norm)
{
    double h = (double)model->hidden, heads = (double)model->heads;

    if (model->attention != ACT_MLA)
        return 2 * h * (double)model->head_dim * (heads + (double)model->kv_heads);
    double nope = (double)model->qk_nope_dim, rope = (double)model->qk_rope_dim;
    double value = (double)model->v_head_dim;
    double query = (double)model->q_lora_rank, latent = (double)model->kv_lora_rank;
    double queries =
        query > 0 ? query * (h + heads * (nope + rope) + norm) : h * heads * (nope + rope);
    return queries + latent * (h + heads * (nope + value) + norm) + h * rope + heads * value * h;
}

double act_megatron_states(const struct act_plan *plan, const struct act_parameters *parameters)
{
    const struct act_model_fields *model = &plan->model;
    double h = (double)model->hidden, t = (double)plan->parallel.tensor;
    double norm = model->norm == ACT_RMSNORM ? 1 : 2;
    double gated = model->activation == ACT_SWIGLU || model->activation == ACT_GEGLU ? 1.5 : 1;
    double attention = megatron_attention(model, norm);
    double dense = 2 * h * ((double)model->ffn * gated + norm) + attention;
    double experts = (double)model->expert_ffn * (double)model->experts;
    double moe = 2 * h * ((experts + (double)model->shared_ffn) * gated + norm) + attention;
    double block = dense * parameters->dense_layers + moe * parameters->moe_layers + norm * h;
    double embedding = h * act_padded_vocabulary(plan);
    double mtp =
        (double)model->mtp_layers * (act_model_layer_is_moe(plan, model->layers - 1) ? moe : dense);
    double shard = block / (double)plan->parallel.pipeline + mtp + embedding;

    if (model->tied_embeddings <= 0 && plan->parallel.pipeline == 1)
        shard += embedding;
    return shard / t * (plan->parallel.zero >= 1 ? 6 + 12 / (double)plan->parallel.data : 18);
}

double act_megatron_activations(const struct act_plan *plan, const struct act_layout *layout)
{
    double s = (double)plan->training.sequence, b = (double)plan->training.micro_batch;
    double h = (double)plan->model.hidden, t = (double)plan->parallel.tensor;
    double p = (double)plan->parallel.pipeline, v = (double)plan->parallel.interleave;
    double vocab = act_padded_vocabulary(plan);
    /* Selective recompute with SP has the paper's formula; everything else another one. */
    bool selective = plan->parallel.sequence_parallel > 0 &&
                     (plan->parallel.recompute == ACT_RECOMPUTE_ATTENTION ||
                      plan->parallel.recompute == ACT_RECOMPUTE_MODULES);
    double layer = s * b * h * (selective ? 18 + 4 * (double)plan->model.ffn / h : 10 + 24 / t);
    /* Token numbers and the dropout mask of the embedding, for p micro batches. */
    double bytes = layer * (double)plan->model.layers + (8 + h) * s * b * p;

    if (v > 1)
        bytes *= 1 + (p - 1) / (p * v);
    else if (p > 1)
        bytes *= fmin(1, layout->micro_batches / p);
    if (selective)
        return (bytes + (p > 1 ? 0 : 4 * s * b * (h + vocab))) / t;
    return (bytes + (p > 1 ? 0 : 2 * s * b * (h + vocab / t))) * 1.05;
}

static void compare(const struct act_stage *stage, struct act_tool *tool)
{
    const double *ours = stage->component;

    tool->less_states =
        ours[ACT_WEIGHTS] + ours[ACT_GRADIENTS] + ours[ACT_OPTIMIZER] - tool->states;
    tool->less_activations = ours[ACT_ACTIVATIONS] + ours[ACT_HEAD] - tool->activations;
    tool->less_other = ours[ACT_TRANSIENTS] + ours[ACT_BUFFERS];
}

int act_tools_of(const struct act_plan *plan, const struct act_parameters *parameters,
                 const struct act_layout *layout, const struct act_memory *memory,
                 struct act_tool ret[ACT_TOOLS_MAX])
{
    int count = 0;
    double each = fmin((double)plan->hardware.gpus_per_node, layout->gpus);
    double nodes = fmax(ceil(layout->nodes), 1);

    if (plan->framework.family == ACT_MEGATRON && plan->model.linear_layers <= 0) {
        ret[count++] = (struct act_tool){
            .name = "Megatron-LM",
            .source = "Megatron-LM megatron/training/theoretical_memory_usage.py",
            .states = act_megatron_states(plan, parameters),
            .activations = act_megatron_activations(plan, layout),
        };
    } else if (plan->framework.family == ACT_FSDP && plan->parallel.tensor == 1 &&
               plan->parallel.pipeline == 1) {
        struct act_zero_needs two = act_zero2_needs(parameters->total, each, nodes,
                                                    plan->parallel.offload != ACT_OFFLOAD_NONE);
        struct act_zero_needs three =
            act_zero3_needs(parameters->total, act_largest_module(plan), each, nodes,
                            (enum act_offload)plan->parallel.offload);
        ret[count++] = (struct act_tool){
            .name = "DeepSpeed ZeRO-2",
            .source = "DeepSpeed docs, Memory Requirements: "
                      "estimate_zero2_model_states_mem_needs",
            .states = two.gpu,
            .host = two.host,
            .states_only = true,
        };
        ret[count++] = (struct act_tool){
            .name = "DeepSpeed ZeRO-3",
            .source = "DeepSpeed docs, Memory Requirements: "
                      "estimate_zero3_model_states_mem_needs",
            .states = three.gpu,
            .host = three.host,
            .states_only = true,
        };
    }
    for (int i = 0; i < count; i++)
        compare(&memory->stage[0], &ret[i]);
    return count;
}

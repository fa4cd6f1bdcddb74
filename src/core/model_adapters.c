/* Adapters: LoRA (arXiv 2106.09685) and LLaMA-Adapter 1 and 2 (arXiv 2303.16199, 2304.15010). */
#include "core/model_adapters.h"

bool act_role_adapted(const struct act_training_fields *training, enum act_role role)
{
    bool attention = role <= ACT_ROLE_ATTENTION;
    bool mlp = role == ACT_ROLE_MLP || role == ACT_ROLE_EXPERT;
    bool qkv = role == ACT_ROLE_QUERY || role == ACT_ROLE_KEY || role == ACT_ROLE_VALUE;

    if (training->adapter != ACT_ADAPTER_LORA)
        return false;
    switch ((enum act_lora_targets)training->lora_targets) {
    case ACT_TARGETS_ALL:
    case ACT_TARGETS_ALL_HEAD:
        return attention || mlp;
    case ACT_TARGETS_ATTENTION:
        return attention;
    case ACT_TARGETS_QV:
        return role == ACT_ROLE_QUERY || role == ACT_ROLE_VALUE;
    case ACT_TARGETS_MLP:
        return mlp;
    case ACT_TARGETS_QKV:
        return qkv;
    case ACT_TARGETS_QKV_MLP:
        return qkv || mlp;
    }
    return false;
}

/* One layer: rank (in + out) an adapted matrix; LLaMA-Adapter 2 a scale and a bias an output. */
static double layer_adapters(const struct act_plan *plan, enum act_layer_kind kind, bool lightning)
{
    bool scales = plan->training.adapter == ACT_ADAPTER_LLAMA_2;
    double rank = (double)plan->training.lora_rank;
    struct act_layer_matrices list;
    double sum = 0;

    act_layer_matrices_of(plan, kind, lightning, &list);
    for (int i = 0; i < list.count; i++) {
        const struct act_matrix *matrix = &list.item[i];
        if (scales)
            sum += 2 * matrix->out * matrix->count;
        else if (act_role_adapted(&plan->training, matrix->role))
            sum += rank * (matrix->in + matrix->out) * matrix->count;
    }
    return sum;
}

/* Ten prompt rows and a gate a head in every layer but the first two; version 2 trains norms and
 * the head's scale and bias as well. */
static double prompts(const struct act_plan *plan, const struct act_parameters *count)
{
    const struct act_model_fields *model = &plan->model;
    double layers = model->layers > 2 ? (double)model->layers - 2 : 0;
    double sum = layers * (10 * (double)model->hidden + (double)model->heads);

    if (plan->training.adapter == ACT_ADAPTER_LLAMA_2)
        sum += count->dense_layers * count->dense_layer.norms +
               count->moe_layers * count->moe_layer.norms + count->final_norm +
               2 * (double)model->vocab;
    return sum;
}

double act_adapter_count(const struct act_plan *plan, const struct act_parameters *count)
{
    const struct act_training_fields *training = &plan->training;
    double linear = act_lightning_layers(&plan->model);
    double dense = layer_adapters(plan, ACT_LAYER_DENSE, false);
    double sum = count->dense_layers * dense +
                 count->moe_layers * layer_adapters(plan, ACT_LAYER_MOE, false);

    if (training->adapter == ACT_ADAPTER_LLAMA)
        return prompts(plan, count);
    if (linear > 0)
        sum += linear * (layer_adapters(plan, ACT_LAYER_DENSE, true) - dense);
    if (training->adapter == ACT_ADAPTER_LLAMA_2)
        return sum + prompts(plan, count);
    if (training->lora_targets == ACT_TARGETS_ALL_HEAD)
        sum += (double)training->lora_rank * (double)(plan->model.hidden + plan->model.vocab);
    return sum;
}

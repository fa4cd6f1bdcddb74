/* Rules on the model's shape against tensor parallelism (facts: rules V05-V10). */
#include "check_rules.h"

static bool is_moe(const struct act_plan *plan)
{
    return plan->model.experts > 0;
}

static bool tensor_clash(struct act_check *check, const struct act_plan *plan, const char *what,
                         int64_t count, enum act_field_id field)
{
    int64_t tensor = plan->parallel.tensor;
    int64_t below = act_tensor_below(plan, tensor - 1);
    int64_t above = tensor + 1;
    char near[ACT_NEIGHBOURS];

    int64_t most = count < plan->model.heads ? count : plan->model.heads;
    while (above <= most && !act_tensor_divides(plan, above)) {
        above++;
    }
    act_rule_says(check, ACT_ERROR, "%lld %s do not divide by TP %lld; TP %s would",
                  (long long)count, what, (long long)tensor,
                  act_neighbours(below, above <= most ? above : 0, near));
    act_rule_names(check, ACT_F_parallel_tensor);
    act_rule_names(check, field);
    act_rule_mends(check, ACT_F_parallel_tensor, below);
    return true;
}

bool act_rule_tensor_heads(const struct act_case *at, struct act_check *check)
{
    int64_t heads = at->plan->model.heads;
    return heads % at->plan->parallel.tensor != 0 &&
           tensor_clash(check, at->plan, "heads", heads, ACT_F_model_heads);
}

bool act_rule_tensor_kv_heads(const struct act_case *at, struct act_check *check)
{
    int64_t kv = at->plan->model.kv_heads, tensor = at->plan->parallel.tensor;

    if (at->plan->model.attention == ACT_MLA || kv % tensor == 0 || tensor % kv == 0) {
        return false;
    }
    int64_t below = act_tensor_below(at->plan, tensor - 1);
    act_rule_says(check, ACT_ERROR,
                  "%lld KV heads are neither a multiple nor a divisor of TP %lld; TP %lld would do",
                  (long long)kv, (long long)tensor, (long long)below);
    act_rule_names(check, ACT_F_parallel_tensor);
    act_rule_names(check, ACT_F_model_kv_heads);
    act_rule_mends(check, ACT_F_parallel_tensor, below);
    return true;
}

bool act_rule_kv_replicated(const struct act_case *at, struct act_check *check)
{
    int64_t kv = at->plan->model.kv_heads, tensor = at->plan->parallel.tensor;

    if (at->plan->model.attention == ACT_MLA || tensor <= kv || tensor % kv != 0) {
        return false;
    }
    act_rule_says(check, ACT_NOTE, "TP %lld is more than %lld KV heads: each is held %lld times",
                  (long long)tensor, (long long)kv, (long long)(tensor / kv));
    act_rule_names(check, ACT_F_parallel_tensor);
    act_rule_names(check, ACT_F_model_kv_heads);
    return true;
}

bool act_rule_kv_heads(const struct act_case *at, struct act_check *check)
{
    int64_t heads = at->plan->model.heads, kv = at->plan->model.kv_heads;
    char near[ACT_NEIGHBOURS];

    if (at->plan->model.attention == ACT_MLA || heads % kv == 0) {
        return false;
    }
    int64_t below = act_divisor_below(heads, kv);
    act_rule_says(check, ACT_ERROR, "%lld heads do not divide by %lld KV heads; %s would",
                  (long long)heads, (long long)kv,
                  act_neighbours(below, act_divisor_above(heads, kv), near));
    act_rule_names(check, ACT_F_model_kv_heads);
    act_rule_names(check, ACT_F_model_heads);
    act_rule_mends(check, ACT_F_model_kv_heads, below);
    return true;
}

bool act_rule_hidden_heads(const struct act_case *at, struct act_check *check)
{
    const struct act_model_fields *model = &at->plan->model;
    int64_t hidden = model->hidden, heads = model->heads;
    char near[ACT_NEIGHBOURS];

    if (model->attention == ACT_MLA || at->raw->model.head_dim != ACT_AUTO || hidden % heads == 0) {
        return false;
    }
    int64_t below = act_divisor_below(hidden, heads), above = act_divisor_above(hidden, heads);
    int64_t nearest = above > 0 && above - heads < heads - below ? above : below;
    act_rule_says(check, ACT_ERROR,
                  "hidden %lld does not divide by %lld heads and no head width is given; %s heads "
                  "would",
                  (long long)hidden, (long long)heads, act_neighbours(below, above, near));
    act_rule_names(check, ACT_F_model_heads);
    act_rule_names(check, ACT_F_model_hidden);
    act_rule_names(check, ACT_F_model_head_dim);
    act_rule_mends(check, ACT_F_model_heads, nearest);
    return true;
}

bool act_rule_tensor_ffn(const struct act_case *at, struct act_check *check)
{
    const struct act_model_fields *model = &at->plan->model;
    int64_t tensor = at->plan->parallel.tensor;

    if (act_rule_has_dense_ffn(at->plan) && model->ffn % tensor != 0) {
        return tensor_clash(check, at->plan, "FFN columns", model->ffn, ACT_F_model_ffn);
    }
    return is_moe(at->plan) && model->shared_ffn % tensor != 0 &&
           tensor_clash(check, at->plan, "columns of the shared expert", model->shared_ffn,
                        ACT_F_model_shared_ffn);
}

bool act_rule_expert_tensor_ffn(const struct act_case *at, struct act_check *check)
{
    int64_t ffn = at->plan->model.expert_ffn, tensor = at->plan->parallel.expert_tensor;

    if (!is_moe(at->plan) || tensor < 1 || ffn % tensor == 0) {
        return false;
    }
    int64_t below = act_divisor_below(ffn, tensor);
    act_rule_says(check, ACT_ERROR,
                  "%lld columns of an expert do not divide by expert TP %lld; %lld would",
                  (long long)ffn, (long long)tensor, (long long)below);
    act_rule_names(check, ACT_F_parallel_expert_tensor);
    act_rule_names(check, ACT_F_model_expert_ffn);
    act_rule_mends(check, ACT_F_parallel_expert_tensor, below);
    return true;
}

bool act_rule_vocabulary_padded(const struct act_case *at, struct act_check *check)
{
    int64_t vocabulary = at->plan->model.vocab, tensor = at->plan->parallel.tensor;
    int64_t padding = at->plan->framework.vocabulary_padding;
    int64_t unit = padding * tensor;

    if (padding <= 1 || vocabulary % unit == 0) {
        return false;
    }
    act_rule_says(check, ACT_NOTE,
                  "vocabulary %lld is padded to %lld, a multiple of %lld x TP %lld",
                  (long long)vocabulary, (long long)((vocabulary / unit + 1) * unit),
                  (long long)padding, (long long)tensor);
    act_rule_names(check, ACT_F_model_vocab);
    act_rule_names(check, ACT_F_parallel_tensor);
    return true;
}

bool act_rule_topk(const struct act_case *at, struct act_check *check)
{
    int64_t experts = at->plan->model.experts, topk = at->plan->model.experts_per_token;

    if (!is_moe(at->plan) || topk <= experts) {
        return false;
    }
    act_rule_says(check, ACT_ERROR, "a token cannot go to %lld of %lld experts; %lld at most",
                  (long long)topk, (long long)experts, (long long)experts);
    act_rule_names(check, ACT_F_model_experts_per_token);
    act_rule_names(check, ACT_F_model_experts);
    act_rule_mends(check, ACT_F_model_experts_per_token, experts);
    return true;
}

bool act_rule_frozen_layers(const struct act_case *at, struct act_check *check)
{
    int64_t layers = at->plan->model.layers, frozen = at->plan->training.frozen_layers;

    if (at->plan->training.method != ACT_FREEZE || (frozen > 0 && frozen < layers)) {
        return false;
    }
    act_rule_says(check, ACT_ERROR,
                  "the freeze method freezes %lld of %lld layers; 1 to %lld make sense",
                  (long long)frozen, (long long)layers, (long long)(layers - 1));
    act_rule_names(check, ACT_F_training_frozen_layers);
    act_rule_names(check, ACT_F_training_method);
    if (layers > 1) {
        act_rule_mends(check, ACT_F_training_frozen_layers, layers / 2);
    } else {
        act_rule_mends(check, ACT_F_training_method, ACT_FULL);
    }
    return true;
}

/* Rules on layers, stages and chunks (facts: rules V11-V15). */
#include "check_rules.h"

static int64_t stages_of(const struct act_plan *plan)
{
    return plan->parallel.pipeline;
}

static bool is_listed(const struct act_plan *plan)
{
    return plan->parallel.layers_per_stage.count > 0;
}

bool act_rule_pipeline_layers(const struct act_case *at, struct act_check *check)
{
    const struct act_plan *plan = at->plan;
    int64_t stages = stages_of(plan), slots = act_rule_slots(plan);
    char near[ACT_NEIGHBOURS];

    /* A split from the front (DeepSpeed's uniform partition) takes any count. */
    if (is_listed(plan) || plan->framework.stage_split == ACT_SPLIT_FRONT || slots % stages == 0) {
        return false;
    }
    int64_t below = act_divisor_below(slots, stages);
    act_rule_says(check, ACT_ERROR, "%lld %s do not divide by PP %lld; PP %s would",
                  (long long)slots,
                  slots == plan->model.layers ? "layers" : "layers with embedding and loss slots",
                  (long long)stages, act_neighbours(below, act_divisor_above(slots, stages), near));
    act_rule_names(check, ACT_F_parallel_pipeline);
    act_rule_names(check, ACT_F_model_layers);
    act_rule_mends(check, ACT_F_parallel_pipeline, below);
    return true;
}

bool act_rule_stages_layers(const struct act_case *at, struct act_check *check)
{
    int64_t stages = stages_of(at->plan), slots = act_rule_slots(at->plan);

    if (is_listed(at->plan) || stages <= slots) {
        return false;
    }
    act_rule_says(check, ACT_ERROR, "%lld layers leave stages of PP %lld empty; PP %lld at most",
                  (long long)slots, (long long)stages, (long long)slots);
    act_rule_names(check, ACT_F_parallel_pipeline);
    act_rule_names(check, ACT_F_model_layers);
    act_rule_mends(check, ACT_F_parallel_pipeline, slots);
    return true;
}

bool act_rule_list_length(const struct act_case *at, struct act_check *check)
{
    const struct act_plan *plan = at->plan;
    int64_t entries = plan->parallel.layers_per_stage.count, stages = stages_of(plan);
    int64_t chunks = stages * plan->parallel.interleave;

    if (!is_listed(plan) || entries == stages || entries == chunks) {
        return false;
    }
    if (chunks == stages) {
        act_rule_says(check, ACT_ERROR,
                      "layers_per_stage has %lld entries for PP %lld; one a stage, or auto",
                      (long long)entries, (long long)stages);
    } else {
        act_rule_says(check, ACT_ERROR,
                      "layers_per_stage has %lld entries for PP %lld; %lld, or %lld with one a "
                      "chunk, or auto",
                      (long long)entries, (long long)stages, (long long)stages, (long long)chunks);
    }
    act_rule_names(check, ACT_F_parallel_layers_per_stage);
    act_rule_names(check, ACT_F_parallel_pipeline);
    act_rule_mends(check, ACT_F_parallel_layers_per_stage, ACT_AUTO);
    return true;
}

bool act_rule_list_sum(const struct act_case *at, struct act_check *check)
{
    const struct act_list *list = &at->plan->parallel.layers_per_stage;
    int64_t layers = at->plan->model.layers, sum = 0;

    for (int i = 0; i < list->count; i++) {
        sum += list->item[i];
    }
    if (!is_listed(at->plan) || sum == layers) {
        return false;
    }
    act_rule_says(check, ACT_ERROR,
                  "layers_per_stage adds up to %lld of %lld layers; all of them, or auto",
                  (long long)sum, (long long)layers);
    act_rule_names(check, ACT_F_parallel_layers_per_stage);
    act_rule_names(check, ACT_F_model_layers);
    act_rule_mends(check, ACT_F_parallel_layers_per_stage, ACT_AUTO);
    return true;
}

bool act_rule_list_interleave(const struct act_case *at, struct act_check *check)
{
    const struct act_parallel_fields *parallel = &at->plan->parallel;
    int64_t chunks = parallel->interleave;

    if (chunks <= 1 || parallel->layers_per_stage.count != parallel->pipeline) {
        return false;
    }
    for (int i = 0; i < parallel->layers_per_stage.count; i++) {
        long long layers = parallel->layers_per_stage.item[i];
        if (layers % chunks != 0) {
            act_rule_says(check, ACT_ERROR,
                          "%lld layers of stage %d do not divide by interleave %lld; interleave 1 "
                          "would",
                          layers, i, (long long)chunks);
            act_rule_names(check, ACT_F_parallel_interleave);
            act_rule_names(check, ACT_F_parallel_layers_per_stage);
            act_rule_mends(check, ACT_F_parallel_interleave, 1);
            return true;
        }
    }
    return false;
}

bool act_rule_interleave_layers(const struct act_case *at, struct act_check *check)
{
    const struct act_plan *plan = at->plan;
    int64_t stages = stages_of(plan), slots = act_rule_slots(plan);
    int64_t chunks = plan->parallel.interleave;
    int64_t layers = slots / stages;
    char near[ACT_NEIGHBOURS];

    /* Layers that do not divide by PP at all are V11's. */
    if (chunks <= 1 || is_listed(plan) || slots % stages != 0 || layers % chunks == 0) {
        return false;
    }
    int64_t below = act_divisor_below(layers, chunks);
    act_rule_says(check, ACT_ERROR,
                  "%lld layers a stage do not divide by interleave %lld; interleave %s would",
                  (long long)layers, (long long)chunks,
                  act_neighbours(below, act_divisor_above(layers, chunks), near));
    act_rule_names(check, ACT_F_parallel_interleave);
    act_rule_names(check, ACT_F_parallel_pipeline);
    act_rule_names(check, ACT_F_model_layers);
    act_rule_mends(check, ACT_F_parallel_interleave, below);
    return true;
}

bool act_rule_interleave_pipeline(const struct act_case *at, struct act_check *check)
{
    int64_t stages = stages_of(at->plan), chunks = at->plan->parallel.interleave;

    if (chunks <= 1 || stages > 1) {
        return false;
    }
    act_rule_says(check, ACT_ERROR, "interleave %lld needs PP above 1, and PP is %lld",
                  (long long)chunks, (long long)stages);
    act_rule_names(check, ACT_F_parallel_interleave);
    act_rule_names(check, ACT_F_parallel_pipeline);
    act_rule_mends(check, ACT_F_parallel_interleave, 1);
    return true;
}

bool act_rule_interleave_overlap(const struct act_case *at, struct act_check *check)
{
    int64_t chunks = at->plan->parallel.interleave;

    if (chunks <= 1 || stages_of(at->plan) != 2) {
        return false;
    }
    act_rule_says(check, ACT_NOTE,
                  "interleave %lld at PP 2 needs overlapped transfers between stages (PP above 2 "
                  "does not)",
                  (long long)chunks);
    act_rule_names(check, ACT_F_parallel_interleave);
    act_rule_names(check, ACT_F_parallel_pipeline);
    return true;
}

bool act_rule_interleave_batches(const struct act_case *at, struct act_check *check)
{
    const struct act_plan *plan = at->plan;
    int64_t stages = stages_of(plan), batches = (int64_t)at->layout->micro_batches;

    /* Megatron deals micro batches to chunks in groups of PP: a last group must be full too. */
    if (plan->parallel.interleave <= 1 || stages <= 1 || batches % stages == 0) {
        return false;
    }
    int64_t unit = plan->training.micro_batch * plan->parallel.data * stages;
    int64_t batch = act_multiple_near(plan->training.global_batch + unit / 2, unit);
    act_rule_says(check, ACT_ERROR,
                  "with interleave, %lld micro batches do not divide by PP %lld; raise the global "
                  "batch to %lld",
                  (long long)batches, (long long)stages, (long long)batch);
    act_rule_names(check, ACT_F_training_global_batch);
    act_rule_names(check, ACT_F_parallel_pipeline);
    act_rule_names(check, ACT_F_parallel_interleave);
    act_rule_mends(check, ACT_F_training_global_batch, batch);
    if (check->repairs == 0) {
        act_rule_mends(check, ACT_F_parallel_interleave, 1);
    }
    return true;
}

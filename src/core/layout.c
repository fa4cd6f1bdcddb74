#include <actuary/layout.h>

#include "core/schedule.h"

#include <math.h>

static int64_t at_least_one(int64_t value)
{
    return value > 1 ? value : 1;
}

/* Chunks a stage: more than one only makes sense in a pipeline, and p v must fit the arrays. */
static int chunk_count(const struct act_plan *plan)
{
    int64_t p = at_least_one(plan->parallel.pipeline);
    int64_t v = at_least_one(plan->parallel.interleave);

    if (p == 1)
        return 1;
    return (int)(p * v > ACT_LIST_MAX ? ACT_LIST_MAX / p : v);
}

void act_layout_of(const struct act_plan *plan, struct act_layout *ret)
{
    int64_t t = at_least_one(plan->parallel.tensor);
    int64_t c = at_least_one(plan->parallel.context);
    int64_t p = at_least_one(plan->parallel.pipeline);
    int64_t d = at_least_one(plan->parallel.data);
    int64_t n = plan->model.experts > 0 ? at_least_one(plan->parallel.expert) : 1;
    int64_t x = plan->model.experts > 0 ? at_least_one(plan->parallel.expert_tensor) : 1;
    int64_t b = at_least_one(plan->training.micro_batch);
    int64_t shard = plan->parallel.shard_group;

    ret->gpus = (double)t * (double)c * (double)p * (double)d;
    ret->nodes = ceil(ret->gpus / (double)at_least_one(plan->hardware.gpus_per_node));

    /* HSDP and several optimizer instances shard over a part of the ranks (engine.md 0, 3.1);
     * experts by the same part of theirs. */
    ret->shard = shard >= 1 && shard < d * c ? shard : d * c;
    double part = (double)ret->shard / ((double)d * (double)c);
    double experts = (double)t * (double)c * (double)d / ((double)x * (double)n) * part;
    ret->expert_shard = experts > 1 ? (int64_t)experts : 1;

    double sequences = (double)b * (double)d;
    double m = round((double)plan->training.global_batch / sequences);
    ret->micro_batches = m > 1 ? m : 1;
    ret->sequences = ret->micro_batches * sequences;
    ret->whole = ret->sequences == (double)plan->training.global_batch;
    ret->tokens = (double)plan->training.sequence * (double)b / (double)c;
    ret->stages = (int)p;
    ret->chunks = chunk_count(plan);
    ret->groups = (ret->gpus > 1) + (t > 1) + (p > 1) + (d * c > 1) + (n > 1) +
                  (plan->model.tied_embeddings > 0 && p > 1);
}

/* Counts in model order from what the plan says; sum may still differ from the layers. */
static void deal_counts(const struct act_plan *plan, int p, int v, int64_t *count)
{
    const struct act_list *list = &plan->parallel.layers_per_stage;
    int64_t chunks = (int64_t)p * v;
    int64_t layers = at_least_one(plan->model.layers);

    if (list->count == chunks) {
        for (int64_t i = 0; i < chunks; i++)
            count[i] = list->item[i];
        return;
    }
    if (list->count == p) {
        for (int r = 0; r < p; r++)
            for (int j = 0; j < v; j++)
                count[j * p + r] = list->item[r] / v + (j < list->item[r] % v);
        return;
    }
    /* Embedding and loss as slots: they take a layer's place in the first and last chunk. */
    bool piped = p > 1;
    int64_t embedding = piped && plan->parallel.embedding_slot > 0;
    int64_t loss = piped && plan->parallel.loss_slot > 0;
    int64_t slots = layers + embedding + loss;
    int64_t each = slots / chunks, left = slots % chunks;
    if (plan->framework.stage_split == ACT_SPLIT_FRONT && left > 0) {
        each++;
        for (int64_t i = 0; i < chunks; i++) {
            count[i] = slots < each ? slots : each;
            slots -= count[i];
        }
    } else {
        for (int64_t i = 0; i < chunks; i++)
            count[i] = each + (i < left);
    }
    if (count[0] > 0)
        count[0] -= embedding;
    if (count[chunks - 1] > 0)
        count[chunks - 1] -= loss;
}

int act_layout_deal(const struct act_plan *plan, int64_t *ret_first, int64_t *ret_count)
{
    int p = (int)at_least_one(plan->parallel.pipeline);
    int v = chunk_count(plan);
    int64_t left = at_least_one(plan->model.layers);
    int64_t first = 0;

    deal_counts(plan, p, v, ret_count);
    /* A list may not sum to the layers (a check says so): what is over is cut, what lacks goes
     * to the last chunk, so that the whole model is always placed. */
    for (int i = 0; i < p * v; i++) {
        if (ret_count[i] > left || i == p * v - 1)
            ret_count[i] = left;
        ret_first[i] = first;
        first += ret_count[i];
        left -= ret_count[i];
    }
    return v;
}

double act_layout_in_flight(const struct act_plan *plan, const struct act_layout *layout, int stage,
                            int chunk)
{
    struct act_schedule_sheet schedule;

    act_schedule_sheet_of(plan, layout, stage, &schedule);
    if (schedule.interleaved <= 0)
        return schedule.alive;
    /* The i-th live chunk is chunk floor((i mod p v) / p): whole rounds give p to each chunk,
     * the rest fills the chunks in order (memory-megatron.md 1.3). */
    double p = schedule.p, v = schedule.v;
    double live = schedule.chunks;
    double rounds = floor(live / (p * v));
    double rest = live - rounds * p * v - chunk * p;
    return rounds * p + fmin(fmax(rest, 0), p);
}

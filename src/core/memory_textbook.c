/* The chapter's arithmetic (decisions 5, engine.md 7): states shared evenly by TP and PP, one
 * activation formula, nothing else. */
#include "core/memory_parts.h"

/* Activations of a stage by the chosen formula, with L/p layers and no in-flight factor. */
static double activations(const struct act_plan *plan, double parameters)
{
    double s = (double)plan->training.sequence, b = (double)plan->training.micro_batch;
    double h = (double)plan->model.hidden, a = (double)plan->model.heads;
    double t = (double)plan->parallel.tensor, p = (double)plan->parallel.pipeline;
    double layers = (double)plan->model.layers / p;
    double unit = s * b * h * layers;

    if (plan->parallel.recompute == ACT_RECOMPUTE_FULL)
        return 2 * unit;
    switch ((enum act_textbook_activations)plan->framework.textbook_activations) {
    case ACT_TEXTBOOK_ANYSCALE:
        return unit * (34 + 5 * a * s / (h * t));
    case ACT_TEXTBOOK_SEQUENCE_PARALLEL:
        return unit * (10 + 24 / t) / t;
    case ACT_TEXTBOOK_SIMPLE:
        return unit * (1 + a / (h * t)) * 2;
    case ACT_TEXTBOOK_BLOOM:
        /* As printed: P in billions, the result in MB. P/p over L/p layers is P/L again. */
        return 2 * s * b * (parameters / 1e9) / (double)plan->model.layers * 1e6;
    }
    return 0;
}

void act_memory_textbook(const struct act_parts *parts, struct act_memory *ret)
{
    const struct act_plan *plan = parts->plan;
    const struct act_profile *profile = &parts->profile;
    double split = (double)plan->parallel.tensor * (double)plan->parallel.pipeline;
    double d = (double)plan->parallel.data;
    int64_t zero = plan->parallel.zero;
    double held = parts->parameters->total / split;
    double trained = parts->parameters->trainable / split;
    double phase[ACT_PHASE_COUNT][ACT_ALLOCATED_COUNT] = {{0}};

    for (int k = 0; k <= ACT_PHASE_STEP; k++) {
        phase[k][ACT_WEIGHTS] = profile->weight * held;
        if (profile->adapters)
            phase[k][ACT_WEIGHTS] =
                (profile->base_linear + profile->base_scales) * held + profile->weight * trained;
        phase[k][ACT_WEIGHTS] /= zero >= 3 ? d : 1;
        phase[k][ACT_GRADIENTS] = profile->gradient * trained / (zero >= 2 ? d : 1);
        phase[k][ACT_OPTIMIZER] = profile->optimizer_matrix * trained / (zero >= 1 ? d : 1);
        if (plan->parallel.offload != ACT_OFFLOAD_NONE) {
            ret->host = phase[k][ACT_OPTIMIZER];
            phase[k][ACT_OPTIMIZER] = 0;
        }
        if (plan->parallel.offload == ACT_OFFLOAD_ALL) {
            ret->host += phase[k][ACT_WEIGHTS];
            phase[k][ACT_WEIGHTS] = 0;
        }
    }
    phase[ACT_PHASE_BACKWARD][ACT_ACTIVATIONS] = activations(plan, parts->parameters->total);

    for (int i = 0; i < ret->stages; i++) {
        struct act_stage *stage = &ret->stage[i];
        stage->layers = 0;
        for (int j = 0; j < parts->layout->chunks; j++)
            stage->layers += parts->count[j * ret->stages + i];
        stage->in_flight = 1;
        stage->parameters = held + (profile->adapters ? trained : 0);
        act_stage_finish(parts, phase, stage);
    }
}

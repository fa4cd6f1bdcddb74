/* The order of a step: warm-up forwards until as many micro batches are alive as the schedule
 * keeps, then one backward and one forward in turn, then the backwards that are left, then the
 * optimizer (memory-megatron.md 1.3 and 1.4, memory-fsdp-lora.md 2.1). Every point is made of the
 * bytes of a phase; only what grows or shrinks with micro batches is scaled. */
#include <actuary/timeline.h>

#include <math.h>

/* Points that a ramp has at most, and at least while few micro batches are alive: then each is
 * followed through its layers. */
enum { RAMP_MOST = 8, RAMP_LEAST = 4 };

struct series {
    const struct act_stage *stage;
    struct act_timeline *ret;
    double live;  /* activations of all micro batches alive */
    double alive; /* how many those are */
    bool loss;    /* the head is here */
};

const char *act_moment_name(enum act_moment moment)
{
    static const char *const names[] = {"load", "forward", "loss", "backward", "step"};
    return names[moment];
}

const char *act_span_name(enum act_span span)
{
    static const char *const names[] = {"load", "warm-up", "steady", "cool-down", "step"};
    return names[span];
}

/* `share` of the activations that are alive at most. */
static void add(struct series *series, enum act_moment moment, enum act_span span, double share)
{
    static const enum act_phase phases[] = {ACT_PHASE_LOAD, ACT_PHASE_LOSS, ACT_PHASE_LOSS,
                                            ACT_PHASE_BACKWARD, ACT_PHASE_STEP};
    const struct act_stage *stage = series->stage;
    struct act_point *point = &series->ret->point[series->ret->count++];
    bool running = moment != ACT_MOMENT_LOAD && moment != ACT_MOMENT_STEP;

    point->moment = moment;
    point->span = span;
    point->phase = phases[moment];
    point->alive = running ? series->alive * share : 0;
    for (int i = 0; i < ACT_FRAGMENTATION; i++)
        point->component[i] = stage->contents[point->phase][i];
    if (running)
        point->component[ACT_ACTIVATIONS] = series->live * share;
    if (moment == ACT_MOMENT_FORWARD)
        point->component[ACT_HEAD] = 0;
    /* Gradients that exist only once backward has made them take the place of what it frees: a
     * straight way from its first moment to the optimizer's, before that has temporaries. */
    const double *then = stage->contents[ACT_PHASE_STEP];
    if (moment == ACT_MOMENT_BACKWARD &&
        then[ACT_GRADIENTS] > stage->contents[ACT_PHASE_BACKWARD][ACT_GRADIENTS]) {
        for (int i = 0; i < ACT_FRAGMENTATION; i++) {
            double from = stage->contents[ACT_PHASE_BACKWARD][i];
            double to = i == ACT_TRANSIENTS ? fmin(from, then[i]) : then[i];
            if (i != ACT_ACTIVATIONS)
                point->component[i] = from + (to - from) * (1 - share);
        }
    }
    point->allocated = 0;
    for (int i = 0; i < ACT_FRAGMENTATION; i++)
        point->allocated += point->component[i];
    if (point->phase == stage->phase && point->allocated == stage->allocated &&
        series->ret->peak < 0)
        series->ret->peak = series->ret->count - 1;
}

void act_timeline_of(const struct act_plan *plan, const struct act_layout *layout,
                     const struct act_stage *stage, struct act_timeline *ret)
{
    struct series series = {.stage = stage, .ret = ret};
    double count = fmax(ceil(stage->in_flight - 1e-9), 1); /* interleaving leaves fractions */
    int parts = count < RAMP_LEAST ? RAMP_LEAST / (int)count : 1;
    int rounds_shown = parts > 1 ? 1 : 2;
    int ticks = count > RAMP_MOST ? RAMP_MOST : (int)count * parts;

    /* The textbook has activations in backward alone. */
    series.live = fmax(stage->contents[ACT_PHASE_LOSS][ACT_ACTIVATIONS],
                       stage->contents[ACT_PHASE_BACKWARD][ACT_ACTIVATIONS]);
    series.alive = stage->in_flight;
    series.loss = stage->contents[ACT_PHASE_LOSS][ACT_HEAD] > 0;
    ret->count = 0;
    ret->peak = -1;
    ret->rounds = plan->parallel.schedule == ACT_GPIPE ? 0 : fmax(layout->micro_batches - count, 0);

    if (stage->phases[ACT_PHASE_LOAD] > 0)
        add(&series, ACT_MOMENT_LOAD, ACT_SPAN_LOAD, 0);
    for (int i = 1; i <= ticks; i++) {
        add(&series, ACT_MOMENT_FORWARD, ACT_SPAN_FILL, (double)i / ticks);
        if (series.loss && i % parts == 0)
            add(&series, ACT_MOMENT_LOSS, ACT_SPAN_FILL, (double)i / ticks);
    }
    for (int round = 0; round < rounds_shown && round < ret->rounds; round++) {
        for (int i = 0; i < parts; i++)
            add(&series, ACT_MOMENT_BACKWARD, ACT_SPAN_STEADY, 1 - i / (parts * count));
        for (int i = parts - 1; i >= 0; i--)
            add(&series, ACT_MOMENT_FORWARD, ACT_SPAN_STEADY, 1 - i / (parts * count));
        if (series.loss)
            add(&series, ACT_MOMENT_LOSS, ACT_SPAN_STEADY, 1);
    }
    for (int i = 0; i < ticks; i++)
        add(&series, ACT_MOMENT_BACKWARD, ACT_SPAN_DRAIN, 1 - (double)i / ticks);
    add(&series, ACT_MOMENT_STEP, ACT_SPAN_STEP, 0);
}

/* Nanoseconds of an estimate and of its parts, and a proof that it allocates nothing: the exit
 * status is 1 when it does. Times are only printed; they depend on the machine. */
#include "../unit/allocations.h"
#include "../unit/eight_stages.h"
#include <actuary/advice.h>
#include <actuary/estimate.h>
#include <actuary/need.h>

#include <stdio.h>
#include <time.h>

enum { ROUNDS = 15, CALLS = 2000 };

/* What one part leaves for the next. */
static struct act_plan plan, resolved;
static struct act_result result;

static void whole(void)
{
    act_estimate(&plan, &result);
}

static void resolve(void)
{
    act_plan_resolve(&plan, &resolved);
}

static void count(void)
{
    act_model_count(&resolved, &result.parameters);
}

static void flops(void)
{
    act_model_flops(&resolved, &result.parameters, &result.flops);
}

static void layout(void)
{
    act_layout_of(&resolved, &result.layout);
}

static void memory(void)
{
    act_memory_of(&resolved, &result.parameters, &result.layout, &result.memory);
}

static void timing(void)
{
    act_time_of(&resolved, &result.parameters, &result.flops, &result.layout, &result.time);
}

static void cost(void)
{
    act_cost_of(&resolved, &result.parameters, &result.layout, &result.time, &result.cost);
}

static void checks(void)
{
    act_check_plan(&plan, &resolved, &result.layout, &result.memory, &result.time, &result.cost,
                   &result.checks);
}

static void advise(void)
{
    static struct act_advices advices;
    act_advise(&plan, &advices);
}

/* All inverse questions: what the planner's view of them takes at a key. */
static void answers(void)
{
    static struct act_answers all;
    act_answers_of(&plan, &(struct act_deadline){90, 0.05, ACT_ROUND_NODE}, 1e6, &all);
}

static const struct {
    const char *name;
    void (*run)(void);
} parts[] = {{"act_estimate", whole}, {"  resolve", resolve},  {"  count", count},
             {"  flops", flops},      {"  layout", layout},    {"  memory", memory},
             {"  time", timing},      {"  cost", cost},        {"  checks", checks},
             {"advice", advise},      {"all answers", answers}};

static double now_ns(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

/* The best round: what disturbs a machine only ever adds. */
static double best_ns(void (*run)(void))
{
    double best = 0;
    for (int round = 0; round < ROUNDS; round++) {
        double start = now_ns();
        for (int i = 0; i < CALLS; i++)
            run();
        double each = (now_ns() - start) / CALLS;
        if (round == 0 || each < best)
            best = each;
    }
    return best;
}

static unsigned long measure(const char *name, struct act_plan measured)
{
    plan = measured;
    whole();
    printf("%s: %d stages, peak %.1f GiB, %d checks\n", name, result.layout.stages,
           result.memory.peak / 1073741824.0, result.checks.count);
    unsigned long before = allocations();
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        printf("%-14s %10.0f ns\n", parts[i].name, best_ns(parts[i].run));
    unsigned long calls = allocations() - before;
    printf("%-14s %10lu\n\n", "allocations", calls);
    return calls;
}

int main(void)
{
    unsigned long calls = measure("Llama-2-70B, TP 8, PP 8, DP 4", eight_stages_dense()) +
                          measure("Mixtral-8x22B, EP 8, PP 8, DP 8", eight_stages_moe()) +
                          measure("Llama-2-70B, FSDP 4, TP 8, PP 8", eight_stages_sharded()) +
                          measure("Llama-2-70B, TP 2, does not fit", eight_stages_clashing());
    return calls > 0;
}

/* Inverse questions: GPUs for a deadline, and the largest value of a field within a limit. Every
 * answer is found by estimating plain plans. Pure, no allocation. */
#ifndef ACTUARY_NEED_H
#define ACTUARY_NEED_H

#include <actuary/advice.h>
#include <actuary/estimate.h>

/* What a count of GPUs is rounded up to. */
enum act_round {
    ACT_ROUND_REPLICA, /* whole replicas */
    ACT_ROUND_NODE,    /* whole servers */
    ACT_ROUND_POWER2,
    ACT_ROUND_COUNT
};

/* "replica", "node", "power2". */
const char *act_round_name(enum act_round round);

struct act_deadline {
    double days;  /* calendar days */
    double spare; /* share of the GPUs in whole replicas that is added, 0 … 1 */
    enum act_round round;
};

/* Step by step, as the planning chapter goes: FLOPs, compute, GPUs, replicas, spare, a round
 * number (engine.md 6). Counts are whole. */
struct act_gpu_need {
    bool found;     /* false: no number of replicas makes it; what follows `replica` is 0 */
    double flops;   /* of the whole run */
    double speed;   /* FLOP/s that computing without a pause takes */
    double peak;    /* FLOP/s of one GPU, dense */
    double mfu;     /* given, or that of the estimate on `replicas` */
    bool estimated; /* the MFU is */
    double goodput; /* on `replicas` */
    double by_compute;
    double replica; /* GPUs of one: TP x CP x PP, times the DP that all experts take */
    double replicas, gpus;
    double days;         /* calendar days on `gpus` */
    double fit_replicas; /* more of them, where only those fit: states are sharded over DP. 0 where
                            `replicas` fit, or no number does */
    double fit_gpus;
    double with_spare;
    double chosen; /* rounded */
    /* All that are chosen at work: replicas, GPUs that are left over, and a global batch that they
     * divide when the plan's own is not one (0: it is). */
    double data, idle, global_batch;
    struct act_result result; /* of that plan */
};

/* GPUs for a deadline. The MFU given: FLOPs / (days x peak x MFU x goodput). Else step times of
 * ever more replicas are estimated until one is short enough; only numbers of replicas that divide
 * the global batch are looked at. */
void act_need_gpus(const struct act_plan *plan, const struct act_deadline *deadline,
                   struct act_gpu_need *ret);

/* Makes the answer on the plan the user edits. */
void act_need_take(const struct act_gpu_need *need, struct act_plan *plan);

/* What a value must stay within. */
enum act_limit { ACT_LIMIT_MEMORY, ACT_LIMIT_DAYS, ACT_LIMIT_BUDGET, ACT_LIMIT_COUNT };

/* "memory", "days", "budget". */
const char *act_limit_name(enum act_limit limit);

enum act_extent {
    ACT_EXTENT_FREE,  /* there is no such limit, no price to hold against it, or the field has
                         nothing to do with it */
    ACT_EXTENT_NONE,  /* not even the smallest value stays within */
    ACT_EXTENT_FOUND, /* `value` does, `next` does not */
    ACT_EXTENT_ALL    /* every value does */
};

struct act_largest_value {
    enum act_extent extent;
    double value, next; /* the next valid value */
};

/* Largest micro batch, sequence, layers (or parameters, where they overrule the count), tokens. */
struct act_largest {
    enum act_field_id field;
    double now;
    struct act_largest_value by[ACT_LIMIT_COUNT];
};

enum { ACT_LARGEST_COUNT = 4 };

/* NAN for a limit that there is not. Memory is always one: usable memory is filled, no rule is
 * broken that holds now. */
struct act_limits {
    double days; /* calendar days */
    double budget;
};

/* Valid values: micro batches that divide a replica's share of the global batch; sequences that TP
 * and CP divide, in steps of 128 and more; layers that fill all stages and chunks; parameters in
 * steps of 100 million; tokens in whole optimizer steps. */
void act_need_largest(const struct act_plan *plan, const struct act_limits *limits,
                      struct act_largest ret[ACT_LARGEST_COUNT]);

/* All of it: what it takes. Days and budget that are NAN are the plan's own, if it has any. */
struct act_answers {
    bool asked; /* there is a deadline, and so `gpus` */
    struct act_deadline deadline;
    struct act_limits limits;
    struct act_gpu_need gpus;
    struct act_largest largest[ACT_LARGEST_COUNT];
    struct act_advices advices;
};

void act_answers_of(const struct act_plan *plan, const struct act_deadline *deadline, double budget,
                    struct act_answers *ret);

#endif

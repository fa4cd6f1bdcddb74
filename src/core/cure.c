#include "core/cure.h"

#include <actuary/advice.h>
#include <actuary/field.h>
#include <actuary/model.h>
#include <actuary/profile.h>
#include <actuary/units.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Several changes at once, for when no single one will do: factors on TP and PP, full recompute,
 * a micro batch of 1. GPUs are held. */
struct bundle {
    int tensor, pipeline;
    bool recompute, micro_batch;
};

static const struct bundle bundles[] = {
    {1, 1, true, true},  {1, 2, true, false},  {2, 1, true, false},
    {2, 1, true, true},  {4, 1, true, false},  {2, 2, true, false},
    {8, 1, true, false}, {8, 2, false, false}, {8, 4, true, false},
};

enum { BUNDLES = sizeof bundles / sizeof bundles[0] };

static bool set(struct act_check *check, enum act_field_id field, int64_t value)
{
    if (act_field(field)->kind == ACT_KIND_INT && (double)value > act_field(field)->max)
        return false;
    check->repair[check->repairs++] = (struct act_repair){.field = field, .value = (double)value};
    return true;
}

/* The bundle as repairs of `ret`; false when it changes nothing new, takes more GPUs or leads out
 * of the fields' ranges or the fast link. */
static bool make(const struct act_plan *resolved, const struct bundle *bundle,
                 struct act_check *ret)
{
    const struct act_parallel_fields *parallel = &resolved->parallel;
    int64_t tensor = parallel->tensor * bundle->tensor;
    int split = bundle->tensor * bundle->pipeline;
    bool fine = parallel->data % split == 0;

    ret->repairs = 0;
    if (bundle->tensor > 1)
        fine = fine && tensor <= resolved->hardware.link_domain &&
               set(ret, ACT_F_parallel_tensor, tensor);
    if (bundle->pipeline > 1)
        fine = fine && set(ret, ACT_F_parallel_pipeline, parallel->pipeline * bundle->pipeline);
    if (split > 1)
        fine = fine && set(ret, ACT_F_parallel_data, parallel->data / split);
    if (bundle->recompute && parallel->recompute != ACT_RECOMPUTE_FULL)
        fine = fine && set(ret, ACT_F_parallel_recompute, ACT_RECOMPUTE_FULL);
    if (bundle->micro_batch)
        fine =
            fine && resolved->training.micro_batch > 1 && set(ret, ACT_F_training_micro_batch, 1);
    return fine && ret->repairs > 0;
}

/* The bundle that fits at the fewest days. */
static bool cure_by_bundle(const struct act_plan *plan, const struct act_plan *resolved,
                           struct act_check *check)
{
    struct act_check trial, best = {.repairs = 0};
    enum act_fit best_fit = ACT_DOES_NOT_FIT;
    double best_days = 0;
    struct act_result result;

    for (int i = 0; i < BUNDLES; i++) {
        struct act_plan changed = *plan;
        if (!make(resolved, &bundles[i], &trial))
            continue;
        act_check_mend(&trial, &changed);
        act_estimate(&changed, &result);
        double days = result.time.calendar_days;
        bool better = result.fit < best_fit || (result.fit == best_fit && days < best_days);
        if (result.errors > 0 || result.fit == ACT_DOES_NOT_FIT || !better)
            continue;
        best = trial;
        best_fit = result.fit;
        best_days = days;
    }
    memcpy(check->repair, best.repair, sizeof check->repair);
    check->repairs = best.repairs;
    return best.repairs > 0;
}

/* The first advice that fits as `enough` has it, on these GPUs or on more. A count of GPUs is
 * given as DP, which is what a plan holds. */
static bool cure_by_advice(const struct act_plan *plan, const struct act_advices *advices,
                           enum act_fit enough, bool more, struct act_check *check)
{
    for (int i = 0; i < advices->count; i++) {
        const struct act_advice *advice = &advices->item[i];
        struct act_plan changed = *plan;
        if (advice->fit > enough || advice->errors > 0 ||
            (!more && advice->gpus > advices->now.gpus))
            continue;
        act_advice_take(advice, &changed);
        if (advice->set[0].field == ACT_F_parallel_gpus)
            return set(check, ACT_F_parallel_data, changed.parallel.data);
        for (int j = 0; j < advice->sets; j++)
            check->repair[check->repairs++] = advice->set[j];
        return true;
    }
    return false;
}

/* When nothing helps: how many such cards hold the states alone, all of them sharded. */
static void add_floor(const struct act_plan *resolved, const struct act_result *result,
                      struct act_check *check)
{
    struct act_profile profile;
    size_t length = strlen(check->message);
    char count[32];

    if (resolved->training.method != ACT_FULL || resolved->framework.family == ACT_TEXTBOOK ||
        result->memory.usable <= 0)
        return;
    act_profile_of(resolved, &profile);
    double bytes =
        result->parameters.total *
        (profile.weight + profile.gradient + profile.gradient_partition + profile.optimizer_matrix);
    act_number_format(ceil(bytes / result->memory.usable), 0, true, count, sizeof count);
    snprintf(check->message + length, sizeof check->message - length,
             "; states alone need %s such GPUs", count);
}

static struct act_check *find_check(struct act_checks *checks, const char *rule)
{
    for (int i = 0; i < checks->count; i++)
        if (strcmp(checks->check[i].rule, rule) == 0)
            return &checks->check[i];
    return NULL;
}

void act_cure(const struct act_plan *plan, struct act_result *result)
{
    bool tight = result->fit == ACT_TIGHT;
    struct act_check *check = find_check(&result->checks, tight ? "memory-tight" : "memory");
    struct act_plan resolved;
    struct act_advices advices;

    if (check == NULL)
        return;
    act_plan_resolve(plan, &resolved);
    if (result->errors == (result->fit == ACT_DOES_NOT_FIT)) { /* rules come first */
        act_advise(plan, &advices);
        bool cured = cure_by_advice(plan, &advices, ACT_FITS, false, check) ||
                     (!tight && (cure_by_advice(plan, &advices, ACT_TIGHT, false, check) ||
                                 cure_by_bundle(plan, &resolved, check) ||
                                 cure_by_advice(plan, &advices, ACT_TIGHT, true, check)));
        if (cured)
            return;
    }
    if (!tight)
        add_floor(&resolved, result, check);
}

/* Random numbers from a seed, and random values of fields. */
#ifndef ACTUARY_TESTS_RANDOM_PLAN_H
#define ACTUARY_TESTS_RANDOM_PLAN_H

#include <actuary/field.h>

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

static uint64_t state_of_random;

static inline void seed_random(uint64_t seed)
{
    state_of_random = seed * 0x9E3779B97F4A7C15U;
}

/* xorshift64* */
static inline uint64_t next_random(void)
{
    state_of_random ^= state_of_random >> 12;
    state_of_random ^= state_of_random << 25;
    state_of_random ^= state_of_random >> 27;
    return state_of_random * 2685821657736338717U;
}

static inline int64_t below(int64_t limit)
{
    return (int64_t)(next_random() % (uint64_t)limit);
}

static inline bool one_in(int64_t times)
{
    return below(times) == 0;
}

/* A whole number that people might type, or anything in the range. */
static inline int64_t count_for(const struct act_field *field)
{
    static const int64_t usual[] = {1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 24, 32, 48, 64, 80, 96, 128};
    static const int64_t large[] = {512, 1000, 1024, 2048, 4095, 4096, 5120, 8192, 28672};
    double low = field->min, high = field->max;
    int64_t value;

    if (one_in(16)) {
        return (int64_t)(low + floor((high - low) * ((double)below(1 << 20) / (1 << 20))));
    }
    value = one_in(3) ? large[below(sizeof large / sizeof large[0])]
                      : usual[below(sizeof usual / sizeof usual[0])];
    return (int64_t)fmin(fmax((double)value, low), high);
}

static inline double real_for(const struct act_field *field)
{
    double low = field->min > 0 ? field->min : 1e-3;
    double share = (double)below(1 << 20) / (1 << 20);

    return fmin(fmax(exp(log(low) + share * (log(field->max) - log(low))), field->min), field->max);
}

/* Changes one field to something in its range. */
static inline void change(struct act_plan *plan, const struct act_field *field)
{
    int names = 0;

    if ((field->flags & ACT_FIELD_AUTO) && field->kind != ACT_KIND_LIST && one_in(4)) {
        act_field_set_number(plan, field->id, ACT_AUTO);
        return;
    }
    switch (field->kind) {
    case ACT_KIND_INT:
        act_field_set_number(plan, field->id, (double)count_for(field));
        break;
    case ACT_KIND_REAL:
        act_field_set_number(plan, field->id, real_for(field));
        break;
    case ACT_KIND_BOOL:
        act_field_set_number(plan, field->id, (double)below(2));
        break;
    case ACT_KIND_ENUM:
        while (field->names[names]) {
            names++;
        }
        act_field_set_number(plan, field->id, (double)below(names));
        break;
    case ACT_KIND_LIST: {
        struct act_list *list = &plan->parallel.layers_per_stage;
        list->count = one_in(8) ? (int32_t)below(ACT_LIST_MAX + 1)
                                : (int32_t)(plan->parallel.pipeline % ACT_LIST_MAX);
        for (int i = 0; i < list->count; i++) {
            list->item[i] = (uint16_t)below(8);
        }
        break;
    }
    case ACT_KIND_SET:
    case ACT_KIND_TEXT:
    case ACT_KIND_GPUS:
        break;
    }
}

#endif

/* Tools of the rules: saying what is wrong, and finding the nearest values that are right. */
#include "check_rules.h"

#include <actuary/field.h>
#include <actuary/units.h>

#include <stdarg.h>
#include <stdio.h>

bool act_rule_says(struct act_check *check, enum act_level level, const char *format, ...)
{
    va_list arguments;

    check->level = level;
    check->fields = 0;
    check->repairs = 0;
    va_start(arguments, format);
    vsnprintf(check->message, sizeof check->message, format, arguments);
    va_end(arguments);
    return true;
}

void act_rule_names(struct act_check *check, enum act_field_id field)
{
    check->field[check->fields++] = field;
}

void act_rule_mends(struct act_check *check, enum act_field_id field, int64_t value)
{
    act_rule_mends_real(check, field, (double)value);
}

void act_rule_mends_real(struct act_check *check, enum act_field_id field, double value)
{
    const struct act_field *row = act_field(field);
    bool automatic = value == ACT_AUTO && (row->flags & ACT_FIELD_AUTO);
    bool named = row->kind == ACT_KIND_ENUM || row->kind == ACT_KIND_BOOL;

    if (!automatic && !named && (value < row->min || value > row->max)) {
        check->repairs = 0;
        return;
    }
    check->repair[check->repairs++] = (struct act_repair){.field = field, .value = value};
}

int64_t act_divisor_below(int64_t n, int64_t limit)
{
    for (int64_t i = limit < n ? limit : n; i > 1; i--) {
        if (n % i == 0) {
            return i;
        }
    }
    return 1;
}

int64_t act_divisor_above(int64_t n, int64_t from)
{
    for (int64_t i = from > 1 ? from : 1; i <= n / 2; i++) {
        if (n % i == 0) {
            return i;
        }
    }
    return from <= n ? n : 0;
}

int64_t act_multiple_near(int64_t value, int64_t unit)
{
    int64_t times = (value + unit / 2) / unit;
    return unit * (times > 1 ? times : 1);
}

const char *act_neighbours(int64_t below, int64_t above, char out[ACT_NEIGHBOURS])
{
    if (below <= 0 || above <= 0 || below == above) {
        snprintf(out, ACT_NEIGHBOURS, "%lld", (long long)(below > 0 ? below : above));
    } else {
        snprintf(out, ACT_NEIGHBOURS, "%lld or %lld", (long long)below, (long long)above);
    }
    return out;
}

const char *act_rule_gib(double bytes, char out[ACT_GIB_TEXT])
{
    act_number_format(bytes / (1024.0 * 1024.0 * 1024.0), 1, true, out, ACT_GIB_TEXT);
    return out;
}

const char *act_rule_duration(double seconds, char out[ACT_GIB_TEXT])
{
    const double minute = 60;
    bool brief = seconds < minute;
    double shown = brief ? seconds : seconds / minute;
    char number[ACT_GIB_TEXT];

    act_number_format(shown, shown < 9.95 ? 1 : 0, true, number, sizeof number);
    snprintf(out, ACT_GIB_TEXT, "%.12s %s", number, brief ? "seconds" : "minutes");
    return out;
}

const char *act_rule_share(double share, char out[ACT_GIB_TEXT])
{
    const double least = 0.001;
    char number[ACT_GIB_TEXT];

    act_number_format(100 * share, share < 0.0995 ? 1 : 0, true, number, sizeof number);
    snprintf(out, ACT_GIB_TEXT, share < least ? "less than 0.1 %%" : "%.12s %%", number);
    return out;
}

bool act_rule_has_dense_ffn(const struct act_plan *plan)
{
    const struct act_model_fields *model = &plan->model;
    return model->experts <= 0 || model->dense_layers > 0 || model->moe_every > 1;
}

bool act_tensor_divides(const struct act_plan *plan, int64_t tensor)
{
    const struct act_model_fields *model = &plan->model;

    if (model->heads % tensor != 0) {
        return false;
    }
    if (plan->framework.family != ACT_MEGATRON) {
        return true;
    }
    bool kv = model->attention == ACT_MLA || model->kv_heads % tensor == 0 ||
              tensor % model->kv_heads == 0;
    bool shared = model->experts <= 0 || model->shared_ffn % tensor == 0;
    bool dense = !act_rule_has_dense_ffn(plan) || model->ffn % tensor == 0;
    return kv && shared && dense;
}

int64_t act_tensor_below(const struct act_plan *plan, int64_t limit)
{
    for (int64_t tensor = limit; tensor > 1; tensor--) {
        if (act_tensor_divides(plan, tensor)) {
            return tensor;
        }
    }
    return 1;
}

int64_t act_rule_slots(const struct act_plan *plan)
{
    const struct act_parallel_fields *parallel = &plan->parallel;
    return plan->model.layers + (parallel->embedding_slot > 0) + (parallel->loss_slot > 0);
}

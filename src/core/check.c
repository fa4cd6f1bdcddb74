/* Trying every rule on a plan, and what is made of the checks. */
#include "check_rules.h"

#include "core/writer.h"

#include <actuary/field.h>

#include <stdio.h>

enum {
    TEXTBOOK = 1 << ACT_TEXTBOOK,
    LAYERED = 1 << ACT_MEGATRON | 1 << ACT_FSDP,
    EVERY_FAMILY = TEXTBOOK | LAYERED
};

/* Not about the layout but about what comes of it: last, since a broken rule comes first. */
static const struct act_rule_row outcomes[] = {
    {act_rule_fit,
     EVERY_FAMILY,
     {"memory", "", "does not fit", "the worst stage stays within usable memory"}},
    {act_rule_tight,
     EVERY_FAMILY,
     {"memory-tight", "", "tight", "the worst stage stays below 90 % of usable memory"}},
    {act_rule_deadline,
     EVERY_FAMILY,
     {"deadline", "", "late", "calendar days stay within the deadline"}},
    {act_rule_bubble,
     LAYERED,
     {"pipeline-bubble", "", "bubble", "pipeline stages idle less than a fifth of the step"}},
    {act_rule_data_traffic,
     LAYERED,
     {"data-traffic", "", "slow network",
      "gradients and weights on the wire take less than a fifth of the step"}},
    {act_rule_launch_bound,
     LAYERED,
     {"launch-bound", "", "launch bound", "kernels take longer than the CPU needs to launch them"}},
    {act_rule_head_width,
     LAYERED,
     {"head-width-by-8", "", "head width", "math attention has heads of a multiple of 8"}},
    {act_rule_expert_traffic,
     LAYERED,
     {"expert-within-link", "", "EP leaves link", "experts' tokens stay within the fast link"}},
    {act_rule_hfu,
     EVERY_FAMILY,
     {"hfu-within-peak", "", "above peak", "a given MFU leaves room for what is computed again"}},
    {act_rule_mfu_given,
     TEXTBOOK,
     {"mfu-needs-framework", "", "MFU assumed", "the framework's step can be estimated"}},
    {act_rule_time_approximate,
     LAYERED,
     {"step-approximate", "", "approximate", "schedule and offload are those of measured steps"}},
    {act_rule_time_untested,
     LAYERED,
     {"step-compared", "", "step untested",
      "step times of the card and the framework were compared"}},
    {act_rule_calibration_far,
     EVERY_FAMILY,
     {"calibration-near", "", "factor far off",
      "a measured run is within half and twice its estimate"}},
    {act_rule_calibration_unused,
     EVERY_FAMILY,
     {"calibration-counts", "", "MFU given", "a measured step corrects an estimated MFU"}},
    {act_rule_budget, EVERY_FAMILY, {"budget", "", "over budget", "the total stays in the budget"}},
    {act_rule_price_currency,
     EVERY_FAMILY,
     {"price-currency", "", "currency", "a rent in another currency than USD has its price"}},
    {act_rule_server_price,
     EVERY_FAMILY,
     {"server-price", "", "no price", "servers of one's own have a price"}},
    {act_rule_electricity_price,
     EVERY_FAMILY,
     {"electricity-price", "", "no energy", "the energy of one's own servers has a price"}},
    {act_rule_headway,
     EVERY_FAMILY,
     {"failures-leave-time", "", "failures", "failures leave half of the calendar to train"}},
    {act_rule_checkpoint_interval,
     EVERY_FAMILY,
     {"checkpoint-interval", "", "checkpoints", "checkpoints are closer together than failures"}},
    {act_rule_checkpoint_stall,
     EVERY_FAMILY,
     {"checkpoint-stall", "", "slow storage",
      "a checkpoint is written within the stall that is allowed"}},
    {act_rule_rack_power,
     EVERY_FAMILY,
     {"rack-power", "", "rack power", "a rack can feed a server"}},
};

enum { OUTCOMES = sizeof outcomes / sizeof outcomes[0], RULES = OUTCOMES + ACT_RULE_ROWS };

/* A rule fires at most once, so the checks of a plan always fit. */
_Static_assert((int)RULES <= (int)ACT_CHECKS_MAX, "more rules than room for checks");

static const struct act_rule_row *row_at(int index)
{
    return index < ACT_RULE_ROWS ? act_rule_row(index) : &outcomes[index - ACT_RULE_ROWS];
}

const struct act_rule *act_rule_at(int index)
{
    return index >= 0 && index < RULES ? &row_at(index)->rule : NULL;
}

const char *act_level_name(enum act_level level)
{
    static const char *const names[] = {"error", "warning", "note"};
    return names[level];
}

/* Moves the last check before those of lesser weight. */
static void sort_in(struct act_checks *checks)
{
    int last = checks->count - 1;
    int to = last;

    while (to > 0 && checks->check[to - 1].level > checks->check[last].level) {
        to--;
    }
    if (to < last) {
        struct act_check moved = checks->check[last];
        for (int i = last; i > to; i--) {
            checks->check[i] = checks->check[i - 1];
        }
        checks->check[to] = moved;
    }
}

void act_check_plan(const struct act_plan *plan, const struct act_plan *resolved,
                    const struct act_layout *layout, const struct act_memory *memory,
                    const struct act_time *time, const struct act_cost *cost,
                    struct act_checks *ret)
{
    const struct act_case at = {plan, resolved, layout, memory, time, cost};

    ret->count = 0;
    for (int i = 0; i < RULES; i++) {
        if (act_rule_broken(row_at(i), &at, &ret->check[ret->count])) {
            ret->count++;
            sort_in(ret);
        }
    }
}

void act_check_mend(const struct act_check *check, struct act_plan *plan)
{
    for (int i = 0; i < check->repairs; i++) {
        enum act_field_id field = check->repair[i].field;
        if (act_field(field)->kind == ACT_KIND_LIST) {
            act_field_reset(plan, field);
        } else {
            act_field_set_number(plan, field, check->repair[i].value);
        }
    }
}

void act_check_summary(const struct act_plan *plan, char *out, size_t size)
{
    const struct act_model_fields *model = &plan->model;
    long long tensor = plan->parallel.tensor, pipeline = plan->parallel.pipeline;
    long long expert = plan->parallel.expert;
    char heads[64] = "", layers[64] = "", experts[64] = "";
    bool mla = model->attention == ACT_MLA;

    if (tensor > 1 && act_tensor_divides(plan, tensor)) {
        if (mla || model->kv_heads == model->heads || model->kv_heads % tensor != 0) {
            snprintf(heads, sizeof heads, "%lld heads divide by TP %lld", (long long)model->heads,
                     tensor);
        } else {
            snprintf(heads, sizeof heads, "%lld heads and %lld KV heads divide by TP %lld",
                     (long long)model->heads, (long long)model->kv_heads, tensor);
        }
    }
    if (pipeline > 1 && act_rule_slots(plan) % pipeline == 0) {
        snprintf(layers, sizeof layers, "%lld %s%s by PP %lld", (long long)act_rule_slots(plan),
                 act_rule_slots(plan) == model->layers ? "layers" : "layer slots",
                 heads[0] ? "" : " divide", pipeline);
    }
    if (expert > 1 && model->experts > 0 && model->experts % expert == 0) {
        snprintf(experts, sizeof experts, "%lld experts%s by EP %lld", (long long)model->experts,
                 heads[0] || layers[0] ? "" : " divide", expert);
    }
    snprintf(out, size, "%s%s%s%s%s", heads, heads[0] && layers[0] ? "; " : "", layers,
             (heads[0] || layers[0]) && experts[0] ? "; " : "", experts);
}

size_t act_check_repair_text(const struct act_check *check, char *out, size_t size)
{
    struct act_writer writer;
    struct act_plan plan;

    act_writer_init(&writer, out, size);
    act_plan_init(&plan);
    for (int i = 0; i < check->repairs; i++) {
        const struct act_field *row = act_field(check->repair[i].field);
        char value[64] = "auto";
        if (row->kind != ACT_KIND_LIST) {
            act_field_set_number(&plan, row->id, check->repair[i].value);
            act_field_text(&plan, row->id, ACT_STYLE_FILE, value, sizeof value);
        }
        act_writer_put(&writer, i == 0 ? "" : " ");
        act_writer_put(&writer, row->key);
        act_writer_put(&writer, "=");
        act_writer_put(&writer, value);
    }
    return writer.length;
}

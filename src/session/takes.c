#include "session/takes.h"

#include <actuary/field.h>
#include <actuary/units.h>
#include <math.h>
#include <stdio.h>

/* The planning chapter's case. */
static const double usual_days = 90;

void act_takes_start(struct act_takes *takes, const struct act_tab *tab)
{
    double own = tab->plan.training.deadline_days;

    if (!(takes->deadline.days > 0)) /* never asked before */
        takes->deadline.round = ACT_ROUND_NODE;
    if (own > 0)
        takes->deadline.days = own;
    else if (!(takes->deadline.days > 0))
        takes->deadline.days = usual_days;
    takes->answered = false;
    act_takes_update(takes, tab);
}

void act_takes_update(struct act_takes *takes, const struct act_tab *tab)
{
    if (takes->answered && act_plan_equal(&takes->plan, &tab->plan))
        return;
    takes->plan = tab->plan;
    act_answers_of(&takes->plan, &takes->deadline, NAN, &takes->answers);
    takes->answered = true;
}

void act_takes_set_days(struct act_takes *takes, double days)
{
    takes->deadline.days = days;
    takes->answered = false;
}

void act_takes_next_spare(struct act_takes *takes)
{
    static const double shares[] = {0, 0.05, 0.10, 0.20};
    enum { SHARES = sizeof shares / sizeof *shares };
    int at = 0;

    while (at < SHARES - 1 && takes->deadline.spare >= shares[at])
        at++;
    takes->deadline.spare = takes->deadline.spare >= shares[SHARES - 1] ? 0 : shares[at];
    takes->answered = false;
}

void act_takes_next_round(struct act_takes *takes)
{
    takes->deadline.round = (enum act_round)((takes->deadline.round + 1) % ACT_ROUND_COUNT);
    takes->answered = false;
}

int act_takes_count(const struct act_takes *takes)
{
    return 1 + takes->answers.advices.count;
}

static bool make_gpus(const struct act_takes *takes, struct act_desk *desk, int64_t now_ms)
{
    struct act_tab *tab = act_desk_tab(desk);
    const struct act_gpu_need *need = &takes->answers.gpus;
    struct act_plan plan = tab->plan;
    char days[32], was[32], now[32], label[ACT_LABEL_MAX];

    if (!need->found) {
        act_desk_say(desk, ACT_SAY_NOTE, "no number of GPUs makes this deadline");
        return false;
    }
    act_need_take(need, &plan);
    act_quantity_format(takes->deadline.days, ACT_UNIT_NONE, ACT_STYLE_SHORT, days, sizeof days);
    act_number_format(act_plan_gpus(&tab->plan), 0, true, was, sizeof was);
    act_number_format(act_plan_gpus(&plan), 0, true, now, sizeof now);
    snprintf(label, sizeof label, "GPUs for %.20s days %.20s -> %.20s", days, was, now);
    act_desk_commit_as(desk, &plan, act_plan_gpus(&plan), label, now_ms);
    act_desk_say(desk, ACT_SAY_NOTE, "%s; u takes it back", label);
    return true;
}

static bool make_change(const struct act_advice *advice, struct act_desk *desk, int64_t now_ms)
{
    struct act_tab *tab = act_desk_tab(desk);
    const struct act_field *field = act_field(advice->set[0].field);
    struct act_plan plan = tab->plan, resolved;
    char was[28], now[28], label[ACT_LABEL_MAX];
    double before = act_plan_gpus(&plan);

    act_plan_resolve(&plan, &resolved);
    act_field_text(&resolved, field->id, ACT_STYLE_FILE, was, sizeof was);
    act_advice_value(advice, &plan, now, sizeof now);
    act_advice_take(advice, &plan);
    double after = act_plan_gpus(&plan);
    snprintf(label, sizeof label, "%.34s %s -> %s", field->label, was, now);
    act_desk_commit_as(desk, &plan, after == before ? tab->held : after, label, now_ms);
    act_desk_say(desk, ACT_SAY_NOTE, "%s; u takes it back", label);
    return true;
}

bool act_takes_make(const struct act_takes *takes, struct act_desk *desk, int answer,
                    int64_t now_ms)
{
    if (answer == 0)
        return make_gpus(takes, desk, now_ms);
    if (answer < 1 || answer >= act_takes_count(takes))
        return false;
    return make_change(&takes->answers.advices.item[answer - 1], desk, now_ms);
}

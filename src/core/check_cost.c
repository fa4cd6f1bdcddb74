/* Prices that are missing, a budget that is exceeded, failures and checkpoints that do not go
 * together, and racks that cannot feed a server. */
#include "check_rules.h"

#include <actuary/field.h>
#include <actuary/units.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { FIGURE = 48 };

/* A figure for a message; fractions must not follow the locale. */
static const char *figure(double value, enum act_unit unit, char out[FIGURE])
{
    act_quantity_format(value, unit, ACT_STYLE_SHORT, out, FIGURE);
    return out;
}

/* Preset prices are in USD, and nothing is converted. */
bool act_rule_price_currency(const struct act_case *at, struct act_check *check)
{
    const struct act_plan *plan = at->plan;

    if (plan->cost.basis == ACT_OWN || plan->cost.price_per_gpu_hour >= 0 ||
        strcmp(plan->cost.currency, "USD") == 0) {
        return false;
    }
    if (plan->hardware.rental_price >= 0) {
        act_rule_says(check, ACT_NOTE,
                      "the typical price of %.32s is in USD and is not converted; give the price "
                      "in %.7s",
                      plan->hardware.preset, plan->cost.currency);
    } else {
        act_rule_says(check, ACT_NOTE, "no price in %.7s is known; give one", plan->cost.currency);
    }
    act_rule_names(check, ACT_F_cost_price_per_gpu_hour);
    act_rule_names(check, ACT_F_cost_currency);
    return true;
}

bool act_rule_server_price(const struct act_case *at, struct act_check *check)
{
    const struct act_cost_fields *cost = &at->plan->cost;

    if (cost->basis != ACT_OWN || cost->server_price >= 0) {
        return false;
    }
    act_rule_says(check, ACT_WARNING,
                  "what a server costs is not known, so there is no total; give it in %.7s",
                  cost->currency);
    act_rule_names(check, ACT_F_cost_server_price);
    act_rule_names(check, ACT_F_cost_basis);
    return true;
}

bool act_rule_electricity_price(const struct act_case *at, struct act_check *check)
{
    const struct act_cost_fields *cost = &at->plan->cost;
    char energy[FIGURE];

    if (cost->basis != ACT_OWN || cost->server_price < 0 || !isnan(at->cost->energy) ||
        !(at->time->step_seconds > 0)) {
        return false;
    }
    if (cost->electricity_price >= 0) { /* neither a TDP nor a server's power */
        act_rule_says(check, ACT_NOTE,
                      "the power of %.32s is not known, so the total is without energy",
                      at->plan->hardware.preset);
        act_rule_names(check, ACT_F_hardware_node_power);
        act_rule_names(check, ACT_F_hardware_tdp);
        return true;
    }
    if (isnan(at->cost->energy_mwh)) {
        act_rule_says(check, ACT_NOTE, "the total is without energy; give the price of a kWh");
    } else {
        act_number_format(at->cost->energy_mwh, at->cost->energy_mwh < 10, true, energy, FIGURE);
        act_rule_says(check, ACT_NOTE,
                      "the total is without %s MWh of energy; give the price of a kWh", energy);
    }
    act_rule_names(check, ACT_F_cost_electricity_price);
    return true;
}

bool act_rule_budget(const struct act_case *at, struct act_check *check)
{
    double budget = at->plan->cost.budget;
    char total[FIGURE], limit[FIGURE];

    if (budget < 0 || !at->cost->known || at->cost->total <= budget) {
        return false;
    }
    act_rule_says(check, ACT_WARNING, "%s %.7s exceed the budget of %s",
                  figure(at->cost->total, ACT_UNIT_MONEY, total), at->plan->cost.currency,
                  figure(budget, ACT_UNIT_MONEY, limit));
    act_rule_names(check, ACT_F_cost_budget);
    act_rule_names(check, at->plan->cost.basis == ACT_OWN ? ACT_F_cost_server_price
                                                          : ACT_F_cost_price_per_gpu_hour);
    return true;
}

/* The goodput in use comes from the failures. */
static bool counts_failures(const struct act_case *at)
{
    return at->cost->goodput_source == ACT_GOODPUT_FAILURES;
}

bool act_rule_headway(const struct act_case *at, struct act_check *check)
{
    const struct act_goodput *goodput = &at->cost->goodput;
    const double least = 0.5;
    char share[ACT_GIB_TEXT], between[ACT_GIB_TEXT];

    if (!counts_failures(at) || goodput->share >= least) {
        return false;
    }
    act_rule_says(check,
                  goodput->share < act_field(ACT_F_cost_goodput)->min ? ACT_ERROR : ACT_WARNING,
                  "with a failure every %s %s%s of the time trains",
                  act_rule_duration(goodput->mean_time_between_failures, between),
                  goodput->share < 0.001 ? "" : "only ", act_rule_share(goodput->share, share));
    act_rule_names(check, ACT_F_cost_failures_per_1000_gpu_days);
    act_rule_names(check, ACT_F_cost_restart_minutes);
    act_rule_names(check, ACT_F_cost_checkpoint_minutes);
    return true;
}

bool act_rule_checkpoint_interval(const struct act_case *at, struct act_check *check)
{
    const struct act_goodput *goodput = &at->cost->goodput;
    char interval[ACT_GIB_TEXT], between[ACT_GIB_TEXT], share[ACT_GIB_TEXT];
    bool usual = at->cost->goodput_source == ACT_GOODPUT_USUAL;

    if (at->plan->cost.checkpoint_minutes < 0 ||
        goodput->interval <= goodput->mean_time_between_failures) {
        return false;
    }
    act_rule_says(check, ACT_WARNING,
                  "a checkpoint every %s and a failure every %s: %s of the time trains%s",
                  act_rule_duration(goodput->interval, interval),
                  act_rule_duration(goodput->mean_time_between_failures, between),
                  act_rule_share(goodput->share, share),
                  counts_failures(at) ? ""
                  : usual ? "; the usual goodput does not count that until failures are given"
                          : "; the goodput given does not count that");
    act_rule_names(check, ACT_F_cost_checkpoint_minutes);
    act_rule_names(check, ACT_F_cost_failures_per_1000_gpu_days);
    act_rule_mends(check, ACT_F_cost_checkpoint_minutes, ACT_AUTO);
    return true;
}

/* The stall's default only sizes the storage: it forbids nothing. */
bool act_rule_checkpoint_stall(const struct act_case *at, struct act_check *check)
{
    const struct act_goodput *goodput = &at->cost->goodput;
    char stall[FIGURE], allowed[FIGURE], need[FIGURE];

    if (!act_plan_given(at->raw, ACT_F_cost_checkpoint_stall) ||
        goodput->checkpoint_seconds <= at->plan->cost.checkpoint_stall) {
        return false;
    }
    act_rule_says(check, ACT_WARNING,
                  "a checkpoint stalls training for %s, %s are allowed; storage needs %s",
                  figure(goodput->checkpoint_seconds, ACT_UNIT_SECONDS, stall),
                  figure(at->plan->cost.checkpoint_stall, ACT_UNIT_SECONDS, allowed),
                  figure(at->cost->facility.storage_bandwidth, ACT_UNIT_BANDWIDTH, need));
    act_rule_names(check, ACT_F_cost_checkpoint_bandwidth);
    act_rule_names(check, ACT_F_cost_checkpoint_stall);
    return true;
}

bool act_rule_rack_power(const struct act_case *at, struct act_check *check)
{
    const struct act_facility *facility = &at->cost->facility;
    char server[FIGURE], rack[FIGURE];

    if (!(facility->servers_per_rack < 1)) {
        return false;
    }
    act_rule_says(check, ACT_NOTE, "a server draws up to %s, and a rack has %s",
                  figure(facility->node_power, ACT_UNIT_WATT, server),
                  figure(at->plan->hardware.rack_power, ACT_UNIT_WATT, rack));
    act_rule_names(check, ACT_F_hardware_rack_power);
    act_rule_names(check, ACT_F_hardware_node_power);
    return true;
}

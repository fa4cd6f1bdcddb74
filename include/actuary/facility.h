/* What a run needs around its GPUs (engine.md 6): servers, racks, power, storage, network. */
#ifndef ACTUARY_FACILITY_H
#define ACTUARY_FACILITY_H

#include <actuary/layout.h>
#include <actuary/plan.h>

/* Highest draw of a server over the TDP of its accelerators: DGX H100, 10.2 kW over 8 x 0.7 kW
 * (NVIDIA documents, read 2026-08; DGX A100 2.03, DGX B200 1.79). */
#define ACT_RATED_OVERHEAD 1.83

/* Power in watts, at the rating of the servers; NAN where neither the power of a server nor the
 * TDP is known. Counts are whole numbers. */
struct act_facility {
    double servers;
    double node_power;       /* one server */
    double computing_power;  /* all servers, before PUE */
    double building_power;   /* with PUE */
    double average_power;    /* of one GPU while it trains, host included, before PUE */
    double servers_per_rack; /* 0: a server needs more than a rack gives */
    double racks;
    double ports;             /* one a GPU, on the servers' side; 0 when one server does */
    double switches;          /* of a fat tree that blocks nothing; 0 when one server does */
    double bisection;         /* bytes/s through the middle of that tree */
    double storage_bandwidth; /* bytes/s: a checkpoint within cost.checkpoint_stall */
};

/* Racks for `servers` of `power` watts at `rack_power` watts a rack: whole servers a rack; a
 * server that needs more takes its share of several. */
double act_racks(double servers, double power, double rack_power);

/* Switches of `radix` ports in a fat tree for `ports` end points that blocks nothing (Al-Fares
 * et al. 2008): one switch up to radix ports; leaves with half their ports down and spines up to
 * radix^2 / 2; above, three tiers of 5 switches for each radix ports' worth of end points, and
 * more the same way. */
double act_fat_tree_switches(double ports, double radix);

/* Fills `ret` for a resolved plan; `checkpoint_bytes` as act_checkpoint_bytes counts them. */
void act_facility_of(const struct act_plan *plan, const struct act_layout *layout,
                     double checkpoint_bytes, struct act_facility *ret);

#endif

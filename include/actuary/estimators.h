/* What other tools would print for a plan: DeepSpeed's estimators of model states and Megatron-LM's
 * report of theoretical memory, as those tools compute them, with what they leave out left out. */
#ifndef ACTUARY_ESTIMATORS_H
#define ACTUARY_ESTIMATORS_H

#include <actuary/layout.h>
#include <actuary/memory.h>
#include <actuary/model.h>
#include <actuary/plan.h>

enum { ACT_TOOLS_MAX = 2 };

struct act_tool {
    const char *name;   /* "DeepSpeed ZeRO-3" */
    const char *source; /* where its formula is published */
    double states;      /* weights, gradients and optimizer of one GPU */
    double activations; /* head and loss among them; 0 where `states_only` */
    double host;        /* memory of a server; 0 where the tool has no such figure */
    bool states_only;   /* the tool knows no activations */
    double less_states; /* our figure less the tool's, term by term: stage 0 at its peak */
    double less_activations;
    double less_other; /* buffers and temporaries; ZeRO-3's figure has gathered weights in its
                          states */
};

/* DeepSpeed, deepspeed/runtime/zero: estimate_zero2_model_states_mem_needs and
 * estimate_zero3_model_states_mem_needs. `largest` is the largest module's parameters. Bytes on a
 * GPU and, with the tool's 1.5 for buffers, on a server; the model is made sharded (zero_init). */
struct act_zero_needs {
    double gpu, host;
};
struct act_zero_needs act_zero2_needs(double parameters, double gpus_per_node, double nodes,
                                      bool offload);
struct act_zero_needs act_zero3_needs(double parameters, double largest, double gpus_per_node,
                                      double nodes, enum act_offload offload);

/* Parameters of the largest single module: a matrix with its bias, or the embedding. */
double act_largest_module(const struct act_plan *plan);

/* Megatron-LM, megatron/training/theoretical_memory_usage.py (activations after Korthikanti et
 * al., arXiv 2205.05198, table 2): the first stage. Knows no EP, no CP, no full recompute. */
double act_megatron_states(const struct act_plan *plan, const struct act_parameters *parameters);
double act_megatron_activations(const struct act_plan *plan, const struct act_layout *layout);

/* The tools that people of the plan's framework would ask, for a resolved plan: the FSDP family
 * without TP and PP DeepSpeed's, the Megatron family Megatron-LM's, the textbook none. Returns how
 * many. */
int act_tools_of(const struct act_plan *plan, const struct act_parameters *parameters,
                 const struct act_layout *layout, const struct act_memory *memory,
                 struct act_tool ret[ACT_TOOLS_MAX]);

#endif

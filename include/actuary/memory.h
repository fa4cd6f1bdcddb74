/* Bytes on one GPU, stage by stage and phase by phase.
 * Textbook: decisions 5. Megatron family: memory-megatron.md. FSDP family: memory-fsdp-lora.md.
 * All sizes are bytes. */
#ifndef ACTUARY_MEMORY_H
#define ACTUARY_MEMORY_H

#include <actuary/layout.h>
#include <actuary/model.h>
#include <actuary/plan.h>

/* Load stands apart: only loaders that hold the whole model before it is sharded have it. */
enum act_phase {
    ACT_PHASE_LOSS,
    ACT_PHASE_BACKWARD,
    ACT_PHASE_STEP,
    ACT_PHASE_LOAD,
    ACT_PHASE_COUNT
};

/* Components of a stage, in the order they stand in a bar. */
enum act_component {
    ACT_WEIGHTS,
    ACT_GRADIENTS,
    ACT_OPTIMIZER,
    ACT_ACTIVATIONS,
    ACT_HEAD,       /* head and loss */
    ACT_TRANSIENTS, /* temporaries of the phase */
    ACT_BUFFERS,    /* workspaces, buckets, weight-gradient scratch */
    ACT_FRAGMENTATION,
    ACT_CONTEXT,
    ACT_COMPONENT_COUNT
};

/* Bar letter (W G O A H B B F C), JSON name, label and column heading of a component. */
char act_component_letter(enum act_component component);
const char *act_component_name(enum act_component component);
const char *act_component_label(enum act_component component);
const char *act_component_brief(enum act_component component); /* at most 7 letters */
const char *act_phase_name(enum act_phase phase);

struct act_stage {
    int64_t layers;
    double in_flight;     /* micro batches alive (chunks x share of the stage when interleaved) */
    double parameters;    /* on one GPU of this stage */
    enum act_phase phase; /* of the peak */
    double component[ACT_COMPONENT_COUNT]; /* at the peak; the first seven sum to allocated */
    double phases[ACT_PHASE_COUNT];        /* allocated in each phase */
    double contents[ACT_PHASE_COUNT][ACT_FRAGMENTATION]; /* what each phase is the sum of */
    double allocated, reserved, device;
};

struct act_memory {
    int stages; /* 1 … ACT_STAGES_MAX */
    int worst;  /* stage with the largest device figure */
    double usable, marketed;
    double peak;            /* device figure of the worst stage */
    double headroom;        /* usable - peak, negative when it does not fit */
    double host;            /* bytes a server holds of offloaded state */
    double calibration;     /* factor of a measured run in all but context; 1 without */
    double error;           /* half width of the device figure's error bar, a share */
    double error_allocated; /* … of allocated */
    struct act_stage stage[ACT_STAGES_MAX];
};

enum act_fit { ACT_FITS, ACT_TIGHT, ACT_DOES_NOT_FIT };

/* Fits below 90 % of usable, tight to 100 %, else does not fit (decisions 3). */
enum act_fit act_memory_fit(const struct act_memory *memory);
enum act_fit act_memory_fit_of(double device, double usable);

/* The stage in whole bytes, for output: components are rounded, and allocated, reserved and device
 * are the sums of what is rounded. */
void act_stage_whole(const struct act_stage *stage, struct act_stage *ret);

/* Memory of a resolved plan. */
void act_memory_of(const struct act_plan *plan, const struct act_parameters *parameters,
                   const struct act_layout *layout, struct act_memory *ret);

#endif

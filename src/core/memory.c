#include <actuary/memory.h>

#include "core/memory_parts.h"

#include <math.h>

static const struct {
    char letter;
    const char *name, *label, *brief;
} components[ACT_COMPONENT_COUNT] = {
    [ACT_WEIGHTS] = {'W', "weights", "weights", "weights"},
    [ACT_GRADIENTS] = {'G', "gradients", "gradients", "grads"},
    [ACT_OPTIMIZER] = {'O', "optimizer", "optimizer", "optim."},
    [ACT_ACTIVATIONS] = {'A', "activations", "activations", "activ."},
    [ACT_HEAD] = {'H', "head", "head, loss", "head"},
    [ACT_TRANSIENTS] = {'B', "transients", "transients", "trans."},
    [ACT_BUFFERS] = {'B', "buffers", "buffers", "buffers"},
    [ACT_FRAGMENTATION] = {'F', "fragmentation", "slack", "slack"},
    [ACT_CONTEXT] = {'C', "context", "context", "context"},
};

char act_component_letter(enum act_component component)
{
    return components[component].letter;
}

const char *act_component_name(enum act_component component)
{
    return components[component].name;
}

const char *act_component_label(enum act_component component)
{
    return components[component].label;
}

const char *act_component_brief(enum act_component component)
{
    return components[component].brief;
}

const char *act_phase_name(enum act_phase phase)
{
    static const char *const names[ACT_PHASE_COUNT] = {"loss", "backward", "step", "load"};
    return names[phase];
}

enum act_fit act_memory_fit_of(double device, double usable)
{
    if (device > usable)
        return ACT_DOES_NOT_FIT;
    return device < 0.9 * usable ? ACT_FITS : ACT_TIGHT;
}

enum act_fit act_memory_fit(const struct act_memory *memory)
{
    return act_memory_fit_of(memory->peak, memory->usable);
}

/* Attention that is not modelled, and frameworks without measured rows: the same for every counter.
 * 0 where neither is the case. */
static double unknown_of(const struct act_plan *plan)
{
    if (plan->model.index_heads > 0 || plan->model.linear_layers > 0)
        return 0.30;
    return plan->framework.validated == 0 ? 0.20 : 0;
}

/* Half widths of the error bars (decisions 3, 4 and 8). */
static double allocated_error_of(const struct act_plan *plan)
{
    if (plan->framework.family == ACT_TEXTBOOK)
        return 0;
    return fmax(unknown_of(plan), plan->framework.family == ACT_MEGATRON ? 0.03 : 0.05);
}

static double error_of(const struct act_plan *plan)
{
    if (plan->framework.family == ACT_TEXTBOOK)
        return 0;
    if (unknown_of(plan) > 0)
        return unknown_of(plan);
    if (plan->framework.allocator != ACT_EXPANDABLE && plan->training.lengths == ACT_VARYING)
        return 0.15;
    return 0.10;
}

void act_memory_errors(const struct act_plan *plan, double *ret_allocated, double *ret_device)
{
    *ret_allocated = allocated_error_of(plan);
    *ret_device = error_of(plan);
}

void act_memory_of(const struct act_plan *plan, const struct act_parameters *parameters,
                   const struct act_layout *layout, struct act_memory *ret)
{
    struct act_parts parts;

    act_parts_of(plan, parameters, layout, &parts);
    ret->stages = layout->stages;
    ret->host = 0;
    switch ((enum act_family)plan->framework.family) {
    case ACT_TEXTBOOK:
        act_memory_textbook(&parts, ret);
        break;
    case ACT_MEGATRON:
        act_memory_megatron(&parts, ret);
        break;
    case ACT_FSDP:
        act_memory_fsdp(&parts, ret);
        break;
    }
    /* A server holds what all of its GPUs moved out. */
    ret->host *= fmin((double)plan->hardware.gpus_per_node, layout->gpus);

    ret->worst = 0;
    for (int i = 1; i < ret->stages; i++)
        if (ret->stage[i].device > ret->stage[ret->worst].device)
            ret->worst = i;
    ret->usable = plan->hardware.usable_memory;
    ret->marketed = plan->hardware.memory;
    ret->peak = ret->stage[ret->worst].device;
    ret->headroom = ret->usable - ret->peak;
    ret->calibration = plan->calibration.memory_factor;
    act_memory_errors(plan, &ret->error_allocated, &ret->error);
}

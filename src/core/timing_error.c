/* How far an estimated step is to be trusted (timing.md 6, 7). */
#include <actuary/field.h>
#include <actuary/timing.h>

#include <math.h>

/* The largest runs compared on cards without a switch. */
static const double compared_mesh = 128;

bool act_time_untested(const struct act_plan *plan, struct act_untested *ret)
{
    const struct act_parallel_fields *parallel = &plan->parallel;
    int64_t schedule = parallel->schedule, precision = plan->training.precision;
    const struct act_field *offload = act_field(ACT_F_parallel_offload);
    bool other = parallel->pipeline > 1 && schedule != ACT_1F1B && schedule != ACT_GPIPE;
    const struct {
        bool is;
        struct act_untested untested;
    } reasons[] = {
        {precision == ACT_FP32, {"fp32", ACT_F_training_precision}},
        {precision == ACT_TF32, {"tf32", ACT_F_training_precision}},
        {precision == ACT_NVFP4, {"fp4 beyond Llama", ACT_F_training_precision}},
        {plan->hardware.link_topology == ACT_MESH && act_plan_gpus(plan) > compared_mesh,
         {"link meshes above 128 devices", ACT_F_parallel_data}},
        {parallel->context > 8, {"CP above 8", ACT_F_parallel_context}},
        {plan->training.method == ACT_FREEZE, {"frozen layers", ACT_F_training_method}},
        {parallel->offload != ACT_OFFLOAD_NONE, {offload->label, ACT_F_parallel_offload}},
        {other, {act_field(ACT_F_parallel_schedule)->names[schedule], ACT_F_parallel_schedule}},
    };

    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++) {
        if (reasons[i].is) {
            *ret = reasons[i].untested;
            return true;
        }
    }
    return false;
}

/* What 80 % of the compared runs fell within, widened by leaving sources out. */
double act_time_error(const struct act_plan *plan)
{
    const struct act_model_fields *model = &plan->model;
    double bar = fmax(plan->hardware.step_error, plan->framework.step_error);
    bool unmodelled =
        model->linear_layers > 0 || (model->attention == ACT_MLA && model->index_heads > 0);
    struct act_untested untested;

    if (plan->training.method == ACT_LORA || plan->training.method == ACT_QLORA)
        bar = fmax(bar, 0.20);
    if (act_time_untested(plan, &untested))
        bar = fmax(bar, 0.25);
    if (model->experts > 0 || unmodelled)
        bar = fmax(bar, 0.30);
    return bar;
}

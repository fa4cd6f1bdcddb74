/* Whether a measured run can be what the plan describes, and whether its figures count. */
#include "check_rules.h"

#include <actuary/calibrate.h>
#include <actuary/field.h>
#include <actuary/units.h>

/* Estimates of runs that were set up as measured are rarely off by half (timing.md 4). */
static const double least = 0.5, most = 2;

static bool far_off(double factor)
{
    return factor < least || factor > most;
}

bool act_rule_calibration_far(const struct act_case *at, struct act_check *check)
{
    const struct act_calibration_fields *calibration = &at->plan->calibration;
    bool time = far_off(calibration->time_factor), memory = far_off(calibration->memory_factor);
    double factor = time ? calibration->time_factor : calibration->memory_factor;
    char text[32];

    if (!time && !memory) {
        return false;
    }
    act_number_format(factor, 2, true, text, sizeof text);
    act_rule_says(check, ACT_WARNING,
                  "the measured %s is %s times the estimate: the settings probably do not describe "
                  "the run; compare model, batch, layout and recompute with its log",
                  time ? "step" : "peak", text);
    act_rule_names(check, time ? ACT_F_calibration_time_factor : ACT_F_calibration_memory_factor);
    return true;
}

bool act_rule_calibration_unused(const struct act_case *at, struct act_check *check)
{
    if (!act_calibrated(at->plan, ACT_PIN_TIME) || at->time->estimated) {
        return false;
    }
    act_rule_says(check, ACT_NOTE,
                  "MFU is given, so the measured step does not count; hardware.mfu auto estimates "
                  "it and is corrected");
    act_rule_names(check, ACT_F_hardware_mfu);
    act_rule_names(check, ACT_F_calibration_time_factor);
    if (at->plan->framework.family != ACT_TEXTBOOK) {
        act_rule_mends(check, ACT_F_hardware_mfu, ACT_AUTO);
    }
    return true;
}

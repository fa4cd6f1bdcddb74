/* What an estimate comes down to, in sentences made from its figures: for reports and meetings.
 *
 * Plain ASCII but for the names that are put in, one line, no markup. All lengths are returned as
 * snprintf does; 640 bytes hold every sentence. Plans are resolved ones. */
#ifndef ACTUARY_CONCLUSION_H
#define ACTUARY_CONCLUSION_H

#include <actuary/estimate.h>
#include <stddef.h>

enum { ACT_CONCLUSION_MAX = 640 };

/* What to call things; NULL: the preset's own name. */
struct act_conclusion_names {
    const char *model, *hardware;
};

/* "64 GPUs (NVIDIA A800 SXM 80GB) train Llama 2 70B on 2 T tokens in 801 calendar days for
 * 1.85 M USD; the fullest GPU holds 66.8 of 79.1 GiB." Says instead that it does not fit, and adds
 * the deadline and broken rules where there are any. */
size_t act_conclusion(const struct act_plan *plan, const struct act_result *result,
                      const struct act_conclusion_names *names, char *out, size_t size);

/* What that rests on: "It assumes an MFU of 43 %, estimated, within 12 % either way; …". */
size_t act_conclusion_assumptions(const struct act_plan *plan, const struct act_result *result,
                                  char *out, size_t size);

/* The scenario against a base: days, cost, fullest GPU, each with its signed difference. */
size_t act_conclusion_against(const struct act_plan *base, const struct act_result *base_result,
                              const struct act_plan *plan, const struct act_result *result,
                              char *out, size_t size);

#endif

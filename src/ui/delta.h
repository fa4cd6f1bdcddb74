/* Result figures of a scenario beside those of another: values and signed differences as the
 * screen writes them. Which figures there are and what is better comes from metrics.h. */
#ifndef ACTUARY_UI_DELTA_H
#define ACTUARY_UI_DELTA_H

#include "ui/theme.h"
#include <actuary/estimate.h>
#include <stdbool.h>
#include <stddef.h>

/* In the order in which they matter: little room shows the first ones. */
enum act_figure_id {
    ACT_FIGURE_MEMORY,
    ACT_FIGURE_DAYS,
    ACT_FIGURE_COST,
    ACT_FIGURE_MFU,
    ACT_FIGURE_GPUS,
    ACT_FIGURE_STEP,
    ACT_FIGURE_TOKENS,
    ACT_FIGURE_RULES,
    ACT_FIGURE_COUNT
};

/* A scenario with its result. */
struct act_side {
    const struct act_plan *plan; /* resolved */
    const struct act_result *result;
};

struct act_delta {
    char text[48];    /* "−7.3 GiB"; "=" for none, "–" when one is not known */
    const char *mark; /* "▲" better, "▼" worse, "" neither */
    const char *word; /* "better", "worse", "" */
    enum act_look look;
};

const char *act_figure_label(enum act_figure_id id); /* with its unit, when values have none */
void act_figure_value(enum act_figure_id id, const struct act_side *side, char *out, size_t size);
/* `unit`: the difference with its unit. Estimates of layouts within 5 % of each other are a tie: no
 * mark, as in what-if. */
void act_delta_of(enum act_figure_id id, const struct act_side *base, const struct act_side *side,
                  bool unit, struct act_delta *ret);

#endif

/* A measured run typed on one line, or named by its log, corrects the current scenario. */
#ifndef ACTUARY_SESSION_PIN_H
#define ACTUARY_SESSION_PIN_H

#include "session/desk.h"

/* What the line may hold, for prompts. */
#define ACT_PIN_FORMS "step 12.3s, tokens/s/GPU 410, peak 71.2GiB allocated, or a log's path"

/* Sets the figures of `text` in `plan` and pins them on its layout. Figures are parted by commas:
 * "step 12.3s", "tokens/s/GPU 410", "peak 71.2GiB" with "allocated", "reserved" or "device" after
 * it; anything else is the path of a training log. ret_said gets what was read. Returns 0, or -1
 * with a sentence in `why` and the plan untouched. */
int act_pin_line(struct act_plan *plan, const char *text, char *ret_said, size_t said_size,
                 char *why, size_t why_size);

/* The same as one undoable change of the current tab, with a message. False when refused. */
bool act_desk_pin(struct act_desk *desk, const char *text, int64_t now_ms);

#endif

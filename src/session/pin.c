#include "session/pin.h"

#include "core/letters.h"
#include "io/measured.h"
#include <actuary/calibrate.h>
#include <actuary/field.h>
#include <stdio.h>
#include <string.h>

enum { FIGURE_MAX = 128 };

enum { STEP, RATE, RATE_BRIEFLY, PEAK };

static const struct word {
    const char *word;
    enum act_field_id field;
} words[] = {
    [STEP] = {"step", ACT_F_training_measured_step_seconds},
    [RATE] = {"tokens/s/gpu", ACT_F_training_measured_tokens_per_second_per_gpu},
    [RATE_BRIEFLY] = {"tps", ACT_F_training_measured_tokens_per_second_per_gpu},
    [PEAK] = {"peak", ACT_F_training_measured_peak},
};

/* The figure that the text begins with the word of: "step 12.3s". */
static const struct word *word_of(const char *text)
{
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t length = strlen(words[i].word);
        if (act_begins_letters(text, words[i].word, length) &&
            (text[length] == ' ' || text[length] == '\t' || text[length] == '='))
            return &words[i];
    }
    return NULL;
}

/* A figure that only its unit tells: "12.3s" is a step, "71.2GiB reserved" a peak. */
static const struct word *word_of_unit(const char *text)
{
    static const char *const times[] = {"s", "ms", NULL};
    static const char *const sizes[] = {"GiB", "GB", "MiB", "MB", "TiB", "TB", "B", NULL};
    size_t digits = strspn(text, "0123456789."), unit;

    if (strspn(text, ".") == digits)
        return NULL;
    text += digits;
    text += strspn(text, " \t");
    unit = strcspn(text, " \t,;");
    for (int i = 0; times[i] != NULL; i++)
        if (unit == strlen(times[i]) && act_begins_letters(text, times[i], unit))
            return &words[STEP];
    for (int i = 0; sizes[i] != NULL; i++)
        if (unit == strlen(sizes[i]) && act_begins_letters(text, sizes[i], unit))
            return &words[PEAK];
    return NULL;
}

/* "9.5" may be anything. */
static bool is_bare_number(const char *text)
{
    size_t digits = strspn(text, "0123456789.");

    return strspn(text, ".") < digits && text[digits + strspn(text + digits, " \t")] == '\0';
}

static char *skip_blanks(char *text)
{
    return text + strspn(text, " \t=");
}

static void trim(char *text)
{
    size_t length = strlen(text);

    while (length > 0 && (text[length - 1] == ' ' || text[length - 1] == '\t'))
        text[--length] = '\0';
}

/* Cuts the counter off a peak: "71.2GiB allocated". */
static void take_counter(struct act_plan *plan, char *value)
{
    const char *const *names = act_field(ACT_F_calibration_counter)->names;
    char *last = strrchr(value, ' ');

    for (int i = 0; last != NULL && names[i] != NULL; i++) {
        if (act_same_letters(last + 1, names[i])) {
            act_field_set_number(plan, ACT_F_calibration_counter, i);
            *last = '\0';
            trim(value);
            return;
        }
    }
}

/* One figure; `apart`: no decimal comma stands before it. Returns what it pins, 0 with a sentence.
 */
static unsigned set_figure(struct act_plan *plan, char *text, bool apart, char *why,
                           size_t why_size)
{
    const struct word *word = word_of(text);
    char reason[256], *value = text;

    if (word != NULL)
        value = skip_blanks(text + strlen(word->word));
    else if (apart)
        word = word_of_unit(text);
    if (word == NULL) {
        snprintf(why, why_size, "no figure of a run; write " ACT_PIN_FORMS);
        return 0;
    }
    if (word->field == ACT_F_training_measured_peak)
        take_counter(plan, value);
    if (act_field_set_text(plan, word->field, value, ACT_PARSE_ARITHMETIC, reason, sizeof reason) !=
        0) {
        snprintf(why, why_size, "%s: %s", act_field(word->field)->label, reason);
        return 0;
    }
    unsigned pins = act_measured_changed(plan, word->field);
    if (pins == 0)
        snprintf(why, why_size, "%s: write a figure; Del on CALIBRATION forgets a run",
                 act_field(word->field)->label);
    return pins;
}

static int set_figures(struct act_plan *plan, const char *text, char *why, size_t why_size)
{
    char part[FIGURE_MAX];
    unsigned pins = 0;

    for (const char *at = text;; at++) {
        size_t length = strcspn(at, ",;");
        if (length >= sizeof part) {
            snprintf(why, why_size, "a figure is too long; write " ACT_PIN_FORMS);
            return -1;
        }
        memcpy(part, at, length);
        part[length] = '\0';
        trim(part);
        char *figure = skip_blanks(part);
        unsigned one = set_figure(plan, figure, at == text || figure > part, why, why_size);
        if (one == 0)
            return -1;
        pins |= one;
        at += length;
        if (*at == '\0')
            return act_measured_pin(plan, pins, why, why_size);
    }
}

int act_pin_line(struct act_plan *plan, const char *text, char *ret_said, size_t said_size,
                 char *why, size_t why_size)
{
    struct act_plan changed = *plan;
    const char *from = text + strspn(text, " \t");
    char path[ACT_PATH_MAX];

    if (is_bare_number(from)) {
        snprintf(why, why_size, "a figure of what? Write " ACT_PIN_FORMS);
        return -1;
    }
    if (word_of(from) != NULL || word_of_unit(from) != NULL) {
        if (set_figures(&changed, from, why, why_size) != 0)
            return -1;
        snprintf(ret_said, said_size, "what was typed");
        *plan = changed;
        return 0;
    }
    if (strlen(from) >= sizeof path || *from == '\0') {
        snprintf(why, why_size, "write " ACT_PIN_FORMS);
        return -1;
    }
    snprintf(path, sizeof path, "%s", from);
    trim(path);
    return act_measured_log(plan, path, ret_said, said_size, why, why_size);
}

static void factor_text(const struct act_plan *plan, enum act_pin pin, char *out, size_t size)
{
    bool time = pin == ACT_PIN_TIME;
    double factor = time ? plan->calibration.time_factor : plan->calibration.memory_factor;
    char text[32];

    out[0] = '\0';
    if (!act_calibrated(plan, pin))
        return;
    act_number_format(factor, 3, true, text, sizeof text);
    snprintf(out, size, "%s ×%s", time ? "step" : "memory", text);
}

bool act_desk_pin(struct act_desk *desk, const char *text, int64_t now_ms)
{
    struct act_tab *tab = act_desk_tab(desk);
    struct act_plan plan = tab->plan;
    char said[96], why[320], time[48], memory[48], label[ACT_LABEL_MAX];

    if (act_pin_line(&plan, text, said, sizeof said, why, sizeof why) != 0) {
        act_desk_say(desk, ACT_SAY_ERROR, "not pinned: %s", why);
        return false;
    }
    factor_text(&plan, ACT_PIN_TIME, time, sizeof time);
    factor_text(&plan, ACT_PIN_MEMORY, memory, sizeof memory);
    const char *comma = time[0] != '\0' && memory[0] != '\0' ? ", " : "";
    snprintf(label, sizeof label, "measured run %.32s%s%.32s", time, comma, memory);
    act_desk_commit_as(desk, &plan, tab->held, label, now_ms);
    act_desk_say(desk, ACT_SAY_NOTE, "%s%s%s by %s%s; u takes it back", time, comma, memory, said,
                 act_calibrated(&plan, ACT_PIN_TIME) && !tab->result.time.estimated
                     ? "; MFU is given, m estimates it"
                     : "");
    return true;
}

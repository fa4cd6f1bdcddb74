#include "io/log.h"

#include "core/letters.h"
#include "io/file.h"
#include <actuary/units.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum quantity { STEP, TOKENS, SAMPLES, SUMMARY, ALLOCATED, RESERVED, BATCH, QUANTITIES };
enum { TIMES = SUMMARY + 1 }; /* the quantities that a step time follows from, best first */

static const double mib = 1048576.0, gib = 1073741824.0;

/* What stands before (or, with `behind`, directly after) a figure. Of one quantity the first row
 * that a line has counts. */
static const struct pattern {
    const char *label;
    enum quantity quantity;
    double scale;
    bool behind, inverse;
    const char *unit; /* must follow the figure; NULL: anything */
    const char *writer;
} patterns[] = {
    {"elapsed time per iteration (ms):", STEP, 1e-3, false, false, NULL, "Megatron-LM"},
    {"elapsed time per iteration (s):", STEP, 1, false, false, NULL, "Megatron-LM"},
    {"iter time (s):", STEP, 1, false, false, NULL, "DeepSpeed"},
    {"s/it", STEP, 1, true, false, NULL, "HF Trainer"},
    {"it/s", STEP, 1, true, true, NULL, "HF Trainer"},
    {"tps:", TOKENS, 1, false, false, NULL, "torchtitan"},
    {"wps:", TOKENS, 1, false, false, NULL, "torchtitan"},
    {"CurrSamplesPerSec=", SAMPLES, 1, false, false, NULL, "DeepSpeed"},
    {"RunningAvgSamplesPerSec=", SAMPLES, 1, false, false, NULL, "DeepSpeed"},
    {"SamplesPerSec=", SAMPLES, 1, false, false, NULL, "DeepSpeed"},
    {"train_samples_per_second':", SUMMARY, 1, false, false, NULL, "HF Trainer"},
    {"train_samples_per_second\":", SUMMARY, 1, false, false, NULL, "HF Trainer"},
    {"train_samples_per_second =", SUMMARY, 1, false, false, NULL, "HF Trainer"},
    {"max allocated:", ALLOCATED, mib, false, false, NULL, "Megatron-LM"},
    {"MaxMemAllocated=", ALLOCATED, gib, false, false, "GB", "DeepSpeed"},
    {"max reserved:", RESERVED, mib, false, false, NULL, "Megatron-LM"},
    {"memory:", RESERVED, gib, false, false, "GiB", "torchtitan"},
    {"global batch size:", BATCH, 1, false, false, NULL, "Megatron-LM"},
};

enum { PATTERNS = sizeof patterns / sizeof *patterns };

struct series {
    double *value; /* a ring: the last ACT_LOG_SAMPLES_MAX */
    size_t count;
    const char *writer;
};

struct reader {
    struct series series[QUANTITIES];
    char date[11];
    size_t lines;
    bool failed; /* out of memory */
};

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool in_number(char c)
{
    return is_digit(c) || c == '.' || c == ',' || c == 'e' || c == 'E' || c == '+' || c == '-';
}

/* A positive number of at most a few dozen characters, commas between its digits left out. */
static bool read_number(const char *text, size_t length, double *ret)
{
    char plain[48], why[160];
    size_t size = 0;

    for (size_t i = 0; i < length; i++) {
        if (text[i] == ',')
            continue;
        if (size == sizeof plain - 1)
            return false;
        plain[size++] = text[i];
    }
    plain[size] = '\0';
    double value;
    if (size == 0 || !is_digit(plain[0]) ||
        act_quantity_parse(plain, ACT_UNIT_NONE, 0, &value, why, sizeof why) != 0 || !(value > 0) ||
        !(value < 1e15))
        return false;
    *ret = value;
    return true;
}

/* The figure of a label at `at`. */
static bool figure_of(const struct pattern *pattern, const char *line, const char *at, double *ret)
{
    const char *from = at, *to = at;

    if (pattern->behind) {
        while (from > line && in_number(from[-1]))
            from--;
        while (from < to && !is_digit(*from))
            from++;
    } else {
        from = at + strlen(pattern->label);
        from += strspn(from, " \t|");
        to = from;
        while (in_number(*to))
            to++;
        while (to > from && !is_digit(to[-1])) /* "12.5, MemAllocated" */
            to--;
    }
    if (!read_number(from, (size_t)(to - from), ret))
        return false;
    if (pattern->unit != NULL &&
        strncmp(to + strspn(to, " "), pattern->unit, strlen(pattern->unit)) != 0)
        return false;
    *ret = pattern->inverse ? 1 / *ret : *ret;
    *ret *= pattern->scale;
    return true;
}

static bool find_figure(const struct pattern *pattern, const char *line, double *ret)
{
    for (const char *at = line; (at = strstr(at, pattern->label)) != NULL; at++) {
        bool inside = at > line && (act_is_letter(at[-1]) || at[-1] == '_' || at[-1] == '/');
        char after = at[strlen(pattern->label)];
        if (pattern->behind ? act_is_letter(after) : inside)
            continue;
        if (figure_of(pattern, line, at, ret))
            return true;
    }
    return false;
}

static void keep(struct reader *reader, const struct pattern *pattern, double value)
{
    struct series *series = &reader->series[pattern->quantity];

    if (series->value == NULL)
        series->value = malloc(ACT_LOG_SAMPLES_MAX * sizeof *series->value);
    if (series->value == NULL) {
        reader->failed = true;
        return;
    }
    series->value[series->count++ % ACT_LOG_SAMPLES_MAX] = value;
    series->writer = pattern->writer;
}

/* "2026-11-30" anywhere in a line. */
static void find_date(const char *line, char date[11])
{
    static const char shape[] = "dddd-dd-dd";

    for (const char *at = line; *at != '\0'; at++) {
        size_t i = 0;
        while (i < sizeof shape - 1 && (shape[i] == 'd' ? is_digit(at[i]) : at[i] == shape[i]))
            i++;
        bool inside = (at > line && is_digit(at[-1])) || is_digit(at[i]);
        if (i == sizeof shape - 1 && !inside && (at[0] == '1' || at[0] == '2')) {
            memcpy(date, at, sizeof shape - 1);
            date[sizeof shape - 1] = '\0';
            return;
        }
        if (at[i] == '\0')
            return;
    }
}

static void read_line(struct reader *reader, const char *line)
{
    bool had[QUANTITIES] = {false}, any = false;

    for (int i = 0; i < PATTERNS; i++) {
        const struct pattern *pattern = &patterns[i];
        double value;
        if (had[pattern->quantity] || !find_figure(pattern, line, &value))
            continue;
        had[pattern->quantity] = any = true;
        keep(reader, pattern, value);
    }
    if (any)
        find_date(line, reader->date);
}

/* One line without its colours (ESC [ … letter), control bytes as blanks, cut to the limit. Returns
 * where the next one begins; progress bars end theirs with a carriage return. */
static const char *next_line(const char *at, const char *end, char out[ACT_LOG_LINE_MAX])
{
    size_t size = 0;

    while (at < end && *at != '\n' && *at != '\r') {
        if (*at == '\033' && at + 1 < end && at[1] == '[') {
            at += 2;
            while (at < end && (is_digit(*at) || *at == ';' || *at == '?'))
                at++;
            if (at < end && *at != '\n' && *at != '\r')
                at++;
            continue;
        }
        if (size < ACT_LOG_LINE_MAX - 1)
            out[size++] = (unsigned char)*at < ' ' ? ' ' : *at;
        at++;
    }
    out[size] = '\0';
    return at < end ? at + 1 : end;
}

static int compare(const void *a, const void *b)
{
    double left = *(const double *)a, right = *(const double *)b;

    return (left > right) - (left < right);
}

/* The median without the warm-up: a tenth of the lines, at least the first, at most twenty. */
static double median(struct series *series)
{
    enum { WARM_UP_MOST = 20 };
    size_t kept = series->count < ACT_LOG_SAMPLES_MAX ? series->count : ACT_LOG_SAMPLES_MAX;
    size_t skip = series->count > ACT_LOG_SAMPLES_MAX ? 0 : (kept + 9) / 10;

    if (kept == 0)
        return 0;
    skip = skip > WARM_UP_MOST ? WARM_UP_MOST : skip;
    if (skip >= kept)
        skip = kept - 1;
    double *value = series->value + skip;
    size_t count = kept - skip;
    qsort(value, count, sizeof *value, compare);
    return count % 2 == 1 ? value[count / 2] : (value[count / 2 - 1] + value[count / 2]) / 2;
}

static double largest(const struct series *series)
{
    size_t kept = series->count < ACT_LOG_SAMPLES_MAX ? series->count : ACT_LOG_SAMPLES_MAX;
    double most = 0;

    for (size_t i = 0; i < kept; i++)
        most = fmax(most, series->value[i]);
    return most;
}

static int conclude(struct reader *reader, struct act_log *ret, char *why, size_t why_size)
{
    struct series *series = reader->series;
    struct act_log log = {0};
    int best = 0;

    if (reader->failed) {
        snprintf(why, why_size, "out of memory");
        return -1;
    }
    while (best < TIMES && series[best].count == 0)
        best++;
    if (best == TIMES && series[ALLOCATED].count == 0 && series[RESERVED].count == 0) {
        snprintf(why, why_size,
                 "none of its %zu lines has a step time, a throughput or a peak: give a log of "
                 "Megatron-LM (elapsed time per iteration), torchtitan (tps:), HF Trainer (s/it) "
                 "or DeepSpeed (SamplesPerSec=)",
                 reader->lines);
        return -1;
    }
    if (best < TIMES) {
        double value = median(&series[best]);
        log.writer = series[best].writer;
        log.steps = (int)fmin((double)series[best].count, ACT_LOG_SAMPLES_MAX);
        log.step_seconds = best == STEP ? value : 0;
        log.tokens_per_second = best == TOKENS ? value : 0;
        log.samples_per_second = best == SAMPLES || best == SUMMARY ? value : 0;
    } else {
        log.writer = series[series[ALLOCATED].count > 0 ? ALLOCATED : RESERVED].writer;
    }
    log.allocated = largest(&series[ALLOCATED]);
    log.reserved = largest(&series[RESERVED]);
    if (series[BATCH].count > 0)
        log.global_batch = series[BATCH].value[(series[BATCH].count - 1) % ACT_LOG_SAMPLES_MAX];
    memcpy(log.date, reader->date, sizeof log.date);
    *ret = log;
    return 0;
}

int act_log_parse(const char *text, size_t size, struct act_log *ret, char *why, size_t why_size)
{
    struct reader reader = {0};
    char line[ACT_LOG_LINE_MAX];
    const char *end = text + size;

    for (const char *at = text; at < end; reader.lines++) {
        at = next_line(at, end, line);
        read_line(&reader, line);
    }
    int result = conclude(&reader, ret, why, why_size);
    for (int i = 0; i < QUANTITIES; i++)
        free(reader.series[i].value);
    return result;
}

int act_log_read(const char *path, struct act_log *ret, char *why, size_t why_size)
{
    struct act_buffer text;

    act_buffer_init(&text, ACT_LOG_SIZE_MAX);
    int result = act_file_read(path, &text, NULL, why, why_size);
    if (result == 0)
        result = act_log_parse(text.text != NULL ? text.text : "", text.size, ret, why, why_size);
    act_buffer_free(&text);
    return result;
}

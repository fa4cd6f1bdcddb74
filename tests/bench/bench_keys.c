/* From a key to the frame that shows it, through a pseudo-terminal; and the bytes it takes. Times
 * are only printed: they depend on the machine and contain the emulator's part. */
#include "../tui/planner.h"

#include <stdio.h>
#include <stdlib.h>

enum { KEYS = 2000, IDLE_MS = 1000 };

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The value that `share` of the sorted values do not exceed. */
static double quantile(const double *sorted, double share)
{
    return sorted[(int)(share * (KEYS - 1) + 0.5)];
}

static bool never(struct tui *t, const void *context)
{
    (void)t;
    (void)context;
    return false;
}

/* `keys`: pressed at random, six of them, after `before`. */
static void measure(int rows, int cols, const char *before, const char *const *keys)
{
    static double times[KEYS], sizes[KEYS];
    double start = tui_now();
    struct tui *t = planner_start(rows, cols, NULL);
    double first = tui_now() - start;
    size_t first_bytes = tui_bytes(t);
    if (*before)
        tui_keys(t, before);
    uint64_t state = 20261130;
    for (int i = 0; i < KEYS; i++) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        tui_reset_bytes(t);
        start = tui_now();
        tui_keys(t, keys[(state >> 32) % 6]);
        times[i] = tui_now() - start;
        sizes[i] = (double)tui_bytes(t);
    }
    /* Words that stand for a while go first. */
    tui_keys(t, TUI_ESCAPE);
    (void)tui_wait_until(t, never, NULL, IDLE_MS);
    tui_reset_bytes(t);
    (void)tui_wait_until(t, never, NULL, IDLE_MS);
    size_t idle = tui_bytes(t);
    planner_leave(t);
    qsort(times, KEYS, sizeof *times, compare);
    qsort(sizes, KEYS, sizeof *sizes, compare);
    printf("# %dx%d, %d keys: median %.2f ms, 99 %% within %.2f ms, longest %.2f ms; "
           "median %.0f bytes, most %.0f\n",
           rows, cols, KEYS, quantile(times, 0.5), quantile(times, 0.99), times[KEYS - 1],
           quantile(sizes, 0.5), sizes[KEYS - 1]);
    printf("# %dx%d: first frame after %.1f ms, %zu bytes; idle: %zu bytes in %d ms\n", rows, cols,
           first, first_bytes, idle, IDLE_MS);
    assert_int_equal(idle, 0);
}

static const char *const dashboard[6] = {TUI_DOWN, "+", "-", TUI_TAB, "{", "}"};

static void large(void **state)
{
    (void)state;
    measure(36, 120, "", dashboard);
}

static void small(void **state)
{
    (void)state;
    measure(24, 80, "", dashboard);
}

/* Four scenarios side by side, all fields of them. */
static void columns(void **state)
{
    static const char *const keys[6] = {TUI_DOWN, "+", "-", TUI_TAB, TUI_RIGHT, TUI_LEFT};
    (void)state;
    measure(36, 120, "pnnnc=", keys);
}

int main(void)
{
    const struct CMUnitTest tests[] = {tui_test(large), tui_test(small), tui_test(columns)};
    return cmocka_run_group_tests_name("bench_keys", tests, NULL, NULL);
}

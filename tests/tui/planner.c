#include "planner.h"
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

enum { LEAVE_MS = 2000, FIELDS_MAX = 300, TABS_MAX = 70 };

struct tui *planner_start(int rows, int cols, const char *file)
{
    const char *arguments[] = {file, NULL};
    return tui_start(rows, cols, arguments, NULL);
}

/* ---- Verdict -------------------------------------------------------------------------------- */

static const struct {
    const char *word;
    enum planner_verdict verdict;
} verdicts[] = {{"DOES NOT FIT", PLANNER_DOES_NOT_FIT},
                {"BREAKS RULES", PLANNER_BREAKS_RULES},
                {"TIGHT", PLANNER_TIGHT},
                {"FITS", PLANNER_FITS}};

enum { VERDICTS = sizeof verdicts / sizeof *verdicts };

/* What stands alone in a window too small for a screen. */
static const struct {
    const char *word;
    enum planner_verdict verdict;
} short_verdicts[] = {{"no fit", PLANNER_DOES_NOT_FIT},
                      {"rules!", PLANNER_BREAKS_RULES},
                      {"tight", PLANNER_TIGHT},
                      {"fits", PLANNER_FITS}};

static int find_verdict(struct tui *t, enum planner_verdict *ret_verdict)
{
    *ret_verdict = PLANNER_NO_VERDICT;
    for (int i = 0; (tui_rows(t) < 4 || tui_cols(t) < 20) &&
                    i < (int)(sizeof short_verdicts / sizeof *short_verdicts);
         i++)
        if (strstr(tui_row(t, 0), short_verdicts[i].word)) {
            *ret_verdict = short_verdicts[i].verdict;
            return 0;
        }
    for (int row = 0; row < tui_rows(t); row++)
        for (int i = 0; i < VERDICTS; i++)
            if (strstr(tui_row(t, row), verdicts[i].word)) {
                *ret_verdict = verdicts[i].verdict;
                return row;
            }
    return -1;
}

enum planner_verdict planner_verdict(struct tui *t)
{
    enum planner_verdict verdict;
    (void)find_verdict(t, &verdict);
    return verdict;
}

const char *planner_strip(struct tui *t)
{
    enum planner_verdict verdict;
    int row = find_verdict(t, &verdict);
    if (row < 0)
        tui_fail(t, "no verdict on the screen");
    return tui_row(t, row);
}

void planner_expect_verdict(struct tui *t, enum planner_verdict verdict)
{
    if (planner_verdict(t) != verdict)
        tui_fail(t, "another verdict than expected");
}

void planner_expect_fit(struct tui *t, bool fits)
{
    enum planner_verdict verdict = planner_verdict(t);
    if (verdict == PLANNER_NO_VERDICT)
        tui_fail(t, "no verdict on the screen");
    if ((verdict != PLANNER_DOES_NOT_FIT) != fits)
        tui_fail(t, fits ? "it should fit" : "it should not fit");
}

/* ---- Fields --------------------------------------------------------------------------------- */

int planner_focused_row(struct tui *t)
{
    int row, col;
    tui_cursor(t, &row, &col);
    return row;
}

/* The row's text in the fields' pane: up to the divider. */
static void pane_text(struct tui *t, int row, char *text, size_t size)
{
    (void)snprintf(text, size, "%s", tui_row(t, row));
    char *divider = strstr(text, "\u2502");
    if (!divider)
        divider = strstr(text, " | ");
    if (divider)
        *divider = '\0';
    /* At the pane's edge an arrow tells of rows above or below. */
    static const char *const arrows[] = {"\u2191", "\u2193"};
    for (size_t i = 0; i < sizeof arrows / sizeof *arrows; i++) {
        char *arrow = strstr(text, arrows[i]);
        if (arrow)
            *arrow = '\0';
    }
}

static bool row_has_label(struct tui *t, int row, const char *label)
{
    char text[4096];
    pane_text(t, row, text, sizeof text);
    return strstr(text, label) != NULL;
}

void planner_focus(struct tui *t, const char *label)
{
    tui_keys(t, "g");
    for (int i = 0; i < FIELDS_MAX; i++) {
        if (row_has_label(t, planner_focused_row(t), label))
            return;
        tui_keys(t, TUI_DOWN);
    }
    tui_fail(t, "no way down leads to the field \"%s\"", label);
}

const char *planner_value(struct tui *t, const char *label)
{
    static char text[4096];
    for (int row = 0; row < tui_rows(t); row++) {
        pane_text(t, row, text, sizeof text);
        char *at = strstr(text, label);
        if (!at)
            continue;
        at += strlen(label);
        size_t length = strlen(at);
        while (length > 0 && at[length - 1] == ' ')
            at[--length] = '\0';
        /* Steps may stand between label and value, set apart by two blanks. */
        while (length > 1 && !(at[length - 1] == ' ' && at[length - 2] == ' '))
            length--;
        return length > 1 ? at + length : at + strspn(at, " ");
    }
    return "";
}

void planner_expect_value(struct tui *t, const char *label, const char *value)
{
    if (strcmp(planner_value(t, label), value) != 0)
        tui_fail(t, "%s should be \"%s\", is \"%s\"", label, value, planner_value(t, label));
}

bool planner_shows_value(struct tui *t, const void *field)
{
    const struct planner_field *wanted = field;
    return strcmp(planner_value(t, wanted->label), wanted->value) == 0;
}

void planner_set(struct tui *t, const char *label, const char *value)
{
    planner_focus(t, label);
    tui_keys(t, value);
    tui_keys(t, TUI_ENTER);
}

/* ---- Painting -------------------------------------------------------------------------------- */

/* The kernel's signal is there before any byte that is sent after it. A sequence that means nothing
 * may still be answered by a frame that was begun before; the second one cannot. */
void planner_sync_size(struct tui *t)
{
    tui_keys(t, "\033[99~");
    tui_keys(t, "\033[99~");
}

void planner_expect_repaint_equal(struct tui *t, const char *what)
{
    const char *before = tui_capture(t);
    tui_keys(t, TUI_CTRL('l'));
    tui_expect_same(t, before, tui_capture(t), what);
}

/* ---- Saving and leaving -----------------------------------------------------------------------
 */

void planner_save_as(struct tui *t, const char *name)
{
    tui_keys(t, "S");
    tui_keys(t, TUI_CTRL('e'));
    tui_keys(t, TUI_CTRL('u')); /* clears what is offered */
    tui_keys(t, name);
    tui_keys(t, TUI_ENTER);
}

/* Words of the question; "without saving" turns the meaning of y and n around. */
static const char *const leave_words[] = {"without saving", "iscard", "ave changes", "not saved",
                                          "y/n"};

bool planner_asks_to_leave(struct tui *t)
{
    for (size_t i = 0; i < sizeof leave_words / sizeof *leave_words; i++)
        if (tui_shows(t, leave_words[i]))
            return true;
    return false;
}

void planner_expect_left(struct tui *t)
{
    int status = tui_wait_end(t, LEAVE_MS);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        tui_fail(t, "left with wait status %#x", (unsigned)status);
    tui_expect_given_back(t);
}

/* The program may draw a last frame before it ends: the question is waited for, not the frame. */
static bool ended_or_asks(struct tui *t, const void *context)
{
    (void)context;
    return tui_state(t) == TUI_ENDED || planner_asks_to_leave(t);
}

void planner_leave(struct tui *t)
{
    for (int i = 0; i < 3; i++) /* out of lists, edits, filters and questions */
        tui_keys(t, TUI_ESCAPE);
    if (tui_keys_or_end(t, "q") != TUI_ENDED) {
        if (!tui_wait_until(t, ended_or_asks, NULL, LEAVE_MS))
            tui_fail(t, "q neither leaves nor asks");
        /* It asks about every modified scenario in turn. */
        for (int i = 0; i < TABS_MAX && tui_state(t) != TUI_ENDED; i++) {
            (void)tui_keys_or_end(
                t, tui_shows(t, "without saving") || tui_shows(t, "iscard") ? "y" : "n");
            if (!tui_wait_until(t, ended_or_asks, NULL, LEAVE_MS))
                tui_fail(t, "after an answer it neither leaves nor asks");
        }
    }
    planner_expect_left(t);
}

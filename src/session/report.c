#include "session/report.h"

#include "core/letters.h"
#include "io/csv.h"
#include "io/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { REPORT_LIMIT = 64 * 1024 * 1024 };

_Static_assert((int)ACT_TABS_MAX <= (int)ACT_CASES_MAX, "every tab has its place in a report");

/* Tabs that were brought back beyond the most that can be opened are left out. */
static int cases_of(const struct act_desk *desk)
{
    return desk->count < ACT_CASES_MAX ? desk->count : ACT_CASES_MAX;
}

void act_desk_suggest_report(const struct act_tab *tab, char *out, size_t size)
{
    char path[ACT_PATH_MAX];

    act_desk_suggest_path(tab, path, sizeof path);
    char *dot = strrchr(path, '.'), *slash = strrchr(path, '/');
    if (dot && dot != path && (!slash || dot > slash + 1))
        *dot = '\0';
    snprintf(out, size, "%.*s.html", ACT_PATH_MAX - 6, path);
}

static void put_csv(const struct act_case *cases, int count, struct act_buffer *out)
{
    act_csv_header(out);
    for (int i = 0; i < count; i++)
        act_csv_plan(cases[i].plan, cases[i].result, out);
}

static void put_html(const struct act_case *cases, int count, struct act_buffer *out)
{
    act_report_html(cases, count, ACT_REPORT_WHOLE, out);
}

static void put_markdown(const struct act_case *cases, int count, struct act_buffer *out)
{
    act_report_markdown(cases, count, ACT_REPORT_WHOLE, out);
}

typedef void (*writer)(const struct act_case *, int, struct act_buffer *);

static writer writer_of(const char *path)
{
    static const struct {
        const char *end;
        writer write;
    } formats[] = {{".html", put_html},
                   {".htm", put_html},
                   {".md", put_markdown},
                   {".markdown", put_markdown},
                   {".csv", put_csv}};
    const char *dot = strrchr(path, '.');

    for (size_t i = 0; dot && i < sizeof formats / sizeof formats[0]; i++) {
        if (act_same_letters(dot, formats[i].end))
            return formats[i].write;
    }
    return NULL;
}

/* The report's text; false without memory. The baseline comes first: a report compares with its
 * first scenario. */
static bool make(const struct act_desk *desk, writer write, struct act_buffer *out)
{
    int room = cases_of(desk), count = 0;
    struct act_case *cases = calloc((size_t)room, sizeof *cases);

    if (!cases)
        return false;
    if (desk->pinned)
        act_case_init(&cases[count++], &desk->pinned->plan, &desk->pinned->result);
    for (int i = 0; i < desk->count && count < room; i++)
        if (desk->tab[i] != desk->pinned)
            act_case_init(&cases[count++], &desk->tab[i]->plan, &desk->tab[i]->result);
    write(cases, count, out);
    free(cases);
    return !out->failed;
}

enum act_save_result act_desk_report(struct act_desk *desk, const char *path, bool force)
{
    writer write = writer_of(path);
    struct act_stamp stamp = {0};
    struct act_buffer text;
    char why[ACT_MESSAGE_MAX - 40] = "out of memory";
    enum act_save_result result = ACT_SAVE_FAILED;

    if (!write) {
        act_desk_say(desk, ACT_SAY_ERROR,
                     "no report written: the name must end in .html, .md or .csv");
        return ACT_SAVE_FAILED;
    }
    act_buffer_init(&text, REPORT_LIMIT);
    /* What is passed on is in GiB for everyone, and says so. */
    bool decimal = desk->settings.decimal;
    if (decimal)
        act_desk_use_decimal(desk, false);
    bool made = make(desk, write, &text);
    if (decimal)
        act_desk_use_decimal(desk, true);
    if (made)
        result = act_save(path, text.text, text.size, &stamp, force, why, sizeof why);
    act_buffer_free(&text);
    if (result != ACT_SAVED)
        act_desk_say(desk, ACT_SAY_ERROR, "no report written: %s", why);
    else if (desk->count > 1)
        act_desk_say(desk, ACT_SAY_NOTE, "report on %d scenarios written to %.300s", cases_of(desk),
                     path);
    else
        act_desk_say(desk, ACT_SAY_NOTE, "report written to %.300s", path);
    return result;
}

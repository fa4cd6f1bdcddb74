#include "ui/present.h"

#include "io/report.h"
#include "ui/bars.h"
#include "ui/figure.h"
#include "ui/page.h"
#include "ui/present_layout.h"
#include "ui/present_words.h"
#include "ui/results.h"
#include "ui/scale.h"
#include "ui/view.h"

#include <actuary/conclusion.h>
#include <actuary/metrics.h>
#include <actuary/units.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LABEL = 10, BAR_LEAST = 6, NARROW = 60 };

const struct act_tab *act_present_baseline(const struct act_desk *desk)
{
    return desk->pinned != NULL ? desk->pinned : desk->tab[0];
}

const char *act_present_notes(const struct act_tab *tab)
{
    const char *notes = tab->plan.scenario.notes;
    bool preset = tab->path[0] == '\0' && strcmp(notes, tab->saved.scenario.notes) == 0;
    return preset ? "" : notes;
}

void act_present_sentence(const struct act_tab *tab, char *out, size_t size)
{
    struct act_report_titles titles;
    struct act_plan resolved;

    act_plan_resolve(&tab->plan, &resolved);
    act_report_titles_of(&resolved, &titles);
    act_conclusion(&resolved, &tab->result, &titles.names, out, size);
}

struct preset_names {
    char model[sizeof((struct act_plan *)0)->model.preset];
    char hardware[sizeof((struct act_plan *)0)->hardware.preset];
};

/* The page being drawn. */
struct page {
    struct act_canvas *canvas;
    const struct act_desk *desk;
    const struct act_tab *tab;
    struct act_plan resolved;
    struct act_report_titles titles;
    struct preset_names named; /* whose titles those are */
    struct act_present_layout layout;
};

/* Titles are read from preset files: once for each name. */
static void title(struct page *page)
{
    const char *model = page->resolved.model.preset, *hardware = page->resolved.hardware.preset;

    if (strcmp(page->named.model, model) == 0 && strcmp(page->named.hardware, hardware) == 0)
        return;
    act_report_titles_of(&page->resolved, &page->titles);
    snprintf(page->named.model, sizeof page->named.model, "%s", model);
    snprintf(page->named.hardware, sizeof page->named.hardware, "%s", hardware);
}

/* The large figures of a scenario, and the words below them. */
struct figures {
    char value[ACT_PRESENT_FIGURES][64], caption[ACT_PRESENT_FIGURES][64];
    char brief[ACT_PRESENT_FIGURES][64]; /* captions where those have no room */
    enum act_look look[ACT_PRESENT_FIGURES];
};

static bool late(const struct act_tab *tab)
{
    double due = tab->plan.training.deadline_days;
    return due > 0 && tab->result.time.calendar_days > due;
}

static bool over_budget(const struct act_tab *tab)
{
    return tab->plan.cost.budget >= 0 && tab->result.cost.known &&
           tab->result.cost.total > tab->plan.cost.budget;
}

static void figures_of(const struct act_tab *tab, struct figures *ret)
{
    enum { SIZE = sizeof ret->value[0] };
    const struct act_result *result = &tab->result;
    const char *currency = tab->plan.cost.currency;
    bool dollars = strcmp(currency, "USD") == 0;

    act_present_days(result, ret->value[0], SIZE);
    char bar[16] = "";
    if (result->time.error_bar > 0)
        snprintf(bar, sizeof bar, " ±%.0f %%", 100 * result->time.error_bar);
    snprintf(ret->caption[0], SIZE, "calendar days%s", bar);
    snprintf(ret->brief[0], SIZE, "days%s", bar);
    act_present_cost(&tab->plan, result, ret->value[1], SIZE);
    snprintf(ret->caption[1], SIZE, "%s%s%s", result->cost.known ? "total cost" : "price not known",
             result->cost.known && !dollars ? ", " : "",
             result->cost.known && !dollars ? currency : "");
    act_present_gpus(result, ret->value[2], SIZE);
    snprintf(ret->brief[1], SIZE, "%s", result->cost.known ? dollars ? "cost" : currency : "cost");
    snprintf(ret->caption[2], SIZE, "%s", result->layout.gpus > 1 ? "GPUs" : "GPU");
    snprintf(ret->brief[2], SIZE, "%s", ret->caption[2]);
    ret->look[0] = late(tab) ? ACT_LOOK_BAD : ACT_LOOK_VALUE;
    ret->look[1] = over_budget(tab) ? ACT_LOOK_BAD : ACT_LOOK_VALUE;
    ret->look[2] = ACT_LOOK_VALUE;
}

/* The scenario beside the baseline, in words; "" for the baseline itself. */
static void against(const struct act_desk *desk, const struct act_tab *tab, char *out, size_t size)
{
    const struct act_tab *base = act_present_baseline(desk);
    char name[128];
    int number = 0;

    out[0] = '\0';
    if (base == tab)
        return;
    while (desk->tab[number] != base)
        number++;
    snprintf(name, sizeof name, "%d %s", number + 1, base->plan.scenario.name);
    act_present_against(base, name, tab, out, size);
}

static void widen(int *most, int columns)
{
    *most = columns > *most ? columns : *most;
}

/* Of all scenarios: pages that are leafed through keep their places. */
static void needs_of(const struct act_canvas *canvas, const struct act_desk *desk,
                     struct act_present_needs *ret)
{
    *ret = (struct act_present_needs){.ascii = canvas->ascii};
    for (int i = 0; i < desk->count; i++) {
        char text[ACT_PRESENT_WORDS_MAX];
        struct figures figures;
        figures_of(desk->tab[i], &figures);
        for (int form = 0; form < ACT_PRESENT_FORMS; form++)
            for (int k = 0; k < ACT_PRESENT_FIGURES; k++)
                widen(&ret->figure[form][k],
                      act_glyphs_columns(canvas, act_present_form(canvas->ascii, form),
                                         figures.value[k]));
        against(desk, desk->tab[i], text, sizeof text);
        widen(&ret->against, act_text_columns(canvas, text));
        ret->deadline = ret->deadline || desk->tab[i]->plan.training.deadline_days > 0;
        ret->budget = ret->budget || desk->tab[i]->plan.cost.budget >= 0;
    }
}

static void draw_head(const struct page *page)
{
    const struct act_rect head = page->layout.head, what = page->layout.what;
    const struct act_plan *plan = &page->resolved;
    char text[400], tokens[48], gpus[48];
    int column = 0;

    if (head.rows > 0 && page->desk->count > 1)
        column =
            act_draw_format(page->canvas, head, 0, 0, ACT_LOOK_DIM, "%d ", page->desk->current + 1);
    if (head.rows > 0)
        act_draw_cut(page->canvas, head, 0, column, head.columns - column, ACT_LOOK_HEADING,
                     plan->scenario.name);
    if (what.rows <= 0)
        return;
    const struct act_conclusion_names *names = &page->titles.names;
    act_metric_text(ACT_METRIC_COUNT, plan->training.tokens, tokens, sizeof tokens);
    act_number_format(page->tab->result.layout.gpus, 0, true, gpus, sizeof gpus);
    snprintf(text, sizeof text, "%s · %s tokens · %s × %s",
             names->model ? names->model : plan->model.preset, tokens, gpus,
             names->hardware ? names->hardware : plan->hardware.preset);
    act_draw_cut(page->canvas, what, 0, 0, what.columns, ACT_LOOK_TEXT, text);
}

/* What a check of that name says; NULL without one. */
static const char *said(const struct act_result *result, const char *rule)
{
    for (int i = 0; i < result->checks.count; i++)
        if (strcmp(result->checks.check[i].rule, rule) == 0)
            return result->checks.check[i].message;
    return NULL;
}

/* "69.0 GiB to spare", or which rule is broken or limit missed. */
static void verdict_text(const struct act_result *result, char *out, size_t size)
{
    const struct act_memory *memory = &result->memory;
    char spare[48];

    enum act_outcome outcome = act_outcome_of(result);
    if (outcome == ACT_OUTCOME_BREAKS_RULES) {
        snprintf(out, size, "%s", result->checks.check[0].message); /* errors come first */
        return;
    }
    const char *missed = outcome == ACT_OUTCOME_LATE          ? said(result, "deadline")
                         : outcome == ACT_OUTCOME_OVER_BUDGET ? said(result, "budget")
                                                              : NULL;
    if (missed != NULL) {
        snprintf(out, size, "%s", missed);
        return;
    }
    act_figure_gib(fabs(memory->headroom), spare, sizeof spare);
    snprintf(out, size, "%s %s %s on the fullest GPU", spare, act_figure_unit(),
             memory->headroom < 0 ? "too much" : "to spare");
}

/* One word, a sign and a colour; and by how much. */
static void draw_verdict(const struct page *page)
{
    struct act_fit_verdict verdict = act_fit_verdict_of(&page->tab->result);
    struct act_rect rect = page->layout.verdict;
    struct act_glyphs glyphs = page->layout.word;
    int row = rect.rows / 2, column = page->layout.head.column;
    int top = (rect.rows - act_glyphs_rows(glyphs)) / 2;
    char text[400];

    if (rect.rows <= 0)
        return;
    act_draw_fill(page->canvas, rect, ' ', verdict.box);
    column = act_draw_text(page->canvas, rect, row, column, verdict.box, verdict.sign);
    act_glyphs_draw(page->canvas, rect, top, column, verdict.box, glyphs, verdict.word);
    column += act_glyphs_columns(page->canvas, glyphs, verdict.word) + 1;
    verdict_text(&page->tab->result, text, sizeof text);
    act_draw_cut(page->canvas, rect, row, column, rect.columns - column - 1, verdict.box, text);
}

static void draw_figures(const struct page *page)
{
    const struct act_present_layout *layout = &page->layout;
    struct figures figures;

    figures_of(page->tab, &figures);
    for (int i = 0; i < ACT_PRESENT_FIGURES; i++) {
        struct act_rect rect = layout->figure[i], caption = layout->caption[i];
        if (rect.rows <= 0)
            continue;
        act_glyphs_draw(page->canvas, rect, 0, 0, figures.look[i], layout->glyphs,
                        figures.value[i]);
        if (layout->beside) {
            int column = act_text_columns(page->canvas, figures.value[i]) + 1;
            caption = rect;
            caption.column += column;
            caption.columns -= column;
        }
        bool room = act_text_columns(page->canvas, figures.caption[i]) < caption.columns;
        act_draw_cut(page->canvas, caption, 0, 0, caption.columns, ACT_LOOK_DIM,
                     room ? figures.caption[i] : figures.brief[i]);
    }
}

/* A bar with its words: at the left what it is, at the right how much of how much. */
struct line {
    struct act_rect rect;
    const char *label, *none; /* none: what is said without a limit */
    char text[200];
    enum act_look look; /* of the text */
    struct act_bar bar;
};

static void draw_line(const struct page *page, const struct line *line, int text)
{
    struct act_rect rect = line->rect;
    int label = rect.columns >= NARROW ? LABEL : 0;
    int width = rect.columns - label - text - 2;

    if (rect.rows <= 0)
        return;
    if (line->text[0] == '\0') {
        act_draw_cut(page->canvas, rect, 0, 0, rect.columns, ACT_LOOK_DIM, line->none);
        return;
    }
    if (label > 0)
        act_draw_text(page->canvas, rect, 0, 0, ACT_LOOK_DIM, line->label);
    if (width < BAR_LEAST) {
        act_draw_cut(page->canvas, rect, 0, label, rect.columns - label, line->look, line->text);
        return;
    }
    struct act_bar bar = line->bar;
    for (int row = 0; row < rect.rows; row++) {
        act_bar_draw(page->canvas, rect, row, label, width, &bar);
        for (int i = 0; i < bar.count && act_theme_coloured(); i++)
            bar.segment[i].letter = ' '; /* one row of letters says it */
    }
    act_draw_cut(page->canvas, rect, 0, label + width + 2, text, line->look, line->text);
}

/* One amount against a limit. */
static void limit_bar(double amount, double limit, struct act_bar *ret)
{
    *ret = (struct act_bar){.count = 1, .capacity = limit, .full = act_bar_full(limit, amount)};
    ret->segment[0] =
        (struct act_segment){amount, act_theme_coloured() ? ' ' : '=',
                             amount > limit ? ACT_LOOK_VERDICT_WARN : ACT_LOOK_VERDICT_GOOD};
}

static void memory_line(const struct page *page, struct line *ret)
{
    const struct act_memory *memory = &page->tab->result.memory;
    char peak[48], usable[48];

    *ret = (struct line){.rect = page->layout.memory, .label = "memory"};
    act_figure_gib(memory->peak, peak, sizeof peak);
    act_figure_gib(memory->usable, usable, sizeof usable);
    snprintf(ret->text, sizeof ret->text, "%s of %s %s", peak, usable, act_figure_unit());
    ret->look = ACT_LOOK_VALUE;
    act_bar_of_stage(&memory->stage[memory->worst], &ret->bar);
    ret->bar.capacity = memory->usable;
    ret->bar.full = act_bar_full(memory->usable, memory->peak);
}

static void deadline_line(const struct page *page, struct line *ret)
{
    double due = page->tab->plan.training.deadline_days;
    double days = page->tab->result.time.calendar_days;
    char used[48], whole[48];

    *ret = (struct line){.rect = page->layout.deadline, .label = "deadline", .none = "no deadline"};
    if (!(due > 0) || !isfinite(days))
        return;
    act_figure_days(days, used, sizeof used);
    if (due < 99.95 && due >= 1 && round(due) == due) /* as it was typed: "90" */
        act_number_format(due, 0, true, whole, sizeof whole);
    else
        act_figure_days(due, whole, sizeof whole);
    snprintf(ret->text, sizeof ret->text, "%s of %s days %s", used, whole,
             late(page->tab) ? "✗" : "✓");
    ret->look = late(page->tab) ? ACT_LOOK_BAD : ACT_LOOK_GOOD;
    limit_bar(days, due, &ret->bar);
}

static void budget_line(const struct page *page, struct line *ret)
{
    const struct act_cost_fields *fields = &page->tab->plan.cost;
    char used[64], whole[64];

    *ret = (struct line){.rect = page->layout.budget, .label = "budget"};
    ret->none = fields->budget >= 0 ? "price not known" : "no budget";
    if (!(fields->budget >= 0) || !page->tab->result.cost.known)
        return;
    bool dollars = strcmp(fields->currency, "USD") == 0;
    act_present_cost(&page->tab->plan, &page->tab->result, used, sizeof used);
    act_present_money(fields->budget, fields->currency, whole, sizeof whole);
    snprintf(ret->text, sizeof ret->text, "%s of %s%s%s %s", used, whole, dollars ? "" : " ",
             dollars ? "" : fields->currency, over_budget(page->tab) ? "✗" : "✓");
    ret->look = over_budget(page->tab) ? ACT_LOOK_BAD : ACT_LOOK_GOOD;
    limit_bar(page->tab->result.cost.total, fields->budget, &ret->bar);
}

static void draw_bars(const struct page *page)
{
    enum { TEXT_LEAST = 20 }; /* so that the bars of most pages are equally long */
    struct line line[3];
    int text = page->layout.memory.columns >= NARROW ? TEXT_LEAST : 0;

    memory_line(page, &line[0]);
    deadline_line(page, &line[1]);
    budget_line(page, &line[2]);
    for (int i = 0; i < 3; i++) {
        int columns = act_text_columns(page->canvas, line[i].text);
        text = columns > text ? columns : text;
    }
    for (int i = 0; i < 3; i++)
        draw_line(page, &line[i], text);
    if (page->layout.legend.rows > 0)
        act_legend_draw(page->canvas, page->layout.legend, 0,
                        page->layout.legend.columns >= NARROW ? LABEL : 0,
                        &page->tab->result.memory);
}

/* Wraps `text` from *row on; what has no room left ends in "…". */
static void draw_paragraph(const struct page *page, struct act_rect rect, int *row,
                           enum act_look look, const char *text)
{
    struct act_page paragraph = {.canvas = page->canvas, .rect = rect, .row = *row};

    if (*row >= rect.rows || rect.columns <= 0)
        return;
    act_page_paragraph(&paragraph, 0, look, text);
    *row = paragraph.row;
    if (*row <= rect.rows)
        return;
    struct act_rect last = {rect.row + rect.rows - 1, rect.column, 1, rect.columns};
    const struct act_cell *cell =
        page->canvas->cell + (size_t)last.row * (size_t)page->canvas->columns + last.column;
    int end = last.columns;
    while (end > 0 && cell[end - 1].sign == ' ')
        end--;
    act_draw_text(page->canvas, last, 0, end < last.columns ? end : last.columns - 1, look, "…");
}

static void draw_against(const struct page *page)
{
    char text[ACT_PRESENT_WORDS_MAX];
    int row = 0;

    if (page->desk->count < 2)
        return;
    against(page->desk, page->tab, text, sizeof text);
    if (text[0] != '\0')
        draw_paragraph(page, page->layout.against, &row, ACT_LOOK_VALUE, text);
    else
        draw_paragraph(page, page->layout.against, &row, ACT_LOOK_DIM,
                       "the baseline of the comparison");
}

/* The user's words or ours; what they rest on; and ours below the user's while there is room. */
static void draw_conclusion(const struct page *page, const char *notes)
{
    char sentence[ACT_CONCLUSION_MAX], assumptions[ACT_CONCLUSION_MAX];
    struct act_rect rect = page->layout.text;
    int row = 0, gap = rect.rows > 6 ? 1 : 0;

    act_conclusion(&page->resolved, &page->tab->result, &page->titles.names, sentence,
                   sizeof sentence);
    act_conclusion_assumptions(&page->resolved, &page->tab->result, assumptions,
                               sizeof assumptions);
    draw_paragraph(page, rect, &row, ACT_LOOK_TEXT, notes[0] != '\0' ? notes : sentence);
    row += gap;
    if (notes[0] != '\0') {
        draw_paragraph(page, rect, &row, ACT_LOOK_DIM, sentence);
        row += gap;
    }
    draw_paragraph(page, rect, &row, ACT_LOOK_DIM, assumptions);
}

/* The page for screen readers: one sentence after the other, no large figures, no bars. */
static void draw_in_words(const struct page *page, const char *notes)
{
    struct act_canvas *canvas = page->canvas;
    struct act_page words = {.canvas = canvas, .rect = {0, 0, canvas->rows - 1, canvas->columns}};
    struct act_fit_verdict verdict = act_fit_verdict_of(&page->tab->result);
    struct line line[3];
    struct figures figures;
    char text[1024];

    snprintf(text, sizeof text, "scenario %d of %d: %s", page->desk->current + 1, page->desk->count,
             page->resolved.scenario.name);
    act_page_paragraph(&words, 0, ACT_LOOK_HEADING, text);
    int word = (int)strlen(verdict.word) - 2; /* between blanks */
    int length = snprintf(text, sizeof text, "%.*s, ", word, verdict.word + 1);
    verdict_text(&page->tab->result, text + length, sizeof text - (size_t)length);
    act_page_paragraph(&words, 0, ACT_LOOK_VALUE, text);
    figures_of(page->tab, &figures);
    for (int i = 0; i < ACT_PRESENT_FIGURES; i++) {
        snprintf(text, sizeof text, "%s %s", figures.value[i], figures.caption[i]);
        act_page_paragraph(&words, 0, ACT_LOOK_TEXT, text);
    }
    memory_line(page, &line[0]);
    deadline_line(page, &line[1]);
    budget_line(page, &line[2]);
    for (int i = 0; i < 3; i++) {
        snprintf(text, sizeof text, "%s: %s", line[i].label,
                 line[i].text[0] != '\0' ? line[i].text : line[i].none);
        act_page_paragraph(&words, 0, ACT_LOOK_TEXT, text);
    }
    against(page->desk, page->tab, text, sizeof text);
    act_page_paragraph(&words, 0, ACT_LOOK_TEXT, text);
    if (notes[0] != '\0')
        act_page_paragraph(&words, 0, ACT_LOOK_TEXT, notes);
    act_conclusion(&page->resolved, &page->tab->result, &page->titles.names, text, sizeof text);
    act_page_paragraph(&words, 0, ACT_LOOK_TEXT, text);
    act_conclusion_assumptions(&page->resolved, &page->tab->result, text, sizeof text);
    act_page_paragraph(&words, 0, ACT_LOOK_TEXT, text);
}

static void draw_foot(const struct page *page, const struct act_view *view)
{
    struct act_rect foot = page->layout.foot;
    static const struct {
        const char *keys, *what;
        bool several;
    } hints[] = {{"← →", "scenario", true}, {"e", "notes", false}, {"Esc", "leave", false}};
    int column = page->layout.head.column, end = foot.columns - column;

    if (foot.rows <= 0)
        return;
    if (page->desk->count > 1) {
        char text[48];
        snprintf(text, sizeof text, foot.columns >= NARROW ? "page %d of %d" : "%d/%d",
                 page->desk->current + 1, page->desk->count);
        end = act_draw_right(page->canvas, foot, 0, end, ACT_LOOK_DIM, text) - 2;
    }
    if (view->desk.said != ACT_SAY_NOTHING) {
        act_draw_cut(page->canvas, foot, 0, column, end - column,
                     view->desk.said == ACT_SAY_ERROR ? ACT_LOOK_BAD : ACT_LOOK_VALUE,
                     view->desk.message);
        return;
    }
    for (size_t i = 0; i < sizeof hints / sizeof *hints; i++) {
        int width = act_text_columns(page->canvas, hints[i].keys) + 1 +
                    act_text_columns(page->canvas, hints[i].what);
        if ((hints[i].several && page->desk->count < 2) || column + width > end)
            continue;
        column = act_draw_text(page->canvas, foot, 0, column, ACT_LOOK_KEY, hints[i].keys);
        column = act_draw_text(page->canvas, foot, 0, column + 1, ACT_LOOK_DIM, hints[i].what) + 2;
    }
}

/* The line being typed stands in the last row; the page shows it as it will be. */
static void draw_prompt(const struct page *page, const struct act_view *view)
{
    struct act_rect foot = {page->canvas->rows - 1, 0, 1, page->canvas->columns};
    int column = 0;

    act_draw_fill(page->canvas, foot, ' ', ACT_LOOK_TEXT);
    if (foot.columns >= NARROW) {
        act_draw_right(page->canvas, foot, 0, foot.columns - 1, ACT_LOOK_DIM,
                       "Enter keep   Esc as before");
        column = act_draw_text(page->canvas, foot, 0, 1, ACT_LOOK_VALUE, "notes") + 1;
        foot.columns -= 29;
    }
    act_edit_draw(&view->edit, page->canvas, foot, 0, column, foot.columns - column);
}

void act_present_draw(struct act_view *view)
{
    static struct page page; /* large, and drawn by one thread */
    struct act_present_needs needs;
    bool typing = view->mode == ACT_MODE_NOTES;

    page.canvas = &view->canvas;
    page.desk = &view->desk;
    page.tab = act_desk_tab(&view->desk);
    act_plan_resolve(&page.tab->plan, &page.resolved);
    title(&page);
    needs_of(page.canvas, page.desk, &needs);
    act_present_layout_of(page.canvas->rows, page.canvas->columns, &needs, &page.layout);
    page.canvas->cursor_row = 0;
    page.canvas->cursor_column = page.canvas->columns > 1 ? 1 : 0;
    const char *notes = typing ? view->edit.text : act_present_notes(page.tab);
    if (page.canvas->plain) {
        page.canvas->cursor_column = 0;
        draw_in_words(&page, notes);
    } else {
        draw_head(&page);
        draw_verdict(&page);
        draw_figures(&page);
        draw_bars(&page);
        draw_against(&page);
        draw_conclusion(&page, notes);
    }
    if (typing)
        draw_prompt(&page, view);
    else
        draw_foot(&page, view);
}

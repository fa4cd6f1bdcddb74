#include "session/desk.h"
#include "core/letters.h"
#include "io/measured.h"
#include "io/presets.h"
#include "io/private.h"
#include "io/scenario.h"
#include "io/yaml.h"
#include <actuary/field.h>
#include <actuary/units.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void act_tab_free(struct act_tab *tab)
{
    if (tab == NULL)
        return;
    act_history_free(&tab->history);
    act_buffer_free(&tab->text);
    act_lock_release(&tab->lock);
    act_lock_release(&tab->kept_lock);
    free(tab);
}

void act_desk_free(struct act_desk *desk)
{
    for (int i = 0; i < desk->count; i++)
        act_tab_free(desk->tab[i]);
    for (int i = 0; i < desk->closed_count; i++)
        act_tab_free(desk->closed[i].tab);
    *desk = (struct act_desk){0};
}

struct act_tab *act_desk_tab(struct act_desk *desk)
{
    return desk->tab[desk->current];
}

void act_desk_say(struct act_desk *desk, enum act_message_kind kind, const char *format, ...)
{
    char raw[ACT_MESSAGE_MAX];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(raw, sizeof raw, format, arguments);
    va_end(arguments);
    size_t size = length < 0 ? 0 : (size_t)length < sizeof raw ? (size_t)length : sizeof raw - 1;
    act_printable(raw, size, desk->message, sizeof desk->message);
    desk->said = kind;
}

/* A new tab, made current. `text` goes with it. */
static struct act_tab *add_tab(struct act_desk *desk, const struct act_plan *plan,
                               struct act_buffer *text, struct act_problems *problems)
{
    if (desk->count >= ACT_TABS_MAX) {
        act_problems_add(problems, 0, 0, "", "%d scenarios are open; close one first (d)",
                         ACT_TABS_MAX);
        return NULL;
    }
    struct act_tab *tab = calloc(1, sizeof *tab);
    if (tab == NULL) {
        act_problems_add(problems, 0, 0, "", "out of memory");
        return NULL;
    }
    tab->plan = *plan;
    tab->saved = *plan;
    tab->text = *text;
    act_buffer_init(text, text->limit);
    tab->held = act_plan_gpus(plan);
    tab->focus = ACT_F_parallel_tensor;
    act_estimate_cured(&tab->plan, &tab->result);
    desk->tab[desk->count] = tab;
    desk->current = desk->count++;
    return tab;
}

/* The tab that has the file open, or -1. */
static int find_tab(const struct act_desk *desk, const struct act_stamp *stamp)
{
    for (int i = 0; stamp->known && i < desk->count; i++) {
        const struct act_stamp *other = &desk->tab[i]->stamp;
        if (other->known && other->device == stamp->device && other->inode == stamp->inode)
            return i;
    }
    return -1;
}

static int open_text(struct act_desk *desk, const char *path, struct act_buffer *text,
                     struct act_problems *problems)
{
    struct act_plan plan;
    struct act_stamp stamp = {0};
    char who[ACT_LOCK_WHO];
    if (act_scenario_open_text(path, &plan, &stamp, text, problems) != 0)
        return -1;
    act_settings_apply(&desk->settings, &plan);
    int open = find_tab(desk, &stamp);
    if (open >= 0) {
        desk->current = open;
        return 0;
    }
    if (stamp.known && strlen(path) >= ACT_PATH_MAX) {
        act_problems_add(problems, 0, 0, "", "the path is longer than %d bytes", ACT_PATH_MAX - 1);
        return -1;
    }
    struct act_tab *tab = add_tab(desk, &plan, text, problems);
    if (tab == NULL)
        return -1;
    tab->stamp = stamp;
    tab->noticed = stamp;
    if (!stamp.known) {
        if (strcmp(path, "-") != 0)
            snprintf(tab->preset, sizeof tab->preset, "%s", path);
        return 0;
    }
    snprintf(tab->path, sizeof tab->path, "%s", path);
    if (!act_lock_take(path, &tab->lock, who))
        act_desk_say(desk, ACT_SAY_NOTE, "%s is also open in another actuary (%s)", path, who);
    return 0;
}

int act_desk_open(struct act_desk *desk, const char *path_or_preset, struct act_problems *problems)
{
    struct act_buffer text;
    act_buffer_init(&text, ACT_YAML_SIZE_MAX);
    int result = open_text(desk, path_or_preset, &text, problems);
    act_buffer_free(&text);
    return result;
}

void act_desk_use_decimal(struct act_desk *desk, bool decimal)
{
    desk->settings.decimal = decimal;
    for (int i = 0; i < desk->count; i++) {
        struct act_tab *tab = desk->tab[i];
        tab->plan.decimal_sizes = tab->saved.decimal_sizes = decimal ? 1 : 0;
        act_estimate_cured(&tab->plan, &tab->result); /* its messages name sizes */
    }
}

void act_tab_forget_kept(struct act_tab *tab)
{
    if (tab->kept[0] != '\0')
        act_private_remove(tab->kept);
    tab->kept[0] = '\0';
    act_lock_release(&tab->kept_lock);
}

bool act_tab_modified(const struct act_tab *tab)
{
    return !act_plan_equal(&tab->plan, &tab->saved);
}

bool act_desk_modified(const struct act_desk *desk)
{
    for (int i = 0; i < desk->count; i++) {
        if (act_tab_modified(desk->tab[i]))
            return true;
    }
    for (int i = 0; i < desk->closed_count; i++) {
        if (act_tab_modified(desk->closed[i].tab))
            return true;
    }
    return false;
}

static bool moves_data(enum act_field_id field)
{
    return field == ACT_F_parallel_tensor || field == ACT_F_parallel_pipeline ||
           field == ACT_F_parallel_context;
}

/* After a change of `field`: with GPUs held a change of the layout sets data. Returns what is held
 * then. */
static double hold(const struct act_desk *desk, const struct act_tab *tab, enum act_field_id field,
                   double asked, struct act_plan *plan)
{
    if (moves_data(field) && !desk->hold_data) {
        act_plan_set_gpus(plan, tab->held);
        act_plan_set_given(plan, ACT_F_parallel_data, true);
        return tab->held;
    }
    /* GPUs that no whole replicas make stay held, and are told of. */
    if (field == ACT_F_parallel_gpus && !desk->hold_data && asked > 0)
        return asked;
    if (desk->hold_data || field == ACT_F_parallel_gpus || field == ACT_F_parallel_data)
        return act_plan_gpus(plan);
    return tab->held;
}

int act_desk_try(const struct act_desk *desk, const struct act_tab *tab, enum act_field_id field,
                 double value, const char *text, struct act_plan *ret_plan, double *ret_held,
                 char *why, size_t why_size)
{
    const struct act_field *row = act_field(field);
    struct act_plan plan = tab->plan;
    int kind = act_preset_kind_of_group(row->group);
    if (text != NULL && kind >= 0 && act_group_preset(row->group) == (int)field) {
        struct act_problems problems;
        act_problems_init(&problems, text);
        if (act_preset_apply(&plan, (enum act_preset_kind)kind, text, true, &problems) != 0) {
            snprintf(why, why_size, "%s",
                     problems.count > 0 ? problems.problem[0].text : "no such preset");
            return -1;
        }
    } else if (text != NULL) {
        if (act_field_set_text(&plan, field, text, ACT_PARSE_ARITHMETIC, why, why_size) != 0)
            return -1;
    } else {
        act_field_set_number(&plan, field, value);
    }
    if (act_measured_pin(&plan, act_measured_changed(&plan, field), why, why_size) != 0)
        return -1;
    if (field == ACT_F_parallel_gpus && text != NULL &&
        act_quantity_parse(text, row->unit, ACT_PARSE_ARITHMETIC | ACT_PARSE_INTEGER, &value, why,
                           why_size) != 0)
        value = 0;
    *ret_held = hold(desk, tab, field, value, &plan);
    *ret_plan = plan;
    return 0;
}

bool act_desk_reset(const struct act_desk *desk, const struct act_tab *tab, enum act_field_id field,
                    struct act_plan *ret_plan, double *ret_held)
{
    const struct act_field *row = act_field(field);
    struct act_plan plan = tab->plan;
    struct act_problems problems;
    int kind = act_preset_kind_of_group(row->group);
    int preset = act_group_preset(row->group);
    if (row->kind == ACT_KIND_GPUS || preset == (int)field)
        return false;
    act_field_reset(&plan, field);
    /* A figure of a run takes its factor along. */
    char why[256];
    if (act_measured_pin(&plan, act_measured_changed(&plan, field), why, sizeof why) != 0)
        return false;
    act_problems_init(&problems, "");
    if (kind >= 0 && (row->flags & ACT_FIELD_PRESET) != 0)
        act_preset_apply(&plan, (enum act_preset_kind)kind,
                         act_field_string(&plan, (enum act_field_id)preset), false, &problems);
    *ret_held = hold(desk, tab, field, 0, &plan);
    *ret_plan = plan;
    return true;
}

static void record(struct act_desk *desk, const struct act_plan *plan, double held,
                   const char *label, int merge, int64_t now_ms)
{
    struct act_tab *tab = act_desk_tab(desk);
    if (!act_history_record(&tab->history, &tab->plan, plan, tab->held, held, label, merge,
                            now_ms)) {
        act_desk_say(desk, ACT_SAY_ERROR, "out of memory: this change cannot be undone");
    }
    tab->plan = *plan;
    tab->held = held;
    act_estimate_cured(&tab->plan, &tab->result);
}

void act_desk_commit(struct act_desk *desk, const struct act_plan *plan, double held,
                     enum act_field_id field, bool merge, int64_t now_ms)
{
    struct act_tab *tab = act_desk_tab(desk);
    if (act_plan_equal(&tab->plan, plan)) {
        tab->held = held; /* the count in use, typed: no more is held */
        act_estimate_cured(&tab->plan, &tab->result);
        return;
    }
    char was[28], now[28], label[ACT_LABEL_MAX];
    act_field_text(&tab->plan, field, ACT_STYLE_FILE, was, sizeof was);
    act_field_text(plan, field, ACT_STYLE_FILE, now, sizeof now);
    snprintf(label, sizeof label, "%.34s %s -> %s", act_field(field)->label, was, now);
    record(desk, plan, held, label, merge ? (int)field : -1, now_ms);
}

void act_desk_commit_as(struct act_desk *desk, const struct act_plan *plan, double held,
                        const char *label, int64_t now_ms)
{
    if (!act_plan_equal(&act_desk_tab(desk)->plan, plan))
        record(desk, plan, held, label, -1, now_ms);
}

void act_desk_preview(struct act_desk *desk, const struct act_plan *plan, double held)
{
    struct act_tab *tab = act_desk_tab(desk);
    tab->plan = *plan;
    tab->held = held;
    act_estimate_cured(&tab->plan, &tab->result);
}

void act_desk_leftover(const struct act_tab *tab, char *out, size_t size)
{
    const struct act_parallel_fields *parallel = &tab->plan.parallel;
    double gpus = act_plan_gpus(&tab->plan);
    double replica =
        (double)parallel->tensor * (double)parallel->context * (double)parallel->pipeline;
    char used[32], held[32], next[32], unit[32];
    out[0] = '\0';
    if (tab->held == gpus)
        return;
    act_number_format(gpus, 0, true, used, sizeof used);
    act_number_format(tab->held, 0, true, held, sizeof held);
    act_number_format(gpus + replica, 0, true, next, sizeof next);
    act_number_format(replica, 0, true, unit, sizeof unit);
    if (gpus > tab->held)
        snprintf(out, size, "TP x PP x CP takes %s GPUs, more than the %s held", unit, held);
    else
        snprintf(out, size, "%s of %s GPUs used, %s a replica: %s or %s are whole", used, held,
                 unit, used, next);
}

void act_desk_suggest_path(const struct act_tab *tab, char *out, size_t size)
{
    if (tab->path[0] != '\0') {
        snprintf(out, size, "%s", tab->path);
        return;
    }
    char stem[64];
    size_t at = 0;
    for (const char *from = tab->plan.scenario.name; *from != '\0' && at < sizeof stem - 1;
         from++) {
        if (act_is_letter(*from) || (*from >= '0' && *from <= '9') || *from == '.')
            stem[at++] = act_lower(*from);
        else if (at > 0 && stem[at - 1] != '-')
            stem[at++] = '-';
    }
    while (at > 0 && (stem[at - 1] == '-' || stem[at - 1] == '.'))
        at--;
    stem[at] = '\0';
    const char *start = stem + strspn(stem, ".");
    snprintf(out, size, "%s.yaml", *start != '\0' ? start : "scenario");
}

void act_desk_summarise(const struct act_plan *plan, double held, struct act_summary *ret)
{
    static struct act_result result; /* large; the session is single-threaded */
    act_estimate(plan, &result);
    *ret = (struct act_summary){.valid = true,
                                .fit = result.fit,
                                .peak = result.memory.peak,
                                .usable = result.memory.usable,
                                .days = result.time.calendar_days,
                                .cost = result.cost.known ? result.cost.total : 0,
                                .gpus = result.layout.gpus,
                                .priced = result.cost.known,
                                .errors = result.errors};
    if (result.layout.gpus > held) {
        char gpus[32];
        act_number_format(result.layout.gpus, 0, true, gpus, sizeof gpus);
        snprintf(ret->note, sizeof ret->note, "%.20s GPUs", gpus);
        return;
    }
    for (int i = 0; i < result.checks.count; i++) {
        const struct act_check *check = &result.checks.check[i];
        bool outcome = strncmp(check->rule, "memory", 6) == 0; /* the figures tell that */
        if (check->level != ACT_NOTE && !outcome) {
            snprintf(ret->note, sizeof ret->note, "%s", check->brief);
            break;
        }
    }
}

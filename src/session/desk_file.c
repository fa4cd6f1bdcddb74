/* A tab and its file: saving, reading again, what others do to it meanwhile. */
#include "io/patch.h"
#include "io/scenario.h"
#include "io/yaml.h"
#include "session/desk.h"
#include <stdio.h>
#include <string.h>

int act_tab_write(const struct act_tab *tab, struct act_buffer *out, bool *ret_anew)
{
    bool patched =
        tab->text.size > 0 && act_patch(tab->text.text, tab->text.size, &tab->plan, out) == 0;
    if (ret_anew != NULL)
        *ret_anew = !patched;
    if (patched)
        return 0;
    return out->failed ? -1 : act_scenario_write(&tab->plan, out);
}

bool act_tab_loses_text(const struct act_tab *tab)
{
    struct act_buffer text;
    bool anew = false;
    if (tab->text.size == 0)
        return false;
    act_buffer_init(&text, ACT_YAML_SIZE_MAX);
    int result = act_tab_write(tab, &text, &anew);
    act_buffer_free(&text);
    return anew || result != 0;
}

/* The tab's file is now `path`, and others are told. */
static void move_to(struct act_desk *desk, struct act_tab *tab, const char *path)
{
    char name[ACT_PATH_MAX], who[ACT_LOCK_WHO];
    snprintf(name, sizeof name, "%s", path);
    bool other = true;
    if (strcmp(tab->path, name) != 0 || !tab->lock.held) {
        act_lock_release(&tab->lock);
        other = act_lock_take(name, &tab->lock, who);
    }
    memcpy(tab->path, name, sizeof tab->path);
    if (other)
        act_desk_say(desk, ACT_SAY_NOTE, "saved %s", tab->path);
    else
        act_desk_say(desk, ACT_SAY_NOTE, "saved %s, which is also open in another actuary (%s)",
                     tab->path, who);
}

enum act_save_result act_desk_save(struct act_desk *desk, const char *path, bool force)
{
    struct act_tab *tab = act_desk_tab(desk);
    const char *target = path != NULL ? path : tab->path;
    struct act_buffer text;
    act_buffer_init(&text, ACT_YAML_SIZE_MAX);
    char why[ACT_MESSAGE_MAX - 40] = "out of memory";
    enum act_save_result result = ACT_SAVE_FAILED;
    bool own = path == NULL || strcmp(path, tab->path) == 0;
    struct act_stamp stamp = own ? tab->stamp : (struct act_stamp){0};
    bool anew = false, had_text = tab->text.size > 0;
    if (act_tab_write(tab, &text, &anew) == 0)
        result = act_save(target, text.text, text.size, &stamp, force, why, sizeof why);
    if (result != ACT_SAVED) {
        act_buffer_free(&text);
        act_desk_say(desk, ACT_SAY_ERROR, "not saved: %s", why);
        return result;
    }
    act_buffer_free(&tab->text);
    tab->text = text;
    tab->stamp = stamp;
    tab->noticed = stamp;
    tab->saved = tab->plan;
    act_tab_forget_kept(tab);
    move_to(desk, tab, target);
    if (!own && anew && had_text) /* for its own file that was asked */
        act_desk_say(desk, ACT_SAY_NOTE, "saved %s, written anew: without comments and layout",
                     tab->path);
    return ACT_SAVED;
}

int act_desk_reload(struct act_desk *desk, struct act_problems *problems, int64_t now_ms)
{
    struct act_tab *tab = act_desk_tab(desk);
    struct act_plan plan;
    struct act_stamp stamp = {0};
    struct act_buffer text;
    act_buffer_init(&text, ACT_YAML_SIZE_MAX);
    int result = act_scenario_open_text(tab->path, &plan, &stamp, &text, problems);
    if (result == 0 && !stamp.known) { /* a preset of that name, but no file any more */
        act_problems_init(problems, tab->path);
        act_problems_add(problems, 0, 0, "", "is gone from the disk");
        result = -1;
    }
    if (result != 0) {
        act_buffer_free(&text);
        return -1;
    }
    act_desk_commit_as(desk, &plan, act_plan_gpus(&plan), "reload from disk", now_ms);
    act_buffer_free(&tab->text);
    tab->text = text;
    tab->saved = plan;
    tab->stamp = stamp;
    tab->noticed = stamp;
    return 0;
}

bool act_desk_watch(struct act_desk *desk)
{
    bool said = false;
    for (int i = 0; i < desk->count; i++) {
        struct act_tab *tab = desk->tab[i];
        struct act_stamp now;
        if (!tab->stamp.known)
            continue;
        act_stamp_read(tab->path, &now);
        if (act_stamp_equal(&now, &tab->stamp) || act_stamp_equal(&now, &tab->noticed)) {
            tab->noticed = now;
            continue;
        }
        tab->noticed = now;
        act_desk_say(desk, ACT_SAY_NOTE,
                     now.known ? "%s was changed on disk by another program; s offers to read it "
                                 "again"
                               : "%s is gone from the disk; s writes it anew",
                     tab->path);
        said = true;
    }
    return said;
}

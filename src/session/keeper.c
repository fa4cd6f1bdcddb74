/* Keeping work while the planner runs: what is due when. */
#include "io/private.h"
#include "io/problem.h"
#include "session/keep.h"
#include <errno.h>
#include <unistd.h>

enum { POLL_MS = 50, AGAIN_MS = 10000 };

/* Its kept file is not what it should be: older, missing, or of no use any more. */
static bool is_behind(const struct act_tab *tab)
{
    if (!act_tab_modified(tab))
        return tab->kept[0] != '\0';
    return tab->kept[0] == '\0' || !act_plan_equal(&tab->plan, &tab->kept_plan);
}

/* Closed tabs can be brought back: their work is kept too. */
static struct act_tab *tab_at(const struct act_desk *desk, int index)
{
    if (index < desk->count)
        return desk->tab[index];
    return index < desk->count + desk->closed_count ? desk->closed[index - desk->count].tab : NULL;
}

static struct act_tab *find_behind(const struct act_desk *desk)
{
    struct act_tab *tab;
    for (int i = 0; (tab = tab_at(desk, i)) != NULL; i++)
        if (is_behind(tab))
            return tab;
    return NULL;
}

void act_keeper_note(struct act_keeper *keeper, const struct act_desk *desk, int64_t now_ms)
{
    keeper->touched = now_ms;
    if (find_behind(desk) == NULL)
        keeper->changed = 0;
    else if (keeper->changed == 0)
        keeper->changed = now_ms;
}

static int64_t due(const struct act_keeper *keeper)
{
    int64_t quiet = keeper->touched + ACT_KEEP_QUIET_MS;
    int64_t busy = keeper->changed + ACT_KEEP_BUSY_MS;
    int64_t time = quiet < busy ? quiet : busy;
    return time > keeper->again ? time : keeper->again;
}

int act_keeper_patience(const struct act_keeper *keeper, int64_t now_ms)
{
    if (keeper->writing != NULL)
        return POLL_MS;
    if (keeper->changed == 0)
        return -1;
    int64_t left = due(keeper) - now_ms;
    return left > 0 ? (int)left : 0;
}

/* Tells, once until it works again. */
static bool fail(struct act_keeper *keeper, struct act_desk *desk, int error, int64_t now_ms)
{
    bool said = !keeper->failing;
    keeper->failing = true;
    keeper->again = now_ms + AGAIN_MS;
    if (said)
        act_desk_say(desk, ACT_SAY_ERROR, "unsaved work cannot be kept for a crash: %s",
                     act_errno_text(error));
    return said;
}

/* The work of a tab is not kept after all. */
static void forget_try(struct act_tab *tab)
{
    tab->kept_plan = (struct act_plan){0}; /* like no plan */
    if (tab->kept[0] != '\0' && access(tab->kept, F_OK) != 0)
        act_tab_forget_kept(tab);
}

/* How the process beside fares. Returns whether something was said. */
static bool collect(struct act_keeper *keeper, struct act_desk *desk, int64_t now_ms)
{
    int error;
    struct act_tab *tab = keeper->writing;
    switch (act_private_finish(false, &error)) {
    case ACT_PRIVATE_BUSY:
        return false;
    case ACT_PRIVATE_FAILED:
        keeper->writing = NULL;
        for (int i = 0; tab_at(desk, i) != NULL; i++)
            if (tab_at(desk, i) == tab)
                forget_try(tab);
        act_keeper_note(keeper, desk, now_ms);
        return fail(keeper, desk, error, now_ms);
    case ACT_PRIVATE_DONE:
        keeper->failing = false;
        break;
    case ACT_PRIVATE_IDLE: /* somebody has waited for it */
        break;
    }
    keeper->writing = NULL;
    return false;
}

bool act_keeper_run(struct act_keeper *keeper, struct act_desk *desk, int64_t now_ms)
{
    bool said = collect(keeper, desk, now_ms);
    struct act_tab *tab;
    if (keeper->writing != NULL || keeper->changed == 0 || now_ms < due(keeper))
        return said;
    while ((tab = find_behind(desk)) != NULL && !act_tab_modified(tab))
        act_tab_forget_kept(tab);
    if (tab != NULL && act_keep_start(tab) != 0) {
        int error = errno;
        forget_try(tab);
        return fail(keeper, desk, error, now_ms) || said;
    }
    keeper->writing = tab;
    if (find_behind(desk) == NULL)
        keeper->changed = 0;
    return said;
}

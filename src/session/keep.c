#include "session/keep.h"
#include "io/private.h"
#include "io/scenario.h"
#include "io/state.h"
#include "io/yaml.h"
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* First line of kept work on a file, before that file's path. */
static const char head[] = "# unsaved work on ";
static const char mark[] = "\xEF\xBB\xBF"; /* byte order mark: only at the very start */

enum { MARK = sizeof mark - 1, HEAD = sizeof head - 1 };

bool act_keep_folder(char *out, size_t size)
{
    return act_state_folder("autosave", out, size);
}

static bool make_folder(char *out, size_t size)
{
    return act_keep_folder(out, size) && act_state_make(out);
}

/* Gives the tab a file of its own in the folder, and its lock. Never one that is there: it may be
 * all that is left of other work. */
static bool claim(struct act_tab *tab, const char *folder)
{
    enum { TRIES = 10000 };
    char name[ACT_PATH_MAX], path[2 * ACT_PATH_MAX], who[ACT_LOCK_WHO];
    act_desk_suggest_path(tab, name, sizeof name);
    const char *base = strrchr(name, '/') != NULL ? strrchr(name, '/') + 1 : name;
    size_t stem = strcspn(base, ".");
    for (int number = 1; number <= TRIES; number++) {
        int length = snprintf(path, sizeof path, "%s/%.*s-%d.yaml", folder,
                              (int)(stem < 60 ? stem : 60), base, number);
        if (length < 0 || length >= ACT_PATH_MAX)
            return false;
        if (access(path, F_OK) == 0 || !act_lock_take(path, &tab->kept_lock, who))
            continue;
        if (access(path, F_OK) == 0) { /* came and was left in between */
            act_lock_release(&tab->kept_lock);
            continue;
        }
        memcpy(tab->kept, path, (size_t)length + 1);
        return true;
    }
    return false;
}

/* The work as a file's text, headed by what it is work on. */
static bool write_work(const struct act_tab *tab, struct act_buffer *out)
{
    struct act_buffer text;
    act_buffer_init(&text, ACT_YAML_SIZE_MAX);
    bool fine = act_tab_write(tab, &text, NULL) == 0;
    char *path = tab->path[0] != '\0' ? realpath(tab->path, NULL) : NULL;
    size_t skip = fine && text.size >= MARK && memcmp(text.text, mark, MARK) == 0 ? MARK : 0;
    if (fine)
        act_buffer_add(out, text.text, skip);
    char shown[ACT_PATH_MAX];
    if (path != NULL) /* one that cannot stand in a line is left out */
        act_printable(path, strlen(path), shown, sizeof shown);
    if (path != NULL && strcmp(path, shown) == 0)
        act_buffer_printf(out, "%s%s\n", head, path);
    if (fine)
        act_buffer_add(out, text.text + skip, text.size - skip);
    free(path);
    act_buffer_free(&text);
    return fine && !out->failed;
}

static bool keep(struct act_tab *tab, const char *folder)
{
    struct act_buffer text;
    act_buffer_init(&text, 2 * (size_t)ACT_YAML_SIZE_MAX);
    bool fine = (tab->kept[0] != '\0' || claim(tab, folder)) && write_work(tab, &text) &&
                act_private_write(tab->kept, text.text, text.size) == 0;
    act_buffer_free(&text);
    if (fine)
        tab->kept_plan = tab->plan;
    return fine;
}

int act_keep_start(struct act_tab *tab)
{
    char folder[ACT_PATH_MAX];
    struct act_buffer text;
    errno = ENOENT;
    if (!make_folder(folder, sizeof folder) || (tab->kept[0] == '\0' && !claim(tab, folder)))
        return -1;
    act_buffer_init(&text, 2 * (size_t)ACT_YAML_SIZE_MAX);
    errno = ENOMEM;
    bool fine = write_work(tab, &text) && act_private_start(tab->kept, text.text, text.size);
    int error = errno;
    act_buffer_free(&text);
    errno = error;
    if (fine)
        tab->kept_plan = tab->plan;
    return fine ? 0 : -1;
}

int act_keep_all(struct act_desk *desk, char *where, size_t where_size)
{
    char folder[ACT_PATH_MAX];
    int count = 0, error;
    bool failed = false;
    act_private_finish(true, &error);
    if (!act_desk_modified(desk))
        return 0;
    snprintf(where, where_size, "XDG_STATE_HOME or HOME: neither is set");
    if (!act_keep_folder(folder, sizeof folder))
        return -1;
    snprintf(where, where_size, "%s", folder);
    if (!make_folder(folder, sizeof folder))
        return -1;
    for (int i = 0; i < desk->count + desk->closed_count; i++) {
        struct act_tab *tab = i < desk->count ? desk->tab[i] : desk->closed[i - desk->count].tab;
        if (!act_tab_modified(tab))
            continue;
        if (keep(tab, folder))
            count++;
        else
            failed = true;
    }
    return failed ? -1 : count;
}

/* ---- Finding it again --------------------------------------------------------------------------
 */

/* Takes the heading off the text, and what it tells into the tab. */
static void take_heading(struct act_tab *tab)
{
    struct act_buffer *text = &tab->text;
    size_t at = text->size >= MARK && memcmp(text->text, mark, MARK) == 0 ? MARK : 0;
    if (text->size < at + HEAD || memcmp(text->text + at, head, HEAD) != 0)
        return;
    size_t length = strcspn(text->text + at, "\n");
    if (text->text[at + length] != '\n' || length - HEAD >= ACT_PATH_MAX ||
        text->text[at + HEAD] != '/')
        return;
    char who[ACT_LOCK_WHO];
    snprintf(tab->path, sizeof tab->path, "%.*s", (int)(length - HEAD), text->text + at + HEAD);
    act_lock_take(tab->path, &tab->lock, who);
    size_t rest = at + length + 1;
    memmove(text->text + at, text->text + rest, text->size - rest + 1);
    text->size -= rest - at;
}

/* Saving will patch what the file it is work on says now: the work itself may have been written
 * anew, without its comments. */
static void take_text(struct act_tab *tab)
{
    struct act_plan plan;
    struct act_stamp stamp = {0};
    struct act_problems problems;
    struct act_buffer text;
    act_problems_init(&problems, tab->path);
    act_buffer_init(&text, ACT_YAML_SIZE_MAX);
    if (tab->path[0] != '\0' &&
        act_scenario_open_text(tab->path, &plan, &stamp, &text, &problems) == 0 && stamp.known) {
        act_buffer_free(&tab->text);
        tab->text = text;
    } else {
        act_buffer_free(&text);
    }
}

int act_keep_open(struct act_desk *desk, const char *path, struct act_problems *problems)
{
    if (act_desk_open(desk, path, problems) != 0)
        return -1;
    struct act_tab *tab = act_desk_tab(desk);
    snprintf(tab->kept, sizeof tab->kept, "%s", path);
    tab->kept_plan = tab->plan;
    tab->kept_lock = tab->lock;
    tab->lock = (struct act_lock){.file = -1};
    tab->path[0] = '\0';
    tab->stamp = (struct act_stamp){0};
    act_plan_init(&tab->saved); /* nothing of it is saved */
    take_heading(tab);
    take_text(tab);
    return 0;
}

void act_keep_list(bool (*add)(void *context, const char *path), void *context)
{
    char folder[ACT_PATH_MAX], path[2 * ACT_PATH_MAX];
    struct dirent *entry;
    if (!act_keep_folder(folder, sizeof folder))
        return;
    DIR *open = opendir(folder);
    for (int i = 0; open != NULL && i < ACT_KEPT_MAX && (entry = readdir(open)) != NULL;) {
        size_t length = strlen(entry->d_name);
        if (entry->d_name[0] == '.' || length < 6 ||
            strcmp(entry->d_name + length - 5, ".yaml") != 0)
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (act_lock_is_held(path))
            continue;
        i++;
        if (!add(context, path))
            break;
    }
    if (open != NULL)
        closedir(open);
}

static bool count_one(void *context, const char *path)
{
    (void)path;
    ++*(int *)context;
    return true;
}

int act_keep_count(void)
{
    int count = 0;
    act_keep_list(count_one, &count);
    return count;
}

bool act_keep_is_kept(const char *path)
{
    char folder[ACT_PATH_MAX];
    if (!act_keep_folder(folder, sizeof folder))
        return false;
    size_t length = strlen(folder);
    return strncmp(path, folder, length) == 0 && path[length] == '/';
}

#include "session/keep.h"
#include "io/scenario.h"
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { TEXT_LIMIT = 256 * 1024 };

bool act_keep_folder(char *out, size_t size)
{
    const char *state = getenv("XDG_STATE_HOME");
    const char *home = getenv("HOME");
    int length;
    if (state != NULL && state[0] == '/')
        length = snprintf(out, size, "%s/actuary/autosave", state);
    else if (home != NULL && home[0] == '/')
        length = snprintf(out, size, "%s/.local/state/actuary/autosave", home);
    else
        return false;
    return length > 0 && (size_t)length < size;
}

/* The folder and those above it that are missing. */
static bool make_folder(const char *path)
{
    char part[ACT_PATH_MAX];
    snprintf(part, sizeof part, "%s", path);
    for (char *at = part + 1; *at != '\0'; at++) {
        if (*at != '/')
            continue;
        *at = '\0';
        if (mkdir(part, 0700) != 0 && errno != EEXIST)
            return false;
        *at = '/';
    }
    return mkdir(part, 0700) == 0 || errno == EEXIST;
}

/* Never over a file that is there: it may be all that is left of other work. */
static bool keep(const struct act_tab *tab, const char *folder)
{
    enum { TRIES = 10000 };
    char name[ACT_PATH_MAX], path[2 * ACT_PATH_MAX], why[256];
    struct act_buffer text;
    act_desk_suggest_path(tab, name, sizeof name);
    const char *base = strrchr(name, '/') != NULL ? strrchr(name, '/') + 1 : name;
    size_t stem = strcspn(base, ".");
    act_buffer_init(&text, TEXT_LIMIT);
    enum act_save_result result = ACT_SAVE_FAILED;
    if (act_scenario_write(&tab->plan, &text) == 0 && tab->kept[0] != '\0') {
        struct act_stamp stamp = {0};
        result = act_save(tab->kept, text.text, text.size, &stamp, true, why, sizeof why);
    } else if (!text.failed) {
        result = ACT_SAVE_CHANGED;
        for (int number = 1; number <= TRIES && result == ACT_SAVE_CHANGED; number++) {
            struct act_stamp none = {0};
            int length = snprintf(path, sizeof path, "%s/%.*s-%d.yaml", folder,
                                  (int)(stem < 60 ? stem : 60), base, number);
            result = length < 0 || length >= ACT_PATH_MAX
                         ? ACT_SAVE_FAILED
                         : act_save(path, text.text, text.size, &none, false, why, sizeof why);
        }
    }
    act_buffer_free(&text);
    return result == ACT_SAVED;
}

int act_keep_all(const struct act_desk *desk, char *where, size_t where_size)
{
    char folder[ACT_PATH_MAX];
    int count = 0;
    bool failed = false;
    if (!act_desk_modified(desk))
        return 0;
    snprintf(where, where_size, "XDG_STATE_HOME or HOME: neither is set");
    if (!act_keep_folder(folder, sizeof folder))
        return -1;
    snprintf(where, where_size, "%s", folder);
    if (!make_folder(folder))
        return -1;
    for (int i = 0; i < desk->count + desk->closed_count; i++) {
        const struct act_tab *tab =
            i < desk->count ? desk->tab[i] : desk->closed[i - desk->count].tab;
        if (!act_tab_modified(tab))
            continue;
        if (keep(tab, folder))
            count++;
        else
            failed = true;
    }
    return failed ? -1 : count;
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

void act_keep_discard(struct act_tab *tab)
{
    if (tab->kept[0] != '\0')
        unlink(tab->kept);
    tab->kept[0] = '\0';
}

bool act_keep_is_kept(const char *path)
{
    char folder[ACT_PATH_MAX];
    if (!act_keep_folder(folder, sizeof folder))
        return false;
    size_t length = strlen(folder);
    return strncmp(path, folder, length) == 0 && path[length] == '/';
}

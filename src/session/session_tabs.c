#include "session/session_tabs.h"
#include "io/file.h"
#include "io/presets.h"
#include "io/session_file.h"
#include "io/yaml.h"
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

_Static_assert((int)ACT_SESSION_OPEN_MAX == (int)ACT_TABS_MAX, "a session holds what can be open");

/* Bytes of the folder part of a path, with its last slash; 0: the present folder. */
static size_t folder_size(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? (size_t)(slash - path) + 1 : 0;
}

/* Where an entry of the session `path` is to be opened. false when that is too long. */
static bool locate(const char *path, const char *entry, char *out, size_t size)
{
    struct stat state;
    int folder = entry[0] == '/' ? 0 : (int)folder_size(path);
    int length = snprintf(out, size, "%.*s%s", folder, path, entry);
    if (length < 0 || (size_t)length >= size)
        return false;
    if (strchr(entry, '/') == NULL && stat(out, &state) != 0 &&
        act_preset_find(ACT_SCENARIOS, entry) >= 0)
        snprintf(out, size, "%s", entry);
    return true;
}

/* Opens all scenarios; on the first problem none. */
static int open_all(struct act_desk *desk, const char *path, const struct act_session_file *session,
                    struct act_problems *problems)
{
    int before = desk->count, current = desk->current, first = -1, pinned = -1;
    for (int i = 0; i < session->count; i++) {
        struct act_problems inside;
        char file[ACT_PATH_MAX], text[300] = "the path is too long";
        act_problems_init(&inside, session->open[i].path);
        bool located = locate(path, session->open[i].path, file, sizeof file);
        if (located && act_desk_open(desk, file, &inside) == 0) {
            first = first < 0 ? desk->current : first;
            pinned = i == session->pinned ? desk->current : pinned;
            continue;
        }
        if (located && inside.count > 0)
            act_problem_text(&inside, 0, text, sizeof text);
        act_problems_add(problems, session->open[i].line, session->open[i].column, "open", "%s",
                         text);
        while (desk->count > before)
            act_tab_free(desk->tab[--desk->count]);
        desk->current = current;
        return -1;
    }
    desk->current = first;
    if (pinned >= 0)
        desk->pinned = desk->tab[pinned];
    return 0;
}

/* Brings the file back when it is one of a tab that was closed. */
static bool bring_back(struct act_desk *desk, const char *path)
{
    struct act_stamp stamp;
    act_stamp_read(path, &stamp);
    for (int i = desk->closed_count - 1; stamp.known && i >= 0; i--) {
        const struct act_stamp *other = &desk->closed[i].tab->stamp;
        if (other->known && other->device == stamp.device && other->inode == stamp.inode)
            return act_desk_reopen(desk, i);
    }
    return false;
}

int act_session_open(struct act_desk *desk, const char *path_or_preset,
                     struct act_problems *problems)
{
    struct act_buffer text;
    struct act_stamp stamp;
    char why[256];
    enum act_session_read read = ACT_SESSION_OTHER;
    int result = -1;
    if (strcmp(path_or_preset, "-") == 0) /* it can be read once */
        return act_desk_open(desk, path_or_preset, problems);
    if (bring_back(desk, path_or_preset))
        return 0;
    struct act_session_file *session = malloc(sizeof *session);
    act_buffer_init(&text, ACT_YAML_SIZE_MAX);
    if (session != NULL && strlen(path_or_preset) < ACT_PATH_MAX &&
        act_file_read(path_or_preset, &text, &stamp, why, sizeof why) == 0)
        read = act_session_parse(text.text != NULL ? text.text : "", text.size, session, problems);
    act_buffer_free(&text);
    if (read == ACT_SESSION_OTHER)
        result = act_desk_open(desk, path_or_preset, problems);
    else if (read == ACT_SESSION_OK)
        result = open_all(desk, path_or_preset, session, problems);
    if (read == ACT_SESSION_OK && result == 0) {
        snprintf(desk->session, sizeof desk->session, "%s", path_or_preset);
        desk->session_stamp = stamp;
    }
    free(session);
    return result;
}

/* The folder of a path, resolved. */
static bool real_folder(const char *path, char out[PATH_MAX])
{
    char folder[ACT_PATH_MAX + 1];
    size_t size = folder_size(path);
    snprintf(folder, sizeof folder, "%.*s", (int)size, path);
    return realpath(size > 0 ? folder : ".", out) != NULL;
}

/* `file` as seen from the folder of `session`. */
static bool relative(const char *session, const char *file, char *out, size_t size)
{
    char from[PATH_MAX], to[PATH_MAX];
    if (!real_folder(session, from) || !real_folder(file, to))
        return false;
    size_t shared = 0; /* bytes of the folders both lie in, up to where a name ends */
    for (size_t i = 0;; i++) {
        bool ends_from = from[i] == '\0' || from[i] == '/', ends_to = to[i] == '\0' || to[i] == '/';
        if (ends_from && ends_to)
            shared = i;
        if (from[i] != to[i] || from[i] == '\0')
            break;
    }
    struct act_buffer text;
    act_buffer_init(&text, size - 1);
    for (const char *at = from + shared; *at != '\0'; at++) {
        if (*at == '/' && at[1] != '\0')
            act_buffer_puts(&text, "../");
    }
    const char *rest = to + shared;
    rest += *rest == '/';
    act_buffer_printf(&text, "%s%s%s", rest, *rest != '\0' ? "/" : "", file + folder_size(file));
    bool fits = !text.failed;
    if (fits)
        snprintf(out, size, "%s", text.text);
    act_buffer_free(&text);
    return fits;
}

/* What the session says of a tab. */
static bool name_tab(const struct act_tab *tab, const char *session, char *out, size_t size)
{
    if (tab->path[0] != '\0')
        return relative(session, tab->path, out, size);
    if (tab->preset[0] == '\0' || act_tab_modified(tab))
        return false;
    snprintf(out, size, "%s", tab->preset);
    return true;
}

/* The open scenario that the path is the file of, by whatever name; NULL. */
static const struct act_tab *tab_of_file(const struct act_desk *desk, const char *path)
{
    struct stat file;

    if (stat(path, &file) != 0)
        return NULL;
    for (int i = 0; i < desk->count; i++) {
        const struct act_stamp *stamp = &desk->tab[i]->stamp;
        if (stamp->known && stamp->device == (uint64_t)file.st_dev &&
            stamp->inode == (uint64_t)file.st_ino)
            return desk->tab[i];
    }
    return NULL;
}

static enum act_save_result save(struct act_desk *desk, const char *path, bool force,
                                 struct act_session_file *session)
{
    struct act_buffer text;
    char why[ACT_MESSAGE_MAX - 40];
    session->pinned = desk->pinned != NULL ? act_desk_index(desk, desk->pinned) : -1;
    session->count = 0;
    for (int i = 0; i < desk->count; i++) {
        const struct act_tab *tab = desk->tab[i];
        if (!name_tab(tab, path, session->open[session->count++].path, ACT_SESSION_PATH_MAX)) {
            desk->current = i;
            act_desk_say(desk, ACT_SAY_ERROR,
                         tab->path[0] != '\0' ? "session not saved: %s cannot be reached from there"
                                              : "session not saved: %s has no file yet; s saves it",
                         tab->path[0] != '\0' ? tab->path : tab->plan.scenario.name);
            return ACT_SAVE_FAILED;
        }
    }
    const struct act_tab *taken = tab_of_file(desk, path);
    if (taken != NULL) {
        act_desk_say(desk, ACT_SAY_ERROR, "session not saved: %s is the file of an open scenario",
                     path);
        return ACT_SAVE_FAILED;
    }
    bool own = strcmp(path, desk->session) == 0;
    struct act_stamp stamp = own ? desk->session_stamp : (struct act_stamp){0};
    enum act_save_result result = ACT_SAVE_FAILED;
    act_buffer_init(&text, ACT_YAML_SIZE_MAX);
    if (act_session_write(session, &text, why, sizeof why) == 0)
        result = act_save(path, text.text, text.size, &stamp, force, why, sizeof why);
    act_buffer_free(&text);
    if (result != ACT_SAVED) {
        act_desk_say(desk, ACT_SAY_ERROR, "session not saved: %s", why);
        return result;
    }
    if (!own)
        snprintf(desk->session, sizeof desk->session, "%s", path);
    desk->session_stamp = stamp;
    int unsaved = 0;
    for (int i = 0; i < desk->count; i++)
        unsaved += act_tab_modified(desk->tab[i]);
    act_desk_say(desk, ACT_SAY_NOTE, "saved %s: %d scenario%s%s", path, desk->count,
                 desk->count == 1 ? "" : "s",
                 unsaved > 0 ? "; changes in them are saved with s" : "");
    return ACT_SAVED;
}

enum act_save_result act_session_save(struct act_desk *desk, const char *path, bool force)
{
    struct act_session_file *session = calloc(1, sizeof *session);
    if (session == NULL || strlen(path) >= ACT_PATH_MAX) {
        act_desk_say(desk, ACT_SAY_ERROR, "session not saved: %s",
                     session == NULL ? "out of memory" : "the path is too long");
        free(session);
        return ACT_SAVE_FAILED;
    }
    enum act_save_result result = save(desk, path, force, session);
    free(session);
    return result;
}

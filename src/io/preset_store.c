#include "io/preset_store.h"

#include "io/embedded.h"
#include "io/file.h"
#include "io/nearest.h"
#include "io/yaml.h"
#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *act_preset_kind_name(enum act_preset_kind kind)
{
    static const char *const names[] = {"models", "frameworks", "hardware", "scenarios"};
    return names[kind];
}

enum { NAME_ROOM = 64, PATH_ROOM = 4096 };

struct entry {
    struct act_preset_file file;
    char *own_name; /* of a user's preset */
    char *own_text;
    int rank; /* of the folder it was found in: the first one of a name counts */
};

static struct {
    bool ready;
    struct entry *entries[ACT_PRESET_KINDS];
    const char **names[ACT_PRESET_KINDS]; /* NULL-terminated */
    int count[ACT_PRESET_KINDS];
} store;

static void free_entry(struct entry *entry)
{
    free(entry->own_name);
    free(entry->file.path);
    free(entry->own_text);
    free(entry->file.plan);
}

void act_presets_free(void)
{
    for (int kind = 0; kind < ACT_PRESET_KINDS; kind++) {
        for (int i = 0; i < store.count[kind]; i++)
            free_entry(&store.entries[kind][i]);
        free(store.entries[kind]);
        free(store.names[kind]);
        store.entries[kind] = NULL;
        store.names[kind] = NULL;
        store.count[kind] = 0;
    }
    store.ready = false;
}

/* "NAME.yaml" with a name of [a-z0-9._-]; writes the name. */
static bool name_of_file(const char *file, char *out)
{
    static const char suffix[] = ".yaml";
    size_t size = strlen(file);
    if (size <= sizeof suffix - 1 || file[0] == '.' ||
        strcmp(file + size - (sizeof suffix - 1), suffix) != 0)
        return false;
    size -= sizeof suffix - 1;
    if (size >= NAME_ROOM || strspn(file, "abcdefghijklmnopqrstuvwxyz0123456789._-") < size)
        return false;
    memcpy(out, file, size);
    out[size] = '\0';
    return true;
}

static void add_user(struct entry **entries, int *count, const char *path, const char *name,
                     int rank)
{
    struct entry *grown = realloc(*entries, ((size_t)*count + 1) * sizeof **entries);
    if (!grown)
        return;
    *entries = grown;
    struct entry entry = {.own_name = strdup(name), .rank = rank};
    entry.file.path = strdup(path);
    if (!entry.own_name || !entry.file.path) {
        free_entry(&entry);
        return;
    }
    entry.file.name = entry.own_name;
    grown[(*count)++] = entry;
}

static void scan_folder(const char *base, enum act_preset_kind kind, int rank,
                        struct entry **entries, int *count)
{
    char path[PATH_ROOM];
    int size =
        snprintf(path, sizeof path, "%s/actuary/presets/%s", base, act_preset_kind_name(kind));
    DIR *folder = size > 0 && size < PATH_ROOM - 2 * NAME_ROOM ? opendir(path) : NULL;
    if (!folder)
        return;
    const struct dirent *found;
    while (*count < ACT_USER_PRESETS_MAX && (found = readdir(folder))) {
        char name[NAME_ROOM];
        if (!name_of_file(found->d_name, name))
            continue;
        snprintf(path + size, sizeof path - (size_t)size, "/%s.yaml", name);
        add_user(entries, count, path, name, rank);
    }
    closedir(folder);
}

/* The user's folders in the order in which they count; values that are not absolute are passed
 * over, as the XDG base directory specification has it. */
static void scan_user(enum act_preset_kind kind, struct entry **entries, int *count)
{
    static const char *const home[][2] = {{"XDG_CONFIG_HOME", ".config"},
                                          {"XDG_DATA_HOME", ".local/share"}};
    int rank = 0;
    for (int i = 0; i < 2; i++, rank++) {
        const char *base = getenv(home[i][0]);
        const char *user = getenv("HOME");
        char path[PATH_ROOM];
        if (base && base[0] == '/')
            scan_folder(base, kind, rank, entries, count);
        else if (user && user[0] == '/' &&
                 snprintf(path, sizeof path, "%s/%s", user, home[i][1]) < PATH_ROOM)
            scan_folder(path, kind, rank, entries, count);
    }
    const char *list = getenv("XDG_DATA_DIRS");
    if (!list || !*list)
        list = "/usr/local/share:/usr/share";
    while (*list) {
        size_t size = strcspn(list, ":");
        char path[PATH_ROOM];
        if (list[0] == '/' && size < sizeof path) {
            memcpy(path, list, size);
            path[size] = '\0';
            scan_folder(path, kind, rank++, entries, count);
        }
        list += size + (list[size] == ':');
    }
}

static int compare_entries(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    int order = strcmp(x->file.name, y->file.name);
    return order ? order : x->rank - y->rank;
}

/* Sorts and keeps the first of each name. Returns how many are left. */
static int sort_entries(struct entry *entries, int count)
{
    if (count == 0)
        return 0;
    qsort(entries, (size_t)count, sizeof *entries, compare_entries);
    int kept = 1;
    for (int i = 1; i < count; i++) {
        if (strcmp(entries[i].file.name, entries[kept - 1].file.name) == 0)
            free_entry(&entries[i]);
        else
            entries[kept++] = entries[i];
    }
    return kept;
}

static void load_kind(enum act_preset_kind kind)
{
    struct entry *entries = NULL;
    int count = 0;
    scan_user(kind, &entries, &count);
    int compiled = act_embedded_counts[kind];
    struct entry *all = realloc(entries, (size_t)(count + compiled + 1) * sizeof *entries);
    if (!all) {
        for (int i = 0; i < count; i++)
            free_entry(&entries[i]);
        free(entries);
        return;
    }
    for (int i = 0; i < compiled; i++) {
        const struct act_embedded *embedded = &act_embedded_presets[kind][i];
        struct entry entry = {.rank = 1 << 30};
        entry.file.name = embedded->name;
        entry.file.text = embedded->text;
        entry.file.size = embedded->size;
        all[count++] = entry;
    }
    store.entries[kind] = all;
    store.count[kind] = sort_entries(all, count);
    store.names[kind] = calloc((size_t)store.count[kind] + 1, sizeof *store.names[kind]);
    for (int i = 0; store.names[kind] && i < store.count[kind]; i++)
        store.names[kind][i] = all[i].file.name;
}

static void load_once(void)
{
    if (store.ready)
        return;
    store.ready = true;
    for (int kind = 0; kind < ACT_PRESET_KINDS; kind++)
        load_kind((enum act_preset_kind)kind);
}

int act_preset_count(enum act_preset_kind kind)
{
    load_once();
    return store.count[kind];
}

const struct act_preset_file *act_preset_file(enum act_preset_kind kind, int index)
{
    return index >= 0 && index < act_preset_count(kind) ? &store.entries[kind][index].file : NULL;
}

const char *act_preset_name(enum act_preset_kind kind, int index)
{
    const struct act_preset_file *file = act_preset_file(kind, index);
    return file ? file->name : NULL;
}

int act_preset_find(enum act_preset_kind kind, const char *name)
{
    int low = 0, high = act_preset_count(kind);
    while (low < high) {
        int middle = low + (high - low) / 2;
        int order = strcmp(store.entries[kind][middle].file.name, name);
        if (order == 0)
            return middle;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return -1;
}

const char *act_preset_nearest(enum act_preset_kind kind, const char *name)
{
    load_once();
    if (!store.names[kind])
        return NULL;
    /* Of one accelerator's boards the one that clusters are made of: "h100" is h100-sxm. */
    const char *board =
        kind == ACT_HARDWARE ? act_nearest_longer(store.names[kind], name, "-sxm") : NULL;
    return board ? board : act_nearest(store.names[kind], name);
}

const char *act_preset_file_text(enum act_preset_kind kind, const char *name, size_t *ret_size,
                                 char *why, size_t why_size)
{
    int index = act_preset_find(kind, name);
    if (index < 0) {
        snprintf(why, why_size, "there is no such preset");
        return NULL;
    }
    struct entry *entry = &store.entries[kind][index];
    if (!entry->file.text) {
        struct act_buffer text;
        act_buffer_init(&text, ACT_YAML_SIZE_MAX);
        if (act_file_read(entry->file.path, &text, NULL, why, why_size) < 0) {
            act_buffer_free(&text);
            return NULL;
        }
        entry->file.size = text.size;
        entry->own_text = text.text ? text.text : strdup("");
        entry->file.text = entry->own_text;
        if (!entry->own_text)
            snprintf(why, why_size, "out of memory");
    }
    *ret_size = entry->file.size;
    return entry->file.text;
}

const char *act_preset_text(enum act_preset_kind kind, const char *name, size_t *ret_size)
{
    char why[160];
    return act_preset_file_text(kind, name, ret_size, why, sizeof why);
}

void act_preset_file_keep(enum act_preset_kind kind, int index, const struct act_plan *plan)
{
    struct act_preset_file *file = &store.entries[kind][index].file;
    if (file->plan == NULL)
        file->plan = malloc(sizeof *plan);
    if (file->plan != NULL)
        *file->plan = *plan;
}

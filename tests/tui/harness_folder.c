/* The folder of the running test: HOME, XDG folders, the program's working folder, logs. */
#include "harness_internal.h"
#include <dirent.h>
#include <errno.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[PATH_MAX / 2];

const char *tui_folder(void)
{
    static const char *const parts[] = {"home",  "config",  "data", "state", "cache",
                                        "empty", "runtime", "work", "log"};
    if (folder[0])
        return folder;
    const char *base = getenv("TMPDIR");
    (void)snprintf(folder, sizeof folder, "%s/actuary-tui-XXXXXX", base && *base ? base : "/tmp");
    if (!mkdtemp(folder)) {
        perror(folder);
        abort();
    }
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        char path[PATH_MAX];
        (void)snprintf(path, sizeof path, "%s/%s", folder, parts[i]);
        if (mkdir(path, 0700)) {
            perror(path);
            abort();
        }
    }
    return folder;
}

const char *tui_path(const char *name)
{
    static char paths[8][PATH_MAX];
    static unsigned turn;
    char *path = paths[turn++ % 8];
    (void)snprintf(path, PATH_MAX, "%s/work/%s", tui_folder(), name);
    return path;
}

void tui_write_file(const char *name, const char *text)
{
    FILE *file = fopen(tui_path(name), "w");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
    assert_int_equal(fclose(file), 0);
}

static char *read_path(const char *path)
{
    FILE *file = fopen(path, "r");
    if (!file)
        return NULL;
    size_t size = 0, capacity = 1 << 20;
    char *text = malloc(capacity);
    if (text) {
        size = fread(text, 1, capacity - 1, file);
        text[size] = '\0';
    }
    (void)fclose(file);
    return text;
}

char *tui_read_file(const char *name)
{
    return read_path(tui_path(name));
}

bool tui_folder_sanitizer_report(void)
{
    if (!folder[0])
        return false;
    char path[PATH_MAX];
    (void)snprintf(path, sizeof path, "%s/log", folder);
    DIR *logs = opendir(path);
    if (!logs)
        return false;
    bool found = false;
    struct dirent *entry;
    while ((entry = readdir(logs))) {
        if (entry->d_name[0] == '.')
            continue;
        (void)snprintf(path, sizeof path, "%s/log/%s", folder, entry->d_name);
        char *text = read_path(path);
        if (text && *text) {
            found = true;
            (void)fprintf(stderr, "sanitizer report %s:\n%s\n", entry->d_name, text);
        }
        free(text);
    }
    (void)closedir(logs);
    return found;
}

static int remove_entry(const char *path, const struct stat *info, int type, struct FTW *place)
{
    (void)info;
    (void)type;
    (void)place;
    (void)remove(path);
    return 0;
}

/* A test may have taken away the right to write into a folder. */
static int open_folder(const char *path, const struct stat *info, int type, struct FTW *place)
{
    (void)info;
    (void)place;
    if (type == FTW_D || type == FTW_DNR)
        (void)chmod(path, 0700);
    return 0;
}

void tui_folder_remove(void)
{
    if (!folder[0])
        return;
    (void)nftw(folder, open_folder, 16, FTW_PHYS);
    (void)nftw(folder, remove_entry, 16, FTW_PHYS | FTW_DEPTH);
    folder[0] = '\0';
}

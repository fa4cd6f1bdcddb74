/* A folder of its own for a test that touches files. */
#ifndef ACTUARY_TESTS_SCRATCH_H
#define ACTUARY_TESTS_SCRATCH_H

#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SCRATCH_PATH = 512 };

/* Makes a new folder under $TMPDIR and writes its name. */
static inline void scratch_make(char folder[SCRATCH_PATH])
{
    const char *base = getenv("TMPDIR");
    snprintf(folder, SCRATCH_PATH, "%s/actuary-test-XXXXXX", base && *base ? base : P_tmpdir);
    if (!mkdtemp(folder)) {
        perror(folder);
        abort();
    }
}

static inline int scratch_remove_one(const char *path, const struct stat *state, int type,
                                     struct FTW *walk)
{
    (void)state;
    (void)type;
    (void)walk;
    return remove(path);
}

static inline void scratch_remove(const char *folder)
{
    nftw(folder, scratch_remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

/* "folder/name"; the result lives until four further calls. */
static inline const char *scratch_path(const char *folder, const char *name)
{
    static char paths[4][2 * SCRATCH_PATH];
    static int turn;
    turn = (turn + 1) % 4;
    snprintf(paths[turn], sizeof paths[turn], "%s/%s", folder, name);
    return paths[turn];
}

static inline void scratch_write(const char *path, const char *text, size_t size)
{
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(text, 1, size, file) != size || fclose(file) != 0) {
        perror(path);
        abort();
    }
}

/* Permissions hold for everyone but root: as root, the tests of them act as nobody in between. */
static inline void scratch_as_nobody(const char *folder)
{
    if (geteuid() == 0 && (chmod(folder, 0755) || seteuid(65534))) {
        perror(folder);
        abort();
    }
}

static inline void scratch_as_before(void)
{
    if (getuid() == 0 && seteuid(0)) {
        perror("seteuid");
        abort();
    }
}

/* The whole file as a terminated text, to be freed; NULL when there is none. */
static inline char *scratch_read(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return NULL;
    enum { LARGEST = 1 << 20 };
    char *text = calloc(1, LARGEST);
    if (text)
        text[fread(text, 1, LARGEST - 1, file)] = '\0';
    fclose(file);
    return text;
}

/* Makes every folder of the path. */
static inline void scratch_folders(const char *path)
{
    char part[2 * SCRATCH_PATH];
    for (size_t i = 1; i <= strlen(path) && i < sizeof part; i++)
        if (path[i] == '/' || path[i] == '\0') {
            memcpy(part, path, i);
            part[i] = '\0';
            mkdir(part, 0700);
        }
}

#endif

#include "io/state.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

enum { PATH_ROOM = 4096 };

bool act_state_folder(const char *name, char *out, size_t size)
{
    const char *state = getenv("XDG_STATE_HOME");
    const char *home = getenv("HOME");
    int length;
    if (state != NULL && state[0] == '/')
        length = snprintf(out, size, "%s/actuary/%s", state, name);
    else if (home != NULL && home[0] == '/')
        length = snprintf(out, size, "%s/.local/state/actuary/%s", home, name);
    else
        return false;
    return length > 0 && (size_t)length < size;
}

bool act_state_make(const char *path)
{
    char part[PATH_ROOM];
    int length = snprintf(part, sizeof part, "%s", path);
    if (length < 1 || length >= PATH_ROOM)
        return false;
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

/* Session files: which scenarios are open, in their order, and which one is the baseline.
 *
 *     schema: 1
 *     kind: session
 *     open: [tp4.yaml, tp8.yaml, chapter-7]
 *     pinned: 2
 *
 * `open` names scenario files, relative to the session file's folder, or scenario presets;
 * `pinned` counts them from 1 and may be left out. As strict as scenario files. */
#ifndef ACTUARY_IO_SESSION_FILE_H
#define ACTUARY_IO_SESSION_FILE_H

#include "io/buffer.h"
#include "io/problem.h"
#include <stdbool.h>
#include <stddef.h>

enum { ACT_SESSION_OPEN_MAX = 32, ACT_SESSION_PATH_MAX = 1024 };

struct act_session_file {
    int count;
    int pinned; /* index of the baseline; -1: none */
    struct {
        char path[ACT_SESSION_PATH_MAX]; /* as it stands in the file */
        int line, column;
    } open[ACT_SESSION_OPEN_MAX];
};

enum act_session_read {
    ACT_SESSION_OK,
    ACT_SESSION_BROKEN, /* a session with problems, which were added */
    ACT_SESSION_OTHER   /* no session: no "kind: session"; nothing was added */
};

/* Reads the text of a session; *ret is untouched unless it is OK. */
enum act_session_read act_session_parse(const char *text, size_t size, struct act_session_file *ret,
                                        struct act_problems *problems);

/* Writes it; act_session_parse of the text is equal but for places. Returns 0, or -1 with a
 * sentence: a path that is no text, or out of memory. */
int act_session_write(const struct act_session_file *session, struct act_buffer *out, char *why,
                      size_t why_size);

#endif

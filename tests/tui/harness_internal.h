/* What the harness's sources share. */
#ifndef ACTUARY_TESTS_TUI_HARNESS_INTERNAL_H
#define ACTUARY_TESTS_TUI_HARNESS_INTERNAL_H

#include "harness.h"
#include <sys/types.h>
#include <termios.h>
#include <vterm.h>

enum {
    TUI_MODES = 4096, /* private modes below this are followed */
    /* Cursor visible. libvterm 0.1.4 saves it with the cursor (ESC 7) and brings it back when the
     * alternate screen is left, which xterm does not: it is followed in the byte stream. */
    TUI_CURSOR_MODE = 25,
    TUI_OSC_MAX = 64,     /* longest control string that is looked at */
    TUI_RAW_MAX = 4 << 20 /* bytes of raw output kept */
};

/* ---- harness_scan.c: finds markers and modes in the byte stream, over any split of reads -------
 */

struct tui_scan {
    enum { SCAN_GROUND, SCAN_ESCAPE, SCAN_CSI, SCAN_STRING, SCAN_STRING_ESCAPE } state;
    bool osc;          /* the string is an OSC, not a DCS, APC, PM or SOS */
    bool private_mode; /* the CSI began with ? */
    int parameters[16], parameter_count;
    char string[TUI_OSC_MAX];
    size_t string_size;
    size_t sequence_size; /* bytes of the sequence so far */

    unsigned long bytes_read, frame; /* of the last marker */
    unsigned long markers;           /* how many came */
    unsigned long echo;              /* number of the last string of tui_drain */
    size_t own_bytes;                /* bytes of markers and echoes */
    bool repeated;                   /* the last byte ended a CSI n b */
    bool mode_set[TUI_MODES], mode_seen[TUI_MODES];
};

/* Stops behind the first CSI n b (repeat the last character), with `repeated` set, else at the end;
 * returns how many bytes it took. */
size_t tui_scan_bytes(struct tui_scan *scan, const char *bytes, size_t size);

/* ---- harness_child.c: the pseudo-terminal and the program in it --------------------------------
 */

struct tui_child {
    pid_t keeper; /* leads the session as a shell would, so that the program can be stopped */
    pid_t pid;    /* the program */
    int master, slave;
    int events; /* the keeper writes a wait status here for every change of the program */
    struct termios before;
    enum tui_state state;
    int status; /* when TUI_ENDED */
};

/* Returns 0, or -1 with errno. `folder` is the test's folder. */
int tui_child_start(struct tui_child *child, const struct tui_setup *setup, const char *folder);
/* Takes the keeper's news without waiting. */
void tui_child_update(struct tui_child *child);
/* Ends whatever is left and closes all. */
void tui_child_close(struct tui_child *child);

/* ---- harness_folder.c: the test's folder --------------------------------------------------------
 */

const char *tui_folder(void);
void tui_folder_remove(void);
/* Copies every non-empty sanitizer log to standard error; true when there was one. */
bool tui_folder_sanitizer_report(void);

/* ---- harness.c
 * ----------------------------------------------------------------------------------- */

struct tui {
    struct tui *next;
    struct tui_child child;
    VTerm *vterm;
    VTermScreen *screen;
    int rows, cols;
    bool alternate;
    char term[64], locale[64];

    struct tui_scan scan;
    unsigned long sent;   /* bytes the program has to read */
    unsigned long echoes; /* strings that tui_drain has sent */
    char *raw;
    size_t raw_size;
    size_t bytes, own_bytes_before; /* for tui_bytes */
};

/* Keeps a text until tui_teardown. */
const char *tui_keep(char *text);
/* Prints the screen and what is known to standard error. */
void tui_dump(struct tui *t);

#endif

/* The terminal: set-up and restore, signals, bytes to key events, canvas to screen.
 *
 * Input bytes are read and decoded here; curses is used for output only, so that Escape is told
 * from the start of a sequence within 25 ms and pastes arrive whole. */
#ifndef ACTUARY_UI_TERM_H
#define ACTUARY_UI_TERM_H

#include "ui/draw.h"
#include <stdbool.h>
#include <stddef.h>

enum { ACT_PASTE_MAX = 4096 };

enum act_event_kind {
    ACT_EVENT_NONE,
    ACT_EVENT_KEY,
    ACT_EVENT_PASTE,
    ACT_EVENT_MOUSE,
    ACT_EVENT_RESIZE,
    ACT_EVENT_RESUME, /* continued after a stop: paint everything */
    ACT_EVENT_STOP,   /* another process asks us to stop, as Ctrl-Z does */
    ACT_EVENT_HANGUP  /* the terminal is gone or a signal asks us to leave: act_term_signal */
};

enum act_button {
    ACT_BUTTON_LEFT,
    ACT_BUTTON_DRAG, /* the pointer moves while the left one is held */
    ACT_BUTTON_WHEEL_UP,
    ACT_BUTTON_WHEEL_DOWN
};

struct act_event {
    enum act_event_kind kind;
    int key;
    enum act_button button; /* pressed at this place */
    int row, column;
    size_t paste_size;
    char paste[ACT_PASTE_MAX + 1]; /* cut at ACT_PASTE_MAX, terminated */
};

/* Starts the screen, as the settings want it. 0, or -1 with a sentence in `why` (not a terminal,
 * TERM unknown or without cursor addressing). */
int act_term_start(const struct act_settings *settings, char *why, size_t why_size);
/* Asks the terminal to report the mouse, or no longer. Nothing about a mouse is ever sent before
 * it is first asked for. */
void act_term_mouse(bool on);
/* Gives the terminal back. Safe to call twice. */
void act_term_stop(void);

/* Size of the terminal now. */
void act_term_size(int *rows, int *columns);
bool act_term_ascii(void); /* the locale has no UTF-8 */

/* The next event, or ACT_EVENT_NONE when there is none within `wait_ms`; negative: waits for ever.
 */
void act_term_next(struct act_event *ret_event, int wait_ms);

/* Shows the canvas: sends what differs from the last one. Looks of blanks may be changed where
 * that cannot be seen. */
void act_term_show(struct act_canvas *canvas);
/* Forgets what is on the screen, so that the next show paints all. */
void act_term_repaint(void);
/* Takes the terminal again after another program (a shell, when we were stopped without warning)
 * has set it its own way. */
void act_term_resume(void);
/* Stops the process as Ctrl-Z is expected to; returns when it is continued. */
void act_term_suspend(void);

/* Nobody reads the terminal: messages after act_term_stop would wait for ever. */
bool act_term_frozen(void);

/* The signal that asked us to leave, or 0. */
int act_term_signal(void);

#endif

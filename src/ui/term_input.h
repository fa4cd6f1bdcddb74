/* Bytes of the terminal to keys: UTF-8, escape sequences of common terminals, bracketed paste. */
#ifndef ACTUARY_UI_TERM_INPUT_H
#define ACTUARY_UI_TERM_INPUT_H

#include "ui/term.h"

enum {
    ACT_ESCAPE_MS = 25,
    ACT_REPORT_MS = 500, /* a report of the mouse, which no hand begins, over a slow line */
    ACT_PASTE_MS = 1000  /* a paste whose end never comes ends by itself */
};

/* Reads what is there. false at end of input or an error. */
bool act_input_read(void);
/* Takes one whole event out of what was read; false when there is none yet. */
bool act_input_next(struct act_event *ret_event);
/* How long to wait for the rest of an unfinished sequence or paste, in ms; 0: nothing waits. */
int act_input_patience(void);
/* No more bytes came in time: the unfinished sequence is what it is. */
void act_input_settle(void);
/* Bytes consumed by events so far. */
unsigned long act_input_consumed(void);

/* Are reports of the mouse events, or dropped? */
void act_input_mouse(bool on);

/* For tests: gives the decoder bytes as if they had been read. */
void act_input_feed(const char *bytes, size_t size);

#endif

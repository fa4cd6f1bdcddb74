/* Signals of the planner: handlers set a flag and wake the loop through a pipe; faults give the
 * terminal back with nothing but write and tcsetattr, then die of the same signal. */
#ifndef ACTUARY_UI_TERM_SIGNAL_H
#define ACTUARY_UI_TERM_SIGNAL_H

#include <stdbool.h>

/* Keeps the terminal's settings as they are now, before curses changes them. */
void act_signal_remember_terminal(void);
/* Installs the handlers (after curses has installed its own). */
void act_signal_start(void);
/* Puts the former handlers back. */
void act_signal_stop(void);

/* The terminal to write to: standard output, kept aside. */
int act_signal_terminal(void);
int act_signal_pipe(void);   /* readable when a flag was set */
void act_signal_drain(void); /* empties the pipe */
int act_signal_leave(void);  /* the signal that asks us to leave, or 0 */
/* Was the terminal cut off because nobody read it while we had to leave? */
bool act_signal_cut(void);
bool act_signal_take_resize(void);
bool act_signal_take_stop(void);
bool act_signal_take_continue(void);

/* Whether the terminal reports the mouse: it is asked to stop when a fault gives it back. */
void act_signal_mouse(bool on);

/* Is the terminal ours? A background job may not change its settings. */
bool act_signal_foreground(void);
/* Leaves the screen by writing alone: the settings stay the shell's. */
void act_signal_give_back(void);

/* Stops the process group member that we are; returns when continued in the foreground, or when
 * asked to leave. */
void act_signal_stop_here(void);

#endif

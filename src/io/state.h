/* The program's own folder for what outlives a run: $XDG_STATE_HOME/actuary, else
 * ~/.local/state/actuary. Folders are made with mode 0700, and only when something is written. */
#ifndef ACTUARY_IO_STATE_H
#define ACTUARY_IO_STATE_H

#include <stdbool.h>
#include <stddef.h>

/* Writes the path of a folder in it, existing or not. false when neither variable gives an
 * absolute path, or there is no room. */
bool act_state_folder(const char *name, char *out, size_t size);

/* Makes a folder and those above it that are missing. */
bool act_state_make(const char *path);

#endif

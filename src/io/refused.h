/* What is not planned here, and is refused by name: the nearest thing that is would give a figure
 * that misleads. */
#ifndef ACTUARY_IO_REFUSED_H
#define ACTUARY_IO_REFUSED_H

/* A sentence why the model or key of this name is not planned, or NULL. */
const char *act_refused(const char *name);

#endif

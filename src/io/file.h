/* Reading a whole small file, or standard input, with a hard limit. */
#ifndef ACTUARY_IO_FILE_H
#define ACTUARY_IO_FILE_H

#include "io/buffer.h"
#include "io/save.h"
#include <stddef.h>

/* Appends the file's bytes to `out`, whose limit is the largest size accepted. "-" is standard
 * input. Anything but a regular file is refused without waiting for it. ret_stamp may be NULL; it
 * is not known for standard input.
 * Returns 0, or -1 with a sentence in `why`, and errno (0 when the file is there but unsuitable).
 */
int act_file_read(const char *path, struct act_buffer *out, struct act_stamp *ret_stamp, char *why,
                  size_t why_size);

#endif

/* Files without a name, in the folder TMPDIR or /tmp: for what is too much for memory. A file is gone when it is
 * closed, however the process ends. Functions return 0, or the errno of the host. */
#ifndef LIB_SCRATCH_FILE_H
#define LIB_SCRATCH_FILE_H

#include <stddef.h>

/* Opens a new file. `*file` is -1 if it could not. */
int lib_scratch_open(int *file);

/* Reads or writes all `length` bytes at a place of the file. */
int lib_scratch_read(int file, void *bytes, size_t length, size_t at);
int lib_scratch_write(int file, const void *bytes, size_t length, size_t at);

#endif

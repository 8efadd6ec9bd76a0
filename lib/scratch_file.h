/* Unnamed files in the folder TMPDIR or /tmp, for data that is too large for memory. The system
 * frees a file when it is closed or the process ends. All functions return 0 or an errno. */
#ifndef LIB_SCRATCH_FILE_H
#define LIB_SCRATCH_FILE_H

#include <stddef.h>

/* Opens a new unnamed file. Sets *file to its descriptor, or to -1 on failure. */
int lib_scratch_open(int *file);

/* Read or write `length` bytes at offset `at` of an unnamed file. A shorter transfer is an
 * error. */
int lib_scratch_read(int file, void *bytes, size_t length, size_t at);
int lib_scratch_write(int file, const void *bytes, size_t length, size_t at);

#endif

/* Reading and writing whole files. */
#ifndef LIB_FILE_H
#define LIB_FILE_H

#include "lib/arena.h"
#include "lib/diag.h"

#include <stdbool.h>

/* Reads a whole file ("-": standard input) into the arena. The bytes are followed by a
 * NUL that `length` does not count. On failure adds a diagnostic and returns NULL. */
const struct lib_source *lib_file_read(struct lib_arena *arena, const char *path,
                                       struct lib_diags *diags);

/* Like lib_file_read; messages about an output that would overwrite the file call it `what`: "the
 * program" (lib/guard.h). */
const struct lib_source *lib_file_read_as(struct lib_arena *arena, const char *path,
                                          const char *what, struct lib_diags *diags);

/* Like lib_file_read, but a file longer than `most` bytes is an error. */
const struct lib_source *lib_file_read_most(struct lib_arena *arena, const char *path,
                                            size_t most, struct lib_diags *diags);

/* Claims standard input for one reader, which reads it to its end. Returns true if `path` is not
 * standard input ("-", or the pipe or terminal that it is). Returns false and adds a diagnostic if
 * another reader has claimed it, as both would get parts. lib_file_read claims it by itself. */
bool lib_file_claim_input(const char *path, struct lib_diags *diags);

/* Whether two paths are one pipe, socket or terminal, from which only one reader can read. */
bool lib_file_is_one_stream(const char *path, const char *other);

/* Whether a path leads to the open file `fd`. */
bool lib_file_is_at(int fd, const char *path);

/* Returns the part of a path after the last "/", borrowed from `path`. */
const char *lib_file_name(const char *path);

/* Returns the last `folders` folders of a path and the name of the file without suffix. For
 * "a/b/fib.df", 0 folders give "fib" and 1 gives "b/fib". The string lives in the arena. */
const char *lib_file_stem(struct lib_arena *arena, const char *path, size_t folders);

/* If a path names the regular file that standard output is redirected to, such as /dev/stdout,
 * returns a new descriptor of standard output, to write behind what is there: another file at the
 * path would lose what the process prints. Else returns -1. */
int lib_file_standard_output(const char *path);

/* Writes all bytes to a descriptor, also if signals interrupt. Returns false on errors, with errno
 * set. Allocates nothing, so that it can be called after a fork. */
bool lib_file_write_all(int fd, const void *bytes, size_t length);

/* Writes a file atomically: a failure leaves `path` unchanged, returns false and adds a
 * diagnostic. */
bool lib_file_write(const char *path, const void *bytes, size_t length,
                    struct lib_diags *diags);

/* Adds advice about a path that cannot be read (is_read) or written: "; did you mean `y`?". */
void lib_file_hint(struct lib_text *text, const char *path, bool is_read);

/* Returns the party at fault for errno `error` of a write: the host if its disk is full or
 * broken. */
enum lib_fault lib_file_fault(int error);

/* Returns the code of a diagnostic about a write that failed with errno `error`: LIB_DIAG_HOST if
 * the host is at fault, else LIB_DIAG_FILE. */
enum lib_diag_code lib_file_write_code(int error);

#endif

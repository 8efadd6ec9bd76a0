/* Files: read whole, written whole or not at all. */
#ifndef LIB_FILE_H
#define LIB_FILE_H

#include "lib/arena.h"
#include "lib/diag.h"

#include <stdbool.h>

/* Reads a whole file ("-": standard input) into the arena. The bytes are followed by a
 * NUL that `length` does not count. On failure adds a diagnostic and returns NULL. */
const struct lib_source *lib_file_read(struct lib_arena *arena, const char *path,
                                       struct lib_diags *diags);

/* The same of a file that should have `most` bytes at most: one that has more is an error. */
const struct lib_source *lib_file_read_most(struct lib_arena *arena, const char *path,
                                            size_t most, struct lib_diags *diags);

/* The name of the file at `path` without its ending, behind so many of its folders: "fib" of
 * "a/b/fib.df" and 0, "b/fib" of 1; all there are of more. It lives in the arena. */
const char *lib_file_stem(struct lib_arena *arena, const char *path, size_t folders);

/* Writes a file aside and renames it, so that `path`, or what it is a link to, holds all of it or is
 * untouched.
 * On failure adds a diagnostic and returns false. */
bool lib_file_write(const char *path, const void *bytes, size_t length,
                    struct lib_diags *diags);

/* Adds what may be done about a path that cannot be read or written: "; there is no folder `x`",
 * "; did you mean `y`?". It is read, or else written. */
void lib_file_hint(struct lib_text *text, const char *path, bool is_read);

/* What a value of errno that came of writing says. */
enum lib_fault lib_file_fault(int error);

#endif

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

/* Reads a file like lib_file_read; a file longer than `most` bytes is an error. */
const struct lib_source *lib_file_read_most(struct lib_arena *arena, const char *path,
                                            size_t most, struct lib_diags *diags);

/* Returns the part of a path after its folders; borrowed from `path`. */
const char *lib_file_name(const char *path);

/* Returns the name of the file at `path` without its suffix, preceded by up to `folders` of the
 * folders of the path: for "a/b/fib.df", "fib" with 0 folders and "b/fib" with 1. Lives in the
 * arena. */
const char *lib_file_stem(struct lib_arena *arena, const char *path, size_t folders);

/* Writes a file atomically: after a failure `path` is unchanged. Returns false and adds a
 * diagnostic on failure. */
bool lib_file_write(const char *path, const void *bytes, size_t length,
                    struct lib_diags *diags);

/* Adds advice about a path that cannot be read (is_read) or written: "; there is no folder `x`",
 * "; did you mean `y`?". */
void lib_file_hint(struct lib_text *text, const char *path, bool is_read);

/* Returns the party to blame for an `error` of writing: the host if a disk is full or failing. */
enum lib_fault lib_file_fault(int error);

#endif

/* Files that appear complete or not at all. A file is written as PATH.part and renamed to PATH when
 * it is complete. Symbolic links are followed. A path that is not a regular file, such as /dev/null
 * or a pipe, is written directly.
 *
 * PATH.part is locked: of two processes that write one path at once, the second fails
 * (lib/guard.h).
 *
 * End each lib_atomic_file by lib_atomic_file_finish, _leave or _abandon, even if opening
 * failed. */
#ifndef LIB_ATOMIC_FILE_H
#define LIB_ATOMIC_FILE_H

#include "lib/diag.h"
#include "lib/text.h"

#include <stdio.h>

struct lib_atomic_file {
    FILE *file;            /* NULL if the file is not open or other code writes it */
    struct lib_text path;  /* path as the user gave it */
    struct lib_text place; /* `path` with symbolic links resolved */
    struct lib_text aside; /* PATH.part; empty if PATH is written directly */
    int error;             /* errno of the first failure; 0: none */
};

/* Opens a file for writing. Returns false and adds a diagnostic if it cannot be created. */
bool lib_atomic_file_open(struct lib_atomic_file *aside, const char *path,
                          struct lib_diags *diags);

/* Writes to an open stream, which the atomic file then owns, instead of a file. Messages call it
 * `name`. */
void lib_atomic_file_stream(struct lib_atomic_file *aside, FILE *stream,
                            const char *name);

/* Prepares PATH.part for a file or folder that other code writes there, such as a database: removes
 * what exists under that name. Returns false and adds a diagnostic if PATH exists and cannot be
 * replaced. */
bool lib_atomic_file_name(struct lib_atomic_file *aside, const char *path, bool is_folder,
                          struct lib_diags *diags);

/* Lets PATH.part stay if a signal ends the process, as what it has can be read. Without this call
 * it is removed (lib/leftovers.h). */
void lib_atomic_file_keep(struct lib_atomic_file *aside);

/* Appends bytes. lib_atomic_file_finish reports a failure. */
void lib_atomic_file_put(struct lib_atomic_file *aside, const void *bytes, size_t length);

/* Flushes all bytes to the system, so that they survive if the process is killed. */
void lib_atomic_file_flush(struct lib_atomic_file *aside);

/* Closes PATH.part and renames it to PATH. On failure removes PATH.part, adds a diagnostic and
 * returns false. */
bool lib_atomic_file_finish(struct lib_atomic_file *aside, struct lib_diags *diags);

/* Closes an incomplete file and keeps PATH.part. */
void lib_atomic_file_leave(struct lib_atomic_file *aside);

/* Closes PATH.part and removes it. */
void lib_atomic_file_abandon(struct lib_atomic_file *aside);

#endif

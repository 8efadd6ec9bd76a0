/* Files that appear complete or not at all. A file is written piece by piece as PATH.part and
 * renamed to PATH when it is complete. Symbolic links are followed. A path that is not a regular
 * file, such as /dev/null or a pipe, is written directly.
 *
 * Each lib_aside must be ended by lib_aside_finish, _leave or _abandon, also if opening failed. */
#ifndef LIB_ASIDE_H
#define LIB_ASIDE_H

#include "lib/diag.h"
#include "lib/text.h"

#include <stdio.h>

struct lib_aside {
    FILE *file;            /* NULL: not open, or written by other code */
    struct lib_text path;  /* as the user named it */
    struct lib_text place; /* the path with links resolved */
    struct lib_text aside; /* PATH.part; empty: written directly */
    int error;             /* errno of the first failure; 0: none */
};

/* Opens a file. Returns false and adds a diagnostic if it cannot be created. */
bool lib_aside_open(struct lib_aside *aside, const char *path, struct lib_diags *diags);

/* Writes to an open stream instead of a file. Takes ownership of the stream. Messages call it
 * `name`. */
void lib_aside_stream(struct lib_aside *aside, FILE *stream, const char *name);

/* Reserves PATH.part for a file or folder that other code writes, such as a database, and removes
 * what was there. Returns false and adds a diagnostic if `path` exists and cannot be replaced. */
bool lib_aside_name(struct lib_aside *aside, const char *path, bool is_folder,
                    struct lib_diags *diags);

/* Appends bytes. An error is kept in `error` until lib_aside_finish. */
void lib_aside_put(struct lib_aside *aside, const void *bytes, size_t length);

/* Passes all bytes to the system, so that PATH.part has them even if the process is killed. */
void lib_aside_flush(struct lib_aside *aside);

/* Closes the file and gives it its name. Returns false and adds a diagnostic if it could not be
 * written; nothing is left then. */
bool lib_aside_finish(struct lib_aside *aside, struct lib_diags *diags);

/* Closes an incomplete file, which remains as PATH.part. */
void lib_aside_leave(struct lib_aside *aside);

/* Closes and removes the file. */
void lib_aside_abandon(struct lib_aside *aside);

#endif

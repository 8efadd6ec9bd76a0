/* A file that is written piece by piece, and appears whole or not at all: it is written aside, as
 * PATH.part, and gets its name when it is whole. Links are followed. What is no regular file, as /dev/null or a pipe, is
 * written as it is. */
#ifndef LIB_ASIDE_H
#define LIB_ASIDE_H

#include "lib/diag.h"
#include "lib/text.h"

#include <stdio.h>

struct lib_aside {
    FILE *file;                  /* NULL: it is written by others, or not open */
    struct lib_text path, place; /* as it was named, and where that leads to */
    struct lib_text aside;
    int error; /* of the first thing that went wrong; 0: nothing has */
};

/* false: it cannot be made, and why is in `diags`. To be ended by _finish or _abandon in either
 * case. */
bool lib_aside_open(struct lib_aside *aside, const char *path, struct lib_diags *diags);

/* Writes to an open stream, which it takes and closes, and to which no name is given. `name` is
 * what messages call it. */
void lib_aside_stream(struct lib_aside *aside, FILE *stream, const char *name);

/* For what others write, a library or a database: only gives a name aside, at which nothing is. false:
 * what is at `path` cannot be replaced by a file, or by a folder. */
bool lib_aside_name(struct lib_aside *aside, const char *path, bool is_folder,
                    struct lib_diags *diags);

/* What goes wrong is kept until the end. */
void lib_aside_put(struct lib_aside *aside, const void *bytes, size_t length);
void lib_aside_flush(struct lib_aside *aside); /* who is killed has written so much */

/* It is whole, and has its name. false: it could not be written, and why is in `diags`. */
bool lib_aside_finish(struct lib_aside *aside, struct lib_diags *diags);

/* There will be no more of it: what there is stays, as PATH.part. */
void lib_aside_leave(struct lib_aside *aside);

/* Nobody wants it. */
void lib_aside_abandon(struct lib_aside *aside);

#endif

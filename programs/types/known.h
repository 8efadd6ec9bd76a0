/* Files that a program names, by path. They are read once; later compilations can use them even
 * if the host's files have changed. */
#ifndef PROGRAMS_TYPES_KNOWN_H
#define PROGRAMS_TYPES_KNOWN_H

#include "lib/diag.h"
#include "lib/memory.h"

struct programs_known_file {
    const char *path; /* path as written in the program */
    const struct lib_source *source;
};

/* Files that earlier compilations have read. The list is owned; the sources are in the arena of
 * the compilation that read them. */
struct programs_known {
    LIB_VEC(struct programs_known_file) list;
};

/* Returns the file that a program names by `path`, or NULL if it was not read. */
const struct lib_source *programs_known_find(const struct programs_known *known,
                                             const char *path);

#endif

/* The files that a program reads, by the paths that it names: they can be read once, kept, and
 * given to a later compilation in place of what the host has then. */
#ifndef PROGRAMS_TYPES_KNOWN_H
#define PROGRAMS_TYPES_KNOWN_H

#include "lib/diag.h"
#include "lib/memory.h"

struct programs_known_file {
    const char *path; /* as the program names it */
    const struct lib_source *source;
};

/* The files live in the arena of the compilation that read them; the list is owned. */
struct programs_known {
    LIB_VEC(struct programs_known_file) list;
};

/* Returns the file that a program names by `path`, or NULL if it is not known. */
const struct lib_source *programs_known_find(const struct programs_known *known,
                                             const char *path);

#endif

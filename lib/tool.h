/* Calls of other programs, such as gnuplot and dot. */
#ifndef LIB_TOOL_H
#define LIB_TOOL_H

#include <stddef.h>

/* Call of a program, which is searched on PATH. So that its output does not depend on the user's
 * environment, it runs with LC_ALL=C.UTF-8 and TZ=UTC0 and without the variables in `unset`. */
struct lib_tool {
    const char *const *words; /* program and arguments; ends with NULL */
    const char *const *unset; /* environment variables to remove; ends with NULL */
    const char *folder;       /* working directory; NULL: the current one */
    int input;                /* descriptor; -1: /dev/null */
    int output;               /* descriptor; -1: standard error */
};

enum { LIB_TOOL_NOT_FOUND = 127 };

/* Runs a program. Returns its exit status, LIB_TOOL_NOT_FOUND, or -1 if it was not started or was
 * killed. */
int lib_tool_run(const struct lib_tool *tool);

/* Sets the creation date in a PDF to 1970, so that the same input gives the same bytes. */
void lib_tool_forget_time(char *pdf, size_t length);

#endif

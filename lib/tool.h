#ifndef LIB_TOOL_H
#define LIB_TOOL_H

#include <stddef.h>

/* Call of a program that is searched on PATH. It runs with LC_ALL=C.UTF-8 and TZ=UTC0 and without
 * the variables in `unset`, so that its output does not depend on the user's environment. */
struct lib_tool {
    const char *const *words; /* program and arguments; ends with NULL */
    const char *const *unset; /* environment variables to remove; ends with NULL */
    const char *folder;       /* working directory; NULL: the current one */
    int input;                /* descriptor to be standard input; -1: /dev/null */
    int output;               /* descriptor to be standard output; -1: standard error */
};

enum { LIB_TOOL_NOT_FOUND = 127 };

/* Runs a program. Returns its exit status, LIB_TOOL_NOT_FOUND, or -1 if it was not started or was
 * killed. */
int lib_tool_run(const struct lib_tool *tool);

/* Sets the creation date in a PDF to 1970, so that equal input gives equal bytes. */
void lib_tool_forget_time(char *pdf, size_t length);

#endif

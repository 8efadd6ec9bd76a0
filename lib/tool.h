/* Other programs of the host: gnuplot, dot. */
#ifndef LIB_TOOL_H
#define LIB_TOOL_H

#include <stddef.h>

/* A call of one, found on PATH. What it makes shall not depend on the user: it runs in the
 * language C, in UTF-8, at UTC, and without the variables of the environment named here. */
struct lib_tool {
    const char *const *words; /* its name and arguments, NULL at the end */
    const char *const *unset; /* variables, NULL at the end */
    const char *folder;       /* where it runs; NULL: here */
    int input, output;        /* descriptors; -1: nothing; for `output`, standard error */
};

enum { LIB_TOOL_NOT_FOUND = 127 };

/* Its exit status; -1: it did not come to that. */
int lib_tool_run(const struct lib_tool *tool);

/* A PDF says when it was made, which no other bytes of it depend on. This sets it to the
 * beginning of time, so that the same input gives the same file. */
void lib_tool_forget_time(char *pdf, size_t length);

#endif

/* Memory, errors and growing texts of the DRAGNN host. Allocation never returns NULL: the process
 * ends with a message and status 3 when the host has no more memory. */
#ifndef PROGRAMS_DRAGNN_BASE_H
#define PROGRAMS_DRAGNN_BASE_H

#include "programs/dragnn/dragnn.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

void *dragnn_new(size_t bytes);                     /* all zero; freed by free() */
void *dragnn_resize(void *block, size_t bytes);     /* as realloc() */
char *dragnn_copy(const char *text, size_t length); /* NUL-terminated */

/* Sets the text of an error without a place, unless `error` is NULL. Returns false. */
bool dragnn_fail(struct dragnn_error *error, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Sets the text and place of an error. Lines and columns count from 1; 0: unknown. Returns
 * false. */
bool dragnn_fail_at(struct dragnn_error *error, int line, int column, const char *format,
                    ...) __attribute__((format(printf, 4, 5)));

/* A growing string. The user frees its bytes. */
struct dragnn_text {
    char *bytes; /* NUL-terminated; NULL if empty */
    size_t length, capacity;
};

void dragnn_text_add(struct dragnn_text *text, const char *bytes, size_t length);

/* Appends a file to a text. Returns false with an error if it cannot be read. */
bool dragnn_text_read(struct dragnn_text *text, const char *path,
                      struct dragnn_error *error);

#endif

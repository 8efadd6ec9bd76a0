/* Memory, errors and growing strings. Allocation never returns NULL: if memory runs out, the
 * process ends with a message and status 3. */
#ifndef PROGRAMS_DRAGNN_BASE_H
#define PROGRAMS_DRAGNN_BASE_H

#include "programs/dragnn/dragnn.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Returns memory that is all zero; the caller frees it by free(). */
void *dragnn_new(size_t bytes);
/* Changes the size of a block as realloc() does. */
void *dragnn_resize(void *block, size_t bytes);
/* Returns a NUL-terminated copy; the caller frees it by free(). */
char *dragnn_copy(const char *text, size_t length);

/* Sets the message of an error without a position; `error` may be NULL. Returns false. */
bool dragnn_fail(struct dragnn_error *error, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Sets the message and position of an error; `error` may be NULL. Lines and columns count from
 * 1; 0: unknown. Returns false. */
bool dragnn_fail_at(struct dragnn_error *error, int line, int column, const char *format,
                    ...) __attribute__((format(printf, 4, 5)));

/* A growing string. The user frees `bytes`. */
struct dragnn_text {
    char *bytes; /* NUL-terminated; NULL if empty */
    size_t length, capacity;
};

void dragnn_text_add(struct dragnn_text *text, const char *bytes, size_t length);

/* Appends the contents of a file to a string. Returns false with an error if the file cannot be
 * read. */
bool dragnn_text_read(struct dragnn_text *text, const char *path,
                      struct dragnn_error *error);

#endif

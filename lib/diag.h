/* Diagnostics: errors are values, collected in order, printed by sim/ alone.
 *
 * A list belongs to whoever made it; the sources that its diagnostics point into must
 * live as long as the list. First cause first: a pass stops after the first pass that
 * found an error, and within a pass diagnostics stand in the order found. */
#ifndef LIB_DIAG_H
#define LIB_DIAG_H

#include "lib/text.h"

#include <stdbool.h>
#include <stdint.h>

/* A text that was read, for carets. `bytes` ends with a NUL at bytes[length]. */
struct lib_source {
    const char *name;  /* as the user named it; "<stdin>" for standard input */
    const char *bytes; /* NULL: only the name is known, and diagnostics show no lines */
    size_t length;
};

/* The bytes of a line, from 1, without its newline; none behind the last one. Borrowed. */
const char *lib_source_line(const struct lib_source *source, uint32_t line,
                            size_t *length);

/* A place in a source: line and column from 1, `span` bytes wide. Line 0: nowhere. */
struct lib_pos {
    uint32_t line, column, span;
};

enum lib_diag_code {
    LIB_DIAG_SYNTAX,  /* what is written cannot be read */
    LIB_DIAG_NAME,    /* a name that is unknown, or defined twice */
    LIB_DIAG_TYPE,    /* expected one type, found another */
    LIB_DIAG_MEANING, /* well-formed, but without meaning: circles, ... */
    LIB_DIAG_LIMIT,   /* larger than hiaton can hold */
    LIB_DIAG_FILE,    /* the file cannot be read or written, or is damaged */
    LIB_DIAG_USAGE,   /* the command line, a setting */
};

struct lib_diag {
    enum lib_diag_code code;
    bool warning;
    const struct lib_source *source; /* NULL: about no file */
    struct lib_pos pos;
    char *text; /* owned by the list */
};

struct lib_diags {
    struct lib_diag *items;
    size_t count, capacity;
    size_t errors;  /* those that are not warnings */
    size_t dropped; /* errors past LIB_DIAG_MAX, counted but not kept */
};

enum { LIB_DIAG_MAX = 20 };

/* What the first of some errors was about: who is to do something about it. */
enum lib_fault {
    LIB_FAULT_NONE,
    LIB_FAULT_INPUT, /* what was asked for, or was there to be read */
    LIB_FAULT_HOST,  /* the disk, or what is installed */
};

/* Adds an error; the text has no final point and no newline. */
void lib_diag_error(struct lib_diags *diags, enum lib_diag_code code,
                    const struct lib_source *source, struct lib_pos pos,
                    const char *format, ...) __attribute__((format(printf, 5, 6)));
void lib_diag_verror(struct lib_diags *diags, enum lib_diag_code code,
                     const struct lib_source *source, struct lib_pos pos,
                     const char *format, va_list ap);
void lib_diag_warning(struct lib_diags *diags, enum lib_diag_code code,
                      const struct lib_source *source, struct lib_pos pos,
                      const char *format, ...) __attribute__((format(printf, 5, 6)));
/* Hands on diagnostics, which are freed. Those about no file are about what stands at `pos` of
 * `source`, and get the prefix and the advice behind it. */
void lib_diags_adopt(struct lib_diags *diags, struct lib_diags *from,
                     const struct lib_source *source, struct lib_pos pos,
                     const char *prefix, const char *advice);
void lib_diags_free(struct lib_diags *diags);

/* Writes diagnostics as users see them: FILE:LINE:COL: error: TEXT, then the
 * line and a caret. */
void lib_diags_write(const struct lib_diags *diags, struct lib_text *out);

#endif

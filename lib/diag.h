/* Diagnostics: errors and warnings as values. Only sim/ prints them.
 *
 * The caller owns a list of diagnostics, and must keep the sources that they refer to. A
 * compilation ends after the first pass that finds an error, so that the first diagnostic names the
 * cause. */
#ifndef LIB_DIAG_H
#define LIB_DIAG_H

#include "lib/text.h"

#include <stdbool.h>
#include <stdint.h>

/* Text of a file, kept to quote lines in messages. bytes[length] is NUL. */
struct lib_source {
    const char *name;  /* file name as the user gave it; "<stdin>" for standard input */
    const char *bytes; /* NULL: the text is not known, and diagnostics quote no lines */
    size_t length;
};

/* Returns a pointer to line `line` (from 1) of the source, and sets *length to the line's length
 * without newline. A line after the last one is empty. */
const char *lib_source_line(const struct lib_source *source, uint32_t line,
                            size_t *length);

/* Position in a source. `line` and `column` count from 1; line 0: unknown. `span` is a width in
 * bytes. */
struct lib_pos {
    uint32_t line, column, span;
};

enum lib_diag_code {
    LIB_DIAG_SYNTAX,
    LIB_DIAG_NAME, /* unknown or duplicate name */
    LIB_DIAG_TYPE,
    LIB_DIAG_MEANING, /* well-formed but meaningless: cyclic definitions, ... */
    LIB_DIAG_LIMIT,   /* exceeds a limit of hiaton */
    LIB_DIAG_FILE,    /* a file cannot be read, has an invalid path, or is damaged */
    LIB_DIAG_USAGE,   /* error on the command line or in a setting */
    LIB_DIAG_HOST,    /* the host failed: a full or broken disk, missing software */
};

struct lib_diag {
    enum lib_diag_code code;
    bool warning;
    const struct lib_source *source; /* NULL: the diagnostic is not about a file */
    struct lib_pos pos;
    char *text; /* message, owned by the list of diagnostics */
};

struct lib_diags {
    struct lib_diag *items;
    size_t count, capacity;
    size_t errors;  /* errors in total, including dropped ones */
    size_t dropped; /* errors beyond the first LIB_DIAG_MAX, which are not kept */
    size_t dropped_warnings; /* likewise warnings */
    bool of_host; /* an error has code LIB_DIAG_HOST, even one that is not kept */
};

/* Errors and warnings that are kept, of each kind: no warning takes the place of an error. */
enum { LIB_DIAG_MAX = 20 };

/* Party that is to blame for an error. The exit status depends on it. */
enum lib_fault {
    LIB_FAULT_NONE,
    LIB_FAULT_INPUT, /* the arguments or input files */
    LIB_FAULT_HOST,  /* the computer: its disk or installed software */
};

/* Add an error, or a warning unless `diags` has it; without full stop and newline. */
void lib_diag_error(struct lib_diags *diags, enum lib_diag_code code,
                    const struct lib_source *source, struct lib_pos pos,
                    const char *format, ...) __attribute__((format(printf, 5, 6)));
/* Adds an error that is not about a place in a file. */
void lib_diag_plain(struct lib_diags *diags, enum lib_diag_code code, const char *format,
                    ...) __attribute__((format(printf, 3, 4)));
void lib_diag_verror(struct lib_diags *diags, enum lib_diag_code code,
                     const struct lib_source *source, struct lib_pos pos,
                     const char *format, va_list ap);
void lib_diag_warning(struct lib_diags *diags, enum lib_diag_code code,
                      const struct lib_source *source, struct lib_pos pos,
                      const char *format, ...) __attribute__((format(printf, 5, 6)));

/* Moves all diagnostics from `from` to `diags`. Those without a source get `source` and `pos`;
 * `prefix` is put before their message and `advice` after it. */
void lib_diags_adopt(struct lib_diags *diags, struct lib_diags *from,
                     const struct lib_source *source, struct lib_pos pos,
                     const char *prefix, const char *advice);
void lib_diags_free(struct lib_diags *diags);

/* Appends how many diagnostics are not kept, such as "3 more errors and 1 more warning are not
 * shown"; nothing if all are. */
void lib_diags_write_dropped(const struct lib_diags *diags, bool with_warnings,
                             struct lib_text *out);

/* Writes diagnostics as users see them: FILE:LINE:COL: error: TEXT, then the line and a caret. */
void lib_diags_write(const struct lib_diags *diags, struct lib_text *out);

#endif

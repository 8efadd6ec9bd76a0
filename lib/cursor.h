/* Cursor: reads a short text piece by piece, such as a line of a file, the value of an option or a
 * condition.
 *
 * What is read is borrowed from the text, which must outlive the cursor. Functions that return bool
 * return false if the cursor is not at what they read; those with a parameter `what`, its
 * description, then also report the error "expected WHAT, found `WORD`" with its position. A cursor
 * without `diags` and `why` reports nothing. */
#ifndef LIB_CURSOR_H
#define LIB_CURSOR_H

#include "lib/diag.h"

struct lib_slice {
    const char *bytes;
    size_t length;
};

struct lib_cursor {
    const char *at, *end;
    const char *line;   /* first byte of the current line */
    struct lib_pos pos; /* position of `line` in `source` */
    bool is_rough; /* `source` has the text in another form, so all errors are at `pos` */
    const struct lib_source *source;
    struct lib_diags *diags;
    struct lib_text *why;  /* gets the text of an error in place of `diags`, or NULL */
    const char *prefix;    /* beginning of each message; NULL: none */
    const char *blanks;    /* characters that are skipped before a word */
    const char *line_ends; /* newline, and characters that begin a comment */
};

/* Starts a cursor at the first line of a source. Blanks are skipped, and comments after #. */
void lib_cursor_start(struct lib_cursor *c, const struct lib_source *source,
                      struct lib_diags *diags);

/* Starts a cursor at a text of one line, without blanks and comments. Errors go to `why`, after
 * `prefix`; both may be NULL. */
void lib_cursor_on(struct lib_cursor *c, const char *text, const char *prefix,
                   struct lib_text *why);

/* Whether the rest of the line is empty (blanks, a comment); lib_cursor_expect_end reports an error
 * if not. */
bool lib_cursor_at_end(struct lib_cursor *c);
bool lib_cursor_expect_end(struct lib_cursor *c);

/* Moves to the first line from the cursor on that is not empty. Returns false at the end. */
bool lib_cursor_find_line(struct lib_cursor *c);
void lib_cursor_skip_line(struct lib_cursor *c); /* moves to the start of the next line */

/* Moves past `text` if the cursor is at it; lib_cursor_expect reports an error if not. */
bool lib_cursor_accept(struct lib_cursor *c, const char *text);
bool lib_cursor_expect(struct lib_cursor *c, const char *text);

/* Returns the next word or sign, for messages, without moving. It is empty only at the end of the
 * line. */
struct lib_slice lib_cursor_next(struct lib_cursor *c);

/* Moves to the first of the characters in `stops`, or to the end. Returns the text before it. */
struct lib_slice lib_cursor_until(struct lib_cursor *c, const char *stops);

/* Moves forward to `to`. Returns the text between. */
struct lib_slice lib_cursor_move(struct lib_cursor *c, const char *to);

/* Whether the cursor is at a digit; lib_cursor_number reads a number from `least` to `most`. */
bool lib_cursor_at_digit(struct lib_cursor *c);
bool lib_cursor_number(struct lib_cursor *c, const char *what, uint64_t least,
                       uint64_t most, uint64_t *number);

/* Report an error and return false. lib_cursor_expected is about the next word, lib_cursor_found
 * about a slice. */
bool lib_cursor_expected(struct lib_cursor *c, const char *what);
bool lib_cursor_found(struct lib_cursor *c, struct lib_slice slice, const char *what);
bool lib_cursor_error(struct lib_cursor *c, enum lib_diag_code code, struct lib_slice at,
                      const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Returns the position of a slice of the current line. */
struct lib_pos lib_cursor_pos(const struct lib_cursor *c, struct lib_slice slice);

bool lib_slice_is(struct lib_slice slice, const char *text);

/* Copies a slice to `text`, NUL-terminated and cut to `size` bytes. */
void lib_slice_copy(struct lib_slice slice, char *text, size_t size);

#endif

/* Cursor: reads a short text piece by piece, such as a line of a file or the value of an option.
 *
 * Slices are borrowed from the text, which must outlive the cursor. Functions that return bool
 * return false if the text at the cursor is not what they read. Functions with a parameter `what`,
 * a description of what they read, then also report "expected WHAT, found `WORD`" with its
 * position. A cursor without `diags` and `why` reports nothing. */
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
    /* the text is not literally in `source`, so all errors are reported at `pos` */
    bool is_rough;
    const struct lib_source *source;
    struct lib_diags *diags;
    struct lib_text *why; /* receives error messages instead of `diags`; may be NULL */
    const char *prefix;   /* text that precedes each error message; or NULL */
    const char *blanks;   /* characters to skip before a word */
    /* characters that end a line: the newline, and those that begin a comment */
    const char *line_ends;
};

/* Starts a cursor at the first line of a source. It skips a byte-order mark, blanks, and comments
 * that begin with #. */
void lib_cursor_start(struct lib_cursor *c, const struct lib_source *source,
                      struct lib_diags *diags);

/* Starts a cursor at one line without blanks and comments. Error messages, after `prefix`, go to
 * `why`; either may be NULL. */
void lib_cursor_on(struct lib_cursor *c, const char *text, const char *prefix,
                   struct lib_text *why);

/* Whether the rest of the line has only blanks or a comment. lib_cursor_expect_end also reports an
 * error if it has more. */
bool lib_cursor_at_end(struct lib_cursor *c);
bool lib_cursor_expect_end(struct lib_cursor *c);

/* Moves to the next line that is not empty, which may be the current one. Returns false at the end
 * of the text. */
bool lib_cursor_find_line(struct lib_cursor *c);
void lib_cursor_skip_line(struct lib_cursor *c); /* moves to the next line */

/* Moves past `text` if it is next, else returns false. lib_cursor_expect then also reports an
 * error. */
bool lib_cursor_accept(struct lib_cursor *c, const char *text);
bool lib_cursor_expect(struct lib_cursor *c, const char *text);

/* Returns the next word or sign without moving, for messages. The slice is empty only at the end of
 * the line. */
struct lib_slice lib_cursor_next(struct lib_cursor *c);

/* Moves to the first of the characters in `stops`, or to the end. Returns the text before it. */
struct lib_slice lib_cursor_until(struct lib_cursor *c, const char *stops);

/* Moves forward to the byte `to` of the text. Returns the text passed over. */
struct lib_slice lib_cursor_move(struct lib_cursor *c, const char *to);

/* Whether the next character is a digit. */
bool lib_cursor_at_digit(struct lib_cursor *c);
/* Reads an unsigned integer from `least` to `most`. Messages call it `what`. */
bool lib_cursor_number(struct lib_cursor *c, const char *what, uint64_t least,
                       uint64_t most, uint64_t *number);

/* Report an error and return false. lib_cursor_expected says "expected WHAT" and quotes the next
 * word; lib_cursor_found quotes a slice. */
bool lib_cursor_expected(struct lib_cursor *c, const char *what);
bool lib_cursor_found(struct lib_cursor *c, struct lib_slice slice, const char *what);
bool lib_cursor_error(struct lib_cursor *c, enum lib_diag_code code, struct lib_slice at,
                      const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Returns the line and column of a slice of the current line. */
struct lib_pos lib_cursor_pos(const struct lib_cursor *c, struct lib_slice slice);

bool lib_slice_is(struct lib_slice slice, const char *text);

/* Copies a slice to `text`, NUL-terminated and cut to `size` bytes. */
void lib_slice_copy(struct lib_slice slice, char *text, size_t size);

#endif

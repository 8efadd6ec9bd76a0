/* Characters that a reader does not see: blanks that are no blanks to a parser, characters without
 * width, and the byte-order mark at the start of a file. Pure functions on UTF-8; nothing here
 * fails, and bytes that are not UTF-8 are left alone. */
#ifndef LIB_INVISIBLE_H
#define LIB_INVISIBLE_H

#include "lib/diag.h"

struct lib_invisible {
    uint32_t code;      /* code point */
    size_t length;      /* bytes */
    const char *name;   /* "no-break space" */
    const char *advice; /* "write a blank" */
};

/* Whether the bytes begin with an invisible character. A blank, tab or newline is none. */
bool lib_invisible_at(const char *bytes, size_t length, struct lib_invisible *found);

/* Returns the length of the first character in bytes, 1 if they do not begin with UTF-8. It is
 * visible unless it is invisible as above or commands a terminal: a control character such as ESC,
 * except tab and newline, or a byte from 0x7f to 0x9f. */
size_t lib_invisible_step(const char *bytes, size_t length, bool *is_visible);

/* Appends a text with codes in place of characters that are not visible, as in `n<U+00A0>` and
 * `n<0x1b>`. */
void lib_invisible_write(struct lib_text *out, const char *text);

/* Rewrites a message as lib_invisible_write does, and adds what the first invisible character is
 * and what to do about it. */
void lib_invisible_name(struct lib_text *message);

/* Adds to a message about a place in a source what the character there is, if it is invisible and
 * the message has no name of one. */
void lib_invisible_name_at(struct lib_text *message, const struct lib_source *source,
                           struct lib_pos pos);

/* Returns where the text of a source begins: behind a byte-order mark, if there is one. */
const char *lib_source_start(const struct lib_source *source);

/* Whether a source can be a text in UTF-8. Returns false and adds a diagnostic if it has a byte 0
 * or is UTF-16, as all readers of text would end, or go wrong, there. */
bool lib_source_is_text(const struct lib_source *source, struct lib_diags *diags);

#endif

/* Text: a growing buffer, numbers as the user reads them, nearest names. */
#ifndef LIB_TEXT_H
#define LIB_TEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A growing text, always NUL-terminated once something was added. Start with {0}; the
 * holder owns `bytes` and gives them back with lib_text_free. */
struct lib_text {
    char *bytes;
    size_t length, capacity;
};

void lib_text_free(struct lib_text *text);
void lib_text_clear(struct lib_text *text);
const char *lib_text_get(const struct lib_text *text); /* "" while empty; borrowed */
/* Makes room for so many more bytes, to be put at `bytes + length`. */
void lib_text_reserve(struct lib_text *text, size_t more);
void lib_text_add(struct lib_text *text, const char *bytes, size_t length);
void lib_text_puts(struct lib_text *text, const char *string);
void lib_text_printf(struct lib_text *text, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void lib_text_vprintf(struct lib_text *text, const char *format, va_list ap);

void lib_text_int(struct lib_text *text, int64_t value);

/* Adds how many there are of something: exactly, or "about 2.5e+22". */
void lib_text_count(struct lib_text *text, double count);

/* Adds a real with the fewest digits that read back as the same double, always with a
 * point or an exponent: what Python's repr prints (doc/language.md, Output). */
void lib_text_real(struct lib_text *text, double value);

/* Adds `string` as a JSON string, quotes included. Bytes that are not UTF-8 are written
 * as U+FFFD, so that the output is always JSON. */
void lib_text_json(struct lib_text *text, const char *string);

/* Whether a text is UTF-8 and has no control characters: names that stand in tables. */
bool lib_text_is_line(const char *string);

/* Adds bytes as characters of HTML and of XML: `<`, `>`, `&` and quotes are written as references, what
 * neither may have as U+FFFD. So nothing that stands in a text is ever markup. */
void lib_text_html(struct lib_text *text, const char *bytes, size_t length);

/* A name among `count` candidates close enough to `wrong` to be what was meant, or NULL.
 * Candidate i is what `name(i, context)` returns. Capital and small letters are
 * alike. */
const char *lib_text_nearest(const char *wrong, size_t count,
                             const char *(*name)(size_t i, const void *context),
                             const void *context);

/* Adds "; did you mean `x`?" where one of the choices "a|b|c" is near to `wrong`. */
void lib_text_hint_choice(struct lib_text *text, const char *wrong, const char *choices);

/* Reads a whole decimal integer (optional sign) or real. false: not one, or out of
 * range. */
bool lib_text_to_int(const char *string, int64_t *value);
bool lib_text_to_real(const char *string, double *value);

/* The same for digits alone, up to 2^64 - 1. */
bool lib_text_to_whole(const char *string, uint64_t *value);

/* What is no whole number as hiaton reads them, but is meant as one: 1e6, 1_000, 1,000, 4.0,
 * 0x10, 4GiB. false: nothing of that. */
bool lib_text_whole_meant(const char *written, uint64_t *value);

/* Adds "; did you mean `1000000`?" where that is the case, and it would be in range. */
void lib_text_hint_whole(struct lib_text *text, const char *written, uint64_t least,
                         uint64_t most);

#endif

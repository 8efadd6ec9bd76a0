/* Growing strings, numbers as text, and suggestions for misspelled names. */
#ifndef LIB_TEXT_H
#define LIB_TEXT_H

#include "lib/each.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Growing string; NUL-terminated if `bytes` is not NULL. Initialise with {0}; free with
 * lib_text_free. */
struct lib_text {
    char *bytes;
    size_t length, capacity;
};

void lib_text_free(struct lib_text *text);

/* Begins the definition of strings that are freed when their block is left:
 * LIB_TEXT_OWN text = {0}; */
#define LIB_TEXT_OWN __attribute__((cleanup(lib_text_free))) struct lib_text

/* Frees up to 8 strings. */
#define LIB_TEXT_FREE(...) LIB_EACH(LIB_TEXT_FREE_ONE, , __VA_ARGS__)
#define LIB_TEXT_FREE_ONE(none, text) lib_text_free(text)

void lib_text_clear(struct lib_text *text);

/* Returns the string, or "" if it is empty. The pointer is valid until `text` changes. */
const char *lib_text_get(const struct lib_text *text);

void lib_text_reserve(struct lib_text *text, size_t more);
void lib_text_add(struct lib_text *text, const char *bytes, size_t length);
void lib_text_puts(struct lib_text *text, const char *string);
void lib_text_printf(struct lib_text *text, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void lib_text_vprintf(struct lib_text *text, const char *format, va_list ap);

void lib_text_int(struct lib_text *text, int64_t value);

/* Adds 16 hexadecimal digits, with leading zeros, as digests are written. */
void lib_text_hex(struct lib_text *text, uint64_t value);

/* Adds a count for people: exactly below 10^15, otherwise as "about 2.5e+22" or "endlessly
 * many". */
void lib_text_count(struct lib_text *text, double count);

/* Adds a real with the fewest digits that read back as the same double, always with a point or an
 * exponent, as Python's repr does (doc/language.md, Output). */
void lib_text_real(struct lib_text *text, double value);

/* Adds `string` as a JSON string with quotes. Invalid UTF-8 becomes U+FFFD, so that the output is
 * always valid JSON. */
void lib_text_json(struct lib_text *text, const char *string);

/* Whether a string is valid UTF-8 without control characters, as names in a table must be. */
bool lib_text_is_line(const char *string);

/* Returns the length of the character at the start of `bytes`, of which `count` exist; 0 if they
 * are not UTF-8, or a character that XML does not allow, such as most control characters. */
size_t lib_text_shown(const char *bytes, size_t count);

/* Adds bytes as text of HTML and XML, so that none acts as markup: `<`, `>`, `&` and quotes become
 * character references, invalid bytes and characters U+FFFD. */
void lib_text_html(struct lib_text *text, const char *bytes, size_t length);

/* Returns the candidate most similar to `wrong`, or NULL if none is similar. name(i, context)
 * returns candidate i of `count`. Case does not matter. Of equally similar candidates the one with
 * the longest common prefix wins, and then the first. */
const char *lib_text_nearest(const char *wrong, size_t count,
                             const char *(*name)(size_t i, const void *context),
                             const void *context);

/* Adds "; did you mean `x`?" if one of the choices "a|b|c" is similar to `wrong`. */
void lib_text_hint_choice(struct lib_text *text, const char *wrong, const char *choices);

/* Read a decimal integer or a real, with an optional sign. Return false if the string is something
 * else or is out of range. */
bool lib_text_to_int(const char *string, int64_t *value);
bool lib_text_to_real(const char *string, double *value);

/* Reads the 64 bits of an int that are written 0x... or 0b..., without a sign:
 * 0xffffffffffffffff is -1. Returns false if the string is something else or has more bits. */
bool lib_text_to_bits(const char *string, int64_t *value);

/* Reads an unsigned decimal integer without a sign. Returns false if the string is something else
 * or exceeds 2^64 - 1. */
bool lib_text_to_whole(const char *string, uint64_t *value);

/* Guesses the unsigned integer that a user meant by a spelling that hiaton does not accept: 1e6,
 * 1_000, 1,000, 4.0, 0x10, 10k, 4GiB, 1GHz. Returns false for other strings. */
bool lib_text_whole_meant(const char *written, uint64_t *value);

/* Adds "; did you mean `1000000`?" if lib_text_whole_meant guesses a number from `least` to
 * `most`. */
void lib_text_hint_whole(struct lib_text *text, const char *written, uint64_t least,
                         uint64_t most);

#endif

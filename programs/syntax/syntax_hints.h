/* Syntax of other languages that users may write, and what to write instead. */
#ifndef PROGRAMS_SYNTAX_SYNTAX_HINTS_H
#define PROGRAMS_SYNTAX_SYNTAX_HINTS_H

#include "lib/arena.h"

#include <stdbool.h>
#include <stddef.h>

struct programs_syntax_hints {
    const char *text;   /* text in other languages, such as "&&" */
    const char *advice; /* what to write instead, such as "write `and`" */
};

/* Returns the hint for a sign of other languages (such as &&) with which the text `at` begins,
 * which has `left` bytes; or NULL. */
const struct programs_syntax_hints *programs_syntax_hints_sign(const char *at,
                                                               size_t left);

/* Returns what to write instead of a sign of other languages that is between two operands. */
const char *programs_syntax_hints_between(const struct programs_syntax_hints *sign);

/* Returns what to write instead of a keyword of other languages, or NULL. Only for use after an
 * error, as the word may be an ordinary name. */
const char *programs_syntax_hints_word(const char *word);

/* Returns advice about a call without arguments: that of the word, if it is one of other languages,
 * or draws a random number, which takes a key. */
const char *programs_syntax_hints_empty(const char *word);

/* Returns what to write instead of a capitalised word: the word in lower case if that is a keyword;
 * else the word with its first letter in lower case, as names are written. */
const char *programs_syntax_hints_small(struct lib_arena *arena, const char *word);

/* Whether a word belongs to the language: a keyword, built-in function, type or `result`. */
bool programs_syntax_hints_has(const char *word);

#endif

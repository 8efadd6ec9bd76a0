/* Syntax of other languages that users may write, and what to write instead. */
#ifndef PROGRAMS_SYNTAX_SYNTAX_HINTS_H
#define PROGRAMS_SYNTAX_SYNTAX_HINTS_H

#include "lib/arena.h"

#include <stdbool.h>
#include <stddef.h>

struct programs_syntax_hints {
    const char *text;   /* text in other languages */
    const char *advice; /* "write `and`" */
};

/* Returns the sign of other languages that begins at `at`, of which `left` bytes are left; or NULL.
 * No program of this language has such a sign. */
const struct programs_syntax_hints *programs_syntax_hints_sign(const char *at,
                                                               size_t left);

/* Returns the advice on one of these signs between two operands. */
const char *programs_syntax_hints_between(const struct programs_syntax_hints *sign);

/* Returns the advice on a word that is a keyword of other languages, or NULL. Here it is an
 * ordinary name: call this only for an error that is found already. */
const char *programs_syntax_hints_word(const char *word);

/* Returns a capitalised word in lower case: the whole word if it then is a keyword, else only its
 * first letter is changed, for a name. */
const char *programs_syntax_hints_small(struct lib_arena *arena, const char *word);

/* Whether the language has the word: a keyword, a built-in function, a type or `result`. */
bool programs_syntax_hints_has(const char *word);

#endif

/* What people write who come from other languages, and what is written here instead. */
#ifndef PROGRAMS_SYNTAX_SYNTAX_HINTS_H
#define PROGRAMS_SYNTAX_SYNTAX_HINTS_H

#include "lib/arena.h"

#include <stdbool.h>
#include <stddef.h>

struct programs_syntax_hints {
    const char *text;   /* as it is written elsewhere */
    const char *advice; /* "write `and`" */
};

/* The sign that begins at `at`, of those that no program of this language has; NULL: none.
 * `left` bytes are left. */
const struct programs_syntax_hints *programs_syntax_hints_sign(const char *at,
                                                               size_t left);

/* The advice on a sign of the ones above that joins two operands. */
const char *programs_syntax_hints_between(const struct programs_syntax_hints *sign);

/* The advice on a word that is a name like any other here, but was not meant as one; NULL: none.
 * Only where something is wrong already. */
const char *programs_syntax_hints_word(const char *word);

/* What a capitalised word may mean, in small letters: a keyword as a whole, else a name. */
const char *programs_syntax_hints_small(struct lib_arena *arena, const char *word);

/* Whether the language has the word: a keyword, a built-in function, a type or `result`. */
bool programs_syntax_hints_has(const char *word);

#endif

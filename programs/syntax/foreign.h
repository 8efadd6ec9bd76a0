/* What people write who come from other languages, and what is written here instead. */
#ifndef PROGRAMS_SYNTAX_FOREIGN_H
#define PROGRAMS_SYNTAX_FOREIGN_H

#include "lib/arena.h"

#include <stddef.h>

struct programs_foreign {
    const char *text;   /* as it is written elsewhere */
    const char *advice; /* "write `and`" */
};

/* The sign that begins at `at`, of those that no program of this language has; NULL: none.
 * `left` bytes are left. */
const struct programs_foreign *programs_foreign_sign(const char *at, size_t left);

/* The advice on a word that is a name like any other here, but was not meant as one; NULL: none.
 * Only where something is wrong already. */
const char *programs_foreign_word(const char *word);

/* What a capitalised word may mean, in small letters: a keyword as a whole, else a name. */
const char *programs_foreign_small(struct lib_arena *arena, const char *word);

#endif

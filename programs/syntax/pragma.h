/* Pragmas: comments `--# WORD ARGUMENT` that say how a program runs, not what it computes. This
 * module reads one; the lexer says what it is for. Texts are in the arena. */
#ifndef PROGRAMS_SYNTAX_PRAGMA_H
#define PROGRAMS_SYNTAX_PRAGMA_H

#include "programs/syntax/lex.h"

enum programs_pragma_kind {
    PROGRAMS_PRAGMA_BOUND,   /* `--# bound N`: max iterations of a loop in flight */
    PROGRAMS_PRAGMA_MACHINE, /* `--# machine N`: machine of an equation or line */
    PROGRAMS_PRAGMA_ON,      /* `--# on CLASS`: class of PEs of an equation */
    PROGRAMS_PRAGMA_COUNT,
};

struct programs_pragma {
    enum programs_pragma_kind kind;
    uint32_t number;   /* N */
    const char *class; /* CLASS; NULL: has a number */
};

/* Reads the pragma from `at`, its `--#` at position `pos`, to `end`, the end of its line. Returns
 * false and sets *mistake if it is none. */
bool programs_pragma_read(struct lib_arena *arena, const char *at, const char *end,
                          struct lib_pos pos, struct programs_pragma *pragma,
                          struct programs_mistake *mistake);

#endif

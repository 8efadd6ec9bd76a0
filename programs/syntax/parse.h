/* The parser: from the text of a program to its tree (doc/language.md, "Equations" and
 * "Expressions").
 *
 * Recursive descent, with operators by their level. After an error it goes on at the next
 * equation, so one run reports the errors of all equations, one each. What would make
 * this pass or a later one exhaust the host's stack is refused with LIB_DIAG_LIMIT. */
#ifndef PROGRAMS_SYNTAX_PARSE_H
#define PROGRAMS_SYNTAX_PARSE_H

#include "programs/syntax/ast.h"

/* Reads a program. The tree lives in the arena, and borrows the source. NULL: there were
 * errors, and `diags` has them. */
struct programs_ast *programs_parse(struct lib_arena *arena,
                                    const struct lib_source *source,
                                    struct lib_diags *diags);

#endif

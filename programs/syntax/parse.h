/* The parser: from source to syntax tree (doc/language.md, "Equations" and "Expressions").
 *
 * A recursive descent parser with operator precedence. After an error it continues at the next
 * equation. Expressions nested so deeply that a pass could exhaust the host's stack are a
 * LIB_DIAG_LIMIT error. */
#ifndef PROGRAMS_SYNTAX_PARSE_H
#define PROGRAMS_SYNTAX_PARSE_H

#include "programs/syntax/ast.h"

/* Parses a program. The tree is in the arena and borrows the source. Returns NULL and adds
 * diagnostics after errors. */
struct programs_ast *programs_parse(struct lib_arena *arena,
                                    const struct lib_source *source,
                                    struct lib_diags *diags);

#endif

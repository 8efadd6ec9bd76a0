/* The compiler: from a source, or from an assembly text of any stage, to an image.
 *
 * What is written is what is measured: calls are not inlined, common expressions are not
 * shared, constants are not folded, operations are not reordered. An instruction has at most
 * two token operands, and at most one immediate. A literal or an input is an immediate where
 * it can be; where it must be a token, a CONST makes it. */
#ifndef PROGRAMS_COMPILE_H
#define PROGRAMS_COMPILE_H

#include "isa/graph.h"
#include "lib/diag.h"
#include "programs/graph/build_options.h"

/* The forms that a program takes on its way, in order; each can be written as text that
 * reads back. */
enum programs_pass {
    PROGRAMS_PASS_PARSE,     /* the syntax tree, as a program */
    PROGRAMS_PASS_FUNCTIONS, /* one graph per function */
    PROGRAMS_PASS_STATIC,    /* one graph */
    PROGRAMS_PASS_IMAGE,     /* the instructions */
    PROGRAMS_PASS_COUNT,
};

const char *programs_pass_name(enum programs_pass pass);

/* Compiles a source up to the graph of a stage; NULL after errors, which are in `diags`.
 * The graph is the caller's. */
struct isa_graph *programs_compile(const struct lib_source *source,
                                   const struct programs_options *options,
                                   enum isa_stage stage, struct lib_diags *diags);

/* Whether a stage comes after another one: IMAGE after STATIC; both, and EXPANDING, after
 * FUNCTIONS. */
bool programs_can_advance(enum isa_stage from, enum isa_stage to);

/* Takes a graph to its own stage, or to a later one. Consumes `graph`; NULL after errors.
 * The source, for positions, may be NULL. */
struct isa_graph *programs_advance(struct isa_graph *graph, enum isa_stage stage,
                                   const struct lib_source *source,
                                   struct lib_diags *diags);

/* Writes the syntax tree back as a program (the dump of PROGRAMS_PASS_PARSE); false
 * after errors. */
bool programs_dump_parse(const struct lib_source *source, struct lib_text *out,
                         struct lib_diags *diags);

#endif

/* The compiler: from a source, or from a graph that was read as assembly, to an image.
 *
 *     source --> syntax tree --> forms --> function graphs --> static graph --> image
 *                                               |
 *                                               +------------> expanding image
 *
 *     pass       PARSE                    FUNCTIONS            STATIC           IMAGE
 *     stage                               FUNCTIONS            STATIC           IMAGE, EXPANDING
 *
 * Names are bound, types inferred and shapes of tensors checked on the tree. Each function and each
 * constant has a form (programs/form/form.h), which goes through programs_passes; form_check checks
 * it after each of them, isa_check the graph after each later pass. Partitioning comes after the
 * image (programs/partition/partition.h).
 *
 * What always holds:
 *   - Measurements are those of the program as written: calls are not inlined, common expressions
 *     are not shared, constants are not folded, operations are not reordered; but for the passes of
 *     programs/optimise/ that the setting optimise.passes chooses.
 *   - An instruction has at most two token operands and at most one immediate. A literal or an
 *     input is an immediate where that is possible; otherwise a CONST makes it a token.
 *   - The same source and options give the same image, byte for byte.
 *   - A function that returns a graph returns NULL after errors, which it has added to `diags` with
 *     their positions.
 *
 *     struct programs_options options = {0};
 *     struct isa_graph *image = programs_compile(&source, &options, ISA_STAGE_IMAGE, &diags);
 *     if (!image)
 *         ... print the diagnostics (lib_diags_write) ...
 *     ...
 *     isa_graph_free(image);
 */
#ifndef PROGRAMS_COMPILE_H
#define PROGRAMS_COMPILE_H

#include "isa/graph.h"
#include "lib/diag.h"
#include "programs/graph/build.h"

/* The passes from form to form, in order. */
extern const struct programs_pass programs_passes[];

/* Compiles a source to a graph of a given stage, not PARTITIONED. The caller owns the graph.
 * Returns NULL and adds diagnostics after errors. */
struct isa_graph *programs_compile(const struct lib_source *source,
                                   const struct programs_options *options,
                                   enum isa_stage stage, struct lib_diags *diags);

/* Whether a graph of stage `from` can be compiled to stage `to`: IMAGE comes after STATIC; all
 * others come after FUNCTIONS. So does PARTITIONED, of which programs_advance makes only the image
 * that is to be divided. */
bool programs_can_advance(enum isa_stage from, enum isa_stage to);

/* Compiles a graph, which is consumed, to its own stage or one that programs_can_advance allows; to
 * IMAGE if `stage` is PARTITIONED. `source`, for positions in diagnostics, may be NULL. Returns
 * NULL and adds diagnostics after errors. */
struct isa_graph *programs_advance(struct isa_graph *graph, enum isa_stage stage,
                                   const struct lib_source *source,
                                   struct lib_diags *diags);

/* Compiles a source to function graphs, which are freed, and appends the forms of its definitions
 * (programs/form/text.h) to options->forms. Returns false and adds diagnostics after errors. */
bool programs_dump_forms(const struct lib_source *source,
                         const struct programs_options *options, struct lib_diags *diags);

/* Prints the syntax tree of a source as a program that can be parsed again. Returns false and
 * adds diagnostics after errors. */
bool programs_dump_parse(const struct lib_source *source, struct lib_text *out,
                         struct lib_diags *diags);

#endif

/* Assembly: the text of a graph, at any stage. Reading the text makes an equal graph, except that
 * the names of parameters are lost (isa/graph.h).
 *
 *   hiaton assembly 1
 *   stage image
 *   source "fact.df"
 *   input 0 n int = 3
 *   function 0 result () -> (int)
 *   function 1 fact (int) -> (int)  @2:1+4
 *   site 0 result -> fact  @1:10+4
 *   site 1 fact -> fact  @2:39+4
 *
 *   in result
 *     %0  call.int $n, site 0, param 0  -> %2.0 | %9.1   @1:10+4
 *     %1  add.int _, 5                  -> %11.0         @1:18
 *   in fact
 *     %2  merge.int _                   -> %3.0, %4.0
 *     %8  mergeif.int _                 -> return 0      @2:11+2
 *
 * doc/assembly.md, "The text", has the grammar. A function, cell or input whose name is not unique
 * is referred to by its index. A place @LINE:COLUMN without +SPAN is one byte wide. APPLY has the
 * operands and output lists of the function that its site calls.
 *
 * The reader accepts names up to ISA_ASM_MAX_NAME and texts up to ISA_ASM_MAX_BYTES bytes.
 */
#ifndef ISA_FORMAT_ASM_H
#define ISA_FORMAT_ASM_H

#include "isa/graph.h"

enum {
    ISA_ASM_MAX_NAME = 8192,
    ISA_ASM_MAX_BYTES = 1 << 30,
};

/* Appends the text of a graph, which must be legal (isa_check). */
void isa_asm_write(const struct isa_graph *graph, struct lib_text *out);

/* Reads a graph and checks it (isa/check/check.h). The caller owns the graph. Returns NULL and adds
 * diagnostics if the text is not a legal graph. */
struct isa_graph *isa_asm_read(const struct lib_source *source, struct lib_diags *diags);

/* Whether a text begins with the first line of assembly. */
bool isa_asm_is(const struct lib_source *source);

/* Whether a text is assembly without its first line: a later line is `stage STAGE`. */
bool isa_asm_lacks_head(const struct lib_source *source);

#endif

/* Assembly: the text of a graph, at any stage. It reads back to an equal graph.
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
 * doc/assembly.md, "The text", has the grammar. Blanks separate words where needed. A name that is
 * not unique cannot be used; its number can. A place without SPAN is one byte wide. APPLY has the
 * operands and output lists of the function that its site calls.
 *
 * Names up to ISA_ASM_MAX_NAME bytes and texts up to ISA_ASM_MAX_BYTES are read. */
#ifndef ISA_FORMAT_ASM_H
#define ISA_FORMAT_ASM_H

#include "isa/graph.h"

enum {
    ISA_ASM_MAX_NAME = 8192,
    ISA_ASM_MAX_BYTES = 1 << 30,
};

/* Adds the text of a graph that isa_check accepts. */
void isa_asm_write(const struct isa_graph *graph, struct lib_text *out);

/* Reads a graph and checks it (isa/check/check.h). The caller owns the graph, which is legal.
 * Returns NULL and adds diagnostics if the text is not a legal graph. */
struct isa_graph *isa_asm_read(const struct lib_source *source, struct lib_diags *diags);

/* Whether the first line of a text is that of assembly. */
bool isa_asm_is(const struct lib_source *source);

#endif

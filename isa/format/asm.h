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
 * The grammar, line by line. Blanks separate words where needed; `#` starts a comment that ends
 * with the line; empty lines are ignored.
 *
 *   text     = "hiaton assembly 1"  "stage" STAGE
 *              { declaration }  { "in" FUNCTION | node }
 *   STAGE    = "functions" | "static" | "image" | "expanding" | "partitioned"
 *   declaration
 *            = "source" STRING                                   once at most
 *            | "input"    [NUMBER] NAME TYPE "=" VALUE
 *            | "cell"     [NUMBER] NAME TYPE
 *            | "function" [NUMBER] NAME types "->" types [place]  the first: top level
 *            | "port"     [NUMBER] ("in" | "out") NAME "(" part { "," part } ")" [place]
 *                                   a port out follows function 0, whose last results are its
 *                                   parts
 *            | "shape"    STRING    of the result, `_` for each part: "((_, _), [_])";
 *                                   without it the parts are not nested
 *            | "site"     [NUMBER] FUNCTION "->" FUNCTION [place] caller -> callee
 *   part     = "int" | "real" | "bool" | "tensor" ELEMENT RANK
 *   types    = "(" [ TYPE { "," TYPE } ] ")"
 *   node     = LABEL OPCODE [ item { "," item } ] [ "->" list { "|" list } ] [place]
 *   item     = "_"               an operand that is a token
 *            | VALUE             an immediate
 *            | "$" INPUT         an immediate: the value of an input
 *            | "site" NUMBER | "param" NUMBER | "part" NUMBER | "cell" CELL | "array" NUMBER
 *   list     = "-"  |  end { "," end }
 *   end      = LABEL "." NUMBER  an operand of a node
 *            | "return" NUMBER   result NUMBER, to the RETURN that the head of the tag
 *                                names; stage image only
 *   place    = "@" LINE ":" COLUMN [ "+" SPAN ]   in the source; SPAN bytes wide, or 1
 *
 *   FUNCTION, CELL, INPUT = NAME or NUMBER. A name that is not unique cannot be used. The number
 *              of an item is its order; if a declaration states it, it must be right.
 *   NAME     = a letter or _, then letters, digits, _ ' and .   or a STRING
 *   STRING   = "..."; \" \\ \n \t and \xHH are one byte
 *   TYPE     = "int" | "real" | "bool" | "[" TYPE "]"      an array: 15 brackets at most
 *            | "&" TYPE                                   the address of an element
 *   VALUE    = as `hiaton run` prints it: -5, 2.5, 1e+16, inf, nan, true
 *   LABEL    = "%" and letters, digits, _   in any order, before or after its use; the
 *              number of a node is the order of its definition
 *   OPCODE   = as isa/ops.def spells it, with the type after a dot where it has one:
 *              add.int, switch.real, store.[int]
 *
 * A node lists the operands of its opcode in order, without a trigger that is absent: `read.int
 * cell x`. It has the attributes that its opcode's row names (site, param, part, cell), and as many
 * lists as the opcode has outputs: SWITCH two, the first for true; CALL two, data and control; none
 * if the opcode has no output. APPLY has the operands and lists of the function that its site
 * calls.
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

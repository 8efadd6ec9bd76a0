/* The checker: whether a graph is legal at its stage.
 *
 * It runs after every compiler pass and every reader, so that later code needs no checks. A graph
 * may be invalid in any way, but its pointers and counts must agree. The time is linear in its
 * size.
 *
 * The rules, in the order in which they are checked. Errors in one group hide those of the next:
 *
 *   ranges   Every index, count and literal is in range.
 *   naming   Function 0 has no parameters, is not a loop and is never called. Every other function
 *            is called and has parameters and results; a loop has one site and may have no
 *            results. Names of inputs are unique, and so are names of ports. The last results of
 *            function 0 are those of output ports.
 *   nodes    The opcode is legal at the stage: PARAM, APPLY, RESULT in FUNCTIONS and EXPANDING;
 *            CALL, RETURN, JOIN in the others; MERGE also in these, and in loops at every stage.
 *            PARAM and RESULT are not in loops. WRITE, OUTPUT and PORT are in function 0, with at
 *            most one PORT for each array. The items that a node names have its type. The caller
 *            of a node's site is the function that contains the node; NEXT and EXIT name the site
 *            of their loop. Operands are of the kinds in isa/ops.def, with at most one immediate
 *            (APPLY: any number in function 0, else none); constants of a loop only in that loop.
 *            A node without a token operand is in function 0.
 *   arcs     Types agree; a trigger takes any type. The tag that an arc carries is that of the
 *            activation in which its destination fires. One arc reaches each token operand
 *            (MERGEIF: two; MERGE: one or more), and none any other operand.
 *   results  Every cell has one WRITE, every result of function 0 one OUTPUT. Every result of
 *            another function has one producer: a RESULT, one output list that reaches the
 *            RETURNs of every call, or one `return K`; for a loop one EXIT. If a function has
 *            PARAMs, it has one for each parameter.
 *   calls    A site has one APPLY; or one CALL per parameter, one RETURN per result, and JOINs,
 *            one fewer than parameters, which make a tree whose leaves are the CALLs. The root
 *            reaches the last RETURN, and each other RETURN that no inner node of the tree
 *            reaches. The site of a loop has none of these.
 *   loops    A loop has one ENTER and one NEXT per parameter. Both reach one MERGE and nothing
 *            else, and nothing else reaches that MERGE. It has one HOLD per constant. Other sites
 *            have none of these.
 */
#ifndef ISA_CHECK_CHECK_H
#define ISA_CHECK_CHECK_H

#include "isa/graph.h"

/* Whether a graph is legal. Adds an error for each fault, with the node, the rule and the node's
 * position in `source`, the source of the program or NULL. */
bool isa_check(const struct isa_graph *graph, const struct lib_source *source,
               struct lib_diags *diags);

/* Position and label ("%7") of a node in the assembly text that a graph was read from. */
struct isa_place {
    struct lib_pos pos;
    const char *label; /* borrowed; not NUL-terminated */
    uint32_t length;
};

/* Checks, as isa_check does, a graph that was read from `source`, where node i is at places[i].
 * `places` is NULL if nodes have no positions, as in a binary image. */
bool isa_check_text(const struct isa_graph *graph, const struct lib_source *source,
                    const struct isa_place *places, struct lib_diags *diags);

/* Adds warnings about a legal graph in which tokens can never meet, or two meet where one is
 * expected: operands from both arms of a SWITCH, a result that only one arm makes, a MERGEIF whose
 * arcs do not come from different arms. Conditions are equal if one output decides both, or outputs
 * of equal pure operations. A graph without warnings can still deadlock. Takes linear time. */
void isa_check_arms(const struct isa_graph *graph, const struct lib_source *source,
                    const struct isa_place *places, struct lib_diags *diags);

#endif

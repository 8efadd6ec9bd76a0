/* The checker: whether a graph is legal at its stage.
 *
 * It runs after every pass and every reader, and what it lets through needs no checks
 * later. Every index is in range. The arcs that an operand needs reach it, and none that
 * carries another type or another activation's tag. Every call has the CALLs, JOINs and
 * RETURNs that it needs and no others. The checker takes any graph whose pointers and
 * counts agree, however wrong, in time linear in its size.
 *
 * The rules, in the order in which they are checked; errors of one group hide the next:
 *
 *   ranges   every index, count and literal is one that can be
 *   naming   function 0 has no parameters, is no loop and is never called; every other
 *            one is called and has parameters and results; a loop has one site and may
 *            have no results; inputs have names of their own
 *            ports have names of their own, and the last results of function 0 are those of ports out
 *   nodes    the opcode is legal at the stage (PARAM, APPLY, RESULT in FUNCTIONS and
 *            EXPANDING; CALL, RETURN, JOIN in the others; MERGE there too, and in a loop
 *            at every stage), PARAM and RESULT in no loop, WRITE, OUTPUT and PORT in function 0
 *            alone, one PORT at most of each array;
 *            what a node names is of its type, and its site calls from where it stands
 *            (NEXT, EXIT: is that of the loop where they stand);
 *            operands are of the kinds that isa/ops.def allows, one immediate at most
 *            (APPLY: any number in function 0, else none), a constant that is held only
 *            in its loop; without a token operand a node stands in function 0
 *   arcs     types agree, a trigger takes anything; the tag that an arc carries is of the
 *            activation in which its destination fires; a token operand is reached by one
 *            arc (MERGEIF: two; MERGE: one or more), any other by none
 *   results  every cell has one WRITE, every result of function 0 one OUTPUT, every
 *            result of another function one producer: a RESULT, one output list that
 *            reaches the RETURNs of every call, or one `return K`; or of a loop one EXIT;
 *            a parameter of a function has one PARAM where there are any
 *   calls    a site has one APPLY; or one CALL per parameter, one RETURN per result and
 *            one JOIN less than parameters, joined to a tree whose leaves are the CALLs
 *            and whose root reaches the last RETURN, and each other one unless an inner node does; that of a loop has none of these
 *   loops    a loop has one ENTER and one NEXT per parameter, which both reach one MERGE
 *            and nothing else, and nothing else reaches it; and one HOLD per constant; no
 *            other site has any
 */
#ifndef ISA_CHECK_CHECK_H
#define ISA_CHECK_CHECK_H

#include "isa/graph.h"

/* Whether the graph is legal. If not, errors have been added that name the node, the rule
 * and the position of the node in `source`, which is the program's text, or NULL. */
bool isa_check(const struct isa_graph *graph, const struct lib_source *source,
               struct lib_diags *diags);

/* Where a node stands in a text other than the program's, and what it is called there. */
struct isa_place {
    struct lib_pos pos;
    const char *label; /* borrowed; not NUL-terminated */
    uint32_t length;
};

/* The same for a graph that was read from `source`, its nodes at `places` there; NULL: in
 * no particular place. */
bool isa_check_text(const struct isa_graph *graph, const struct lib_source *source,
                    const struct isa_place *places, struct lib_diags *diags);

/* Warns of tokens of a legal graph that can never meet, or that meet where one is expected:
 * operands from both arms of a SWITCH, a result that only one arm makes, a MERGEIF whose arcs are
 * on no different arms. Conditions are equal if one output decides them, or equal pure
 * operations. A graph without warnings can deadlock nevertheless. Takes time in proportion to the
 * graph. */
void isa_check_arms(const struct isa_graph *graph, const struct lib_source *source,
                    const struct isa_place *places, struct lib_diags *diags);

#endif

/* Conditions under which instructions fire with a live token: the output that each SWITCH on the
 * way to them must have chosen.
 *
 * A condition is a list of decisions inside one activation: the innermost decision, and the
 * condition under which it is made. After the MERGEIF of a conditional, the condition is again the
 * condition of the SWITCHes before it. At the entry of a function or loop it is empty. */
#ifndef PROGRAMS_PARTITION_CONDITION_H
#define PROGRAMS_PARTITION_CONDITION_H

#include "isa/graph.h"
#include "lib/memory.h"

enum {
    PROGRAMS_CONDITION_NONE = 0, /* the empty condition, which always holds */
    /* No list of decisions describes the condition. */
    PROGRAMS_CONDITION_UNKNOWN = UINT32_MAX
};

/* Operand by which a SWITCH chooses an output: a token or an immediate. */
struct isa_predicate {
    struct isa_operand operand;
    uint32_t function;     /* function whose activation the SWITCH fires in */
    uint32_t node, output; /* source of the operand, if it is a token */
};

/* A condition that is not empty: its last decision, which SWITCHes make, and the condition under
 * which the decision is made. */
struct programs_condition {
    /* index in `all` of the condition under which the decision is made */
    uint32_t outer;
    uint32_t predicate; /* index in `predicates` of the operand that decides */
    uint32_t side;      /* output list that the SWITCHes choose: 0 if true, 1 if false */
    struct lib_pos pos;
};

struct programs_conditions {
    LIB_VEC(struct programs_condition) all; /* item 0 is the empty condition */
    LIB_VEC(struct isa_predicate) predicates;
    /* For each node of the graph: index in `all` of the condition under which it fires; for a
     * RETURN or EXIT, under which its call is made or its loop entered. */
    uint32_t *of_node;
};

struct programs_conditions *programs_conditions_make(const struct isa_graph *image);
void programs_conditions_free(struct programs_conditions *conditions);

#endif

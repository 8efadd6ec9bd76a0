/* Conditions under which instructions fire with a live token: which output each SWITCH on the
 * way to them must have chosen.
 *
 * A condition is a list of decisions of one activation: the innermost decision, and the
 * condition under which it is made. After the MERGEIF of a conditional the condition is again
 * that of its SWITCHes. At the entry of a function or loop the condition is empty. */
#ifndef PROGRAMS_PARTITION_CONDITION_H
#define PROGRAMS_PARTITION_CONDITION_H

#include "isa/graph.h"
#include "lib/memory.h"

enum {
    PROGRAMS_CONDITION_NONE = 0,            /* the empty condition, which always holds */
    PROGRAMS_CONDITION_UNKNOWN = UINT32_MAX /* no such list describes it */
};

/* The operand by which a SWITCH chooses an output: a token or an immediate. */
struct isa_predicate {
    struct isa_operand operand;
    uint32_t function;     /* function in whose activation the SWITCH fires */
    uint32_t node, output; /* source of the token, if the operand is a token */
};

/* A decision of SWITCHes, and the condition under which it is made. */
struct programs_condition {
    uint32_t outer;     /* index in `all` of that condition */
    uint32_t predicate; /* index in `predicates` */
    uint32_t side;      /* output list that the SWITCHes choose: 0 if true, 1 if false */
    struct lib_pos pos;
};

struct programs_conditions {
    LIB_VEC(struct programs_condition) all; /* item 0 is PROGRAMS_CONDITION_NONE */
    LIB_VEC(struct isa_predicate) predicates;
    /* For each node, the condition under which it fires; for a RETURN or EXIT, the condition under
     * which its call is made or its loop is entered. */
    uint32_t *of_node;
};

struct programs_conditions *programs_conditions_make(const struct isa_graph *image);
void programs_conditions_free(struct programs_conditions *conditions);

#endif

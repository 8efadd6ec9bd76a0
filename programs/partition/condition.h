/* Conditions under which instructions fire with a live token: the direction that each SWITCH before
 * them must have chosen.
 *
 * A condition is a list of decisions of one activation: the innermost decision, and the condition
 * under which it is made. Behind the MERGEIF of a conditional the condition is again that of its
 * SWITCHes. At the entry of a function or loop the condition is empty. */
#ifndef PROGRAMS_PARTITION_CONDITION_H
#define PROGRAMS_PARTITION_CONDITION_H

#include "isa/graph.h"
#include "lib/memory.h"

enum {
    PROGRAMS_CONDITION_NONE = 0, /* the empty condition, which always holds */
    PROGRAMS_CONDITION_UNKNOWN =
        UINT32_MAX /* not a list of decisions of one activation */
};

/* Operand by which a SWITCH decides: a token or an immediate. */
struct isa_predicate {
    struct isa_operand operand;
    uint32_t function;     /* function of the activations that decide */
    uint32_t node, output; /* source of the token, if the operand is a token */
};

/* A decision, and the condition under which it is made. */
struct programs_condition {
    uint32_t outer;     /* condition under which it is made */
    uint32_t predicate; /* index in `predicates` */
    uint32_t side; /* output list that the SWITCHes choose: 0 if the predicate is true */
    struct lib_pos pos;
};

struct programs_conditions {
    LIB_VEC(struct programs_condition) all; /* item 0 is PROGRAMS_CONDITION_NONE */
    LIB_VEC(struct isa_predicate) predicates;
    /* For each node, the condition under which it fires; for a RETURN or EXIT, the condition under
     * which its call is made or its loop is entered. */
    uint32_t *of_node;
};

/* Computes the conditions of an image. */
struct programs_conditions *programs_conditions_make(const struct isa_graph *image);
void programs_conditions_free(struct programs_conditions *conditions);

#endif

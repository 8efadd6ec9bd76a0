/* Under which conditions instructions fire, live: which way the SWITCHes before them must have gone.
 *
 * A condition is a list of decisions, all of one activation: the innermost one, and the condition under which that
 * is made. What follows the MERGE of a conditional has the condition of its SWITCHes again. Where a function or a
 * loop is entered nothing is decided yet. */
#ifndef ISA_PARTITION_CONDITION_H
#define ISA_PARTITION_CONDITION_H

#include "isa/graph.h"
#include "lib/memory.h"

enum {
    ISA_CONDITION_NONE = 0,            /* fires live, whatever is decided */
    ISA_CONDITION_UNKNOWN = UINT32_MAX /* it is no such list */
};

/* What a SWITCH decides by: what an arc brings, or an immediate. */
struct isa_predicate {
    struct isa_operand operand;
    uint32_t function;     /* of whose activations */
    uint32_t node, output; /* of a token: where it comes from */
};

struct isa_condition {
    uint32_t outer; /* the condition under which it is decided */
    uint32_t predicate;
    uint32_t side; /* the list to which the SWITCHes send: 0 if it is true */
    struct lib_pos pos;
};

struct isa_conditions {
    LIB_VEC(struct isa_condition) all; /* the first is that of what fires anyway */
    LIB_VEC(struct isa_predicate) predicates;
    uint32_t *
        of_node; /* under which a node fires; of a RETURN or EXIT, under which its call is made, or
                          its loop entered */
};

/* Those of an image. */
struct isa_conditions *isa_conditions_make(const struct isa_graph *image);
void isa_conditions_free(struct isa_conditions *conditions);

#endif

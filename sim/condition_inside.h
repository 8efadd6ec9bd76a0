/* What reading a condition makes, and deciding it walks: for sim/condition*.c alone. */
#ifndef SIM_CONDITION_INSIDE_H
#define SIM_CONDITION_INSIDE_H

#include "sim/condition.h"

enum { SIM_CONDITION_NODES = 512 }; /* at most, in one condition */

enum sim_condition_op {
    OP_VALUE,
    OP_COLUMN,
    OP_NEGATE,
    OP_MULTIPLY,
    OP_DIVIDE,
    OP_REMAINDER,
    OP_ADD,
    OP_SUBTRACT,
    OP_EQUAL,
    OP_UNEQUAL,
    OP_LESS,
    OP_AT_MOST,
    OP_GREATER,
    OP_AT_LEAST,
    OP_NOT,
    OP_AND,
    OP_OR,
};

/* Nodes stand in postfix order: operands before what uses them. */
struct sim_condition_node {
    enum sim_condition_op op;
    struct traces_cell value;           /* of OP_VALUE */
    const struct traces_column *column; /* of OP_COLUMN */
};

struct sim_condition {
    const char *text;
    struct sim_condition_node *nodes;
    size_t count;
};

#endif

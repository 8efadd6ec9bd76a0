/* Parsed form of a condition. */
#ifndef ANALYSIS_CONDITION_CONDITION_INTERNAL_H
#define ANALYSIS_CONDITION_CONDITION_INTERNAL_H

#include "analysis/condition/condition.h"

enum { ANALYSIS_CONDITION_NODES = 512 }; /* maximum number of nodes in a condition */

enum analysis_condition_op {
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
    OP_AT_MAX,
    OP_GREATER,
    OP_AT_LEAST,
    OP_NOT,
    OP_AND,
    OP_OR,
};

/* An operand or operator of a condition. Nodes are in postfix order: operands before the
 * operator. */
struct analysis_condition_node {
    enum analysis_condition_op op;
    struct traces_cell value; /* the constant; for OP_VALUE only */
    /* the column whose value is used; for OP_COLUMN only */
    const struct traces_column *column;
};

struct analysis_condition {
    const char *text;
    struct analysis_condition_node *nodes;
    size_t count;
};

#endif

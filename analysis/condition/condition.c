#include "analysis/condition/condition_internal.h"

#include <math.h>
#include <string.h>

static bool is_number(const struct traces_cell *c)
{
    return c->type == TRACES_CELL_INT || c->type == TRACES_CELL_REAL;
}

static double real_of(const struct traces_cell *c)
{
    return c->type == TRACES_CELL_INT ? (double)c->integer : c->real;
}

/* Integers give integers where possible. */
static struct traces_cell calculate(enum analysis_condition_op op,
                                    const struct traces_cell *a,
                                    const struct traces_cell *b)
{
    const struct traces_cell nothing = {.type = TRACES_CELL_NULL};
    if (!is_number(a) || !is_number(b))
        return nothing;
    int64_t v = 0;
    if (a->type == TRACES_CELL_INT && b->type == TRACES_CELL_INT && op != OP_DIVIDE) {
        int64_t x = a->integer, y = b->integer;
        bool whole = op == OP_ADD        ? !__builtin_add_overflow(x, y, &v)
                     : op == OP_SUBTRACT ? !__builtin_sub_overflow(x, y, &v)
                     : op == OP_MULTIPLY ? !__builtin_mul_overflow(x, y, &v)
                                         : y != 0;
        if (whole && op == OP_REMAINDER)
            v = y == -1 ? 0 : x % y;
        if (whole)
            return traces_cell_int(v);
    }
    double x = real_of(a), y = real_of(b);
    return traces_cell_real(op == OP_ADD        ? x + y
                            : op == OP_SUBTRACT ? x - y
                            : op == OP_MULTIPLY ? x * y
                            : op == OP_DIVIDE   ? x / y
                                                : fmod(x, y));
}

/* Returns -1, 0 or 1; or 2 if the values cannot be compared. A file is equal to its name. */
static int compare(const struct traces_cell *a, const struct traces_cell *b)
{
    if (a->type == TRACES_CELL_TEXT && b->type == TRACES_CELL_TEXT)
        return !traces_text_is_same(a->text, b->text);
    if (a->type == b->type && (a->type == TRACES_CELL_INT || a->type == TRACES_CELL_BOOL))
        return (a->integer > b->integer) - (a->integer < b->integer);
    if (!is_number(a) || !is_number(b))
        return 2;
    double x = real_of(a), y = real_of(b);
    return (x > y) - (x < y);
}

static bool relate(enum analysis_condition_op op, const struct traces_cell *a,
                   const struct traces_cell *b)
{
    int order = compare(a, b);
    if (order == 2)
        return false;
    switch (op) {
    case OP_EQUAL:
        return order == 0;
    case OP_UNEQUAL:
        return order != 0;
    case OP_LESS:
        return order < 0;
    case OP_AT_MAX:
        return order <= 0;
    case OP_GREATER:
        return order > 0;
    default:
        return order >= 0;
    }
}

static bool is_true(const struct traces_cell *c)
{
    return c->type == TRACES_CELL_BOOL && c->integer;
}

static struct traces_cell truth(bool value)
{
    return (struct traces_cell){.type = TRACES_CELL_BOOL, .integer = value};
}

static struct traces_cell apply(enum analysis_condition_op op,
                                const struct traces_cell *a, const struct traces_cell *b)
{
    switch (op) {
    case OP_MULTIPLY:
    case OP_DIVIDE:
    case OP_REMAINDER:
    case OP_ADD:
    case OP_SUBTRACT:
        return calculate(op, a, b);
    case OP_AND:
        return truth(is_true(a) && is_true(b));
    case OP_OR:
        return truth(is_true(a) || is_true(b));
    default:
        return truth(relate(op, a, b));
    }
}

static struct traces_cell evaluate(
    const struct analysis_condition *condition,
    struct traces_cell (*cell)(const struct traces_column *column, const void *context),
    const void *context)
{
    static const struct traces_cell zero = {.type = TRACES_CELL_INT};
    struct traces_cell stack[ANALYSIS_CONDITION_NODES] = {{.type = TRACES_CELL_NULL}};
    size_t n = 0;
    for (size_t i = 0; i < condition->count; i++) {
        const struct analysis_condition_node *node = &condition->nodes[i];
        if (node->op == OP_VALUE) {
            stack[n++] = node->value;
        } else if (node->op == OP_COLUMN) {
            stack[n++] = cell(node->column, context);
        } else if (node->op == OP_NEGATE) {
            stack[n - 1] = calculate(OP_SUBTRACT, &zero, &stack[n - 1]);
        } else if (node->op == OP_NOT) {
            stack[n - 1] = truth(!is_true(&stack[n - 1]));
        } else {
            n--;
            stack[n - 1] = apply(node->op, &stack[n - 1], &stack[n]);
        }
    }
    return stack[0];
}

bool analysis_condition_holds(
    const struct analysis_condition *condition,
    struct traces_cell (*cell)(const struct traces_column *column, const void *context),
    const void *context)
{
    if (!condition)
        return true;
    const struct traces_cell value = evaluate(condition, cell, context);
    return is_true(&value);
}

struct traces_cell analysis_formula_value(
    const struct analysis_condition *formula,
    struct traces_cell (*cell)(const struct traces_column *column, const void *context),
    const void *context)
{
    return evaluate(formula, cell, context);
}

const struct traces_column *
analysis_condition_column(const struct analysis_condition *condition, size_t i)
{
    for (size_t n = 0; condition && n < condition->count; n++)
        if (condition->nodes[n].op == OP_COLUMN && i-- == 0)
            return condition->nodes[n].column;
    return NULL;
}

bool analysis_condition_names(const struct analysis_condition *condition,
                              const struct traces_column *column)
{
    const struct traces_column *named;
    for (size_t i = 0; (named = analysis_condition_column(condition, i)); i++)
        if (named == column)
            return true;
    return false;
}

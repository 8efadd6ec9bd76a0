#include "programs/types/tensor_builtin.h"

enum programs_tensor_rule programs_tensor_rule(enum programs_builtin builtin)
{
    static const enum programs_tensor_rule rules[] = {
#define TENSOR_BUILTIN(NAME, text, least, most, rule, kernel) PROGRAMS_TENSOR_##rule,
#include "programs/syntax/tensors.def"
#undef TENSOR_BUILTIN
    };
    return rules[builtin - PROGRAMS_BUILTIN_PLAIN];
}

static enum isa_kernel kernel_of_builtin(enum programs_builtin builtin)
{
    switch (builtin) {
#define TENSOR_BUILTIN(NAME, text, least, most, rule, kernel)                            \
    case PROGRAMS_BUILTIN_##NAME:                                                        \
        return ISA_KERNEL_##kernel;
#include "programs/syntax/tensors.def"
#undef TENSOR_BUILTIN
#define PLAIN(NAME)                                                                      \
    case PROGRAMS_BUILTIN_##NAME:                                                        \
        return ISA_KERNEL_##NAME;
        PLAIN(ABS)
        PLAIN(MIN)
        PLAIN(MAX)
        PLAIN(SQRT)
        PLAIN(EXP)
        PLAIN(LOG)
        PLAIN(SIN)
        PLAIN(COS)
        PLAIN(TANH)
        PLAIN(FLOOR)
        PLAIN(ATAN)
        PLAIN(ERF)
        PLAIN(ATAN2)
        PLAIN(HYPOT)
#undef PLAIN
    case PROGRAMS_BUILTIN_REAL:
        return ISA_KERNEL_TO_REAL;
    case PROGRAMS_BUILTIN_INT:
        return ISA_KERNEL_TO_INT;
    default:
        return ISA_KERNEL_NONE;
    }
}

static enum isa_kernel kernel_of_operator(enum programs_operator op)
{
    switch (op) {
#define ROW(NAME)                                                                        \
    case PROGRAMS_##NAME:                                                                \
        return ISA_KERNEL_##NAME;
        ROW(NEG)
        ROW(POW)
        ROW(MUL)
        ROW(DIV)
        ROW(ADD)
        ROW(SUB)
        ROW(EQ)
        ROW(NE)
        ROW(LT)
        ROW(LE)
        ROW(GT)
        ROW(GE)
        ROW(REM)
        ROW(AND)
        ROW(OR)
        ROW(NOT)
#undef ROW
    default:
        return ISA_KERNEL_NONE;
    }
}

enum isa_kernel programs_tensor_kernel(const struct programs_expr *e)
{
    return e->kind == PROGRAMS_EXPR_CALL ? kernel_of_builtin(e->call->builtin)
                                         : kernel_of_operator(e->op);
}

bool programs_tensor_axis(const struct programs_expr *call, size_t argument,
                          int64_t otherwise, int64_t *axis)
{
    *axis = otherwise;
    if (argument >= call->operand_count)
        return true;
    const struct programs_expr *e = call->operands[argument];
    *axis = e->kind == PROGRAMS_EXPR_INT ? e->integer : ISA_RANK_MAX;
    return *axis >= -ISA_RANK_MAX && *axis < ISA_RANK_MAX;
}

size_t programs_tensor_stacked(const struct programs_expr *call)
{
    const size_t last = call->operand_count - 1;
    return call->operands[last]->kind == PROGRAMS_EXPR_INT ? last : last + 1;
}

size_t programs_tensor_parts(const struct programs_expr *call)
{
    const struct programs_expr *e = call->operands[1];
    const int64_t parts = e->kind == PROGRAMS_EXPR_INT     ? e->integer
                          : e->kind == PROGRAMS_EXPR_ARRAY ? (int64_t)e->operand_count
                                                           : 0;
    return parts < PROGRAMS_SPLIT_LEAST || parts > PROGRAMS_SPLIT_MAX ? 0 : (size_t)parts;
}

#include "programs/syntax/ast.h"

static const struct {
    enum programs_level level;
    const char *text;
} operators[] = {
    [PROGRAMS_NEG] = {PROGRAMS_LEVEL_NEG, "-"},
    [PROGRAMS_NOT] = {PROGRAMS_LEVEL_NOT, "not"},
    [PROGRAMS_POW] = {PROGRAMS_LEVEL_POWER, "**"},
    [PROGRAMS_MUL] = {PROGRAMS_LEVEL_PRODUCT, "*"},
    [PROGRAMS_DIV] = {PROGRAMS_LEVEL_PRODUCT, "/"},
    [PROGRAMS_REM] = {PROGRAMS_LEVEL_PRODUCT, "%"},
    [PROGRAMS_ADD] = {PROGRAMS_LEVEL_SUM, "+"},
    [PROGRAMS_SUB] = {PROGRAMS_LEVEL_SUM, "-"},
    [PROGRAMS_EQ] = {PROGRAMS_LEVEL_COMPARISON, "=="},
    [PROGRAMS_NE] = {PROGRAMS_LEVEL_COMPARISON, "/="},
    [PROGRAMS_LT] = {PROGRAMS_LEVEL_COMPARISON, "<"},
    [PROGRAMS_LE] = {PROGRAMS_LEVEL_COMPARISON, "<="},
    [PROGRAMS_GT] = {PROGRAMS_LEVEL_COMPARISON, ">"},
    [PROGRAMS_GE] = {PROGRAMS_LEVEL_COMPARISON, ">="},
    [PROGRAMS_AND] = {PROGRAMS_LEVEL_AND, "and"},
    [PROGRAMS_OR] = {PROGRAMS_LEVEL_OR, "or"},
};

enum programs_level programs_operator_level(enum programs_operator op)
{
    return operators[op].level;
}

const char *programs_operator_text(enum programs_operator op)
{
    return operators[op].text;
}

const char *programs_fold_text(enum programs_fold fold)
{
    static const char *const texts[PROGRAMS_FOLDS] = {
        [PROGRAMS_FOLD_ADD] = "+",         [PROGRAMS_FOLD_MIN] = "min",
        [PROGRAMS_FOLD_MAX] = "max",       [PROGRAMS_FOLD_AND] = "and",
        [PROGRAMS_FOLD_OR] = "or",         [PROGRAMS_FOLD_BIT_AND] = "bit_and",
        [PROGRAMS_FOLD_BIT_OR] = "bit_or", [PROGRAMS_FOLD_BIT_XOR] = "bit_xor",
    };
    return texts[fold];
}

struct programs_expr *programs_ast_new_expr(struct lib_arena *arena,
                                            enum programs_expr_kind kind,
                                            struct lib_pos pos)
{
    struct programs_expr *e = LIB_ARENA_NEW(arena, struct programs_expr);
    e->kind = kind;
    e->pos = e->start = pos;
    if (kind == PROGRAMS_EXPR_CALL)
        e->call = LIB_ARENA_NEW(arena, struct programs_call);
    else if (kind == PROGRAMS_EXPR_LET)
        e->let = LIB_ARENA_NEW(arena, struct programs_let);
    return e;
}

void programs_ast_make_operands(struct lib_arena *arena, struct programs_expr *e,
                                size_t count)
{
    e->operand_count = (uint32_t)count;
    e->operands = LIB_ARENA_ARRAY(arena, struct programs_expr *, count);
}

void programs_ast_release(struct programs_nodes *nodes)
{
    if (--nodes->needed == 0) {
        lib_arena_free(nodes->arena);
        nodes->arena = NULL;
    }
}

bool programs_pos_before(struct lib_pos a, struct lib_pos b)
{
    return a.line < b.line || (a.line == b.line && a.column < b.column);
}

bool programs_ast_next(const struct programs_ast *ast, struct programs_walk *walk,
                       struct programs_item *item)
{
    const struct lib_pos *first = NULL;
    size_t *place = NULL;
    *item = (struct programs_item){0};
    if (walk->inputs < ast->input_count) {
        item->input = ast->inputs[walk->inputs];
        first = &item->input->binding->pos;
        place = &walk->inputs;
    }
    if (walk->constants < ast->constant_count) {
        struct programs_equation *q = ast->constants[walk->constants];
        if (!first || programs_pos_before(q->names[0]->pos, *first)) {
            *item = (struct programs_item){.constant = q};
            first = &q->names[0]->pos;
            place = &walk->constants;
        }
    }
    if (walk->functions < ast->function_count) {
        struct programs_function *f = ast->functions[walk->functions];
        if (!first || programs_pos_before(f->pos, *first)) {
            *item = (struct programs_item){.function = f};
            place = &walk->functions;
        }
    }
    if (!place)
        return false;
    (*place)++;
    return true;
}

void programs_sort_diags(struct lib_diags *diags, size_t from)
{
    for (size_t i = from + 1; i < diags->count; i++) {
        struct lib_diag d = diags->items[i];
        size_t k = i;
        for (; k > from && programs_pos_before(d.pos, diags->items[k - 1].pos); k--)
            diags->items[k] = diags->items[k - 1];
        diags->items[k] = d;
    }
}

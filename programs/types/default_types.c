#include "programs/types/default_types.h"

#include "isa/type.h"
#include "programs/types/type.h"

struct settle {
    const struct programs_ast *ast;
    struct lib_diags *diags;
    struct programs_type *of_int, *of_real, *of_rank, *of_error;
    bool too_large;      /* a type was reported to be too large or too deeply nested */
    const char *endless; /* why the current type has no beginning; or NULL */
    bool no_rank;        /* the current type contains a tensor without rank */
    /* Function whose calls would settle the type; or NULL. */
    const struct programs_function *called;
};

void programs_default_types_too_large(const struct programs_ast *ast,
                                      struct lib_diags *diags, struct lib_pos pos)
{
    lib_diag_error(diags, LIB_DIAG_LIMIT, ast->source, pos,
                   "the type of this has more than %d parts", PROGRAMS_TYPE_SIZE_MAX);
}

static bool is_too_large(struct settle *st, struct programs_type *type,
                         struct lib_pos pos)
{
    bool small = programs_type_is_small(type);
    if (small && programs_type_rank(type) <= ISA_MAX_RANK)
        return false;
    if (!small && !st->too_large)
        programs_default_types_too_large(st->ast, st->diags, pos);
    else if (!st->too_large)
        lib_diag_error(st->diags, LIB_DIAG_LIMIT, st->ast->source, pos,
                       "the type of this has more than %d arrays within one another",
                       ISA_MAX_RANK);
    st->too_large = true;
    return true;
}

/* An open element becomes real; an open rank cannot be settled. */
static bool settle_tensor(struct settle *st, struct programs_type *tensor,
                          enum programs_type_class *class)
{
    struct programs_type *element = programs_type_find(tensor->parts[0]);
    struct programs_type *rank = programs_type_find(tensor->parts[1]);
    if (element->kind == PROGRAMS_TYPE_VAR)
        element->is = st->of_real;
    *class = PROGRAMS_CLASS_ANY;
    if (rank->kind != PROGRAMS_TYPE_VAR)
        return true;
    rank->is = st->of_rank;
    st->no_rank = true;
    return false;
}

/* Makes an open number int. If something else is open, makes the type an error, so that it is
 * reported once, sets `class` and returns false. */
static bool settle(struct settle *st, struct programs_type *type,
                   enum programs_type_class *class)
{
    type = programs_type_find(type);
    if (type->kind == PROGRAMS_TYPE_VAR) {
        bool numeric = type->class >= PROGRAMS_CLASS_NUMERIC;
        *class = type->class;
        type->is = numeric ? st->of_int : st->of_error;
        return numeric;
    }
    bool settled = true;
    if (type->kind == PROGRAMS_TYPE_TENSOR)
        return settle_tensor(st, type, class);
    for (size_t i = 0; i < type->part_count; i++)
        settled = settle(st, type->parts[i], class) && settled;
    return settled;
}

/* Returns what would settle an open type, for a message. */
static const char *write_way_out(const struct settle *st, bool is_array)
{
    if (st->called)
        return lib_arena_printf(
            st->ast->arena, "; a call of `%s` with %s settles it", st->called->name,
            st->called->param_count == 1 ? "a value whose type is known"
                                         : "values whose types are known");
    return is_array ? "; `[0 | i <- 1 .. 0]` is an empty array of ints" : "";
}

static bool has_open_array(struct programs_type *type)
{
    type = programs_type_find(type);
    bool has = type->kind == PROGRAMS_TYPE_ARRAY &&
               programs_type_find(type->parts[0])->kind == PROGRAMS_TYPE_VAR;
    for (size_t i = 0; i < type->part_count && !has; i++)
        has = has_open_array(type->parts[i]);
    return has;
}

static void settle_or_report(struct settle *st, struct programs_type *type,
                             struct lib_pos pos, const char *name, const char *verb)
{
    enum programs_type_class class = PROGRAMS_CLASS_ANY;
    st->no_rank = false;
    if (is_too_large(st, type, pos)) {
        programs_type_find(type)->is = st->of_error;
        return;
    }
    const bool is_array = has_open_array(type);
    if (!settle(st, type, &class)) {
        if (st->no_rank) {
            lib_diag_error(st->diags, LIB_DIAG_TYPE, st->ast->source, pos,
                           "nothing says of what rank the tensor `%s` is%s", name,
                           write_way_out(st, false));
            return;
        }
        lib_diag_error(st->diags, LIB_DIAG_TYPE, st->ast->source, pos,
                       "nothing says what type `%s` %s; %s%s", name, verb,
                       class == PROGRAMS_CLASS_SCALAR ? "it could be int, real or bool"
                       : st->endless                  ? st->endless
                                                      : "it could be any",
                       st->endless ? "" : write_way_out(st, is_array));
    }
}

static void settle_names(struct settle *st, struct programs_binding *const *names,
                         size_t count)
{
    for (size_t i = 0; i < count; i++)
        settle_or_report(st, names[i]->type, names[i]->pos, names[i]->name, "has");
}

/* Whether a value is an element of this array, whatever the conditions are. */
static bool is_element_of(const struct programs_expr *e,
                          const struct programs_binding *array)
{
    for (;;)
        if (e->kind == PROGRAMS_EXPR_LET)
            e = e->let->body;
        else if (e->kind == PROGRAMS_EXPR_IF && is_element_of(e->operands[1], array))
            e = e->operands[2];
        else
            return e->kind == PROGRAMS_EXPR_INDEX &&
                   e->operands[0]->kind == PROGRAMS_EXPR_NAME &&
                   e->operands[0]->name.binding == array;
}

/* Reports arrays that consist of their own elements, before what depends on them. */
static void settle_endless_arrays(struct settle *st)
{
    st->endless = "each of its elements is an element of itself, and none has a value";
    for (size_t i = 0; i < st->ast->constant_count; i++) {
        struct programs_equation *q = st->ast->constants[i];
        const struct programs_expr *e = programs_equation_comprehension(q);
        if (e && is_element_of(e->operands[0], q->names[0]))
            settle_names(st, q->names, q->name_count);
    }
    st->endless = NULL;
}

/* Closes the type of an expression. An open type is reported at the name or function that it is
 * due to; if at an empty array, here. */
static void settle_type(struct settle *st, struct programs_expr *e)
{
    enum programs_type_class class;
    if (e->kind == PROGRAMS_EXPR_ARRAY && e->operand_count == 0)
        settle_or_report(st, e->type, e->start, "[]", "has");
    else if (e->kind == PROGRAMS_EXPR_CONSTRUCT)
        settle_or_report(st, e->type, e->start, e->construct->text, "has");
    else if (is_too_large(st, e->type, e->start))
        programs_type_find(e->type)->is = st->of_error;
    else
        settle(st, e->type, &class);
    e->type = programs_type_find(e->type);
}

static void settle_expr(struct settle *st, struct programs_expr *e);

static void settle_parts(struct settle *st, struct programs_expr *e)
{
    if (e->kind == PROGRAMS_EXPR_LOOP)
        settle_names(st, e->loop->names, e->loop->count);
    for (size_t i = 0; i < e->operand_count; i++)
        settle_expr(st, e->operands[i]);
    for (size_t i = 0; e->kind == PROGRAMS_EXPR_CASE && i < e->match->arm_count; i++) {
        const struct programs_arm *arm = &e->match->arms[i];
        settle_names(st, arm->names, arm->name_count);
        if (arm->guard)
            settle_expr(st, arm->guard);
        settle_expr(st, arm->body);
    }
    for (size_t i = 0; e->kind == PROGRAMS_EXPR_LET && i < e->let->count; i++) {
        settle_names(st, e->let->equations[i]->names, e->let->equations[i]->name_count);
        settle_expr(st, e->let->equations[i]->value);
    }
    if (e->kind == PROGRAMS_EXPR_LET)
        settle_expr(st, e->let->body);
}

static void settle_expr(struct settle *st, struct programs_expr *e)
{
    struct programs_expr *at = e;
    for (; programs_chain_goes_on(at); at = programs_chain_down(at))
        for (size_t i = 0; at->kind == PROGRAMS_EXPR_IF && i < 2; i++)
            settle_expr(st, at->operands[i]);
    settle_parts(st, at);
    settle_type(st, at);
    while (at != e) {
        at = at->above;
        if (at->kind != PROGRAMS_EXPR_IF)
            settle_expr(st, at->operands[1]);
        settle_type(st, at);
    }
}

static bool is_call_of(const struct programs_expr *e, const struct programs_function *f)
{
    for (;;)
        if (e->kind == PROGRAMS_EXPR_LET)
            e = e->let->body;
        else if (e->kind == PROGRAMS_EXPR_IF && is_call_of(e->operands[1], f))
            e = e->operands[2];
        else
            return e->kind == PROGRAMS_EXPR_CALL && e->call->function == f;
}

static bool find_open(struct programs_type *type, struct programs_type **open)
{
    type = programs_type_find(type);
    if (type->kind == PROGRAMS_TYPE_VAR)
        *open = type;
    for (size_t i = 0; i < type->part_count && !*open; i++)
        find_open(type->parts[i], open);
    return *open;
}

static bool has_variable(struct programs_type *type, const struct programs_type *variable)
{
    type = programs_type_find(type);
    bool has = type == variable;
    for (size_t i = 0; i < type->part_count && !has; i++)
        has = has_variable(type->parts[i], variable);
    return has;
}

/* Whether all that is open in the type of the result is open in a parameter too. */
static bool decides_result(const struct programs_function *f)
{
    struct programs_type *open = NULL;
    if (!programs_type_is_small(f->result_type) || !find_open(f->result_type, &open))
        return false;
    for (size_t i = 0; i < f->param_count; i++)
        if (programs_type_is_small(f->params[i]->type) &&
            has_variable(f->params[i]->type, open))
            return true;
    return false;
}

/* Results of functions come first: values are open because of the functions that compute them. */
void programs_default_types(struct programs_ast *ast, struct lib_diags *diags)
{
    struct settle st = {.ast = ast, .diags = diags};
    st.of_int = programs_type_new(ast->arena, PROGRAMS_TYPE_INT);
    st.of_error = programs_type_new(ast->arena, PROGRAMS_TYPE_ERROR);
    st.of_real = programs_type_new(ast->arena, PROGRAMS_TYPE_REAL);
    st.of_rank = programs_type_new(ast->arena, PROGRAMS_TYPE_RANK0);
    for (size_t i = 0; i < ast->function_count; i++) {
        const struct programs_function *f = ast->functions[i];
        if (f->is_polymorphic)
            continue;
        st.endless = is_call_of(f->body, f)
                         ? "all that it returns is what it returns itself: "
                           "it has no base case"
                         : NULL;
        st.called = decides_result(f) ? f : NULL;
        settle_or_report(&st, f->result_type, f->pos, f->name, "returns");
    }
    st.endless = NULL;
    for (size_t i = 0; i < ast->function_count; i++)
        for (size_t k = 0; k < ast->functions[i]->param_count; k++) {
            if (ast->functions[i]->is_polymorphic)
                break;
            const struct programs_binding *x = ast->functions[i]->params[k];
            st.called = ast->functions[i];
            settle_or_report(&st, x->type, x->pos, x->name, "has");
        }
    st.called = NULL;
    settle_endless_arrays(&st);
    for (size_t i = 0; i < ast->constant_count; i++) /* functions mention them */
        settle_names(&st, ast->constants[i]->names, ast->constants[i]->name_count);
    for (size_t i = 0; i < ast->input_count; i++)
        settle_expr(&st, ast->inputs[i]->literal);
    for (size_t i = 0; i < ast->function_count; i++)
        if (!ast->functions[i]->is_polymorphic)
            settle_expr(&st, ast->functions[i]->body);
    for (size_t i = 0; i < ast->constant_count; i++)
        settle_expr(&st, ast->constants[i]->value);
}

/* Instances of polymorphic functions. Functions whose types have data are polymorphic: each use has
 * types of its own. Inference finds the types of each use; then each function is copied once for
 * each list of types with which code that is not polymorphic uses it, and the program is inferred
 * again, until nothing uses a polymorphic function. Functions that call each other are copied
 * together.
 *
 * A comparison of data becomes a call of a function that is made for its type. */
#include "programs/types/datatype.h"
#include "programs/types/infer_internal.h"
#include "programs/types/instance.h"

#include <inttypes.h>

/* Max number of functions that are made. */
enum { INSTANCES_MAX = 10000 };

/* --- what is polymorphic -------------------------------------------------------------------- */

static bool has_data(struct programs_type *type)
{
    type = programs_type_find(type);
    bool has = type->kind == PROGRAMS_TYPE_DATA;
    for (size_t i = 0; i < type->part_count && !has; i++)
        has = has_data(type->parts[i]);
    return has;
}

static bool has_generic(struct programs_type *type)
{
    type = programs_type_find(type);
    bool has = type->kind == PROGRAMS_TYPE_VAR && type->is_generic;
    for (size_t i = 0; i < type->part_count && !has; i++)
        has = has_generic(type->parts[i]);
    return has;
}

/* Whether `test` holds for a type of a function's parameters or result. */
static bool any_type(const struct programs_function *f,
                     bool (*test)(struct programs_type *type))
{
    bool any = test(f->result_type);
    for (size_t i = 0; i < f->param_count && !any; i++)
        any = test(f->params[i]->type);
    return any;
}

static void share_types(const struct programs_function *f)
{
    for (size_t i = 0; i < f->param_count; i++)
        programs_type_share(f->params[i]->type);
    programs_type_share(f->result_type);
}

void infer_generalise(struct infer *in, size_t first, size_t end)
{
    bool is_general = false, any = false;
    for (size_t i = first; i < end; i++) {
        const struct programs_function *f = in->ast->order[i].function;
        is_general = is_general || (f && !f->is_instance && any_type(f, has_data));
    }
    if (is_general)
        infer_tensors_settle(in);
    for (size_t i = first; i < end; i++) {
        struct programs_function *f = in->ast->order[i].function;
        if (f && is_general)
            programs_function_generalise(f);
        else if (f)
            share_types(f);
        any = any || (f && is_general && any_type(f, has_generic));
    }
    for (size_t i = first; i < end && any; i++)
        if (in->ast->order[i].function)
            in->ast->order[i].function->is_polymorphic = true;
}

/* --- copies of functions ---------------------------------------------------------------------- */

struct made {
    const struct programs_function *of; /* NULL: for comparisons of data */
    struct programs_function *function;
    uint32_t component; /* of the functions copied together */
};

struct special {
    struct infer *in;
    struct programs_ast *ast;
    struct lib_arena *arena; /* of the expressions of the current copy */
    uint32_t component;      /* of the current copy */
    uint32_t components;
    LIB_VEC(struct made) made;
};

static struct programs_binding *copy_binding(struct special *s,
                                             struct programs_binding *b)
{
    struct programs_binding *copy = LIB_ARENA_NEW(s->ast->arena, struct programs_binding);
    *copy = *b;
    copy->copy = NULL;
    b->copy = copy;
    return copy;
}

static struct programs_binding **
copy_bindings(struct special *s, struct programs_binding *const *names, size_t count)
{
    struct programs_binding **copies = LIB_ARENA_ARRAY(s->ast->arena,
                                                       struct programs_binding *, count);
    for (size_t i = 0; i < count; i++)
        copies[i] = copy_binding(s, names[i]);
    return copies;
}

static struct programs_expr *copy_expr(struct special *s, const struct programs_expr *e);

/* The names of the pattern are copied already. */
static struct programs_pattern *copy_pattern(struct special *s,
                                             const struct programs_pattern *pattern)
{
    struct programs_pattern *copy = LIB_ARENA_NEW(s->ast->arena, struct programs_pattern);
    *copy = *pattern;
    if (pattern->binding)
        copy->binding = pattern->binding->copy;
    if (pattern->literal)
        copy->literal = copy_expr(s, pattern->literal);
    copy->parts = LIB_ARENA_ARRAY(s->ast->arena, struct programs_pattern *,
                                  pattern->part_count);
    for (size_t i = 0; i < pattern->part_count; i++)
        copy->parts[i] = copy_pattern(s, pattern->parts[i]);
    return copy;
}

/* A comprehension may use the name of its equation: the names come first. */
static struct programs_equation *copy_equation(struct special *s,
                                               const struct programs_equation *q)
{
    struct programs_equation *copy = LIB_ARENA_NEW(s->ast->arena,
                                                   struct programs_equation);
    *copy = *q;
    const bool own = programs_equation_comprehension(q) != NULL;
    if (!own)
        copy->value = copy_expr(s, q->value);
    copy->names = copy_bindings(s, q->names, q->name_count);
    for (size_t i = 0; i < q->name_count; i++)
        copy->names[i]->equation = copy;
    if (own)
        copy->value = copy_expr(s, q->value);
    if (q->pattern)
        copy->pattern = copy_pattern(s, q->pattern);
    return copy;
}

static void copy_let(struct special *s, const struct programs_expr *e,
                     struct programs_expr *copy)
{
    copy->let = LIB_ARENA_NEW(s->arena, struct programs_let);
    *copy->let = *e->let;
    copy->let->equations = LIB_ARENA_ARRAY(s->arena, struct programs_equation *,
                                           e->let->count);
    for (size_t i = 0; i < e->let->count; i++)
        copy->let->equations[i] = copy_equation(s, e->let->equations[i]);
    copy->let->body = copy_expr(s, e->let->body);
}

static void copy_case(struct special *s, const struct programs_expr *e,
                      struct programs_expr *copy)
{
    copy->match = LIB_ARENA_NEW(s->arena, struct programs_case);
    *copy->match = *e->match;
    copy->match->arms = LIB_ARENA_ARRAY(s->arena, struct programs_arm,
                                        e->match->arm_count);
    for (size_t i = 0; i < e->match->arm_count; i++) {
        const struct programs_arm *arm = &e->match->arms[i];
        struct programs_arm *to = &copy->match->arms[i];
        *to = *arm;
        to->names = copy_bindings(s, arm->names, arm->name_count);
        for (size_t k = 0; k < arm->name_count; k++)
            to->names[k]->expr = copy;
        to->pattern = copy_pattern(s, arm->pattern);
        if (arm->guard)
            to->guard = copy_expr(s, arm->guard);
        to->body = copy_expr(s, arm->body);
    }
}

static struct programs_function *sibling(const struct special *s,
                                         struct programs_function *f)
{
    for (size_t i = s->made.count; i-- > 0 && s->made.items[i].component == s->component;)
        if (s->made.items[i].of == f)
            return s->made.items[i].function;
    return f;
}

static void copy_comprehension(struct special *s, const struct programs_expr *e,
                               struct programs_expr *copy)
{
    if (e->index)
        copy->index = copy_binding(s, e->index);
    if (e->element)
        copy->element = copy_binding(s, e->element);
    if (e->index)
        copy->index->expr = copy;
    if (e->element)
        copy->element->expr = copy;
}

/* Copies what an expression has besides operands. */
static void copy_members(struct special *s, const struct programs_expr *e,
                         struct programs_expr *copy)
{
    switch (e->kind) {
    case PROGRAMS_EXPR_NAME:
        if (e->name.binding->copy)
            copy->name.binding = e->name.binding->copy;
        break;
    case PROGRAMS_EXPR_CALL:
        copy->call = LIB_ARENA_NEW(s->arena, struct programs_call);
        *copy->call = *e->call;
        copy->call->function = sibling(s, e->call->function);
        break;
    case PROGRAMS_EXPR_GRAD:
        copy->gradient = LIB_ARENA_NEW(s->arena, struct programs_gradient);
        *copy->gradient = *e->gradient;
        copy->gradient->function = sibling(s, e->gradient->function);
        break;
    case PROGRAMS_EXPR_LET:
        copy_let(s, e, copy);
        break;
    case PROGRAMS_EXPR_CASE:
        copy_case(s, e, copy);
        break;
    case PROGRAMS_EXPR_LOOP:
        copy->loop = LIB_ARENA_NEW(s->arena, struct programs_loop);
        *copy->loop = *e->loop;
        copy->loop->names = copy_bindings(s, e->loop->names, e->loop->count);
        for (size_t i = 0; i < e->loop->count; i++)
            copy->loop->names[i]->expr = copy;
        break;
    case PROGRAMS_EXPR_COMPREHENSION:
        copy_comprehension(s, e, copy);
        break;
    default:
        break;
    }
}

static struct programs_expr *copy_one(struct special *s, const struct programs_expr *e)
{
    struct programs_expr *copy = LIB_ARENA_NEW(s->arena, struct programs_expr);
    *copy = *e;
    copy->operands = LIB_ARENA_ARRAY(s->arena, struct programs_expr *, e->operand_count);
    copy_members(s, e, copy);
    return copy;
}

/* Names that operands use are copied before the operands. */
static struct programs_expr *copy_expr(struct special *s, const struct programs_expr *e)
{
    const struct programs_expr *at = e;
    struct programs_expr *top = NULL, **slot = &top;
    for (; programs_chain_goes_on(at); at = programs_chain_down(at)) {
        const bool is_if = at->kind == PROGRAMS_EXPR_IF;
        struct programs_expr *copy = *slot = copy_one(s, at);
        for (size_t i = 0; i < at->operand_count; i++)
            if (i != (is_if ? 2 : 0))
                copy->operands[i] = copy_expr(s, at->operands[i]);
        slot = &copy->operands[is_if ? 2 : 0];
    }
    struct programs_expr *end = *slot = copy_one(s, at);
    for (size_t i = 0; i < at->operand_count; i++)
        end->operands[i] = copy_expr(s, at->operands[i]);
    return top;
}

/* --- instances -------------------------------------------------------------------------------- */

static bool is_same(struct programs_type *a, struct programs_type *b)
{
    a = programs_type_find(a);
    b = programs_type_find(b);
    if (a->kind != b->kind || a->part_count != b->part_count ||
        a->datatype != b->datatype)
        return false;
    for (size_t i = 0; i < a->part_count; i++)
        if (!is_same(a->parts[i], b->parts[i]))
            return false;
    return true;
}

/* Returns the instance of a function with these types, or NULL. Instances of comparisons have one
 * name for each type of data. */
static struct programs_function *find_instance(const struct special *s,
                                               const struct programs_function *of,
                                               struct programs_type **types, size_t count)
{
    for (size_t i = 0; i < s->ast->instance_count; i++) {
        struct programs_instance *known = &s->ast->instances[i];
        bool same = known->of == of;
        for (size_t k = 0; k < count && same; k++)
            same = is_same(known->function->instance[k], types[k]);
        if (same)
            return known->function;
    }
    return NULL;
}

static void keep_instance(struct special *s, const struct programs_function *of,
                          struct programs_function *function)
{
    struct programs_ast *ast = s->ast;
    *LIB_VEC_PUSH(&s->made) = (struct made){of, function, s->component};
    LIB_ARENA_RESERVE(ast->arena, ast->instances, &ast->instance_capacity,
                      ast->instance_count + 1);
    ast->instances[ast->instance_count++] = (struct programs_instance){of, function};
}

static struct programs_function *new_function(struct special *s, const char *name,
                                              struct lib_pos pos)
{
    struct programs_function *f = LIB_ARENA_NEW(s->ast->arena, struct programs_function);
    f->name = name;
    f->pos = pos;
    f->used = f->is_instance = true;
    f->component = s->component;
    f->nodes = LIB_ARENA_NEW(s->ast->arena, struct programs_nodes);
    f->nodes->arena = s->arena = lib_arena_new_child(s->ast->arena);
    f->nodes->needed = 1;
    return f;
}

/* Returns the name of the next instance: that of the function, then with a number. */
static const char *name_instance(const struct special *s,
                                 const struct programs_function *of)
{
    unsigned number = 1;
    for (size_t i = 0; i < s->ast->instance_count; i++)
        number += s->ast->instances[i].of == of;
    return number == 1 ? of->name
                       : lib_arena_printf(s->ast->arena, "%s.%u", of->name, number);
}

/* Copies the body of a function, after the functions that are copied with it are known. */
static void fill_copy(struct special *s, const struct programs_function *of,
                      struct programs_function *copy)
{
    s->arena = copy->nodes->arena;
    copy->params = copy_bindings(s, of->params, of->param_count);
    copy->param_count = of->param_count;
    for (size_t i = 0; i < of->param_count; i++)
        copy->params[i]->function = copy;
    copy->pattern_count = of->pattern_count;
    copy->body = copy_expr(s, of->body);
}

/* Makes an instance of a function; those that call it and that it calls are copied with it. */
static struct programs_function *make_instance(struct special *s,
                                               const struct programs_function *of,
                                               struct programs_type **types)
{
    struct programs_function *wanted = NULL;
    s->component = s->components++;
    const size_t first = s->made.count;
    for (size_t i = 0; i < s->ast->function_count; i++) {
        const struct programs_function *f = s->ast->functions[i];
        if (f->component != of->component || !f->is_polymorphic)
            continue;
        struct programs_function *copy = new_function(s, name_instance(s, f), f->pos);
        if (f == of) {
            copy->instance = types;
            wanted = copy;
        } else {
            copy->instance = LIB_ARENA_ARRAY(s->ast->arena, struct programs_type *,
                                             f->param_count + 1);
            for (size_t k = 0; k <= f->param_count; k++)
                copy->instance[k] = infer_open_type(s->in, PROGRAMS_CLASS_ANY);
        }
        keep_instance(s, f, copy);
    }
    for (size_t i = first; i < s->made.count; i++)
        fill_copy(s, s->made.items[i].of, s->made.items[i].function);
    return wanted;
}

/* --- comparisons of data ---------------------------------------------------------------------- */

static struct programs_expr *new_expr(struct special *s, enum programs_expr_kind kind,
                                      struct lib_pos pos, size_t operands)
{
    struct programs_expr *e = programs_ast_new_expr(s->arena, kind, pos);
    programs_ast_make_operands(s->arena, e, operands);
    return e;
}

static struct programs_expr *new_binary(struct special *s, enum programs_operator op,
                                        struct programs_expr *a, struct programs_expr *b)
{
    struct programs_expr *e = new_expr(s, PROGRAMS_EXPR_BINARY, a->pos, 2);
    e->op = op;
    e->operands[0] = a;
    e->operands[1] = b;
    return e;
}

static struct programs_expr *new_name(struct special *s, struct programs_binding *binding)
{
    struct programs_expr *e = new_expr(s, PROGRAMS_EXPR_NAME, binding->pos, 0);
    e->name.text = binding->name;
    e->name.binding = binding;
    return e;
}

static struct programs_expr *new_bool(struct special *s, struct lib_pos pos, bool boolean)
{
    struct programs_expr *e = new_expr(s, PROGRAMS_EXPR_BOOL, pos, 0);
    e->boolean = boolean;
    return e;
}

static struct programs_binding *new_binding(struct special *s,
                                            enum programs_binding_kind kind,
                                            const char *name, struct lib_pos pos)
{
    struct programs_binding *b = LIB_ARENA_NEW(s->ast->arena, struct programs_binding);
    b->kind = kind;
    b->name = name;
    b->pos = pos;
    b->used = true;
    return b;
}

struct binding_list {
    struct programs_binding **items;
    size_t count, capacity;
};

static struct programs_pattern *new_pattern(struct special *s,
                                            enum programs_pattern_kind kind,
                                            struct lib_pos pos, size_t parts)
{
    struct programs_pattern *p = LIB_ARENA_NEW(s->ast->arena, struct programs_pattern);
    p->kind = kind;
    p->pos = pos;
    p->part_count = parts;
    p->parts = LIB_ARENA_ARRAY(s->ast->arena, struct programs_pattern *, parts);
    return p;
}

/* Returns a pattern for a field, with a name for each part of a tuple in it. */
static struct programs_pattern *pattern_of(struct special *s,
                                           const struct programs_annotation *a,
                                           struct lib_pos pos, struct binding_list *names)
{
    const bool is_tuple = a->kind == PROGRAMS_ANNOTATION_TUPLE;
    struct programs_pattern *p = new_pattern(
        s, is_tuple ? PROGRAMS_PATTERN_TUPLE : PROGRAMS_PATTERN_NAME, pos,
        is_tuple ? a->part_count : 0);
    if (!is_tuple) {
        p->binding = new_binding(s, PROGRAMS_BIND_PATTERN, "field", pos);
        *LIB_VEC_PUSH(names) = p->binding;
    }
    for (size_t i = 0; i < p->part_count; i++)
        p->parts[i] = pattern_of(s, a->parts[i], pos, names);
    return p;
}

/* Returns the arm for two values of one constructor: all fields are equal. */
static struct programs_arm compare_fields(struct special *s,
                                          const struct programs_constructor *c,
                                          struct lib_pos pos)
{
    struct binding_list names = {0};
    struct programs_arm arm = {.pattern = new_pattern(s, PROGRAMS_PATTERN_TUPLE, pos, 2)};
    for (size_t side = 0; side < 2; side++) {
        struct programs_pattern *p = new_pattern(s, PROGRAMS_PATTERN_CONSTRUCTOR, pos,
                                                 c->field_count);
        p->text = c->name;
        p->constructor = c;
        for (uint32_t i = 0; i < c->field_count; i++)
            p->parts[i] = pattern_of(s, c->fields[i].type, pos, &names);
        arm.pattern->parts[side] = p;
    }
    const size_t half = names.count / 2;
    for (size_t i = half; i-- > 0;) {
        struct programs_expr *equal = new_binary(s, PROGRAMS_EQ,
                                                 new_name(s, names.items[i]),
                                                 new_name(s, names.items[half + i]));
        arm.body = arm.body ? new_binary(s, PROGRAMS_AND, equal, arm.body) : equal;
    }
    if (!arm.body)
        arm.body = new_bool(s, pos, true);
    arm.names = LIB_ARENA_ARRAY(s->ast->arena, struct programs_binding *, names.count);
    for (size_t i = 0; i < names.count; i++)
        arm.names[i] = names.items[i];
    arm.name_count = names.count;
    LIB_VEC_FREE(&names);
    return arm;
}

/* Makes `equal(a, b) = case (a, b) of (C(..), C(..)) -> .. and .. | ... | _ -> false`. */
static struct programs_function *make_comparison(struct special *s,
                                                 struct programs_type *type)
{
    const struct programs_datatype *d = type->datatype;
    struct programs_function *f = NULL;
    s->component = s->components++;
    unsigned number = 1;
    for (size_t i = 0; i < s->ast->instance_count; i++) {
        const struct programs_instance *other = &s->ast->instances[i];
        number += !other->of &&
                  programs_type_find(other->function->instance[0])->datatype == d;
    }
    f = new_function(
        s,
        number == 1 ? lib_arena_printf(s->ast->arena, "equal.%s", d->name)
                    : lib_arena_printf(s->ast->arena, "equal.%s.%u", d->name, number),
        d->pos);
    f->param_count = 2;
    f->params = LIB_ARENA_ARRAY(s->ast->arena, struct programs_binding *, 2);
    f->instance = LIB_ARENA_ARRAY(s->ast->arena, struct programs_type *, 3);
    struct programs_expr *both = new_expr(s, PROGRAMS_EXPR_TUPLE, d->pos, 2);
    for (uint32_t i = 0; i < 2; i++) {
        f->params[i] = new_binding(s, PROGRAMS_BIND_PARAM, i ? "b" : "a", d->pos);
        f->params[i]->index = i;
        f->params[i]->function = f;
        f->instance[i] = type;
        both->operands[i] = new_name(s, f->params[i]);
    }
    f->instance[2] = s->in->of_bool;
    f->body = new_expr(s, PROGRAMS_EXPR_CASE, d->pos, 1);
    f->body->operands[0] = both;
    const bool is_one = d->constructor_count == 1;
    struct programs_case *match = f->body->match = LIB_ARENA_NEW(s->arena,
                                                                 struct programs_case);
    match->arm_count = d->constructor_count + !is_one;
    match->arms = LIB_ARENA_ARRAY(s->arena, struct programs_arm, match->arm_count);
    for (uint32_t i = 0; i < d->constructor_count; i++)
        match->arms[i] = compare_fields(s, &d->constructors[i], d->pos);
    if (!is_one) {
        struct programs_arm *last = &match->arms[d->constructor_count];
        last->pattern = new_pattern(s, PROGRAMS_PATTERN_NAME, d->pos, 0);
        last->pattern->binding = new_binding(s, PROGRAMS_BIND_PATTERN, "_", d->pos);
        last->pattern->binding->used = false;
        last->names = LIB_ARENA_NEW(s->ast->arena, struct programs_binding *);
        last->names[0] = last->pattern->binding;
        last->name_count = 1;
        last->body = new_bool(s, d->pos, false);
    }
    keep_instance(s, NULL, f);
    return f;
}

/* Makes a comparison of data a call, or compares the numbers of constructors without fields. */
static void replace_comparison(struct special *s, struct programs_expr *e)
{
    struct programs_type *type = programs_type_find(e->operands[0]->type);
    s->arena = s->ast->arena;
    if (type->datatype->is_enumeration) {
        for (size_t i = 0; i < 2; i++) {
            struct programs_expr *number = new_expr(s, PROGRAMS_EXPR_NUMBER, e->pos, 1);
            number->operands[0] = e->operands[i];
            e->operands[i] = number;
        }
        return;
    }
    struct programs_function *f = find_instance(s, NULL, &type, 1);
    if (!f)
        f = make_comparison(s, type);
    s->arena = s->ast->arena;
    struct programs_expr *call = new_expr(s, PROGRAMS_EXPR_CALL, e->pos, 2);
    call->start = e->start;
    call->call->text = f->name;
    call->call->function = f;
    call->operands[0] = e->operands[0];
    call->operands[1] = e->operands[1];
    call->type = s->in->of_bool;
    struct programs_expr *above = e->above;
    if (e->op == PROGRAMS_NE) {
        struct programs_expr *not = new_expr(s, PROGRAMS_EXPR_UNARY, e->pos, 1);
        not ->start = e->start;
        not ->op = PROGRAMS_NOT;
        not ->operands[0] = call;
        not ->type = s->in->of_bool;
        call = not ;
    }
    *e = *call;
    e->above = above;
}

/* --- the whole -------------------------------------------------------------------------------- */

static bool is_specific(const struct programs_function *within)
{
    return !within || !within->is_polymorphic;
}

static bool specialise_uses(struct special *s)
{
    bool changed = false;
    for (size_t i = 0; i < s->in->uses.count; i++) {
        const struct programs_use *use = &s->in->uses.items[i];
        struct programs_expr *e = (struct programs_expr *)use->expr;
        if (!use->types || !is_specific(use->within))
            continue;
        struct programs_function **slot = e->kind == PROGRAMS_EXPR_GRAD
                                              ? &e->gradient->function
                                              : &e->call->function;
        struct programs_function *f = find_instance(s, *slot, use->types,
                                                    (*slot)->param_count + 1);
        *slot = f ? f : make_instance(s, *slot, use->types);
        changed = true;
    }
    for (size_t i = 0; i < s->in->equalities.count; i++) {
        const struct infer_equality *equality = &s->in->equalities.items[i];
        if (!is_specific(equality->within) ||
            !infer_is_kind(equality->expr->operands[0]->type, PROGRAMS_TYPE_DATA))
            continue;
        replace_comparison(s, equality->expr);
        changed = true;
    }
    return changed;
}

/* Adds the functions that were made, before all others; after the last round, takes away the
 * polymorphic ones. */
static void set_functions(struct special *s, bool is_last)
{
    struct programs_ast *ast = s->ast;
    const size_t functions = ast->function_count + s->made.count;
    struct programs_function **all = LIB_ARENA_ARRAY(
        ast->arena, struct programs_function *, functions);
    struct programs_item *order = LIB_ARENA_ARRAY(ast->arena, struct programs_item,
                                                  ast->order_count + s->made.count);
    size_t count = 0, ordered = 0;
    for (size_t i = 0; i < ast->function_count; i++)
        if (!is_last || !ast->functions[i]->is_polymorphic)
            all[count++] = ast->functions[i];
    for (size_t i = 0; i < ast->order_count; i++)
        if (!is_last || !ast->order[i].function ||
            !ast->order[i].function->is_polymorphic)
            order[ordered++] = ast->order[i];
    for (size_t i = 0; i < s->made.count; i++) {
        all[count++] = s->made.items[i].function;
        order[ordered++] = (struct programs_item){.function = s->made.items[i].function};
    }
    ast->functions = all;
    ast->function_count = count;
    ast->order = order;
    ast->order_count = ordered;
    for (size_t i = 0; i < count; i++)
        all[i]->index = (uint32_t)i;
}

bool infer_specialise(struct infer *in)
{
    struct special s = {.in = in, .ast = in->ast};
    for (size_t i = 0; i < in->ast->function_count; i++)
        if (in->ast->functions[i]->component >= s.components)
            s.components = in->ast->functions[i]->component + 1;
    bool changed = specialise_uses(&s);
    if (changed && in->ast->instance_count > INSTANCES_MAX) {
        lib_diag_error(in->diags, LIB_DIAG_LIMIT, in->ast->source, (struct lib_pos){0},
                       "functions of data are used with more than %d lists of types",
                       INSTANCES_MAX);
        changed = false;
    }
    set_functions(&s, !changed);
    LIB_VEC_FREE(&s.made);
    return changed;
}

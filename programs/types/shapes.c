#include "programs/types/shapes.h"

#include "lib/memory.h"
#include "programs/types/gradient_type.h"
#include "programs/types/tensor_builtin.h"
#include "programs/types/type.h"

#include <string.h>

/* What is known of a value. */
struct known {
    enum { ANYTHING, INT, TENSOR, TUPLE } kind;
    int64_t integer;        /* INT: or ISA_UNKNOWN */
    struct isa_shape shape; /* TENSOR */
    struct known *parts;    /* TUPLE */
    size_t part_count;
};

struct bound {
    const struct programs_binding *binding;
    struct known known;
};

struct shapes {
    const struct programs_ast *ast;
    struct lib_diags *diags;
    struct lib_arena *arena;
    LIB_VEC(struct bound) bound; /* the innermost last */
    struct known *
        *constants; /* per equation of the top level: of its value; NULL: not yet */
    bool *is_open;  /* per equation: it is being looked at */
    unsigned calls, quiet; /* functions gone into; what may never be executed */
    size_t budget;         /* expressions that may still be looked at */
    LIB_VEC(struct lib_pos) reported;
};

/* Calls within one another that are gone into, and expressions in all. */
enum { CALLS_MAX = 12, BUDGET = 200000 };

static struct known look(struct shapes *s, const struct programs_expr *e);

/* --- what is known of a type alone ------------------------------------------------------ */

static struct known of_type(struct shapes *s, struct programs_type *type)
{
    struct known known = {.kind = ANYTHING};
    type = programs_type_find(type);
    switch (type->kind) {
    case PROGRAMS_TYPE_INT:
        known = (struct known){.kind = INT, .integer = ISA_UNKNOWN};
        break;
    case PROGRAMS_TYPE_TENSOR:
        known.kind = TENSOR;
        known.shape = isa_shape_scalar(programs_type_element(type));
        known.shape.rank = (uint8_t)programs_type_tensor_rank(type);
        for (int i = 0; i < known.shape.rank; i++)
            known.shape.extents[i] = ISA_UNKNOWN;
        break;
    case PROGRAMS_TYPE_TUPLE:
        known.kind = TUPLE;
        known.part_count = type->part_count;
        known.parts = LIB_ARENA_ARRAY(s->arena, struct known, type->part_count);
        for (size_t i = 0; i < type->part_count; i++)
            known.parts[i] = of_type(s, type->parts[i]);
        break;
    default:
        break;
    }
    return known;
}

/* What holds of either. */
static struct known join(struct shapes *s, struct known a, struct known b)
{
    if (a.kind == INT && a.integer != b.integer)
        a.integer = ISA_UNKNOWN;
    for (int i = 0; a.kind == TENSOR && i < a.shape.rank; i++)
        if (a.shape.extents[i] != b.shape.extents[i])
            a.shape.extents[i] = ISA_UNKNOWN;
    if (a.kind == TUPLE) {
        struct known *parts = LIB_ARENA_ARRAY(s->arena, struct known, a.part_count);
        for (size_t i = 0; i < a.part_count; i++)
            parts[i] = join(s, a.parts[i], b.parts[i]);
        a.parts = parts;
    }
    return a;
}

/* --- mistakes ----------------------------------------------------------------------------- */

/* A function is looked at once for each call: what is wrong in it is said once. */
static void report(struct shapes *s, struct lib_pos pos, const char *text)
{
    if (s->quiet)
        return;
    for (size_t i = 0; i < s->reported.count; i++)
        if (s->reported.items[i].line == pos.line &&
            s->reported.items[i].column == pos.column)
            return;
    *LIB_VEC_PUSH(&s->reported) = pos;
    lib_diag_error(s->diags, LIB_DIAG_TYPE, s->ast->source, pos, "%s", text);
}

static struct known apply_to_all(struct shapes *s, const struct programs_expr *e,
                                 enum isa_kernel kernel,
                                 const struct isa_shape *const operands[],
                                 struct isa_numbers numbers)
{
    struct known known = of_type(s, e->type);
    struct lib_text why = {0};
    struct isa_shape result;
    if (!isa_kernel_shape(kernel, operands, numbers, &result, &why))
        report(s, e->pos, lib_text_get(&why));
    else if (known.kind == TENSOR)
        known.shape = result;
    lib_text_free(&why);
    return known;
}

static struct known apply(struct shapes *s, const struct programs_expr *e,
                          enum isa_kernel kernel, const struct isa_shape *a,
                          const struct isa_shape *b, struct isa_numbers numbers)
{
    const struct isa_shape *const operands[] = {a, b};
    return apply_to_all(s, e, kernel, operands, numbers);
}

/* An operation of one or two operands, of which one at least is a tensor. A number beside it has
 * its element. */
static struct known operate(struct shapes *s, const struct programs_expr *e,
                            const struct known *operands)
{
    struct isa_shape shapes[2];
    const bool two = e->operand_count == 2;
    for (size_t i = 0; i < e->operand_count; i++)
        shapes[i] = operands[i].kind == TENSOR
                        ? operands[i].shape
                        : isa_shape_scalar(operands[!i].shape.element);
    return apply(s, e, programs_tensor_kernel(e), &shapes[0], two ? &shapes[1] : NULL,
                 (struct isa_numbers){0});
}

/* --- names -------------------------------------------------------------------------------- */

static void bind(struct shapes *s, const struct programs_binding *binding,
                 struct known known)
{
    *LIB_VEC_PUSH(&s->bound) = (struct bound){binding, known};
}

static void bind_equation(struct shapes *s, const struct programs_equation *q,
                          struct known known)
{
    for (size_t i = 0; i < q->name_count; i++)
        bind(s, q->names[i],
             q->is_tuple && known.kind == TUPLE ? known.parts[i]
             : q->is_tuple                      ? of_type(s, q->names[i]->type)
                                                : known);
}

/* Constants may name each other in circles through comprehensions. */
static struct known look_at_constant(struct shapes *s, const struct programs_equation *q)
{
    if (s->constants[q->index])
        return *s->constants[q->index];
    if (s->is_open[q->index])
        return of_type(s, q->value->type);
    const unsigned calls = s->calls, quiet = s->quiet;
    s->is_open[q->index] = true;
    s->calls = s->quiet = 0;
    struct known *known = LIB_ARENA_NEW(s->arena, struct known);
    *known = look(s, q->value);
    s->calls = calls;
    s->quiet = quiet;
    s->is_open[q->index] = false;
    s->constants[q->index] = known;
    return *known;
}

static struct known look_at_name(struct shapes *s, const struct programs_expr *e)
{
    const struct programs_binding *binding = e->name.binding;
    if (binding->kind == PROGRAMS_BIND_CONST) {
        struct known known = look_at_constant(s, binding->equation);
        if (!binding->equation->is_tuple)
            return known;
        return known.kind == TUPLE ? known.parts[binding->index] : of_type(s, e->type);
    }
    for (size_t i = s->bound.count; i-- > 0;)
        if (s->bound.items[i].binding == binding)
            return s->bound.items[i].known;
    return of_type(s, e->type);
}

/* --- calls -------------------------------------------------------------------------------- */

static struct known look_into(struct shapes *s, const struct programs_expr *e)
{
    const struct programs_function *f = e->call.function;
    struct known *arguments = LIB_ARENA_ARRAY(s->arena, struct known, e->operand_count);
    for (size_t i = 0; i < e->operand_count; i++)
        arguments[i] = look(s, e->operands[i]);
    if (s->calls == CALLS_MAX)
        return of_type(s, e->type);
    const size_t outer = s->bound.count;
    for (size_t i = 0; i < e->operand_count; i++)
        bind(s, f->params[i], arguments[i]);
    s->calls++;
    struct known known = look(s, f->body);
    s->calls--;
    s->bound.count = outer;
    return known;
}

/* The ints of a list in brackets, or of arguments in a row. */
static struct isa_numbers numbers_of(struct shapes *s, struct programs_expr *const *items,
                                     size_t count, int64_t *numbers)
{
    for (size_t i = 0; i < count; i++) {
        struct known known = look(s, items[i]);
        numbers[i] = known.kind == INT ? known.integer : ISA_UNKNOWN;
    }
    return (struct isa_numbers){numbers, count};
}

static struct known look_at_fill(struct shapes *s, const struct programs_expr *e,
                                 struct programs_expr *const *extents)
{
    struct known known = of_type(s, e->type);
    numbers_of(s, extents, known.shape.rank, known.shape.extents);
    if (isa_shape_is_legal(&known.shape))
        return known;
    struct lib_text why = {0};
    lib_text_puts(&why, "there is no tensor of ");
    isa_shape_write(&why, &known.shape);
    report(s, e->pos, lib_text_get(&why));
    lib_text_free(&why);
    return of_type(s, e->type);
}

/* A param that is read has the extents that it says. */
static struct known look_at_file(struct shapes *s, const struct programs_expr *e)
{
    const struct isa_tensor *read = e->param->data->tensors[0];
    struct known known = of_type(s, e->type);
    struct lib_text why = {0};
    numbers_of(s, e->operands, e->param->rank, known.shape.extents);
    isa_shape_write(&why, &known.shape);
    lib_text_puts(&why, " is declared, and the file has ");
    isa_shape_write(&why, &read->shape);
    if (!isa_shape_is_known(&known.shape))
        lib_text_puts(&why, "; the extents of a param that is read are known before");
    if (!isa_shape_equal(&known.shape, &read->shape))
        report(s, e->pos, lib_text_get(&why));
    lib_text_free(&why);
    known.shape = read->shape;
    return known;
}

/* The extents of arrays as written. */
static void look_at_rows(struct shapes *s, const struct programs_expr *e,
                         struct isa_shape *shape, unsigned axis)
{
    if (axis == shape->rank || e->kind != PROGRAMS_EXPR_ARRAY) {
        look(s, e);
        return;
    }
    const int64_t length = (int64_t)e->operand_count;
    if (shape->extents[axis] == ISA_UNKNOWN)
        shape->extents[axis] = length;
    if (shape->extents[axis] != length) {
        struct lib_text why = {0};
        lib_text_printf(&why,
                        "the rows of a tensor are equally long: this has %lld elements, "
                        "and another one %lld",
                        (long long)length, (long long)shape->extents[axis]);
        report(s, e->start, lib_text_get(&why));
        lib_text_free(&why);
    }
    for (size_t i = 0; i < e->operand_count; i++)
        look_at_rows(s, e->operands[i], shape, axis + 1);
}

static struct known look_at_loss(struct shapes *s, const struct programs_expr *e,
                                 const struct isa_shape *a)
{
    struct known labels = look(s, e->operands[1]);
    if (labels.kind == TENSOR && labels.shape.element != ISA_ELEMENT_INT)
        return apply(s, e, ISA_KERNEL_CROSS_ENTROPY, a, &labels.shape,
                     (struct isa_numbers){0});
    return apply(s, e, ISA_KERNEL_CROSS_ENTROPY_AT, a, NULL,
                 (struct isa_numbers){NULL, ISA_NUMBERS_UNKNOWN});
}

/* One row, which loses its axis. */
static struct known look_at_row(struct shapes *s, const struct programs_expr *e,
                                const struct isa_shape *a, int64_t row)
{
    struct known known = of_type(s, e->type);
    const struct isa_numbers numbers = {&row, 1};
    struct isa_shape rows;
    const struct isa_shape *const operands[] = {a, NULL};
    struct lib_text why = {0};
    if (!isa_kernel_shape(ISA_KERNEL_GATHER, operands, numbers, &rows, &why))
        report(s, e->pos, lib_text_get(&why));
    else
        for (int i = 0; known.kind == TENSOR && i < known.shape.rank; i++)
            known.shape.extents[i] = rows.extents[i + 1];
    lib_text_free(&why);
    return known;
}

static struct known look_at_gather(struct shapes *s, const struct programs_expr *e,
                                   const struct isa_shape *a)
{
    struct known row = look(s, e->operands[1]), known = of_type(s, e->type);
    if (row.kind != INT) {
        if (row.kind == TENSOR)
            known.shape.extents[0] = row.shape.extents[0];
        for (int i = 1; i < known.shape.rank; i++)
            known.shape.extents[i] = a->extents[i];
        return known;
    }
    return look_at_row(s, e, a, row.integer);
}

/* The axis that a call has as argument `i`, of a tensor of a rank. */
static int64_t axis_of(const struct programs_expr *e, size_t i, unsigned rank)
{
    int64_t axis;
    programs_tensor_axis(e, i, 0, &axis);
    return isa_axis_from_end(axis, rank);
}

/* split(t, ...): each part has a shape of its own. */
static struct known look_at_parts(struct shapes *s, const struct programs_expr *e,
                                  const struct isa_shape *a)
{
    struct known known = of_type(s, e->type);
    const struct programs_expr *sizes = e->operands[1];
    const bool is_list = sizes->kind == PROGRAMS_EXPR_ARRAY;
    int64_t numbers[2 + PROGRAMS_SPLIT_MOST] = {axis_of(e, 2, a->rank)};
    struct isa_numbers all = is_list ? numbers_of(s, sizes->operands,
                                                  sizes->operand_count, &numbers[2])
                                     : numbers_of(s, &e->operands[1], 1, &numbers[2]);
    all.count += 2;
    for (size_t i = 0; i < known.part_count; i++) {
        const struct isa_shape *const operands[] = {a, NULL};
        struct lib_text why = {0};
        numbers[1] = (int64_t)i;
        all.items = numbers;
        if (!isa_kernel_shape(is_list ? ISA_KERNEL_PART : ISA_KERNEL_SPLIT, operands, all,
                              &known.parts[i].shape, &why)) {
            report(s, e->pos, lib_text_get(&why));
            known = of_type(s, e->type);
        }
        lib_text_free(&why);
    }
    return known;
}

static struct known look_at_top(struct shapes *s, const struct programs_expr *e,
                                const struct isa_shape *a)
{
    struct known known = of_type(s, e->type);
    struct isa_shape values;
    int64_t numbers[2] = {(int64_t)a->rank - 1};
    const struct isa_shape *const operands[] = {a, NULL};
    struct lib_text why = {0};
    numbers_of(s, &e->operands[1], 1, &numbers[1]);
    if (!isa_kernel_shape(ISA_KERNEL_TOP_VALUES, operands,
                          (struct isa_numbers){numbers, 2}, &values, &why))
        report(s, e->pos, lib_text_get(&why));
    else
        for (int part = 0; part < 2; part++)
            memcpy(known.parts[part].shape.extents, values.extents,
                   sizeof values.extents);
    lib_text_free(&why);
    return known;
}

/* Two by two, as the graph has them; what is left is the first of them with an axis more. */
static struct known look_at_stack(struct shapes *s, const struct programs_expr *e,
                                  const struct isa_shape *first)
{
    const size_t count = programs_tensor_stacked(e);
    const int64_t axis = axis_of(e, count, first->rank + 1u);
    struct known known = apply(s, e, ISA_KERNEL_STACK, first, first,
                               (struct isa_numbers){&axis, 1});
    for (size_t i = 1; i < count; i++) {
        const struct known next = look(s, e->operands[i]);
        if (next.kind == TENSOR)
            known = apply(s, e, ISA_KERNEL_STACK, first, &next.shape,
                          (struct isa_numbers){&axis, 1});
    }
    if (axis >= 0 && axis < known.shape.rank)
        known.shape.extents[axis] = (int64_t)count;
    return known;
}

static struct known look_at_scatter(struct shapes *s, const struct programs_expr *e,
                                    const struct isa_shape *a)
{
    const struct programs_expr *rows = e->operands[1];
    const size_t count = rows->kind == PROGRAMS_EXPR_ARRAY ? rows->operand_count : 0;
    int64_t *numbers = LIB_ARENA_ARRAY(s->arena, int64_t, count + 1);
    struct known known = of_type(s, e->type);
    numbers_of(s, &e->operands[2], 1, numbers);
    if (rows->kind == PROGRAMS_EXPR_ARRAY) {
        numbers_of(s, rows->operands, count, numbers + 1);
        return apply(s, e, ISA_KERNEL_SCATTER, a, NULL,
                     (struct isa_numbers){numbers, count + 1});
    }
    look(s, rows);
    known.shape = *a;
    if (a->rank > 0)
        known.shape.extents[0] = numbers[0];
    return known;
}

static struct known look_at_counted(struct shapes *s, const struct programs_expr *e)
{
    const bool is_hot = e->call.builtin == PROGRAMS_BUILTIN_ONE_HOT;
    const struct known at = is_hot ? look(s, e->operands[0]) : of_type(s, e->type);
    struct isa_shape places = {ISA_ELEMENT_REAL, 1, {1}}; /* the number itself */
    int64_t count;
    if (is_hot && at.kind == TENSOR)
        places = at.shape;
    else if (is_hot)
        places = at.kind == INT ? isa_shape_scalar(ISA_ELEMENT_INT)
                                : (struct isa_shape){ISA_ELEMENT_INT, 1, {ISA_UNKNOWN}};
    return apply(s, e, programs_tensor_kernel(e), &places, NULL,
                 numbers_of(s, &e->operands[is_hot], 1, &count));
}

/* Says where rows do not fit, as far as they are known. */
static struct known look_at_update(struct shapes *s, const struct programs_expr *e,
                                   const struct isa_shape *a)
{
    struct known chosen = look(s, e->operands[1]);
    const struct known rows = look(s, e->operands[2]);
    struct isa_shape indices = {ISA_ELEMENT_INT, chosen.kind != INT, {0}};
    if (rows.kind != TENSOR)
        return of_type(s, e->type);
    if (indices.rank)
        indices.extents[0] = chosen.kind == TENSOR ? chosen.shape.extents[0]
                                                   : ISA_UNKNOWN;
    const struct isa_shape *const operands[] = {a, &indices, &rows.shape};
    return apply_to_all(s, e, programs_tensor_kernel(e), operands,
                        (struct isa_numbers){0});
}

/* Calls whose first argument is a tensor. */
static struct known look_at_tensor_call(struct shapes *s, const struct programs_expr *e)
{
    const enum isa_kernel kernel = programs_tensor_kernel(e);
    const struct known a = look(s, e->operands[0]);
    const struct isa_numbers none = {0};
    int64_t numbers[ISA_RANK_MOST + 1];
    struct known b;
    if (a.kind != TENSOR)
        return of_type(s, e->type);
    switch (programs_tensor_rule(e->call.builtin)) {
    case PROGRAMS_TENSOR_MATMUL:
        b = look(s, e->operands[1]);
        return apply(s, e, kernel, &a.shape, &b.shape, none);
    case PROGRAMS_TENSOR_CONCAT:
        b = look(s, e->operands[1]);
        numbers[0] = axis_of(e, 2, a.shape.rank);
        return apply(s, e, kernel, &a.shape, &b.shape, (struct isa_numbers){numbers, 1});
    case PROGRAMS_TENSOR_SLICE:
    case PROGRAMS_TENSOR_PAD:
        numbers[0] = axis_of(e, 3, a.shape.rank);
        numbers_of(s, &e->operands[1], 2, &numbers[1]);
        if (e->operand_count == 5)
            look(s, e->operands[4]);
        return apply(s, e, kernel, &a.shape, NULL, (struct isa_numbers){numbers, 3});
    case PROGRAMS_TENSOR_GATHER:
        return look_at_gather(s, e, &a.shape);
    case PROGRAMS_TENSOR_UPDATE:
        return look_at_update(s, e, &a.shape);
    case PROGRAMS_TENSOR_LOSS:
        return look_at_loss(s, e, &a.shape);
    case PROGRAMS_TENSOR_RESHAPE:
        return apply(s, e, kernel, &a.shape, NULL,
                     numbers_of(s, e->operands[1]->operands,
                                e->operands[1]->operand_count, numbers));
    case PROGRAMS_TENSOR_TURN:
        return apply(s, e, kernel, &a.shape, NULL,
                     e->operand_count == 1
                         ? none
                         : numbers_of(s, e->operands[1]->operands,
                                      e->operands[1]->operand_count, numbers));
    case PROGRAMS_TENSOR_TOP:
        return look_at_top(s, e, &a.shape);
    case PROGRAMS_TENSOR_STACK:
        return look_at_stack(s, e, &a.shape);
    case PROGRAMS_TENSOR_SPLIT:
        return look_at_parts(s, e, &a.shape);
    case PROGRAMS_TENSOR_SCATTER:
        return look_at_scatter(s, e, &a.shape);
    case PROGRAMS_TENSOR_ALONG:
        numbers[0] = axis_of(e, 1, a.shape.rank);
        return apply(s, e, kernel, &a.shape, NULL, (struct isa_numbers){numbers, 1});
    case PROGRAMS_TENSOR_REDUCE:
    case PROGRAMS_TENSOR_PLACE:
        numbers[0] = axis_of(e, 1, a.shape.rank);
        return apply(s, e, kernel, &a.shape, NULL,
                     (struct isa_numbers){numbers, e->operand_count == 2});
    case PROGRAMS_TENSOR_SHAPE:
    case PROGRAMS_TENSOR_BREAK:
        return of_type(s, e->type);
    default:
        return apply(s, e, kernel, &a.shape, NULL, none);
    }
}

/* Of numbers, or of tensors element by element. */
static struct known look_at_operation(struct shapes *s, const struct programs_expr *e)
{
    struct known known = of_type(s, e->type);
    struct known operands[2] = {{.kind = ANYTHING}};
    for (size_t i = 0; i < e->operand_count; i++)
        operands[i] = look(s, e->operands[i]);
    if (known.kind != TENSOR)
        return known;
    return operate(s, e, operands);
}

/* select(c, a, b): a number beside a tensor has the element of the result. */
static struct known look_at_choice(struct shapes *s, const struct programs_expr *e)
{
    struct isa_shape shapes[3];
    for (size_t i = 0; i < 3; i++) {
        const struct known value = look(s, e->operands[i]);
        shapes[i] = value.kind == TENSOR || i == 0
                        ? value.shape
                        : isa_shape_scalar(programs_type_element(e->type));
    }
    const struct isa_shape *const operands[] = {&shapes[0], &shapes[1], &shapes[2]};
    return apply_to_all(s, e, ISA_KERNEL_SELECT, operands, (struct isa_numbers){0});
}

static struct known look_at_call(struct shapes *s, const struct programs_expr *e)
{
    if (e->call.function)
        return look_into(s, e);
    if (e->call.builtin < PROGRAMS_BUILTIN_PLAIN)
        return look_at_operation(s, e);
    struct known known = of_type(s, e->type);
    switch (programs_tensor_rule(e->call.builtin)) {
    case PROGRAMS_TENSOR_FILE:
        known.shape = e->operands[0]->data->tensors[0]->shape;
        return known;
    case PROGRAMS_TENSOR_ARRAYS:
        return known;
    case PROGRAMS_TENSOR_FILL:
        return look_at_fill(s, e, e->operands[0]->operands);
    case PROGRAMS_TENSOR_MAKE:
        look_at_rows(s, e->operands[0], &known.shape, 0);
        return known;
    case PROGRAMS_TENSOR_CHOOSE:
        return look_at_choice(s, e);
    case PROGRAMS_TENSOR_COUNT:
    case PROGRAMS_TENSOR_ONE_HOT:
        return look_at_counted(s, e);
    default:
        return look_at_tensor_call(s, e);
    }
}

/* --- what may never be executed --------------------------------------------------------------- */

static struct known look_quietly(struct shapes *s, const struct programs_expr *e)
{
    s->quiet++;
    struct known known = look(s, e);
    s->quiet--;
    return known;
}

static struct known look_at_loop(struct shapes *s, const struct programs_expr *e)
{
    const struct programs_loop *loop = e->loop;
    const size_t outer = s->bound.count;
    for (size_t k = 0; k < loop->count; k++)
        look(s, programs_loop_initial(e, k));
    for (size_t k = 0; k < loop->count; k++)
        bind(s, loop->names[k], of_type(s, loop->names[k]->type));
    look(s, programs_loop_condition(e));
    for (size_t k = 0; k < loop->count; k++)
        look_quietly(s, programs_loop_next(e, k));
    struct known known = loop->returns ? look(s, programs_loop_result(e))
                                       : of_type(s, e->type);
    s->bound.count = outer;
    return known;
}

static struct known look_at_let(struct shapes *s, const struct programs_expr *e)
{
    const size_t outer = s->bound.count;
    for (size_t i = 0; i < e->let.count; i++) {
        const struct programs_equation *q = e->let.equations[i];
        if (q->used)
            bind_equation(s, q, look(s, q->value));
    }
    struct known known = look(s, e->let.body);
    s->bound.count = outer;
    return known;
}

static struct known look_at_tuple(struct shapes *s, const struct programs_expr *e)
{
    struct known known = {.kind = TUPLE, .part_count = e->operand_count};
    known.parts = LIB_ARENA_ARRAY(s->arena, struct known, e->operand_count);
    for (size_t i = 0; i < e->operand_count; i++)
        known.parts[i] = look(s, e->operands[i]);
    return known;
}

/* A derivative by a tensor has its shape. */
static struct known look_at_gradient(struct shapes *s, const struct programs_expr *e)
{
    const struct programs_gradient *g = e->gradient;
    const size_t count = e->operand_count + g->param_count;
    struct known *parts = LIB_ARENA_ARRAY(s->arena, struct known, count);
    size_t found = 0;
    for (size_t i = 0; i < count; i++) {
        const bool own = i < e->operand_count;
        struct known known = own ? look(s, e->operands[i])
                                 : look_at_constant(
                                       s, g->params[i - e->operand_count]->equation);
        struct programs_type *type = programs_gradient_type(
            s->arena, own ? e->operands[i]->type : g->params[i - e->operand_count]->type);
        if (type)
            parts[found++] = known.kind == TENSOR ? known : of_type(s, type);
    }
    return found == 1
               ? parts[0]
               : (struct known){.kind = TUPLE, .parts = parts, .part_count = found};
}

static struct known look_at_end(struct shapes *s, const struct programs_expr *e)
{
    switch (e->kind) {
    case PROGRAMS_EXPR_INT: {
        struct known known = of_type(s, e->type);
        known.integer = e->integer;
        return known;
    }
    case PROGRAMS_EXPR_NAME:
        return look_at_name(s, e);
    case PROGRAMS_EXPR_CALL:
        return look_at_call(s, e);
    case PROGRAMS_EXPR_GRAD:
        return look_at_gradient(s, e);
    case PROGRAMS_EXPR_UNARY:
        return look_at_operation(s, e);
    case PROGRAMS_EXPR_LET:
        return look_at_let(s, e);
    case PROGRAMS_EXPR_TUPLE:
        return look_at_tuple(s, e);
    case PROGRAMS_EXPR_LOOP:
        return look_at_loop(s, e);
    case PROGRAMS_EXPR_PARAM:
        return e->param->data ? look_at_file(s, e) : look_at_fill(s, e, e->operands);
    case PROGRAMS_EXPR_COMPREHENSION:
        look(s, e->operands[1]);
        look(s, e->operands[2]);
        look_quietly(s, e->operands[0]);
        return of_type(s, e->type);
    case PROGRAMS_EXPR_ARRAY:
        for (size_t i = 0; i < e->operand_count; i++)
            look(s, e->operands[i]);
        return of_type(s, e->type);
    default:
        return of_type(s, e->type);
    }
}

/* What `at` makes of its operand that goes on with a chain. */
static struct known look_behind(struct shapes *s, const struct programs_expr *at,
                                struct known next, struct known when_true)
{
    if (at->kind == PROGRAMS_EXPR_IF)
        return join(s, when_true, next);
    if (at->kind == PROGRAMS_EXPR_INDEX) {
        const struct known row = look(s, at->operands[1]);
        return next.kind == TENSOR && row.kind == INT
                   ? look_at_row(s, at, &next.shape, row.integer)
                   : of_type(s, at->type);
    }
    const bool is_logic = at->op == PROGRAMS_AND || at->op == PROGRAMS_OR;
    if (is_logic && of_type(s, at->type).kind != TENSOR) {
        look_quietly(s, at->operands[1]);
        return of_type(s, at->type);
    }
    struct known known = of_type(s, at->type), second = look(s, at->operands[1]);
    return known.kind == TENSOR ? operate(s, at, (const struct known[]){next, second})
                                : known;
}

static struct known look(struct shapes *s, const struct programs_expr *e)
{
    LIB_VEC(struct known) when_true = {0};
    const struct programs_expr *at = e;
    if (s->budget == 0)
        return of_type(s, e->type);
    s->budget--;
    for (; programs_chain_goes_on(at); at = programs_chain_down(at))
        if (at->kind == PROGRAMS_EXPR_IF) {
            look(s, at->operands[0]);
            *LIB_VEC_PUSH(&when_true) = look_quietly(s, at->operands[1]);
            s->quiet++;
        }
    struct known known = look_at_end(s, at);
    while (at != e) {
        at = at->above;
        const bool is_if = at->kind == PROGRAMS_EXPR_IF;
        s->quiet -= is_if;
        known = look_behind(s, at, known,
                            is_if ? when_true.items[--when_true.count] : known);
    }
    LIB_VEC_FREE(&when_true);
    return known;
}

bool programs_shapes(const struct programs_ast *ast, struct lib_diags *diags)
{
    const size_t errors = diags->errors, from = diags->count;
    if (!ast->has_tensors)
        return true;
    struct shapes s = {
        .ast = ast,
        .diags = diags,
        .arena = ast->arena,
        .constants = LIB_ARENA_ARRAY(ast->arena, struct known *, ast->constant_count),
        .is_open = LIB_ARENA_ARRAY(ast->arena, bool, ast->constant_count),
        .budget = BUDGET,
    };
    for (size_t i = 0; i < ast->constant_count; i++)
        if (ast->constants[i]->used)
            look_at_constant(&s, ast->constants[i]);
    programs_sort_diags(diags, from);
    LIB_VEC_FREE(&s.bound);
    LIB_VEC_FREE(&s.reported);
    return diags->errors == errors;
}

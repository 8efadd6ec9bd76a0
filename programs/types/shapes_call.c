/* Shapes of the results of functions and kernels. */
#include "programs/types/shapes_internal.h"

#include <string.h>

static struct known look_into(struct shapes *s, const struct programs_expr *e)
{
    const struct programs_function *f = e->call->function;
    struct known *arguments = LIB_ARENA_ARRAY(s->arena, struct known, e->operand_count);
    for (size_t i = 0; i < e->operand_count; i++)
        arguments[i] = shapes_look(s, e->operands[i]);
    if (s->calls == CALLS_MAX)
        return shapes_of_type(s, e->type);
    const size_t outer = s->bound.count;
    for (size_t i = 0; i < e->operand_count; i++)
        shapes_bind(s, f->params[i], arguments[i]);
    s->calls++;
    struct known known = shapes_look(s, f->body);
    s->calls--;
    s->bound.count = outer;
    return known;
}

static struct isa_numbers numbers_of(struct shapes *s, struct programs_expr *const *items,
                                     size_t count, int64_t *numbers)
{
    for (size_t i = 0; i < count; i++) {
        struct known known = shapes_look(s, items[i]);
        numbers[i] = known.kind == INT ? known.integer : ISA_UNKNOWN;
    }
    return (struct isa_numbers){numbers, count};
}

struct known shapes_look_at_fill(struct shapes *s, const struct programs_expr *e,
                                 struct programs_expr *const *extents)
{
    struct known known = shapes_of_type(s, e->type);
    numbers_of(s, extents, known.shape.rank, known.shape.extents);
    if (isa_shape_is_legal(&known.shape))
        return known;
    LIB_TEXT_OWN why = {0};
    lib_text_puts(&why, "no tensor has the type ");
    isa_shape_write(&why, &known.shape);
    shapes_report(s, e->pos, lib_text_get(&why));
    return shapes_of_type(s, e->type);
}

/* Extents in a file of a folder of params may depend on inputs of the program that wrote it. */
struct known shapes_look_at_file(struct shapes *s, const struct programs_expr *e)
{
    const struct isa_tensor *read = e->param->data->tensors[0];
    struct known known = shapes_of_type(s, e->type);
    LIB_TEXT_OWN why = {0};
    numbers_of(s, e->operands, e->param->rank, known.shape.extents);
    isa_shape_write(&why, &known.shape);
    lib_text_puts(&why, " is declared, and the file has ");
    isa_shape_write(&why, &read->shape);
    const bool may_be_open = e->param->data->folder != NULL;
    if (!may_be_open && !isa_shape_is_known(&known.shape))
        lib_text_puts(&why, "; the extents of a param that is read are known before");
    if (may_be_open ? !isa_shape_agrees(&known.shape, &read->shape)
                    : !isa_shape_equal(&known.shape, &read->shape))
        shapes_report(s, e->pos, lib_text_get(&why));
    known.shape = read->shape;
    return known;
}

static void look_at_rows(struct shapes *s, const struct programs_expr *e,
                         struct isa_shape *shape, unsigned axis)
{
    if (axis == shape->rank || e->kind != PROGRAMS_EXPR_ARRAY) {
        shapes_look(s, e);
        return;
    }
    const int64_t length = (int64_t)e->operand_count;
    if (shape->extents[axis] == ISA_UNKNOWN)
        shape->extents[axis] = length;
    if (shape->extents[axis] != length) {
        LIB_TEXT_OWN why = {0};
        lib_text_printf(&why,
                        "the rows of a tensor are equally long: this has %lld elements, "
                        "and another one %lld",
                        (long long)length, (long long)shape->extents[axis]);
        shapes_report(s, e->start, lib_text_get(&why));
    }
    for (size_t i = 0; i < e->operand_count; i++)
        look_at_rows(s, e->operands[i], shape, axis + 1);
}

static struct known look_at_loss(struct shapes *s, const struct programs_expr *e,
                                 const struct isa_shape *a)
{
    struct known labels = shapes_look(s, e->operands[1]);
    if (labels.kind == TENSOR && labels.shape.element != ISA_ELEMENT_INT)
        return shapes_apply(s, e, ISA_KERNEL_CROSS_ENTROPY, a, &labels.shape,
                            (struct isa_numbers){0});
    return shapes_apply(s, e, ISA_KERNEL_CROSS_ENTROPY_AT, a, NULL,
                        (struct isa_numbers){NULL, ISA_NUMBERS_UNKNOWN});
}

struct known shapes_look_at_row(struct shapes *s, const struct programs_expr *e,
                                const struct isa_shape *a, int64_t row)
{
    struct known known = shapes_of_type(s, e->type);
    const struct isa_numbers numbers = {&row, 1};
    struct isa_shape rows;
    const struct isa_shape *const operands[] = {a, NULL};
    LIB_TEXT_OWN why = {0};
    if (!isa_kernel_shape(ISA_KERNEL_GATHER, operands, numbers, &rows, &why))
        shapes_report(s, e->pos, lib_text_get(&why));
    else
        for (int i = 0; known.kind == TENSOR && i < known.shape.rank; i++)
            known.shape.extents[i] = rows.extents[i + 1];
    return known;
}

static struct known look_at_gather(struct shapes *s, const struct programs_expr *e,
                                   const struct isa_shape *a)
{
    struct known row = shapes_look(s, e->operands[1]), known = shapes_of_type(s, e->type);
    if (row.kind != INT) {
        if (row.kind == TENSOR)
            known.shape.extents[0] = row.shape.extents[0];
        for (int i = 1; i < known.shape.rank; i++)
            known.shape.extents[i] = a->extents[i];
        return known;
    }
    return shapes_look_at_row(s, e, a, row.integer);
}

static int64_t axis_of(const struct programs_expr *e, size_t i, unsigned rank)
{
    int64_t axis;
    programs_tensor_axis(e, i, 0, &axis);
    return isa_axis_from_end(axis, rank);
}

/* Evaluates split(t, ...): each part has its own shape. */
static struct known look_at_parts(struct shapes *s, const struct programs_expr *e,
                                  const struct isa_shape *a)
{
    struct known known = shapes_of_type(s, e->type);
    const struct programs_expr *sizes = e->operands[1];
    const bool is_list = sizes->kind == PROGRAMS_EXPR_ARRAY;
    int64_t numbers[2 + PROGRAMS_SPLIT_MAX] = {axis_of(e, 2, a->rank)};
    struct isa_numbers all = is_list ? numbers_of(s, sizes->operands,
                                                  sizes->operand_count, &numbers[2])
                                     : numbers_of(s, &e->operands[1], 1, &numbers[2]);
    all.count += 2;
    for (size_t i = 0; i < known.part_count; i++) {
        const struct isa_shape *const operands[] = {a, NULL};
        LIB_TEXT_OWN why = {0};
        numbers[1] = (int64_t)i;
        all.items = numbers;
        if (!isa_kernel_shape(is_list ? ISA_KERNEL_PART : ISA_KERNEL_SPLIT, operands, all,
                              &known.parts[i].shape, &why)) {
            shapes_report(s, e->pos, lib_text_get(&why));
            known = shapes_of_type(s, e->type);
        }
    }
    return known;
}

static struct known look_at_top(struct shapes *s, const struct programs_expr *e,
                                const struct isa_shape *a)
{
    struct known known = shapes_of_type(s, e->type);
    struct isa_shape values;
    int64_t numbers[2] = {(int64_t)a->rank - 1};
    const struct isa_shape *const operands[] = {a, NULL};
    LIB_TEXT_OWN why = {0};
    numbers_of(s, &e->operands[1], 1, &numbers[1]);
    if (!isa_kernel_shape(ISA_KERNEL_TOP_VALUES, operands,
                          (struct isa_numbers){numbers, 2}, &values, &why))
        shapes_report(s, e->pos, lib_text_get(&why));
    else
        for (int part = 0; part < 2; part++)
            memcpy(known.parts[part].shape.extents, values.extents,
                   sizeof values.extents);
    return known;
}

/* Stacks two by two, as the graph does; the last one gets an axis more. */
static struct known look_at_stack(struct shapes *s, const struct programs_expr *e,
                                  const struct isa_shape *first)
{
    const size_t count = programs_tensor_stacked(e);
    const int64_t axis = axis_of(e, count, first->rank + 1u);
    struct known known = shapes_apply(s, e, ISA_KERNEL_STACK, first, first,
                                      (struct isa_numbers){&axis, 1});
    for (size_t i = 1; i < count; i++) {
        const struct known next = shapes_look(s, e->operands[i]);
        if (next.kind == TENSOR)
            known = shapes_apply(s, e, ISA_KERNEL_STACK, first, &next.shape,
                                 (struct isa_numbers){&axis, 1});
    }
    if (axis >= 0 && axis < known.shape.rank)
        known.shape.extents[axis] = (int64_t)count;
    return known;
}

static struct known look_at_expanded(struct shapes *s, const struct programs_expr *e,
                                     const struct isa_shape *a)
{
    const int64_t axis = axis_of(e, 1, a->rank + 1u);
    struct known known = shapes_of_type(s, e->type);
    for (int64_t i = 0; i < known.shape.rank; i++)
        known.shape.extents[i] = i == axis ? 1 : a->extents[i - (i > axis)];
    return known;
}

static struct known look_at_scatter(struct shapes *s, const struct programs_expr *e,
                                    const struct isa_shape *a)
{
    const struct programs_expr *rows = e->operands[1];
    const size_t count = rows->kind == PROGRAMS_EXPR_ARRAY ? rows->operand_count : 0;
    int64_t *numbers = LIB_ARENA_ARRAY(s->arena, int64_t, count + 1);
    struct known known = shapes_of_type(s, e->type);
    numbers_of(s, &e->operands[2], 1, numbers);
    if (rows->kind == PROGRAMS_EXPR_ARRAY) {
        numbers_of(s, rows->operands, count, numbers + 1);
        return shapes_apply(s, e, ISA_KERNEL_SCATTER, a, NULL,
                            (struct isa_numbers){numbers, count + 1});
    }
    shapes_look(s, rows);
    known.shape = *a;
    if (a->rank > 0)
        known.shape.extents[0] = numbers[0];
    return known;
}

static struct known look_at_counted(struct shapes *s, const struct programs_expr *e)
{
    const bool is_hot = e->call->builtin == PROGRAMS_BUILTIN_ONE_HOT;
    const struct known at = is_hot ? shapes_look(s, e->operands[0])
                                   : shapes_of_type(s, e->type);
    struct isa_shape places = {ISA_ELEMENT_REAL, 1, {1}}; /* the number itself */
    int64_t count;
    if (is_hot && at.kind == TENSOR)
        places = at.shape;
    else if (is_hot)
        places = at.kind == INT ? isa_shape_scalar(ISA_ELEMENT_INT)
                                : (struct isa_shape){ISA_ELEMENT_INT, 1, {ISA_UNKNOWN}};
    return shapes_apply(s, e, programs_tensor_kernel(e), &places, NULL,
                        numbers_of(s, &e->operands[is_hot], 1, &count));
}

static struct known look_at_update(struct shapes *s, const struct programs_expr *e,
                                   const struct isa_shape *a)
{
    struct known chosen = shapes_look(s, e->operands[1]);
    const struct known rows = shapes_look(s, e->operands[2]);
    struct isa_shape indices = {ISA_ELEMENT_INT, chosen.kind != INT, {0}};
    if (rows.kind != TENSOR)
        return shapes_of_type(s, e->type);
    if (indices.rank)
        indices.extents[0] = chosen.kind == TENSOR ? chosen.shape.extents[0]
                                                   : ISA_UNKNOWN;
    const struct isa_shape *const operands[] = {a, &indices, &rows.shape};
    return shapes_apply_to_all(s, e, programs_tensor_kernel(e), operands,
                               (struct isa_numbers){0});
}

static struct known look_at_tensor_call(struct shapes *s, const struct programs_expr *e)
{
    const enum isa_kernel kernel = programs_tensor_kernel(e);
    const struct known a = shapes_look(s, e->operands[0]);
    const struct isa_numbers none = {0};
    int64_t numbers[ISA_RANK_MAX + 1];
    struct known b;
    if (a.kind != TENSOR)
        return shapes_of_type(s, e->type);
    switch (programs_tensor_rule(e->call->builtin)) {
    case PROGRAMS_TENSOR_MATMUL:
        b = shapes_look(s, e->operands[1]);
        return shapes_apply(s, e, kernel, &a.shape, &b.shape, none);
    case PROGRAMS_TENSOR_CONCAT:
        b = shapes_look(s, e->operands[1]);
        numbers[0] = axis_of(e, 2, a.shape.rank);
        return shapes_apply(s, e, kernel, &a.shape, &b.shape,
                            (struct isa_numbers){numbers, 1});
    case PROGRAMS_TENSOR_SLICE:
    case PROGRAMS_TENSOR_PAD:
        numbers[0] = axis_of(e, 3, a.shape.rank);
        numbers_of(s, &e->operands[1], 2, &numbers[1]);
        if (e->operand_count == 5)
            shapes_look(s, e->operands[4]);
        return shapes_apply(s, e, kernel, &a.shape, NULL,
                            (struct isa_numbers){numbers, 3});
    case PROGRAMS_TENSOR_GATHER:
        return look_at_gather(s, e, &a.shape);
    case PROGRAMS_TENSOR_UPDATE:
        return look_at_update(s, e, &a.shape);
    case PROGRAMS_TENSOR_LOSS:
        return look_at_loss(s, e, &a.shape);
    case PROGRAMS_TENSOR_RESHAPE:
        return shapes_apply(s, e, kernel, &a.shape, NULL,
                            numbers_of(s, e->operands[1]->operands,
                                       e->operands[1]->operand_count, numbers));
    case PROGRAMS_TENSOR_TURN:
        return shapes_apply(s, e, kernel, &a.shape, NULL,
                            e->operand_count == 1
                                ? none
                                : numbers_of(s, e->operands[1]->operands,
                                             e->operands[1]->operand_count, numbers));
    case PROGRAMS_TENSOR_TOP:
        return look_at_top(s, e, &a.shape);
    case PROGRAMS_TENSOR_EXPAND:
        return look_at_expanded(s, e, &a.shape);
    case PROGRAMS_TENSOR_STACK:
        return look_at_stack(s, e, &a.shape);
    case PROGRAMS_TENSOR_SPLIT:
        return look_at_parts(s, e, &a.shape);
    case PROGRAMS_TENSOR_SCATTER:
        return look_at_scatter(s, e, &a.shape);
    case PROGRAMS_TENSOR_ALONG:
        numbers[0] = axis_of(e, 1, a.shape.rank);
        return shapes_apply(s, e, kernel, &a.shape, NULL,
                            (struct isa_numbers){numbers, 1});
    case PROGRAMS_TENSOR_REDUCE:
    case PROGRAMS_TENSOR_PLACE:
        numbers[0] = axis_of(e, 1, a.shape.rank);
        return shapes_apply(s, e, kernel, &a.shape, NULL,
                            (struct isa_numbers){numbers, e->operand_count == 2});
    case PROGRAMS_TENSOR_SHAPE:
    case PROGRAMS_TENSOR_BREAK:
        return shapes_of_type(s, e->type);
    default:
        return shapes_apply(s, e, kernel, &a.shape, NULL, none);
    }
}

struct known shapes_look_at_operation(struct shapes *s, const struct programs_expr *e)
{
    struct known known = shapes_of_type(s, e->type);
    struct known operands[2] = {{.kind = ANYTHING}};
    for (size_t i = 0; i < e->operand_count; i++)
        operands[i] = shapes_look(s, e->operands[i]);
    if (known.kind != TENSOR)
        return known;
    return shapes_operate(s, e, operands);
}

/* In select(c, a, b), a number beside a tensor has the element of the result. */
static struct known look_at_choice(struct shapes *s, const struct programs_expr *e)
{
    struct isa_shape shapes[3];
    for (size_t i = 0; i < 3; i++) {
        const struct known value = shapes_look(s, e->operands[i]);
        shapes[i] = value.kind == TENSOR || i == 0
                        ? value.shape
                        : isa_shape_scalar(programs_type_element(e->type));
    }
    const struct isa_shape *const operands[] = {&shapes[0], &shapes[1], &shapes[2]};
    return shapes_apply_to_all(s, e, ISA_KERNEL_SELECT, operands,
                               (struct isa_numbers){0});
}

struct known shapes_look_at_call(struct shapes *s, const struct programs_expr *e)
{
    if (e->call->function)
        return look_into(s, e);
    if (e->call->builtin < PROGRAMS_BUILTIN_PLAIN)
        return shapes_look_at_operation(s, e);
    struct known known = shapes_of_type(s, e->type);
    switch (programs_tensor_rule(e->call->builtin)) {
    case PROGRAMS_TENSOR_FILE:
        known.shape = e->operands[0]->data->tensors[0]->shape;
        return known;
    case PROGRAMS_TENSOR_ARRAYS:
        return known;
    case PROGRAMS_TENSOR_FILL:
        return shapes_look_at_fill(s, e, e->operands[0]->operands);
    case PROGRAMS_TENSOR_RANDOM:
        shapes_look(s, e->operands[0]);
        return shapes_look_at_fill(s, e, e->operands[1]->operands);
    case PROGRAMS_TENSOR_DRAWN:
        for (size_t i = 0; i < e->operand_count; i++)
            shapes_look(s, e->operands[i]);
        return known;
    case PROGRAMS_TENSOR_DROP:
        for (size_t i = 1; i < e->operand_count; i++)
            shapes_look(s, e->operands[i]);
        return shapes_look(s, e->operands[0]);
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

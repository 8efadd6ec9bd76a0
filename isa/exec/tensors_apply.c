/* MAP and COMBINE: kernels and fills, their operands and costs, and results stored in operands. */
#include "isa/exec/tensors_internal.h"
#include "isa/tensor/initialise.h"
#include "isa/tensor/join.h"

#include <math.h>

/* Numbers that a kernel is given: an axis, and the elements of a second tensor. */
struct numbers {
    int64_t few[1 + ISA_RANK_MAX + 4];
    int64_t *items; /* `few`, or owned */
    size_t count;
};

static bool is_integral(double x)
{
    return fabs(x) <= 9007199254740992.0 && x == floor(x);
}

/* Converts an element to an integer. Returns false if it is not integral. */
static bool find_integer(const struct isa_tensor *tensor, uint64_t i, int64_t *number)
{
    const double x = isa_tensor_get(tensor, i);
    *number = 0;
    if (tensor->shape.element >= ISA_ELEMENT_BOOL)
        return false;
    if (tensor->shape.element != ISA_ELEMENT_INT && !is_integral(x))
        return false;
    *number = isa_tensor_get_int(tensor, i);
    return *number != ISA_UNKNOWN;
}

/* Collects the integer arguments of a kernel: the axis, if any, and the elements of `more`. Returns
 * false if an element is not integral. */
static bool find_numbers(struct numbers *n, int axis, const struct isa_tensor *more)
{
    const size_t behind = more ? more->count : 0;
    n->count = behind + (axis != ISA_USE_NO_AXIS);
    n->items = n->few;
    if (n->count > sizeof n->few / sizeof *n->few)
        n->items = lib_mem_new(n->count * sizeof *n->items);
    size_t at = 0;
    if (axis != ISA_USE_NO_AXIS)
        n->items[at++] = axis;
    bool good = true;
    for (size_t i = 0; i < behind; i++)
        good &= find_integer(more, i, &n->items[at++]);
    return good;
}

static void free_numbers(struct numbers *n)
{
    if (n->items != n->few)
        lib_mem_free(n->items);
}

struct application {
    unsigned use;
    /* kernel of the use, or by which it is expressed; else NONE */
    enum isa_kernel kernel;
    const struct isa_tensor *operands[3];
    const struct isa_shape *shapes[3];
    struct isa_tensor parts[2]; /* parts of the pair that a kernel takes */
    struct numbers numbers;
    struct isa_shape result;
    enum isa_initialiser initialiser; /* of a fill */
    double arguments[ISA_INITIALISER_ARGUMENTS];
};

/* Prepares a fill: operand 0 has the extents, operand 1 the arguments, if any. This and the
 * following functions return false and add the reason to `why` if operands do not fit. */
static bool prepare_fill(struct application *app, uint32_t index, struct lib_text *why)
{
    const struct isa_tensor *arguments = app->operands[1];
    struct isa_shape *shape = &app->result;
    *shape = isa_shape_scalar(ISA_ELEMENT_REAL);
    app->initialiser = isa_initialiser_find(isa_use_text(index));
    if (app->numbers.count > ISA_RANK_MAX) {
        lib_text_printf(why, "`%s` makes no tensor of rank %zu; at most %d",
                        isa_use_text(index), app->numbers.count, ISA_RANK_MAX);
        return false;
    }
    shape->rank = (uint8_t)app->numbers.count;
    for (size_t i = 0; i < app->numbers.count; i++)
        shape->extents[i] = app->numbers.items[i];
    if (!isa_shape_is_known(shape) || !isa_shape_is_legal(shape)) {
        lib_text_printf(why, "`%s` makes no tensor of ", isa_use_text(index));
        isa_shape_write(why, shape);
        return false;
    }
    const uint8_t arity = isa_initialisers[app->initialiser].arity;
    if (arity && (!arguments || arguments->count != arity ||
                  arguments->shape.element == ISA_ELEMENT_PAIR)) {
        lib_text_printf(why, "`%s` takes %u arguments", isa_use_text(index), arity);
        return false;
    }
    for (int i = 0; i < arity; i++)
        app->arguments[i] = isa_tensor_get(arguments, (uint64_t)i);
    return isa_initialiser_takes(app->initialiser, app->arguments, why);
}

/* Prepares LIFT and DROP, as a RESHAPE that adds or removes an axis. */
static bool prepare_axis(struct application *app, uint32_t index, struct lib_text *why)
{
    const struct isa_shape *shape = &app->operands[0]->shape;
    const int axis = isa_use_axis(index), rank = shape->rank;
    const bool lifts = app->use == ISA_USE_LIFT;
    if (lifts ? axis > rank || rank == ISA_RANK_MAX
              : axis >= rank || shape->extents[axis] != 1) {
        lib_text_printf(why, "`%s` of ", isa_use_text(index));
        isa_shape_write(why, shape);
        lib_text_printf(why, ": axis %d", axis);
        return false;
    }
    app->kernel = ISA_KERNEL_RESHAPE;
    app->numbers = (struct numbers){.items = app->numbers.few};
    for (int i = 0; i < rank + lifts; i++) {
        if (i == axis && lifts)
            app->numbers.items[app->numbers.count++] = 1;
        if (i < rank && (i != axis || lifts))
            app->numbers.items[app->numbers.count++] = shape->extents[i];
    }
    return true;
}

static bool takes_pair(const struct application *app)
{
    return app->kernel != ISA_KERNEL_NONE &&
           (isa_kernels[app->kernel].arity == 3 || isa_kernel_has_numbers(app->kernel));
}

/* Splits the pair in operand 1: its parts become operands 1 and 2, or the numbers and operand 1. */
static bool prepare_pair(struct application *app, uint32_t index, struct lib_text *why)
{
    const struct isa_tensor *pair = app->operands[1];
    if (pair->shape.element != ISA_ELEMENT_PAIR) {
        lib_text_printf(why, "`%s` takes a pair, and not ", isa_use_text(index));
        isa_shape_write(why, &pair->shape);
        return false;
    }
    for (unsigned i = 0; i < 2; i++)
        app->parts[i] = isa_pair_part(pair, i);
    const bool has_numbers = isa_kernel_has_numbers(app->kernel);
    app->operands[1] = &app->parts[has_numbers];
    app->operands[2] = has_numbers ? NULL : &app->parts[1];
    return true;
}

/* Finds the kernel, its operands and numbers, and the shape of the result. */
static bool prepare_application(struct application *app, const struct isa_exec *exec,
                                const struct isa_instr *instr, isa_value a, isa_value b,
                                struct lib_text *why)
{
    const bool two = instr->op == ISA_OP_COMBINE;
    const int axis = isa_use_axis(instr->index);
    app->use = isa_use_of(instr->index);
    app->kernel = app->use < ISA_KERNEL_COUNT ? (enum isa_kernel)app->use
                                              : ISA_KERNEL_NONE;
    app->operands[0] = isa_tensors_get(exec, a);
    app->operands[1] = two ? isa_tensors_get(exec, b) : NULL;
    app->operands[2] = NULL;
    app->numbers.items = app->numbers.few;
    if (takes_pair(app) && !prepare_pair(app, instr->index, why))
        return false;
    const bool is_fill = app->use >= ISA_USE_FILLS && app->use < ISA_USE_LIFT;
    const bool gives = app->kernel != ISA_KERNEL_NONE && two &&
                       isa_kernels[app->kernel].arity == 1;
    const bool counts = is_fill || app->kernel == ISA_KERNEL_IOTA;
    const struct isa_tensor *more = counts  ? app->operands[0]
                                    : gives ? app->operands[1]
                                    : isa_kernel_has_numbers(app->kernel) ? &app->parts[0]
                                                                          : NULL;
    if (!find_numbers(&app->numbers, axis, more)) {
        lib_text_printf(why, "`%s` takes whole numbers", isa_use_text(instr->index));
        return false;
    }
    if (is_fill)
        return prepare_fill(app, instr->index, why);
    if (app->kernel == ISA_KERNEL_NONE && !prepare_axis(app, instr->index, why))
        return false;
    for (int i = 0; i < 3; i++)
        app->shapes[i] = app->operands[i] ? &app->operands[i]->shape : NULL;
    const struct isa_numbers numbers = {app->numbers.items, app->numbers.count};
    return isa_kernel_shape(app->kernel, app->shapes, numbers, &app->result, why);
}

static struct isa_kernel_cost cost_of(const struct application *app)
{
    if (app->kernel == ISA_KERNEL_NONE)
        return (struct isa_kernel_cost){0, isa_shape_bytes(&app->result)};
    return isa_kernel_cost(app->kernel, app->shapes, &app->result);
}

struct isa_kernel_cost isa_tensors_cost(const struct isa_exec *exec,
                                        const struct isa_instr *instr, isa_value a,
                                        isa_value b)
{
    struct application app;
    struct lib_text why = {0};
    struct isa_kernel_cost cost = {0};
    if (prepare_application(&app, exec, instr, a, b, &why))
        cost = cost_of(&app);
    free_numbers(&app.numbers);
    lib_text_free(&why);
    return cost;
}

bool isa_tensors_find_joined(enum isa_op op, const struct isa_tensor *a,
                             const struct isa_tensor *b, struct isa_shape *shape,
                             struct lib_text *why)
{
    return op == ISA_OP_PAIR ? isa_pair_shape(&a->shape, &b->shape, shape, why)
                             : isa_vector_shape(&a->shape, &b->shape, shape, why);
}

static uint64_t joined_bytes(enum isa_op op, const struct isa_tensor *a,
                             const struct isa_tensor *b)
{
    struct isa_shape shape;
    struct lib_text why = {0};
    const bool fits = isa_tensors_find_joined(op, a, b, &shape, &why);
    lib_text_free(&why);
    return fits ? a->bytes + b->bytes : 0;
}

uint64_t isa_tensors_made_bytes(const struct isa_exec *exec,
                                const struct isa_instr *instr, isa_value a, isa_value b)
{
    struct application app;
    struct lib_text why = {0};
    uint64_t bytes = 0;
    switch (instr->op) {
    case ISA_OP_MAP:
    case ISA_OP_COMBINE:
        if (prepare_application(&app, exec, instr, a, b, &why))
            bytes = isa_shape_bytes(&app.result);
        free_numbers(&app.numbers);
        lib_text_free(&why);
        return bytes;
    case ISA_OP_LOAD:
        return exec->code->constants[instr->index]->bytes;
    case ISA_OP_SCALAR:
    case ISA_OP_SCALAR_I:
    case ISA_OP_NUMBER:
        return sizeof(double);
    case ISA_OP_SCALAR_B:
        return isa_element_size(ISA_ELEMENT_BOOL);
    case ISA_OP_SCALAR_F:
        return isa_element_size(ISA_ELEMENT_REAL32);
    case ISA_OP_VECTOR:
    case ISA_OP_PAIR:
        return joined_bytes((enum isa_op)instr->op, isa_tensors_get(exec, a),
                            isa_tensors_get(exec, b));
    case ISA_OP_SHAPE:
        return isa_tensors_get(exec, a)->shape.element == ISA_ELEMENT_PAIR
                   ? 0
                   : isa_tensors_get(exec, a)->shape.rank * sizeof(int64_t);
    default: /* ITEMs, DIM; ROW, which makes an array */
        return 0;
    }
}

/* Computes the elements of a new tensor. Returns false and adds the reason to `why` if a value does
 * not fit in an int. */
static bool compute_result(struct isa_exec *exec, const struct isa_instr *instr,
                           const struct application *app, bool with_word,
                           struct isa_tensor *tensor, struct lib_text *why)
{
    const struct isa_numbers numbers = {app->numbers.items, app->numbers.count};
    if (app->kernel == ISA_KERNEL_NONE)
        isa_tensor_initialise(tensor, app->initialiser, app->arguments, exec->tensor.seed,
                              isa_use_number(instr->index));
    else if (!isa_kernel_run(exec->tensor.blas, app->kernel, app->operands, numbers,
                             tensor, why))
        return false;
    if (app->kernel != ISA_KERNEL_NONE &&
        isa_kernel_is_canonical(app->kernel, app->shapes[0], &app->result))
        isa_tensor_seal_canonical(tensor, with_word);
    else
        isa_tensor_seal(tensor, with_word);
    return true;
}

static bool changes_rows(const struct application *app)
{
    return app->kernel == ISA_KERNEL_UPDATE || app->kernel == ISA_KERNEL_SCATTER_ADD;
}

/* Returns the operand that a firing may change in place, its token: the token holds the only
 * reference, and is not a loop constant. Returns NULL if there is none. */
static const isa_value *find_last_reference(const struct isa_exec *exec,
                                            const struct isa_instr *instr,
                                            const struct application *app,
                                            const isa_value *a, const isa_value *b)
{
    const bool reuses = app->kernel != ISA_KERNEL_NONE && app->operands[1] &&
                        isa_kernel_reuses(app->kernel, app->shapes[0], app->shapes[1],
                                          &app->result);
    if (instr->form != ISA_FORM_TWO || !(reuses || changes_rows(app)))
        return NULL;
    if (isa_structures_get(&exec->structures, *a)->references == 1)
        return a;
    return reuses && isa_structures_get(&exec->structures, *b)->references == 1 ? b
                                                                                : NULL;
}

static void count_update(struct isa_exec *exec, const struct application *app,
                         const struct isa_tensor *made)
{
    if (!changes_rows(app))
        return;
    exec->tensor.updates++;
    if (made == app->operands[0])
        return;
    exec->tensor.copies++;
    exec->tensor.copied += made->bytes;
}

/* Gives a structure a new tensor of the same shape and word, with unset elements, and returns the
 * old one. */
static struct isa_tensor *exchange(struct isa_exec *exec, isa_value a,
                                   struct isa_tensor *made)
{
    struct isa_structure *s = isa_structures_get(&exec->structures, a);
    struct isa_tensor *old = s->tensor;
    made->word = old->word;
    s->tensor = made;
    return old;
}

enum isa_tensors_fired isa_tensors_apply(struct isa_exec *exec,
                                         const struct isa_instr *instr, isa_tag tag,
                                         isa_value a, isa_value b, bool with_word,
                                         isa_value *value)
{
    struct application app;
    struct lib_text why = {0};
    enum isa_tensors_fired fired;
    if (!prepare_application(&app, exec, instr, a, b, &why)) {
        fired = isa_tensors_trap(exec, instr, tag, lib_text_get(&why));
    } else {
        const struct isa_kernel_cost cost = cost_of(&app);
        exec->tensor.flops += cost.flops;
        exec->tensor.bytes += cost.bytes;
        struct isa_tensor *made = isa_tensor_new(&exec->structures.tensors, &app.result);
        const isa_value *reused = made ? find_last_reference(exec, instr, &app, &a, &b)
                                       : NULL;
        if (reused)
            made = exchange(exec, *reused, made);
        if (made && !compute_result(exec, instr, &app, with_word, made, &why)) {
            if (reused)
                made = exchange(exec, *reused, made);
            isa_tensor_free(&exec->structures.tensors, made);
            fired = isa_tensors_trap(exec, instr, tag, lib_text_get(&why));
        } else {
            if (made)
                count_update(exec, &app, made);
            fired = isa_tensors_keep(exec, instr, tag, made, value);
        }
    }
    free_numbers(&app.numbers);
    lib_text_free(&why);
    return fired;
}

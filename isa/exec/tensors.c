#include "isa/exec/tensors.h"

#include "isa/tensor/initialise.h"
#include "isa/tensor/join.h"

#include <math.h>

/* Numbers that a kernel is given: an axis, and the elements of a second tensor. */
struct numbers {
    int64_t few[1 + ISA_RANK_MOST + 4];
    int64_t *items; /* `few`, or of its own */
    size_t count;
};

static bool is_whole(double x)
{
    return fabs(x) <= 9007199254740992.0 && x == floor(x);
}

/* Finds an element as a whole number. Returns false if it is none. */
static bool find_whole(const struct isa_tensor *tensor, uint64_t i, int64_t *number)
{
    const double x = isa_tensor_get(tensor, i);
    *number = 0;
    if (tensor->shape.element >= ISA_ELEMENT_BOOL)
        return false;
    if (tensor->shape.element != ISA_ELEMENT_INT && !is_whole(x))
        return false;
    *number = isa_tensor_get_int(tensor, i);
    return *number != ISA_UNKNOWN;
}

/* Numbers are ints, or reals that are whole numbers, as NUMBER makes them; assembly may take any
 * tensor for some. */
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
        good &= find_whole(more, i, &n->items[at++]);
    return good;
}

static void free_numbers(struct numbers *n)
{
    if (n->items != n->few)
        lib_mem_free(n->items);
}

/* --- one application -------------------------------------------------------------------- */

struct application {
    unsigned use;
    enum isa_kernel kernel; /* of a use that is one, or can be said by one; else NONE */
    const struct isa_tensor *operands[3];
    const struct isa_shape *shapes[3];
    struct isa_tensor parts[2]; /* of the pair that a kernel of three tensors takes */
    struct numbers numbers;
    struct isa_shape result;
    enum isa_initialiser initialiser; /* of a fill */
    double arguments[ISA_INITIALISER_ARGUMENTS];
};

/* A fill: the numbers are the extents, and operand 1, if any, has the arguments. */
static bool prepare_fill(struct application *app, uint32_t index, struct lib_text *why)
{
    const struct isa_tensor *arguments = app->operands[1];
    struct isa_shape *shape = &app->result;
    *shape = isa_shape_scalar(ISA_ELEMENT_REAL);
    app->initialiser = isa_initialiser_find(isa_use_text(index));
    if (app->numbers.count > ISA_RANK_MOST) {
        lib_text_printf(why, "`%s` makes no tensor of rank %zu; at most %d",
                        isa_use_text(index), app->numbers.count, ISA_RANK_MOST);
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

/* LIFT and DROP: a RESHAPE by one axis. */
static bool prepare_axis(struct application *app, uint32_t index, struct lib_text *why)
{
    const struct isa_shape *shape = &app->operands[0]->shape;
    const int axis = isa_use_axis(index), rank = shape->rank;
    const bool lifts = app->use == ISA_USE_LIFT;
    if (lifts ? axis > rank || rank == ISA_RANK_MOST
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

/* The second and the third operand are those of a pair. */
static bool prepare_pair(struct application *app, uint32_t index, struct lib_text *why)
{
    const struct isa_tensor *pair = app->operands[1];
    if (pair->shape.element != ISA_ELEMENT_PAIR) {
        lib_text_printf(why, "`%s` takes a pair, and not ", isa_use_text(index));
        isa_shape_write(why, &pair->shape);
        return false;
    }
    for (unsigned i = 0; i < 2; i++) {
        app->parts[i] = isa_pair_part(pair, i);
        app->operands[i + 1] = &app->parts[i];
    }
    return true;
}

/* Finds what is applied to what, and the shape of the result. false: `why` says why not. */
static bool prepare(struct application *app, const struct isa_exec *exec,
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
    const bool is_fill = app->use >= ISA_USE_FILLS && app->use < ISA_USE_LIFT;
    const bool gives = app->kernel != ISA_KERNEL_NONE && two &&
                       isa_kernels[app->kernel].arity == 1;
    const bool counts = is_fill || app->kernel == ISA_KERNEL_IOTA;
    const struct isa_tensor *more = counts  ? app->operands[0]
                                    : gives ? app->operands[1]
                                            : NULL;
    if (!find_numbers(&app->numbers, axis, more)) {
        lib_text_printf(why, "`%s` takes whole numbers", isa_use_text(instr->index));
        return false;
    }
    if (is_fill)
        return prepare_fill(app, instr->index, why);
    if (app->kernel == ISA_KERNEL_NONE && !prepare_axis(app, instr->index, why))
        return false;
    if (app->kernel != ISA_KERNEL_NONE && isa_kernels[app->kernel].arity == 3 &&
        !prepare_pair(app, instr->index, why))
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
    if (prepare(&app, exec, instr, a, b, &why))
        cost = cost_of(&app);
    free_numbers(&app.numbers);
    lib_text_free(&why);
    return cost;
}

/* Finds the shape of what a VECTOR or a PAIR makes. */
static bool find_joined(enum isa_op op, const struct isa_tensor *a,
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
    const bool fits = find_joined(op, a, b, &shape, &why);
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
        if (prepare(&app, exec, instr, a, b, &why))
            bytes = isa_shape_bytes(&app.result);
        free_numbers(&app.numbers);
        lib_text_free(&why);
        return bytes;
    case ISA_OP_LOAD:
        return exec->code->graph->constants[instr->index].tensor->bytes;
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

/* --- effects ---------------------------------------------------------------------------- */

static enum isa_tensors_fired trap(struct isa_exec *exec, const struct isa_instr *instr,
                                   isa_tag tag, const char *why)
{
    lib_text_clear(&exec->trap_note);
    lib_text_puts(&exec->trap_note, why);
    isa_exec_trap(exec, ISA_TRAP_TENSOR, (uint32_t)(instr - exec->code->instrs), tag);
    return ISA_TENSORS_TRAPPED;
}

/* Makes the structure of a tensor, which it owns from now on, with one reference. */
static enum isa_tensors_fired keep(struct isa_exec *exec, const struct isa_instr *instr,
                                   isa_tag tag, struct isa_tensor *tensor,
                                   isa_value *value)
{
    if (tensor) {
        const struct isa_structure made = {
            .instr = (uint32_t)(instr - exec->code->instrs),
            .pe_number = isa_activations_pe(&exec->tags,
                                            isa_activations_get(&exec->tags, tag)),
        };
        const uint32_t number = isa_structures_make_tensor(&exec->structures, tensor,
                                                           &made);
        *value = isa_reference(number, 0);
        if (number != ISA_STRUCTURE_NONE)
            return ISA_TENSORS_MADE;
        isa_tensor_free(&exec->structures.tensors, tensor);
    }
    exec->out_of_memory = true;
    return ISA_TENSORS_TRAPPED;
}

/* Computes the elements of a new tensor. Returns false and says why in `why` if an element of ints
 * has no value. */
static bool compute(struct isa_exec *exec, const struct isa_instr *instr,
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
    /* Rows that move are sealed already. */
    if (with_word || app->kernel != ISA_KERNEL_UPDATE || tensor != app->operands[0])
        isa_tensor_seal(tensor, with_word);
    return true;
}

/* Whether rows of operand 0 may be changed in place: the token that the firing takes is all that refers to it. A
 * constant of a loop stays. */
static bool is_last_reference(const struct isa_exec *exec, const struct isa_instr *instr,
                              const struct application *app, isa_value a)
{
    return (app->kernel == ISA_KERNEL_UPDATE || app->kernel == ISA_KERNEL_SCATTER_ADD) &&
           instr->form == ISA_FORM_TWO &&
           isa_structures_get(&exec->structures, a)->references == 1;
}

/* Exchanges the tensor of a structure with a new one of the same shape, which is not filled: what it has counts as
 * before, and the new one becomes what it had. */
static struct isa_tensor *exchange(struct isa_exec *exec, isa_value a,
                                   struct isa_tensor *made)
{
    struct isa_structure *s = isa_structures_get(&exec->structures, a);
    struct isa_tensor *old = s->tensor;
    made->word = old->word;
    s->tensor = made;
    return old;
}

static enum isa_tensors_fired apply(struct isa_exec *exec, const struct isa_instr *instr,
                                    isa_tag tag, isa_value a, isa_value b, bool with_word,
                                    isa_value *value)
{
    struct application app;
    struct lib_text why = {0};
    enum isa_tensors_fired fired;
    if (!prepare(&app, exec, instr, a, b, &why)) {
        fired = trap(exec, instr, tag, lib_text_get(&why));
    } else {
        const struct isa_kernel_cost cost = cost_of(&app);
        exec->tensor.flops += cost.flops;
        exec->tensor.bytes += cost.bytes;
        struct isa_tensor *made = isa_tensor_new(&exec->structures.tensors, &app.result);
        const bool in_place = made && is_last_reference(exec, instr, &app, a);
        if (in_place)
            made = exchange(exec, a, made);
        if (made && !compute(exec, instr, &app, with_word, made, &why)) {
            if (in_place)
                made = exchange(exec, a, made);
            isa_tensor_free(&exec->structures.tensors, made);
            fired = trap(exec, instr, tag, lib_text_get(&why));
        } else {
            fired = keep(exec, instr, tag, made, value);
        }
    }
    free_numbers(&app.numbers);
    lib_text_free(&why);
    return fired;
}

static struct isa_tensor *make_number(struct isa_tensor_memory *memory, int64_t number,
                                      bool with_word)
{
    struct isa_shape shape = {ISA_ELEMENT_REAL, 1, {1}};
    struct isa_tensor *tensor = isa_tensor_new(memory, &shape);
    if (tensor) {
        tensor->reals[0] = (double)number;
        isa_tensor_seal(tensor, with_word);
    }
    return tensor;
}

/* An int or a bool as a tensor of rank 0. */
static struct isa_tensor *make_scalar(struct isa_tensor_memory *memory,
                                      enum isa_element_kind element, isa_value value,
                                      bool with_word)
{
    const struct isa_shape shape = isa_shape_scalar(element);
    struct isa_tensor *tensor = isa_tensor_new(memory, &shape);
    if (!tensor)
        return NULL;
    if (element == ISA_ELEMENT_INT)
        tensor->ints[0] = isa_value_int(value);
    else
        tensor->bools[0] = value != 0;
    isa_tensor_seal(tensor, with_word);
    return tensor;
}

/* The extents of a tensor. */
static struct isa_tensor *make_shape(struct isa_tensor_memory *memory,
                                     const struct isa_shape *of, bool with_word)
{
    const struct isa_shape shape = {ISA_ELEMENT_INT, 1, {of->rank}};
    struct isa_tensor *tensor = isa_tensor_new(memory, &shape);
    if (!tensor)
        return NULL;
    for (unsigned i = 0; i < of->rank; i++)
        tensor->ints[i] = of->extents[i];
    isa_tensor_seal(tensor, with_word);
    return tensor;
}

static struct isa_tensor *load(struct isa_exec *exec, const struct isa_instr *instr,
                               bool with_word)
{
    const struct isa_tensor *constant = exec->code->graph->constants[instr->index].tensor;
    struct isa_tensor *tensor = isa_tensor_new(&exec->structures.tensors,
                                               &constant->shape);
    if (tensor) {
        if (constant->bytes)
            memcpy(tensor->data, constant->data, constant->bytes);
        isa_tensor_seal(tensor, with_word);
    }
    return tensor;
}

static enum isa_tensors_fired fire_joined(struct isa_exec *exec,
                                          const struct isa_instr *instr, isa_tag tag,
                                          const struct isa_tensor *a,
                                          const struct isa_tensor *b, bool with_word,
                                          isa_value *value)
{
    struct isa_shape shape;
    struct lib_text why = {0};
    enum isa_tensors_fired fired;
    if (find_joined((enum isa_op)instr->op, a, b, &shape, &why)) {
        struct isa_tensor_memory *memory = &exec->structures.tensors;
        struct isa_tensor *made = instr->op == ISA_OP_PAIR ? isa_pair_new(memory, a, b)
                                                           : isa_vector_new(memory, a, b);
        if (made)
            isa_tensor_seal(made, with_word);
        fired = keep(exec, instr, tag, made, value);
    } else {
        fired = trap(exec, instr, tag, lib_text_get(&why));
    }
    lib_text_free(&why);
    return fired;
}

static enum isa_tensors_fired out_of_range(struct isa_exec *exec,
                                           const struct isa_instr *instr, isa_tag tag,
                                           const struct isa_tensor *tensor,
                                           const char *what, int64_t number)
{
    struct lib_text why = {0};
    lib_text_printf(&why, "%s %lld of a tensor of ", what, (long long)number);
    isa_shape_write(&why, &tensor->shape);
    const enum isa_tensors_fired fired = trap(exec, instr, tag, lib_text_get(&why));
    lib_text_free(&why);
    return fired;
}

/* --- rows ------------------------------------------------------------------------------- */

static enum isa_type type_of_row(const struct isa_exec *exec,
                                 const struct isa_instr *instr)
{
    return exec->code->graph->nodes[instr - exec->code->instrs].type;
}

/* Whether each element of a row has a value of a type: a bool alone is a bool, and of reals the ints are those
 * that INT_R converts. */
static bool has_values(const struct isa_row *row, enum isa_type type)
{
    const enum isa_element_kind element = row->tensor->shape.element;
    if (type == ISA_BOOL)
        return row->length == 0 || element == ISA_ELEMENT_BOOL;
    if (type == ISA_REAL || !isa_element_is_real(element))
        return true;
    for (uint64_t i = 0; i < row->length; i++) {
        const double x = isa_tensor_get(row->tensor, row->first + i);
        if (!(x >= -0x1p63 && x < 0x1p63))
            return false;
    }
    return true;
}

static isa_value read_element(const struct isa_tensor *tensor, uint64_t i,
                              enum isa_type type)
{
    return type == ISA_REAL  ? isa_value_of_real(isa_tensor_get(tensor, i))
           : type == ISA_INT ? isa_value_of_int(isa_tensor_get_int(tensor, i))
                             : (isa_value)(isa_tensor_get(tensor, i) != 0);
}

/* Finds where row number `b` lies, if there is one. */
static bool locate_row(const struct isa_exec *exec, isa_value a, isa_value b,
                       struct isa_row *row)
{
    const struct isa_tensor *tensor = isa_tensors_get(exec, a);
    const struct isa_shape *shape = &tensor->shape;
    uint64_t rows = 1;
    *row = (struct isa_row){.tensor = tensor};
    for (int axis = 0; axis + 1 < shape->rank; axis++)
        rows *= (uint64_t)shape->extents[axis];
    if (shape->rank == 0 || b >= rows || /* or negative */
        shape->element == ISA_ELEMENT_PAIR)
        return false;
    row->length = (uint64_t)shape->extents[shape->rank - 1];
    row->first = b * row->length;
    return true;
}

bool isa_tensors_find_row(const struct isa_exec *exec, const struct isa_instr *instr,
                          isa_value a, isa_value b, struct isa_row *row)
{
    const bool good = locate_row(exec, a, b, row) &&
                      has_values(row, type_of_row(exec, instr));
    if (!good)
        row->length = 0;
    return good;
}

static enum isa_tensors_fired trap_at_row(struct isa_exec *exec,
                                          const struct isa_instr *instr, isa_tag tag,
                                          isa_value a, isa_value b)
{
    struct isa_row row;
    if (!locate_row(exec, a, b, &row))
        return out_of_range(exec, instr, tag, row.tensor, "row", isa_value_int(b));
    if (type_of_row(exec, instr) == ISA_BOOL)
        return out_of_range(exec, instr, tag, row.tensor, "bools in row",
                            isa_value_int(b));
    isa_exec_trap(exec, ISA_TRAP_CONVERSION, (uint32_t)(instr - exec->code->instrs), tag);
    return ISA_TENSORS_TRAPPED;
}

enum isa_tensors_fired isa_tensors_fire_row(struct isa_exec *exec,
                                            const struct isa_instr *instr, isa_tag tag,
                                            isa_value a, isa_value b, uint64_t depth,
                                            const struct isa_structure *made)
{
    const enum isa_type type = type_of_row(exec, instr);
    struct isa_row row;
    exec->tensor.firings++;
    if (!isa_tensors_find_row(exec, instr, a, b, &row))
        return trap_at_row(exec, instr, tag, a, b);
    exec->array = isa_structures_make(&exec->structures, row.length, made);
    if (exec->array == ISA_STRUCTURE_NONE) {
        exec->out_of_memory = true;
        return ISA_TENSORS_TRAPPED;
    }
    struct isa_element *elements = exec->structures.all.items[exec->array].elements;
    for (uint64_t i = 0; i < row.length; i++) {
        struct isa_element *e = &elements[i];
        e->value = read_element(row.tensor, row.first + i, type);
        e->info = depth << ISA_ELEMENT_DEPTH_SHIFT | ISA_ELEMENT_WRITTEN;
    }
    return ISA_TENSORS_MADE;
}

/* ITEM, ITEM_I and ITEM_B: any tensor gives reals, that of ints alone ints. */
static enum isa_tensors_fired fire_item(struct isa_exec *exec,
                                        const struct isa_instr *instr, isa_tag tag,
                                        const struct isa_tensor *tensor, int64_t number,
                                        isa_value *value)
{
    const enum isa_element_kind element = tensor->shape.element;
    if (number < 0 || (uint64_t)number >= tensor->count || element == ISA_ELEMENT_PAIR)
        return out_of_range(exec, instr, tag, tensor, "element", number);
    if ((instr->op == ISA_OP_ITEM_I && element != ISA_ELEMENT_INT) ||
        (instr->op == ISA_OP_ITEM_B && element != ISA_ELEMENT_BOOL))
        return out_of_range(exec, instr, tag, tensor,
                            instr->op == ISA_OP_ITEM_I ? "int" : "bool", number);
    *value = instr->op == ISA_OP_ITEM_I ? isa_value_of_int(tensor->ints[number])
             : instr->op == ISA_OP_ITEM_B
                 ? (isa_value)tensor->bools[number]
                 : isa_value_of_real(isa_tensor_get(tensor, (uint64_t)number));
    return ISA_TENSORS_MADE;
}

enum isa_tensors_fired isa_tensors_fire(struct isa_exec *exec,
                                        const struct isa_instr *instr, isa_tag tag,
                                        isa_value a, isa_value b, bool with_word,
                                        isa_value *value)
{
    struct isa_tensor_memory *memory = &exec->structures.tensors;
    const int64_t number = isa_value_int(b);
    exec->tensor.firings++;
    switch (instr->op) {
    case ISA_OP_SCALAR:
    case ISA_OP_SCALAR_F:
        return keep(exec, instr, tag,
                    isa_tensor_scalar(memory,
                                      instr->op == ISA_OP_SCALAR ? ISA_ELEMENT_REAL
                                                                 : ISA_ELEMENT_REAL32,
                                      isa_value_real(a), with_word),
                    value);
    case ISA_OP_VECTOR:
    case ISA_OP_PAIR:
        return fire_joined(exec, instr, tag, isa_tensors_get(exec, a),
                           isa_tensors_get(exec, b), with_word, value);
    case ISA_OP_NUMBER:
        return keep(exec, instr, tag, make_number(memory, isa_value_int(a), with_word),
                    value);
    case ISA_OP_LOAD:
        return keep(exec, instr, tag, load(exec, instr, with_word), value);
    case ISA_OP_SCALAR_I:
        return keep(exec, instr, tag, make_scalar(memory, ISA_ELEMENT_INT, a, with_word),
                    value);
    case ISA_OP_SCALAR_B:
        return keep(exec, instr, tag, make_scalar(memory, ISA_ELEMENT_BOOL, a, with_word),
                    value);
    case ISA_OP_ITEM:
    case ISA_OP_ITEM_I:
    case ISA_OP_ITEM_B:
        return fire_item(exec, instr, tag, isa_tensors_get(exec, a), number, value);
    case ISA_OP_SHAPE:
        if (isa_tensors_get(exec, a)->shape.element == ISA_ELEMENT_PAIR)
            return trap(exec, instr, tag, "`shape` of a pair");
        return keep(exec, instr, tag,
                    make_shape(memory, &isa_tensors_get(exec, a)->shape, with_word),
                    value);
    case ISA_OP_DIM: {
        const struct isa_tensor *tensor = isa_tensors_get(exec, a);
        if (number < 0 || number >= tensor->shape.rank ||
            tensor->shape.element == ISA_ELEMENT_PAIR)
            return out_of_range(exec, instr, tag, tensor, "axis", number);
        *value = isa_value_of_int(tensor->shape.extents[number]);
        return ISA_TENSORS_MADE;
    }
    default:
        return apply(exec, instr, tag, a, b, with_word, value);
    }
}

/* The emitter: makes the nodes of a graph from forms, entry by entry in their order. An array of
 * tuples is a tuple of arrays, part by part, so that an element is always one value.
 *
 *   [E1, E2]             ALLOC of 2; for each element INDEX and STORE
 *   a[E]                 INDEX, which makes the address of the element, and FETCH
 *   sum(a)               0 if LENGTH says so; else a call of a function, each sum its own, that
 *                        calls itself for both halves
 *   tensor(a)            a call of a function of its own that joins both halves of the array
 *   Node(E1, E2)         CONSTRUCT; for each field FILL
 *   array(t)             ROW; if t has rows of rows, loops over these that STORE ROWs */
#include "isa/kernel_use.h"
#include "lib/memory.h"
#include "lib/text.h"
#include "programs/gradient/calls.h"
#include "programs/graph/builder.h"
#include "programs/graph/region.h"

static struct region_value emit_integer(int64_t i)
{
    return region_literal(ISA_INT, isa_value_of_int(i));
}

static struct region_value emit_op(struct region_place p, enum isa_op op,
                                   enum isa_type type, struct region_value a)
{
    return region_compute(p, op, type, 0, &a, 1);
}

static struct region_value emit_two(struct region_place p, enum isa_op op,
                                    enum isa_type type, struct region_value a,
                                    struct region_value b)
{
    const struct region_value operands[] = {a, b};
    return region_compute(p, op, type, 0, operands, 2);
}

/* --- arrays ---------------------------------------------------------------------------- */

static void emit_store(struct region_place p, struct region_value array,
                       struct region_value index, struct region_value element)
{
    const enum isa_type type = isa_type_element(array.type);
    region_store(p, type, emit_two(p, ISA_OP_INDEX, type, array, index), element);
}

static struct region_value emit_fetch(struct region_place p, struct region_value array,
                                      struct region_value index)
{
    const enum isa_type type = isa_type_element(array.type);
    const struct region_value address = emit_two(p, ISA_OP_INDEX, type, array, index);
    return emit_op(p, ISA_OP_FETCH, type, address);
}

/* Makes data of constructor `index`. */
static struct region_value emit_construct(struct region_place p, uint32_t index,
                                          const struct region_value *fields)
{
    const struct isa_constructor c = region_graph(p.region)->constructors[index];
    const struct region_value data = region_source(p, ISA_OP_CONSTRUCT, ISA_INT, index);
    for (uint32_t i = 0; i < c.field_count; i++)
        region_fill(p, c.fields[i].type, c.first + i, data, fields[i]);
    return data;
}

/* A loop that makes array elements. */
struct body {
    struct region_loop *loop;
    struct region_place at;      /* where an element is made */
    struct region_value counter; /* its index */
};

/* Opens the loop of array elements, of which there are `length`; or, if `follows`, as many as array
 * `length` of a port has. */
static struct body open_body(struct region_place p, const char *name, bool follows,
                             struct region_value length)
{
    struct body b = {.loop = region_loop_open(p, "array", ISA_LOOP_UNBOUNDED)};
    b.counter = region_loop_enter(b.loop, emit_integer(0), name, p.pos);
    const struct region_place header = region_loop_header(b.loop);
    b.at = region_loop_test(
        b.loop, follows ? emit_two(header, ISA_OP_MORE, isa_type_element(length.type),
                                   length, b.counter)
                        : emit_two(header, ISA_OP_LT_I, ISA_INT, b.counter, length));
    return b;
}

static void close_body(const struct body *b)
{
    region_loop_next(b->loop, 0,
                     emit_two(b->at, ISA_OP_ADD_I, ISA_INT, b->counter, emit_integer(1)),
                     b->at.pos);
    region_loop_close(b->loop);
}

/* --- halves ------------------------------------------------------------------------------ */

static struct region_value call_range(struct region_place p, uint32_t function,
                                      struct region_value array, struct region_value low,
                                      struct region_value high)
{
    const struct region_value arguments[] = {array, low, high};
    return region_result(p.region, region_apply(p, function, arguments, 3), 0);
}

/* A function of an array and a range of at least one element, which calls itself for both halves of
 * the range. */
struct halves {
    uint32_t function;
    struct region_place top, inner[2]; /* inner[0]: of one element */
    struct region_value array, low, lower, upper;
};

static struct halves start_halves(struct region_place p, const char *what,
                                  enum isa_type of, enum isa_type array_type,
                                  enum isa_type result)
{
    const enum isa_type params[] = {array_type, ISA_INT, ISA_INT};
    LIB_TEXT_OWN name = {0};
    lib_text_printf(&name, "%s.%s", what, isa_type_name(of));
    struct halves h = {.function = isa_graph_add_function(region_graph(p.region),
                                                          lib_text_get(&name), params, 3,
                                                          &result, 1, p.pos)};
    isa_graph_set_names(region_graph(p.region), h.function,
                        (const char *const[]){"array", "low", "high"});
    const struct region_place top = region_of_function(p, h.function);
    h.top = top;
    h.array = region_param(top, 0);
    h.low = region_param(top, 1);
    const struct region_value high = region_param(top, 2);
    const struct region_value count = emit_two(top, ISA_OP_SUB_I, ISA_INT, high, h.low);
    region_split(top, emit_two(top, ISA_OP_EQ_I, ISA_INT, count, emit_integer(1)),
                 h.inner);
    const struct region_place more = h.inner[1];
    const struct region_value half = emit_two(more, ISA_OP_DIV_I, ISA_INT, count,
                                              emit_integer(2));
    const struct region_value middle = emit_two(more, ISA_OP_ADD_I, ISA_INT, h.low, half);
    h.lower = call_range(more, h.function, h.array, h.low, middle);
    h.upper = call_range(more, h.function, h.array, middle, high);
    return h;
}

/* `both`: result for a range of more than one element; `one`: for an element. */
static uint32_t end_halves(const struct halves *h, struct region_value one,
                           struct region_value both)
{
    region_consume(h->top, ISA_OP_RESULT, 0, region_merge(h->top, h->inner, one, both));
    return h->function;
}

/* The condition of a conditional: an array has no elements. */
static struct region_value split_empty(struct region_place p, struct region_value array,
                                       struct region_place inner[2])
{
    const struct region_value length = emit_op(p, ISA_OP_LENGTH,
                                               isa_type_element(array.type), array);
    region_split(p, emit_two(p, ISA_OP_EQ_I, ISA_INT, length, emit_integer(0)), inner);
    return length;
}

/* --- sums -------------------------------------------------------------------------------- */

/* Makes the function that adds elements `low` to `high` - 1 of an array, at least one. Each `sum`
 * has its own, so that a failure has its position. */
static uint32_t emit_sum_function(struct region_place p, enum isa_type type)
{
    struct halves h = start_halves(p, "sum", type, isa_type_array_of(type), type);
    const struct region_value both = emit_two(
        h.inner[1], type == ISA_REAL ? ISA_OP_ADD_R : ISA_OP_ADD_I, type, h.lower,
        h.upper);
    return end_halves(&h, emit_fetch(h.inner[0], h.array, h.low), both);
}

/* Makes the sum of an array; `function` is from emit_sum_function. */
static struct region_value emit_sum(struct region_place p, uint32_t function,
                                    struct region_value array)
{
    const enum isa_type type = isa_type_element(array.type);
    const struct region_value nothing = region_literal(
        type, type == ISA_REAL ? isa_value_of_real(0) : isa_value_of_int(0));
    struct region_place inner[2];
    const struct region_value length = split_empty(p, array, inner);
    const struct region_value all = call_range(inner[1], function, array, emit_integer(0),
                                               length);
    return region_merge(p, inner, nothing, all);
}

/* --- tensors from arrays ----------------------------------------------------------------- */

static struct region_value emit_tensor_of(struct region_place p,
                                          struct region_value array,
                                          enum isa_element_kind element);

/* Returns an element of an array for joining: of an array of arrays it has one row. */
static struct region_value row_of(struct region_place p, struct region_value value,
                                  enum isa_element_kind element)
{
    const bool is_converted = value.type == ISA_INT && element == ISA_ELEMENT_REAL;
    if (isa_type_rank(value.type) == 0)
        return emit_op(p,
                       is_converted ? ISA_OP_NUMBER : form_scalar_op(value.type, element),
                       ISA_INT, value);
    const struct region_value tensor = emit_tensor_of(p, value, element);
    return region_compute(p, ISA_OP_MAP, ISA_INT, isa_use(ISA_USE_LIFT, 0, 0), &tensor,
                          1);
}

/* Makes the function that makes a tensor of elements `low` to `high` - 1 of an array, at least
 * one. */
static uint32_t part_function(struct region_place p, enum isa_type type,
                              enum isa_element_kind element)
{
    const char *what = element == ISA_ELEMENT_INT ? "ints" : "tensor";
    struct halves h = start_halves(p, what, type, type, ISA_TENSOR);
    const struct region_value halves[] = {h.lower, h.upper};
    const struct region_value both =
        isa_type_rank(isa_type_element(type)) > 0
            ? region_compute(h.inner[1], ISA_OP_COMBINE, ISA_INT,
                             isa_use(ISA_KERNEL_CONCAT, 0, 0), halves, 2)
            : emit_two(h.inner[1], ISA_OP_VECTOR, ISA_INT, h.lower, h.upper);
    const struct region_value one = row_of(
        h.inner[0], emit_fetch(h.inner[0], h.array, h.low), element);
    return end_halves(&h, one, both);
}

static struct region_value load_empty(struct region_place p,
                                      enum isa_element_kind element, unsigned rank)
{
    struct isa_shape shape = isa_shape_scalar(element);
    shape.rank = (uint8_t)rank;
    struct isa_tensor *tensor = isa_tensor_new(&region_graph(p.region)->tensors, &shape);
    isa_tensor_seal(tensor, true);
    return region_source(p, ISA_OP_LOAD, ISA_INT,
                         isa_graph_add_constant(region_graph(p.region), "empty", tensor));
}

/* Makes a tensor with an element type, to which ints may be converted, from an array. */
static struct region_value emit_tensor_of(struct region_place p,
                                          struct region_value array,
                                          enum isa_element_kind element)
{
    const uint32_t part = part_function(p, array.type, element);
    struct region_place inner[2];
    const struct region_value length = split_empty(p, array, inner);
    const struct region_value none = load_empty(inner[0], element,
                                                isa_type_rank(array.type));
    struct region_value all = call_range(inner[1], part, array, emit_integer(0), length);
    if (isa_type_rank(isa_type_element(array.type)) ==
        0) /* of one element it has rank 0 */
        all = emit_two(inner[1], ISA_OP_VECTOR, ISA_INT, all,
                       load_empty(inner[1], element, 1));
    return region_merge(p, inner, none, all);
}

/* --- arrays from tensors ----------------------------------------------------------------- */

/* Makes an array of a type, or a number, from a tensor whose axes before `axis` were read. Rows
 * are numbered as they lie in the tensor; `before` is the number of rows of these axes. */
static struct region_value emit_rows_of(struct region_place p, struct region_value tensor,
                                        enum isa_type type, int axis,
                                        struct region_value before)
{
    const enum isa_type element = isa_type_element(type);
    if (isa_type_rank(element) == 0)
        return emit_two(p, ISA_OP_ROW, element, tensor, before);
    const struct region_value length = emit_two(p, ISA_OP_DIM, ISA_INT, tensor,
                                                emit_integer(axis));
    const struct region_value first = axis ? emit_two(p, ISA_OP_MUL_I, ISA_INT, before,
                                                      length)
                                           : before;
    const struct region_value array = emit_op(p, ISA_OP_ALLOC, element, length);
    const struct body b = open_body(p, NULL, false, length);
    const struct region_value at = axis ? emit_two(b.at, ISA_OP_ADD_I, ISA_INT, first,
                                                   b.counter)
                                        : b.counter;
    emit_store(b.at, array, b.counter, emit_rows_of(b.at, tensor, element, axis + 1, at));
    close_body(&b);
    return array;
}

/* --- state ------------------------------------------------------------------------------- */

/* What an entry has left for entries that continue it. */
union left {
    struct region_loop *loop;  /* of a DECLARE of a loop */
    struct elements *elements; /* of a TABULATE that is paired with its gradient */
    uint32_t number; /* function of a DECLARE of a sum; node of an early APPLY */
};

struct emit {
    struct programs_builder *b;
    struct lib_arena *arena;
    struct form *form;
    struct region_value *values;        /* values of the form */
    const struct region_value *params;  /* values of the parameters */
    union left *left;                   /* for each entry */
    struct region_place (*branches)[2]; /* for each conditional: its regions */
    uint32_t value_capacity, entry_capacity, branch_capacity;
};

static void emit_block(struct emit *m, struct region *r, const struct form_block *block);

/* Whether the graph has more nodes than isa_check accepts: it is refused, and need not be finished.
 * An immediate that is chosen by a conditional on an immediate enters through all the branches
 * around it, so that the nodes of `if a then 1 else if a then 2 ...` with an input a grow with the
 * square of the chain. */
static bool is_full(const struct emit *m)
{
    return m->b->graph->node_count > ISA_MAX_NODES;
}

/* --- values ------------------------------------------------------------------------------ */

/* Makes room for all values and entries of the form. */
static void reserve_all(struct emit *m)
{
    LIB_ARENA_RESERVE(m->arena, m->values, &m->value_capacity, m->form->value_count);
    LIB_ARENA_RESERVE(m->arena, m->left, &m->entry_capacity, m->form->entry_count);
    LIB_ARENA_RESERVE(m->arena, m->branches, &m->branch_capacity, m->form->branch_count);
}

static struct emit start_emit(struct programs_builder *b, struct lib_arena *arena,
                              struct form *form, const struct region_value *params)
{
    struct emit m = {.b = b, .arena = arena, .form = form, .params = params};
    reserve_all(&m);
    return m;
}

static struct region_value get(const struct emit *m, uint32_t id)
{
    const struct form_value *v = &m->form->values[id];
    switch (v->kind) {
    case FORM_LITERAL:
        return region_literal(v->type, v->literal);
    case FORM_INPUT:
        return (struct region_value){
            .kind = REGION_INPUT, .type = v->type, .input = v->index};
    case FORM_PARAM:
        return m->params[v->index];
    default:
        return m->values[id];
    }
}

static struct region_value *get_all(const struct emit *m, const struct form_ids *ids)
{
    struct region_value *all = LIB_ARENA_ARRAY(m->arena, struct region_value, ids->count);
    for (uint32_t i = 0; i < ids->count; i++)
        all[i] = get(m, ids->items[i]);
    return all;
}

/* --- elements that a routine makes ------------------------------------------------------- */

/* State while a loop that makes array elements is built. Paired elements stay open until their
 * adjoints are available: the nodes that make these are in the same loop, to find the values of
 * an iteration under its tag. The adjoints enter as loop constants, which may arrive late. */
struct elements {
    struct emit m;
    struct body body;
    struct region_value *params; /* of the routine */
    uint32_t count;              /* parameters that are available at once */
    bool *is_late; /* for each entry at the top: whether it depends on the others */
};

static enum isa_type element_type(const struct emit *m, uint32_t array)
{
    return isa_type_element(form_graph_type(form_type(m->form, array)));
}

static void make_arrays(struct emit *m, struct region_place p, const struct form_entry *e,
                        struct region_value length)
{
    for (uint32_t k = 0; k < e->results.count; k++)
        m->values[e->results.items[k]] = emit_op(
            p, ISA_OP_ALLOC, element_type(m, e->results.items[k]), length);
}

/* Stores the results of an entry, from the routine's result `first` on, element by element. */
static void store_results(const struct emit *m, const struct elements *t,
                          const struct form_entry *e, uint32_t first)
{
    for (uint32_t k = 0; k < e->results.count; k++)
        emit_store(region_at(t->body.at.region, e->pos), m->values[e->results.items[k]],
                   t->params[0], get(&t->m, t->m.form->results.items[first + k]));
}

/* Finds the entries at the top of the routine that depend on late parameters. */
static void find_late(struct elements *t)
{
    const struct form *form = t->m.form;
    uint32_t *entry_of = LIB_ARENA_ARRAY(t->m.arena, uint32_t, form->value_count);
    struct form_walk walk = form_walk_of(&form->top);
    for (const struct form_entry *e; (e = form_walk_next(&walk));) {
        const uint32_t at = (walk.outer.count ? walk.outer.items[0] : walk.at).next - 1;
        const bool is_branch = e->kind == FORM_BRANCH;
        for (uint32_t k = 0; k < e->results.count; k++)
            entry_of[e->results.items[k]] = at;
        for (uint32_t i = 0; i < e->operands.count + is_branch; i++) {
            const uint32_t value = i < e->operands.count ? e->operands.items[i]
                                                         : e->branch->condition;
            const struct form_value *v = &form->values[value];
            t->is_late[at] |= v->kind == FORM_PARAM
                                  ? v->index >= t->count
                                  : v->kind == FORM_MADE && t->is_late[entry_of[value]];
        }
    }
}

/* Makes nodes of entries that do not depend on late values, or of the rest. */
static void emit_half(struct elements *t, bool late)
{
    const struct form_block *top = &t->m.form->top;
    for (uint32_t i = 0; i < top->count && !is_full(&t->m); i++) {
        const struct form_block one = {t->m.form, &top->items[i], 1, 1};
        if (t->is_late[i] == late)
            emit_block(&t->m, t->body.at.region, &one);
    }
}

static void emit_elements(struct emit *m, struct region_place p,
                          const struct form_entry *e)
{
    struct form_program *program = &m->b->forms;
    const uint32_t routine = e->is_kept ? e->pair : e->routine;
    struct form *form = form_of(program, routine);
    struct elements *t = LIB_ARENA_NEW(m->arena, struct elements);
    const struct region_value length = get(m, e->operands.items[0]);
    make_arrays(m, p, e, length);
    const uint32_t width = program->routines[routine].param_count;
    t->count = e->operands.count;
    t->params = LIB_ARENA_ARRAY(m->arena, struct region_value, width);
    t->is_late = LIB_ARENA_ARRAY(m->arena, bool, form->top.count);
    for (uint32_t i = 0; i < t->count; i++)
        t->params[i] = get(m, e->operands.items[i]);
    t->m = start_emit(m->b, m->arena, form, t->params);
    t->body = open_body(p, NULL, false, length);
    t->params[0] = t->body.counter;
    find_late(t);
    emit_half(t, false);
    if (is_full(m))
        return;
    store_results(m, t, e, 0);
    if (e->is_kept)
        m->left[e->id].elements = t;
    else
        close_body(&t->body);
}

static void emit_late_elements(struct emit *m, struct region_place p,
                               const struct form_entry *e)
{
    struct elements *t = m->left[e->early->id].elements;
    make_arrays(m, p, e, get(m, e->early->operands.items[0]));
    for (uint32_t i = 0; i < e->operands.count; i++)
        t->params[t->count + i] = get(m, e->operands.items[i]);
    emit_half(t, true);
    if (is_full(m))
        return;
    store_results(m, t, e, e->early->results.count);
    close_body(&t->body);
}

/* --- elements that a block makes --------------------------------------------------------- */

static void emit_table(struct emit *m, struct region_place p, const struct form_entry *e)
{
    const struct region_value from = get(m, e->operands.items[0]);
    const bool follows = e->kind == FORM_FOLLOW;
    if (!follows)
        make_arrays(m, p, e, from);
    for (uint32_t k = 0; follows && k < e->results.count; k++)
        m->values[e->results.items[k]] = region_source(
            p, ISA_OP_OPEN, element_type(m, e->results.items[k]), e->index);
    const struct body b = open_body(p, e->names ? e->names->text : NULL, follows, from);
    m->values[e->inner] = b.counter;
    emit_block(m, b.at.region, &e->blocks[0]);
    if (!is_full(m))
        close_body(&b);
}

static void emit_list(struct emit *m, struct region_place p, const struct form_entry *e)
{
    make_arrays(m, p, e, emit_integer(e->operands.count));
    for (uint32_t i = 0; i < e->operands.count; i++)
        emit_store(p, m->values[e->results.items[0]], emit_integer(i),
                   get(m, e->operands.items[i]));
}

static void emit_element(struct emit *m, struct region_place p,
                         const struct form_entry *e)
{
    for (uint32_t k = 0; e->places && k < e->operands.count && !is_full(m); k++)
        emit_store(region_at(p.region, e->places[k]),
                   m->values[e->early->results.items[0]], emit_integer(e->index + k),
                   get(m, e->operands.items[k]));
    if (e->places)
        return;
    const struct region_value index = e->early->kind == FORM_ARRAY
                                          ? emit_integer(e->index)
                                          : m->values[e->early->inner];
    for (uint32_t k = 0; k < e->operands.count; k++)
        emit_store(p, m->values[e->early->results.items[k]], index,
                   get(m, e->operands.items[k]));
}

/* --- loops ------------------------------------------------------------------------------- */

static void emit_declare(struct emit *m, struct region_place p,
                         const struct form_entry *e)
{
    if (e->index == FORM_OF_SUM)
        m->left[e->id].number = emit_sum_function(p, e->type);
    else
        m->left[e->id].loop = region_loop_open(p, "loop", e->inner);
}

static struct region_loop *loop_of(const struct emit *m, const struct form_entry *e)
{
    return m->left[(e->kind == FORM_LOOP ? e : e->early)->early->id].loop;
}

static void emit_loop(struct emit *m, const struct form_entry *e)
{
    struct region_loop *loop = loop_of(m, e);
    for (uint32_t i = 0; i < e->operands.count; i++)
        m->values[e->results.items[i]] = region_loop_enter(
            loop, get(m, e->operands.items[i]), e->names[i].text, e->names[i].pos);
    emit_block(m, region_loop_header(loop).region, &e->blocks[0]);
    if (!is_full(m))
        emit_block(m, region_loop_test(loop, get(m, e->inner)).region, &e->blocks[1]);
}

/* --- calls ------------------------------------------------------------------------------- */

/* Sets the results of an entry to those of a call from result `first` on. */
static void set_results(struct emit *m, struct region *r, const struct form_entry *e,
                        uint32_t call, uint32_t first)
{
    for (uint32_t k = 0; k < e->results.count; k++)
        m->values[e->results.items[k]] = region_result(r, call, first + k);
}

static void emit_late(struct emit *m, struct region_place p, const struct form_entry *e)
{
    if (e->early->kind == FORM_TABULATE) {
        emit_late_elements(m, p, e);
        return;
    }
    const uint32_t call = m->left[e->early->id].number;
    region_pass(p, call, e->early->operands.count, get_all(m, &e->operands),
                e->operands.count);
    set_results(m, p.region, e, call, e->early->results.count);
}

static void emit_apply(struct emit *m, struct region_place p, const struct form_entry *e)
{
    const struct region_value *arguments = get_all(m, &e->operands);
    const uint32_t function = programs_build_link(m->b,
                                                  e->is_kept ? e->pair : e->routine);
    uint32_t call;
    if (e->is_kept) {
        call = m->left[e->id].number = region_apply_paired(p, function);
        region_pass(p, call, 0, arguments, e->operands.count);
    } else {
        call = region_apply(p, function, arguments, e->operands.count);
    }
    set_results(m, p.region, e, call, 0);
}

/* The call that a DERIVE stands for is known now: finding it may have added tensors to the graph.
 */
static void emit_derive(struct emit *m, struct region_place p, const struct form_entry *e)
{
    struct form_block call = {.form = m->form};
    uint32_t *results = LIB_ARENA_ARRAY(m->arena, uint32_t, e->results.count);
    form_call_gradient(form_at(&call, p.pos), e, e->operands.items, m->b->forms.pairs,
                       results);
    reserve_all(m);
    emit_block(m, p.region, &call);
    for (uint32_t k = 0; k < e->results.count; k++)
        m->values[e->results.items[k]] = m->values[results[k]];
}

/* --- entries ----------------------------------------------------------------------------- */

/* Returns the `index` of an instruction without the marks that only forms have. */
static uint32_t graph_index(const struct form_entry *e)
{
    if (e->op == ISA_OP_ITEM || e->op == ISA_OP_ITEM_I || e->op == ISA_OP_ITEM_B)
        return 0;
    return e->op == ISA_OP_COMBINE && isa_use_of(e->index) == ISA_KERNEL_MATMUL
               ? isa_use(ISA_KERNEL_MATMUL, ISA_USE_NO_AXIS, 0)
               : e->index;
}

static struct region_value emit_compute(struct emit *m, struct region_place p,
                                        const struct form_entry *e)
{
    struct region_value in[3];
    uint32_t count = e->operands.count;
    for (uint32_t i = 0; i < count; i++)
        in[i] = get(m, e->operands.items[i]);
    if (count == 3) {
        in[1] = emit_two(p, ISA_OP_PAIR, ISA_INT, in[1], in[2]);
        count = 2;
    }
    return region_compute(p, e->op, form_graph_type(e->type), graph_index(e), in, count);
}

/* Makes the nodes of an entry with one result. */
static struct region_value emit_one(struct emit *m, struct region_place p,
                                    const struct form_entry *e)
{
    const uint32_t result = e->results.items[0];
    const struct region_value in = e->operands.count ? get(m, e->operands.items[0])
                                                     : (struct region_value){0};
    struct isa_graph *graph = m->b->graph;
    switch (e->kind) {
    case FORM_READ:
        return region_source(p, ISA_OP_READ, graph->cells[e->index].type, e->index);
    case FORM_LOAD:
        return region_source(p, ISA_OP_LOAD, ISA_INT, e->index);
    case FORM_TENSOR:
        return region_source(p, ISA_OP_LOAD, ISA_INT,
                             isa_graph_add_constant(graph,
                                                    m->form->tensors[e->index].name,
                                                    m->form->tensors[e->index].tensor));
    case FORM_PORT:
        return region_source(p, ISA_OP_PORT, e->type, e->index);
    case FORM_EXIT:
        return region_loop_exit(loop_of(m, e), e->index, p.pos);
    case FORM_FETCH:
        return emit_fetch(p, in, get(m, e->operands.items[1]));
    case FORM_CONSTRUCT:
        return emit_construct(p, e->index, get_all(m, &e->operands));
    case FORM_TO_TENSOR:
        return emit_tensor_of(p, in, (enum isa_element_kind)e->index);
    case FORM_TO_ARRAY:
        return emit_rows_of(p, in, form_graph_type(form_type(m->form, result)), 0,
                            emit_integer(0));
    case FORM_SUM:
        return emit_sum(p,
                        e->early ? m->left[e->early->id].number
                                 : emit_sum_function(p, isa_type_element(in.type)),
                        in);
    default:
        return emit_compute(m, p, e);
    }
}

static void emit_entry(struct emit *m, struct region_place p, const struct form_entry *e)
{
    switch (e->kind) {
    case FORM_TABULATE:
    case FORM_FOLLOW:
        (e->blocks ? emit_table : emit_elements)(m, p, e);
        return;
    case FORM_APPLY:
        emit_apply(m, p, e);
        return;
    case FORM_LATE:
        emit_late(m, p, e);
        return;
    case FORM_DERIVE:
        emit_derive(m, p, e);
        return;
    case FORM_ARRAY:
        make_arrays(m, p, e, emit_integer(e->index));
        return;
    case FORM_LIST:
        emit_list(m, p, e);
        return;
    case FORM_STORE:
        emit_element(m, p, e);
        return;
    case FORM_DECLARE:
        emit_declare(m, p, e);
        return;
    case FORM_LOOP:
        emit_loop(m, e);
        return;
    case FORM_NEXT:
        region_loop_next(loop_of(m, e), e->index, get(m, e->operands.items[0]), p.pos);
        return;
    case FORM_CLOSE:
        region_loop_close(loop_of(m, e));
        return;
    case FORM_WRITE:
        region_consume(p, e->op, e->index, get(m, e->operands.items[0]));
        return;
    default:
        m->values[e->results.items[0]] = emit_one(m, p, e);
    }
}

/* --- blocks ------------------------------------------------------------------------------ */

static void split_region(struct emit *m, struct region_place p,
                         const struct form_entry *e)
{
    struct region_place *inner = m->branches[e->branch->id];
    if (!inner[0].region)
        region_split(p, get(m, e->branch->condition), inner);
}

static void merge_results(struct emit *m, struct region_place p,
                          const struct form_entry *e)
{
    for (uint32_t k = 0; k < e->results.count; k++)
        m->values[e->results.items[k]] = region_merge(
            p, m->branches[e->branch->id], get(m, e->operands.items[2 * k]),
            get(m, e->operands.items[2 * k + 1]));
}

static void emit_block(struct emit *m, struct region *r, const struct form_block *block)
{
    struct form_walk walk = form_walk_branches(block);
    while (!is_full(m) && form_walk_step(&walk)) {
        const struct form_entry *e = walk.entry, *of = walk.at.of;
        const struct region_place p = region_at(
            of ? m->branches[of->branch->id][walk.at.side].region : r, e->pos);
        if (walk.step == FORM_STEP_ENTRY)
            emit_entry(m, p, e);
        else if (walk.step == FORM_STEP_BEGIN)
            split_region(m, p, e);
        else
            merge_results(m, p, e);
    }
    form_walk_end(&walk);
}

void programs_build_emit(struct programs_builder *b, struct form *form, uint32_t function,
                         struct lib_pos pos)
{
    struct lib_arena *arena = lib_arena_new();
    struct region *top = region_top(b->graph, arena, function, b->options);
    const uint32_t count = b->graph->functions[function].param_count;
    struct region_value *params = LIB_ARENA_ARRAY(arena, struct region_value, count);
    for (uint32_t i = 0; i < count; i++)
        params[i] = region_param(region_at(top, form->params ? form->params[i].pos : pos),
                                 i);
    struct emit m = start_emit(b, arena, form, params);
    emit_block(&m, top, &form->top);
    for (uint32_t k = 0; k < form->results.count && !is_full(&m); k++)
        region_consume(region_at(top, pos), ISA_OP_RESULT, k,
                       get(&m, form->results.items[k]));
    lib_arena_free(arena);
}

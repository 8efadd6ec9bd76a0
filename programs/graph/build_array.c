/* The graph builder: arrays. An array of tuples is a tuple of arrays, part by part, so that
 * an element is always one value.
 *
 *   [E1, E2]             ALLOC of 2; for each element INDEX and STORE
 *   [E | i <- lo .. hi]  EXTENT makes the length, ALLOC the array; a loop computes an element in
 *                        each iteration: INDEX and STORE
 *   [E | x <- a]         the same, with LENGTH; each iteration gets the element of `a` by INDEX and
 *                        FETCH
 *   [E | x <- xs]        of a port: OPEN makes the array, which grows with the port, and MORE says
 *                        whether another iteration follows
 *   a[E]                 INDEX, which makes the address of the element, and FETCH
 *   length(a)            LENGTH
 *   sum(a)               0 if LENGTH says so; else a call of a function, each sum its own, that
 *                        calls itself for both halves
 *
 * The elements of an array are stored when they are known. The array itself exists before them,
 * as soon as it is known how many there are: they may read each other. So an iteration may make
 * what an earlier one needs: the loop is `unbounded`, and no bound of a machine holds it back.
 * Its index is the counter plus lo. The counter needs nothing but itself and the length, so that
 * iterations begin one after the other however long their elements wait. */
#include "programs/graph/builder.h"
#include "programs/types/type.h"

static struct region_value compute(struct region *r, enum isa_op op, enum isa_type type,
                                   struct region_value a, struct region_value b,
                                   struct lib_pos pos)
{
    const struct region_value operands[] = {a, b};
    return region_compute(r, op, type, operands, 2, pos);
}

static struct region_value integer(int64_t i)
{
    return region_literal(ISA_INT, isa_value_of_int(i));
}

static struct programs_values
allocate_arrays(struct programs_builder *b, struct region *r, struct programs_type *type,
                struct region_value length, struct lib_pos pos)
{
    enum isa_type *types;
    uint32_t width;
    programs_build_types(b, type, &types, &width);
    struct programs_values arrays = programs_build_values(b, width);
    for (uint32_t k = 0; k < width; k++)
        arrays.items[k] = region_compute(r, ISA_OP_ALLOC, isa_type_element(types[k]),
                                         &length, 1, pos);
    return arrays;
}

static void store_element(struct region *r, struct programs_values arrays,
                          struct region_value index, struct programs_values element,
                          struct lib_pos pos)
{
    for (uint32_t k = 0; k < arrays.count; k++) {
        enum isa_type type = isa_type_element(arrays.items[k].type);
        struct region_value address = compute(r, ISA_OP_INDEX, type, arrays.items[k],
                                              index, pos);
        region_store(r, type, address, element.items[k], pos);
    }
}

struct region_value programs_build_fetch(struct region *r, struct region_value array,
                                         struct region_value index, struct lib_pos pos)
{
    if (region_is_recording(r))
        return region_fetch(r, array, index, pos);
    enum isa_type type = isa_type_element(array.type);
    struct region_value address = compute(r, ISA_OP_INDEX, type, array, index, pos);
    return region_compute(r, ISA_OP_FETCH, type, &address, 1, pos);
}

struct programs_values programs_build_index(struct programs_builder *b, struct region *r,
                                            const struct programs_expr *e,
                                            struct programs_values arrays)
{
    struct region_value index = programs_build_one(b, r, e->operands[1]);
    if (programs_build_is_tensor(e->operands[0]))
        return programs_build_value(b, programs_build_row(r, e, arrays.items[0], index));
    struct programs_values element = programs_build_values(b, arrays.count);
    for (uint32_t k = 0; k < arrays.count; k++)
        element.items[k] = programs_build_fetch(r, arrays.items[k], index, e->pos);
    return element;
}

struct region_value programs_build_list(struct programs_builder *b, struct region *r,
                                        enum isa_type element,
                                        const struct region_value *items, uint32_t count,
                                        struct lib_pos pos)
{
    if (region_is_recording(r))
        return region_list(r, element, items, count, pos);
    const struct region_value length = integer(count);
    struct programs_values array = programs_build_value(
        b, region_compute(r, ISA_OP_ALLOC, element, &length, 1, pos));
    for (uint32_t i = 0; i < count; i++)
        store_element(r, array, integer(i), programs_build_value(b, items[i]), pos);
    return array.items[0];
}

/* --- what makes arrays ------------------------------------------------------------------ */

static struct programs_values record_array(struct programs_builder *b, struct region *r,
                                           const struct programs_expr *e)
{
    enum isa_type *types;
    uint32_t width;
    programs_build_form_types(b, e->type, &types, &width);
    struct programs_values arrays = programs_build_values(b, width);
    struct region_value *items = LIB_ARENA_ARRAY(b->arena, struct region_value,
                                                 width * e->operand_count);
    for (size_t i = 0; i < e->operand_count; i++) {
        struct programs_values element = programs_build_expr(b, r, e->operands[i]);
        for (uint32_t k = 0; k < width; k++)
            items[k * e->operand_count + i] = element.items[k];
    }
    for (uint32_t k = 0; k < width; k++)
        arrays.items[k] = region_list(r, isa_type_element(types[k]),
                                      &items[k * e->operand_count],
                                      (uint32_t)e->operand_count, e->pos);
    return arrays;
}

struct programs_values programs_build_array(struct programs_builder *b, struct region *r,
                                            const struct programs_expr *e)
{
    if (region_is_recording(r))
        return record_array(b, r, e);
    struct programs_values arrays = allocate_arrays(
        b, r, e->type, integer((int64_t)e->operand_count), e->pos);
    for (size_t i = 0; i < e->operand_count; i++)
        store_element(r, arrays, integer((int64_t)i),
                      programs_build_expr(b, r, e->operands[i]), e->operands[i]->pos);
    return arrays;
}

static bool counts_from_0(struct region_value first)
{
    return first.kind == REGION_LITERAL && isa_value_int(first.literal) == 0;
}

static struct region_value index_of(struct region *body, struct region_value counter,
                                    struct region_value first, struct lib_pos pos)
{
    if (counts_from_0(first))
        return counter;
    return compute(body, ISA_OP_ADD_I, ISA_INT, counter, first, pos);
}

/* Source of a comprehension: a range from `first` on, or arrays whose elements it names. */
struct source {
    struct programs_values arrays;
    struct region_value first, count; /* `count` is unused for a port */
};

static void bind_names(struct programs_builder *b, struct region *body,
                       const struct programs_expr *e, const struct source *from,
                       struct region_value counter)
{
    if (e->index && e->index->used)
        programs_build_bind(
            b, e->index,
            programs_build_value(b, index_of(body, counter, from->first, e->index->pos)));
    if (!e->element || !e->element->used)
        return;
    struct programs_values element = programs_build_values(b, from->arrays.count);
    for (uint32_t k = 0; k < element.count; k++)
        element.items[k] = programs_build_fetch(body, from->arrays.items[k], counter,
                                                e->element->pos);
    programs_build_bind(b, e->element, element);
}

static struct region_value has_more(struct region *header, const struct programs_expr *e,
                                    const struct source *from,
                                    struct region_value counter)
{
    if (!e->follows)
        return compute(header, ISA_OP_LT_I, ISA_INT, counter, from->count, e->pos);
    const struct region_value array = from->arrays.items[0];
    return compute(header, ISA_OP_MORE, isa_type_element(array.type), array, counter,
                   e->pos);
}

/* Builds a loop whose iterations compute elements. The counter begins at 0, so that it cannot
 * overflow. */
static void build_elements(struct programs_builder *b, struct region *r,
                           const struct programs_expr *e, struct programs_values arrays,
                           const struct source *from)
{
    const size_t outer = b->bound_count;
    const struct programs_expr *element = e->operands[0];
    struct region_loop *loop = region_loop_open(r, "array", ISA_LOOP_UNBOUNDED, e->pos);
    const char *name = e->index && counts_from_0(from->first) ? e->index->name : NULL;
    struct region_value counter = region_loop_enter(loop, integer(0), name, e->pos);
    struct region *body = region_loop_test(
        loop, has_more(region_loop_header(loop), e, from, counter));
    bind_names(b, body, e, from, counter);
    store_element(body, arrays, counter, programs_build_expr(b, body, element),
                  element->pos);
    region_loop_next(loop, 0,
                     compute(body, ISA_OP_ADD_I, ISA_INT, counter, integer(1), e->pos),
                     e->pos);
    region_loop_close(loop);
    b->bound_count = outer;
}

static struct programs_values record_comprehension(struct programs_builder *b,
                                                   struct region *r,
                                                   const struct programs_expr *e,
                                                   const struct programs_binding *own,
                                                   const struct source *from)
{
    const size_t outer = b->bound_count;
    enum isa_type *types;
    uint32_t width;
    programs_build_form_types(b, e->type, &types, &width);
    struct programs_values arrays = programs_build_values(b, width);
    struct region_table *table = region_table_open(r, from->count, types, width,
                                                   arrays.items, e->pos);
    if (own)
        programs_build_bind(b, own, arrays);
    const size_t kept = b->bound_count;
    struct region_value counter;
    struct region *body = region_table_element(table, &counter);
    bind_names(b, body, e, from, counter);
    region_table_close(table, programs_build_expr(b, body, e->operands[0]).items);
    b->bound_count = own ? kept : outer;
    return arrays;
}

/* All parts of an array of tuples have one length. */
static struct region_value length_of(struct region *r, struct region_value array,
                                     struct lib_pos pos)
{
    return region_compute(r, ISA_OP_LENGTH, isa_type_element(array.type), &array, 1, pos);
}

/* A form has no open arrays: a recorded comprehension over a port takes the length in advance. */
static struct source build_source(struct programs_builder *b, struct region *r,
                                  const struct programs_expr *e)
{
    struct source from = {.first = integer(0)};
    if (programs_is_over_array(e)) {
        from.arrays = programs_build_expr(b, r, e->operands[1]);
        if (!e->follows || region_is_recording(r))
            from.count = length_of(r, from.arrays.items[0], e->pos);
        return from;
    }
    from.first = programs_build_one(b, r, e->operands[1]);
    const struct region_value last = programs_build_one(b, r, e->operands[2]);
    from.count = compute(r, ISA_OP_EXTENT, ISA_INT, from.first, last, e->pos);
    return from;
}

static const struct isa_port *port_of(const struct programs_builder *b,
                                      const struct programs_equation *q)
{
    return &b->graph->ports[b->port_index[q->index]];
}

static struct programs_values open_arrays(struct programs_builder *b, struct region *r,
                                          const struct programs_expr *e)
{
    enum isa_type *types;
    uint32_t width;
    programs_build_types(b, e->type, &types, &width);
    const struct programs_equation *port = e->operands[1]->name.binding->equation;
    struct programs_values arrays = programs_build_values(b, width);
    for (uint32_t k = 0; k < width; k++)
        arrays.items[k] = region_open(r, isa_type_element(types[k]),
                                      port_of(b, port)->first, e->pos);
    return arrays;
}

struct programs_values programs_build_comprehension(struct programs_builder *b,
                                                    struct region *r,
                                                    const struct programs_expr *e,
                                                    const struct programs_binding *own)
{
    const struct source from = build_source(b, r, e);
    if (region_is_recording(r))
        return record_comprehension(b, r, e, own, &from);
    struct programs_values arrays = e->follows ? open_arrays(b, r, e)
                                               : allocate_arrays(b, r, e->type,
                                                                 from.count, e->pos);
    if (own)
        programs_build_bind(b, own, arrays);
    build_elements(b, r, e, arrays, &from);
    return arrays;
}

struct programs_values programs_build_port(struct programs_builder *b, struct region *r,
                                           const struct programs_expr *e)
{
    const struct isa_port *port = port_of(b, e->port->equation);
    struct programs_values arrays = programs_build_values(b, port->part_count);
    for (uint32_t k = 0; k < arrays.count; k++)
        arrays.items[k] = region_port(r, port->parts[k].type, port->first + k, e->pos);
    return arrays;
}

/* --- built-in functions ------------------------------------------------------------------ */

struct programs_values programs_build_length(struct programs_builder *b, struct region *r,
                                             const struct programs_expr *e)
{
    struct region_value array = programs_build_one(b, r, e->operands[0]);
    return programs_build_value(b, length_of(r, array, e->pos));
}

struct region_value programs_build_range(struct region *r, uint32_t function,
                                         struct region_value array,
                                         struct region_value low,
                                         struct region_value high, struct lib_pos pos)
{
    const struct region_value arguments[] = {array, low, high};
    struct region_value result;
    region_apply(r, function, arguments, 3, &result, pos);
    return result;
}

/* Returns the function that adds elements `low` to `high` - 1 of an array, at least one. Each
 * `sum` has its own, so that a failure has its position. */
/* Not inlined: the array may be a deep expression, with no stack left. */
__attribute__((noinline)) static uint32_t
build_sum_function(struct programs_builder *b, enum isa_type type, struct lib_pos pos)
{
    const enum isa_type params[] = {isa_type_array_of(type), ISA_INT, ISA_INT};
    const enum isa_op add = type == ISA_REAL ? ISA_OP_ADD_R : ISA_OP_ADD_I;
    const uint32_t sum = isa_graph_add_function(
        b->graph, lib_arena_printf(b->arena, "sum.%s", isa_type_name(type)), params, 3,
        &type, 1, pos);
    isa_graph_set_names(b->graph, sum, (const char *const[]){"array", "low", "high"});
    struct region *top = region_top(b->graph, b->arena, sum, b->options);
    struct region *inner[2];
    struct region_value array = region_param(top, 0, pos),
                        low = region_param(top, 1, pos), high = region_param(top, 2, pos);
    struct region_value count = compute(top, ISA_OP_SUB_I, ISA_INT, high, low, pos);
    region_split(top, compute(top, ISA_OP_EQ_I, ISA_INT, count, integer(1), pos), pos,
                 inner);
    struct region_value half = compute(inner[1], ISA_OP_DIV_I, ISA_INT, count, integer(2),
                                       pos);
    struct region_value middle = compute(inner[1], ISA_OP_ADD_I, ISA_INT, low, half, pos);
    struct region_value lower = programs_build_range(inner[1], sum, array, low, middle,
                                                     pos);
    struct region_value upper = programs_build_range(inner[1], sum, array, middle, high,
                                                     pos);
    struct region_value both = compute(inner[1], add, type, lower, upper, pos);
    struct region_value one = programs_build_fetch(inner[0], array, low, pos);
    region_consume(top, ISA_OP_RESULT, 0, region_merge(top, inner, one, both, pos), pos);
    return sum;
}

/* `sum` is that function. */
static struct region_value add_up(struct region *r, uint32_t sum,
                                  struct region_value array, struct lib_pos pos)
{
    const enum isa_type type = isa_type_element(array.type);
    const struct region_value nothing = region_literal(
        type, type == ISA_REAL ? isa_value_of_real(0) : isa_value_of_int(0));
    struct region *inner[2];
    struct region_value length = length_of(r, array, pos);
    region_split(r, compute(r, ISA_OP_EQ_I, ISA_INT, length, integer(0), pos), pos,
                 inner);
    struct region_value all = programs_build_range(inner[1], sum, array, integer(0),
                                                   length, pos);
    return region_merge(r, inner, nothing, all, pos);
}

struct region_value programs_build_sum_of(struct programs_builder *b, struct region *r,
                                          struct region_value array, struct lib_pos pos)
{
    return add_up(r, build_sum_function(b, isa_type_element(array.type), pos), array,
                  pos);
}

struct programs_values programs_build_sum(struct programs_builder *b, struct region *r,
                                          const struct programs_expr *e)
{
    if (region_is_recording(r))
        return programs_build_value(
            b, region_sum(r, programs_build_one(b, r, e->operands[0]), e->pos));
    const uint32_t sum = build_sum_function(b, programs_build_type(e->type), e->pos);
    return programs_build_value(
        b, add_up(r, sum, programs_build_one(b, r, e->operands[0]), e->pos));
}

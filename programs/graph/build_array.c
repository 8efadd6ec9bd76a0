/* The graph builder: arrays. An array of tuples is a tuple of arrays, part by part, so that
 * an element is always one value.
 *
 *   [E1, E2]             ARRAY of 2; for each element a STORE
 *   [E | i <- lo .. hi]  EXTENT makes the length; TABULATE, with a STORE of the element
 *   [E | x <- a]         the same, with LENGTH; each element begins with a FETCH of one of `a`
 *   [E | x <- xs]        of a port: FOLLOW, whose array grows with the port
 *   a[E]                 FETCH
 *
 * The elements of an array are stored when they are known. The array itself exists before them,
 * as soon as it is known how many there are: they may read each other. So an iteration may make
 * what an earlier one needs: the loop of the elements is `unbounded`, and no bound of a machine
 * holds it back. Its index is the counter plus lo. The counter needs nothing but itself and the
 * length, so that iterations begin one after the other however long their elements wait. */
#include "programs/graph/builder.h"
#include "programs/types/type.h"

static struct programs_values fetch_all(struct programs_builder *b, struct form_place p,
                                        struct programs_values arrays, uint32_t index)
{
    struct programs_values element = programs_build_values(b, arrays.count);
    for (uint32_t k = 0; k < arrays.count; k++)
        element.items[k] = form_fetch(p, arrays.items[k], index);
    return element;
}

struct programs_values programs_build_index(struct programs_builder *b,
                                            const struct programs_expr *e,
                                            struct programs_values arrays)
{
    const uint32_t index = programs_build_one(b, e->operands[1]);
    if (programs_build_is_tensor(e->operands[0]))
        return programs_build_value(b,
                                    programs_build_row(b->at, e, arrays.items[0], index));
    return fetch_all(b, b->at, arrays, index);
}

/* --- what makes arrays ------------------------------------------------------------------ */

/* Adds an entry whose results are the arrays of an expression. */
static struct form_entry *add_arrays(struct programs_builder *b,
                                     enum form_entry_kind kind,
                                     const struct programs_expr *e)
{
    enum isa_type *types;
    uint32_t width;
    programs_build_form_types(b, e->type, &types, &width);
    struct form_entry *made = form_add_entry(b->at, kind);
    for (uint32_t k = 0; k < width; k++)
        form_add_result(b->at, made, types[k]);
    return made;
}

struct programs_values programs_build_results(const struct form_entry *made)
{
    return (struct programs_values){made->results.items, made->results.count};
}

void programs_build_store(struct form_place p, struct form_entry *arrays, uint32_t index,
                          struct programs_values element)
{
    struct form_entry *store = form_add_entry(p, FORM_STORE);
    store->early = arrays;
    store->index = index;
    for (uint32_t k = 0; k < element.count; k++)
        form_add_operand(p, store, element.items[k]);
}

struct programs_values programs_build_array(struct programs_builder *b,
                                            const struct programs_expr *e)
{
    struct form_entry *made = add_arrays(b, FORM_ARRAY, e);
    made->index = (uint32_t)e->operand_count;
    for (uint32_t i = 0; i < made->index; i++) {
        const struct programs_values element = programs_build_expr(b, e->operands[i]);
        programs_build_store(programs_build_at(b, e->operands[i]->pos), made, i, element);
    }
    return programs_build_results(made);
}

/* Source of a comprehension: a range from `first` on, or arrays whose elements it names. */
struct source {
    struct programs_values arrays;
    uint32_t first, count; /* of a port, `count` is an array */
    bool counts_from_0;
};

static void bind_names(struct programs_builder *b, const struct programs_expr *e,
                       const struct source *from, uint32_t counter)
{
    if (e->index && e->index->used) {
        const struct form_place p = programs_build_at(b, e->index->pos);
        const uint32_t index = from->counts_from_0 ? counter
                                                   : form_compute_2(p, ISA_OP_ADD_I,
                                                                    counter, from->first);
        programs_build_bind(b, e->index, programs_build_value(b, index));
    }
    if (e->element && e->element->used)
        programs_build_bind(
            b, e->element,
            fetch_all(b, programs_build_at(b, e->element->pos), from->arrays, counter));
}

static struct source build_source(struct programs_builder *b,
                                  const struct programs_expr *e)
{
    struct source from = {.counts_from_0 = true};
    if (programs_is_over_array(e)) {
        from.arrays = programs_build_expr(b, e->operands[1]);
        from.count = e->follows ? from.arrays.items[0]
                                : form_length(b->at, from.arrays.items[0]);
        return from;
    }
    from.first = programs_build_one(b, e->operands[1]);
    const struct form_value *first = &b->at.form->values[from.first];
    from.counts_from_0 = first->kind == FORM_LITERAL &&
                         isa_value_int(first->literal) == 0;
    from.count = form_compute_2(b->at, ISA_OP_EXTENT, from.first,
                                programs_build_one(b, e->operands[2]));
    return from;
}

static const struct isa_port *port_of(const struct programs_builder *b,
                                      const struct programs_equation *q)
{
    return &b->graph->ports[b->port_index[q->index]];
}

struct programs_values programs_build_comprehension(struct programs_builder *b,
                                                    const struct programs_expr *e,
                                                    const struct programs_binding *own)
{
    const struct form_place outer_place = b->at;
    const struct form_place p = programs_build_at(b, e->pos);
    b->at = p;
    const struct source from = build_source(b, e);
    struct form_entry *made = add_arrays(b, e->follows ? FORM_FOLLOW : FORM_TABULATE, e);
    if (e->follows)
        made->index = port_of(b, e->operands[1]->name.binding->equation)->first;
    form_add_operand(p, made, from.count);
    form_add_blocks(p, made);
    made->inner = form_add_value(p.form,
                                 (struct form_value){.kind = FORM_MADE, .type = ISA_INT});
    if (e->index && from.counts_from_0) {
        struct form_name *name = LIB_ARENA_NEW(p.form->arena, struct form_name);
        *name = (struct form_name){e->index->name, e->index->pos};
        made->names = name;
    }
    const struct programs_values arrays = programs_build_results(made);
    if (own)
        programs_build_bind(b, own, arrays);
    const size_t outer = b->bound.count;
    b->at.block = &made->blocks[0];
    bind_names(b, e, &from, made->inner);
    const struct programs_values element = programs_build_expr(b, e->operands[0]);
    programs_build_store(programs_build_at(b, e->operands[0]->pos), made, 0, element);
    b->bound.count = outer;
    b->at = outer_place;
    return arrays;
}

struct programs_values programs_build_port(struct programs_builder *b,
                                           const struct programs_expr *e)
{
    const struct isa_port *port = port_of(b, e->port->equation);
    enum isa_type *types;
    struct programs_values arrays = {0};
    programs_build_form_types(b, e->type, &types, &arrays.count);
    arrays = programs_build_values(b, arrays.count);
    for (uint32_t k = 0; k < arrays.count; k++) {
        struct form_entry *made = form_add_entry(b->at, FORM_PORT);
        made->type = port->parts[k].type;
        made->index = port->first + k;
        arrays.items[k] = form_add_result(b->at, made, types[k]);
    }
    return arrays;
}

/* --- built-in functions ------------------------------------------------------------------ */

struct programs_values programs_build_length(struct programs_builder *b,
                                             const struct programs_expr *e)
{
    const uint32_t array = programs_build_one(b, e->operands[0]);
    return programs_build_value(b, form_length(b->at, array));
}

struct programs_values programs_build_sum(struct programs_builder *b,
                                          const struct programs_expr *e)
{
    const struct form_place p = b->at;
    const enum isa_type type = programs_build_type(e->type);
    struct form_entry *declare = form_add_entry(p, FORM_DECLARE);
    declare->index = FORM_OF_SUM;
    declare->type = type;
    const uint32_t array = programs_build_one(b, e->operands[0]);
    struct form_entry *sum = form_add_entry(p, FORM_SUM);
    sum->early = declare;
    form_add_operand(p, sum, array);
    return programs_build_value(b, form_add_result(p, sum, type));
}

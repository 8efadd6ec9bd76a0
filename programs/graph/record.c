/* programs/graph/region.h for regions that record forms. */
#include "programs/graph/region_internal.h"

#include <assert.h>

/* Values that a form takes from the region around its loop or elements. */
struct record_captures {
    struct region *outside;
    uint32_t routine;
    struct form_ids from, to; /* values outside, and their parameters */
    struct form_ids types;    /* types of all parameters */
};

struct region *region_recording(struct form_program *program, uint32_t routine)
{
    struct region *r = LIB_ARENA_NEW(program->arena, struct region);
    struct form *form = form_new(program->arena);
    *r = (struct region){.arena = program->arena,
                         .function = routine,
                         .program = program,
                         .form = form,
                         .block = &form->top};
    program->routines[routine].form = form;
    return r;
}

bool region_is_recording(const struct region *region)
{
    return region->form != NULL;
}

static struct region_value value_of(struct region *where, uint32_t id)
{
    return (struct region_value){.kind = REGION_TOKEN,
                                 .type = form_type(where->form, id),
                                 .where = where,
                                 .node = id};
}

static uint32_t new_param(struct region *r, enum isa_type type)
{
    struct record_captures *c = r->captures;
    const uint32_t id = form_param(r->program, r->form, type, c->types.count);
    form_push_id(r->program->arena, &c->types, type);
    return id;
}

/* Returns the number of a value in the form of a region. A value of another form becomes a
 * parameter. */
static uint32_t number_of(struct region *r, struct region_value v)
{
    switch (v.kind) {
    case REGION_LITERAL:
        return form_literal(r->program, r->form, v.type, v.literal);
    case REGION_INPUT:
        return form_add_value(
            r->program, r->form,
            (struct form_value){.kind = FORM_INPUT, .type = v.type, .index = v.input});
    default:
        break;
    }
    assert(v.kind == REGION_TOKEN);
    if (v.where->form == r->form)
        return v.node;
    struct record_captures *c = r->captures;
    const uint32_t outside = number_of(c->outside, v);
    for (uint32_t i = 0; i < c->from.count; i++)
        if (c->from.items[i] == outside)
            return c->to.items[i];
    const uint32_t id = new_param(r, v.type);
    form_push_id(r->program->arena, &c->from, outside);
    form_push_id(r->program->arena, &c->to, id);
    return id;
}

static struct form_place place(const struct region *r, struct lib_pos pos)
{
    return (struct form_place){r->program, r->form, r->block, pos};
}

static struct region *inner_region(struct region *outer, struct form_block *block)
{
    struct region *r = LIB_ARENA_NEW(outer->arena, struct region);
    *r = (struct region){.arena = outer->arena,
                         .program = outer->program,
                         .form = outer->form,
                         .block = block,
                         .captures = outer->captures};
    return r;
}

/* --- conditionals ---------------------------------------------------------------------------- */

void record_split(struct region *region, struct region_value condition,
                  struct lib_pos pos, struct region *inner[2])
{
    struct form_entry *branch = form_split(place(region, pos),
                                           number_of(region, condition));
    for (int side = 0; side < 2; side++) {
        inner[side] = inner_region(region, branch->blocks[side]);
        inner[side]->branch = branch;
    }
}

struct region_value record_merge(struct region *region, struct region *inner[2],
                                 struct region_value when_true,
                                 struct region_value when_false, struct lib_pos pos)
{
    const uint32_t yes = number_of(inner[0], when_true);
    const uint32_t no = number_of(inner[1], when_false);
    return value_of(region, form_merge(place(region, pos), inner[0]->branch, yes, no));
}

/* --- entries --------------------------------------------------------------------------------- */

struct region_value record_param(struct region *top, uint32_t index)
{
    const enum isa_type type = top->program->routines[top->function].params[index];
    return value_of(top, form_param(top->program, top->form, type, index));
}

struct region_value record_compute(struct region *region, enum isa_op op,
                                   enum isa_type type, uint32_t index,
                                   const struct region_value *operands, uint32_t count,
                                   struct lib_pos pos)
{
    uint32_t ids[3];
    for (uint32_t i = 0; i < count; i++)
        ids[i] = number_of(region, operands[i]);
    return value_of(region,
                    form_compute(place(region, pos), op, type, index, ids, count));
}

static enum isa_type tensor_of(enum isa_element_kind element)
{
    return isa_element_is_real(element) ? ISA_TENSOR : FORM_WHOLES;
}

static struct region_value record_source(struct region *region, enum form_entry_kind kind,
                                         uint32_t index, enum isa_type type,
                                         struct lib_pos pos)
{
    struct form_entry *e = form_add_entry(region->program, region->block, kind, pos);
    e->index = index;
    return value_of(region, form_add_result(region->program, region->form, e, type));
}

struct region_value record_read(struct region *region, uint32_t cell, struct lib_pos pos)
{
    return record_source(region, FORM_READ, cell,
                         (enum isa_type)region->program->cell_types.items[cell], pos);
}

struct region_value record_load(struct region *region, uint32_t constant,
                                struct lib_pos pos)
{
    const struct isa_graph *graph = region->program->graph;
    const enum isa_element_kind element =
        graph->constants[constant].tensor->shape.element;
    return record_source(region, FORM_LOAD, constant, tensor_of(element), pos);
}

void record_apply(struct region *region, uint32_t routine,
                  const struct region_value *arguments, uint32_t count,
                  struct region_value *results, struct lib_pos pos)
{
    struct form_ids ids = {0};
    for (uint32_t i = 0; i < count; i++)
        form_push_id(region->arena, &ids, number_of(region, arguments[i]));
    const struct form_entry *e = form_apply(place(region, pos), routine, ids.items,
                                            count);
    for (uint32_t k = 0; k < e->results.count; k++)
        results[k] = value_of(region, e->results.items[k]);
}

void record_result(struct region *region, uint32_t index, struct region_value value)
{
    assert(index == region->form->results.count);
    (void)index;
    form_push_id(region->arena, &region->form->results, number_of(region, value));
}

struct region_value region_list(struct region *region, enum isa_type element,
                                const struct region_value *items, uint32_t count,
                                struct lib_pos pos)
{
    struct form_ids ids = {0};
    for (uint32_t i = 0; i < count; i++)
        form_push_id(region->arena, &ids, number_of(region, items[i]));
    struct form_entry *e = form_add_entry(region->program, region->block, FORM_LIST, pos);
    e->operands = ids;
    return value_of(region, form_add_result(region->program, region->form, e,
                                            isa_type_array_of(element)));
}

struct region_value region_fetch(struct region *region, struct region_value array,
                                 struct region_value index, struct lib_pos pos)
{
    const uint32_t a = number_of(region, array), i = number_of(region, index);
    return value_of(region, form_fetch(place(region, pos), a, i));
}

static struct region_value record_one(struct region *region, enum form_entry_kind kind,
                                      struct region_value v, uint32_t index,
                                      enum isa_type type, struct lib_pos pos)
{
    const uint32_t number = number_of(region, v);
    struct form_entry *e = form_add_entry(region->program, region->block, kind, pos);
    e->index = index;
    form_add_operand(region->program, e, number);
    return value_of(region, form_add_result(region->program, region->form, e, type));
}

struct region_value region_sum(struct region *region, struct region_value array,
                               struct lib_pos pos)
{
    return record_one(region, FORM_SUM, array, 0, isa_type_element(array.type), pos);
}

struct region_value region_to_tensor(struct region *region, struct region_value array,
                                     enum isa_element_kind element, struct lib_pos pos)
{
    return record_one(region, FORM_TO_TENSOR, array, element, tensor_of(element), pos);
}

struct region_value region_to_array(struct region *region, struct region_value tensor,
                                    enum isa_element_kind element, enum isa_type type,
                                    struct lib_pos pos)
{
    return record_one(region, FORM_TO_ARRAY, tensor, element, type, pos);
}

/* --- routines within routines ------------------------------------------------------- */

static struct region *open_inner(struct region *region, const char *what,
                                 struct lib_pos pos, uint32_t *routine)
{
    struct form_program *program = region->program;
    const char *name = lib_arena_printf(program->arena, "%s.%s", program->recording,
                                        what);
    *routine = form_add_routine(program, FORM_HELPER, name, pos);
    struct region *top = region_recording(program, *routine);
    top->captures = LIB_ARENA_NEW(program->arena, struct record_captures);
    *top->captures = (struct record_captures){.outside = region, .routine = *routine};
    return top;
}

static void close_inner(struct region *top)
{
    struct form_program *program = top->program;
    const struct record_captures *c = top->captures;
    const struct form_ids *results = &top->form->results;
    enum isa_type *params = LIB_ARENA_ARRAY(program->arena, enum isa_type,
                                            c->types.count);
    enum isa_type *types = LIB_ARENA_ARRAY(program->arena, enum isa_type, results->count);
    for (uint32_t i = 0; i < c->types.count; i++)
        params[i] = (enum isa_type)c->types.items[i];
    for (uint32_t k = 0; k < results->count; k++)
        types[k] = form_type(top->form, results->items[k]);
    form_set_types(program, c->routine, params, c->types.count, types, results->count);
}

/* --- loops -------------------------------------------------------------------------- */

struct recorded_loop {
    struct region *outside, *top, *body, *end;
    struct form_entry *entered; /* call that enters the loop, before its uses */
    uint32_t routine;
    struct lib_pos pos;
    struct form_ids initial;
    /* Values of each variable: in the header, at the end of the body, after the loop. */
    struct form_ids inside, next, after;
    struct form_ids exits; /* variables that are results, in order */
};

struct recorded_loop *record_loop_open(struct region *region, const char *what,
                                       uint32_t bound, struct lib_pos pos,
                                       struct region **header)
{
    struct recorded_loop *loop = LIB_ARENA_NEW(region->arena, struct recorded_loop);
    *loop = (struct recorded_loop){.outside = region, .pos = pos};
    loop->top = open_inner(region, what, pos, &loop->routine);
    struct form_routine *r = &region->program->routines[loop->routine];
    r->is_loop = bound != ISA_LOOP_UNBOUNDED;
    r->bound = r->is_loop ? bound : 0;
    *header = loop->top;
    return loop;
}

struct region_value record_loop_enter(struct recorded_loop *loop,
                                      struct region_value initial)
{
    struct lib_arena *arena = loop->top->arena;
    form_push_id(arena, &loop->initial, number_of(loop->outside, initial));
    const uint32_t id = new_param(loop->top, initial.type);
    form_push_id(arena, &loop->inside, id);
    form_push_id(arena, &loop->next, id);
    form_push_id(arena, &loop->after, FORM_NONE);
    return value_of(loop->top, id);
}

struct region *record_loop_test(struct recorded_loop *loop, struct region_value condition)
{
    struct region *sides[2], *outside = loop->outside;
    loop->entered = form_add_entry(outside->program, outside->block, FORM_APPLY,
                                   loop->pos);
    loop->entered->routine = loop->routine;
    loop->entered->operands = loop->initial;
    record_split(loop->top, condition, loop->pos, sides);
    loop->body = sides[0];
    loop->end = sides[1];
    return loop->body;
}

void record_loop_next(struct recorded_loop *loop, uint32_t variable,
                      struct region_value value)
{
    loop->next.items[variable] = number_of(loop->body, value);
}

struct region_value record_loop_exit(struct recorded_loop *loop, uint32_t variable)
{
    struct region *outside = loop->outside;
    if (loop->after.items[variable] == FORM_NONE) {
        loop->after.items[variable] = form_add_result(
            outside->program, outside->form, loop->entered,
            form_type(loop->top->form, loop->inside.items[variable]));
        form_push_id(outside->arena, &loop->exits, variable);
    }
    return value_of(outside, loop->after.items[variable]);
}

static void drop_entry(struct form_block *block, const struct form_entry *entry)
{
    uint32_t left = 0;
    for (uint32_t i = 0; i < block->count; i++)
        if (block->items[i] != entry)
            block->items[left++] = block->items[i];
    block->count = left;
}

/* Ends a loop: in the body, the routine returns the result of calling itself; else, the
 * variables. A loop whose variables are not used afterwards is not entered, as a routine has a
 * result. */
void record_loop_close(struct recorded_loop *loop)
{
    struct region *top = loop->top, *body = loop->body;
    struct form_program *program = top->program;
    const struct record_captures *c = top->captures;
    struct form_entry *again = form_add_entry(program, body->block, FORM_APPLY,
                                              loop->pos);
    again->routine = loop->routine;
    for (uint32_t i = 0; i < loop->next.count; i++)
        form_add_operand(program, again, loop->next.items[i]);
    for (uint32_t i = 0; i < c->from.count; i++) {
        form_add_operand(program, again, c->to.items[i]);
        form_add_operand(program, loop->entered, c->from.items[i]);
    }
    for (uint32_t k = 0; k < loop->exits.count; k++) {
        const uint32_t last = loop->inside.items[loop->exits.items[k]];
        const uint32_t result = form_add_result(program, top->form, again,
                                                form_type(top->form, last));
        form_push_id(program->arena, &top->form->results,
                     form_merge(place(top, loop->pos), body->branch, result, last));
    }
    close_inner(top);
    if (loop->exits.count == 0)
        drop_entry(loop->outside->block, loop->entered);
}

/* --- arrays ------------------------------------------------------------------------- */

struct region_table {
    struct region *outside, *top;
    struct form_entry *entry;
    uint32_t count;
};

struct region_table *region_table_open(struct region *region, struct region_value length,
                                       const enum isa_type *types, uint32_t count,
                                       struct region_value *arrays, struct lib_pos pos)
{
    struct region_table *table = LIB_ARENA_NEW(region->arena, struct region_table);
    const uint32_t number = number_of(region, length);
    struct form_entry *e = form_add_entry(region->program, region->block, FORM_TABULATE,
                                          pos);
    form_add_operand(region->program, e, number);
    for (uint32_t k = 0; k < count; k++)
        arrays[k] = value_of(region,
                             form_add_result(region->program, region->form, e, types[k]));
    uint32_t routine;
    *table = (struct region_table){region, open_inner(region, "array", pos, &routine), e,
                                   count};
    e->routine = routine;
    return table;
}

struct region *region_table_element(struct region_table *table,
                                    struct region_value *counter)
{
    *counter = value_of(table->top, new_param(table->top, ISA_INT));
    return table->top;
}

void region_table_close(struct region_table *table, const struct region_value *elements)
{
    struct region *top = table->top;
    for (uint32_t k = 0; k < table->count; k++)
        form_push_id(top->arena, &top->form->results, number_of(top, elements[k]));
    for (uint32_t i = 0; i < top->captures->from.count; i++)
        form_add_operand(top->program, table->entry, top->captures->from.items[i]);
    close_inner(top);
}

/* The graph builder: expressions, except operations on tensors and gradients.
 *
 * Names. A constant that is another name for a literal or an input is an immediate wherever it is
 * used. Any other constant is computed once, under the empty tag, and written to cells, one per
 * value; every use is a READ.
 *
 * Arrays. An array of tuples is a tuple of arrays, part by part, so that an element is always one
 * value.
 *
 *   [E1, E2]             ARRAY of 2; for each element a STORE
 *   [E | i <- lo .. hi]  EXTENT makes the length; TABULATE, with a STORE of the element
 *   [E | x <- a]         the same, with LENGTH; each element begins with a FETCH of one of `a`
 *   [E | x <- xs]        of a port: FOLLOW, whose array grows with the port
 *   scatter(n, [k -> E | ..])   the same, with the length n: the STOREs have indices of their own
 *   accumulate(op, n, z, [k -> E | ..])   an ACCUMULATE instruction; EVERY with a CONTRIBUTE of
 *                        the element; when all have answered, EVERY with a TOTAL
 *   a[E]                 FETCH
 *
 * The elements of an array are stored when they are known. The array itself exists before them,
 * as soon as it is known how many there are: they may read each other. So an iteration may make
 * what an earlier one needs: the loop of the elements is `unbounded`, and no bound of a machine
 * holds it back. Its index is the counter plus lo. The counter needs nothing but itself and the
 * length, so that iterations begin one after the other however long their elements wait. */
#include "programs/graph/builder.h"
#include "programs/types/type.h"

#include <assert.h>
#include <string.h>

/* --- values ------------------------------------------------------------------------------ */

struct form_ids programs_build_values(struct programs_builder *b, uint32_t count)
{
    return (struct form_ids){LIB_ARENA_ARRAY(b->scratch, uint32_t, count), count, count};
}

struct form_ids programs_build_value(struct programs_builder *b, uint32_t value)
{
    struct form_ids v = programs_build_values(b, 1);
    v.items[0] = value;
    return v;
}

enum isa_type programs_build_type(struct programs_type *type)
{
    enum isa_type one;
    assert(programs_type_width(type) == 1);
    programs_type_flatten(type, &one);
    return one;
}

void programs_build_form_types(struct programs_builder *b, struct programs_type *type,
                               enum isa_type **types, uint32_t *count)
{
    *count = (uint32_t)programs_type_width(type);
    *types = LIB_ARENA_ARRAY(b->arena, enum isa_type, *count);
    programs_type_flatten_with(type, FORM_WHOLES, *types);
}

uint32_t programs_build_one(struct programs_builder *b, const struct programs_expr *e)
{
    return programs_build_expr(b, e).items[0];
}

struct form_ids programs_build_operands(struct programs_builder *b,
                                        const struct programs_expr *e)
{
    uint32_t width = 0;
    for (size_t i = 0; i < e->operand_count; i++)
        width += (uint32_t)programs_type_width(e->operands[i]->type);
    struct form_ids all = programs_build_values(b, width);
    uint32_t at = 0;
    for (size_t i = 0; i < e->operand_count; i++) {
        struct form_ids v = programs_build_expr(b, e->operands[i]);
        memcpy(&all.items[at], v.items, v.count * sizeof *v.items);
        at += v.count;
    }
    return all;
}

/* --- literals and names ------------------------------------------------------------------ */

isa_value programs_build_literal(const struct programs_expr *e)
{
    switch (e->kind) {
    case PROGRAMS_EXPR_INT:
        return programs_build_type(e->type) == ISA_REAL
                   ? isa_value_of_real((double)e->integer)
                   : isa_value_of_int(e->integer);
    case PROGRAMS_EXPR_REAL:
        return isa_value_of_real(e->real);
    default:
        return e->boolean;
    }
}

const char *programs_build_part_name(struct programs_builder *b,
                                     const struct programs_binding *binding, uint32_t k,
                                     uint32_t width)
{
    return width == 1 ? binding->name
                      : lib_arena_printf(b->arena, "%s.%u", binding->name, k);
}

/* --- constants ---------------------------------------------------------------------------- */

bool programs_build_is_literal(const struct programs_expr *e)
{
    return e->kind == PROGRAMS_EXPR_INT || e->kind == PROGRAMS_EXPR_REAL ||
           e->kind == PROGRAMS_EXPR_BOOL;
}

static const struct programs_expr *renames(const struct programs_equation *q)
{
    bool plain = q->name_count == 1 && (programs_build_is_literal(q->value) ||
                                        q->value->kind == PROGRAMS_EXPR_NAME);
    return plain ? q->value : NULL;
}

/* Chains of names are followed once: all of them learn the end. */
const struct programs_expr *programs_build_alias(struct programs_builder *b,
                                                 const struct programs_binding *binding)
{
    const struct programs_equation *first = binding->equation, *q = first;
    const struct programs_expr *end;
    for (;; q = end->name.binding->equation) {
        end = b->alias_known[q->index] ? b->aliases[q->index] : renames(q);
        bool goes_on = end && end->kind == PROGRAMS_EXPR_NAME &&
                       end->name.binding->kind == PROGRAMS_BIND_CONST;
        if (!goes_on)
            break;
    }
    for (const struct programs_equation *at = first; !b->alias_known[at->index];) {
        b->alias_known[at->index] = true;
        b->aliases[at->index] = end;
        if (at != q)
            at = at->value->name.binding->equation;
    }
    return end;
}

static struct form_ids build_cells(struct programs_builder *b,
                                   const struct programs_binding *binding)
{
    uint32_t first = b->cells[binding->equation->index][binding->index];
    struct form_ids v = programs_build_values(
        b, (uint32_t)programs_type_width(binding->type));
    for (uint32_t k = 0; k < v.count; k++)
        v.items[k] = form_read(b->at, first + k,
                               (enum isa_type)b->forms.cell_types.items[first + k]);
    return v;
}

static struct form_ids build_constant(struct programs_builder *b,
                                      const struct programs_expr *e)
{
    const struct programs_expr *alias = programs_build_alias(b, e->name.binding);
    return alias ? programs_build_expr(b, alias) : build_cells(b, e->name.binding);
}

/* --- inputs, names in scope --------------------------------------------------------------- */

static struct form_ids build_input(struct programs_builder *b,
                                   const struct programs_binding *input)
{
    const struct form_value v = {.kind = FORM_INPUT,
                                 .type = programs_build_type(input->type),
                                 .index = b->input_index[input->input->index]};
    return programs_build_value(b, form_add_value(b->at.form, v));
}

static uint64_t key_of(const struct programs_binding *binding)
{
    return ((uint64_t)binding->pos.line << 32 | binding->pos.column) + 1;
}

struct programs_bound *programs_build_bind(struct programs_builder *b,
                                           const struct programs_binding *binding,
                                           struct form_ids values)
{
    struct programs_bound *made = LIB_ARENA_PUSH(b->arena, &b->bound);
    *made = (struct programs_bound){.binding = binding, .values = values};
    *lib_arena_map_at(b->scratch, &b->bound_at, key_of(binding), 0) = b->bound.count - 1;
    return made;
}

/* Returns the innermost item of b->bound for a name. */
static struct programs_bound *find_bound(const struct programs_builder *b,
                                         const struct programs_binding *binding)
{
    const uint32_t at = *lib_arena_map_find(&b->bound_at, key_of(binding));
    if (at < b->bound.count && b->bound.items[at].binding == binding)
        return &b->bound.items[at];
    struct programs_bound *l = &b->bound.items[b->bound.count - 1];
    while (l->binding != binding)
        l--;
    return l;
}

/* Returns the value of a variable of a loop after the loop. */
static uint32_t exit_loop(struct form_place p, struct form_entry *loop, uint32_t variable)
{
    struct form_entry *made = form_add_entry(p, FORM_EXIT);
    made->early = loop;
    made->index = variable;
    return form_add_result(p, made, form_type(p.form, loop->results.items[variable]));
}

/* Only what a `return` uses leaves its loop. */
struct form_ids programs_build_bound(struct programs_builder *b,
                                     const struct programs_binding *binding)
{
    struct programs_bound *l = find_bound(b, binding);
    for (uint32_t k = 0; l->loop && k < l->values.count; k++)
        l->values.items[k] = exit_loop(programs_build_at(b, binding->pos), l->loop,
                                       l->variable + k);
    l->loop = NULL;
    return l->values;
}

static struct form_ids build_name(struct programs_builder *b,
                                  const struct programs_expr *e)
{
    const struct programs_binding *binding = e->name.binding;
    switch (binding->kind) {
    case PROGRAMS_BIND_PARAM:
        return b->param_values[binding->index];
    case PROGRAMS_BIND_INPUT:
        return build_input(b, binding);
    case PROGRAMS_BIND_CONST:
        return build_constant(b, e);
    default:
        return programs_build_bound(b, binding);
    }
}

/* --- loops ------------------------------------------------------------------------------- */

/* Adds a LOOP of the used variables of a loop, with their initial values. */
static struct form_entry *enter_variables(struct programs_builder *b,
                                          struct form_entry *declare,
                                          const struct programs_expr *e)
{
    const struct form_place p = b->at;
    const struct programs_loop *l = e->loop;
    struct form_ids *parts = LIB_ARENA_ARRAY(b->scratch, struct form_ids, l->count);
    uint32_t width = 0, at = 0;
    for (size_t n = 0; n < l->count; n++)
        if (l->names[n]->used) {
            parts[n] = programs_build_expr(b, programs_loop_initial(e, n));
            width += parts[n].count;
        }
    struct form_entry *loop = form_add_entry(p, FORM_LOOP);
    struct form_name *names = LIB_ARENA_ARRAY(b->scratch, struct form_name, width);
    loop->early = declare;
    loop->names = names;
    form_add_blocks(p, loop);
    for (size_t n = 0; n < l->count; n++) {
        if (!l->names[n]->used)
            continue;
        const struct form_ids inside = programs_build_values(b, parts[n].count);
        const uint32_t first = at;
        for (uint32_t k = 0; k < inside.count; k++, at++) {
            const uint32_t initial = parts[n].items[k];
            names[at] = (struct form_name){
                programs_build_part_name(b, l->names[n], k, inside.count),
                l->names[n]->pos};
            form_add_operand(p, loop, initial);
            inside.items[k] = form_add_result(p, loop, form_type(b->at.form, initial));
        }
        programs_build_bind(b, l->names[n], inside)->variable = first;
    }
    return loop;
}

static void build_body(struct programs_builder *b, struct form_entry *loop,
                       const struct programs_expr *e)
{
    struct form_block *body = &loop->blocks[1];
    loop->inner =
        programs_build_in(b, &loop->blocks[0], programs_loop_condition(e)).items[0];
    const bool takes_tuple = e->loop->takes_tuple;
    struct form_ids all = {0}; /* of a tuple, the values that are left */
    if (takes_tuple)
        all = programs_build_in(b, body, programs_loop_next(e, 0));
    uint32_t variable = 0;
    for (size_t n = 0; n < e->loop->count; n++) {
        const struct programs_binding *name = e->loop->names[n];
        const struct programs_expr *next = programs_loop_next(e, takes_tuple ? 0 : n);
        struct form_ids v = all;
        if (takes_tuple) {
            v.count = (uint32_t)programs_type_width(name->type);
            all.items += v.count;
        }
        if (!name->used)
            continue;
        if (!takes_tuple)
            v = programs_build_in(b, body, next);
        for (uint32_t k = 0; k < v.count; k++) {
            const struct form_place p = form_at(body, next->pos);
            struct form_entry *made = form_add_entry(p, FORM_NEXT);
            made->early = loop;
            made->index = variable++;
            form_add_operand(p, made, v.items[k]);
        }
    }
}

static struct form_ids exit_all(struct programs_builder *b, struct form_entry *loop)
{
    struct form_ids v = programs_build_values(b, loop->results.count);
    for (uint32_t k = 0; k < v.count; k++)
        v.items[k] = exit_loop(b->at, loop, k);
    return v;
}

static struct form_ids build_loop(struct programs_builder *b,
                                  const struct programs_expr *e)
{
    const size_t outer = b->bound.count;
    const struct form_place p = b->at;
    struct form_entry *declare = form_add_entry(p, FORM_DECLARE);
    declare->inner = e->loop->bound;
    struct form_entry *loop = enter_variables(b, declare, e);
    build_body(b, loop, e);
    for (size_t i = outer; i < b->bound.count; i++)
        b->bound.items[i].loop = loop;
    const struct form_ids v = e->loop->returns
                                  ? programs_build_expr(b, programs_loop_result(e))
                                  : exit_all(b, loop);
    b->bound.count = outer;
    form_add_entry(p, FORM_CLOSE)->early = loop;
    return v;
}

/* --- arrays ------------------------------------------------------------------------------ */

struct form_ids programs_build_fetch(struct programs_builder *b, struct form_place p,
                                     struct form_ids arrays, uint32_t index)
{
    struct form_ids element = programs_build_values(b, arrays.count);
    for (uint32_t k = 0; k < arrays.count; k++)
        element.items[k] = form_fetch(p, arrays.items[k], index);
    return element;
}

/* Builds an index expression, whose first operand is `arrays`. */
static struct form_ids build_index(struct programs_builder *b,
                                   const struct programs_expr *e, struct form_ids arrays)
{
    const uint32_t index = programs_build_one(b, e->operands[1]);
    if (programs_build_is_tensor(e->operands[0]))
        return programs_build_value(b,
                                    programs_build_row(b->at, e, arrays.items[0], index));
    return programs_build_fetch(b, b->at, arrays, index);
}

/* --- what makes arrays ------------------------------------------------------------------ */

void programs_build_results(struct programs_builder *b, struct form_entry *made,
                            struct programs_type *type)
{
    enum isa_type *types;
    uint32_t width;
    programs_build_form_types(b, type, &types, &width);
    for (uint32_t k = 0; k < width; k++)
        form_add_result(b->at, made, types[k]);
}

/* Adds an entry whose results are the arrays of an expression. */
static struct form_entry *add_arrays(struct programs_builder *b,
                                     enum form_entry_kind kind,
                                     const struct programs_expr *e)
{
    struct form_entry *made = form_add_entry(b->at, kind);
    programs_build_results(b, made, e->type);
    return made;
}

void programs_build_store(struct form_place p, struct form_entry *arrays, uint32_t index,
                          struct form_ids element)
{
    struct form_entry *store = form_add_entry(p, FORM_STORE);
    store->early = arrays;
    store->index = index;
    for (uint32_t k = 0; k < element.count; k++)
        form_add_operand(p, store, element.items[k]);
}

/* Returns how many literals follow each other from element `first` on. */
static uint32_t count_literals(const struct programs_expr *e, uint32_t first)
{
    uint32_t i = first;
    while (i < e->operand_count && programs_build_is_literal(e->operands[i]))
        i++;
    return i - first;
}

/* Adds the STOREs of `count` literals as one entry: there may be a million. */
static void store_literals(struct programs_builder *b, struct form_entry *array,
                           const struct programs_expr *e, uint32_t first, uint32_t count)
{
    struct form *form = b->at.form;
    struct lib_pos *places = LIB_ARENA_ARRAY(form->arena, struct lib_pos, count);
    struct form_entry *run = form_add_entry(programs_build_at(b, e->operands[first]->pos),
                                            FORM_STORE);
    form->entry_count += count - 1;
    run->early = array;
    run->index = first;
    run->places = places;
    LIB_ARENA_RESERVE(form->arena, run->operands.items, &run->operands.capacity, count);
    for (uint32_t k = 0; k < count; k++) {
        const struct programs_expr *literal = e->operands[first + k];
        places[k] = literal->pos;
        run->operands.items[run->operands.count++] = form_literal(
            form, programs_build_type(literal->type), programs_build_literal(literal));
    }
}

static struct form_ids build_array(struct programs_builder *b,
                                   const struct programs_expr *e)
{
    struct form_entry *made = add_arrays(b, FORM_ARRAY, e);
    made->index = (uint32_t)e->operand_count;
    for (uint32_t i = 0, run; i < made->index; i += run) {
        run = b->ast->has_gradients ? 0 : count_literals(e, i);
        if (run > 1) {
            store_literals(b, made, e, i, run);
            continue;
        }
        run = 1;
        const struct form_ids element = programs_build_expr(b, e->operands[i]);
        programs_build_store(programs_build_at(b, e->operands[i]->pos), made, i, element);
    }
    return made->results;
}

void programs_build_names(struct programs_builder *b, const struct programs_expr *e,
                          const struct programs_generator *from, uint32_t counter)
{
    if (e->index && e->index->used) {
        const struct form_place p = programs_build_at(b, e->index->pos);
        uint32_t index = counter;
        if (from->has_step)
            index = form_compute_2(p, ISA_OP_MUL_I, counter, from->step);
        if (!from->counts_from_0)
            index = form_compute_2(p, ISA_OP_ADD_I, index, from->first);
        programs_build_bind(b, e->index, programs_build_value(b, index));
    }
    if (e->element && e->element->used)
        programs_build_bind(b, e->element,
                            programs_build_fetch(b, programs_build_at(b, e->element->pos),
                                                 from->arrays, counter));
}

/* Returns the length plus 1 of a range of literals, or 0. */
static uint32_t known_length(const struct form *form, uint32_t first, uint32_t last)
{
    const struct form_value *low = &form->values[first], *high = &form->values[last];
    int64_t length = 0;
    if (low->kind != FORM_LITERAL || high->kind != FORM_LITERAL ||
        __builtin_sub_overflow(isa_value_int(high->literal), isa_value_int(low->literal),
                               &length) ||
        length > INT32_MAX)
        return 0;
    return length < 0 ? 1 : (uint32_t)length + 2;
}

/* Returns how many elements a range has, with a step: n steps of its size from the first fit in the
 * EXTENT of the range, which is in the direction of the step. */
static uint32_t count_steps(struct programs_builder *b, uint32_t first, uint32_t last,
                            uint32_t step)
{
    const struct form_place p = b->at;
    const struct form_value *literal = &p.form->values[step];
    const bool is_known = literal->kind == FORM_LITERAL;
    const uint32_t zero = form_integer(p, 0);
    struct form_entry *is_up = NULL;
    uint32_t counts[2] = {zero, zero};
    if (!is_known)
        is_up = form_split(p, form_compute_2(p, ISA_OP_GT_I, step, zero));
    for (unsigned side = 0; side < 2; side++) {
        if (is_known && (isa_value_int(literal->literal) > 0) != (side == 0))
            continue;
        const struct form_place at = is_known ? p : form_side(p, is_up, side);
        const uint32_t size = side ? form_compute_1(at, ISA_OP_NEG_I, step) : step;
        const uint32_t extent = side ? form_compute_2(at, ISA_OP_EXTENT, last, first)
                                     : form_compute_2(at, ISA_OP_EXTENT, first, last);
        const uint32_t rest = form_compute_2(at, ISA_OP_SUB_I, size, form_integer(p, 1));
        counts[side] = form_compute_2(
            at, ISA_OP_DIV_I, form_compute_2(at, ISA_OP_ADD_I, extent, rest), size);
        if (is_known)
            return counts[side];
        literal = &p.form->values[step];
    }
    return form_merge(p, is_up, counts[0], counts[1]);
}

struct programs_generator programs_build_generator(struct programs_builder *b,
                                                   const struct programs_expr *e)
{
    struct programs_generator from = {.counts_from_0 = true};
    if (programs_is_over_array(e)) {
        from.arrays = programs_build_expr(b, e->operands[1]);
        if (e->operands[1]->kind == PROGRAMS_EXPR_ARRAY)
            from.known = (uint32_t)e->operands[1]->operand_count + 1;
        from.count = e->follows ? from.arrays.items[0]
                                : form_length(b->at, from.arrays.items[0]);
        return from;
    }
    from.first = programs_build_one(b, e->operands[1]);
    const struct form_value *first = &b->at.form->values[from.first];
    from.counts_from_0 = first->kind == FORM_LITERAL &&
                         isa_value_int(first->literal) == 0;
    const uint32_t last = programs_build_one(b, e->operands[2]);
    from.has_step = e->operand_count == 4;
    if (from.has_step) {
        from.step = programs_build_one(b, e->operands[3]);
        from.count = count_steps(b, from.first, last, from.step);
        return from;
    }
    from.count = form_compute_2(b->at, ISA_OP_EXTENT, from.first, last);
    from.known = known_length(b->at.form, from.first, last);
    return from;
}

static const struct isa_port *port_of(const struct programs_builder *b,
                                      const struct programs_equation *q)
{
    return &b->graph->ports[b->port_index[q->index]];
}

void programs_build_start(struct programs_builder *b, const struct programs_expr *e,
                          const struct programs_generator *from, struct form_entry *made)
{
    const struct form_place p = b->at;
    form_add_operand(p, made, from->count);
    form_add_blocks(p, made);
    b->at.block = &made->blocks[0];
    made->inner = form_add_value(p.form,
                                 (struct form_value){.kind = FORM_MADE, .type = ISA_INT});
    if (e->index && from->counts_from_0 && !from->has_step) {
        struct form_name *name = LIB_ARENA_NEW(p.form->arena, struct form_name);
        *name = (struct form_name){e->index->name, e->index->pos};
        made->names = name;
    }
}

/* Builds the elements of a comprehension, and what stores them. */
static void build_elements(struct programs_builder *b, const struct programs_expr *e,
                           const struct programs_generator *from, struct form_entry *made)
{
    const size_t outer = b->bound.count;
    programs_build_names(b, e, from, made->inner);
    const struct form_ids element = programs_build_expr(b, e->operands[0]);
    programs_build_store(programs_build_at(b, e->operands[0]->pos), made, 0, element);
    b->bound.count = outer;
}

/* Builds a scatter: the first value of its elements is their index. */
static struct form_ids build_scatter(struct programs_builder *b,
                                     const struct programs_expr *e)
{
    const struct programs_expr *comprehension = e->operands[1];
    const struct form_place outer_place = b->at;
    b->at = programs_build_at(b, e->pos);
    const uint32_t length = programs_build_one(b, e->operands[0]);
    const struct programs_generator from = programs_build_generator(b, comprehension);
    struct form_entry *made = add_arrays(b, FORM_TABULATE, e);
    made->scatters = true;
    made->index = from.known;
    programs_build_start(b, comprehension, &from, made);
    form_add_operand(b->at, made, length);
    build_elements(b, comprehension, &from, made);
    b->at = outer_place;
    return made->results;
}

struct form_entry *programs_build_table(struct programs_builder *b,
                                        const struct programs_expr *e,
                                        const struct programs_generator *from)
{
    struct form_entry *made = form_add_entry(b->at,
                                             e->follows ? FORM_FOLLOW : FORM_TABULATE);
    made->index = e->follows ? port_of(b, e->operands[1]->name.binding->equation)->first
                             : from->known;
    return made;
}

/* --- accumulating arrays ----------------------------------------------------------------- */

static enum isa_op accumulating_op(enum programs_fold fold)
{
    static const enum isa_op ops[PROGRAMS_FOLDS] = {
        [PROGRAMS_FOLD_ADD] = ISA_OP_ACCUMULATE_ADD,
        [PROGRAMS_FOLD_MIN] = ISA_OP_ACCUMULATE_MIN,
        [PROGRAMS_FOLD_MAX] = ISA_OP_ACCUMULATE_MAX,
        [PROGRAMS_FOLD_AND] = ISA_OP_ACCUMULATE_AND,
        [PROGRAMS_FOLD_OR] = ISA_OP_ACCUMULATE_OR,
        [PROGRAMS_FOLD_BIT_AND] = ISA_OP_ACCUMULATE_AND,
        [PROGRAMS_FOLD_BIT_OR] = ISA_OP_ACCUMULATE_OR,
        [PROGRAMS_FOLD_BIT_XOR] = ISA_OP_ACCUMULATE_XOR,
    };
    return ops[fold];
}

/* Adds a CONTRIBUTE or TOTAL. Returns it. */
static struct form_entry *add_contribution(struct form_place p, enum form_entry_kind kind,
                                           uint32_t array, uint32_t index, uint32_t value)
{
    struct form_entry *e = form_add_entry(p, kind);
    form_add_operand(p, e, array);
    form_add_operand(p, e, index);
    form_add_operand(p, e, value);
    return e;
}

/* Builds the contributions of a comprehension to `array`. Returns their answer. */
static uint32_t build_contributions(struct programs_builder *b,
                                    const struct programs_expr *e, uint32_t array)
{
    const struct form_place outer_place = b->at;
    const size_t outer = b->bound.count;
    struct programs_generator from = programs_build_generator(b, e);
    if (e->follows)
        from.count = form_length(b->at, from.count);
    struct form_entry *every = form_add_entry(b->at, FORM_EVERY);
    every->index = from.known;
    const uint32_t all = form_add_result(b->at, every, ISA_INT);
    programs_build_start(b, e, &from, every);
    programs_build_names(b, e, &from, every->inner);
    const struct form_ids target = programs_build_expr(b, e->operands[0]);
    const struct form_place p = programs_build_at(b, e->operands[0]->pos);
    struct form_entry *contribute = add_contribution(p, FORM_CONTRIBUTE, array,
                                                     target.items[0], target.items[1]);
    const uint32_t answer = form_add_result(p, contribute, ISA_INT);
    struct form_entry *done = form_add_entry(p, FORM_DONE);
    done->early = every;
    form_add_operand(p, done, answer);
    b->bound.count = outer;
    b->at = outer_place;
    return all;
}

/* Writes the elements of an accumulating array when `answer`, an int 0, is there. The last
 * contribution to each is an element of array `first`, or `first` itself. */
static void build_totals(struct form_place p, uint32_t array, uint32_t length,
                         uint32_t answer, uint32_t first)
{
    const uint32_t count = form_compute_2(p, ISA_OP_OR_I, length, answer);
    struct form_entry *every = form_add_entry(p, FORM_EVERY);
    form_add_operand(p, every, count);
    form_add_blocks(p, every);
    every->inner = form_add_value(
        p.form, (struct form_value){.kind = FORM_MADE, .type = ISA_INT});
    struct form_name *name = LIB_ARENA_NEW(p.form->arena, struct form_name);
    *name = (struct form_name){"element", p.pos};
    every->names = name;
    struct form_place element = p;
    element.block = &every->blocks[0];
    if (isa_type_rank(form_type(p.form, first)) > 0)
        first = form_fetch(element, first, every->inner);
    add_contribution(element, FORM_TOTAL, array, every->inner, first);
}

/* Builds an accumulating array. */
static struct form_ids build_accumulate(struct programs_builder *b,
                                        const struct programs_expr *e)
{
    const struct form_place outer_place = b->at;
    b->at = programs_build_at(b, e->pos);
    const bool is_array = e->operand_count == 2;
    uint32_t length = programs_build_one(b, e->operands[0]);
    const uint32_t first = is_array ? length : programs_build_one(b, e->operands[1]);
    if (is_array)
        length = form_length(b->at, first);
    const enum isa_type type = isa_type_element(programs_build_type(e->type));
    const uint32_t array = form_compute(b->at, accumulating_op(e->fold), type, 0, &length,
                                        1);
    const uint32_t answer = build_contributions(b, e->operands[e->operand_count - 1],
                                                array);
    build_totals(b->at, array, length, answer, first);
    b->at = outer_place;
    return programs_build_value(b, array);
}

/* Builds a comprehension. `own` is the name that a `let` gives it, or NULL: its elements may use
 * the name, and it remains in scope. */
static struct form_ids build_comprehension(struct programs_builder *b,
                                           const struct programs_expr *e,
                                           const struct programs_binding *own)
{
    const struct form_place outer_place = b->at;
    const struct form_place p = programs_build_at(b, e->pos);
    b->at = p;
    const struct programs_generator from = programs_build_generator(b, e);
    struct form_entry *made = programs_build_table(b, e, &from);
    programs_build_results(b, made, e->type);
    programs_build_start(b, e, &from, made);
    const struct form_ids arrays = made->results;
    if (own)
        programs_build_bind(b, own, arrays);
    build_elements(b, e, &from, made);
    made->reads_itself = e->reads_itself;
    b->at = outer_place;
    return arrays;
}

/* Builds the arrays of an input port, at top level. */
static struct form_ids build_port(struct programs_builder *b,
                                  const struct programs_expr *e)
{
    const struct isa_port *port = port_of(b, e->port->equation);
    enum isa_type *types;
    struct form_ids arrays = {0};
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

static struct form_ids build_length(struct programs_builder *b,
                                    const struct programs_expr *e)
{
    const uint32_t array = programs_build_one(b, e->operands[0]);
    return programs_build_value(b, form_length(b->at, array));
}

static struct form_ids build_sum(struct programs_builder *b,
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

/* --- operations -------------------------------------------------------------------------- */

static enum isa_op operation(enum programs_operator op, enum isa_type type)
{
#define ROW(INT, REAL, BOOL)                                                             \
    {                                                                                    \
        [ISA_INT] = ISA_OP_##INT, [ISA_REAL] = ISA_OP_##REAL, [ISA_BOOL] = ISA_OP_##BOOL \
    }
    static const enum isa_op ops[][ISA_BOOL + 1] = {
        [PROGRAMS_NEG] = ROW(NEG_I, NEG_R, NONE),
        [PROGRAMS_NOT] = ROW(NONE, NONE, NOT_B),
        [PROGRAMS_POW] = ROW(POW_I, POW_R, NONE),
        [PROGRAMS_MUL] = ROW(MUL_I, MUL_R, NONE),
        [PROGRAMS_DIV] = ROW(DIV_I, DIV_R, NONE),
        [PROGRAMS_REM] = ROW(REM_I, REM_R, NONE),
        [PROGRAMS_ADD] = ROW(ADD_I, ADD_R, NONE),
        [PROGRAMS_SUB] = ROW(SUB_I, SUB_R, NONE),
        [PROGRAMS_EQ] = ROW(EQ_I, EQ_R, EQ_B),
        [PROGRAMS_NE] = ROW(NE_I, NE_R, NE_B),
        [PROGRAMS_LT] = ROW(LT_I, LT_R, NONE),
        [PROGRAMS_LE] = ROW(LE_I, LE_R, NONE),
        [PROGRAMS_GT] = ROW(GT_I, GT_R, NONE),
        [PROGRAMS_GE] = ROW(GE_I, GE_R, NONE),
    };
#undef ROW
    return ops[op][type];
}

static enum isa_op builtin_op(enum programs_builtin builtin, enum isa_type type)
{
    static const enum isa_op ops[PROGRAMS_BUILTIN_PLAIN][2] = {
#define BUILTIN(NAME, text, arity, rule, int_op, real_op)                                \
    [PROGRAMS_BUILTIN_##NAME] = {ISA_OP_##int_op, ISA_OP_##real_op},
#include "programs/syntax/builtins.def"
#undef BUILTIN
    };
    return ops[builtin][type == ISA_REAL];
}

static enum isa_type operand_type(const struct programs_expr *e)
{
    return programs_build_type(e->operands[0]->type);
}

static struct form_ids build_pure(struct programs_builder *b, enum isa_op op,
                                  const struct programs_expr *e)
{
    struct form_ids operands = programs_build_operands(b, e);
    if (programs_build_is_tensor(e))
        return programs_build_value(
            b, programs_build_kernel(b->at, e, operands.items, operands.count));
    return programs_build_value(
        b, form_compute(b->at, op, ISA_INT, 0, operands.items, operands.count));
}

static struct form_ids build_builtin(struct programs_builder *b,
                                     const struct programs_expr *e)
{
    if (e->call->builtin >= PROGRAMS_BUILTIN_PLAIN ||
        ((e->call->builtin == PROGRAMS_BUILTIN_REAL ||
          e->call->builtin == PROGRAMS_BUILTIN_INT) &&
         programs_build_is_tensor(e->operands[0])))
        return programs_build_tensor_builtin(b, e);
    if (programs_build_is_tensor(e))
        return build_pure(b, ISA_OP_NONE, e);
    switch (e->call->builtin) {
    case PROGRAMS_BUILTIN_LENGTH:
        return build_length(b, e);
    case PROGRAMS_BUILTIN_SUM:
        return build_sum(b, e);
    case PROGRAMS_BUILTIN_APPEND:
        return programs_build_append(b, e);
    case PROGRAMS_BUILTIN_SUBARRAY:
        return programs_build_subarray(b, e);
    default:
        return build_pure(b, builtin_op(e->call->builtin, operand_type(e)), e);
    }
}

static struct form_ids build_call(struct programs_builder *b,
                                  const struct programs_expr *e)
{
    if (!e->call->function)
        return build_builtin(b, e);
    struct form_ids arguments = programs_build_operands(b, e);
    const struct form_entry *call = form_apply(b->at, e->call->function->index,
                                               arguments.items, arguments.count);
    return call->results;
}

/* --- conditionals ------------------------------------------------------------------------ */

static struct form_ids merge(struct programs_builder *b, struct form_entry *branch,
                             struct form_ids when_true, struct form_ids when_false)
{
    struct form_ids merged = programs_build_values(b, when_true.count);
    for (uint32_t k = 0; k < merged.count; k++)
        merged.items[k] = form_merge(b->at, branch, when_true.items[k],
                                     when_false.items[k]);
    return merged;
}

/* Builds `a and b` as `if a then b else false`, and `a or b` as `if a then true else b`. */
static struct form_ids build_logic(struct programs_builder *b,
                                   const struct programs_expr *e, uint32_t left)
{
    const bool is_or = e->op == PROGRAMS_OR;
    struct form_ids arms[2];
    struct form_entry *branch = form_split(b->at, left);
    arms[is_or] = programs_build_in(b, &branch->blocks[is_or], e->operands[1]);
    arms[!is_or] = programs_build_value(b, form_literal(b->at.form, ISA_BOOL, is_or));
    return merge(b, branch, arms[0], arms[1]);
}

static struct form_ids build_binary(struct programs_builder *b,
                                    const struct programs_expr *e, uint32_t left)
{
    const bool is_logic = e->op == PROGRAMS_AND || e->op == PROGRAMS_OR;
    if (!is_logic || programs_build_is_tensor(e)) {
        const uint32_t operands[] = {left, programs_build_one(b, e->operands[1])};
        if (programs_build_is_tensor(e))
            return programs_build_value(b, programs_build_kernel(b->at, e, operands, 2));
        enum isa_op op = operation(e->op, operand_type(e));
        return programs_build_value(b, form_compute(b->at, op, ISA_INT, 0, operands, 2));
    }
    return build_logic(b, e, left);
}

/* --- let --------------------------------------------------------------------------------- */

void programs_build_equation(struct programs_builder *b,
                             const struct programs_equation *q)
{
    const struct programs_expr *comprehension = programs_equation_comprehension(q);
    if (comprehension) {
        build_comprehension(b, comprehension, q->names[0]);
        return;
    }
    struct form_ids v = programs_build_expr(b, q->value);
    uint32_t at = 0;
    for (size_t n = 0; n < q->name_count; n++) {
        uint32_t width = (uint32_t)programs_type_width(q->names[n]->type);
        programs_build_bind(b, q->names[n],
                            (struct form_ids){&v.items[at], width, width});
        at += width;
    }
}

static struct form_ids build_let(struct programs_builder *b,
                                 const struct programs_expr *e)
{
    size_t outer = b->bound.count;
    for (size_t i = 0; i < e->let->count; i++)
        if (e->let->equations[i]->used)
            programs_build_equation(b, e->let->equations[i]);
    struct form_ids v = programs_build_expr(b, e->let->body);
    b->bound.count = outer;
    return v;
}

/* --- expressions ------------------------------------------------------------------------- */

struct half {
    struct form_block *outer;
    struct form_entry *branch;
    struct form_ids when_true;
    struct half *below; /* enclosing expression */
};

static struct half *build_half(struct programs_builder *b, const struct programs_expr *e,
                               struct half *below)
{
    struct half *h = LIB_ARENA_NEW(b->scratch, struct half);
    h->outer = b->at.block;
    h->below = below;
    const uint32_t condition = programs_build_one(b, e->operands[0]);
    h->branch = form_split(b->at, condition);
    h->when_true = programs_build_in(b, &h->branch->blocks[0], e->operands[1]);
    return h;
}

static struct form_ids build_end(struct programs_builder *b,
                                 const struct programs_expr *e)
{
    switch (e->kind) {
    case PROGRAMS_EXPR_NAME:
        return build_name(b, e);
    case PROGRAMS_EXPR_CALL:
        return build_call(b, e);
    case PROGRAMS_EXPR_GRAD:
        return programs_build_gradient(b, e);
    case PROGRAMS_EXPR_UNARY:
        return build_pure(b,
                          programs_build_is_tensor(e) ? ISA_OP_NONE
                                                      : operation(e->op, operand_type(e)),
                          e);
    case PROGRAMS_EXPR_LET:
        return build_let(b, e);
    case PROGRAMS_EXPR_TUPLE:
        return programs_build_operands(b, e);
    case PROGRAMS_EXPR_CONSTRUCT:
        return programs_build_construct(b, e);
    case PROGRAMS_EXPR_FIELD:
        return programs_build_field(b, e);
    case PROGRAMS_EXPR_NUMBER:
        return programs_build_number(b, e);
    case PROGRAMS_EXPR_PARAM:
        return programs_build_value(b, programs_build_param(b, e));
    case PROGRAMS_EXPR_PORT:
        return build_port(b, e);
    case PROGRAMS_EXPR_GIVEN:
        return programs_build_given(b, e);
    case PROGRAMS_EXPR_LOOP:
        return build_loop(b, e);
    case PROGRAMS_EXPR_ARRAY:
        return build_array(b, e);
    case PROGRAMS_EXPR_COMPREHENSION:
        return build_comprehension(b, e, NULL);
    case PROGRAMS_EXPR_JOINED:
        return programs_build_joined(b, e);
    case PROGRAMS_EXPR_SCATTER:
        return build_scatter(b, e);
    case PROGRAMS_EXPR_ACCUMULATE:
        return build_accumulate(b, e);
    default:
        return programs_build_value(b,
                                    form_literal(b->at.form, programs_build_type(e->type),
                                                 programs_build_literal(e)));
    }
}

/* Builds an expression in another block of the form. */
struct form_ids programs_build_in(struct programs_builder *b, struct form_block *block,
                                  const struct programs_expr *e)
{
    struct form_block *outer = b->at.block;
    b->at.block = block;
    const struct form_ids v = programs_build_expr(b, e);
    b->at.block = outer;
    return v;
}

struct form_ids programs_build_expr(struct programs_builder *b,
                                    const struct programs_expr *e)
{
    const struct form_place outer = b->at;
    const struct programs_expr *at = e;
    struct half *half = NULL;
    for (; programs_chain_goes_on(at); at = programs_chain_down(at))
        if (at->kind == PROGRAMS_EXPR_IF) {
            b->at.pos = at->pos;
            half = build_half(b, at, half);
            b->at.block = &half->branch->blocks[1];
        }
    b->at.pos = at->pos;
    struct form_ids v = build_end(b, at);
    while (at != e) {
        at = at->above;
        b->at.pos = at->pos;
        if (at->kind == PROGRAMS_EXPR_IF) {
            b->at.block = half->outer;
            v = merge(b, half->branch, half->when_true, v);
            half = half->below;
        } else {
            v = at->kind == PROGRAMS_EXPR_INDEX ? build_index(b, at, v)
                                                : build_binary(b, at, v.items[0]);
        }
    }
    b->at = outer;
    return v;
}

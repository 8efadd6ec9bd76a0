/* Derivatives by arrays. The adjoint of an array is an array of the same length. What reads one element
 * contributes an array that is zero elsewhere; where the elements of another array read theirs in step,
 * it contributes one array of all of them. */
#include "programs/gradient/differentiate.h"

#include "isa/kernel_use.h"

#include <assert.h>

/* --- helpers as routines ------------------------------------------------------------------ */

/* A routine whose form is being made: its parameters are the values 0, 1, ... */
struct maker {
    struct form_place p;
    uint32_t routine;
};

static struct maker make(struct form_program *program, const char *name,
                         const enum isa_type *params, uint32_t param_count,
                         const enum isa_type *results, uint32_t result_count,
                         struct lib_pos pos)
{
    struct maker m = {.routine = form_add_routine(program, FORM_HELPER, name, pos)};
    struct form *form = form_new(program->arena);
    form_set_types(program, m.routine, params, param_count, results, result_count);
    program->routines[m.routine].form = form;
    for (uint32_t i = 0; i < param_count; i++)
        form_param(program, form, params[i], i);
    m.p = (struct form_place){program, form, &form->top, pos};
    return m;
}

static void give(const struct maker *m, uint32_t value)
{
    form_push_id(m->p.program->arena, &m->p.form->results, value);
}

static uint32_t integer(struct form_place p, int64_t i)
{
    return form_literal(p.program, p.form, ISA_INT, isa_value_of_int(i));
}

/* Arrays of `length`, of which `routine` makes the elements of the index and `arguments`. */
static struct form_entry *tabulate(struct form_place p, uint32_t length, uint32_t routine,
                                   const uint32_t *arguments, uint32_t count)
{
    struct form_entry *e = form_add_entry(p.program, p.block, FORM_TABULATE, p.pos);
    const struct form_routine *r = &p.program->routines[routine];
    e->routine = routine;
    form_add_operand(p.program, e, length);
    for (uint32_t i = 0; i < count; i++)
        form_add_operand(p.program, e, arguments[i]);
    for (uint32_t k = 0; k < r->result_count; k++)
        form_add_result(p.program, p.form, e, isa_type_array_of(r->results[k]));
    return e;
}

static const char *name_of(struct form_program *program, const char *what,
                           enum isa_type type)
{
    const char *leaf = isa_type_leaf(type) == ISA_REAL ? "real" : "tensor";
    return lib_arena_printf(program->arena, "%s.%s%u", what, leaf, isa_type_rank(type));
}

/* --- zeros, sums ------------------------------------------------------------------------------ */

/* x < x: 0.0 whatever x is. */
static uint32_t zero_tensor(struct form_place p, uint32_t like)
{
    return form_compute(p, ISA_OP_COMBINE, ISA_INT,
                        isa_use(ISA_KERNEL_LT, ISA_USE_NO_AXIS, 0),
                        (const uint32_t[]){like, like}, 2);
}

static uint32_t zeros_routine(struct form_program *program, enum isa_type type)
{
    const enum isa_type element = isa_type_element(type);
    const struct lib_pos nowhere = {0};
    if (program->zeros[type] != FORM_NONE)
        return program->zeros[type];
    const bool is_real = element == ISA_REAL;
    struct maker one = make(program, name_of(program, "zero", element),
                            (const enum isa_type[]){ISA_INT, type}, is_real ? 1 : 2,
                            &element, 1, nowhere);
    give(&one, is_real ? form_real(program, one.p.form, 0)
                       : form_zero(one.p, form_fetch(one.p, 1, 0)));
    struct maker all = make(program, name_of(program, "zeros", type), &type, 1, &type, 1,
                            nowhere);
    const uint32_t length = form_length(all.p, 0);
    give(&all,
         tabulate(all.p, length, one.routine, (const uint32_t[]){0}, is_real ? 0 : 1)
             ->results.items[0]);
    return program->zeros[type] = all.routine;
}

uint32_t form_zero(struct form_place p, uint32_t like)
{
    const enum isa_type type = form_type(p.form, like);
    if (type == ISA_REAL)
        return form_real(p.program, p.form, 0);
    if (type == ISA_TENSOR)
        return zero_tensor(p, like);
    return form_apply(p, zeros_routine(p.program, type), &like, 1)->results.items[0];
}

static uint32_t adds_routine(struct form_program *program, enum isa_type type)
{
    const enum isa_type element = isa_type_element(type);
    const enum isa_type types[] = {ISA_INT, type, type};
    const struct lib_pos nowhere = {0};
    if (program->adds[type] != FORM_NONE)
        return program->adds[type];
    struct maker one = make(program, name_of(program, "add", element), types, 3, &element,
                            1, nowhere);
    const uint32_t a = form_fetch(one.p, 1, 0), b = form_fetch(one.p, 2, 0);
    give(&one, form_add(one.p, a, b));
    struct maker all = make(program, name_of(program, "adds", type), &types[1], 2, &type,
                            1, nowhere);
    const uint32_t length = form_length(all.p, 0);
    give(&all, tabulate(all.p, length, one.routine, (const uint32_t[]){0, 1}, 2)
                   ->results.items[0]);
    return program->adds[type] = all.routine;
}

uint32_t form_add(struct form_place p, uint32_t a, uint32_t b)
{
    const enum isa_type type = form_type(p.form, a);
    const uint32_t both[] = {a, b};
    if (type == ISA_REAL)
        return form_compute(p, ISA_OP_ADD_R, ISA_INT, 0, both, 2);
    if (type == ISA_TENSOR)
        return form_compute(p, ISA_OP_COMBINE, ISA_INT,
                            isa_use(ISA_KERNEL_ADD, ISA_USE_NO_AXIS, 0), both, 2);
    return form_apply(p, adds_routine(p.program, type), both, 2)->results.items[0];
}

/* The sum of the elements [low, high) of an array that are no plain reals, in the tree of `sum`. */
static uint32_t totals_routine(struct form_program *program, enum isa_type type)
{
    const enum isa_type element = isa_type_element(type);
    if (program->totals[type] != FORM_NONE)
        return program->totals[type];
    struct maker m = make(program, name_of(program, "total", type),
                          (const enum isa_type[]){type, ISA_INT, ISA_INT}, 3, &element, 1,
                          (struct lib_pos){0});
    program->totals[type] = m.routine;
    const struct form_place p = m.p;
    const uint32_t count = form_compute_2(p, ISA_OP_SUB_I, 2, 1);
    struct form_entry *is_one = form_split(
        p, form_compute_2(p, ISA_OP_EQ_I, count, integer(p, 1)));
    const struct form_place one = form_side(p, is_one, 0), more = form_side(p, is_one, 1);
    const uint32_t only = form_fetch(one, 0, 1);
    const uint32_t half = form_compute_2(more, ISA_OP_DIV_I, count, integer(p, 2));
    const uint32_t middle = form_compute_2(more, ISA_OP_ADD_I, 1, half);
    const uint32_t low = form_apply(more, m.routine, (const uint32_t[]){0, 1, middle}, 3)
                             ->results.items[0];
    const uint32_t high = form_apply(more, m.routine, (const uint32_t[]){0, middle, 2}, 3)
                              ->results.items[0];
    give(&m, form_merge(p, is_one, only, form_add(more, low, high)));
    return m.routine;
}

/* The sum of all elements; `like`: what a zero would be. */
static uint32_t total(struct form_place p, uint32_t array, uint32_t like)
{
    const enum isa_type type = form_type(p.form, array);
    if (type == isa_type_array_of(ISA_REAL)) {
        struct form_entry *sum = form_add_entry(p.program, p.block, FORM_SUM, p.pos);
        form_add_operand(p.program, sum, array);
        return form_add_result(p.program, p.form, sum, ISA_REAL);
    }
    const uint32_t length = form_length(p, array);
    struct form_entry *is_none = form_split(
        p, form_compute_2(p, ISA_OP_EQ_I, length, integer(p, 0)));
    const struct form_place some = form_side(p, is_none, 1);
    const uint32_t all = form_apply(some, totals_routine(p.program, type),
                                    (const uint32_t[]){array, integer(p, 0), length}, 3)
                             ->results.items[0];
    return form_merge(p, is_none, form_zero(form_side(p, is_none, 0), like), all);
}

static uint32_t total_of_cell(struct form_place p, uint32_t array, uint32_t cell)
{
    struct form_entry *read = form_add_entry(p.program, p.block, FORM_READ, p.pos);
    read->index = cell;
    return total(
        p, array,
        form_add_result(p.program, p.form, read, p.program->graph->cells[cell].type));
}

/* --- reading, writing, adding up ----------------------------------------------------------------- */

/* Element k of an array that is `y` at the index and zero elsewhere. */
static uint32_t put_routine(struct form_program *program, enum isa_type type)
{
    const enum isa_type element = isa_type_element(type);
    if (program->puts[type] != FORM_NONE)
        return program->puts[type];
    struct maker m = make(program, name_of(program, "put", element),
                          (const enum isa_type[]){ISA_INT, type, ISA_INT, element}, 4,
                          &element, 1, (struct lib_pos){0});
    struct form_entry *here = form_split(m.p, form_compute_2(m.p, ISA_OP_EQ_I, 0, 2));
    const struct form_place elsewhere = form_side(m.p, here, 1);
    const uint32_t zero = element == ISA_REAL
                              ? form_real(program, m.p.form, 0)
                              : form_zero(elsewhere, form_fetch(elsewhere, 1, 0));
    give(&m, form_merge(m.p, here, 3, zero));
    return program->puts[type] = m.routine;
}

void differ_fetch(struct differ *d, struct form_place p, struct adjoints *a,
                  const struct form_entry *e, uint32_t y)
{
    const uint32_t array = e->operands.items[0], index = e->operands.items[1];
    const uint32_t put = put_routine(p.program, form_type(p.form, array));
    const uint32_t length = form_length(p, array);
    differ_add(d, p, a, array,
               tabulate(p, length, put, (const uint32_t[]){array, index, y}, 3)
                   ->results.items[0]);
}

void differ_list(struct differ *d, struct form_place p, struct adjoints *a,
                 const struct form_entry *e, uint32_t y)
{
    for (uint32_t i = 0; i < e->operands.count; i++)
        if (d->active[e->operands.items[i]])
            differ_add(d, p, a, e->operands.items[i], form_fetch(p, y, integer(p, i)));
}

/* Each element was added once. */
void differ_sum(struct differ *d, struct form_place p, struct adjoints *a,
                const struct form_entry *e, uint32_t y)
{
    const enum isa_type types[] = {ISA_INT, ISA_REAL};
    const uint32_t array = e->operands.items[0];
    struct maker m = make(p.program, "spread", types, 2, &types[1], 1, p.pos);
    give(&m, 1);
    differ_add(d, p, a, array,
               tabulate(p, form_length(p, array), m.routine, &y, 1)->results.items[0]);
}

/* --- elements that are computed ------------------------------------------------------------------ */

/* How often a block uses a value, and how often it only reads element `index` of it outside of
 * conditionals. */
struct uses {
    uint32_t all, in_step;
};

static void count_uses(const struct form_block *block, uint32_t array, uint32_t index,
                       bool is_top, struct uses *uses)
{
    for (uint32_t i = 0; i < block->count; i++) {
        const struct form_entry *e = block->items[i];
        for (uint32_t k = 0; k < e->operands.count; k++)
            uses->all += e->operands.items[k] == array;
        if (e->kind == FORM_FETCH && e->operands.items[0] == array)
            uses->in_step += is_top && e->operands.items[1] == index;
        for (int side = 0; e->kind == FORM_BRANCH && side < 2; side++)
            count_uses(e->blocks[side], array, index, false, uses);
    }
}

static uint32_t find_param(const struct form *form, uint32_t index)
{
    for (uint32_t v = 0; v < form->value_count; v++)
        if (form->values[v].kind == FORM_PARAM && form->values[v].index == index)
            return v;
    return FORM_NONE;
}

/* Whether the elements read a parameter of theirs in step only. */
static bool is_in_step(const struct form *form, uint32_t param)
{
    const uint32_t array = find_param(form, param), counter = find_param(form, 0);
    struct uses uses = {0};
    if (array == FORM_NONE || counter == FORM_NONE ||
        isa_type_rank(form_type(form, array)) == 0)
        return false;
    for (uint32_t k = 0; k < form->results.count; k++)
        uses.all += form->results.items[k] == array;
    count_uses(&form->top, array, counter, true, &uses);
    return uses.all > 0 && uses.all == uses.in_step;
}

/* A form without some entries of its top, whose results other values are. */
static void replace_in(struct form_block *block, uint32_t from, uint32_t to)
{
    for (uint32_t i = 0; i < block->count; i++) {
        struct form_entry *e = block->items[i];
        for (uint32_t k = 0; k < e->operands.count; k++)
            if (e->operands.items[k] == from)
                e->operands.items[k] = to;
        for (int side = 0; e->kind == FORM_BRANCH && side < 2; side++)
            replace_in(e->blocks[side], from, to);
    }
}

/* The routine that makes the elements, but given those of the arrays that it reads in step: their
 * parameters are elements then. */
static uint32_t with_elements(struct form_program *program, uint32_t routine,
                              const bool *in_step)
{
    struct form *from = form_of(program, routine);
    struct form *form = form_copy(program, from);
    const struct form_routine *r = &program->routines[routine];
    enum isa_type *params = LIB_ARENA_ARRAY(program->arena, enum isa_type,
                                            r->param_count);
    for (uint32_t i = 0; i < r->param_count; i++) {
        params[i] = in_step[i] ? isa_type_element(r->params[i]) : r->params[i];
        if (!in_step[i])
            continue;
        const uint32_t v = find_param(form, i);
        form->values[v].type = params[i];
        uint32_t left = 0;
        for (uint32_t k = 0; k < form->top.count; k++) {
            struct form_entry *e = form->top.items[k];
            if (e->kind != FORM_FETCH || e->operands.items[0] != v) {
                form->top.items[left++] = e;
                continue;
            }
            replace_in(&form->top, e->results.items[0], v);
            for (uint32_t j = 0; j < form->results.count; j++)
                if (form->results.items[j] == e->results.items[0])
                    form->results.items[j] = v;
        }
        form->top.count = left;
    }
    const uint32_t made = form_add_routine(program, FORM_HELPER, r->name, r->pos);
    r = &program->routines[routine];
    form_set_types(program, made, params, r->param_count, r->results, r->result_count);
    program->routines[made].form = form;
    program->routines[made].order = r->order;
    return made;
}

/* The routine that makes the adjoints of what element i of a TABULATE was made of: of i, what it was made
 * of, and the adjoints of the arrays. Its results are those of the element's gradient. */
static uint32_t back_routine(struct differ *d, uint32_t element, const bool *in_step,
                             const enum isa_type *types, uint32_t count,
                             uint32_t adjoints, struct lib_pos pos)
{
    struct form_program *program = d->program;
    const struct form_ids wanted = differ_wanted_of(d, element);
    const uint32_t inner = with_elements(program, element, in_step);
    const uint32_t gradient = form_gradient(program, inner, &wanted);
    struct maker m = make(program, program->routines[gradient].name, types,
                          count + adjoints, program->routines[gradient].results,
                          program->routines[gradient].result_count, pos);
    uint32_t *arguments = LIB_ARENA_ARRAY(program->arena, uint32_t, count + adjoints);
    for (uint32_t i = 0; i < count + adjoints; i++)
        arguments[i] = i >= count || in_step[i] ? form_fetch(m.p, i, 0) : i;
    struct form_entry *e = form_apply(m.p, gradient, arguments, count + adjoints);
    e->is_inline = true;
    for (uint32_t k = 0; k < e->results.count; k++)
        give(&m, e->results.items[k]);
    return m.routine;
}

/* An array such as `like` that has the elements of another one, which may be shorter, and zeros behind. */
static uint32_t extend(struct form_place p, uint32_t elements, uint32_t count,
                       uint32_t like)
{
    const enum isa_type type = form_type(p.form, like), element = isa_type_element(type);
    struct maker m = make(p.program, name_of(p.program, "extend", element),
                          (const enum isa_type[]){ISA_INT, type, ISA_INT, type}, 4,
                          &element, 1, p.pos);
    struct form_entry *is_there = form_split(m.p, form_compute_2(m.p, ISA_OP_LT_I, 0, 2));
    const struct form_place behind = form_side(m.p, is_there, 1);
    const uint32_t one = form_fetch(form_side(m.p, is_there, 0), 1, 0);
    const uint32_t zero = element == ISA_REAL
                              ? form_real(p.program, m.p.form, 0)
                              : form_zero(behind, form_fetch(behind, 3, 0));
    give(&m, form_merge(m.p, is_there, one, zero));
    return tabulate(p, form_length(p, like), m.routine,
                    (const uint32_t[]){elements, count, like}, 3)
        ->results.items[0];
}

/* One run over all elements: what they contribute to what they were made of, an array for each. */
static struct form_entry *sweep(struct form_place p, uint32_t back, uint32_t count,
                                const struct form_ids *arguments)
{
    return tabulate(p, count, back, arguments->items, arguments->count);
}

/* Arrays whose elements read each other. The adjoints of the elements depend on each other as the elements
 * did, the other way round, and nobody knows in which order that is. One sweep is right for the elements that
 * no other one reads; each further one for those that only such elements read; as many as there are elements
 * are enough. `step` makes, of the number of sweeps left, the count, what the elements are made of, the adjoints from
 * outside, and those of the last sweep, the adjoints in the end. */
static uint32_t settle_routine(struct form_program *program, uint32_t back,
                               const enum isa_type *types, uint32_t count,
                               uint32_t adjoints, const uint32_t *own,
                               const uint32_t *own_result, struct lib_pos pos)
{
    const uint32_t width = 2 + count + 2 * adjoints;
    enum isa_type *params = LIB_ARENA_ARRAY(program->arena, enum isa_type, width);
    params[0] = params[1] = ISA_INT;
    for (uint32_t i = 0; i < count; i++)
        params[2 + i] = types[i];
    for (uint32_t k = 0; k < 2 * adjoints; k++)
        params[2 + count + k] = types[count + k % adjoints];
    struct maker m = make(program, "settle", params, width, &params[2 + count], adjoints,
                          pos);
    const struct form_place p = m.p;
    struct form_entry *is_done = form_split(
        p, form_compute_2(p, ISA_OP_EQ_I, 0, integer(p, 0)));
    const struct form_place more = form_side(p, is_done, 1);
    struct form_ids arguments = {0}, next = {0};
    for (uint32_t i = 0; i < count; i++)
        form_push_id(program->arena, &arguments, 2 + i);
    for (uint32_t k = 0; k < adjoints; k++)
        form_push_id(program->arena, &arguments, 2 + count + adjoints + k);
    const struct form_entry *swept = sweep(more, back, 1, &arguments);
    form_push_id(program->arena, &next,
                 form_compute_2(more, ISA_OP_SUB_I, 0, integer(p, 1)));
    for (uint32_t i = 1; i < 2 + count + adjoints; i++)
        form_push_id(program->arena, &next, i);
    for (uint32_t k = 0; k < adjoints; k++) {
        const uint32_t outside = 2 + count + k;
        form_push_id(
            program->arena, &next,
            own[k] == FORM_NONE
                ? outside
                : form_add(more, outside,
                           total(more, swept->results.items[own_result[k]], 2 + own[k])));
    }
    const struct form_entry *rest = form_apply(more, m.routine, next.items, next.count);
    for (uint32_t k = 0; k < adjoints; k++)
        give(&m,
             form_merge(p, is_done, 2 + count + adjoints + k, rest->results.items[k]));
    return m.routine;
}

/* Whether the elements use result k of their entry, as which argument behind the length; FORM_NONE: not. */
static uint32_t find_own(const struct form_entry *e, uint32_t k)
{
    for (uint32_t i = 1; i < e->operands.count; i++)
        if (e->operands.items[i] == e->results.items[k])
            return i - 1;
    return FORM_NONE;
}

void differ_tabulate(struct differ *d, struct form_place p, struct adjoints *a,
                     const struct form_entry *e, const struct form_ids *y)
{
    struct form_program *program = d->program;
    const uint32_t count = e->operands.count; /* with the index instead of the length */
    const uint32_t length = e->operands.items[0];
    bool *in_step = LIB_ARENA_ARRAY(program->arena, bool, count);
    enum isa_type *types = LIB_ARENA_ARRAY(program->arena, enum isa_type,
                                           count + y->count);
    uint32_t *own = LIB_ARENA_ARRAY(program->arena, uint32_t, y->count);
    uint32_t *own_result = LIB_ARENA_ARRAY(program->arena, uint32_t, y->count);
    struct form_ids arguments = {0};
    const struct form *element = form_of(program, e->routine);
    bool is_own = false;
    types[0] = ISA_INT;
    for (uint32_t i = 1; i < count; i++) {
        types[i] = form_type(p.form, e->operands.items[i]);
        in_step[i] = form_is_real(types[i]) && is_in_step(element, i);
        form_push_id(program->arena, &arguments, e->operands.items[i]);
    }
    for (uint32_t k = 0, r = 0; r < e->results.count; r++)
        if (form_is_real(form_type(p.form, e->results.items[r]))) {
            types[count + k] = form_type(p.form, e->results.items[r]);
            own[k] = find_own(e, r);
            is_own |= own[k] != FORM_NONE;
            if (own[k] != FORM_NONE)
                in_step[own[k] + 1] =
                    false; /* an element that reads itself waits forever */
            k++;
        }
    const uint32_t back = back_routine(d, e->routine, in_step, types, count, y->count,
                                       e->pos);
    for (uint32_t k = 0; k < y->count;
         k++) { /* where the back routine gives what is its own */
        own_result[k] = 0;
        for (uint32_t i = 0; own[k] != FORM_NONE && i < own[k]; i++)
            own_result[k] += form_is_real(types[i + 1]);
    }
    struct form_ids given = *y;
    if (is_own) {
        const uint32_t settle = settle_routine(program, back, &types[1], count - 1,
                                               y->count, own, own_result, e->pos);
        struct form_ids all = {0};
        form_push_id(program->arena, &all, length);
        form_push_id(program->arena, &all, length);
        for (uint32_t i = 0; i < arguments.count; i++)
            form_push_id(program->arena, &all, arguments.items[i]);
        for (uint32_t k = 0; k < 2 * y->count; k++)
            form_push_id(program->arena, &all, y->items[k % y->count]);
        given = form_apply(p, settle, all.items, all.count)->results;
    }
    for (uint32_t k = 0; k < y->count; k++)
        form_push_id(program->arena, &arguments, given.items[k]);
    const struct form_entry *swept = sweep(p, back, length, &arguments);
    uint32_t k = 0;
    for (uint32_t i = 1; i < count; i++) {
        const uint32_t value = e->operands.items[i];
        if (!form_is_real(types[i]))
            continue;
        const uint32_t all = swept->results.items[k++];
        bool is_result = false;
        for (uint32_t r = 0; r < e->results.count; r++)
            is_result |= e->results.items[r] == value;
        if (d->active[value] && !is_result)
            differ_add(d, p, a, value,
                       in_step[i] ? extend(p, all, length, value) : total(p, all, value));
    }
    for (uint32_t i = 0; i < d->wanted->count && k < swept->results.count; i++)
        if (form_reaches(program, e->routine, d->wanted->items[i]))
            differ_add(d, p, a, d->first_cell + i,
                       total_of_cell(p, swept->results.items[k++], d->wanted->items[i]));
}

/* Derivatives by arrays. The adjoint of an array is an array of the same length. Reading one
 * element contributes an array that is zero elsewhere; if element i of another array reads
 * element i, for all i, they contribute one array together. */
#include "programs/gradient/arrays.h"

#include <assert.h>

/* --- helpers as routines ------------------------------------------------------------------ */

struct form_maker form_make(struct form_program *program, const char *name,
                            const enum isa_type *params, uint32_t param_count,
                            const enum isa_type *results, uint32_t result_count,
                            struct lib_pos pos)
{
    struct form_maker m = {.routine = form_add_routine(program, FORM_HELPER, name, pos)};
    struct form *form = form_new(program, program->arena);
    form_set_types(program, m.routine, params, param_count, results, result_count);
    program->routines[m.routine].form = form;
    for (uint32_t i = 0; i < param_count; i++)
        form_param(form, params[i], i);
    m.p = (struct form_place){program, form, &form->top, pos};
    return m;
}

void form_give(const struct form_maker *m, uint32_t value)
{
    form_push_id(m->p.program->arena, &m->p.form->results, value);
}

struct form_entry *form_tabulate(struct form_place p, uint32_t length, uint32_t routine,
                                 const uint32_t *arguments, uint32_t count)
{
    struct form_entry *e = form_add_entry(p, FORM_TABULATE);
    const struct form_routine *r = &p.program->routines[routine];
    e->routine = routine;
    form_add_operand(p, e, length);
    for (uint32_t i = 0; i < count; i++)
        form_add_operand(p, e, arguments[i]);
    for (uint32_t k = 0; k < r->result_count; k++)
        form_add_result(p, e, isa_type_array_of(r->results[k]));
    return e;
}

struct form_maker form_make_element(struct form_place p, const char *name,
                                    enum isa_type element, const uint32_t *arguments,
                                    uint32_t count)
{
    enum isa_type *types = LIB_ARENA_ARRAY(p.program->arena, enum isa_type, count + 1);
    types[0] = ISA_INT;
    for (uint32_t i = 0; i < count; i++)
        types[i + 1] = form_type(p.form, arguments[i]);
    return form_make(p.program, name, types, count + 1, &element, 1, p.pos);
}

uint32_t form_end_element(const struct form_maker *m, uint32_t element,
                          struct form_place p, uint32_t length, const uint32_t *arguments,
                          uint32_t count)
{
    form_give(m, element);
    return form_tabulate(p, length, m->routine, arguments, count)->results.items[0];
}

static const char *name_of(struct form_program *program, const char *what,
                           enum isa_type type)
{
    const char *leaf = isa_type_leaf(type) == ISA_REAL ? "real" : "tensor";
    return lib_arena_printf(program->arena, "%s.%s%u", what, leaf, isa_type_rank(type));
}

/* --- zeros, sums ------------------------------------------------------------------------------ */

/* x < x is 0.0 for all x. */
static uint32_t zero_tensor(struct form_place p, uint32_t like)
{
    return form_join(p, ISA_KERNEL_LT, like, like);
}

static uint32_t zeros_routine(struct form_program *program, enum isa_type type)
{
    const enum isa_type element = isa_type_element(type);
    const bool is_real = element == ISA_REAL;
    const uint32_t array = 0, count = !is_real;
    if (program->zeros[type] != FORM_NONE)
        return program->zeros[type];
    const struct form_maker all = form_make(program, name_of(program, "zeros", type),
                                            &type, 1, &type, 1, (struct lib_pos){0});
    const struct form_maker one = form_make_element(
        all.p, name_of(program, "zero", element), element, &array, count);
    const uint32_t zero = is_real ? form_real(one.p.form, 0)
                                  : form_zero(one.p, form_fetch(one.p, 1, 0));
    form_give(&all, form_end_element(&one, zero, all.p, form_length(all.p, array), &array,
                                     count));
    return program->zeros[type] = all.routine;
}

uint32_t form_site_zero(struct form_place p, enum isa_type type)
{
    if (type == ISA_REAL)
        return form_real(p.form, 0);
    if (type == ISA_TENSOR)
        return form_compute_1(p, ISA_OP_SCALAR, form_real(p.form, 0));
    struct form_entry *none = form_add_entry(p, FORM_LIST);
    return form_add_result(p, none, type);
}

uint32_t form_zero(struct form_place p, uint32_t like)
{
    const enum isa_type type = form_type(p.form, like);
    if (type == ISA_REAL)
        return form_real(p.form, 0);
    if (type == ISA_TENSOR)
        return zero_tensor(p, like);
    return form_apply(p, zeros_routine(p.program, type), &like, 1)->results.items[0];
}

static uint32_t adds_routine(struct form_program *program, enum isa_type type)
{
    const enum isa_type element = isa_type_element(type), types[] = {type, type};
    const uint32_t arrays[] = {0, 1};
    if (program->adds[type] != FORM_NONE)
        return program->adds[type];
    const struct form_maker all = form_make(program, name_of(program, "adds", type),
                                            types, 2, &type, 1, (struct lib_pos){0});
    const struct form_maker one = form_make_element(
        all.p, name_of(program, "add", element), element, arrays, 2);
    const uint32_t a = form_fetch(one.p, 1, 0), b = form_fetch(one.p, 2, 0);
    form_give(&all, form_end_element(&one, form_add(one.p, a, b), all.p,
                                     form_length(all.p, 0), arrays, 2));
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

struct form_halves form_make_halves(struct form_program *program, const char *name,
                                    const enum isa_type *types, uint32_t count)
{
    enum isa_type results[FORM_HALVES_MAX] = {ISA_INT};
    const uint32_t low = count, high = count + 1;
    for (uint32_t i = 0; i < count; i++)
        results[i] = isa_type_element(types[i]);
    struct form_halves h = {.m = form_make(program, name, types, count + 2, results,
                                           count, (struct lib_pos){0})};
    const struct form_place p = h.m.p;
    const uint32_t length = form_compute_2(p, ISA_OP_SUB_I, high, low);
    h.is_one = form_split(p, form_compute_2(p, ISA_OP_EQ_I, length, form_integer(p, 1)));
    h.more = form_side(p, h.is_one, 1);
    for (uint32_t i = 0; i < count; i++)
        h.only[i] = form_fetch(form_side(p, h.is_one, 0), i, low);
    const uint32_t half = form_compute_2(h.more, ISA_OP_DIV_I, length,
                                         form_integer(p, 2));
    uint32_t arguments[FORM_HALVES_MAX + 2] = {0, 1, 2};
    arguments[low] = low;
    arguments[high] = form_compute_2(h.more, ISA_OP_ADD_I, low, half);
    h.low = form_apply(h.more, h.m.routine, arguments, count + 2)->results.items;
    arguments[low] = arguments[high];
    arguments[high] = high;
    h.high = form_apply(h.more, h.m.routine, arguments, count + 2)->results.items;
    return h;
}

void form_end_halves(const struct form_halves *h, const uint32_t *both, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        form_give(&h->m, form_merge(h->m.p, h->is_one, h->only[i], both[i]));
}

/* Returns a routine that sums the elements [low, high) of an array, which are not plain reals,
 * in the order of `sum`. */
static uint32_t totals_routine(struct form_program *program, enum isa_type type)
{
    if (program->totals[type] != FORM_NONE)
        return program->totals[type];
    const enum isa_type types[] = {type, ISA_INT, ISA_INT};
    const struct form_halves h = form_make_halves(
        program, name_of(program, "total", type), types, 1);
    program->totals[type] = h.m.routine;
    const uint32_t sum = form_add(h.more, h.low[0], h.high[0]);
    form_end_halves(&h, &sum, 1);
    return h.m.routine;
}

uint32_t form_total(struct form_place p, uint32_t array, uint32_t like)
{
    const enum isa_type type = form_type(p.form, array);
    if (type == isa_type_array_of(ISA_REAL)) {
        return form_convert(p, FORM_SUM, array, 0, ISA_REAL);
    }
    const uint32_t length = form_length(p, array);
    struct form_entry *is_none = form_split(
        p, form_compute_2(p, ISA_OP_EQ_I, length, form_integer(p, 0)));
    const struct form_place some = form_side(p, is_none, 1);
    const uint32_t all = form_apply(some, totals_routine(p.program, type),
                                    (const uint32_t[]){array, form_integer(p, 0), length},
                                    3)
                             ->results.items[0];
    return form_merge(p, is_none, form_zero(form_side(p, is_none, 0), like), all);
}

/* --- reading, writing, adding up ---------------------------------------------------- */

static uint32_t put_routine(struct form_program *program, enum isa_type type)
{
    const enum isa_type element = isa_type_element(type);
    if (program->puts[type] != FORM_NONE)
        return program->puts[type];
    struct form_maker m = form_make(
        program, name_of(program, "put", element),
        (const enum isa_type[]){ISA_INT, type, ISA_INT, element}, 4, &element, 1,
        (struct lib_pos){0});
    struct form_entry *here = form_split(m.p, form_compute_2(m.p, ISA_OP_EQ_I, 0, 2));
    const struct form_place elsewhere = form_side(m.p, here, 1);
    const uint32_t zero = element == ISA_REAL
                              ? form_real(m.p.form, 0)
                              : form_zero(elsewhere, form_fetch(elsewhere, 1, 0));
    form_give(&m, form_merge(m.p, here, 3, zero));
    return program->puts[type] = m.routine;
}

void differ_fetch(struct differ *d, const struct form_entry *e, uint32_t y)
{
    const struct form_place p = d->p;
    const uint32_t site = form_find_id(&p.program->routines[d->of].sites, e->site);
    const uint32_t array = e->operands.items[0], index = e->operands.items[1];
    if (site != FORM_NONE) {
        differ_add(d, d->first_site + site, y);
        return;
    }
    const uint32_t put = put_routine(p.program, form_type(p.form, array));
    const uint32_t length = form_length(p, array);
    differ_add(d, array,
               form_tabulate(p, length, put, (const uint32_t[]){array, index, y}, 3)
                   ->results.items[0]);
}

void differ_list(struct differ *d, const struct form_entry *e, uint32_t y)
{
    for (uint32_t i = 0; i < e->operands.count; i++)
        if (d->active[e->operands.items[i]])
            differ_add(d, e->operands.items[i],
                       form_fetch(d->p, y, form_integer(d->p, i)));
}

/* Each element was added once. */
void differ_sum(struct differ *d, const struct form_entry *e, uint32_t y)
{
    const struct form_maker m = form_make_element(d->p, "spread", ISA_REAL, &y, 1);
    const uint32_t array = e->operands.items[0];
    differ_add(d, array, form_end_element(&m, 1, d->p, form_length(d->p, array), &y, 1));
}

uint32_t form_extend(struct form_place p, uint32_t elements, uint32_t count,
                     uint32_t like)
{
    const enum isa_type element = isa_type_element(form_type(p.form, like));
    const uint32_t arguments[] = {elements, count, like};
    const struct form_maker m = form_make_element(
        p, name_of(p.program, "extend", element), element, arguments, 3);
    struct form_entry *is_there = form_split(m.p, form_compute_2(m.p, ISA_OP_LT_I, 0, 2));
    const struct form_place behind = form_side(m.p, is_there, 1);
    const uint32_t one = form_fetch(form_side(m.p, is_there, 0), 1, 0);
    const uint32_t zero = element == ISA_REAL
                              ? form_real(m.p.form, 0)
                              : form_zero(behind, form_fetch(behind, 3, 0));
    return form_end_element(&m, form_merge(m.p, is_there, one, zero), p,
                            form_length(p, like), arguments, 3);
}

#include "programs/gradient/sites.h"

#include "programs/gradient/arrays.h"

#include <assert.h>

/* --- indices ---------------------------------------------------------------------------------- */

/* A routine that makes elements, and the enclosing ones. */
struct level {
    const struct level *outer;      /* NULL for the outermost */
    const struct form_entry *entry; /* its TABULATE in the form of `outer` */
    uint32_t routine, number;
    struct form *form;
};

static bool add_term(struct form_offset *to, int kind, uint32_t index, bool is_minus)
{
    if (to->term_count == FORM_TERMS_MAX)
        return false;
    to->terms[to->term_count++] = (struct form_term){kind, is_minus, index};
    return true;
}

static bool add_literal(struct form_offset *to, int64_t i, bool is_minus)
{
    enum { MOST = 1 << 30 }; /* so that no sum overflows */
    if (i > MOST || i < -MOST)
        return false;
    to->literal += is_minus ? -i : i;
    return to->literal <= MOST && to->literal >= -MOST;
}

/* Adds a value to an offset. Returns false if the sum contains more than values known outside
 * and the number of one element. */
static bool add_value(const struct level *at, uint32_t value, bool is_minus,
                      struct form_offset *to)
{
    const struct form_value *v = &at->form->values[value];
    switch (v->kind) {
    case FORM_LITERAL:
        return add_literal(to, isa_value_int(v->literal), is_minus);
    case FORM_INPUT:
        return add_term(to, FORM_TERM_INPUT, v->index, is_minus);
    case FORM_PARAM:
        if (v->index == 0) {
            const bool is_first = !is_minus && to->level == 0;
            to->level = at->number;
            return is_first;
        }
        return at->outer ? add_value(at->outer, at->entry->operands.items[v->index],
                                     is_minus, to)
                         : add_term(to, FORM_TERM_PARAM, v->index, is_minus);
    case FORM_MADE:
        break;
    default:
        return false;
    }
    const struct form_entry *e = form_find_maker(at->form, value);
    if (e->kind == FORM_READ)
        return add_term(to, FORM_TERM_CELL, e->index, is_minus);
    if (e->kind != FORM_COMPUTE || (e->op != ISA_OP_ADD_I && e->op != ISA_OP_SUB_I))
        return false;
    return add_value(at, e->operands.items[0], is_minus, to) &&
           add_value(at, e->operands.items[1], is_minus ^ (e->op == ISA_OP_SUB_I), to);
}

/* --- readers of an array -------------------------------------------------------------- */

struct search {
    struct form_program *program;
    uint32_t way; /* 0: only searches, without marking sites */
    struct form_sites *sites;
    uint32_t rank;            /* rank of the array */
    struct form_offset *path; /* indices in the dimensions read so far */
};

static bool search(struct search *s, const struct level *at, uint32_t value,
                   uint32_t depth);

static void set_way(struct form_program *program, uint32_t routine, uint32_t param,
                    uint32_t way)
{
    struct form_routine *r = &program->routines[routine];
    if (!r->ways)
        r->ways = LIB_ARENA_ARRAY(program->arena, uint32_t, r->param_count);
    r->ways[param] = way;
}

/* Returns the type of the adjoints at a level: with an array for each dimension whose index is
 * the number of an element at an inner level. */
static enum isa_type type_at(const struct search *s, uint32_t number, enum isa_type leaf)
{
    for (uint32_t k = 0; k < s->rank; k++)
        if (s->path[k].level > number)
            leaf = isa_type_array_of(leaf);
    return leaf;
}

static void add_site(struct search *s, const struct level *at, struct form_entry *e)
{
    struct form_program *program = s->program;
    struct form_site site = {0};
    if (!s->way)
        return;
    site.id = e->site = ++program->way_count;
    site.at = LIB_ARENA_ARRAY(program->arena, struct form_offset, s->rank);
    for (uint32_t k = 0; k < s->rank; k++)
        site.at[k] = s->path[k];
    struct form_sites *sites = s->sites;
    *LIB_ARENA_PUSH(program->arena, sites) = site;
    const enum isa_type leaf = form_type(at->form, e->results.items[0]);
    for (; at; at = at->outer) {
        struct form_routine *r = &program->routines[at->routine];
        form_push_id(program->arena, &r->sites, site.id);
        form_push_id(program->arena, &r->site_types, type_at(s, at->number, leaf));
    }
}

/* Searches a FETCH. The index in each dimension must contain the number of an element at an
 * inner level of that of the previous dimension. */
static bool search_fetch(struct search *s, const struct level *at, struct form_entry *e,
                         uint32_t depth)
{
    struct form_offset *offset = &s->path[depth];
    *offset = (struct form_offset){0};
    if (!add_value(at, e->operands.items[1], false, offset) ||
        offset->level <= (depth ? s->path[depth - 1].level : 0) ||
        (depth == 0 && offset->level != 1))
        return false;
    const uint32_t element = e->results.items[0];
    if (isa_type_rank(form_type(at->form, element)) > 0)
        return search(s, at, element, depth + 1);
    add_site(s, at, e);
    return true;
}

uint32_t form_own_copy(struct form_program *program, uint32_t routine)
{
    struct form *form = form_copy(program, form_of(program, routine));
    const struct form_routine old = program->routines[routine];
    const uint32_t made = form_add_routine(program, FORM_HELPER, old.name, old.pos);
    form_set_types(program, made, old.params, old.param_count, old.results,
                   old.result_count);
    struct form_routine *r = &program->routines[made];
    r->form = form;
    r->order = old.order;
    r->is_loop = old.is_loop;
    r->bound = old.bound;
    for (uint32_t i = 0; old.ways && i < old.param_count; i++)
        set_way(program, made, i, old.ways[i]);
    for (uint32_t i = 0; i < old.sites.count; i++) {
        form_push_id(program->arena, &r->sites, old.sites.items[i]);
        form_push_id(program->arena, &r->site_types, old.site_types.items[i]);
    }
    return made;
}

static bool search_tabulate(struct search *s, const struct level *at,
                            struct form_entry *e, uint32_t value, uint32_t depth)
{
    if (s->way)
        e->routine = form_own_copy(s->program, e->routine);
    const struct level inner = {at, e, e->routine, at->number + 1,
                                form_of(s->program, e->routine)};
    for (uint32_t i = 1; i < e->operands.count; i++) {
        if (e->operands.items[i] != value)
            continue;
        if (s->way)
            set_way(s->program, e->routine, i, s->way);
        const uint32_t v = form_find_param(inner.form, i);
        if (v != FORM_NONE && !search(s, &inner, v, depth))
            return false;
    }
    return true;
}

/* Searches the uses of a value, an array of which `depth` dimensions were read. */
static bool search(struct search *s, const struct level *at, uint32_t value,
                   uint32_t depth)
{
    bool good = form_find_id(&at->form->results, value) == FORM_NONE;
    struct form_walk walk = form_walk_of(&at->form->top);
    for (struct form_entry *e; good && (e = form_walk_next(&walk));) {
        const bool is_user = form_find_id(&e->operands, value) != FORM_NONE;
        if (is_user && e->kind == FORM_FETCH)
            good = search_fetch(s, at, e, depth);
        else if (is_user && e->kind == FORM_TABULATE)
            good = search_tabulate(s, at, e, value, depth);
        else if (is_user)
            good = e->kind == FORM_COMPUTE && e->op == ISA_OP_LENGTH;
    }
    form_walk_end(&walk);
    return good;
}

bool form_find_sites(struct form_program *program, uint32_t routine, uint32_t param,
                     uint32_t way, struct form_sites *sites)
{
    struct form *form = form_of(program, routine);
    const uint32_t rank = isa_type_rank(program->routines[routine].params[param]);
    struct search s = {program, way, sites, rank,
                       LIB_ARENA_ARRAY(program->arena, struct form_offset, rank + 1)};
    const struct level at = {NULL, NULL, routine, 1, form};
    if (rank == 0)
        return false;
    if (way)
        set_way(program, routine, param, way);
    const uint32_t v = form_find_param(form, param);
    return v == FORM_NONE || search(&s, &at, v, 0);
}

/* --- adjoints that come together ---------------------------------------------------- */

uint32_t form_site_zero(struct form_place p, enum isa_type type)
{
    if (type == ISA_REAL)
        return form_real(p.form, 0);
    if (type == ISA_TENSOR)
        return form_compute_1(p, ISA_OP_SCALAR, form_real(p.form, 0));
    struct form_entry *none = form_add_entry(p, FORM_LIST);
    return form_add_result(p, none, type);
}

/* For each site and dimension: the offset that is subtracted from the index, or FORM_NONE; and
 * the index of the adjoint. */
struct shifts {
    uint32_t *offsets, *at;
};

static uint32_t term_value(struct form_place p, const struct form_term *term,
                           const uint32_t *given)
{
    switch (term->kind) {
    case FORM_TERM_PARAM:
        return given[term->index];
    case FORM_TERM_INPUT:
        return form_add_value(p.form, (struct form_value){.kind = FORM_INPUT,
                                                          .type = ISA_INT,
                                                          .index = term->index});
    default:
        return form_read(p, term->index, ISA_INT);
    }
}

static uint32_t offset_value(struct form_place p, const struct form_offset *offset,
                             const uint32_t *given)
{
    uint32_t sum = FORM_NONE;
    if (offset->literal || (offset->term_count && offset->terms[0].is_minus))
        sum = form_integer(p, offset->literal);
    for (uint32_t i = 0; i < offset->term_count; i++) {
        const struct form_term *term = &offset->terms[i];
        const uint32_t v = term_value(p, term, given);
        sum = sum == FORM_NONE
                  ? v
                  : form_compute_2(p, term->is_minus ? ISA_OP_SUB_I : ISA_OP_ADD_I, sum,
                                   v);
    }
    return sum;
}

static uint32_t rank_of(const struct form_gather *g)
{
    return isa_type_rank(g->type);
}

static uint32_t pick(struct form_place p, const struct form_gather *g, uint32_t site,
                     uint32_t array, const uint32_t *at, uint32_t dimension);

static uint32_t pick_read(struct form_place p, const struct form_gather *g, uint32_t site,
                          uint32_t array, const uint32_t *at, uint32_t dimension)
{
    const uint32_t element = form_fetch(p, array, at[dimension]);
    return dimension + 1 == rank_of(g) ? element
                                       : pick(p, g, site, element, at, dimension + 1);
}

/* Returns the element at an index, or a zero if that is not below the length. */
static uint32_t pick_below(struct form_place p, const struct form_gather *g,
                           uint32_t site, uint32_t array, const uint32_t *at,
                           uint32_t dimension)
{
    const uint32_t length = form_length(p, array);
    struct form_entry *is_in = form_split(
        p, form_compute_2(p, ISA_OP_LT_I, at[dimension], length));
    const uint32_t there = pick_read(form_side(p, is_in, 0), g, site, array, at,
                                     dimension);
    return form_merge(p, is_in, there,
                      form_site_zero(form_side(p, is_in, 1), form_type(p.form, there)));
}

static uint32_t pick_in(struct form_place p, const struct form_gather *g, uint32_t site,
                        uint32_t array, const uint32_t *at, uint32_t dimension)
{
    const struct form_offset *offset = &g->sites->items[site].at[dimension];
    const bool is_below = g->is_own && dimension == 0 && offset->literal >= 0 &&
                          offset->term_count == 0;
    return is_below ? pick_read(p, g, site, array, at, dimension)
                    : pick_below(p, g, site, array, at, dimension);
}

/* Returns the adjoint of this element at a site, or zero if no element read it there. Checks
 * only bounds that the index can exceed. */
static uint32_t pick(struct form_place p, const struct form_gather *g, uint32_t site,
                     uint32_t array, const uint32_t *at, uint32_t dimension)
{
    const struct form_offset *offset = &g->sites->items[site].at[dimension];
    if (offset->literal <= 0 && offset->term_count == 0)
        return pick_in(p, g, site, array, at, dimension);
    struct form_entry *is_in = form_split(
        p, form_compute_2(p, ISA_OP_GE_I, at[dimension], form_integer(p, 0)));
    const uint32_t there = pick_in(form_side(p, is_in, 0), g, site, array, at, dimension);
    return form_merge(p, is_in, there,
                      form_site_zero(form_side(p, is_in, 1), form_type(p.form, there)));
}

static uint32_t gather_leaf(struct form_place p, const struct form_gather *g,
                            uint32_t row, uint32_t index, const uint32_t *arrays,
                            const uint32_t *at)
{
    uint32_t sum = FORM_NONE;
    if (g->is_own)
        sum = form_fetch(p, row, index);
    else if (isa_type_leaf(g->type) == ISA_TENSOR)
        sum = form_zero(p, form_fetch(p, row, index));
    for (uint32_t s = g->sites->count; s-- > 0;) {
        const uint32_t part = pick(p, g, s, arrays[s], &at[s * rank_of(g)], 0);
        sum = sum == FORM_NONE ? part : form_add(p, sum, part);
    }
    return sum == FORM_NONE ? form_real(p.form, 0) : sum;
}

static uint32_t gather_at(struct form_place p, const struct form_gather *g,
                          uint32_t dimension, uint32_t row, uint32_t index,
                          const uint32_t *arrays, struct shifts shifts);

/* Gathers elements of elements by a routine of their own. */
static uint32_t gather_row(struct form_place p, const struct form_gather *g,
                           uint32_t dimension, uint32_t row, const uint32_t *arrays,
                           struct shifts shifts)
{
    struct form_program *program = p.program;
    const uint32_t count = g->sites->count, rank = rank_of(g);
    struct form_ids arguments = {0};
    form_push_id(program->arena, &arguments, row);
    for (uint32_t s = 0; s < count; s++)
        form_push_id(program->arena, &arguments, arrays[s]);
    for (uint32_t i = 0; i < count * rank; i++) {
        const struct form_offset *offset = &g->sites->items[i / rank].at[i % rank];
        if (i % rank < dimension)
            form_push_id(program->arena, &arguments, shifts.at[i]);
        else if (offset->term_count)
            form_push_id(program->arena, &arguments, shifts.offsets[i]);
    }
    const enum isa_type element = isa_type_element(form_type(p.form, row));
    const struct form_maker m = form_make_element(p, "gather", element, arguments.items,
                                                  arguments.count);
    struct shifts inner = {LIB_ARENA_ARRAY(program->arena, uint32_t, count * rank),
                           LIB_ARENA_ARRAY(program->arena, uint32_t, count * rank)};
    uint32_t *inner_arrays = LIB_ARENA_ARRAY(program->arena, uint32_t, count), next = 2;
    for (uint32_t s = 0; s < count; s++)
        inner_arrays[s] = next++;
    for (uint32_t i = 0; i < count * rank; i++) {
        const struct form_offset *offset = &g->sites->items[i / rank].at[i % rank];
        if (i % rank < dimension)
            inner.at[i] = next++;
        else if (offset->term_count)
            inner.offsets[i] = next++;
        else
            inner.offsets[i] = offset_value(m.p, offset, NULL);
    }
    const uint32_t one = gather_at(m.p, g, dimension, 1, 0, inner_arrays, inner);
    return form_end_element(&m, one, p, form_length(p, row), arguments.items,
                            arguments.count);
}

static uint32_t gather_at(struct form_place p, const struct form_gather *g,
                          uint32_t dimension, uint32_t row, uint32_t index,
                          const uint32_t *arrays, struct shifts shifts)
{
    for (uint32_t s = 0; s < g->sites->count; s++) {
        const uint32_t i = s * rank_of(g) + dimension;
        shifts.at[i] = shifts.offsets[i] == FORM_NONE
                           ? index
                           : form_compute_2(p, ISA_OP_SUB_I, index, shifts.offsets[i]);
    }
    return dimension + 1 == rank_of(g)
               ? gather_leaf(p, g, row, index, arrays, shifts.at)
               : gather_row(p, g, dimension + 1, form_fetch(p, row, index), arrays,
                            shifts);
}

static struct shifts shifts_of(struct form_place p, const struct form_gather *g)
{
    const uint32_t count = g->sites->count * rank_of(g);
    struct shifts shifts = {LIB_ARENA_ARRAY(p.program->arena, uint32_t, count),
                            LIB_ARENA_ARRAY(p.program->arena, uint32_t, count)};
    for (uint32_t i = 0; i < count; i++)
        shifts.offsets[i] = offset_value(
            p, &g->sites->items[i / rank_of(g)].at[i % rank_of(g)], g->given);
    return shifts;
}

uint32_t form_gather(struct form_place p, const struct form_gather *gather, uint32_t row,
                     uint32_t index)
{
    return gather_at(p, gather, 0, row, index, gather->arrays, shifts_of(p, gather));
}

uint32_t form_gather_all(struct form_place p, const struct form_gather *gather,
                         uint32_t array)
{
    return gather_row(p, gather, 0, array, gather->arrays, shifts_of(p, gather));
}

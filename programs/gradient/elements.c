/* Derivatives by the operands of the elements of a TABULATE. Element i of another TABULATE makes
 * the adjoints of element i; its results are arrays of the contributions of each element. If
 * paired, the iteration that makes element i makes them too.
 *
 * If elements read others of the same array, an adjoint is the sum of the adjoint from outside
 * and the contributions of the elements that read it, which are elements of the same TABULATE.
 * So the adjoints depend on each other as the elements do, in the opposite direction; as
 * elements of arrays become available one by one, they find their order.
 *
 * But an element that passes the array itself to a call contributes only when the call has
 * returned, after its own adjoint is known: all elements would wait for each other. Such calls are
 * inlined. If they have no end, the adjoints are computed in as many sweeps as there are elements:
 * the first sweep is right for elements that no other one reads, each further sweep for elements
 * that only such elements read. */
#include "programs/gradient/arrays.h"
#include "programs/gradient/deferred.h"

/* --- sites --------------------------------------------------------------------------------- */

/* A site is an array read whose position relative to the reading element is known in advance.
 *
 * In general, reading an element contributes an array that is zero except at that element; n
 * elements that read others would contribute n arrays of n. But if element i of a TABULATE reads an
 * array at i - c, with the same c for all i, it is known in advance to which element an adjoint
 * belongs. Such a FETCH is a site: its adjoint leaves the gradient of the element as a result of
 * its own, one value per element, and element k of the array gets the adjoint of the element that
 * reads it. Sites are added in source order, the last one first. Nested TABULATEs read elements of
 * elements so: a[i - c][j - d].
 *
 * An array that elements read only at sites has a way: an id that its parameter gets in all
 * routines through which it passes. Ids are never used again, so those that an earlier search has
 * left in a copy of a form have no effect. */

/* A term of an index that is the same for all elements: a parameter, an input or a constant. */
struct term {
    enum { TERM_PARAM, TERM_INPUT, TERM_CELL } kind;
    bool is_minus;
    uint32_t index;
};

enum { TERMS_MAX = 4 };

/* One index of an array read: the index of the reading element, at one level of nested arrays
 * (1: the outermost), plus `literal` and `terms`, which are the same for all elements. */
struct offset {
    uint32_t level; /* level of the element whose index is a part of this one; 0: none */
    int64_t literal;
    /* Terms to add; parameters are the parameters of the outermost routine. */
    struct term terms[TERMS_MAX];
    uint32_t term_count;
};

struct site {
    uint32_t id;
    struct offset *at; /* for each dimension of the array: the offset */
};

struct sites {
    struct site *items;
    uint32_t count, capacity;
};

/* A routine that makes elements, and the enclosing ones. */
struct level {
    const struct level *outer;      /* NULL for the outermost */
    const struct form_entry *entry; /* its TABULATE in the form of `outer` */
    uint32_t routine, number;
    struct form *form;
};

static bool add_term(struct offset *to, int kind, uint32_t index, bool is_minus)
{
    if (to->term_count == TERMS_MAX)
        return false;
    to->terms[to->term_count++] = (struct term){kind, is_minus, index};
    return true;
}

static bool add_literal(struct offset *to, int64_t i, bool is_minus)
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
                      struct offset *to)
{
    const struct form_value *v = &at->form->values[value];
    switch (v->kind) {
    case FORM_LITERAL:
        return add_literal(to, isa_value_int(v->literal), is_minus);
    case FORM_INPUT:
        return add_term(to, TERM_INPUT, v->index, is_minus);
    case FORM_PARAM:
        if (v->index == 0) {
            const bool is_first = !is_minus && to->level == 0;
            to->level = at->number;
            return is_first;
        }
        return at->outer ? add_value(at->outer, at->entry->operands.items[v->index],
                                     is_minus, to)
                         : add_term(to, TERM_PARAM, v->index, is_minus);
    case FORM_MADE:
        break;
    default:
        return false;
    }
    const struct form_entry *e = form_find_maker(at->form, value);
    if (e->kind == FORM_READ)
        return add_term(to, TERM_CELL, e->index, is_minus);
    if (e->kind != FORM_COMPUTE || (e->op != ISA_OP_ADD_I && e->op != ISA_OP_SUB_I))
        return false;
    return add_value(at, e->operands.items[0], is_minus, to) &&
           add_value(at, e->operands.items[1], is_minus ^ (e->op == ISA_OP_SUB_I), to);
}

/* --- readers of an array -------------------------------------------------------------- */

struct search {
    struct form_program *program;
    uint32_t way; /* 0: only searches, without marking sites */
    struct sites *sites;
    uint32_t rank;       /* rank of the array */
    struct offset *path; /* indices in the dimensions read so far */
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
    struct site site = {0};
    if (!s->way)
        return;
    site.id = e->site = ++program->way_count;
    site.at = LIB_ARENA_ARRAY(program->arena, struct offset, s->rank);
    for (uint32_t k = 0; k < s->rank; k++)
        site.at[k] = s->path[k];
    struct sites *sites = s->sites;
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
    struct offset *offset = &s->path[depth];
    *offset = (struct offset){0};
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

/* Makes a copy of a routine and of its form. */
static uint32_t own_copy(struct form_program *program, uint32_t routine)
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
        e->routine = own_copy(s->program, e->routine);
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

/* Whether the elements that `routine` makes read the array in parameter `param` only at sites
 * (fixed offsets). If `way` is not 0, makes it the parameter's way, gives the array reads their
 * ids as sites, and adds the sites to *sites in source order. */
static bool find_sites(struct form_program *program, uint32_t routine, uint32_t param,
                       uint32_t way, struct sites *sites)
{
    struct form *form = form_of(program, routine);
    const uint32_t rank = isa_type_rank(program->routines[routine].params[param]);
    struct search s = {program, way, sites, rank,
                       LIB_ARENA_ARRAY(program->arena, struct offset, rank + 1)};
    const struct level at = {NULL, NULL, routine, 1, form};
    if (rank == 0)
        return false;
    if (way)
        set_way(program, routine, param, way);
    const uint32_t v = form_find_param(form, param);
    return v == FORM_NONE || search(&s, &at, v, 0);
}

/* --- adjoints that come together ---------------------------------------------------- */

/* Adjoints of array elements that were read at sites, to be summed for each element. */
struct gather {
    const struct sites *sites;
    enum isa_type type; /* type of the array that was read */
    /* For each site: array of the adjoints of the reading elements. */
    const uint32_t *arrays;
    /* Values of the parameters of the routine that makes the elements. */
    const uint32_t *given;
    /* The array is read by its own elements: the adjoints from outside are added. */
    bool is_own;
};

/* For each site and dimension: the offset that is subtracted from the index, or FORM_NONE; and
 * the index of the adjoint. */
struct shifts {
    uint32_t *offsets, *at;
};

static uint32_t term_value(struct form_place p, const struct term *term,
                           const uint32_t *given)
{
    switch (term->kind) {
    case TERM_PARAM:
        return given[term->index];
    case TERM_INPUT:
        return form_add_value(p.form, (struct form_value){.kind = FORM_INPUT,
                                                          .type = ISA_INT,
                                                          .index = term->index});
    default:
        return form_read(p, term->index, ISA_INT);
    }
}

static uint32_t offset_value(struct form_place p, const struct offset *offset,
                             const uint32_t *given)
{
    uint32_t sum = FORM_NONE;
    if (offset->literal || (offset->term_count && offset->terms[0].is_minus))
        sum = form_integer(p, offset->literal);
    for (uint32_t i = 0; i < offset->term_count; i++) {
        const struct term *term = &offset->terms[i];
        const uint32_t v = term_value(p, term, given);
        sum = sum == FORM_NONE
                  ? v
                  : form_compute_2(p, term->is_minus ? ISA_OP_SUB_I : ISA_OP_ADD_I, sum,
                                   v);
    }
    return sum;
}

static uint32_t rank_of(const struct gather *g)
{
    return isa_type_rank(g->type);
}

/* Returns the adjoint of this element at a site, or zero if no element read it there. Checks
 * only bounds that the index can exceed. */
static uint32_t pick(struct form_place p, const struct gather *g, uint32_t site,
                     uint32_t array, const uint32_t *at, uint32_t dimension)
{
    const struct offset *offset = &g->sites->items[site].at[dimension];
    const bool is_literal = offset->term_count == 0;
    struct form_place outer[2];
    struct form_entry *is_in[2];
    uint32_t checks = 0;
    if (!is_literal || offset->literal > 0) {
        outer[checks] = p;
        is_in[checks] = form_split(
            p, form_compute_2(p, ISA_OP_GE_I, at[dimension], form_integer(p, 0)));
        p = form_side(p, is_in[checks++], 0);
    }
    if (!g->is_own || dimension > 0 || !is_literal || offset->literal < 0) {
        outer[checks] = p;
        is_in[checks] = form_split(
            p, form_compute_2(p, ISA_OP_LT_I, at[dimension], form_length(p, array)));
        p = form_side(p, is_in[checks++], 0);
    }
    uint32_t there = form_fetch(p, array, at[dimension]);
    if (dimension + 1 < rank_of(g))
        there = pick(p, g, site, there, at, dimension + 1);
    while (checks-- > 0) {
        const struct form_place none = form_side(outer[checks], is_in[checks], 1);
        there = form_merge(outer[checks], is_in[checks], there,
                           form_site_zero(none, form_type(p.form, there)));
    }
    return there;
}

static uint32_t gather_leaf(struct form_place p, const struct gather *g, uint32_t row,
                            uint32_t index, const uint32_t *arrays, const uint32_t *at)
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

static uint32_t gather_at(struct form_place p, const struct gather *g, uint32_t dimension,
                          uint32_t row, uint32_t index, const uint32_t *arrays,
                          struct shifts shifts);

/* Gathers elements of elements by a routine of their own. */
static uint32_t gather_row(struct form_place p, const struct gather *g,
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
        const struct offset *offset = &g->sites->items[i / rank].at[i % rank];
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
        const struct offset *offset = &g->sites->items[i / rank].at[i % rank];
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

static uint32_t gather_at(struct form_place p, const struct gather *g, uint32_t dimension,
                          uint32_t row, uint32_t index, const uint32_t *arrays,
                          struct shifts shifts)
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

static struct shifts shifts_of(struct form_place p, const struct gather *g)
{
    const uint32_t count = g->sites->count * rank_of(g);
    struct shifts shifts = {LIB_ARENA_ARRAY(p.program->arena, uint32_t, count),
                            LIB_ARENA_ARRAY(p.program->arena, uint32_t, count)};
    for (uint32_t i = 0; i < count; i++)
        shifts.offsets[i] = offset_value(
            p, &g->sites->items[i / rank_of(g)].at[i % rank_of(g)], g->given);
    return shifts;
}

/* Returns the adjoint of element `index` of an array: the sum of its adjoints at all sites (array
 * reads). `row` is an array of adjoints from outside, whose element `index` is added to the sum, if
 * gather->is_own; else it is the array that was read, from which zeros have their type and
 * shape. */
static uint32_t gather_one(struct form_place p, const struct gather *gather, uint32_t row,
                           uint32_t index)
{
    return gather_at(p, gather, 0, row, index, gather->arrays, shifts_of(p, gather));
}

/* Returns an array of the adjoints of all elements of `array` at all sites. */
static uint32_t gather_all(struct form_place p, const struct gather *gather,
                           uint32_t array)
{
    return gather_row(p, gather, 0, array, gather->arrays, shifts_of(p, gather));
}

/* --- arrays that elements pass to calls --------------------------------------------- */

static bool routine_reads_elements(struct form_program *program, uint32_t routine,
                                   uint32_t param, bool is_element);

static bool reads_elements(struct form_program *program, const struct form *form,
                           uint32_t array, bool is_element);

static bool entry_reads_elements(struct form_program *program, const struct form *form,
                                 const struct form_entry *e, uint32_t array,
                                 bool is_element)
{
    switch (e->kind) {
    case FORM_COMPUTE:
        return e->op == ISA_OP_LENGTH;
    case FORM_SUM:
    case FORM_TO_TENSOR:
        return is_element;
    case FORM_FETCH:
        return isa_type_rank(form_type(form, e->results.items[0])) == 0 ||
               reads_elements(program, form, e->results.items[0], true);
    case FORM_TABULATE:
        for (uint32_t i = 1; i < e->operands.count; i++)
            if (e->operands.items[i] == array &&
                !routine_reads_elements(program, e->routine, i, is_element))
                return false;
        return true;
    default:
        return false;
    }
}

/* Whether a form reads an array only element by element. `is_element`: it is itself an element
 * of that array, and may also be summed or made a tensor. */
static bool reads_elements(struct form_program *program, const struct form *form,
                           uint32_t array, bool is_element)
{
    bool good = !form_has_id(&form->results, array);
    struct form_walk walk = form_walk_of(&form->top);
    for (const struct form_entry *e; good && (e = form_walk_next(&walk));)
        good = !form_has_id(&e->operands, array) ||
               entry_reads_elements(program, form, e, array, is_element);
    form_walk_end(&walk);
    return good;
}

/* Whether a routine that makes array elements only reads elements of the array in parameter
 * `param`, and does not pass the array itself to a call. */
static bool routine_reads_elements(struct form_program *program, uint32_t routine,
                                   uint32_t param, bool is_element)
{
    const struct form *form = form_of(program, routine);
    const uint32_t array = form_find_param(form, param);
    return array == FORM_NONE || reads_elements(program, form, array, is_element);
}

/* --- inlined calls --------------------------------------------------------------- */

/* max calls inlined for an array: recursive functions always have more */
enum { CALLS_MAX = 64 };

struct expand {
    struct form_program *program;
    uint32_t calls;
};

static bool expand_param(struct expand *x, uint32_t routine, uint32_t param);

/* Replaces the entry that a walk has reached, a call, by the entries of the routine. */
static void call_in_place(struct expand *x, struct form *form, struct form_walk *walk)
{
    const struct form_entry *e = walk->entry, *of = walk->at.of;
    struct form_block *block = of ? &of->blocks[walk->at.side] : &form->top;
    const struct form_block old = *block;
    struct form_block new = {.form = form};
    struct form_ids results = {0};
    for (uint32_t i = 0; i + 1 < walk->at.next; i++)
        form_add_to_block(&new, old.items[i]);
    form_inline(form_at(&new, e->pos), e->routine, e->operands.items, &results);
    for (uint32_t k = 0; k < e->results.count; k++)
        form_replace(form, e->results.items[k], results.items[k]);
    const uint32_t next = new.count;
    for (uint32_t i = walk->at.next; i < old.count; i++)
        form_add_to_block(&new, old.items[i]);
    *block = new;
    walk->at.next = next;
    x->calls++;
}

/* Inlines calls in the entry that a walk has reached. Returns true if there were any. */
static bool expand_entry(struct expand *x, struct form *form, struct form_walk *walk,
                         struct form_ids *arrays)
{
    struct form_entry *e = walk->entry;
    bool any = false, is_user = false;
    for (uint32_t k = 0; k < e->operands.count; k++)
        is_user |= form_has_id(arrays, e->operands.items[k]);
    if (is_user && e->kind == FORM_FETCH)
        form_push_id(x->program->arena, arrays, e->results.items[0]);
    if (is_user && e->kind == FORM_TABULATE) {
        e->routine = own_copy(x->program, e->routine);
        for (uint32_t k = 1; k < e->operands.count; k++)
            if (form_has_id(arrays, e->operands.items[k]))
                any |= expand_param(x, e->routine, k);
    }
    if (is_user && e->kind == FORM_APPLY && x->calls < CALLS_MAX) {
        call_in_place(x, form, walk);
        return true;
    }
    return any;
}

/* Inlines one more level of calls. `arrays`: the array, and its elements that are arrays.
 * Returns true if there were calls. */
static bool expand_form(struct expand *x, struct form *form, struct form_ids *arrays)
{
    bool any = false;
    struct form_walk walk = form_walk_of(&form->top);
    while (form_walk_next(&walk))
        any |= expand_entry(x, form, &walk, arrays);
    return any;
}

static bool expand_param(struct expand *x, uint32_t routine, uint32_t param)
{
    struct form *form = form_of(x->program, routine);
    const uint32_t array = form_find_param(form, param);
    bool any = false, more = array != FORM_NONE;
    while (more && x->calls < CALLS_MAX) {
        struct form_ids arrays = {0};
        form_push_id(x->program->arena, &arrays, array);
        more = expand_form(x, form, &arrays);
        any |= more;
    }
    return any;
}

/* Returns the routine that makes the elements of `tabulate`, after inlining calls to which
 * elements pass their array; or the routine itself if it has no such calls, or if inlining would
 * not end. */
static uint32_t expand_calls(struct form_program *program,
                             const struct form_entry *tabulate)
{
    struct expand x = {.program = program};
    uint32_t routine = tabulate->routine;
    bool is_whole = false;
    for (uint32_t i = 1; i < tabulate->operands.count; i++) {
        if (!form_has_id(&tabulate->results, tabulate->operands.items[i]) ||
            routine_reads_elements(program, routine, i, false))
            continue;
        if (routine == tabulate->routine)
            routine = own_copy(program, routine);
        expand_param(&x, routine, i);
        is_whole |= !routine_reads_elements(program, routine, i, false);
    }
    return is_whole || x.calls == CALLS_MAX ? tabulate->routine : routine;
}

/* --- sweeps ------------------------------------------------------------------------- */

/* Returns the number of elements of an array; of nested arrays, of innermost elements. */
static uint32_t count_leaves(struct form_place p, uint32_t array)
{
    const enum isa_type row = isa_type_element(form_type(p.form, array));
    const uint32_t length = form_length(p, array);
    if (isa_type_rank(row) == 0)
        return length;
    const struct form_maker m = form_make_element(p, "leaves", ISA_INT, &array, 1);
    const uint32_t leaves = count_leaves(m.p, form_fetch(m.p, 1, 0));
    return form_convert(p, FORM_SUM, form_end_element(&m, leaves, p, length, &array, 1),
                        0, ISA_INT);
}

/* --- elements that are read in step ---------------------------------------------- */

/* Whether the elements read a parameter in step only: at their own index, outside of
 * conditionals. */
static bool is_in_step(const struct form *form, uint32_t param)
{
    const uint32_t array = form_find_param(form, param),
                   counter = form_find_param(form, 0);
    if (array == FORM_NONE || counter == FORM_NONE ||
        isa_type_rank(form_type(form, array)) == 0)
        return false;
    bool any = false, good = !form_has_id(&form->results, array);
    struct form_walk walk = form_walk_of(&form->top);
    for (const struct form_entry *e; good && (e = form_walk_next(&walk));) {
        if (!form_has_id(&e->operands, array))
            continue;
        any = true;
        good = e->kind == FORM_FETCH && e->operands.items[1] == counter && !walk.at.of;
    }
    form_walk_end(&walk);
    return any && good;
}

/* Replaces the results of FETCHes from a value, which was an array and is now an element, by the
 * value. */
static void fetch_nothing(struct form *form, uint32_t array)
{
    struct form_block left = {.form = form}, gone = {.form = form};
    for (uint32_t k = 0; k < form->top.count; k++) {
        struct form_entry *e = form->top.items[k];
        const bool reads = e->kind == FORM_FETCH && e->operands.items[0] == array;
        form_add_to_block(reads ? &gone : &left, e);
    }
    form->top = left;
    for (uint32_t k = 0; k < gone.count; k++)
        form_replace(form, gone.items[k]->results.items[0], array);
}

/* Ways in which operands of elements get their adjoints. */
enum way {
    OF_NONE,  /* no adjoint, or not needed */
    WHOLE,    /* each element contributes a value of the operand's type */
    IN_STEP,  /* each element contributes to the element with its index */
    AT_SITES, /* each element contributes to elements at known offsets */
    FURTHER,  /* as AT_SITES, at sites of an enclosing TABULATE */
};

struct operand {
    enum way way;
    uint32_t own; /* adjoint of the same array, or FORM_NONE */
    struct sites sites;
};

struct elements {
    struct differ *d;
    struct form_place p;
    struct form_entry *e;
    uint32_t base;            /* routine that makes an element, after inlining */
    const struct form_ids *y; /* adjoints of the arrays that hold reals */
    uint32_t count;           /* operands, with the index instead of the length */
    enum isa_type *types;     /* types of the operands, then of the adjoints */
    struct operand *operands;
    /* For each adjoint: operand that is the same array, or FORM_NONE. */
    uint32_t *gathers;
    bool settles; /* elements pass the array itself to calls */
    bool is_paired;
    enum form_giving giving;  /* of the gradient */
    uint32_t inner, gradient; /* routine that makes an element, and its gradient */
    uint32_t first_result;    /* first result of the gradient after the elements */
    uint32_t back;            /* routine that makes the adjoints of one element */
};

/* --- ways of operands ----------------------------------------------------------------------- */

static bool leaves_further(const struct elements *t, uint32_t i)
{
    const struct form_program *program = t->d->program;
    const uint32_t *ways = program->routines[t->base].ways;
    const struct form_routine *of = &program->routines[t->d->of];
    for (uint32_t k = 0; ways && ways[i] && of->ways && k < of->param_count; k++)
        if (of->ways[k] == ways[i])
            return true;
    return false;
}

static bool is_at_sites(const struct elements *t, uint32_t i)
{
    return find_sites(t->d->program, t->base, i, 0, NULL);
}

static enum way way_of(const struct elements *t, uint32_t i)
{
    if (!form_is_real(t->types[i]))
        return OF_NONE;
    if (leaves_further(t, i))
        return FURTHER;
    if (t->operands[i].own != FORM_NONE)
        return !t->settles && is_at_sites(t, i) ? AT_SITES : WHOLE;
    if (!t->d->active[t->e->operands.items[i]])
        return OF_NONE;
    if (is_in_step(form_of(t->d->program, t->base), i))
        return IN_STEP;
    return is_at_sites(t, i) ? AT_SITES : WHOLE;
}

static void look_at_operands(struct elements *t)
{
    struct form_place p = t->p;
    const struct form_entry *e = t->e;
    uint32_t k = 0;
    t->base = expand_calls(t->d->program, e);
    t->types[0] = ISA_INT;
    for (uint32_t i = 1; i < t->count; i++) {
        t->types[i] = form_type(p.form, e->operands.items[i]);
        t->operands[i].own = FORM_NONE;
    }
    for (uint32_t r = 0; r < e->results.count; r++) {
        if (!form_is_real(form_type(p.form, e->results.items[r])))
            continue;
        t->types[t->count + k] = form_type(p.form, e->results.items[r]);
        t->gathers[k] = FORM_NONE;
        for (uint32_t i = 1; i < t->count; i++)
            if (e->operands.items[i] == e->results.items[r]) {
                t->operands[i].own = k;
                t->settles |= !routine_reads_elements(t->d->program, t->base, i, false);
                t->gathers[k] = i;
            }
        k++;
    }
    for (uint32_t i = 1; i < t->count; i++)
        t->operands[i].way = way_of(t, i);
}

/* --- what makes an element ---------------------------------------------------------- */

/* Returns a copy of the routine that makes the elements. Parameters that are arrays of which it
 * reads only element i become that element. */
static uint32_t with_elements(const struct elements *t)
{
    struct form_program *program = t->d->program;
    const uint32_t made = own_copy(program, t->base);
    struct form_routine *r = &program->routines[made];
    for (uint32_t i = 0; i < r->param_count; i++) {
        if (t->operands[i].way != IN_STEP)
            continue;
        const uint32_t v = form_find_param(r->form, i);
        r->form->values[v].type = r->params[i] = isa_type_element(r->params[i]);
        fetch_nothing(r->form, v);
    }
    return made;
}

/* Makes the inner routine. The sites of enclosing TABULATEs come first. */
static void make_inner(struct elements *t)
{
    struct form_program *program = t->d->program;
    t->inner = with_elements(t);
    const struct form_routine outer = program->routines[t->base];
    struct form_routine *inner = &program->routines[t->inner];
    inner->ways = LIB_ARENA_ARRAY(program->arena, uint32_t, t->count);
    inner->sites = inner->site_types = (struct form_ids){0};
    for (uint32_t i = 0; i < outer.sites.count; i++)
        if (form_has_id(&program->routines[t->d->of].sites, outer.sites.items[i])) {
            form_push_id(program->arena, &inner->sites, outer.sites.items[i]);
            form_push_id(program->arena, &inner->site_types, outer.site_types.items[i]);
        }
    for (uint32_t i = 1; i < t->count; i++) {
        const enum way way = t->operands[i].way;
        if (way == FURTHER)
            inner->ways[i] = outer.ways[i];
        else if (way == OF_NONE || way == AT_SITES)
            inner->ways[i] = ++program->way_count;
        if (way == AT_SITES) {
            find_sites(program, t->inner, i, inner->ways[i], &t->operands[i].sites);
            inner = &program->routines[t->inner]; /* routines were added */
        }
    }
}

static uint32_t result_of_site(const struct elements *t, uint32_t id)
{
    const struct form_routine *inner = &t->d->program->routines[t->inner];
    const struct form_routine *gradient = &t->d->program->routines[t->gradient];
    return gradient->result_count - inner->sites.count + form_find_id(&inner->sites, id) -
           t->first_result;
}

/* --- adjoints of one element -------------------------------------------------------- */

/* The way of the operand is WHOLE or IN_STEP. */
static uint32_t result_of_operand(const struct elements *t, uint32_t i)
{
    uint32_t result = 0;
    for (uint32_t k = 1; k < i; k++)
        result += t->operands[k].way == WHOLE || t->operands[k].way == IN_STEP;
    return result;
}

/* Lists the results of `back`, from the first adjoint on, that it reads itself, as adjoints of the
 * elements of arrays that are read by their own elements. */
static struct form_ids own_results(const struct elements *t)
{
    struct lib_arena *arena = t->p.program->arena;
    struct form_ids own = {0};
    for (uint32_t k = 0; !t->settles && k < t->y->count; k++) {
        const uint32_t i = t->gathers[k];
        if (i == FORM_NONE)
            continue;
        const struct operand *operand = &t->operands[i];
        if (operand->way == WHOLE)
            form_push_id(arena, &own, result_of_operand(t, i));
        for (uint32_t s = 0; operand->way != WHOLE && s < operand->sites.count; s++)
            form_push_id(arena, &own, result_of_site(t, operand->sites.items[s].id));
    }
    return own;
}

/* Adds the sum over an array of arrays of the elements at the index in parameter 0. `like` gives
 * the type and shape of zeros. */
static uint32_t column(struct form_place p, uint32_t arrays, uint32_t like)
{
    const enum isa_type row = isa_type_element(form_type(p.form, arrays));
    const uint32_t arguments[] = {arrays, 0};
    const struct form_maker m = form_make_element(p, "column", isa_type_element(row),
                                                  arguments, 2);
    const uint32_t one = form_fetch(m.p, form_fetch(m.p, 1, 0), 2);
    const uint32_t length = form_length(p, arrays);
    return form_total(p, form_end_element(&m, one, p, length, arguments, 2), like);
}

/* Returns the adjoint of an element. *value is the first of the arrays of its contributions. */
static uint32_t adjoint_of_element(const struct elements *t, struct form_place p,
                                   uint32_t k, uint32_t *value)
{
    const uint32_t row = t->count + k;
    uint32_t given_here = FORM_NONE;
    if (t->settles || t->gathers[k] == FORM_NONE ||
        t->operands[t->gathers[k]].way == WHOLE)
        given_here = form_fetch(p, row, 0);
    if (t->settles || t->gathers[k] == FORM_NONE)
        return given_here;
    if (t->operands[t->gathers[k]].way == WHOLE)
        return form_add(p, given_here, column(p, (*value)++, given_here));
    const struct sites *sites = &t->operands[t->gathers[k]].sites;
    uint32_t *arrays = LIB_ARENA_ARRAY(p.program->arena, uint32_t, sites->count);
    uint32_t *given = LIB_ARENA_ARRAY(p.program->arena, uint32_t, t->count);
    for (uint32_t s = 0; s < sites->count; s++)
        arrays[s] = (*value)++;
    for (uint32_t i = 0; i < t->count; i++)
        given[i] = i;
    const struct gather gather = {sites, t->types[row], arrays, given, true};
    return gather_one(p, &gather, row, 0);
}

/* Makes the routine `back` that computes the adjoints of the operands of element i. Its
 * parameters are i, the operands, the adjoints of the arrays, and the arrays that `back` makes.
 * Its results are those of the element's gradient, after the element itself if paired. */
static void make_back(struct elements *t)
{
    struct form_program *program = t->d->program;
    const struct form_ids own = own_results(t);
    const uint32_t width = t->count + t->y->count + own.count;
    const struct form_routine gradient = program->routines[t->gradient];
    enum isa_type *types = LIB_ARENA_ARRAY(program->arena, enum isa_type, width);
    uint32_t *arguments = LIB_ARENA_ARRAY(program->arena, uint32_t, width), at = 0;
    struct form_ids results = {0};
    for (; at < t->count + t->y->count; at++)
        types[at] = t->types[at];
    for (uint32_t s = 0; s < own.count; s++)
        types[at++] = isa_type_array_of(gradient.results[t->first_result + own.items[s]]);
    const struct form_maker m = form_make(program, gradient.name, types, width,
                                          gradient.results, gradient.result_count,
                                          t->e->pos);
    for (uint32_t i = 0; i < t->count; i++)
        arguments[i] = t->operands[i].way == IN_STEP ? form_fetch(m.p, i, 0) : i;
    at = t->count + t->y->count;
    for (uint32_t k = 0; k < t->y->count; k++)
        arguments[t->count + k] = adjoint_of_element(t, m.p, k, &at);
    form_inline(m.p, t->gradient, arguments, &results);
    for (uint32_t k = 0; k < results.count; k++)
        form_give(&m, results.items[k]);
    program->routines[m.routine].order = gradient.order;
    t->back = m.routine;
}

/* --- all elements ------------------------------------------------------------------- */

/* Makes a routine that sweeps until the adjoints of array elements are final. Its parameters are:
 * - the number of sweeps left;
 * - the operands of `t->e`, with the number of elements, and the adjoints from outside;
 * - as many adjoints from the last sweep. */
static uint32_t settle_routine(const struct elements *t)
{
    struct form_program *program = t->d->program;
    const uint32_t count = t->count, adjoints = t->y->count;
    const uint32_t first = 1 + count, width = first + 2 * adjoints;
    enum isa_type *params = LIB_ARENA_ARRAY(program->arena, enum isa_type, width);
    params[0] = ISA_INT;
    for (uint32_t i = 1; i < width; i++)
        params[i] = t->types[i <= count + adjoints ? i - 1 : i - 1 - adjoints];
    const struct form_maker m = form_make(program, "settle", params, width,
                                          &params[first], adjoints, t->e->pos);
    const struct form_place p = m.p;
    struct form_entry *is_done = form_split(
        p, form_compute_2(p, ISA_OP_EQ_I, 0, form_integer(p, 0)));
    const struct form_place more = form_side(p, is_done, 1);
    struct form_ids arguments = {0}, next = {0};
    for (uint32_t i = 2; i < first; i++)
        form_push_id(program->arena, &arguments, i);
    for (uint32_t k = 0; k < adjoints; k++)
        form_push_id(program->arena, &arguments, first + adjoints + k);
    const struct form_entry *swept = form_tabulate(more, 1, t->back, arguments.items,
                                                   arguments.count);
    form_push_id(program->arena, &next,
                 form_compute_2(more, ISA_OP_SUB_I, 0, form_integer(p, 1)));
    for (uint32_t i = 1; i < first + adjoints; i++)
        form_push_id(program->arena, &next, i);
    for (uint32_t k = 0; k < adjoints; k++) {
        const uint32_t i = t->gathers[k];
        uint32_t adjoint = first + k;
        if (i != FORM_NONE)
            adjoint = form_add(
                more, adjoint,
                form_total(more, swept->results.items[result_of_operand(t, i)], 1 + i));
        form_push_id(program->arena, &next, adjoint);
    }
    const struct form_entry *rest = form_apply(more, m.routine, next.items, next.count);
    for (uint32_t k = 0; k < adjoints; k++)
        form_give(&m,
                  form_merge(p, is_done, first + adjoints + k, rest->results.items[k]));
    return m.routine;
}

/* Adds the adjoints of arrays whose elements pass the array itself to calls, after all sweeps. */
static struct form_ids settle(const struct elements *t)
{
    uint32_t sweeps = FORM_NONE;
    struct form_ids all = {0};
    for (uint32_t k = 0; k < t->y->count; k++) {
        if (t->gathers[k] == FORM_NONE)
            continue;
        const uint32_t count = count_leaves(t->p, t->e->operands.items[t->gathers[k]]);
        sweeps = sweeps == FORM_NONE ? count
                                     : form_compute_2(t->p, ISA_OP_ADD_I, sweeps, count);
    }
    form_push_id(t->p.program->arena, &all, sweeps);
    for (uint32_t i = 0; i < t->count; i++)
        form_push_id(t->p.program->arena, &all, t->e->operands.items[i]);
    for (uint32_t k = 0; k < 2 * t->y->count; k++)
        form_push_id(t->p.program->arena, &all, t->y->items[k % t->y->count]);
    return form_apply(t->p, settle_routine(t), all.items, all.count)->results;
}

/* Adds arrays of the contributions of all elements, one for each result of `back`. */
static const struct form_entry *go_back_over(const struct elements *t)
{
    struct form_program *program = t->d->program;
    const struct form_routine back = program->routines[t->back];
    const struct form_ids given = t->settles ? settle(t) : *t->y;
    struct form_entry *late = form_add_entry(t->p,
                                             t->is_paired ? FORM_LATE : FORM_TABULATE);
    for (uint32_t i = 0; !t->is_paired && i < t->count; i++)
        form_add_operand(t->p, late, t->e->operands.items[i]);
    for (uint32_t k = 0; k < t->y->count; k++)
        form_add_operand(t->p, late, given.items[k]);
    for (uint32_t k = t->first_result; k < back.result_count; k++)
        form_add_result(t->p, late, isa_type_array_of(back.results[k]));
    const struct form_ids own = own_results(t);
    for (uint32_t k = 0; k < own.count; k++)
        form_add_operand(t->p, late, late->results.items[own.items[k]]);
    if (t->is_paired) {
        late->early = t->e;
        t->e->pair = t->back;
    } else {
        late->routine = t->back;
    }
    return late;
}

/* --- what is added to what ---------------------------------------------------------- */

static uint32_t gather_from(const struct elements *t, const struct form_entry *late,
                            uint32_t i)
{
    const struct sites *sites = &t->operands[i].sites;
    uint32_t *arrays = LIB_ARENA_ARRAY(t->p.program->arena, uint32_t, sites->count);
    for (uint32_t s = 0; s < sites->count; s++)
        arrays[s] = late->results.items[result_of_site(t, sites->items[s].id)];
    const struct gather gather = {sites, t->types[i], arrays, t->e->operands.items,
                                  false};
    return gather_all(t->p, &gather, t->e->operands.items[i]);
}

/* Adds the adjoints of elements at a site of an enclosing TABULATE: as an array, or as a sum if
 * the index there does not contain the element's number at this level. */
static void add_to_site(const struct elements *t, uint32_t id, uint32_t array)
{
    struct differ *d = t->d;
    const uint32_t place = form_find_id(&d->program->routines[d->of].sites, id);
    if (place == FORM_NONE)
        return;
    const uint32_t site = d->first_site + place;
    const enum isa_type type = form_type(t->p.form, site);
    differ_add(d, site,
               form_type(t->p.form, array) == type
                   ? array
                   : form_total(t->p, array, form_site_zero(t->p, type)));
}

/* Adds the contributions of all elements, in the arrays from `arrays` on, to the gradient by a
 * param. Returns the number of these arrays. */
static uint32_t add_cell(const struct elements *t, uint32_t wanted,
                         const uint32_t *arrays)
{
    struct differ *d = t->d;
    const uint32_t cell = d->wanted->items[wanted];
    const enum form_deferral kind = form_given_as(d->program, t->giving, t->inner, cell);
    uint32_t totals[3];
    if (kind == FORM_DENSE)
        totals[0] = form_total(
            t->p, arrays[0], form_read(t->p, cell, d->program->graph->cells[cell].type));
    else
        deferred_total(t->p, kind, cell, arrays, totals);
    return differ_add_called(d, wanted, t->inner, t->giving, totals);
}

static void add_all(const struct elements *t, const struct form_entry *late)
{
    struct differ *d = t->d;
    const struct form_ids sites = d->program->routines[t->inner].sites;
    uint32_t next = 0;
    for (uint32_t i = 1; i < t->count; i++) {
        const uint32_t value = t->e->operands.items[i];
        const enum way way = t->operands[i].way;
        const bool is_result = way == WHOLE || way == IN_STEP;
        const uint32_t all = is_result ? late->results.items[next++] : FORM_NONE;
        if (t->operands[i].own != FORM_NONE)
            continue;
        if (way == IN_STEP)
            differ_add(d, value, form_extend(t->p, all, t->e->operands.items[0], value));
        else if (way == WHOLE)
            differ_add(d, value, form_total(t->p, all, value));
        else if (way == AT_SITES)
            differ_add(d, value, gather_from(t, late, i));
    }
    for (uint32_t i = 0; i < d->wanted->count; i++)
        if (form_reaches(d->program, t->base, d->wanted->items[i]))
            next += add_cell(t, i, &late->results.items[next]);
    for (uint32_t i = 0; i < sites.count; i++)
        add_to_site(t, sites.items[i], late->results.items[next++]);
}

void differ_tabulate(struct differ *d, struct form_entry *e, const struct form_ids *y)
{
    const struct form_place p = d->p;
    struct lib_arena *arena = p.program->arena;
    const uint32_t count = e->operands.count;
    struct elements t = {.d = d,
                         .p = p,
                         .e = e,
                         .y = y,
                         .count = count,
                         .types = LIB_ARENA_ARRAY(arena, enum isa_type, count + y->count),
                         .operands = LIB_ARENA_ARRAY(arena, struct operand, count),
                         .gathers = LIB_ARENA_ARRAY(arena, uint32_t, y->count)};
    look_at_operands(&t);
    make_inner(&t);
    t.is_paired = d->pairs && !t.settles;
    const struct form_ids wanted = differ_wanted_of(d, t.inner);
    t.giving = differ_giving_of_call(d, e, t.inner, &wanted);
    t.gradient = form_gradient(p.program, t.is_paired ? FORM_PAIR : FORM_GRADIENT,
                               differ_manner(d, t.is_paired), t.giving, t.inner, &wanted);
    t.first_result = t.is_paired ? e->results.count : 0;
    make_back(&t);
    add_all(&t, go_back_over(&t));
}

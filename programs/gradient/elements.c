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
#include "programs/gradient/sites.h"

/* --- arrays that elements pass to calls --------------------------------------------- */

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
        for (uint32_t i = 1; i < e->operands.count; i++) {
            const struct form *inner = form_of(program, e->routine);
            const uint32_t value = form_find_param(inner, i);
            if (e->operands.items[i] == array && value != FORM_NONE &&
                !reads_elements(program, inner, value, is_element))
                return false;
        }
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
                                   uint32_t param)
{
    const struct form *form = form_of(program, routine);
    const uint32_t array = form_find_param(form, param);
    return array == FORM_NONE || reads_elements(program, form, array, false);
}

/* --- inlined calls --------------------------------------------------------------- */

/* max calls inlined for an array: recursive functions always have more */
enum { CALLS_MAX = 64 };

struct expand {
    struct form_program *program;
    uint32_t calls;
};

static bool expand_param(struct expand *x, uint32_t routine, uint32_t param);

static void call_in_place(struct expand *x, struct form *form, struct form_block *to,
                          const struct form_entry *e)
{
    const struct form_place p = {x->program, form, to, e->pos};
    struct form_ids results = {0};
    form_inline(p, e->routine, e->operands.items, &results);
    for (uint32_t k = 0; k < e->results.count; k++)
        form_replace(form, e->results.items[k], results.items[k]);
    x->calls++;
}

/* Adds an entry to the block `all`, or the entries of the routine that it calls. Returns true if
 * there were calls. */
static bool expand_entry(struct expand *x, struct form *form, struct form_block *all,
                         struct form_entry *e, struct form_ids *arrays)
{
    bool any = false, is_user = false;
    for (uint32_t k = 0; k < e->operands.count; k++)
        is_user |= form_has_id(arrays, e->operands.items[k]);
    if (is_user && e->kind == FORM_FETCH)
        form_push_id(x->program->arena, arrays, e->results.items[0]);
    if (is_user && e->kind == FORM_TABULATE) {
        e->routine = form_own_copy(x->program, e->routine);
        for (uint32_t k = 1; k < e->operands.count; k++)
            if (form_has_id(arrays, e->operands.items[k]))
                any |= expand_param(x, e->routine, k);
    }
    if (is_user && e->kind == FORM_APPLY && x->calls < CALLS_MAX) {
        call_in_place(x, form, all, e);
        return true;
    }
    form_add_to_block(all, e);
    return any;
}

/* A block that is being expanded: its entries, and those that replace them. */
struct frame {
    struct form_block *block, old, all;
    uint32_t next; /* entry of `old` */
    uint32_t side; /* next block of that entry, if it is a BRANCH */
};

static struct frame frame_of(struct form_block *block)
{
    return (struct frame){.block = block, .old = *block, .all = {.form = block->form}};
}

/* Inlines one more level of calls. `arrays`: the array, and its elements that are arrays.
 * Returns true if there were calls. Chains of conditionals take no stack. */
static bool expand_block(struct expand *x, struct form *form, struct form_block *block,
                         struct form_ids *arrays)
{
    bool any = false;
    LIB_VEC(struct frame) stack = {0};
    *LIB_VEC_PUSH(&stack) = frame_of(block);
    while (stack.count) {
        struct frame *f = &stack.items[stack.count - 1];
        if (f->next == f->old.count) {
            *f->block = f->all;
            stack.count--;
            continue;
        }
        struct form_entry *e = f->old.items[f->next];
        if (e->kind == FORM_BRANCH && f->side < 2) {
            struct form_block *inner = &e->blocks[f->side++];
            *LIB_VEC_PUSH(&stack) = frame_of(inner);
            continue;
        }
        f->next++;
        f->side = 0;
        any |= expand_entry(x, form, &f->all, e, arrays);
    }
    LIB_VEC_FREE(&stack);
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
        more = expand_block(x, form, &form->top, &arrays);
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
            routine_reads_elements(program, routine, i))
            continue;
        if (routine == tabulate->routine)
            routine = form_own_copy(program, routine);
        expand_param(&x, routine, i);
        is_whole |= !routine_reads_elements(program, routine, i);
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

/* Number of uses of an array in a block, and of uses that read its element `index` outside of
 * conditionals. */
struct uses {
    uint32_t all, in_step;
};

static struct uses count_uses(const struct form_block *top, uint32_t array,
                              uint32_t index)
{
    struct uses uses = {0};
    struct form_walk walk = form_walk_of(top);
    for (const struct form_entry *e; (e = form_walk_next(&walk));)
        for (uint32_t k = 0; k < e->operands.count; k++)
            uses.all += e->operands.items[k] == array;
    for (uint32_t i = 0; i < top->count; i++) {
        const struct form_entry *e = top->items[i];
        uses.in_step += e->kind == FORM_FETCH && e->operands.items[0] == array &&
                        e->operands.items[1] == index;
    }
    return uses;
}

/* Whether the elements read a parameter in step only: at their own index. */
static bool is_in_step(const struct form *form, uint32_t param)
{
    const uint32_t array = form_find_param(form, param),
                   counter = form_find_param(form, 0);
    if (array == FORM_NONE || counter == FORM_NONE ||
        isa_type_rank(form_type(form, array)) == 0)
        return false;
    struct uses uses = count_uses(&form->top, array, counter);
    for (uint32_t k = 0; k < form->results.count; k++)
        uses.all += form->results.items[k] == array;
    return uses.all > 0 && uses.all == uses.in_step;
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

/* Returns a copy of the routine that makes the elements. Parameters that are arrays of which it
 * reads only element i become that element. */
static uint32_t with_elements(struct form_program *program, uint32_t routine,
                              const bool *in_step)
{
    const uint32_t made = form_own_copy(program, routine);
    struct form_routine *r = &program->routines[made];
    for (uint32_t i = 0; i < r->param_count; i++) {
        if (!in_step[i])
            continue;
        const uint32_t v = form_find_param(r->form, i);
        r->form->values[v].type = r->params[i] = isa_type_element(r->params[i]);
        fetch_nothing(r->form, v);
    }
    return made;
}

/* Ways in which operands of elements get their adjoints. */
enum way {
    OF_NONE,  /* no adjoint, or not needed */
    WHOLE,    /* each element contributes a value of the operand's type */
    IN_STEP,  /* each element contributes to the element with its index */
    AT_SITES, /* each element contributes to elements at known offsets (sites.h) */
    FURTHER,  /* as AT_SITES, at sites of an enclosing TABULATE */
};

struct elements {
    struct differ *d;
    struct form_place p;
    struct form_entry *e;
    uint32_t base;            /* routine that makes an element, after inlining */
    const struct form_ids *y; /* adjoints of the arrays that hold reals */
    uint32_t count;           /* operands, with the index instead of the length */
    enum isa_type *types;     /* types of the operands, then of the adjoints */
    enum way *way;            /* for each operand */
    bool *in_step;            /* for each operand: its way is IN_STEP */
    /* For each operand: adjoint of the same array, or FORM_NONE. */
    uint32_t *own;
    struct form_sites *sites; /* for each operand */
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
    return form_find_sites(t->d->program, t->base, i, 0, NULL);
}

static enum way way_of(const struct elements *t, uint32_t i)
{
    if (!form_is_real(t->types[i]))
        return OF_NONE;
    if (leaves_further(t, i))
        return FURTHER;
    if (t->own[i] != FORM_NONE)
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
        t->own[i] = FORM_NONE;
    }
    for (uint32_t r = 0; r < e->results.count; r++) {
        if (!form_is_real(form_type(p.form, e->results.items[r])))
            continue;
        t->types[t->count + k] = form_type(p.form, e->results.items[r]);
        t->gathers[k] = FORM_NONE;
        for (uint32_t i = 1; i < t->count; i++)
            if (e->operands.items[i] == e->results.items[r]) {
                t->own[i] = k;
                t->settles |= !routine_reads_elements(t->d->program, t->base, i);
                t->gathers[k] = i;
            }
        k++;
    }
    for (uint32_t i = 1; i < t->count; i++) {
        t->way[i] = way_of(t, i);
        t->in_step[i] = t->way[i] == IN_STEP;
    }
}

/* --- what makes an element ---------------------------------------------------------- */

/* Makes the inner routine. The sites of enclosing TABULATEs come first. */
static void make_inner(struct elements *t)
{
    struct form_program *program = t->d->program;
    t->inner = with_elements(program, t->base, t->in_step);
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
        const enum way way = t->way[i];
        if (way == FURTHER)
            inner->ways[i] = outer.ways[i];
        else if (way == OF_NONE || way == AT_SITES)
            inner->ways[i] = ++program->way_count;
        if (way == AT_SITES) {
            form_find_sites(program, t->inner, i, inner->ways[i], &t->sites[i]);
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
        result += t->way[k] == WHOLE || t->way[k] == IN_STEP;
    return result;
}

static struct form_ids parts_of(const struct elements *t, uint32_t k)
{
    const uint32_t i = t->gathers[k];
    struct form_ids parts = {0};
    if (t->settles || i == FORM_NONE)
        return parts;
    if (t->way[i] == WHOLE)
        form_push_id(t->p.program->arena, &parts, result_of_operand(t, i));
    else
        for (uint32_t s = 0; s < t->sites[i].count; s++)
            form_push_id(t->p.program->arena, &parts,
                         result_of_site(t, t->sites[i].items[s].id));
    return parts;
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
    if (t->settles || t->gathers[k] == FORM_NONE || t->way[t->gathers[k]] == WHOLE)
        given_here = form_fetch(p, row, 0);
    if (t->settles || t->gathers[k] == FORM_NONE)
        return given_here;
    if (t->way[t->gathers[k]] == WHOLE)
        return form_add(p, given_here, column(p, (*value)++, given_here));
    const struct form_sites *sites = &t->sites[t->gathers[k]];
    uint32_t *arrays = LIB_ARENA_ARRAY(p.program->arena, uint32_t, sites->count);
    uint32_t *given = LIB_ARENA_ARRAY(p.program->arena, uint32_t, t->count);
    for (uint32_t s = 0; s < sites->count; s++)
        arrays[s] = (*value)++;
    for (uint32_t i = 0; i < t->count; i++)
        given[i] = i;
    const struct form_gather gather = {sites, t->types[row], arrays, given, true};
    return form_gather(p, &gather, row, 0);
}

/* Makes the routine `back` that computes the adjoints of the operands of element i. Its
 * parameters are i, the operands, the adjoints of the arrays, and the arrays that `back` makes.
 * Its results are those of the element's gradient, after the element itself if paired. */
static void make_back(struct elements *t)
{
    struct form_program *program = t->d->program;
    struct form_ids own = {0};
    for (uint32_t k = 0; k < t->y->count; k++) {
        const struct form_ids parts = parts_of(t, k);
        for (uint32_t s = 0; s < parts.count; s++)
            form_push_id(program->arena, &own, parts.items[s]);
    }
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
        arguments[i] = t->in_step[i] ? form_fetch(m.p, i, 0) : i;
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

/* Adds to the operands the arrays that are results of the same entry. */
static void add_own(const struct elements *t, struct form_entry *to)
{
    for (uint32_t k = 0; k < t->y->count; k++) {
        const struct form_ids parts = parts_of(t, k);
        for (uint32_t s = 0; s < parts.count; s++)
            form_add_operand(t->p, to, to->results.items[parts.items[s]]);
    }
}

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
    add_own(t, late);
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
    const struct form_sites *sites = &t->sites[i];
    uint32_t *arrays = LIB_ARENA_ARRAY(t->p.program->arena, uint32_t, sites->count);
    for (uint32_t s = 0; s < sites->count; s++)
        arrays[s] = late->results.items[result_of_site(t, sites->items[s].id)];
    const struct form_gather gather = {sites, t->types[i], arrays, t->e->operands.items,
                                       false};
    return form_gather_all(t->p, &gather, t->e->operands.items[i]);
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
        const enum way way = t->way[i];
        const bool is_result = way == WHOLE || way == IN_STEP;
        const uint32_t all = is_result ? late->results.items[next++] : FORM_NONE;
        if (t->own[i] != FORM_NONE)
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
                         .way = LIB_ARENA_ARRAY(arena, enum way, count),
                         .in_step = LIB_ARENA_ARRAY(arena, bool, count),
                         .own = LIB_ARENA_ARRAY(arena, uint32_t, count),
                         .sites = LIB_ARENA_ARRAY(arena, struct form_sites, count),
                         .gathers = LIB_ARENA_ARRAY(arena, uint32_t, y->count)};
    look_at_operands(&t);
    make_inner(&t);
    t.is_paired = d->pairs && !t.settles;
    const struct form_ids wanted = differ_wanted_of(d, t.inner);
    t.giving = differ_giving_of_call(d, e, t.inner, &wanted);
    t.gradient = form_gradient(p.program, t.is_paired ? FORM_PAIR : FORM_GRADIENT,
                               t.is_paired, t.giving, t.inner, &wanted);
    t.first_result = t.is_paired ? e->results.count : 0;
    make_back(&t);
    add_all(&t, go_back_over(&t));
}

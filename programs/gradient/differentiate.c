#include "programs/gradient/deferred.h"

#include "programs/gradient/arrays.h"
#include "programs/gradient/components.h"
#include "programs/gradient/loops.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* --- which cells are reached ---------------------------------------------------------------- */

bool form_reaches(struct form_program *program, uint32_t routine, uint32_t cell)
{
    while (program->routines[routine].kind == FORM_GRADIENT)
        routine = program->routines[routine].of;
    const uint32_t number = form_component_of(program, FORM_CALLS_ALL, routine);
    return form_has_id(&form_component_at(program, FORM_CALLS_ALL, number)->cells, cell);
}

struct form_ids differ_wanted_of(struct differ *d, uint32_t routine)
{
    struct form_ids wanted = {0};
    for (uint32_t i = 0; i < d->wanted->count; i++)
        if (form_reaches(d->program, routine, d->wanted->items[i]))
            form_push_id(d->program->arena, &wanted, d->wanted->items[i]);
    return wanted;
}

/* --- gradients as routines -------------------------------------------------------------------- */

static bool is_same(const struct form_ids *a, const struct form_ids *b)
{
    return a->count == b->count &&
           (!a->count || memcmp(a->items, b->items, a->count * sizeof *a->items) == 0);
}

/* Whether a gradient gives the adjoint of a parameter as such. */
static bool is_result(const struct form_routine *f, uint32_t param)
{
    return form_is_real(f->params[param]) && !(f->ways && f->ways[param]);
}

static enum form_deferral deferral_of(struct form_program *program, uint32_t gradient,
                                      uint32_t cell)
{
    const struct form_routine *g = &program->routines[gradient];
    return form_given_as(program, g->giving, g->of, cell);
}

static uint32_t add_cell_types(struct form_program *program, uint32_t gradient,
                               uint32_t cell, enum isa_type *types, uint32_t count)
{
    const enum form_deferral kind = deferral_of(program, gradient, cell);
    types[count++] = program->graph->cells[cell].type;
    for (unsigned part = 1; kind != FORM_DENSE && part < 3; part++)
        types[count++] = deferred_type(kind, part);
    return count;
}

/* Sets the types of a gradient. The results of a pair begin with those of its function. */
static void set_types(struct form_program *program, uint32_t gradient)
{
    const struct form_routine g = program->routines[gradient];
    const struct form_routine *f = &program->routines[g.of];
    const uint32_t most = f->param_count + f->result_count + 3 * g.wanted.count +
                          f->sites.count;
    enum isa_type *params = LIB_ARENA_ARRAY(program->arena, enum isa_type, most);
    enum isa_type *results = LIB_ARENA_ARRAY(program->arena, enum isa_type, most);
    uint32_t param_count = 0, result_count = 0;
    for (uint32_t k = 0; g.kind == FORM_PAIR && k < f->result_count; k++)
        results[result_count++] = f->results[k];
    for (uint32_t i = 0; i < f->param_count; i++) {
        params[param_count++] = f->params[i];
        if (is_result(f, i))
            results[result_count++] = f->params[i];
    }
    for (uint32_t k = 0; k < f->result_count; k++)
        if (form_is_real(f->results[k]))
            params[param_count++] = f->results[k];
    for (uint32_t i = 0; i < g.wanted.count; i++)
        result_count = add_cell_types(program, gradient, g.wanted.items[i], results,
                                      result_count);
    f = &program->routines[g.of]; /* routines may have been added */
    for (uint32_t i = 0; i < f->sites.count; i++)
        results[result_count++] = (enum isa_type)f->site_types.items[i];
    form_set_types(program, gradient, params, param_count, results, result_count);
}

uint32_t form_gradient(struct form_program *program, enum form_routine_kind kind,
                       unsigned manner, enum form_giving giving, uint32_t of,
                       const struct form_ids *wanted)
{
    static const char *const suffixes[] = {"", ".tables", ".rows"};
    const struct form_ids *known = &program->routines[of].gradients;
    for (uint32_t i = 0; i < known->count; i++) {
        const struct form_routine *r = &program->routines[known->items[i]];
        if (r->kind == kind && r->manner == manner && r->giving == giving &&
            is_same(&r->wanted, wanted))
            return known->items[i];
    }
    const char *name = lib_arena_printf(
        program->arena, "%s.%s%s", program->routines[of].name,
        kind == FORM_PAIR ? "pair" : "grad", suffixes[giving]);
    const uint32_t routine = form_add_routine(program, kind, name,
                                              program->routines[of].pos);
    struct form_routine *r = &program->routines[routine];
    form_push_id(program->arena, &program->routines[of].gradients, routine);
    r->of = of;
    r->manner = manner;
    r->giving = giving;
    r->order = program->routines[of].order + 1;
    for (uint32_t i = 0; i < wanted->count; i++)
        form_push_id(program->arena, &r->wanted, wanted->items[i]);
    set_types(program, routine);
    return routine;
}

/* --- where values are made ---------------------------------------------------------------- */

static void find_homes(struct differ *d, const struct form_block *block)
{
    struct form_walk walk = form_walk_of(block);
    for (const struct form_entry *e; (e = form_walk_next(&walk));)
        for (uint32_t k = 0; walk.at.of && k < e->results.count; k++) {
            const uint32_t v = e->results.items[k];
            d->home[v] = walk.at.of->branch;
            d->home_side[v] = (uint8_t)walk.at.side;
        }
}

/* --- what is active --------------------------------------------------------------------------- */

static bool any_active(const struct differ *d, const struct form_ids *ids)
{
    for (uint32_t i = 0; i < ids->count; i++)
        if (d->active[ids->items[i]])
            return true;
    return false;
}

static bool reads_wanted(struct differ *d, const struct form_entry *e)
{
    for (uint32_t i = 0; i < d->wanted->count; i++)
        if (e->kind == FORM_READ
                ? e->index == d->wanted->items[i]
                : e->routine != FORM_NONE &&
                      form_reaches(d->program, e->routine, d->wanted->items[i]))
            return true;
    return false;
}

static void find_active(struct differ *d, const struct form_block *block)
{
    struct form_walk walk = form_walk_of(block);
    for (const struct form_entry *e; (e = form_walk_next(&walk));) {
        const bool any = any_active(d, &e->operands) || reads_wanted(d, e);
        for (uint32_t k = 0; k < e->results.count; k++) {
            const uint32_t v = e->results.items[k];
            const bool here = e->kind == FORM_BRANCH
                                  ? d->active[e->operands.items[2 * k]] ||
                                        d->active[e->operands.items[2 * k + 1]]
                                  : any &&
                                        (e->kind != FORM_COMPUTE || differ_is_smooth(e));
            d->active[v] = here && form_is_real(form_type(d->form, v));
        }
    }
}

/* --- adjoints ------------------------------------------------------------------------------- */

static uint32_t adjoint_of(const struct adjoints *a, uint32_t value)
{
    const uint32_t *id = lib_arena_map_find(&a->ids, 1 + (uint64_t)value);
    return id ? *id : FORM_NONE;
}

static bool is_deferred(const struct differ *d, uint32_t value)
{
    return value >= d->first_cell && value < d->first_cell + d->wanted->count &&
           differ_is_deferred(d, value - d->first_cell);
}

void differ_add(struct differ *d, uint32_t value, uint32_t contribution)
{
    if (!d->active[value])
        return;
    if (is_deferred(d, value)) {
        const struct deferred dense = {contribution, FORM_NONE, FORM_NONE};
        differ_add_deferred(d, value - d->first_cell, dense);
        return;
    }
    const uint32_t before = adjoint_of(d->a, value);
    const uint32_t sum = before == FORM_NONE ? contribution
                                             : form_add(d->p, before, contribution);
    *differ_adjoint(d, d->a, value) = sum;
}

static uint32_t take_adjoint(struct adjoints *a, uint32_t value)
{
    uint32_t *id = lib_arena_map_find(&a->ids, 1 + (uint64_t)value);
    const uint32_t adjoint = id ? *id : FORM_NONE;
    if (id)
        *id = FORM_NONE;
    return adjoint;
}

static uint32_t zero_of(struct differ *d, struct form_place p, uint32_t value)
{
    const struct form_value *v = &d->form->values[value];
    if (v->kind == FORM_SITE)
        return form_site_zero(p, v->type);
    if (v->kind != FORM_CELL)
        return form_zero(p, value);
    return form_zero(p, form_read(p, v->index, v->type));
}

/* Lists the adjoints of the results of an entry that hold reals, with zeros for missing ones.
 * Returns false if all are missing. */
static bool take_all(struct differ *d, const struct form_entry *e, struct form_ids *y)
{
    bool any = false;
    for (uint32_t k = 0; k < e->results.count; k++)
        any |= adjoint_of(d->a, e->results.items[k]) != FORM_NONE;
    for (uint32_t k = 0; any && k < e->results.count; k++) {
        const uint32_t result = e->results.items[k];
        if (!form_is_real(form_type(d->form, result)))
            continue;
        const uint32_t adjoint = take_adjoint(d->a, result);
        form_push_id(d->program->arena, y,
                     adjoint == FORM_NONE ? form_zero(d->p, result) : adjoint);
    }
    return any;
}

/* --- entries ---------------------------------------------------------------------------------- */

/* Returns the value at which an adjoint leaves a conditional: that of a part of a deferred gradient
 * leaves with the gradient. */
static uint32_t leaves_with(const struct differ *d, uint32_t value)
{
    return value >= d->first_part && value < d->first_site
               ? d->first_cell + (value - d->first_part) / 2
               : value;
}

static int compare_ids(const void *a, const void *b)
{
    const uint32_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* Lists the values that have adjoints in a side of a conditional, in order. */
static struct form_ids list_adjoints(const struct differ *d, const struct adjoints *sides)
{
    struct form_ids all = {0};
    for (unsigned side = 0; side < 2; side++)
        for (uint32_t i = 0; i < sides[side].ids.capacity; i++) {
            const struct lib_arena_map_place *place = &sides[side].ids.places[i];
            if (place->key && place->value != FORM_NONE)
                form_push_id(d->program->arena, &all,
                             leaves_with(d, (uint32_t)(place->key - 1)));
        }
    if (all.count)
        qsort(all.items, all.count, sizeof *all.items, compare_ids);
    return all;
}

/* Adds the adjoints that both sides of a conditional contribute to values outside, in the order
 * of these values. */
static void leave_branch(struct differ *d, struct form_entry *now,
                         struct adjoints sides[2])
{
    const struct form_ids values = list_adjoints(d, sides);
    for (uint32_t i = 0; i < values.count; i++) {
        const uint32_t v = values.items[i];
        uint32_t arms[2];
        bool any = false;
        if (i > 0 && v == values.items[i - 1])
            continue;
        if (is_deferred(d, v)) {
            differ_leave_deferred(d, now, sides, v - d->first_cell);
            continue;
        }
        for (unsigned side = 0; side < 2; side++) {
            const bool stays = d->home[v] == now->branch && d->home_side[v] == side;
            arms[side] = stays ? FORM_NONE : take_adjoint(&sides[side], v);
            any |= arms[side] != FORM_NONE;
        }
        for (unsigned side = 0; any && side < 2; side++)
            if (arms[side] == FORM_NONE)
                arms[side] = zero_of(d, form_side(d->p, now, side), v);
        if (any)
            differ_add(d, v, form_merge(d->p, now, arms[0], arms[1]));
    }
}

/* Begins the derivatives of a conditional: adds further blocks. Later blocks of the same
 * conditional may have left adjoints in d->sides for values of this one. */
static struct form_entry *enter_branch(struct differ *d, const struct form_entry *e)
{
    const struct form_place p = d->p;
    struct adjoints *a = d->a, **sides = &d->sides[e->branch->id];
    struct form_entry *now = form_go_on(p, e->branch);
    if (!*sides)
        *sides = LIB_ARENA_ARRAY(d->program->arena, struct adjoints, 2);
    for (uint32_t k = 0; k < e->results.count; k++) {
        const uint32_t y = take_adjoint(a, e->results.items[k]);
        for (unsigned side = 0; y != FORM_NONE && side < 2; side++) {
            d->p = form_side(p, now, side);
            d->a = &(*sides)[side];
            differ_add(d, e->operands.items[2 * k + side], y);
        }
    }
    return now;
}

/* Pairs a call of f with its gradient, and adds the LATE that takes the adjoints. */
static const struct form_entry *pair_with(struct differ *d, struct form_place p,
                                          struct form_entry *e,
                                          const struct form_ids *adjoints,
                                          const struct form_ids *wanted,
                                          enum form_giving giving)
{
    e->pair = form_gradient(d->program, FORM_PAIR, differ_manner(d, true), giving,
                            e->routine, wanted);
    const struct form_routine *pair = &d->program->routines[e->pair];
    struct form_entry *late = form_add_entry(p, FORM_LATE);
    late->early = e;
    late->operands = *adjoints;
    for (uint32_t k = e->results.count; k < pair->result_count; k++)
        form_add_result(p, late, pair->results[k]);
    return late;
}

static const struct form_entry *call_gradient(struct form_place p,
                                              const struct form_entry *e,
                                              const struct form_ids *adjoints,
                                              uint32_t gradient)
{
    struct form_ids arguments = {0};
    for (uint32_t i = 0; i < e->operands.count; i++)
        form_push_id(p.program->arena, &arguments, e->operands.items[i]);
    for (uint32_t k = 0; k < adjoints->count; k++)
        form_push_id(p.program->arena, &arguments, adjoints->items[k]);
    return form_apply(p, gradient, arguments.items, arguments.count);
}

/* Adds the call that computes the adjoints of the operands of a call. A loop calls itself in its
 * gradient as other functions do: that gradient becomes loops as a whole. */
static const struct form_entry *go_back_over(struct differ *d, struct form_entry *e,
                                             const struct form_ids *adjoints,
                                             const struct form_ids *wanted,
                                             enum form_giving giving)
{
    const bool is_loop = d->loops && e->routine != d->of &&
                         d->program->routines[e->routine].loop;
    if (d->pairs && !is_loop)
        return pair_with(d, d->p, e, adjoints, wanted, giving);
    const uint32_t gradient = form_gradient(
        d->program, FORM_GRADIENT, differ_manner(d, false), giving, e->routine, wanted);
    const struct form_two_loops *loops = is_loop ? form_two_loops(d->program, gradient)
                                                 : NULL;
    if (loops && loops->exist)
        return form_reverse_loop(d->p, loops, e, adjoints);
    return d->pairs ? pair_with(d, d->p, e, adjoints, wanted, giving)
                    : call_gradient(d->p, e, adjoints, gradient);
}

static void differ_apply(struct differ *d, struct form_entry *e)
{
    struct form_ids adjoints = {0};
    if (!take_all(d, e, &adjoints))
        return;
    const uint32_t called = e->routine;
    const struct form_ids wanted = differ_wanted_of(d, called);
    const enum form_giving giving = differ_giving_of_call(d, e, called, &wanted);
    const struct form_entry *back = go_back_over(d, e, &adjoints, &wanted, giving);
    uint32_t k = 0;
    for (uint32_t i = 0; i < e->operands.count; i++)
        if (form_is_real(form_type(d->form, e->operands.items[i])))
            differ_add(d, e->operands.items[i], back->results.items[k++]);
    for (uint32_t i = 0; i < d->wanted->count && k < back->results.count; i++)
        if (form_reaches(d->program, called, d->wanted->items[i]))
            k += differ_add_called(d, i, called, giving, &back->results.items[k]);
}

static void go_back_by(struct differ *d, struct form_entry *e)
{
    struct form_ids all = {0};
    uint32_t y;
    if (!any_active(d, &e->results))
        return;
    switch (e->kind) {
    case FORM_APPLY:
        differ_apply(d, e);
        return;
    case FORM_TABULATE:
        if (take_all(d, e, &all))
            differ_tabulate(d, e, &all);
        return;
    default:
        break;
    }
    y = take_adjoint(d->a, e->results.items[0]);
    if (y == FORM_NONE)
        return;
    switch (e->kind) {
    case FORM_COMPUTE:
        differ_compute(d, e, y);
        break;
    case FORM_READ:
        for (uint32_t i = 0; i < d->wanted->count; i++)
            if (d->wanted->items[i] == e->index)
                differ_add(d, d->first_cell + i, y);
        break;
    case FORM_LIST:
        differ_list(d, e, y);
        break;
    case FORM_FETCH:
        differ_fetch(d, e, y);
        break;
    case FORM_TO_TENSOR:
    case FORM_TO_ARRAY:
        differ_convert(d, e, y);
        break;
    default:
        assert(e->kind == FORM_SUM);
        differ_sum(d, e, y);
    }
}

/* Goes through the entries of f from the last one on. */
static void go_back(struct differ *d)
{
    struct form_block *top = d->p.block;
    struct adjoints *adjoints = d->a;
    /* for each BRANCH: the one that has its derivatives */
    struct form_entry **now = LIB_ARENA_ARRAY(d->program->arena, struct form_entry *,
                                              d->form->entry_count);
    struct form_walk walk = form_walk_back(top);
    while (form_walk_step(&walk)) {
        struct form_entry *e = walk.entry;
        const struct form_entry *of = walk.at.of;
        d->p = form_at(of ? &now[of->id]->blocks[walk.at.side] : top, e->pos);
        d->a = of ? &d->sides[of->branch->id][walk.at.side] : adjoints;
        if (walk.step == FORM_STEP_ENTRY)
            go_back_by(d, e);
        else if (walk.step == FORM_STEP_BEGIN)
            now[e->id] = enter_branch(d, e);
        else
            leave_branch(d, now[e->id], d->sides[e->branch->id]);
    }
}

/* --- the whole ---------------------------------------------------------------------- */

static struct form *start_form(struct differ *d, const struct form *f)
{
    struct lib_arena *arena = d->program->arena;
    struct form *g = d->form = form_copy(d->program, f);
    d->first_cell = f->value_count;
    for (uint32_t i = 0; i < d->wanted->count; i++) {
        const uint32_t cell = d->wanted->items[i];
        form_add_value(g, (struct form_value){.kind = FORM_CELL,
                                              .type = d->program->graph->cells[cell].type,
                                              .index = cell});
    }
    d->first_part = g->value_count;
    for (uint32_t i = 0; i < 2 * d->wanted->count; i++)
        form_add_value(g, (struct form_value){.kind = FORM_CELL,
                                              .type = ISA_TENSOR,
                                              .index = d->wanted->items[i / 2]});
    const struct form_routine *of = &d->program->routines[d->of];
    d->first_site = g->value_count;
    for (uint32_t i = 0; i < of->sites.count; i++)
        form_add_value(g,
                       (struct form_value){.kind = FORM_SITE,
                                           .type = (enum isa_type)of->site_types.items[i],
                                           .index = of->sites.items[i]});
    d->count = g->value_count;
    d->active = LIB_ARENA_ARRAY(arena, bool, d->count);
    d->home = LIB_ARENA_ARRAY(arena, const struct form_branch *, d->count);
    d->home_side = LIB_ARENA_ARRAY(arena, uint8_t, d->count);
    d->sides = LIB_ARENA_ARRAY(arena, struct adjoints *, g->branch_count);
    for (uint32_t v = 0; v < d->count; v++) {
        const struct form_value *value = &g->values[v];
        d->active[v] = value->kind == FORM_CELL || value->kind == FORM_SITE ||
                       (value->kind == FORM_PARAM && form_is_real(value->type));
    }
    g->results.count = 0;
    find_homes(d, &g->top);
    find_active(d, &g->top);
    differ_find_deferred(d);
    return g;
}

/* --- gradients of gradients without end --------------------------------------------- */

/* Whether a routine, or one that it calls, uses a gradient of `base`. `derives`: the path so far
 * led through a gradient. */
static bool reaches(struct form_program *program, uint32_t routine, bool derives,
                    uint32_t base, struct form_ids *seen)
{
    for (; program->routines[routine].kind == FORM_GRADIENT ||
           program->routines[routine].kind == FORM_PAIR;
         routine = program->routines[routine].of)
        derives = true;
    if (derives && routine == base)
        return true;
    if (!form_push_id_once(program->arena, seen, 2 * routine + derives))
        return false;
    bool found = false;
    struct form_walk walk = form_walk_of(&form_of(program, routine)->top);
    for (const struct form_entry *e; !found && (e = form_walk_next(&walk));)
        found = e->routine != FORM_NONE &&
                reaches(program, e->routine, derives, base, seen);
    form_walk_end(&walk);
    return found;
}

/* Whether a function, of which this is a gradient, a gradient of a gradient or so on, uses its
 * own gradient: such gradients do not end. Routines on such a cycle are found by their callers. */
static bool is_endless(struct form_program *program, uint32_t routine)
{
    struct form_ids seen = {0};
    while (program->routines[routine].kind == FORM_GRADIENT ||
           program->routines[routine].kind == FORM_PAIR)
        routine = program->routines[routine].of;
    return reaches(program, routine, false, routine, &seen);
}

/* Adds the adjoint of a value to the results. */
static void give_adjoint(struct differ *d, uint32_t value)
{
    const uint32_t adjoint = value < d->count ? adjoint_of(d->a, value) : FORM_NONE;
    form_push_id(d->program->arena, &d->form->results,
                 adjoint == FORM_NONE ? zero_of(d, d->p, value) : adjoint);
}

void form_differentiate(struct form_program *program, uint32_t routine)
{
    const uint32_t of = program->routines[routine].of;
    if (program->routines[routine].order > FORM_ORDER_ASK &&
        is_endless(program, routine)) {
        program->too_deep = program->routines[routine].pos;
        program->routines[routine].form = form_new(program, program->arena);
        return;
    }
    const struct form *f = form_of(program, of);
    const struct form_ids wanted = program->routines[routine].wanted;
    const bool is_pair = program->routines[routine].kind == FORM_PAIR;
    struct differ d = {.program = program,
                       .wanted = &wanted,
                       .of = of,
                       .pairs = program->routines[routine].manner & FORM_PAIRED,
                       .loops = program->routines[routine].manner & FORM_LOOPING,
                       .giving = program->routines[routine].giving};
    struct form *g = start_form(&d, f);
    program->routines[routine].form = g;
    const uint32_t param_count = program->routines[of].param_count;
    const struct form_place end = form_at(&g->top, program->routines[routine].pos);
    struct adjoints a = {0};
    uint32_t seeds = param_count;
    d.p = end;
    d.a = &a;
    for (uint32_t k = 0; k < f->results.count; k++) {
        const uint32_t result = f->results.items[k];
        if (form_is_real(form_type(g, result)))
            differ_add(&d, result, form_param(g, form_type(g, result), seeds++));
    }
    go_back(&d);
    d.p = end;
    d.a = &a;
    for (uint32_t k = 0; is_pair && k < f->results.count; k++)
        form_push_id(program->arena, &g->results, f->results.items[k]);
    for (uint32_t i = 0; i < param_count; i++) {
        if (!is_result(&program->routines[of], i))
            continue;
        const uint32_t v = form_find_param(f, i);
        give_adjoint(
            &d, v != FORM_NONE ? v : form_param(g, program->routines[of].params[i], i));
    }
    for (uint32_t i = 0; i < wanted.count; i++)
        if (differ_is_deferred(&d, i))
            differ_give_deferred(&d, i);
        else
            give_adjoint(&d, d.first_cell + i);
    for (uint32_t v = d.first_site; v < d.count; v++)
        give_adjoint(&d, v);
    form_prune(g);
}

#include "programs/optimise/passes.h"
#include "programs/optimise/rewrite.h"

#include "programs/settings/settings.h"

#include <assert.h>

static const char pass[] = "inline";

enum {
    SMALL = 24,        /* max entries of a function that is inlined */
    UNROLLED = 120,    /* max entries of one that is inlined in itself */
    GROWN = 4,         /* a form grows at most to so many times its entries, */
    GROWN_MORE = 2000, /* and these */
    ROUNDS = 12,       /* max functions within each other */
    PARAMS = 64,       /* max parameters: a bit for each */
};

/* The functions whose calls were replaced, from the one that an entry comes from to the first. */
struct chain {
    uint32_t routine;
    const struct chain *outer; /* NULL: the form itself */
};

struct inlining {
    struct form *form;
    struct lib_arena *arena;
    uint64_t unroll;
    uint32_t most; /* entries */
    LIB_ARENA_LIST(const struct chain *)
    chains; /* for each entry; those beyond the end: NULL */
};

/* --- what a function waits for ---------------------------------------------------------------- */

static uint64_t need_all(const uint64_t *needs, const struct form_ids *values)
{
    uint64_t all = 0;
    for (uint32_t i = 0; i < values->count; i++)
        all |= needs[values->items[i]];
    return all;
}

/* Sets what the results of an entry wait for, as far as that is sure. The variables of a loop are
 * those of its first iteration. */
static void find_needs(uint64_t *needs, const struct form_entry *e, enum form_step step)
{
    uint64_t need = 0;
    switch (e->kind) {
    case FORM_COMPUTE:
    case FORM_FETCH:
    case FORM_APPLY:
    case FORM_SUM:
        need = need_all(needs, &e->operands);
        break;
    case FORM_EXIT:
        need = needs[e->early->inner];
        break;
    case FORM_LOOP:
        for (uint32_t i = 0; step == FORM_STEP_BEGIN && i < e->results.count; i++)
            needs[e->results.items[i]] = needs[e->operands.items[i]];
        return;
    case FORM_BRANCH:
        for (uint32_t k = 0; step == FORM_STEP_END && k < e->results.count; k++)
            needs[e->results.items[k]] = needs[e->branch->condition] |
                                         (needs[e->operands.items[2 * k]] &
                                          needs[e->operands.items[2 * k + 1]]);
        return;
    default:
        break;
    }
    for (uint32_t k = 0; step == FORM_STEP_ENTRY && k < e->results.count; k++)
        needs[e->results.items[k]] = need;
}

/* Returns for each result of a function the parameters for which it always waits. */
static const uint64_t *needs_of(const struct form *form, struct lib_arena *arena)
{
    uint64_t *needs = LIB_ARENA_ARRAY(arena, uint64_t, form->value_count);
    uint64_t *results = LIB_ARENA_ARRAY(arena, uint64_t, form->results.count);
    for (uint32_t v = 0; v < form->value_count; v++)
        if (form->values[v].kind == FORM_PARAM)
            needs[v] = UINT64_C(1) << form->values[v].index;
    struct form_walk walk = form_walk_of(&form->top);
    while (form_walk_step(&walk))
        find_needs(needs, walk.entry, walk.step);
    for (uint32_t k = 0; k < form->results.count; k++)
        results[k] = needs[form->results.items[k]];
    return results;
}

/* --- which functions ------------------------------------------------------------------------ */

/* Whether copies of an entry can stand in another form. */
static bool is_copied(const struct form_entry *e)
{
    switch (e->kind) {
    case FORM_COMPUTE:
    case FORM_READ:
    case FORM_APPLY:
    case FORM_BRANCH:
    case FORM_FETCH:
    case FORM_ARRAY:
    case FORM_CONSTRUCT:
    case FORM_SUM:
    case FORM_DECLARE:
    case FORM_LOOP:
    case FORM_NEXT:
    case FORM_EXIT:
    case FORM_CLOSE:
        return true;
    case FORM_STORE:
        return !e->places;
    case FORM_TABULATE:
        return e->blocks;
    default:
        return false;
    }
}

/* Finds whether a function can be inlined, and how large it is. */
static void examine(struct form_callee *callee, const struct form *form, uint32_t routine)
{
    struct form_walk walk = form_walk_of(&form->top);
    callee->is_copied = true;
    for (const struct form_entry *e; (e = form_walk_next(&walk));) {
        callee->is_copied &= is_copied(e);
        callee->calls_itself |= e->kind == FORM_APPLY && e->routine == routine;
        callee->size++;
    }
}

/* Returns what is known of a function of the source; its form only if it may be inlined. */
static const struct form_callee *callee_of(struct form_program *program, uint32_t routine)
{
    while (program->callees.count <= routine)
        *LIB_ARENA_PUSH(program->arena, &program->callees) = (struct form_callee){0};
    struct form_callee callee = program->callees.items[routine];
    if (callee.is_known)
        return &program->callees.items[routine];
    struct lib_arena *arena = lib_arena_new();
    const struct form *form = program->routines[routine].param_count <= PARAMS
                                  ? program->source(program, arena, routine)
                                  : NULL;
    callee.is_known = true;
    if (form)
        examine(&callee, form, routine);
    lib_arena_free(arena);
    if (callee.is_copied && callee.size <= (callee.calls_itself ? UNROLLED : SMALL)) {
        callee.form = program->source(program, program->arena, routine);
        callee.needs = needs_of(callee.form, program->arena);
    }
    program->callees.items[routine] = callee;
    return &program->callees.items[routine];
}

static const struct chain *chain_of(const struct inlining *n, const struct form_entry *e)
{
    return e->id < n->chains.count ? n->chains.items[e->id] : NULL;
}

/* Returns the function that is to replace a call, or NULL. One that calls itself is inlined in
 * itself alone, so many times as the setting says. */
static const struct form_callee *find_callee(const struct inlining *n,
                                             const struct form_entry *e)
{
    struct form_program *program = n->form->program;
    uint64_t depth = 0;
    if (e->kind != FORM_APPLY || e->is_kept || e->pair != FORM_NONE ||
        program->routines[e->routine].kind != FORM_SOURCE ||
        e->results.count != program->routines[e->routine].result_count)
        return NULL;
    for (const struct chain *c = chain_of(n, e); c; c = c->outer)
        depth += c->routine == e->routine;
    const bool is_own = e->routine == n->form->routine;
    if (is_own ? depth >= n->unroll : depth > 0)
        return NULL;
    const struct form_callee *callee = callee_of(program, e->routine);
    return callee->form && (is_own || !callee->calls_itself) ? callee : NULL;
}

/* --- waiting -------------------------------------------------------------------------------- */

/* Returns a literal that appears once `token` has. */
static uint32_t after(struct form_place p, enum isa_type type, isa_value literal,
                      uint32_t token)
{
    return form_compute(p, ISA_OP_CONST, type, 0,
                        (const uint32_t[]){form_literal(p.form, type, literal), token},
                        2);
}

/* Returns a value once it and `token` are there. */
static uint32_t wait_for(struct form_place p, uint32_t value, uint32_t token)
{
    const struct form_value v = p.form->values[value];
    if (v.kind == FORM_LITERAL)
        return after(p, v.type, v.literal, token);
    switch (v.type) {
    case ISA_INT:
        return form_compute_2(p, ISA_OP_ADD_W, value,
                              after(p, v.type, isa_value_of_int(0), token));
    case ISA_REAL:
        return form_compute_2(p, ISA_OP_ADD_R, value,
                              after(p, v.type, isa_value_of_real(-0.0), token));
    case ISA_BOOL:
        return form_compute_2(p, ISA_OP_NE_B, value, after(p, v.type, false, token));
    default:
        return form_merge(p, form_split(p, after(p, ISA_BOOL, true, token)), value,
                          value);
    }
}

/* A call returns when all its arguments are there. Returns the value in place of its result `k`. */
static uint32_t wait_for_arguments(struct form_place p, const struct form_entry *call,
                                   uint64_t needs, uint32_t value)
{
    const struct form_ids *arguments = &call->operands;
    for (uint32_t i = 0; i < arguments->count; i++) {
        const uint32_t token = arguments->items[i];
        const enum form_value_kind kind = p.form->values[token].kind;
        bool waits = kind != FORM_LITERAL && kind != FORM_INPUT && !(needs >> i & 1);
        for (uint32_t other = 0; waits && other < arguments->count; other++)
            waits = arguments->items[other] != token || !(needs >> other & 1);
        if (!waits)
            continue;
        value = wait_for(p, value, token);
        needs |= UINT64_C(1) << i;
    }
    return value;
}

/* --- calls ---------------------------------------------------------------------------------- */

static void inline_call(struct inlining *n, struct rewrite *r, struct form_entry *e,
                        const struct form_callee *callee)
{
    struct form *to = n->form;
    const struct form *from = callee->form;
    uint32_t *map = LIB_ARENA_ARRAY(r->arena, uint32_t, from->value_count);
    struct chain *chain = LIB_ARENA_NEW(n->arena, struct chain);
    *chain = (struct chain){e->routine, chain_of(n, e)};
    for (uint32_t v = 0; v < from->value_count; v++)
        map[v] = from->values[v].kind == FORM_PARAM
                     ? e->operands.items[from->values[v].index]
                     : form_add_value(to, from->values[v]);
    const uint32_t first = to->entry_count;
    form_add_blocks(form_at(&to->top, e->pos), e);
    form_copy_block(&e->blocks[0], &from->top, map);
    while (n->chains.count < to->entry_count)
        *LIB_ARENA_PUSH(n->arena, &n->chains) = NULL;
    for (uint32_t id = first; id < to->entry_count; id++)
        n->chains.items[id] = chain;
    for (uint32_t k = 0; k < e->results.count; k++)
        rewrite_replace(r, e->results.items[k],
                        wait_for_arguments(form_at(&e->blocks[0], e->pos), e,
                                           callee->needs[k],
                                           map[from->results.items[k]]));
    rewrite_open(r, e, 0);
    rewrite_tell(to, e->pos, pass, "the call of %s",
                 to->program->routines[e->routine].name);
}

/* Replaces the calls that there are now. Returns whether there were any. */
static bool inline_round(struct inlining *n)
{
    struct rewrite r = rewrite_start(n->form);
    LIB_ARENA_LIST(struct form_entry *) calls = {0};
    struct form_walk walk = form_walk_of(&n->form->top);
    for (struct form_entry *e; (e = form_walk_next(&walk));)
        if (e->kind == FORM_APPLY)
            *LIB_ARENA_PUSH(r.arena, &calls) = e;
    for (uint32_t i = 0; i < calls.count && n->form->entry_count < n->most; i++) {
        const struct form_callee *callee = find_callee(n, calls.items[i]);
        if (callee)
            inline_call(n, &r, calls.items[i], callee);
    }
    const bool is_changed = r.is_changed;
    rewrite_end(&r);
    return is_changed;
}

struct form *optimise_inline(struct form *form, const struct programs_settings *settings)
{
    if (!form->program->source || !form->name)
        return form;
    struct inlining n = {
        .form = form,
        .arena = lib_arena_new(),
        .unroll = settings->unroll,
        .most = GROWN * form->entry_count + GROWN_MORE,
    };
    for (int round = 0; round < ROUNDS && inline_round(&n); round++)
        ;
    lib_arena_free(n.arena);
    return form;
}

/* "Loops": constants that a loop holds, and bounds of iterations. */
#include "tests/oracle/state.h"

#include <assert.h>

/* --- "Constants of loops" ----------------------------------------------------------- */

struct loop *oracle_loop(struct oracle *o, struct activation *where, uint32_t site)
{
    for (size_t i = 0; i < where->loops.count; i++)
        if (where->loops.items[i].site == site)
            return &where->loops.items[i];
    struct loop *loop = LIB_VEC_PUSH(&where->loops);
    *loop = (struct loop){
        .site = site, .held = oracle_loop_of(o, site)->held_count, .why = {NOWHERE, 0}};
    loop->constants = lib_mem_new((loop->held + 1) * sizeof *loop->constants);
    loop->parked = lib_mem_new((loop->held + 1) * sizeof *loop->parked);
    return loop;
}

/* "The end": consumes the constants when the loop has begun, no iteration is alive, and all
 * constants have come. */
void oracle_loop_check(struct oracle *o, struct activation *where, struct loop *loop)
{
    const bool begun = loop->begun || oracle_wrong(o, BEGUN);
    if (loop->held == 0 || !begun || loop->alive > 0 || loop->come < loop->held)
        return;
    const uint32_t kept = loop->held + loop->begun; /* references that keep the frame */
    loop->begun = false;
    loop->come = 0;
    for (uint32_t k = 0; k < loop->held; k++) {
        oracle_unrefer(o, loop->constants[k].value);
        loop->constants[k].here = false;
    }
    assert(where->live > kept); /* something later frees it */
    where->live -= kept;
    oracle_share(o, where, oracle_home_of_site(o, loop->site), -(int)kept);
}

const struct constant *oracle_constant(struct oracle *o, const struct instr *instr,
                                       const struct activation *tag)
{
    const uint32_t k = instr->node->operands[instr->held].held;
    return &oracle_loop(o, tag->parent, tag->site)->constants[k];
}

/* Keeps a token, not delivered yet, until its constant comes. */
void oracle_park(struct oracle *o, const struct token *t)
{
    const struct instr *i = t->instr;
    const uint32_t k = i->node->operands[i->held].held;
    struct loop *loop = oracle_loop(o, t->tag->parent, t->tag->site);
    *LIB_VEC_PUSH(&loop->parked[k]) = *t;
    o->waiting++;
}

/* A HOLD fires: the constant is here, and parked tokens are formed again at their PEs. Returns
 * false if it is the second. */
bool oracle_hold(struct oracle *o, const struct firing *f, struct value v)
{
    const uint32_t k = f->instr->node->index;
    struct loop *loop = oracle_loop(o, f->tag, f->instr->node->site);
    if (loop->constants[k].here)
        return false;
    loop->constants[k] = (struct constant){true, v, f->depth};
    loop->come++;
    f->tag->live++;
    oracle_share(o, f->tag, f->instr->node->machine, 1);
    oracle_refer(v);
    for (size_t i = 0; i < loop->parked[k].count; i++) {
        o->waiting--;
        oracle_nodes_wake(o, f->pe, loop->parked[k].items[i].to);
        oracle_form(o, &loop->parked[k].items[i], o->now + f->delay);
    }
    loop->parked[k].count = 0;
    oracle_loop_check(o, f->tag, loop);
    return true;
}

/* --- "Bounds" ----------------------------------------------------------------------- */

/* Max iterations in flight; 0: unlimited. */
static uint64_t bound_of(const struct oracle *o, uint32_t site)
{
    const uint32_t bound = oracle_loop_of(o, site)->bound;
    if (bound == ISA_LOOP_UNBOUNDED)
        return 0;
    return bound ? bound : o->s->loop_bound;
}

/* Whether a variable has come to the iteration that a NEXT sends to, or waits for an identifier to
 * begin it. */
static bool has_begun(const struct oracle *o, const struct token *t)
{
    return oracle_child(t->tag, t->instr->node->site) || oracle_stands_with(o, t);
}

bool oracle_next_would_wait(struct oracle *o, const struct token *t)
{
    return !t->again && bound_of(o, t->instr->node->site) > 0 && !has_begun(o, t);
}

/* Holds a NEXT at its PE; an executor holds all in one list. */
bool oracle_next_waits(struct oracle *o, unsigned pe, const struct token *t)
{
    if (!oracle_next_would_wait(o, t))
        return false;
    t->tag->nexts++;
    oracle_put(&o->pes[o->s->executor_workers ? 0 : pe].nexts, t);
    return true;
}

void oracle_next_stalls(struct oracle *o, struct token *t)
{
    if (!t->stalled)
        o->outcome->stats.bound_stalls++;
    t->stalled = true;
}

/* Live iterations, except those that have only waiting NEXTs left. */
static uint64_t in_flight(struct oracle *o, const struct activation *iteration)
{
    uint64_t count = oracle_loop(o, iteration->parent, iteration->site)->alive;
    return count - (iteration->live == iteration->nexts && !oracle_wrong(o, FLIGHT));
}

bool oracle_next_can_go_on(struct oracle *o, const struct token *t)
{
    return has_begun(o, t) || in_flight(o, t->tag) < bound_of(o, t->instr->node->site);
}

static void go_on(struct oracle *o, unsigned pe, size_t at, bool forced)
{
    struct token t = oracle_take(&o->pes[pe].nexts, at);
    oracle_why_next(o, &t, pe, forced);
    t.tag->nexts--;
    t.again = true;
    o->moved = true;
    oracle_turn(o, pe, t);
}

/* Step 4: by PE, then in order of arrival. */
void oracle_nexts_go_on(struct oracle *o)
{
    for (unsigned pe = 0; pe < o->s->pe_count; pe++) {
        struct tokens *nexts = &o->pes[pe].nexts;
        for (size_t i = 0; i < nexts->count && !o->ended;) {
            struct token *t = &nexts->items[i];
            if (oracle_next_can_go_on(o, t)) {
                go_on(o, pe, i, false);
                continue;
            }
            oracle_next_stalls(o, t);
            i++;
        }
    }
}

/* Whether a held NEXT can continue; or, with `any`, whether one is held. */
bool oracle_next_is_held(struct oracle *o, bool any)
{
    for (unsigned pe = 0; pe < o->s->pe_count; pe++)
        for (size_t i = 0; i < o->pes[pe].nexts.count; i++)
            if (any || oracle_next_can_go_on(o, &o->pes[pe].nexts.items[i]))
                return true;
    return false;
}

/* When nothing else can proceed, the first waiting NEXT continues. */
void oracle_next_forced(struct oracle *o)
{
    for (unsigned pe = 0; pe < o->s->pe_count; pe++)
        if (o->pes[pe].nexts.count) {
            o->outcome->stats.bound_excess++;
            go_on(o, pe, 0, true);
            return;
        }
}

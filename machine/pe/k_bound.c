/* Bounds on loops (setting loop.bound; `--# bound N` in a program): the max number of iterations of
 * a loop that are active at once. Such a loop is k-bounded (Culler); paper 2 calls the bound
 * parallel_iterations.
 *
 * A NEXT, the instruction that begins an iteration, waits at least for the next cycle, and until
 * its loop is below its bound. All live iterations count, except one that has only waiting NEXTs
 * left. This is decided at the beginning of a cycle, so the order of events within a cycle does not
 * matter.
 *
 * A bound is soft, because an iteration can wait for an array element that a later one writes: when
 * nothing else can proceed, the first waiting NEXT is released. */
#include "isa/op_columns.h"
#include "isa/fire/fire_call.h"
#include "machine/events.h"
#include "machine/state_table.h"
#include "machine/verify.h"

#define MACHINE_WAITING_NEXT_FIELDS(F)                                                   \
    F(TOKEN, token)                                                                      \
    F(BOOL, stalled) /* the token was not released in the cycle after its arrival */
struct machine_waiting_next {
    MACHINE_WAITING_NEXT_FIELDS(LIB_STATE_MEMBER)
};

#define MACHINE_K_BOUND_FIELDS(F)                                                            \
    /* max active iterations of the loop at each site; 0: unlimited */                       \
    F(OWNED, uint32_t, of_site)                                                              \
    /* NEXTs (tokens that begin an iteration) that wait; sorted by PE, then by arrival */    \
    F(EACH, machine_waiting_next, waiting)                                                   \
    /* Deadlock: the first waiting NEXT is released in the next cycle, despite the bound. */ \
    F(BOOL, exceeds)
struct machine_k_bound {
    MACHINE_K_BOUND_FIELDS(LIB_STATE_MEMBER)
};

/* Sets the bounds of loops. `standard`: bound of loops without one of their own; 0: none. */
static void init_bounds(struct machine_k_bound *bound, const struct isa_graph *graph,
                        uint64_t standard)
{
    bool any = false;
    uint32_t *of_site = lib_mem_new(graph->site_count * sizeof *of_site);
    for (uint32_t s = 0; s < graph->site_count; s++) {
        const struct isa_function *f = &graph->functions[graph->sites[s].callee];
        if (f->is_loop)
            of_site[s] = f->bound == ISA_LOOP_UNBOUNDED ? 0
                         : f->bound                     ? f->bound
                                                        : (uint32_t)standard;
        any |= of_site[s] > 0;
    }
    if (any)
        bound->of_site = of_site;
    else
        lib_mem_free(of_site);
}

/* Returns how many NEXTs of a loop wait, all of its newest iteration. The slot also counts live
 * iterations. */
static uint64_t held(const struct isa_slot *flight)
{
    return flight->info >> ISA_SLOT_DEPTH_SHIFT;
}

/* Whether another variable has begun the iteration already. */
static bool has_begun(const struct isa_exec *x, const struct isa_token *next)
{
    const struct isa_instr *instr = &x->code->instrs[isa_token_instr(next)];
    const isa_tag *child = isa_fire_child_entry(x, isa_token_tag(next), instr);
    return child && *child != ISA_TAG_NONE;
}

static struct isa_slot *flight_of(const struct isa_exec *x, const struct isa_token *next)
{
    const struct isa_instr *instr = &x->code->instrs[isa_token_instr(next)];
    isa_tag parent = isa_activations_get(&x->tags, isa_token_tag(next))->parent;
    return isa_activations_flight(&x->tags, parent, instr->site);
}

/* Inserts a NEXT after those of its PE, before those of the next PE. */
static void put(struct machine_k_bound *bound, const struct isa_token *next)
{
    size_t at = bound->waiting.count;
    (void)LIB_VEC_PUSH(&bound->waiting);
    struct machine_waiting_next *items = bound->waiting.items;
    for (; at > 0 && machine_token_pe(&items[at - 1].token) > machine_token_pe(next);
         at--)
        items[at] = items[at - 1];
    items[at] = (struct machine_waiting_next){*next, false};
}

/* Whether an issued live NEXT would begin an iteration; then it waits. */
static bool holds(struct machine_k_bound *bound, const struct isa_exec *x,
                  const struct isa_token *next)
{
    const struct isa_instr *instr = &x->code->instrs[isa_token_instr(next)];
    if (bound->of_site[instr->site] == 0)
        return false;
    if (has_begun(x, next))
        return false;
    flight_of(x, next)->info += UINT64_C(1) << ISA_SLOT_DEPTH_SHIFT;
    put(bound, next);
    return true;
}

static bool goes_on(const struct machine_k_bound *bound, const struct isa_exec *x,
                    const struct isa_token *next)
{
    const uint32_t site = x->code->instrs[isa_token_instr(next)].site;
    const struct isa_slot *flight = flight_of(x, next);
    const struct isa_activation *a = isa_activations_get(&x->tags, isa_token_tag(next));
    const bool is_over = a->live == held(flight);
    return has_begun(x, next) || isa_loop_alive(flight) - is_over < bound->of_site[site];
}

static bool can_go_on(const struct machine_k_bound *bound, const struct isa_exec *x)
{
    for (size_t i = 0; i < bound->waiting.count; i++)
        if (goes_on(bound, x, &bound->waiting.items[i].token))
            return true;
    return false;
}

/* Removes the first NEXT to be released, from index `*at` (at first 0) on, and sets `*at` to its
 * index. Returns false if there is none. */
static bool take(struct machine *m, struct machine_k_bound *bound, size_t *at,
                 struct isa_token *next)
{
    const struct isa_exec *x = &m->tokens.exec;
    for (; *at < bound->waiting.count; ++*at) {
        struct machine_waiting_next *item = &bound->waiting.items[*at];
        if (!bound->exceeds && !goes_on(bound, x, &item->token)) {
            if (!item->stalled)
                machine_emit_at(m, TRACES_EVENT_STALLED, &item->token);
            m->watch.counts.bound_stalls += !item->stalled;
            item->stalled = true;
            continue;
        }
        *next = item->token;
        machine_emit_released(
            m, bound->exceeds ? TRACES_HOLDER_EXCESS : TRACES_HOLDER_BOUND, next);
        bound->exceeds = false;
        bound->waiting.count--;
        memmove(item, item + 1, (bound->waiting.count - *at) * sizeof *item);
        flight_of(x, next)->info -= UINT64_C(1) << ISA_SLOT_DEPTH_SHIFT;
        return true;
    }
    return false;
}

/* --- the part -------------------------------------------------------------------------------- */

static bool make(struct machine *m, void *state)
{
    struct machine_k_bound *bound = state;
    init_bounds(bound, m->code->graph, m->settings.loop_bound);
    return bound->of_site != NULL;
}

LIB_STATE(struct machine, machine_waiting_next, MACHINE_WAITING_NEXT_FIELDS)
LIB_STATE(struct machine, machine_k_bound, MACHINE_K_BOUND_FIELDS)

static bool resume(struct machine *m, void *state)
{
    struct machine_k_bound *bound = state;
    struct isa_token t;
    if (bound->waiting.count == 0)
        return true;
    for (size_t at = 0; take(m, bound, &at, &t);)
        if (!m->kind->pass(m, &t, MACHINE_GATE_BOUND, 0))
            return false;
    return true;
}

static uint64_t next(struct machine *m, void *state)
{
    return can_go_on(state, &m->tokens.exec) ? m->run.cycle + 1 : MACHINE_NEVER;
}

static bool insist(struct machine *m, void *state)
{
    struct machine_k_bound *bound = state;
    bound->exceeds = bound->waiting.count > 0;
    m->watch.counts.bound_excess += bound->exceeds;
    return bound->exceeds;
}

static bool each(const struct machine *m, const void *state, machine_visit *visit,
                 void *context)
{
    const struct machine_k_bound *bound = state;
    (void)m;
    for (size_t i = 0; i < bound->waiting.count; i++)
        if (!visit(context, &bound->waiting.items[i].token, MACHINE_TOKEN_WAITS))
            return false;
    return true;
}

static void show(const struct machine *m, const void *state, struct machine_audit *f)
{
    each(m, state, machine_audit_held_back, f);
}

/* --- the gate -------------------------------------------------------------------------------- */

static bool concerns(const struct machine *m, const void *state, enum isa_op op)
{
    (void)m, (void)state;
    return isa_op_does[op].tag == ISA_UNDER_NEXT;
}

static enum machine_verdict ask(struct machine *m, void *state, struct machine_passage *p)
{
    if (isa_token_is_dead(p->token) || !holds(state, &m->tokens.exec, p->token))
        return MACHINE_GATE_OPENS;
    p->how = TRACES_OUTCOME_BOUNDED;
    return MACHINE_GATE_HOLDS;
}

static const struct machine_gate gate = {MACHINE_GATE_BOUND, concerns, ask, false};

const struct machine_part machine_k_bound_part = {
    MACHINE_PART_STATE(bound),
    MACHINE_PART_FIELDS(machine_k_bound),
    .make = make,
    .gates = {&gate},
    .resume = resume,
    .next = next,
    .insist = insist,
    .each = each,
    .show = show,
};

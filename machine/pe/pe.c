/* The part of a machine that is its PEs: input queues, and the tokens on their way there. */
#include "machine/nodes.h"
#include "machine/pe/backpressure.h"
#include "machine/state.h"
#include "machine/verify.h"

static bool make(struct machine *m, void *state)
{
    (void)state;
    m->tokens.with_input = machine_set_new(m->pe_count);
    m->tokens.input_rings = machine_rings_new(m->pe_count);
    for (uint32_t i = 0; i < m->pe_count; i++)
        machine_queue_init_in(&m->tokens.pes[i].input, m->tokens.input_rings, i);
    return true;
}

/* The queues, the wheel and the set are emptied with all tokens of the run (machine_clear). */
static void reset(struct machine *m, void *state)
{
    (void)m, (void)state;
}

/* Returns the next cycle in which tokens are formed for PEs or leave them. The wheel of a network
 * with links has the same size. */
static uint64_t next(struct machine *m, void *state)
{
    (void)state;
    const struct machine_wheel *other = m->network.has_links ? &m->network.departing
                                                             : &m->tokens.formed;
    assert(other->mask == m->tokens.formed.mask);
    return machine_wheels_next(&m->tokens.formed, other, m->run.cycle, m->run.soonest);
}

static struct machine_wait waits(const struct machine *m, const void *state)
{
    (void)state;
    if (machine_set_is_empty(&m->tokens.with_input))
        return MACHINE_WAITS_FOR(NOTHING, NULL);
    return MACHINE_WAITS_FOR(ROOM, machine_backpressure_setting(m));
}

static bool visit_wheel(const struct machine_wheel *wheel, enum machine_token_place place,
                        machine_visit *visit, void *context)
{
    for (uint64_t i = 0; i <= wheel->mask; i++)
        if (!machine_visit_all(wheel->slots[i].tokens, wheel->slots[i].count, place,
                               visit, context))
            return false;
    return true;
}

static bool each(const struct machine *m, const void *state, machine_visit *visit,
                 void *context)
{
    (void)state;
    return visit_wheel(&m->tokens.formed, MACHINE_TOKEN_COMING, visit, context) &&
           (!m->network.has_links ||
            visit_wheel(&m->network.departing, MACHINE_TOKEN_LEAVING, visit, context));
}

static void show(const struct machine *m, const void *state, struct machine_audit *f)
{
    if (!each(m, state, machine_audit_visit, f))
        return;
    for (uint32_t pe = 0; pe < m->pe_count; pe++) {
        const struct machine_queue *q = &m->tokens.pes[pe].input;
        for (uint32_t i = q->head; i != q->tail; i++) {
            const struct isa_token *t = &q->tokens[i & q->mask];
            if (!machine_audit_token(f, t) || !machine_audit_at_its_place(f, t) ||
                !machine_must(f, machine_token_pe(t) == pe, "a token is at its place"))
                return;
        }
    }
}

static void pack_pes(struct lib_pack *pack, struct machine *m, void *state)
{
    (void)state;
    for (uint32_t i = 0; i < m->pe_count; i++) {
        struct machine_pe *p = &m->tokens.pes[i];
        machine_queue_pack(pack, &m->tokens.exec, &p->input);
        uint64_t held = m->has_queues ? machine_pe_held(p) : 0;
        LIB_PACK(pack, held);
        p->came = held - p->stats.local_tokens;
    }
    machine_wheel_pack(pack, &m->tokens.exec, &m->tokens.formed);
    machine_set_pack(pack, &m->tokens.with_input);
}

static void check(const struct machine *m, const void *state, struct machine_audit *f)
{
    (void)state;
    machine_audit_set(f, &m->tokens.with_input, m->pe_count);
    for (uint32_t pe = 0; pe < m->pe_count; pe++) {
        const uint32_t queued = machine_queue_count(&m->tokens.pes[pe].input);
        const bool is_listed = machine_set_has(&m->tokens.with_input, pe);
        machine_must(
            f, is_listed == (queued > 0) || (!is_listed && machine_nodes_hides(m, pe)),
            "a PE is listed if it has tokens");
        machine_must(f,
                     !m->has_queues || machine_pe_held(&m->tokens.pes[pe]) ==
                                           queued + machine_audit_held(f, pe),
                     "tokens in input queues and on their way there are counted");
    }
}

const struct machine_part machine_pe_part = {
    .make = make,
    .reset = reset,
    .next = next,
    .waits = waits,
    .pack = pack_pes,
    .each = each,
    .show = show,
    .check = check,
    .is_plain = true,
};

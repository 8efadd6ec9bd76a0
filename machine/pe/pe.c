#include "machine/pe/pe.h"

#include "machine/nodes/nodes.h"
#include "machine/pe/backpressure.h"
#include "machine/state.h"
#include "machine/verify/verify.h"

static bool make(struct machine *m)
{
    m->with_input = machine_set_new(m->pe_count);
    m->input_rings = machine_queue_rings(m->pe_count);
    for (uint32_t i = 0; i < m->pe_count; i++)
        machine_queue_init_in(&m->pes[i].input,
                              m->input_rings + (size_t)i * MACHINE_QUEUE_RING);
    return true;
}

static void free_pes(struct machine *m)
{
    for (uint32_t i = 0; i < m->pe_count; i++)
        machine_queue_free(&m->pes[i].input);
    lib_mem_free(m->input_rings);
    machine_wheel_free(&m->formed);
    machine_set_free(&m->with_input);
}

static void reset(struct machine *m, struct machine *start)
{
    (void)start;
    for (uint32_t i = 0; i < m->pe_count; i++)
        machine_queue_clear(&m->pes[i].input);
    machine_wheel_clear(&m->formed);
    machine_set_clear(&m->with_input);
}

/* Returns the next cycle in which tokens are formed for PEs or leave them. The wheel of a network
 * with links has the same size. */
static uint64_t next(struct machine *m)
{
    const struct machine_wheel *other = m->network.has_links ? &m->network.departing
                                                             : &m->formed;
    assert(other->mask == m->formed.mask);
    return machine_wheels_next(&m->formed, other, m->cycle, m->soonest);
}

static struct machine_wait waits(const struct machine *m)
{
    if (machine_set_is_empty(&m->with_input))
        return MACHINE_WAITS_FOR(NOTHING, NULL);
    return MACHINE_WAITS_FOR(ROOM, machine_backpressure_setting(m));
}

static void show(const struct machine *m, struct machine_audit *f)
{
    for (uint64_t i = 0; i <= m->formed.mask; i++)
        machine_audit_formed(f, &m->formed.slots[i]);
    for (uint32_t pe = 0; pe < m->pe_count; pe++) {
        const struct machine_queue *q = &m->pes[pe].input;
        for (uint32_t i = q->head; i != q->tail; i++) {
            const struct isa_token *t = &q->tokens[i & q->mask];
            if (!machine_audit_token(f, t) || !machine_audit_at_its_place(f, t) ||
                !machine_must(f, isa_token_pe(t) == pe, "a token is at its place"))
                return;
        }
    }
}

static void pack_pes(struct lib_pack *pack, struct machine *m)
{
    for (uint32_t i = 0; i < m->pe_count; i++) {
        struct machine_pe *p = &m->pes[i];
        machine_queue_pack(pack, &m->exec, &p->input);
        uint64_t held = m->has_queues ? machine_pe_held(p) : 0;
        LIB_PACK(pack, held);
        p->came = held - p->stats.local_tokens;
    }
    machine_wheel_pack(pack, &m->exec, &m->formed);
    machine_set_pack(pack, &m->with_input);
}

static void check(const struct machine *m, struct machine_audit *f)
{
    machine_audit_set(f, &m->with_input, m->pe_count);
    for (uint32_t pe = 0; pe < m->pe_count; pe++) {
        const uint32_t queued = machine_queue_count(&m->pes[pe].input);
        const bool is_listed = machine_set_has(&m->with_input, pe);
        machine_must(
            f, is_listed == (queued > 0) || (!is_listed && machine_nodes_hides(m, pe)),
            "a PE is listed if it has tokens");
        machine_must(f,
                     !m->has_queues || machine_pe_held(&m->pes[pe]) ==
                                           queued + machine_audit_held(f, pe),
                     "tokens in input queues and on their way there are counted");
    }
}

const struct machine_part machine_pe_part = {
    .make = make,
    .free = free_pes,
    .reset = reset,
    .next = next,
    .waits = waits,
    .pack = pack_pes,
    .show = show,
    .check = check,
    .is_plain = true,
};

#include "isa/fire.h"
#include "machine/element.h"
#include "machine/reverse.h"
#include "machine/room.h"
#include "machine/state.h"

/* Cycles for a token to go through a port of finite bandwidth, by which it leaves or enters a PE.
 * Only a request leaves the PE of its activation, or enters another one. Out of the way, as it
 * is rarely asked. */
static __attribute__((noinline)) uint64_t
cycles_for(const struct machine *m, const struct isa_token *t, uint32_t pe, bool leaves)
{
    const uint64_t bandwidth = m->settings.network_bandwidth;
    const uint32_t home = isa_tags_get(&m->exec.tags, isa_token_tag(t))->place;
    const uint64_t bits = (home == pe) == leaves
                              ? machine_request_bits(m, t)
                              : machine_token_bits(m, isa_token_tag(t));
    return (bits + bandwidth - 1) / bandwidth;
}

/* Cycles that a token occupies a port. */
ISA_FIRE_INLINE uint64_t occupation(const struct machine *m, const struct isa_token *t,
                                    uint32_t pe, bool leaves)
{
    return __builtin_expect(m->settings.network_bandwidth == 0, 1)
               ? 1
               : cycles_for(m, t, pe, leaves);
}

uint64_t machine_crossbar_longest(const struct machine_settings *settings)
{
    return settings->network_latency > 1 ? settings->network_latency : 1;
}

/* An output port passes on its oldest token. `plain`: for the fast engine, with unlimited
 * queues. */
ISA_FIRE_INLINE void serve_output(struct machine *m, uint32_t pe,
                                  struct machine_wheel_slot *arriving, bool plain)
{
    struct machine_pe *p = &m->pes[pe];
    if (p->output_free > m->cycle)
        return;
    const struct isa_token *t = machine_queue_next(&p->output, false);
    uint32_t to = isa_tags_get(&m->exec.tags, isa_token_tag(t))->place;
    if (__builtin_expect(to == pe, 0))
        to = machine_request_place(m, t);
    if (!plain && m->has_queues && !machine_room_to_leave(m, pe, to))
        return;
    machine_queue_oldest(&p->output);
    p->output_free = m->cycle + occupation(m, t, pe, true);
    if (!plain && m->reverse)
        machine_reverse_turn(m, pe);
    struct isa_token *sent = !plain && m->reverse ? machine_reverse_put(m, arriving, 1)
                                                  : machine_wheel_put(arriving, 1);
    *sent = *t;
    isa_token_put_at(sent, to);
    machine_queue_rewind(&p->output);
    machine_set_remove_if(&m->with_output, pe, machine_queue_count(&p->output) == 0);
}

/* A token goes through an input port, which is free. */
ISA_FIRE_INLINE void enter(struct machine *m, uint32_t pe, const struct isa_token *t)
{
    struct machine_pe *p = &m->pes[pe];
    p->ingress_free = m->cycle + occupation(m, t, pe, false);
    machine_queue_put(&p->input, t);
    machine_set_add(&m->with_input, pe);
}

/* An input port hands its oldest token to the input queue. */
ISA_FIRE_INLINE void serve_input(struct machine *m, uint32_t pe, bool plain)
{
    struct machine_pe *p = &m->pes[pe];
    if (p->ingress_free > m->cycle ||
        (!plain && m->has_queues && !machine_room_to_enter(m, pe)))
        return;
    enter(m, pe, machine_queue_oldest(&p->ingress));
    machine_queue_rewind(&p->ingress);
    machine_set_remove_if(&m->with_ingress, pe, machine_queue_count(&p->ingress) == 0);
}

/* Tokens come out of the network. Where nobody waits before it, one goes through its port at
 * once, as serve_input would have it. */
ISA_FIRE_INLINE void unload_arriving(struct machine *m, bool plain)
{
    struct machine_wheel_slot *slot = machine_wheel_at(&m->arriving, m->cycle);
    for (size_t i = 0; i < slot->count; i++) {
        const struct isa_token *t = &slot->tokens[i];
        const uint32_t pe = isa_token_place(t);
        struct machine_pe *p = &m->pes[pe];
        if (plain && machine_queue_count(&p->ingress) == 0 &&
            p->ingress_free <= m->cycle) {
            enter(m, pe, t);
        } else {
            machine_queue_put(&p->ingress, t);
            machine_set_add(&m->with_ingress, pe);
        }
    }
    slot->count = 0;
}

static void serve_backwards(struct machine *m, struct machine_wheel_slot *arriving)
{
    uint32_t pe;
    unload_arriving(m, false);
    MACHINE_SET_EACH_DOWN(&m->with_output, pe)
    {
        serve_output(m, pe, arriving, false);
    }
    machine_reverse_flush(m);
    MACHINE_SET_EACH_DOWN(&m->with_ingress, pe)
    {
        serve_input(m, pe, false);
    }
}

ISA_FIRE_INLINE void serve(struct machine *m, struct machine_wheel_slot *arriving,
                           bool plain)
{
    uint32_t pe;
    unload_arriving(m, plain);
    MACHINE_SET_EACH(&m->with_output, pe)
    {
        serve_output(m, pe, arriving, plain);
    }
    MACHINE_SET_EACH(&m->with_ingress, pe)
    {
        serve_input(m, pe, plain);
    }
}

void machine_crossbar_cycle(struct machine *m)
{
    struct machine_wheel_slot *arriving = machine_wheel_at(
        &m->arriving, m->cycle + machine_crossbar_longest(&m->settings));
    if (m->reverse)
        serve_backwards(m, arriving);
    else if (m->is_plain)
        serve(m, arriving, true);
    else
        serve(m, arriving, false);
}

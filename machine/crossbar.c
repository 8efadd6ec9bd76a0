#include "machine/reverse.h"
#include "machine/state.h"

/* Cycles that a token occupies a port. */
static uint64_t occupation(const struct machine *m, const struct isa_token *t)
{
    uint64_t bandwidth = m->settings.network_bandwidth;
    if (bandwidth == 0)
        return 1;
    return (machine_token_bits(m, isa_token_tag(t)) + bandwidth - 1) / bandwidth;
}

uint64_t machine_crossbar_longest(const struct machine_settings *settings)
{
    return settings->network_latency > 1 ? settings->network_latency : 1;
}

static inline void serve_output(struct machine *m, uint32_t pe,
                                struct machine_wheel_slot *arriving)
{
    struct machine_pe *p = &m->pes[pe];
    if (p->output_free > m->cycle)
        return;
    const struct isa_token *t = machine_queue_oldest(&p->output);
    p->output_free = m->cycle + occupation(m, t);
    if (__builtin_expect(m->reverse != NULL, 0))
        machine_reverse_turn(m, pe);
    struct isa_token *sent = __builtin_expect(m->reverse != NULL, 0)
                                 ? machine_reverse_put(m, arriving, 1)
                                 : machine_wheel_put(arriving, 1);
    *sent = *t;
    isa_token_put_at(sent, machine_place(m, isa_token_tag(t)));
    machine_set_remove_if(&m->with_output, pe, machine_queue_count(&p->output) == 0);
}

static inline void serve_input(struct machine *m, uint32_t pe)
{
    struct machine_pe *p = &m->pes[pe];
    if (p->ingress_free > m->cycle)
        return;
    const struct isa_token *t = machine_queue_oldest(&p->ingress);
    p->ingress_free = m->cycle + occupation(m, t);
    machine_queue_put(&p->input, t);
    machine_set_add(&m->with_input, pe);
    machine_set_remove_if(&m->with_ingress, pe, machine_queue_count(&p->ingress) == 0);
}

static void serve_backwards(struct machine *m, struct machine_wheel_slot *arriving)
{
    uint32_t pe;
    MACHINE_SET_EACH_DOWN(&m->with_output, pe)
    {
        serve_output(m, pe, arriving);
    }
    machine_reverse_flush(m);
    MACHINE_SET_EACH_DOWN(&m->with_ingress, pe)
    {
        serve_input(m, pe);
    }
}

void machine_crossbar_cycle(struct machine *m)
{
    struct machine_wheel_slot *arriving = machine_wheel_at(
        &m->arriving, m->cycle + machine_crossbar_longest(&m->settings));
    uint32_t pe;
    if (__builtin_expect(m->reverse != NULL, 0)) {
        serve_backwards(m, arriving);
        return;
    }
    MACHINE_SET_EACH(&m->with_output, pe)
    {
        serve_output(m, pe, arriving);
    }
    MACHINE_SET_EACH(&m->with_ingress, pe)
    {
        serve_input(m, pe);
    }
}

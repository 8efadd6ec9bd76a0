#include "machine/state.h"

/* Cycles that a token occupies a port. */
static uint64_t occupation(const struct machine *m, const struct isa_token *t)
{
    uint64_t bandwidth = m->settings.network_bandwidth;
    if (bandwidth == 0)
        return 1;
    return (machine_token_bits(m, t->tag) + bandwidth - 1) / bandwidth;
}

uint64_t machine_crossbar_longest(const struct machine_settings *settings)
{
    return settings->network_latency > 1 ? settings->network_latency : 1;
}

static void serve_outputs(struct machine *m)
{
    const uint64_t latency = machine_crossbar_longest(&m->settings);
    uint32_t pe;
    MACHINE_SET_EACH(&m->with_output, pe)
    {
        struct machine_pe *p = &m->pes[pe];
        if (p->output_free > m->cycle)
            continue;
        struct isa_token t = machine_queue_oldest(&p->output);
        p->output_free = m->cycle + occupation(m, &t);
        t.pe = machine_place(m, isa_tags_get(&m->exec.tags, t.tag));
        *machine_wheel_put(&m->arriving, m->cycle + latency) = t;
        if (machine_queue_count(&p->output) == 0)
            machine_set_remove(&m->with_output, pe);
    }
}

static void serve_inputs(struct machine *m)
{
    uint32_t pe;
    MACHINE_SET_EACH(&m->with_ingress, pe)
    {
        struct machine_pe *p = &m->pes[pe];
        if (p->ingress_free > m->cycle)
            continue;
        struct isa_token t = machine_queue_oldest(&p->ingress);
        p->ingress_free = m->cycle + occupation(m, &t);
        machine_queue_put(&p->input, &t);
        machine_set_add(&m->with_input, pe);
        if (machine_queue_count(&p->ingress) == 0)
            machine_set_remove(&m->with_ingress, pe);
    }
}

void machine_crossbar_cycle(struct machine *m)
{
    serve_outputs(m);
    serve_inputs(m);
}

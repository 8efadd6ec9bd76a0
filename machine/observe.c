/* Observation of a run: series, profile, and counts of operations that have energies. Nothing that
 * happens depends on it. */
#include "isa/op_columns.h"
#include "machine/engine/engine.h"
#include "machine/events.h"

static struct traces_sample sample(const struct machine *m, uint64_t time)
{
    const struct isa_counts *c = &m->exec.counts;
    const struct machine_network_load load = machine_network_load(m);
    return (struct traces_sample){
        .cycle = time,
        .firings = c->firings,
        .dead_firings = c->dead_firings,
        .busy = m->kind->busy(m, time),
        .live_tokens = c->live,
        .waiting = c->waiting,
        .tags = m->exec.tags.count,
        .graph_nodes = machine_graph_nodes(m, machine_copied_nodes(m)),
        .link_busy = load.busy,
        .greatest_link_busy = load.most,
    };
}

void machine_observe_start(struct machine *m, struct traces_series *series,
                           struct traces_profile *profile)
{
    m->series = series;
    m->profile = profile;
    m->is_observed = profile || m->counts_work;
    m->is_plain &= !m->is_observed;
    m->next_sample = series ? series->next : UINT64_MAX;
}

void machine_count_work(struct machine *m)
{
    m->counts_work = m->is_observed = true;
    m->is_plain = false;
}

void machine_observe_issue(struct machine *m, enum isa_op op, enum isa_fired fired,
                           uint64_t depth)
{
    m->work.matches += fired == ISA_FIRED_WAITING;
    if (fired != ISA_FIRED_LIVE)
        return;
    m->work.unit_firings[isa_op_table[op].unit]++;
    m->work.element_accesses += isa_op_accesses_element(op);
    if (m->profile)
        traces_profile_fired(m->profile, m->cycle, depth);
}

void machine_observe_measure(const struct machine *m, struct traces_stats *stats)
{
    stats->counts_work = m->counts_work;
    stats->matches = m->work.matches;
    stats->element_accesses = m->work.element_accesses;
    memcpy(stats->unit_firings, m->work.unit_firings, sizeof stats->unit_firings);
}

void machine_observe_now(struct machine *m)
{
    const bool was_open = machine_network_close(m);
    struct traces_sample now = sample(m, m->cycle);
    if (was_open)
        machine_network_reopen(m);
    traces_series_take(m->series, &now);
    m->next_sample = m->series->next;
}

void machine_observe_end(struct machine *m)
{
    uint64_t cycles = machine_time(m);
    if (m->series) {
        struct traces_sample last = sample(m, cycles);
        traces_series_end(m->series, &last);
    }
    if (m->profile)
        traces_profile_end(m->profile, cycles, m->exec.counts.span);
    machine_observe_start(m, NULL, NULL);
    if (m->events)
        machine_events_end(m);
}

/* Observation of a run: series, profile, and counts of operations that have energies. Nothing that
 * happens depends on it. */
#include "isa/op_columns.h"
#include "machine/engine/engine.h"
#include "machine/events.h"

static struct traces_sample sample(const struct machine *m, uint64_t time)
{
    const struct isa_counts *c = &m->tokens.exec.counts;
    const struct machine_network_load load = machine_network_load(m);
    return (struct traces_sample){
        .cycle = time,
        .firings = c->firings,
        .dead_firings = c->dead_firings,
        .busy = m->kind->busy(m, time),
        .live_tokens = c->live,
        .waiting = c->waiting,
        .tags = m->tokens.exec.tags.count,
        .graph_nodes = machine_graph_nodes(m, machine_copied_nodes(m)),
        .link_busy = load.busy,
        .greatest_link_busy = load.most,
    };
}

void machine_observe_start(struct machine *m, struct traces_series *series,
                           struct traces_profile *profile)
{
    m->watch.series = series;
    m->watch.profile = profile;
    m->watch.is_observed = profile || m->watch.counts_work;
    m->run.is_plain &= !m->watch.is_observed;
    m->watch.next_sample = series ? series->next : UINT64_MAX;
}

void machine_count_work(struct machine *m)
{
    m->watch.counts_work = m->watch.is_observed = true;
    m->run.is_plain = false;
}

void machine_observe_issue(struct machine *m, enum isa_op op, enum isa_fired fired,
                           uint64_t depth)
{
    m->watch.work.matches += fired == ISA_FIRED_WAITING;
    if (fired != ISA_FIRED_LIVE)
        return;
    m->watch.work.unit_firings[isa_op_table[op].unit]++;
    m->watch.work.element_accesses += isa_op_accesses_element(op);
    if (m->watch.profile)
        traces_profile_fired(m->watch.profile, m->run.cycle, depth);
}

void machine_observe_measure(const struct machine *m, struct traces_stats *stats)
{
    stats->counts_work = m->watch.counts_work;
    stats->matches = m->watch.work.matches;
    stats->element_accesses = m->watch.work.element_accesses;
    memcpy(stats->unit_firings, m->watch.work.unit_firings, sizeof stats->unit_firings);
}

void machine_observe_now(struct machine *m)
{
    const bool was_open = machine_network_close(m);
    struct traces_sample now = sample(m, m->run.cycle);
    if (was_open)
        machine_network_reopen(m);
    traces_series_take(m->watch.series, &now);
    m->watch.next_sample = m->watch.series->next;
}

void machine_observe_end(struct machine *m)
{
    uint64_t cycles = machine_time(m);
    if (m->watch.series) {
        struct traces_sample last = sample(m, cycles);
        traces_series_end(m->watch.series, &last);
    }
    if (m->watch.profile)
        traces_profile_end(m->watch.profile, cycles, m->tokens.exec.counts.span);
    machine_observe_start(m, NULL, NULL);
    if (m->watch.events)
        machine_events_end(m);
}

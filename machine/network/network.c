/* Functions common to all kinds of networks, or which call those of the kind. */
#include "machine/events.h"
#include "machine/describe.h"
#include "machine/network/shape.h"
#include "machine/nodes.h"

static const struct machine_network_kind *const kinds[] = {
#define NETWORK(name) &machine_network_##name,
    MACHINE_NETWORKS(NETWORK)
#undef NETWORK
};

const struct machine_network_kind *machine_network_of(const struct machine_settings *s)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (kinds[i]->is(s))
            return kinds[i];
    return NULL;
}

void machine_network_make(struct machine *m)
{
    m->network.away = &m->tokens.formed;
    m->network.delay = m->settings.network_latency;
}

void machine_network_begin(struct machine *m, const struct machine_network_kind *kind,
                           uint32_t link_count)
{
    struct machine_network *n = &m->network;
    n->kind = kind;
    n->link_count = link_count;
    n->has_links = true;
    n->away = &n->departing;
    n->delay = 0;
    n->promises = lib_mem_new(m->pe_count * sizeof *n->promises);
}

void machine_network_clear(struct machine *m)
{
    if (!m->network.has_links)
        return;
    machine_wheel_clear(&m->network.departing);
    memset(m->network.promises, 0, m->pe_count * sizeof *m->network.promises);
}

void machine_network_end(struct machine *m)
{
    machine_wheel_free(&m->network.departing);
    lib_mem_free(m->network.promises);
}

void machine_network_make_wheels(struct machine *m, uint64_t longest)
{
    const struct machine_network_kind *kind = m->network.kind;
    if (m->network.has_links)
        machine_wheel_init(&m->network.departing, longest);
    if (kind && kind->join)
        kind->join(m);
}

bool machine_network_fits(const struct machine_settings *s, struct lib_diags *diags)
{
    const struct machine_network_kind *kind = machine_network_of(s);
    return !kind || !kind->fits || kind->fits(s, diags);
}

bool machine_network_joins_nodes(const struct machine_settings *s)
{
    const struct machine_network_kind *kind = machine_network_of(s);
    return s->cluster_nodes || (kind && kind->joins_nodes);
}

uint32_t machine_link_count(const struct machine_settings *s)
{
    const struct machine_network_kind *kind = machine_network_of(s);
    return kind ? kind->count_links(s) : 0;
}

void machine_network_describe(const struct machine_settings *s,
                              struct traces_network *network)
{
    const struct machine_network_kind *kind = machine_network_of(s);
    *network = (struct traces_network){0};
    if (kind && !machine_has_workers(s))
        kind->describe(s, network);
}

bool machine_network_shares_links(const struct machine_settings *s)
{
    const struct machine_network_kind *kind = machine_network_of(s);
    return kind && kind->shares_links;
}

bool machine_latency_is_raised(const struct machine_settings *s)
{
    const struct machine_network_kind *kind = machine_network_of(s);
    return s->network_latency == 0 && !machine_has_workers(s) && kind &&
           kind->raises_latency && kind->raises_latency(s);
}

bool machine_can_be_saved(const struct machine_settings *s)
{
    const struct machine_network_kind *kind = machine_network_of(s);
    return !kind || !kind->can_be_saved || kind->can_be_saved(s);
}

bool machine_can_be_reset(const struct machine_settings *s)
{
    const struct machine_network_kind *kind = machine_network_of(s);
    return !kind || kind->part.reset;
}

void machine_network_promise(struct machine *m, uint32_t pe, uint32_t count)
{
    struct machine_promise *promise = &m->network.promises[pe];
    if (promise->promised_at != m->run.cycle)
        *promise = (struct machine_promise){0, m->run.cycle};
    promise->promised += count;
}

void machine_network_tell_queued(struct machine *m)
{
    if (m->nodes)
        machine_nodes_tell_queued(m->nodes);
    if (m->network.kind)
        m->network.kind->tell_queued(m);
}

struct traces_link_stats machine_link_measure(const struct machine *m, uint32_t at,
                                              uint64_t time)
{
    return m->network.kind->measure(m, at, time);
}

struct machine_network_load machine_network_load(const struct machine *m)
{
    struct machine_network_load load = {0};
    for (uint32_t i = 0, count = m->network.link_count; i < count; i++) {
        const uint64_t busy = machine_link_measure(m, i, 0).busy;
        load.busy += busy;
        load.most = busy > load.most ? busy : load.most;
    }
    return load;
}

static struct traces_link measure_link(const struct machine *m, uint32_t at,
                                       uint64_t time)
{
    const uint32_t pes = m->pe_count;
    struct traces_link link = {.port = TRACES_PORT_LINK,
                               .number = at - 2 * pes,
                               .from = TRACES_NO_ROUTER,
                               .to = TRACES_NO_ROUTER,
                               .stats = machine_link_measure(m, at, time)};
    if (m->network.kind->find_ends)
        m->network.kind->find_ends(m, at, &link);
    if (at < pes) {
        link.port = TRACES_PORT_OUTPUT;
        link.number = link.from = at;
    } else if (at < 2 * pes) {
        link.port = TRACES_PORT_INPUT;
        link.number = link.to = at - pes;
    }
    return link;
}

/* On an ideal network or a crossbar a token crosses one link. */
void machine_network_measure(const struct machine *m, struct traces_stats *stats)
{
    const struct machine_network_kind *kind = m->network.kind;
    const uint32_t count = m->network.link_count;
    stats->hops = kind && kind->hops ? kind->hops(m) : stats->network_tokens;
    stats->link_count = count;
    stats->links = count ? lib_mem_new(count * sizeof *stats->links) : NULL;
    for (uint32_t i = 0; i < count; i++)
        stats->links[i] = measure_link(m, i, stats->cycles);
    stats->link_cycles = count * stats->cycles;
    traces_stats_count_links(stats);
}

#include "sim/explain/analysed.h"

#include "machine/machine.h"
#include "machine/network/shape.h"
#include "machine/traffic/bounds.h"

struct network {
    const struct machine_settings *settings;
    struct traces_network links;
    struct machine_graph *graph; /* NULL if the network has no routers of ours */
    uint64_t step;               /* minimum delay of a link between routers */
};

static void *open_network(const void *of)
{
    struct network *n = lib_mem_new(sizeof *n);
    struct machine_shape shape;
    struct lib_diags diags = {0};
    n->settings = of;
    machine_network_describe(of, &n->links);
    if (machine_network_shape(of, &shape)) {
        shape.use = MACHINE_FOR_DISTANCES;
        n->graph = machine_graph_make(&shape, &diags);
    }
    lib_diags_free(&diags);
    n->step = UINT64_MAX;
    for (uint32_t i = 2 * (uint32_t)n->settings->pe_count; i < n->links.link_count; i++) {
        const uint64_t delay = n->links.links[i].delay;
        n->step = delay < n->step ? delay : n->step;
    }
    return n;
}

static uint64_t least_way(void *network, uint32_t from, uint32_t to)
{
    const struct network *n = network;
    if (n->links.link_count == 0)
        return n->settings->network_latency;
    const uint32_t hops = n->graph ? machine_graph_distance(n->graph, from, to) : 0;
    return n->links.links[from].delay + n->links.links[n->settings->pe_count + to].delay +
           (hops ? hops * n->step : 0);
}

static uint32_t between_halves(void *network)
{
    const struct network *n = network;
    if (n->graph)
        return machine_graph_between_halves(n->graph);
    return n->links.link_count && !n->links.has_routers
               ? (uint32_t)(n->settings->pe_count / 2)
               : 0;
}

static void close_network(void *network)
{
    struct network *n = network;
    machine_graph_free(n->graph);
    LIB_MEM_FREE(n->links.links, n);
}

static const struct analysis_stream_network a_network = {open_network, least_way,
                                                         between_halves, close_network};

static struct analysis_stream_machine machine_of(const struct machine_settings *s,
                                                 bool has_workers)
{
    const uint64_t stages = s->match_latency + s->fetch_latency + s->form_latency;
    const bool is_hash = s->match_store == MACHINE_MATCH_HASH && s->match_capacity;
    struct analysis_stream_machine m = {
        .match = s->match_latency,
        .fetch = s->fetch_latency,
        .form = s->form_latency,
        .request = stages ? stages : 1,
        .slower = is_hash ? s->overflow_latency : 0,
        .copy = s->copy_latency,
        .copy_node = s->copy_node_latency,
        .tensor_units = has_workers ? 0 : (uint32_t)s->tensor_units,
        .frame = s->executor_frame,
        .live = s->executor_live,
        .shares_links = machine_network_shares_links(s),
        .network = !has_workers && s->pe_count > 1 ? &a_network : NULL,
        .settings = s};
    for (int unit = 0; unit < ISA_UNIT_COUNT; unit++)
        m.unit[unit] = s->latency[unit];
    return m;
}

struct analysis_stream_run sim_analysed_run(const struct isa_graph *graph,
                                            const struct machine_settings *s,
                                            const struct lib_source *source,
                                            uint64_t from, uint64_t to)
{
    const bool has_workers = s->executor_workers > 0;
    return (struct analysis_stream_run){
        .graph = graph,
        .source = source,
        .pe_count = (uint32_t)(has_workers ? s->executor_workers : s->pe_count),
        .pes_per_node = !has_workers && s->cluster_nodes ? (uint32_t)s->cluster_pes : 0,
        .units = (uint32_t)(has_workers ? 1 : s->pe_units),
        .link_count = has_workers ? 0 : machine_link_count(s),
        .has_workers = has_workers,
        .machine = machine_of(s, has_workers),
        .from = from,
        .to = to,
    };
}

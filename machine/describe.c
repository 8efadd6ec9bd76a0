#include "machine/describe.h"

#include "machine/machine.h"
#include "machine/network/shape.h"
#include "machine/pe/counted_units.h"
#include "machine/traffic/bounds.h"

#include <stdlib.h>

_Static_assert((int)MACHINE_MAX_CLASSES == TRACES_MAX_CLASSES &&
                   MACHINE_MAX_CLASSES * LIB_SETTING_RANGES_MAX <=
                       TRACES_MAX_CLASS_RANGES,
               "all classes can be described");

/* --- the network -------------------------------------------------------------------------- */

/* Returns the cycles of the only way from one PE to another. */
static uint64_t measure_way(const struct traces_network *n, uint32_t from, uint32_t to)
{
    struct machine_route on = {.link = from};
    for (uint64_t cycles = 0;; cycles += n->links[on.link].delay) {
        machine_route(n->graph, on.link, on.channel_class, to, MACHINE_NO_VIA, &on);
        if (n->links[on.link].to == TRACES_NONE)
            return cycles;
    }
}

/* Where several ways lead from PE to PE, each of their links takes `step` cycles at least. By way
 * of an intermediate router, two links between groups of a dragonfly may replace one and two
 * others. */
static uint64_t min_between(const struct traces_network *n, uint32_t from, uint32_t to)
{
    const struct machine_shape *shape = &n->graph->shape;
    if (shape->use == MACHINE_FOR_ROUTES)
        return measure_way(n, from, to);
    uint32_t hops = machine_graph_distance(n->graph, from, to);
    const uint32_t shared = n->graph->cluster && hops ? 2 : 0; /* links up and down */
    if (shape->kind == MACHINE_SHAPE_DRAGONFLY &&
        shape->routing == MACHINE_ROUTING_VALIANT && hops > shared + 2)
        hops = shared + 2;
    return hops ? hops * n->step : 0;
}

static const struct traces_network_distances distances = {
    min_between, machine_graph_between_halves, machine_graph_free};

/* Sets the min delay of a link between routers. Returns whether others take longer. */
static bool find_step(struct traces_network *n, uint64_t pe_count)
{
    uint64_t longest = 0;
    n->step = UINT64_MAX;
    for (uint32_t i = 2 * (uint32_t)pe_count; i < n->link_count; i++) {
        const uint64_t delay = n->links[i].delay;
        n->step = delay < n->step ? delay : n->step;
        longest = delay > longest ? delay : longest;
    }
    return longest > n->step;
}

static void describe_network(const void *settings, bool has_distances,
                             struct traces_network *network)
{
    const struct machine_settings *const s = settings;
    struct machine_shape shape;
    struct lib_diags diags = {0};
    machine_network_describe(s, network);
    network->distances = &distances;
    const bool differ = find_step(network, s->pe_count);
    if (has_distances && machine_network_shape(s, &shape)) {
        const bool has_one_way = shape.routing == MACHINE_ROUTING_DETERMINISTIC;
        shape.use = differ && has_one_way ? MACHINE_FOR_ROUTES : MACHINE_FOR_DISTANCES;
        network->graph = machine_graph_make(&shape, &diags);
    }
    lib_diags_free(&diags);
}

/* --- everything else ---------------------------------------------------------------------- */

/* Describes the PEs, or workers, whose settings are `s`. */
static struct traces_pe_class describe_pe(const struct machine_settings *s, bool workers,
                                          uint64_t ticks)
{
    const uint64_t stages = s->match_latency + s->fetch_latency + s->form_latency;
    const bool has_overflow = s->match_store == MACHINE_MATCH_HASH && s->match_capacity;
    struct traces_pe_class to = {
        .units = workers ? 1 : s->pe_units,
        .turns = workers              ? 1
                 : s->match_bandwidth ? s->match_bandwidth
                                      : s->pe_units,
        .match = s->match_latency,
        .fetch = s->fetch_latency,
        .form = s->form_latency,
        .request = stages ? stages : ticks,
        .overflow = has_overflow ? s->overflow_latency : 0,
        .overflow_rate = has_overflow && !workers
                             ? (uint32_t)(s->overflow_bandwidth * s->overflow_banks)
                             : 0,
        .has_issue_queue = !workers && machine_has_issue_queue(s),
        .can = (uint32_t)TRACES_CAN_ALL,
        .frame = s->executor_frame,
    };
    for (int unit = 0; unit < ISA_UNIT_COUNT; unit++) {
        to.unit[unit] = s->latency[unit];
        to.counted[unit] = workers ? 0 : (uint16_t)s->unit_count[unit];
        to.interval[unit] = (uint32_t)s->unit_interval[unit];
    }
    return to;
}

static void describe_times(const struct machine_settings *s, struct traces_machine *m)
{
    m->others = describe_pe(s, m->has_workers, m->ticks);
    m->has_issue_queues = m->others.has_issue_queue;
    m->has_overflow_rates = m->others.overflow_rate > 0;
    m->has_input_bounds = s->queue_capacity > 0;
    for (int op = 0; op < ISA_OP_COUNT; op++)
        m->latency[op] = traces_pe_latency(&m->others, (enum isa_op)op);
#define TIME(member, value) m->member = value;
#include "machine/parts.def"
    m->network_latency = s->network_latency;
    m->live = s->executor_live;
}

static int compare_ranges(const void *a, const void *b)
{
    const struct traces_class_range *x = a, *y = b;
    return (x->first > y->first) - (x->first < y->first);
}

/* Without PEs in several classes, which machine_classes_fit rejects. */
static void describe_classes(const struct machine_settings *s, struct traces_machine *m)
{
    for (uint32_t i = 0; i < MACHINE_MAX_CLASSES && s->classes[i].name[0]; i++) {
        const struct machine_class *of = &s->classes[i];
        struct machine_settings own = *s;
        machine_class_apply(of, &own);
        struct traces_pe_class *to = &m->classes[m->class_count];
        *to = describe_pe(&own, m->has_workers, m->ticks);
        to->name = of->name;
        to->can = of->units ? (uint32_t)of->units : (uint32_t)TRACES_CAN_ALL;
        m->has_issue_queues |= to->has_issue_queue;
        m->has_overflow_rates |= to->overflow_rate > 0;
        m->has_input_bounds |= own.queue_capacity > 0;
        for (uint64_t r = 0; r < of->pes.count; r++)
            m->ranges[m->range_count++] = (struct traces_class_range){
                of->pes.items[r].first, of->pes.items[r].last, m->class_count};
        m->class_count++;
    }
    qsort(m->ranges, m->range_count, sizeof *m->ranges, compare_ranges);
}

static void describe_tags(const struct machine_settings *s, const struct isa_graph *graph,
                          struct traces_machine *m)
{
    const bool pools = s->tag_scheme == MACHINE_TAGS_POOL && s->tag_pool;
    const uint64_t label = graph ? traces_bits_for(graph->site_count) : 0;
    m->has_managers = !m->has_workers && s->tag_scheme == MACHINE_TAGS_INTERNED;
    m->one_manager = s->intern_units == MACHINE_INTERN_SHARED;
    m->has_pools = !m->has_workers && pools;
    if (m->has_workers || s->tag_scheme == MACHINE_TAGS_PATH)
        m->label_bits = label ? label : 1;
    else
        m->tag_bits = pools ? traces_bits_for(s->tag_pool) : s->tag_bits;
    m->loop_bound = machine_loop_bound(s);
    m->has_bounds = m->loop_bound > 0;
    for (uint32_t f = 0; graph && f < graph->function_count; f++)
        m->has_bounds |= graph->functions[f].is_loop && graph->functions[f].bound;
}

static void describe_stop(const struct machine_settings *s, struct traces_machine *m)
{
    const uint64_t nodes = s->cluster_nodes ? s->cluster_nodes : s->pe_count;
    if (!s->fault_stop_cycles)
        return;
    m->stopped_pes = (uint32_t)(s->pe_count / nodes);
    m->stopped_pe = (uint32_t)s->fault_stop_node * m->stopped_pes;
    m->stopped_until = s->fault_stop_start + s->fault_stop_cycles;
}

bool machine_has_queues(const struct machine_settings *s)
{
    bool has = s->queue_capacity || s->network_capacity;
    for (const struct machine_class *of = s->classes; of->name[0]; of++) {
        const uint64_t *const own = machine_class_value(of, "queue.capacity");
        has |= own && *own > 0;
    }
    return has;
}

uint32_t machine_node_pes(const struct machine_settings *s)
{
    if (machine_has_workers(s))
        return 0;
    if (s->cluster_nodes)
        return (uint32_t)s->cluster_pes;
    return s->network_topology == MACHINE_NETWORK_SIMGRID;
}

/* Without a graph, the machines among which the settings would divide one. */
static uint32_t count_executors(const struct machine_settings *s,
                                const struct isa_graph *graph)
{
    const uint64_t asked = s->partition_machines ? s->partition_machines
                                                 : machine_nodes(s);
    if (graph)
        return graph->stage == ISA_STAGE_PARTITIONED ? graph->machine_count : 1;
    return asked ? (uint32_t)asked : 1;
}

struct traces_machine machine_describe(const struct machine_settings *settings,
                                       const struct isa_graph *graph,
                                       const struct traces_timing *timing)
{
    struct machine_settings in_ticks;
    const struct machine_settings *s = settings;
    const bool workers = machine_has_workers(s);
    if (timing) {
        in_ticks = *settings;
        machine_settings_scale(&in_ticks, timing->scale);
        s = &in_ticks;
    }
    const uint32_t executors = workers ? count_executors(s, graph) : 0;
    struct traces_machine m = {
        .pe_count = workers ? (uint32_t)s->executor_workers * executors
                            : (uint32_t)s->pe_count,
        .has_workers = workers,
        .executors = executors,
        .nodes = (uint32_t)s->cluster_nodes,
        .node_pes = !workers && s->cluster_nodes ? (uint32_t)s->cluster_pes : 0,
        .ticks = timing ? timing->scale : 1,
        .timing = timing,
        .is_issue_lifo = s->issue_discipline == MACHINE_ISSUE_LIFO,
        .is_lifo = s->queue_discipline == MACHINE_LIFO,
        .copy_workers = s->copy_workers,
        .copies_stay = s->copy_placement == MACHINE_COPY_AT_CALLER,
        .copies_in_nodes = s->copy_placement > MACHINE_COPY_PLACED,
        .propagates = machine_propagates(s),
        .has_tensors = graph && isa_graph_has_tensors(graph),
        .flops = s->tensor_flops,
        .bytes = s->tensor_bytes,
        .tensor_units = workers ? 0 : (uint32_t)s->tensor_units,
        .by_reference = !workers && s->tensor_transport == MACHINE_TRANSPORT_REFERENCE,
        .own_math = s->tensor_math == MACHINE_TENSOR_REFERENCE,
        .has_batches = s->batch_until != MACHINE_BATCH_NONE,
        .memory_capacity = s->memory_capacity,
        .swap_threshold = s->swap_threshold,
        .swap_smallest = s->swap_smallest,
        .bandwidth = s->network_bandwidth,
        .network_capacity = s->network_capacity,
        .channels = s->network_channels,
        .credit = s->network_credit,
        .shares_links = machine_network_shares_links(s),
        .sends_releases = s->partition_releases == MACHINE_RELEASES_MESSAGES,
        .has_probe = machine_counts_messages(s),
        .settings = settings,
        .describe_network = describe_network,
    };
    describe_times(s, &m);
    describe_classes(s, &m);
    describe_tags(s, graph, &m);
    describe_stop(s, &m);
    return m;
}

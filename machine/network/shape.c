#include "machine/network/shape.h"

#include "machine/describe.h"
#include "machine/machine.h"

#include <inttypes.h>

/* 1 + kind of shape for each choice of network.topology; 0 without routers. */
static const uint8_t kinds[] = {
#define SHAPE(NAME, name, help) [MACHINE_NETWORK_##NAME] = MACHINE_SHAPE_##NAME + 1,
    MACHINE_SHAPES(SHAPE)
#undef SHAPE
};

bool machine_network_shape(const struct machine_settings *s, struct machine_shape *shape)
{
    const uint64_t topology = s->network_topology;
    const bool is_crossbar = topology == MACHINE_NETWORK_CROSSBAR && s->cluster_nodes > 0;
    if (machine_has_workers(s) || topology >= sizeof kinds ||
        (kinds[topology] == 0 && !is_crossbar))
        return false;
    *shape = (struct machine_shape){
        .kind = is_crossbar ? MACHINE_SHAPE_CROSSBAR
                            : (enum machine_shape_kind)(kinds[topology] - 1),
        .routing = is_crossbar ? MACHINE_ROUTING_DETERMINISTIC
                               : (enum machine_routing_kind)s->network_routing,
        .pe_count = (uint32_t)s->pe_count,
        .concentration = (uint32_t)s->network_concentration,
        .file = s->network_file ? &s->network_file->source : NULL,
        .nodes = (uint32_t)s->cluster_nodes,
        .node_pes = s->cluster_nodes ? (uint32_t)s->cluster_pes : 0,
    };
    shape->dim_count = (uint32_t)s->network_dims.count;
    for (uint32_t i = 0; i < shape->dim_count && i < MACHINE_MAX_DIMS; i++)
        shape->dims[i] = s->network_dims.items[i];
    return true;
}

uint64_t machine_nodes(const struct machine_settings *s)
{
    if (s->cluster_nodes)
        return s->cluster_nodes;
    return s->network_topology == MACHINE_NETWORK_SIMGRID ? s->pe_count : 0;
}

uint32_t machine_network_nodes(const struct machine_settings *s)
{
    return machine_has_workers(s) ? 0 : (uint32_t)machine_nodes(s);
}

/* Adds the error that the setting pe.count is not the number of PEs of all nodes. */
static void refuse_count(const struct machine_settings *s, uint64_t pes,
                         struct lib_diags *diags)
{
    LIB_TEXT_OWN advice = {0};
    if (s->pe_count % s->cluster_nodes == 0)
        lib_text_printf(&advice, "with cluster.pes_per_node=%" PRIu64 " it has %" PRIu64,
                        s->pe_count / s->cluster_nodes, s->pe_count);
    else
        lib_text_puts(&advice, "give cluster.pes_per_node, from which pe.count follows");
    lib_diag_plain(diags, LIB_DIAG_USAGE,
                   "pe.count: a cluster of %" PRIu64
                   " nodes with cluster.pes_per_node=%" PRIu64 " has %" PRIu64
                   " PEs; found %" PRIu64 "; %s",
                   s->cluster_nodes, s->cluster_pes, pes, s->pe_count, advice.bytes);
}

bool machine_network_nodes_fit(const struct machine_settings *s, struct lib_diags *diags)
{
    const uint64_t pes = s->cluster_nodes * s->cluster_pes;
    const struct lib_pos nowhere = {0};
    if (s->cluster_nodes == 0 || machine_has_workers(s))
        return true;
    if (pes > MACHINE_MAX_PES)
        lib_diag_error(diags, LIB_DIAG_USAGE, NULL, nowhere,
                       "cluster.nodes: expected up to %u PEs in all, found %" PRIu64
                       " nodes with %" PRIu64 " each",
                       MACHINE_MAX_PES, s->cluster_nodes, s->cluster_pes);
    else if (pes != s->pe_count)
        refuse_count(s, pes, diags);
    else if (s->network_topology == MACHINE_NETWORK_IDEAL)
        lib_diag_error(diags, LIB_DIAG_USAGE, NULL, nowhere,
                       "network.topology: the nodes of a cluster share links; expected "
                       "`crossbar` or a network of routers, found `ideal`");
    else
        return true;
    return false;
}

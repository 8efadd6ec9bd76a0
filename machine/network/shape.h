/* The shape of a network that settings ask for. */
#ifndef MACHINE_NETWORK_SHAPE_H
#define MACHINE_NETWORK_SHAPE_H

#include "machine/network/graph.h"
#include "machine/settings.h"

/* Whether there can be such a cluster, whatever joins its nodes. Returns true if the machine has no
 * nodes; returns false and adds a diagnostic if the nodes do not fit. */
bool machine_network_nodes_fit(const struct machine_settings *settings,
                               struct lib_diags *diags);

/* Number of nodes that messages go between: those of a cluster, or the hosts of a platform; 0: none. */
uint32_t machine_network_nodes(const struct machine_settings *settings);

/* PEs of each of the nodes that divide a machine; 0: nothing does. */
uint32_t machine_network_node_pes(const struct machine_settings *settings);

/* false: a network without routers. The file stays that of the settings. */
bool machine_network_shape(const struct machine_settings *settings,
                           struct machine_shape *shape);

#endif

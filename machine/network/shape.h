/* The shape of the network of settings. */
#ifndef MACHINE_NETWORK_SHAPE_H
#define MACHINE_NETWORK_SHAPE_H

#include "machine/network/graph.h"
#include "machine/settings.h"
#include "traces/links.h"

/* Returns true if the machine has no nodes, or if its nodes fit, whatever joins them; else adds a
 * diagnostic. */
bool machine_network_nodes_fit(const struct machine_settings *settings,
                               struct lib_diags *diags);

/* Returns the number of nodes: those of a cluster, or the hosts of a platform; 0 if the machine has
 * no nodes. */
uint32_t machine_network_nodes(const struct machine_settings *settings);

/* Returns the PEs per node, or 0 if the machine has no nodes. */
uint32_t machine_network_node_pes(const struct machine_settings *settings);

/* Describes the links of the network; of an executor, and of a network without links, all zeros.
 * The caller frees network->links. */
void machine_network_describe(const struct machine_settings *settings,
                              struct traces_network *network);

/* Returns true if several tokens can be on a link of the network at once. */
bool machine_network_shares_links(const struct machine_settings *settings);

/* Sets the shape of the network. Returns false if it has no routers. The shape borrows the file of
 * the settings. */
bool machine_network_shape(const struct machine_settings *settings,
                           struct machine_shape *shape);

#endif

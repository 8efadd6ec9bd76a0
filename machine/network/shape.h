/* The shape of the network that settings describe: cluster nodes, links and routers. */
#ifndef MACHINE_NETWORK_SHAPE_H
#define MACHINE_NETWORK_SHAPE_H

#include "machine/network/graph.h"
#include "machine/settings.h"
#include "traces/links.h"

/* Whether the settings of cluster nodes (the computers of a cluster) are consistent with the rest;
 * if not, adds a diagnostic. */
bool machine_network_nodes_fit(const struct machine_settings *settings,
                               struct lib_diags *diags);

/* Returns the number of nodes of a cluster or platform; 0 if the machine has none. */
uint32_t machine_network_nodes(const struct machine_settings *settings);

/* Describes the links of the network in *network. Sets it to zeros if the network has none, or if
 * workers replace the PEs (setting executor.workers). The caller frees network->links. */
void machine_network_describe(const struct machine_settings *settings,
                              struct traces_network *network);

/* Whether several tokens can be on a link of the network at once. */
bool machine_network_shares_links(const struct machine_settings *settings);

/* Sets `shape` to the shape of the network. It borrows from `settings` the text of the network file
 * (setting network.file), if any. Returns false if the network has no routers, or the machine
 * workers instead of PEs. */
bool machine_network_shape(const struct machine_settings *settings,
                           struct machine_shape *shape);

#endif

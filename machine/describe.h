/* Makes the description of a machine (traces/machine.h) from its settings: the only place that may
 * read settings of every owner. */
#ifndef MACHINE_DESCRIBE_H
#define MACHINE_DESCRIBE_H

#include "isa/graph.h"
#include "machine/settings.h"
#include "traces/machine.h"

/* Describes the machine with these settings for a run of `graph`. `graph` may be NULL: then nothing
 * is known of loops, labels and tensors. `timing`: times of single instructions, or NULL. Borrows
 * all three. */
struct traces_machine machine_describe(const struct machine_settings *settings,
                                       const struct isa_graph *graph,
                                       const struct traces_timing *timing);

/* Whether workers that share a queue replace the PEs. */
static inline bool machine_has_workers(const struct machine_settings *settings)
{
    return settings->executor_workers > 0;
}

/* Returns the number of PEs in each node of a cluster or platform; 0: no nodes. */
uint32_t machine_node_pes(const struct machine_settings *settings);

/* Returns the iterations in flight of a loop, unless the program says; 0: unlimited. */
static inline uint64_t machine_loop_bound(const struct machine_settings *settings)
{
    return settings->loop_bound;
}

/* Whether dead tokens (hiatons) flow down branches that are not taken. */
static inline bool machine_propagates(const struct machine_settings *settings)
{
    return settings->deadness == MACHINE_PROPAGATE;
}

/* Whether input queues or buffers of the network are finite. */
bool machine_has_queues(const struct machine_settings *settings);

#endif

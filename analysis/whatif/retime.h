/* Predicts how long a run would take if instructions or parts of the machine took another time.
 * Keeps the dependences between the firings of the run, and the PE of each turn (a token that a PE
 * takes from its input queue). Times all turns again with other latencies. Issue slots and the
 * ports of a crossbar are simulated as in doc/model.md; doc/analyses.md ("What if") lists what is
 * estimated.
 *
 * Time is in ticks. A cycle has `scale` ticks. */
#ifndef ANALYSIS_WHATIF_RETIME_H
#define ANALYSIS_WHATIF_RETIME_H

#include "analysis/stream/stream.h"

/* The machine whose run time is predicted. Times are in ticks. */
struct analysis_retimed {
    uint64_t scale;          /* ticks per cycle */
    const uint64_t *latency; /* for each node, time from issue to result; at least 1 */
    /* for each node, time for which it occupies an issue slot; may be 0 */
    const uint32_t *slot;
    uint64_t units;   /* issue slots per PE; 0: unlimited */
    bool newest;      /* whether a PE takes the newest token of its input queue first */
    uint64_t request; /* time to form a request */
    /* time for which a request occupies the coordinator of copies */
    uint64_t coordinator;
    /* whether each token is as long in the network as in the recorded run */
    bool is_measured;
    /* whether tokens between PEs pass output and input ports; ignored if `is_measured` */
    bool has_ports;

    /* Time that the network takes from one PE to another, if equal for all pairs; 0: it differs,
     * and `network` computes it. */
    uint64_t ways;
    const struct analysis_stream_network *network;
    const void *settings;
    uint64_t occupied;  /* time for which a token occupies a port */
    uint64_t bandwidth; /* bits per tick through a port; 0: unlimited */
    uint64_t token_bits, label_bits;
};

struct analysis_dependences;

/* Returns a collector of the dependences of one run, on a machine with PEs. Copies `run`, and
 * borrows what its pointers refer to. */
struct analysis_dependences *
analysis_dependences_new(const struct analysis_stream_run *run);
void analysis_dependences_free(
    struct analysis_dependences *dependences); /* NULL is allowed */

/* Returns the sink that collects dependences from the events of a run. */
struct traces_event_sink
analysis_dependences_sink(struct analysis_dependences *dependences);

/* Returns the predicted run time in ticks. */
uint64_t analysis_retime(const struct analysis_dependences *dependences,
                         const struct analysis_retimed *how);

#endif

/* Predicts how long a run would take if parts of the machine, or instructions, took another
 * time. Keeps the dependences of the run and the PE of each turn (issue of a token), and times
 * all turns again with other latencies. Issue slots and ports of a crossbar are simulated as in
 * doc/model.md. doc/analyses.md ("What if") describes what is only estimated.
 *
 * Time is in ticks, of which a cycle has `scale`. */
#ifndef ANALYSIS_WHATIF_RETIME_H
#define ANALYSIS_WHATIF_RETIME_H

#include "analysis/stream/stream.h"

/* The machine to predict; times are in ticks. */
struct analysis_retimed {
    uint64_t scale;          /* ticks per cycle */
    const uint64_t *latency; /* per node: time from turn to result, at least 1 */
    const uint32_t *slot;    /* per node: time in an issue slot, or 0 */
    uint64_t units;          /* issue slots per PE; 0: unlimited */
    bool newest;             /* a PE takes the newest token of its input queue first */
    uint64_t request;        /* time to form a request */
    uint64_t coordinator;    /* time for which a request occupies the coordinator */
    bool is_measured;        /* each token takes as long in the network as in the run */
    bool has_ports; /* else: tokens to other PEs pass an output and an input port */

    /* Time from any PE to any other, if it is the same for all; 0: ask `network`. */
    uint64_t ways;
    const struct analysis_stream_network *network;
    const void *settings;
    uint64_t occupied;  /* time for which a token occupies a port */
    uint64_t bandwidth; /* bits per tick through a port; 0: unlimited */
    uint64_t token_bits, label_bits;
};

struct analysis_dependences;

/* Returns empty dependences of a run on a machine of PEs. `run` is copied, but its pointers are
 * borrowed. */
struct analysis_dependences *
analysis_dependences_new(const struct analysis_stream_run *run);
void analysis_dependences_free(
    struct analysis_dependences *dependences); /* NULL is allowed */

/* Returns the sink that receives the events of the run. */
struct traces_event_sink
analysis_dependences_sink(struct analysis_dependences *dependences);

/* Returns the predicted time in ticks. */
uint64_t analysis_retime(const struct analysis_dependences *dependences,
                         const struct analysis_retimed *how);

#endif

/* Predicts the time of a run if parts of the machine, or instructions, took another time, from the
 * dependences of one run. The turns of the run are kept with their PEs; then they are timed again,
 * forwards, with other latencies. Issue slots and ports of a crossbar are simulated as in
 * doc/model.md. doc/analyses.md ("What if") describes what is only estimated.
 *
 * Time is in ticks, of which a cycle has `scale`. */
#ifndef ANALYSIS_WHATIF_RETIME_H
#define ANALYSIS_WHATIF_RETIME_H

#include "analysis/stream/stream.h"

/* The machine to be predicted. */
struct analysis_retimed {
    uint64_t scale;          /* ticks per cycle */
    const uint64_t *latency; /* ticks from the turn to the result, at least 1, per node */
    const uint32_t *slot;    /* ticks of an issue slot for a turn, or 0, per node */
    uint64_t units;          /* issue slots per PE; 0 if unlimited */
    bool newest;             /* the newest token of an input queue is taken first */
    uint64_t request;        /* ticks to form a request */
    uint64_t coordinator;    /* ticks for which a request occupies the coordinator */
    bool is_measured; /* each token takes as long in the network as in the run; else: */
    bool has_ports;   /* tokens to other PEs go through an output and an input port */

    /* Ticks from any PE to any other, if they are all the same; else 0, and `network` is asked. */
    uint64_t ways;
    const struct analysis_stream_network *network;
    const void *settings;
    uint64_t occupied;  /* ticks for which a token occupies a port */
    uint64_t bandwidth; /* bits per tick through a port; 0 if unlimited */
    uint64_t token_bits, label_bits;
};

/* The dependences of a run. */
struct analysis_dependences;

/* Starts the dependences of a run on a machine of PEs. `run` is copied, but its pointers are
 * borrowed. */
struct analysis_dependences *
analysis_dependences_new(const struct analysis_stream_run *run);
void analysis_dependences_free(
    struct analysis_dependences *dependences); /* NULL is allowed */

/* Returns a sink for the events of the run. */
struct traces_event_sink
analysis_dependences_sink(struct analysis_dependences *dependences);

/* Returns the predicted time in ticks. */
uint64_t analysis_retime(const struct analysis_dependences *dependences,
                         const struct analysis_retimed *how);

#endif

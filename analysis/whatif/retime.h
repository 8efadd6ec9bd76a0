/* What a run would take if something of the machine, or of its instructions, took another time:
 * predicted from the dependences of one run. These are kept, with the PE of each turn; then the
 * turns are timed again, forwards, with other latencies. PEs, issue slots and ports of a crossbar
 * are those of doc/model.md, so that what contends there is not guessed. doc/analyses.md ("What
 * if") says what is.
 *
 * Time is in ticks, of which a cycle has `scale`. */
#ifndef ANALYSIS_WHATIF_RETIME_H
#define ANALYSIS_WHATIF_RETIME_H

#include "analysis/stream/stream.h"

/* What is timed. */
struct analysis_retimed {
    uint64_t scale; /* ticks of a cycle */
    const uint64_t
        *latency; /* of each node: from its turn to its result, in ticks; at least 1 */
    const uint32_t *
        slot; /* of each node: how long a turn of it takes an issue slot, in ticks; 0: none */
    uint64_t units;       /* of a PE; 0: unlimited */
    bool newest;          /* of an input queue is taken first */
    uint64_t request;     /* ticks */
    uint64_t coordinator; /* ticks that it is busy with a request */
    /* The network takes as long for each token as it did in the run; else: */
    bool is_measured;
    bool
        has_ports; /* tokens to other PEs go through an output port, and then an input port */
    uint64_t
        ways; /* of the network, in ticks, if it is the same from any PE to any; else 0, and: */
    const struct analysis_stream_network *network;
    const void *settings;
    uint64_t occupied; /* ticks of a port for one token */
    uint64_t
        bandwidth; /* bits of a token that go through a port in a tick; 0: unlimited */
    uint64_t token_bits, label_bits;
};

/* The dependences of a run. */
struct analysis_dependences;

/* Of a run of the graph on a machine of PEs; `run` is copied, what it names borrowed. */
struct analysis_dependences *
analysis_dependences_new(const struct analysis_stream_run *run);
void analysis_dependences_free(
    struct analysis_dependences *dependences); /* NULL is allowed */

/* Takes the events of the run. */
struct traces_event_sink
analysis_dependences_sink(struct analysis_dependences *dependences);

/* The ticks that it would take. */
uint64_t analysis_retime(const struct analysis_dependences *dependences,
                         const struct analysis_retimed *how);

#endif

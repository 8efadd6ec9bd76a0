/* Predicts how long a run would take if instructions or parts of the machine took another time.
 * Keeps the dependences between the firings of the run, and the PE of each turn (a token that a PE
 * takes from its input queue). Times all turns again with other latencies. Issue slots and the
 * ports of a crossbar are simulated as in doc/model.md; doc/analyses.md ("What if") lists what is
 * estimated.
 *
 * Time is in ticks, of which the description of the machine has so many per cycle. */
#ifndef ANALYSIS_WHATIF_RETIME_H
#define ANALYSIS_WHATIF_RETIME_H

#include "analysis/stream/stream.h"

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

/* Returns the predicted run time on `machine`, in ticks. Where links are shared (shares_links),
 * each token is as long in the network as in the recorded run. */
uint64_t analysis_retime(const struct analysis_dependences *dependences,
                         const struct traces_machine *machine);

#endif

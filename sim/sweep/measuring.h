/* A run of an experiment is measured by analyses of its events, and by the causes of its cycles
 * (sim/experiment/measures.h). */
#ifndef SIM_SWEEP_MEASURING_H
#define SIM_SWEEP_MEASURING_H

#include "sim/experiment/measures.h"
#include "sim/session/simulation.h"
#include "sim/sweep/outcome.h"

struct sim_measuring {
    const struct sim_measures *measures;
    struct analysis_streams *streams; /* NULL: nothing is wanted */
    struct traces_event_sink sinks[TRACES_LEVEL_COUNT];
    struct sim_simulation_config again; /* the run as such, to follow its causes */
    struct isa_graph
        *divided; /* owned: what runs, where the program is not divided yet; or NULL */
};

/* Has a simulation that is about to be opened tell its events. All is borrowed until it is
 * closed. */
void sim_measuring_start(struct sim_measuring *measuring,
                         const struct sim_measures *measures,
                         const struct isa_graph *graph,
                         struct sim_simulation_config *config);

/* The simulation was closed: adds what was found to what came out of it, unless it was
 * interrupted. For the causes it is made again. If that is interrupted, so was the run; if they
 * cannot be followed, it is told as a crash is. */
void sim_measuring_end(struct sim_measuring *measuring, struct sim_outcome *outcome);

#endif

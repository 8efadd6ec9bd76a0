/* Measures a run of an experiment with analyses of its events, and with the causes of its cycles
 * (sim/experiment/measures.h). */
#ifndef SIM_SWEEP_MEASURING_H
#define SIM_SWEEP_MEASURING_H

#include "sim/experiment/measures.h"
#include "sim/session/simulation.h"
#include "sim/sweep/outcome.h"

struct sim_measuring {
    const struct sim_measures *measures;
    struct analysis_streams *streams; /* NULL: no analysis is wanted */
    struct traces_event_sink sinks[TRACES_LEVEL_COUNT];
    struct sim_simulation_config again; /* the run without sinks, to find its causes */
    struct isa_graph *divided;          /* image divided for the run, or NULL; owned */
};

/* Connects a simulation that is about to be opened with the analyses. Everything is borrowed until
 * it is closed. */
void sim_measuring_start(struct sim_measuring *measuring,
                         const struct sim_measures *measures,
                         const struct isa_graph *graph,
                         struct sim_simulation_config *config);

/* Adds the findings to the outcome of a simulation that was closed, unless it was interrupted. For
 * the causes the run is repeated. If that is interrupted, the outcome is, too; if the causes cannot
 * be found, the outcome is a crash. */
void sim_measuring_end(struct sim_measuring *measuring, struct sim_outcome *outcome);

#endif

/* Measures a run of an experiment by analysing its events, and by finding the causes of its cycles
 * (sim/experiment/measures.h). */
#ifndef SIM_SWEEP_MEASURING_H
#define SIM_SWEEP_MEASURING_H

#include "sim/experiment/measures.h"
#include "sim/session/simulation.h"
#include "sim/sweep/outcome.h"

struct sim_measuring {
    const struct sim_measures *measures;
    struct analysis_streams *streams; /* the analyses; NULL if none is wanted */
    struct traces_event_sink sinks[TRACES_LEVEL_COUNT];
    /* the same run without `sinks`, repeated to find the causes */
    struct sim_simulation_config again;
    struct isa_graph *divided; /* owned; graph divided among machines, or NULL */
};

/* Adds sinks for analyses to the configuration of a simulation about to be opened. All arguments
 * are borrowed until it is closed. */
void sim_measuring_start(struct sim_measuring *measuring,
                         const struct sim_measures *measures,
                         const struct isa_graph *graph,
                         struct sim_simulation_config *config);

/* Adds the findings to the outcome of a simulation that was closed, unless it was interrupted.
 * Repeats the run to find the causes. If the repetition is interrupted, so is the outcome; if the
 * causes cannot be found, the outcome is a crash. */
void sim_measuring_end(struct sim_measuring *measuring, struct sim_outcome *outcome);

#endif

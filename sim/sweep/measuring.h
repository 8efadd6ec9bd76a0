/* Measures a run of an experiment: analyses its events, and finds the causes of its cycles
 * (sim/experiment/measures.h). */
#ifndef SIM_SWEEP_MEASURING_H
#define SIM_SWEEP_MEASURING_H

#include "sim/experiment/measures.h"
#include "sim/session/simulation.h"
#include "sim/sweep/outcome.h"

struct sim_measuring {
    const struct sim_measures *measures;
    struct analysis_streams *streams; /* analyses of the run's events; NULL: none */
    struct traces_event_sink sinks[TRACES_LEVEL_COUNT];
    /* Configuration of the run, to simulate it again for the causes of cycles. */
    struct sim_simulation_config again;
    /* Owned. The graph after partitioning among machines; NULL: not partitioned. */
    struct isa_graph *divided;
};

/* Adds sinks for the analyses in `measures` to `config`, the configuration of a simulation that is
 * about to be opened. If there are any, also sets config->graph to the partitioned graph if the
 * settings divide the program among machines. Arguments are borrowed until sim_measuring_end. */
void sim_measuring_start(struct sim_measuring *measuring,
                         const struct sim_measures *measures,
                         const struct isa_graph *graph,
                         struct sim_simulation_config *config);

/* Adds the analyses' results to the outcome of a closed simulation, unless it was interrupted or
 * crashed. Simulates again to find the causes of cycles. If that is interrupted, so is the outcome;
 * if it fails, the outcome is a crash. */
void sim_measuring_end(struct sim_measuring *measuring, struct sim_outcome *outcome);

#endif

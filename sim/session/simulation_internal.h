/* The state of a simulation, for simulation.c (opens, resets, saves, closes), simulation_advance.c
 * (runs) and simulation_measure.c (measures). */
#ifndef SIM_SESSION_SIMULATION_INTERNAL_H
#define SIM_SESSION_SIMULATION_INTERNAL_H

#include "isa/fire/interp.h"
#include "machine/machine.h"
#include "machine/settings.h"
#include "sim/session/simulation.h"

static const struct lib_pos nowhere;

struct sim_simulation {
    struct sim_simulation_config config;
    struct machine_settings settings;
    struct isa_code *own_code;   /* owned; NULL if the caller gave the code */
    struct isa_graph *own_graph; /* owned; NULL if the caller's graph runs as it is */
    struct machine *machine;     /* owned; NULL if the interpreter runs the program */
    struct isa_interp interp;
    /* Library that multiplies matrices; NULL: built-in loops. */
    const struct isa_blas *blas;
    /* Name of the library that multiplies matrices, or why it is not OpenBLAS. */
    struct lib_text math;
    bool falls_back; /* built-in loops replaced OpenBLAS; `math` says why */
    /* Owned, like `profile`. After the run, struct sim_ending gets both. */
    struct traces_series *series;
    struct traces_profile *profile;
    struct sim_part part;
    /* owned; measurements at the start of the measured part */
    struct traces_stats before;
    struct traces_stats after; /* owned; measurements at the end of the measured part */
    struct analysis_costs *costs;
    bool has_ended;
    bool waits; /* the interpreter waits for an element at an input port */
    bool is_heard;
    /* The run will not continue: sinks, series and profile are complete. */
    bool is_finished;
    /* Count of delivered tokens at which the watching caller is called next. */
    uint64_t next_look;
    double seconds; /* seconds of the host's time in all advances so far */
};

static inline uint64_t sim_simulation_tokens(const struct sim_simulation *s)
{
    return sim_simulation_exec(s)->counts.tokens;
}

/* Makes the machine send events to the sinks of the configuration; no effect if it already does. To
 * be called when the beginning of the run is known: its start, or a checkpoint. */
void sim_simulation_start_events(struct sim_simulation *s);

/* Completes sinks, series and profile of a run that will not continue. */
void sim_simulation_finish(struct sim_simulation *s);

/* Whether the program computes all tensors that the configuration names. Adds a diagnostic if
 * not. */
bool sim_simulation_check_tensors(const struct sim_simulation *s,
                                  struct lib_diags *diags);

#endif

/* The reasons why a run stopped: what waits for what (analysis/causes/stopped.h), and the settings
 * with which it would not have stopped, found by runs. */
#ifndef SIM_EXPLAIN_STOPPED_H
#define SIM_EXPLAIN_STOPPED_H

#include "analysis/causes/stopped.h"
#include "sim/session/simulation.h"

/* A setting with which the run does not stop. */
struct sim_stopped_remedy {
    const char *key;
    char *now,
        *value;       /* current value; least value with which the run continues; owned */
    enum isa_end end; /* end of the run with that value */
    uint64_t cycles;  /* cycles of the run with that value */
    const char *fails; /* end with one less, or NULL if that is not possible */
};

struct sim_stopped {
    struct sim_ending ending; /* ending without a change */
    struct analysis_stopped waits;
    LIB_VEC(struct sim_stopped_remedy) remedies;
    uint64_t runs; /* number of runs made to find them */
};

/* Returns true if a run with this end was stopped. */
bool sim_stopped_is(enum isa_end end);

/* Simulates `config`, and finds the reasons and remedies. Returns false if that failed or was
 * interrupted. Free the result in either case. */
bool sim_stopped_find(const struct sim_simulation_config *config,
                      struct sim_stopped *stopped, struct lib_diags *diags);
void sim_stopped_free(struct sim_stopped *stopped);

#endif

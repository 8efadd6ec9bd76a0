/* Finds out why a run stopped: what waits for what (analysis/causes/stopped.h), and, by trying, the
 * settings with which it would have continued. */
#ifndef SIM_EXPLAIN_STOPPED_H
#define SIM_EXPLAIN_STOPPED_H

#include "analysis/causes/stopped.h"
#include "sim/session/simulation.h"

/* A setting with which the run continues. */
struct sim_stopped_remedy {
    const char *key;
    char *now,
        *value; /* current value; smallest value with which the run continues; owned */
    enum isa_end end;  /* how the run ends with `value` */
    uint64_t cycles;   /* cycles of the run with `value` */
    const char *fails; /* how the run ends with a value one smaller; NULL if impossible */
};

struct sim_stopped {
    struct sim_ending ending; /* ending of the unchanged run */
    struct analysis_stopped waits;
    LIB_VEC(struct sim_stopped_remedy) remedies;
    uint64_t runs; /* number of runs made to find the remedies */
};

/* Whether sim_stopped_find explains an end: deadlock, full store, exhausted tags. */
bool sim_stopped_is(enum isa_end end);

/* Simulates `config`, and finds reasons and remedies. Returns false if that failed or was
 * interrupted. Free the result in either case. */
bool sim_stopped_find(const struct sim_simulation_config *config,
                      struct sim_stopped *stopped, struct lib_diags *diags);
void sim_stopped_free(struct sim_stopped *stopped);

#endif

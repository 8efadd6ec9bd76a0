/* A simulation as its three files see it: simulation.c opens, resets, saves and closes it,
 * simulation_advance.c has it run, simulation_measure.c says what it leaves behind. */
#ifndef SIM_SESSION_SIMULATION_INTERNAL_H
#define SIM_SESSION_SIMULATION_INTERNAL_H

#include "isa/fire/interp.h"
#include "machine/machine.h"
#include "machine/settings.h"
#include "sim/session/simulation.h"

static const struct lib_pos nowhere;

struct sim_simulation {
    struct sim_simulation_config config; /* `settings` and `code` are those below */
    struct machine_settings settings;
    struct isa_code *own_code;   /* owned; NULL: it was given */
    struct isa_graph *own_graph; /* owned: divided here; or NULL */
    struct machine *machine;     /* owned; NULL: interpreted */
    struct isa_interp interp;
    const struct isa_blas *blas; /* NULL: the reference multiplies matrices */
    struct lib_text math; /* library that multiplies tensors, or why not OpenBLAS */
    bool falls_back;      /* the reference multiplies; `math` says why */
    struct traces_series *series; /* owned until it is closed, like the profile */
    struct traces_profile *profile;
    struct sim_part part;
    struct traces_stats before; /* owned: measurements where the part begins */
    struct traces_stats after;  /* owned: measurements where the part ends */
    struct analysis_costs *costs;
    bool has_ended;
    bool waits;         /* an interpreter waits for its host */
    bool is_heard;      /* sinks are attached */
    bool is_finished;   /* sinks, series and profile are complete: the run stops here */
    uint64_t next_look; /* count of delivered tokens at the next look */
    double seconds;     /* host time so far */
};

/* Returns how many tokens were delivered so far. */
static inline uint64_t sim_simulation_tokens(const struct sim_simulation *s)
{
    return sim_simulation_exec(s)->counts.tokens;
}

/* Has the machine emit its events to all sinks of the config; no effect if it already does. Called
 * as soon as it is known where the run begins: at the start, or at a checkpoint. */
void sim_simulation_start_events(struct sim_simulation *s);

/* Completes what observes a run that does not continue. */
void sim_simulation_finish(struct sim_simulation *s);

/* Whether the program computes all tensors that the config asks for. Returns false and adds a
 * diagnostic if not. */
bool sim_simulation_check_tensors(const struct sim_simulation *s,
                                  struct lib_diags *diags);

#endif

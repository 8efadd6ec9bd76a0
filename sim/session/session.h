/* A session: a program with its inputs and the configuration of a machine, ready to be simulated
 * as often as wanted. It tells nothing: what is wrong is in the diagnostics. Once opened it does
 * not change, unless sim_session_measure changes it: threads may share it. */
#ifndef SIM_SESSION_SESSION_H
#define SIM_SESSION_SESSION_H

#include "sim/loading/load.h"
#include "sim/loading/setup.h"
#include "sim/session/record.h"
#include "sim/session/simulation.h"
#include "sim/session/window.h"

/* What a session is about; all borrowed while it is opened, but the texts as long as it
 * lives. */
struct sim_session_request {
    const char *program;       /* a path; "-": standard input */
    const char *const *inputs; /* NAME=VALUE */
    size_t input_count;
    const char *machine;     /* a preset or a file; NULL: the preset `default` */
    const char *const *sets; /* KEY=VALUE */
    size_t set_count;
    enum isa_stage strategy; /* ISA_STAGE_COUNT: not said */
    uint64_t seed;
    bool has_seed; /* the user gave it: warned about if nothing is drawn */
    const char
        *energy; /* a table of energies, or a file; NULL: that of the machine, or none */
    const char *window; /* a part of the run (sim/session/window.h); NULL: all of it */
    bool
        untimed; /* by the interpreter: a program whose RECVs are scheduled has hiatons, whatever the settings say */
};

/* Owns all it holds; give back with sim_session_close, also after a failure to open, and
 * not before the diagnostics were told. */
struct sim_session {
    struct lib_arena *arena;
    struct sim_program program;
    struct sim_setup setup;
    struct sim_inputs inputs;
    const struct sim_feeds
        *feeds; /* all that ports are fed, borrowed; NULL: it is not known */
    uint64_t seed;
    struct sim_window window; /* without a text: all of the run */
    struct isa_code *code;    /* shared by all simulations of the session */
    struct isa_digest image_digest;
    const char *name;       /* what results call the program */
    double prepare_seconds; /* of the host: from file to code */
};

/* Loads and compiles the program, and reads the configuration. false after errors. */
bool sim_session_open(struct sim_session *session,
                      const struct sim_session_request *request, struct lib_diags *diags);
void sim_session_close(struct sim_session *session);

/* Makes the code and the digest of a session that has program, setup, inputs and seed. */
void sim_session_prepare(struct sim_session *session);

/* Has a session that was opened measure a part of the run, and energy, in place of what it
 * measures: as in the request; NULL: as before. false after errors. */
bool sim_session_measure(struct sim_session *session, const char *window,
                         const char *energy, struct lib_diags *diags);

/* What simulates it on a machine, observing nothing but what the session is about; to be changed as
 * wanted. Borrows from the session. */
struct sim_simulation_config sim_session_config(const struct sim_session *session);

/* Whether the newest token of an input queue leaves it first, which its events do not say. */
static inline bool sim_session_is_lifo(const struct sim_session *session)
{
    return session->setup.settings.queue_discipline == MACHINE_LIFO;
}

/* The record of a run that ended so; borrows from both. */
struct sim_record sim_session_record(const struct sim_session *session,
                                     const struct sim_ending *ending);

#endif

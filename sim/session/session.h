/* A session: a program, its inputs and the configuration of a machine, ready to be simulated any
 * number of times. Sessions print nothing; errors are diagnostics. An open session is changed by
 * sim_session_measure alone, so threads may share it. */
#ifndef SIM_SESSION_SESSION_H
#define SIM_SESSION_SESSION_H

#include "sim/loading/load.h"
#include "sim/loading/setup.h"
#include "sim/session/record.h"
#include "sim/session/simulation.h"
#include "sim/session/window.h"

/* Arguments of sim_session_open. The caller keeps the strings alive as long as the session; the
 * arrays are borrowed during the call. */
struct sim_session_request {
    const char *program;       /* a path; "-": standard input */
    const char *const *inputs; /* NAME=VALUE */
    size_t input_count;
    const char *machine;     /* a preset or a file; NULL: the preset `default` */
    const char *const *sets; /* KEY=VALUE */
    size_t set_count;
    enum isa_stage strategy; /* ISA_STAGE_COUNT: unspecified */
    uint64_t seed;
    bool has_seed; /* the user gave a seed: a warning follows if the run draws nothing */
    /* A table of energies: its name or a file. If NULL, the energies of the machine, if any. */
    const char *energy;
    const char *window; /* a part of the run (sim/session/window.h); NULL: all of it */
    /* The interpreter runs the program. Then a program whose RECVs are scheduled propagates
     * hiatons, whatever the settings say. */
    bool untimed;
};

/* Owns all that it holds. Free with sim_session_close, also after a failure to open, but only
 * after the diagnostics are printed, as they borrow its sources. */
struct sim_session {
    struct lib_arena *arena;
    struct sim_program program;
    struct sim_setup setup;
    struct sim_inputs inputs;
    const struct sim_feeds *feeds; /* all feeds of its ports, borrowed; NULL: unknown */
    uint64_t seed;
    struct sim_window window; /* all of the run if its text is NULL */
    struct isa_code *code;    /* shared by all simulations of the session */
    struct isa_digest image_digest;
    const char *name;       /* name of the program in results */
    double prepare_seconds; /* host time from file to code */
};

/* Loads and compiles the program, and reads the configuration. Returns false and adds diagnostics
 * if either is invalid. */
bool sim_session_open(struct sim_session *session,
                      const struct sim_session_request *request, struct lib_diags *diags);
void sim_session_close(struct sim_session *session);

/* Makes the code, the digest and the name of a session that has program, setup, inputs, seed. */
void sim_session_prepare(struct sim_session *session);

/* Replaces the window and the table of energies of an open session; see struct
 * sim_session_request. NULL keeps one. Returns false and adds diagnostics on errors. */
bool sim_session_measure(struct sim_session *session, const char *window,
                         const char *energy, struct lib_diags *diags);

/* Returns a configuration that simulates the session on a machine and observes only its window
 * and energy; the caller may change it. The configuration borrows from the session. */
struct sim_simulation_config sim_session_config(const struct sim_session *session);

/* Simulates the session on a machine up to a cycle, for its events alone. Returns false on an error,
 * with a diagnostic, or if `watch` stops it. */
bool sim_session_read(const struct sim_session *session, uint64_t to,
                      const struct traces_event_sink *sinks, size_t count,
                      const struct sim_watch *watch, struct lib_diags *diags);

/* Whether input queues are last in, first out, which events do not say. */
static inline bool sim_session_is_lifo(const struct sim_session *session)
{
    return session->setup.settings.queue_discipline == MACHINE_LIFO;
}

/* Returns the record of a run with this ending; borrows from both. */
struct sim_record sim_session_record(const struct sim_session *session,
                                     const struct sim_ending *ending);

#endif

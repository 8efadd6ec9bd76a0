/* A session: a program, its inputs and a machine configuration, ready to be simulated any number of
 * times. A session prints nothing; errors are diagnostics. Threads may share an open session, as
 * only sim_session_measure changes it. */
#ifndef SIM_SESSION_SESSION_H
#define SIM_SESSION_SESSION_H

#include "sim/loading/inputs.h"
#include "sim/loading/load.h"
#include "machine/describe.h"
#include "sim/loading/setup.h"
#include "sim/session/record.h"
#include "sim/session/simulation.h"
#include "sim/session/window.h"

/* Arguments of sim_session_open. Strings must live as long as the session; arrays are borrowed
 * during the call. */
struct sim_session_request {
    const char *program;       /* path of the program; "-": standard input */
    const char *const *inputs; /* each NAME=VALUE */
    size_t input_count;
    /* Name of a preset, or a file; NULL: the preset `default`. */
    const char *machine;
    const char *const *sets; /* each KEY=VALUE */
    size_t set_count;
    enum isa_stage strategy; /* compilation strategy; ISA_STAGE_COUNT: not specified */
    uint64_t seed;
    /* The user gave the seed: a warning is added if nothing is random. */
    bool has_seed;
    /* Energy table: a name or a file. NULL: the energy table of the machine, if any. */
    const char *energy;
    /* Part of the run to measure (sim/session/window.h); NULL: all of it. */
    const char *window;
    /* The untimed interpreter, not a machine, will run the program. If the program has scheduled
     * RECVs, the interpreter then sends hiatons (tokens without a value), whatever the settings
     * say. */
    bool untimed;
};

/* Owns all that is not borrowed. Free with sim_session_close, even if opening failed, but after the
 * diagnostics are printed, as they borrow the session's sources. */
struct sim_session {
    struct lib_arena *arena;
    struct sim_program program;
    struct sim_setup setup;
    struct sim_inputs inputs;
    /* Borrowed. All elements that input ports get; NULL: not known in advance. */
    const struct sim_feeds *feeds;
    uint64_t seed;
    /* Part of the run to measure; all of it if `text` is NULL. */
    struct sim_window window;
    struct isa_code *code; /* shared by all simulations of the session */
    struct isa_digest image_digest;
    const char *name;       /* name of the program in results */
    double prepare_seconds; /* seconds on the host to load and compile the program */
};

/* Loads and compiles a program, and reads a configuration. Returns false and adds diagnostics if
 * either is invalid. */
bool sim_session_open(struct sim_session *session,
                      const struct sim_session_request *request, struct lib_diags *diags);
void sim_session_close(struct sim_session *session);

/* Sets the members code, digest and name of a session that has program, setup, inputs and seed. */
void sim_session_prepare(struct sim_session *session);

/* Replaces window and energy table of an open session, each unless NULL; see struct
 * sim_session_request. Returns false and adds diagnostics on errors. */
bool sim_session_measure(struct sim_session *session, const char *window,
                         const char *energy, struct lib_diags *diags);

/* Returns a configuration that simulates the session on a machine, measuring only its window and
 * energy. The caller may change it. Borrows from the session. */
struct sim_simulation_config sim_session_config(const struct sim_session *session);

/* Simulates the session on a machine, up to cycle `to`, and sends its events to `sinks`. Returns
 * false if `watch` stops it, or on an error, with a diagnostic. */
bool sim_session_read(const struct sim_session *session, uint64_t to,
                      const struct traces_event_sink *sinks, size_t count,
                      const struct sim_watch *watch, struct lib_diags *diags);

/* Whether the input queues of PEs are last in, first out. Events do not show it. */
static inline bool sim_session_is_lifo(const struct sim_session *session)
{
    return machine_describe(&session->setup.settings.machine, NULL, NULL).is_lifo;
}

/* Returns the record of a run that ended as `ending`; borrows from both. */
struct sim_record sim_session_record(const struct sim_session *session,
                                     const struct sim_ending *ending);

#endif

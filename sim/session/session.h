/* A session: a program, its inputs and the configuration of a machine, ready to be simulated any
 * number of times. A session prints nothing; errors are diagnostics. Threads may share an open
 * session, as only sim_session_measure changes it. */
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
    const char *program;       /* path of the program; "-": standard input */
    const char *const *inputs; /* NAME=VALUE */
    size_t input_count;
    const char *machine;     /* a preset or a file; NULL: the preset `default` */
    const char *const *sets; /* KEY=VALUE */
    size_t set_count;
    enum isa_stage strategy; /* ISA_STAGE_COUNT: unspecified */
    uint64_t seed;
    /* the user gave a seed; a warning follows if nothing is random */
    bool has_seed;
    /* Energy table: its name or a file. NULL: the energy table of the machine, if any. */
    const char *energy;
    const char *window; /* part to measure (sim/session/window.h); NULL: all of the run */
    /* The interpreter runs the program. With scheduled RECVs it then sends hiatons (tokens without
     * a value), whatever the settings say. */
    bool untimed;
};

/* Owns all that is not borrowed. Free with sim_session_close, even if opening failed, but only
 * after the diagnostics are printed, as they borrow its sources. */
struct sim_session {
    struct lib_arena *arena;
    struct sim_program program;
    struct sim_setup setup;
    struct sim_inputs inputs;
    /* all elements fed to its ports, borrowed; NULL: unknown */
    const struct sim_feeds *feeds;
    uint64_t seed;
    struct sim_window window; /* part to measure; all of the run if window.text is NULL */
    struct isa_code *code;    /* shared by all simulations of the session */
    struct isa_digest image_digest;
    const char *name;       /* name of the program in results */
    double prepare_seconds; /* seconds on the host to load and compile the program */
};

/* Loads and compiles the program, and reads the configuration. Returns false and adds diagnostics
 * if either is invalid. */
bool sim_session_open(struct sim_session *session,
                      const struct sim_session_request *request, struct lib_diags *diags);
void sim_session_close(struct sim_session *session);

/* Sets code, digest and name of a session that has program, setup, inputs and seed. */
void sim_session_prepare(struct sim_session *session);

/* Replaces window and energy table of an open session; see struct sim_session_request. An
 * argument that is NULL keeps the old one. Returns false and adds diagnostics on errors. */
bool sim_session_measure(struct sim_session *session, const char *window,
                         const char *energy, struct lib_diags *diags);

/* Returns a configuration that simulates the session on a machine and measures only its window
 * and energy. The caller may change it. Borrows from the session. */
struct sim_simulation_config sim_session_config(const struct sim_session *session);

/* Simulates the session on a machine up to a cycle, for its events alone. Returns false on an
 * error, with a diagnostic, or if `watch` stops it. */
bool sim_session_read(const struct sim_session *session, uint64_t to,
                      const struct traces_event_sink *sinks, size_t count,
                      const struct sim_watch *watch, struct lib_diags *diags);

/* Whether the input queues of PEs are last in, first out. Events do not show this. */
static inline bool sim_session_is_lifo(const struct sim_session *session)
{
    return session->setup.settings.queue_discipline == MACHINE_LIFO;
}

/* Returns the record of a run with this ending; borrows from both. */
struct sim_record sim_session_record(const struct sim_session *session,
                                     const struct sim_ending *ending);

#endif

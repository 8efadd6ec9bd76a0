/* The structs behind the handles of hiaton.h, and functions shared by its implementation. */
#ifndef SIM_LIBRARY_INTERNAL_H
#define SIM_LIBRARY_INTERNAL_H

#include <pthread.h>
#include <stdatomic.h>

#include "lib/world.h"
#include "sim/hiaton.h"
#include "sim/session/session.h"

/* --- structures of the caller ------------------------------------------------------------ */

/* Copies a structure of the caller, as far as both sides know it, before zeros. `theirs` may be
 * NULL, and is all zero then. */
void sim_library_take(void *own, size_t own_size, const void *theirs);

/* Fills a structure of the caller, except its size, as far as both sides know it. */
void sim_library_give(void *theirs, const void *own, size_t own_size);

/* Returns true if a structure of the caller has a size. An optional structure is NULL instead. */
bool sim_library_has_size(const void *theirs);

#define SIM_TAKE(own, theirs) sim_library_take(&(own), sizeof(own), theirs)
#define SIM_GIVE(theirs, own) sim_library_give(theirs, &(own), sizeof(own))

/* --- diagnostics ------------------------------------------------------------------------- */

/* Reports one diagnostic, about a node of the host's graph (UINT32_MAX: about none). `reporter` may
 * be NULL. */
void sim_library_report_one(const struct hiaton_reporter *reporter,
                            const struct lib_diag *diag, uint32_t node);

/* Reports diagnostics and frees them. The reporter may be NULL. */
void sim_library_report(const struct hiaton_reporter *reporter, struct lib_diags *diags);

/* Reports one error that concerns no file. */
void sim_library_complain(const struct hiaton_reporter *reporter, enum lib_diag_code code,
                          const char *format, ...) __attribute__((format(printf, 3, 4)));

/* --- machines ---------------------------------------------------------------------------- */

struct hiaton_machine {
    atomic_uint holders;
    /* A program, session or pool uses it, so that it no longer changes. */
    atomic_bool is_used;
    struct lib_arena *arena;
    struct sim_setup setup;
    struct sim_setting_files files;
};

/* Adds a holder of a machine, which does not change from now on. */
struct hiaton_machine *sim_library_hold_machine(struct hiaton_machine *machine);

/* --- programs ---------------------------------------------------------------------------- */

struct hiaton_program {
    atomic_uint holders;
    struct sim_program program;
    struct isa_digest digest;
    const char *name;               /* name of the program in results */
    struct hiaton_machine *machine; /* machine for which it was compiled; held */
    pthread_mutex_t lock;           /* for `image` and `code`, which are made on demand */
    struct lib_text image;
    struct isa_code *code[2]; /* with the inputs of the program: propagate or not */
};

/* Receiver of the diagnostics of a program, which it frees: sim_library_report, or a function that
 * adds their subject. */
struct sim_library_diag_sink {
    void (*tell)(void *context, struct lib_diags *diags);
    void *context;
};

/* As hiaton_program_read, except that `teller` gets the errors in the text, and `reporter` all
 * others. */
struct hiaton_program *sim_library_read_program(
    const void *bytes, size_t length, const struct hiaton_program_options *options,
    const struct hiaton_reporter *reporter, const struct sim_library_diag_sink *teller);

struct hiaton_program *sim_library_hold_program(struct hiaton_program *program);

/* Returns the code of a program with its own inputs; borrowed, and shared by sessions. */
const struct isa_code *sim_library_code(struct hiaton_program *program, bool propagates);

/* --- sessions ---------------------------------------------------------------------------- */

struct hiaton_session {
    struct hiaton_program *program; /* held, like the machine */
    struct hiaton_machine *machine;
    struct hiaton_reporter reporter;
    struct sim_session session; /* the run; its program and code are borrowed */
    enum sim_engine engine;
    struct isa_graph *divided;                    /* divided image, or NULL; owned */
    const struct sim_simulation_config *observed; /* from sim_library_observe, or NULL */
    struct isa_code *own_code; /* code of a divided or observed run, or NULL; owned */
    struct sim_simulation *simulation; /* reset after a run; or NULL; owned */
    bool has_inputs;                   /* inputs were given */
    bool had_inputs;                   /* the simulation has run with given inputs */
    bool has_begun, has_ended;
    bool is_waiting; /* the last advance ended because the run waits for its host */
    atomic_bool is_cancelled;
    struct lib_world host; /* world of the caller, while the library runs in its own */
    hiaton_look *look;     /* callback of the caller, or NULL */
    void *look_context;

    struct sim_library_ear *ear;    /* listener, or NULL; owned */
    struct sim_recorder *recorder;  /* recorder, or NULL; owned */
    struct lib_text saved;          /* state that was saved last */
    struct sim_library_port *ports; /* types of each port, or NULL; owned */

    struct traces_stats stats; /* valid if has_stats: measured since the last advance */
    bool has_stats;
    struct sim_ending ending; /* valid if has_ending */
    bool has_ending;
};

/* Functions for the command line that hiaton.h does not offer (sim/cli/open.h). Return the parts of
 * a session, ready to be simulated, whose inputs no longer change; and the simulation, which is
 * NULL before the run. Both are borrowed. */
struct sim_session *sim_library_parts(struct hiaton_session *session);
struct sim_simulation *sim_library_simulation(struct hiaton_session *session);

/* Makes a run observed as in `config`, before it begins. `config` must come from sim_session_config
 * and outlive the run. */
void sim_library_observe(struct hiaton_session *session,
                         const struct sim_simulation_config *config);

/* Returns the ending of a run that has begun, once. The caller frees it with sim_ending_free. */
struct sim_ending sim_library_take_ending(struct hiaton_session *session);

/* Callbacks of the host run between these two functions, in the locale and floating-point state of
 * the host. Between sim_library_enter and sim_library_leave, the library runs in its own. */
static inline void sim_library_go_out(const struct hiaton_session *session)
{
    lib_world_leave(&session->host);
}

static inline void sim_library_come_back(void)
{
    (void)lib_world_enter();
}

static inline void sim_library_enter(struct hiaton_session *session)
{
    session->host = lib_world_enter();
}

static inline void sim_library_leave(const struct hiaton_session *session)
{
    lib_world_leave(&session->host);
}

/* Begins the run of a session, if it has not begun. Returns false and reports if it cannot. */
bool sim_library_begin(struct hiaton_session *session);

/* Ends the run, if any. The session is at its start again, with its inputs. */
void sim_library_end_run(struct hiaton_session *session);

/* Frees the simulation, which must have no run. The next one is new, with the current listener. */
void sim_library_cool(struct hiaton_session *session);

/* Describes how the run of a session ended, once. */
void sim_library_describe(struct hiaton_session *session);

/* Returns the type of the elements of a value; HIATON_TENSOR for a tensor. */
enum hiaton_type sim_library_type(enum isa_type type);
enum hiaton_type sim_library_type_of_element(enum isa_element_kind element);

/* Copies a value of a run, of a type, to one of the caller. Returns HIATON_NO_ROOM if its buffer
 * is too small, and HIATON_REJECTED if rows of an array have several lengths. */
enum hiaton_status sim_library_copy_value(const struct isa_exec *exec, enum isa_type type,
                                          isa_value of, struct hiaton_value *value);

/* Frees the data that hiaton_session_port has returned. */
struct sim_library_port;
void sim_library_ports_free(struct hiaton_session *session);

/* --- listeners --------------------------------------------------------------------------- */

struct sim_library_ear;

/* Return the sink of a listener, borrowed; and free a listener, which may be NULL. */
const struct traces_event_sink *sim_library_ear_sink(const struct sim_library_ear *ear);
void sim_library_ear_free(struct sim_library_ear *ear);

/* --- recordings -------------------------------------------------------------------------- */

/* Completes the recording of a run that has ended. Returns false and reports an error if it could
 * not be written. */
bool sim_library_finish_recording(struct hiaton_session *session);

#endif

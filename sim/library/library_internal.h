/* The structs behind the opaque pointers of hiaton.h, and functions shared by its
 * implementation. */
#ifndef SIM_LIBRARY_INTERNAL_H
#define SIM_LIBRARY_INTERNAL_H

#include <pthread.h>
#include <stdatomic.h>

#include "lib/world.h"
#include "sim/hiaton.h"
#include "sim/session/session.h"

/* --- structs of the caller --------------------------------------------------------------- */

/* Copies a struct of the caller, which begins with its size, to `own`. Members that the caller does
 * not know are 0; all are 0 if `theirs` is NULL. */
void sim_library_take(void *own, size_t own_size, const void *theirs);

/* Copies `own` to a struct of the caller, but neither its size nor members that the caller does not
 * know. */
void sim_library_give(void *theirs, const void *own, size_t own_size);

/* Whether the caller has set the size of the struct `theirs`. Returns false if `theirs` is NULL. */
bool sim_library_has_size(const void *theirs);

#define SIM_TAKE(own, theirs) sim_library_take(&(own), sizeof(own), theirs)
#define SIM_GIVE(theirs, own) sim_library_give(theirs, &(own), sizeof(own))

/* --- diagnostics ------------------------------------------------------------------------- */

/* Reports a diagnostic about a node of a graph that the caller built; `node` UINT32_MAX: no node.
 * `reporter` may be NULL. */
void sim_library_report_one(const struct hiaton_reporter *reporter,
                            const struct lib_diag *diag, uint32_t node);

/* Reports how many diagnostics were not kept, if any. */
void sim_library_report_dropped(const struct hiaton_reporter *reporter,
                                const struct lib_diags *diags);

/* Reports diagnostics to the caller, and frees them. `reporter` may be NULL. */
void sim_library_report(const struct hiaton_reporter *reporter, struct lib_diags *diags);

void sim_library_complain(const struct hiaton_reporter *reporter, enum lib_diag_code code,
                          const char *format, ...) __attribute__((format(printf, 3, 4)));

/* --- machines ---------------------------------------------------------------------------- */

struct hiaton_machine {
    atomic_uint holders;
    /* Whether a program, session or pool uses the machine. If so, its settings are fixed. */
    atomic_bool is_used;
    struct lib_arena *arena;
    struct sim_setup setup;
    struct sim_setting_files files;
};

/* Counts a new reference to a machine, whose settings are then fixed. Returns the machine. */
struct hiaton_machine *sim_library_hold_machine(struct hiaton_machine *machine);

/* --- programs ---------------------------------------------------------------------------- */

struct hiaton_program {
    atomic_uint holders;
    struct sim_program program;
    struct isa_digest digest;
    const char *name;
    /* counted reference to the machine for which the program was compiled */
    struct hiaton_machine *machine;
    pthread_mutex_t lock; /* protects `image` and `code`, which are made on demand */
    struct lib_text image;
    /* code[1] sends hiatons (tokens without a value) on branches that are not taken; code[0] does
     * not */
    struct isa_code *code[2];
};

/* A receiver of diagnostics about a program. It frees them. */
struct sim_library_diag_sink {
    void (*tell)(void *context, struct lib_diags *diags);
    void *context;
};

/* Like hiaton_program_read, but sends errors in the text to `teller`, and all others to
 * `reporter`. */
struct hiaton_program *sim_library_read_program(
    const void *bytes, size_t length, const struct hiaton_program_options *options,
    const struct hiaton_reporter *reporter, const struct sim_library_diag_sink *teller);

struct hiaton_program *sim_library_hold_program(struct hiaton_program *program);

/* Returns the code of a program with default inputs; borrowed, and shared by sessions. With
 * `propagates`, the code sends hiatons (tokens without a value) on branches that are not taken. */
const struct isa_code *sim_library_code(struct hiaton_program *program, bool propagates);

/* --- sessions ---------------------------------------------------------------------------- */

struct hiaton_session {
    struct hiaton_program *program; /* counted reference, like `machine` */
    struct hiaton_machine *machine;
    struct hiaton_reporter reporter;
    struct sim_session session; /* the run; borrows its program and code */
    enum sim_engine engine;
    /* owned; graph partitioned for several machines; or NULL */
    struct isa_graph *divided;
    const struct sim_simulation_config *observed;
    /* owned; code for inputs of the caller or for `divided`; NULL: the code of the program */
    struct isa_code *own_code;
    struct sim_simulation *simulation; /* owned; reused by the next run; or NULL */
    struct lib_arena *given; /* owned; inputs that are arrays or tensors; or NULL */
    bool has_inputs;
    bool had_inputs; /* whether `simulation` has run with inputs of the caller */
    bool has_begun, has_ended;
    bool is_waiting; /* whether the last advance stopped to wait for a port to be fed */
    atomic_bool is_cancelled;
    /* Locale and floating-point state of the caller. */
    struct lib_world host;
    hiaton_look *look; /* callback of the caller; may be NULL */
    void *look_context;

    struct sim_library_ear *ear;   /* owned; receives events for the caller; or NULL */
    struct sim_recorder *recorder; /* owned; writes a recording; or NULL */
    struct lib_text saved;         /* the last state that the caller saved */
    /* owned; types and ranks of the parts of each port, for hiaton_session_port; or NULL */
    struct sim_library_port *ports;

    struct traces_stats stats; /* valid if has_stats; measured after the last advance */
    bool has_stats;
    struct sim_ending ending; /* valid if has_ending */
    bool has_ending;
};

/* For the command line (sim/cli/open.h): returns the program, inputs and settings of the session,
 * borrowed. From then on they cannot be changed. */
struct sim_session *sim_library_parts(struct hiaton_session *session);

/* For the command line: returns the simulation, borrowed; NULL before the run. */
struct sim_simulation *sim_library_simulation(struct hiaton_session *session);

/* Sets what to observe in a run that has not begun. `config` must come from sim_session_config and
 * outlive the run. */
void sim_library_observe(struct hiaton_session *session,
                         const struct sim_simulation_config *config);

/* Moves the ending of a run that has begun to the caller, once. The caller frees it with
 * sim_ending_free. */
struct sim_ending sim_library_take_ending(struct hiaton_session *session);

/* Switch between the locale and floating-point state of the library and those of the caller. The
 * library's are set between sim_library_enter and sim_library_leave, except between
 * sim_library_go_out and sim_library_come_back, where callbacks of the caller run. */
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

/* Sets input `input` of a session that has not begun to a value, which is copied. */
void sim_library_set_input(struct hiaton_session *session, uint32_t input,
                           isa_value value);

/* Reads the elements of an array or a tensor for an input (hiaton_session_input), and sets it.
 * Returns false if they are not a value of the input; if they exceed the memory limit, also
 * reports that. */
bool sim_library_set_elements(struct hiaton_session *session, uint32_t input,
                              enum hiaton_type type, uint32_t rank,
                              const uint64_t *extents, const void *data);

/* Begins the run of a session, unless it has begun. Returns false and reports an error on
 * failure. */
bool sim_library_begin(struct hiaton_session *session);

/* Ends the run, if any. The session is at its start again, with the same inputs. */
void sim_library_end_run(struct hiaton_session *session);

/* Frees the simulation, of which no run may be in progress. The next run then makes a new one, with
 * the listener that the caller has set since. */
void sim_library_cool(struct hiaton_session *session);

/* Sets the session's `ending` to the outcome of the run, unless it is set already. */
void sim_library_describe(struct hiaton_session *session);

/* Returns the public type of a value: HIATON_TENSOR for all tensors. */
enum hiaton_type sim_library_type(enum isa_type type);

/* Returns the public type of the elements of a tensor. */
enum hiaton_type sim_library_type_of_element(enum isa_element_kind element);

/* Copies a value of a run to the caller. Returns HIATON_NO_ROOM if the buffer is too small,
 * HIATON_REJECTED if rows of an array differ in length. */
enum hiaton_status sim_library_copy_value(const struct isa_exec *exec, enum isa_type type,
                                          isa_value of, struct hiaton_value *value);

/* Types and ranks of the parts of a port; results of hiaton_session_port point to them.
 * sim_library_ports_free frees the types and ranks of all ports of a session. */
struct sim_library_port;
void sim_library_ports_free(struct hiaton_session *session);

/* --- listeners --------------------------------------------------------------------------- */

struct sim_library_ear;

/* Returns the event sink of a listener, borrowed. */
const struct traces_event_sink *sim_library_ear_sink(const struct sim_library_ear *ear);

/* Frees a listener, which may be NULL. */
void sim_library_ear_free(struct sim_library_ear *ear);

/* --- recordings -------------------------------------------------------------------------- */

/* Completes the recording of a run that has ended. Returns false and reports an error if the file
 * cannot be written. */
bool sim_library_finish_recording(struct hiaton_session *session);

#endif

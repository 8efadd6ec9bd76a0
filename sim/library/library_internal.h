/* What the handles of hiaton.h are, and what its functions share. */
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

/* Fills a structure of the caller in, but for its size, as far as both sides know it. */
void sim_library_give(void *theirs, const void *own, size_t own_size);

/* Whether a structure of the caller has a size. A structure that may be missing is NULL instead. */
bool sim_library_has_size(const void *theirs);

#define SIM_TAKE(own, theirs) sim_library_take(&(own), sizeof(own), theirs)
#define SIM_GIVE(theirs, own) sim_library_give(theirs, &(own), sizeof(own))

/* --- diagnostics ------------------------------------------------------------------------- */

/* Reports one diagnostic, about a node of the host's graph (UINT32_MAX: about none). `reporter` may
 * be NULL. */
void sim_library_report_one(const struct hiaton_reporter *reporter,
                            const struct lib_diag *diag, uint32_t node);

/* Tells a reporter, which may be NULL, and frees the diagnostics. */
void sim_library_report(const struct hiaton_reporter *reporter, struct lib_diags *diags);

/* Tells one error about no file. */
void sim_library_complain(const struct hiaton_reporter *reporter, enum lib_diag_code code,
                          const char *format, ...) __attribute__((format(printf, 3, 4)));

/* --- machines ---------------------------------------------------------------------------- */

struct hiaton_machine {
    atomic_uint holders;
    atomic_bool is_used; /* by a program, session or pool: it does not change any more */
    struct lib_arena *arena;
    struct sim_setup setup;
    struct sim_setting_files files;
};

/* One holder more; the machine does not change from now on. */
struct hiaton_machine *sim_library_hold_machine(struct hiaton_machine *machine);

/* --- programs ---------------------------------------------------------------------------- */

struct hiaton_program {
    atomic_uint holders;
    struct sim_program program;
    struct isa_digest digest;
    const char *name;               /* what results call the program */
    struct hiaton_machine *machine; /* held: it decided how the program was compiled */
    pthread_mutex_t lock;           /* of what is made when it is asked for: */
    struct lib_text image;
    struct isa_code *code[2]; /* with the inputs of the program: propagate or not */
};

/* Receiver of the diagnostics of a program, which it frees: sim_library_report, or one that says
 * what they are about. */
struct sim_library_teller {
    void (*tell)(void *context, struct lib_diags *diags);
    void *context;
};

/* As hiaton_program_read; but `teller` gets what is wrong with the text, and `reporter` the
 * rest. */
struct hiaton_program *sim_library_read_program(
    const void *bytes, size_t length, const struct hiaton_program_options *options,
    const struct hiaton_reporter *reporter, const struct sim_library_teller *teller);

struct hiaton_program *sim_library_hold_program(struct hiaton_program *program);

/* The code of a program with its own inputs; borrowed, and shared by sessions. */
const struct isa_code *sim_library_code(struct hiaton_program *program, bool propagates);

/* --- sessions ---------------------------------------------------------------------------- */

struct hiaton_session {
    struct hiaton_program *program; /* held, like the machine */
    struct hiaton_machine *machine;
    struct hiaton_reporter reporter;
    struct sim_session session; /* what runs; its program is borrowed, its code too */
    enum sim_engine engine;
    struct isa_graph *divided; /* owned: the settings divide the program; or NULL */
    const struct sim_simulation_config
        *observed;             /* borrowed: sim_library_observe; or NULL */
    struct isa_code *own_code; /* owned: of what is divided or observed; or NULL */
    struct sim_simulation
        *simulation; /* owned; it is reset after a run; NULL: none yet */
    bool has_inputs; /* some were given */
    bool had_inputs; /* the simulation has run with some */
    bool has_begun, has_ended;
    bool is_waiting; /* the last advance has ended as the run waits for its host */
    atomic_bool is_cancelled;
    struct lib_world host; /* of the caller, while the library runs in its own */
    hiaton_look *look;     /* of the caller; or NULL */
    void *look_context;

    struct sim_library_ear *ear;    /* owned: who listens; or NULL */
    struct sim_recorder *recorder;  /* owned: the run is recorded; or NULL */
    struct lib_text saved;          /* the state that was saved last */
    struct sim_library_port *ports; /* owned, of each port: its types; or NULL */

    struct traces_stats stats; /* measured since the last advance, if: */
    bool has_stats;
    struct sim_ending ending; /* described, if: */
    bool has_ending;
};

/* What the command line does with a session beside what hiaton.h offers (sim/cli/open.h): its
 * parts, ready to be simulated, with inputs that do not change any more; borrowed, like the
 * simulation, which is NULL before the run. */
struct sim_session *sim_library_parts(struct hiaton_session *session);
struct sim_simulation *sim_library_simulation(struct hiaton_session *session);

/* Has the run observe what `config` says, which is one of sim_session_config and lives as long as
 * the run; before it begins. */
void sim_library_observe(struct hiaton_session *session,
                         const struct sim_simulation_config *config);

/* Hands over what the run leaves behind, once, to be freed by sim_ending_free. It has begun. */
struct sim_ending sim_library_take_ending(struct hiaton_session *session);

/* Callbacks of the host run in the host's locale and floating-point state: between these two. They
 * stand between sim_library_enter and sim_library_leave, where the library runs in its own. */
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

/* Ends the run, if there is one: the session is at its start, with the inputs that it has. */
void sim_library_end_run(struct hiaton_session *session);

/* Frees the simulation, which has no run: the next one is new, with who listens now. */
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

/* Frees what hiaton_session_port has told of ports. */
struct sim_library_port;
void sim_library_ports_free(struct hiaton_session *session);

/* --- listeners --------------------------------------------------------------------------- */

struct sim_library_ear;

/* The sink of a listener, borrowed; and frees it, NULL is allowed. */
const struct traces_event_sink *sim_library_ear_sink(const struct sim_library_ear *ear);
void sim_library_ear_free(struct sim_library_ear *ear);

/* --- recordings -------------------------------------------------------------------------- */

/* The run of a session has ended: completes its recording. Returns false and reports if it could
 * not be written. */
bool sim_library_finish_recording(struct hiaton_session *session);

#endif

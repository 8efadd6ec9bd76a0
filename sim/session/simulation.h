/* A simulation: one run of a program, from its code to its ending. All other ways to run a
 * program use it.
 *
 *     open  ->  advance  ->  ...  ->  advance  ->  close
 *
 * sim_simulate (sim/session/simulate.h) is all of it in one call. A simulation prints nothing, does
 * not exit and reads no file. It reads the clock of the host only to measure its own time. A caller
 * that shows progress or stops the run does so in `watch`.
 *
 * Simulations are independent: many may run at once, each in its own thread, over one shared
 * graph or code. One simulation is used by one thread at a time. */
#ifndef SIM_SESSION_SIMULATION_H
#define SIM_SESSION_SIMULATION_H

#include "analysis/cost/cost.h"
#include "analysis/energy.h"
#include "lib/diag.h"
#include "machine/ports.h"
#include "sim/ending/ending.h"
#include "traces/events.h"

struct sim_simulation;
struct sim_window;
struct machine_timing;
struct isa_reexec;
struct sim_feeds;

/* A callback that watches a run. `look` is called before the run begins, and again after about
 * `every` tokens each (0: a default of some 20 ms). The run stops if `look` returns false. How
 * often it is called does not change what is simulated. */
struct sim_watch {
    bool (*look)(const struct sim_simulation *simulation, void *context); /* NULL: none */
    void *context;
    uint64_t every;
};

/* The run to make. Borrowed until the simulation is closed, except the settings, which are
 * copied. "Machine only" marks what the interpreter does not have. */
struct sim_simulation_config {
    /* A graph that isa_check has accepted, of an executable stage; or its code, if not NULL. */
    const struct isa_graph *graph;
    const struct isa_code *code; /* made of the graph and the inputs; or NULL */
    const isa_value *inputs;     /* one per input of the graph; NULL: its defaults */
    const struct machine_settings *settings;
    uint64_t seed;
    enum sim_engine engine;
    bool unmeasured;      /* interpreter only: faster; without firings, span, digest */
    bool series, profile; /* machine only: record them */
    bool costs;           /* machine only: count costs by `costs_by` */
    enum analysis_cost_by costs_by;
    const struct traces_event_sink *sinks; /* machine only: they receive all events */
    size_t sink_count;
    const struct analysis_energy *energy; /* machine only: measure energy; or NULL */
    const struct machine_timing *timing;  /* machine only: times of opcodes; or NULL */
    const struct sim_window *window;      /* machine only: measure this part; or NULL */
    const char *const *tensors; /* "result" or constants: the ending has their values */
    size_t tensor_count;
    struct sim_watch watch;
    /* The caller feeds the ports in. A program with such ports needs this or `feeds`. */
    bool has_host;
    const struct sim_feeds *feeds; /* all that ports are fed; or NULL */
};

/* Returns a simulation at its start; free it with sim_simulation_close. Returns NULL and adds a
 * diagnostic if the graph is not executable, the code does not agree with the settings, a setting
 * is out of range, or the engine cannot make what is to be observed. */
struct sim_simulation *sim_simulation_open(const struct sim_simulation_config *config,
                                           struct lib_diags *diags);

/* Sends the events of a machine to more sinks from now on. First come events of what is alive, in
 * `cycle`. The config must have no sinks and no costs. To be called once; copies the sinks. */
void sim_simulation_listen(struct sim_simulation *simulation, uint64_t cycle,
                           const struct traces_event_sink *sinks, size_t count);

/* Like sim_simulation_listen, for sinks that already know what is alive: that is not repeated. */
void sim_simulation_listen_on(struct sim_simulation *simulation,
                              const struct traces_event_sink *sinks, size_t count);

/* Makes events that are sent to sinks have the values of tokens (traces/token_value.h). */
void sim_simulation_emit_token_values(struct sim_simulation *simulation);

/* Bounds of one advance. A member that is 0 or NULL sets no bound. */
struct sim_until {
    uint64_t cycle; /* of a machine: stop when all cycles before it are over */
    /* Time passes up to this cycle while a machine waits for its host. */
    uint64_t lapse;
    uint64_t tokens; /* about how many tokens to deliver in this advance */
    /* Returns true to stop. Called after each cycle in which anything happens; of an interpreter,
     * which has no cycles, after some thousand tokens at most. */
    bool (*event)(const struct sim_simulation *simulation, void *context);
    void *context;
};

enum sim_advanced {
    SIM_ADVANCED_SO_FAR, /* a bound of sim_until is reached; the run has not ended */
    SIM_ADVANCED_TO_END,
    SIM_ADVANCED_TO_STOP, /* `watch` stopped the run */
    SIM_ADVANCED_TO_WAIT, /* the run waits until a port is fed or closed */
};

/* Runs until a bound of `until`; to the end if that is NULL. How a run is divided into calls does
 * not change what is simulated. After any result but SIM_ADVANCED_TO_END it may be called again. */
enum sim_advanced sim_simulation_advance(struct sim_simulation *simulation,
                                         const struct sim_until *until);

/* Restrict the statistics of a machine to a part of its run. The part begins with `cycle`: all
 * cycles before must be over and no later one begun, as after an advance to that cycle. It ends
 * before the `cycle` of sim_simulation_end_part, or with the run. A part that would begin after the
 * end of the run has no statistics. Peaks are those of the part, also in sim_simulation_measure. */
void sim_simulation_begin_part(struct sim_simulation *simulation, uint64_t cycle);
void sim_simulation_end_part(struct sim_simulation *simulation, uint64_t cycle);

/* Follows the first call of a function on a machine that has not advanced yet; see `first_call` and
 * `is_over` in struct isa_activations. */
void sim_simulation_follow(struct sim_simulation *simulation, uint32_t function);

/* Returns to the start, for another run with these inputs and this seed. The simulation is then
 * bit for bit like one just opened with them, whatever happened before. `inputs` has one value per
 * input of the graph, and is copied; NULL keeps the inputs. The sinks of the config receive the
 * new run too; those of sim_simulation_listen are dropped, and no function is followed. A caller
 * that needs the measurements of the old run calls sim_simulation_measure or sim_simulation_leave
 * before.
 *
 * Costs a pass over the PEs and links of the machine, and over the state left by the run: a
 * microsecond on one PE, some on 64. The simulation keeps its memory, so it holds what its largest
 * run took. Code of the caller is copied when it first gets other inputs. A machine on SimGrid is
 * closed and opened instead. */
void sim_simulation_reset(struct sim_simulation *simulation, const isa_value *inputs,
                          uint64_t seed);

/* Moves the outcome of the run so far to `ending`, as sim_simulation_close does. The simulation
 * must then be closed or reset before it advances. */
void sim_simulation_leave(struct sim_simulation *simulation, struct sim_ending *ending);

/* Starts another run of an interpreter that has completed a run over static code of the caller. It
 * recomputes only what depends on the changes in `again`; see isa_interp_again. Counts continue. */
void sim_simulation_again(struct sim_simulation *simulation,
                          const struct isa_reexec *again);

/* Frees the simulation. Moves the outcome to `ending`, to be freed with sim_ending_free, unless
 * that is NULL. A simulation before its end counts as interrupted. */
void sim_simulation_close(struct sim_simulation *simulation, struct sim_ending *ending);

/* --- ports ------------------------------------------------------------------------------- */

/* Feeds an element to a port in, or closes the port if `parts` is NULL; see machine_feed and
 * machine_close. It happens at the beginning of `cycle`, which an interpreter ignores. Returns
 * false if an interpreter has no memory for the element. */
bool sim_simulation_feed(struct sim_simulation *simulation, uint32_t port,
                         const struct machine_fed *parts, uint64_t cycle);

/* Returns the first cycle in which a machine can be fed. */
uint64_t sim_simulation_now(const struct sim_simulation *simulation);

/* Return what a port in was given so far, and how many elements it would take now. */
struct machine_given sim_simulation_given(const struct sim_simulation *simulation,
                                          uint32_t port);
uint64_t sim_simulation_room(const struct sim_simulation *simulation, uint32_t port);

/* Whether a host can feed an element to an open port; see machine_takes_feed. Always true for an
 * interpreter, for which sim_simulation_feed may fail. */
bool sim_simulation_takes_feed(const struct sim_simulation *simulation, uint32_t port,
                               const struct machine_fed *parts, uint64_t cycle);

/* Copies the next element of a port out to `values`. Returns false if it is not written yet.
 * Consumes the element if `is_taken`. */
bool sim_simulation_take(struct sim_simulation *simulation, uint32_t port,
                         isa_value *values, bool is_taken);

/* --- checkpoints --------------------------------------------------------------------- */

/* Adds the state of a machine between two cycles, before its end, with its series and profile. */
void sim_simulation_save(struct sim_simulation *simulation, struct lib_text *bytes);

/* Continues from a saved state. The simulation was just opened with the same code, settings and
 * seed, and observes the same. Returns false if the bytes are not a state that a run can have
 * (machine/verify/verify.h); the simulation is then at its start. Damage that makes another
 * possible state is left to a checksum. */
bool sim_simulation_restore(struct sim_simulation *simulation, const void *bytes,
                            size_t length);

/* The two functions above with the state in a stash, which may be in a file. */
void sim_simulation_stash(struct sim_simulation *simulation, struct lib_stash *stash);
bool sim_simulation_unstash(struct sim_simulation *simulation, struct lib_stash *stash);

/* --- what is seen meanwhile --------------------------------------------------------- */

/* Returns how the run has ended; ISA_END_INTERRUPTED if it has not. */
enum isa_end sim_simulation_end(const struct sim_simulation *simulation);

/* Returns the configuration of the simulation, borrowed. */
const struct sim_simulation_config *
sim_simulation_config(const struct sim_simulation *simulation);

/* Returns the execution: counts, tags, waiting tokens. Borrowed; each advance changes it. */
const struct isa_exec *sim_simulation_exec(const struct sim_simulation *simulation);

/* Returns the next cycle in which something happens, of a machine that has not ended. */
uint64_t sim_simulation_cycle(const struct sim_simulation *simulation);

/* Return the number of timing digests of a machine, and the digests (machine_timing_digests). */
uint32_t sim_simulation_digest_count(const struct sim_simulation *simulation);
void sim_simulation_digests(const struct sim_simulation *simulation, uint64_t *of_parts);
/* Returns the bytes of the simulated state, which limits.memory bounds. */
uint64_t sim_simulation_state_bytes(const struct sim_simulation *simulation);

/* Returns the measurements so far, ratios too; free them with traces_stats_free. */
void sim_simulation_measure(const struct sim_simulation *simulation,
                            struct traces_stats *stats);

#endif

/* A simulation: one run of a program, from its code to its ending. All other ways to run a
 * program use it.
 *
 *     open  ->  advance  ->  ...  ->  advance  ->  close
 *
 * sim_simulate (sim/session/window.h) is all of it in one call. A simulation prints nothing, does
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

/* A callback that watches a run. `look` is called before the run begins, and then every `every`
 * tokens or so (0: about every 20 ms). The run stops if it returns false. How often it is called
 * does not change the results. */
struct sim_watch {
    bool (*look)(const struct sim_simulation *simulation, void *context); /* NULL: none */
    void *context;
    uint64_t every;
};

/* A run to make, and what to observe. Borrowed until the simulation is closed, except the settings,
 * which are copied. "Machine only": an interpreter does not have it. */
struct sim_simulation_config {
    /* An executable graph that isa_check has accepted; not used if `code` is given. */
    const struct isa_graph *graph;
    /* code of a graph with its inputs; NULL: made from `graph` */
    const struct isa_code *code;
    const isa_value *inputs; /* a value per input of the graph; NULL: its defaults */
    const struct machine_settings *settings;
    uint64_t seed;
    enum sim_engine engine;
    bool unmeasured;      /* interpreter only: faster; without firings, span and digest */
    bool series, profile; /* machine only: record these */
    bool costs;           /* machine only: count what each part of the program costs */
    enum analysis_cost_by costs_by;
    const struct traces_event_sink *sinks; /* machine only: receivers of all events */
    size_t sink_count;
    /* machine only: energies of events to add up; or NULL */
    const struct analysis_energy *energy;
    /* machine only: cycles that opcodes take; or NULL */
    const struct machine_timing *timing;
    /* machine only: part to measure; NULL: all of the run */
    const struct sim_window *window;
    const char *const *tensors; /* names of tensors to keep: "result" or constants */
    size_t tensor_count;
    struct sim_watch watch;
    /* The caller feeds the input ports. A program with such ports needs this or `feeds`. */
    bool has_host;
    const struct sim_feeds *feeds; /* all elements that input ports will get; or NULL */
};

/* Returns a simulation at its start; free it with sim_simulation_close. Returns NULL and adds a
 * diagnostic if the graph is not executable, the code does not agree with the settings, a
 * setting is out of range, or the engine cannot observe what the config asks for. */
struct sim_simulation *sim_simulation_open(const struct sim_simulation_config *config,
                                           struct lib_diags *diags);

/* Sends all later events of a machine to `sinks`, which are copied; first, in `cycle`, events that
 * describe what is alive. To be called at most once; the config must have no sinks and no costs. */
void sim_simulation_listen(struct sim_simulation *simulation, uint64_t cycle,
                           const struct traces_event_sink *sinks, size_t count);

/* Like sim_simulation_listen, for sinks that know what is alive. */
void sim_simulation_listen_on(struct sim_simulation *simulation,
                              const struct traces_event_sink *sinks, size_t count);

/* Makes events that are sent to sinks have the values of tokens (traces/token_value.h). */
void sim_simulation_emit_token_values(struct sim_simulation *simulation);

/* Bounds of one advance. A member that is 0 or NULL sets no bound. */
struct sim_until {
    uint64_t cycle; /* machine only: stop when all earlier cycles are over */
    /* A machine that waits for its host lets time pass up to this cycle. */
    uint64_t lapse;
    uint64_t tokens; /* approximate number of tokens to deliver in this advance */
    /* Returns true to stop. Called after each cycle with an event; by the interpreter, which has no
     * cycles, after a few thousand tokens at most. */
    bool (*event)(const struct sim_simulation *simulation, void *context);
    void *context;
};

enum sim_advanced {
    SIM_ADVANCED_SO_FAR,  /* reached a bound of sim_until; the run has not ended */
    SIM_ADVANCED_TO_END,  /* the run has ended */
    SIM_ADVANCED_TO_STOP, /* `watch` stopped the run */
    SIM_ADVANCED_TO_WAIT, /* the run waits until the host feeds or closes a port */
};

/* Runs until a bound of `until` is reached; to the end if `until` is NULL. How a run is divided
 * into advances does not change its results. May be called again unless it has returned
 * SIM_ADVANCED_TO_END. */
enum sim_advanced sim_simulation_advance(struct sim_simulation *simulation,
                                         const struct sim_until *until);

/* Restrict the statistics of a machine to a part of its run. The part begins with `cycle`: all
 * earlier cycles must be over, and no later one begun, as after an advance to that cycle. It ends
 * before the `cycle` of sim_simulation_end_part, or with the run. If the run ends before the part
 * begins, there are no statistics. Peaks are those of the part. */
void sim_simulation_begin_part(struct sim_simulation *simulation, uint64_t cycle);
void sim_simulation_end_part(struct sim_simulation *simulation, uint64_t cycle);

/* Watches for the first call of a function on a machine that has not advanced yet; see `first_call`
 * and `is_over` in struct isa_activations. */
void sim_simulation_follow(struct sim_simulation *simulation, uint32_t function);

/* Returns to the start, for another run with these inputs and this seed, bit for bit like a newly
 * opened simulation. `inputs` has a value per input of the graph, and is copied; NULL keeps the
 * inputs. The sinks of the config receive the new run too; those of sim_simulation_listen are
 * dropped, and no function is watched. Call sim_simulation_measure or sim_simulation_leave before
 * if the old measurements are needed.
 *
 * Costs a pass over the PEs and links of the machine, and over the state left by the run: a
 * microsecond on one PE, a few on 64. Keeps the memory of the largest run. Code of the caller is
 * copied when it first gets other inputs. A machine on SimGrid is closed and opened instead. */
void sim_simulation_reset(struct sim_simulation *simulation, const isa_value *inputs,
                          uint64_t seed);

/* Moves the outcome of the run so far to `ending`, as sim_simulation_close does. Then the
 * simulation must be closed or reset before it advances. */
void sim_simulation_leave(struct sim_simulation *simulation, struct sim_ending *ending);

/* Runs the program again in an interpreter that has completed a run over static code of the caller.
 * Recomputes only what depends on the changes in `again`; see isa_interp_again. Counts continue. */
void sim_simulation_again(struct sim_simulation *simulation,
                          const struct isa_reexec *again);

/* Frees the simulation. Moves the outcome of the run to `ending`, unless that is NULL; free it
 * with sim_ending_free. A run that has not ended counts as interrupted. */
void sim_simulation_close(struct sim_simulation *simulation, struct sim_ending *ending);

/* --- ports ------------------------------------------------------------------------------- */

/* Feeds an element to an input port at the beginning of `cycle`, or closes the port if `parts`
 * is NULL; see machine_feed and machine_close. An interpreter ignores `cycle`. Returns false if
 * an interpreter has no memory for the element. */
bool sim_simulation_feed(struct sim_simulation *simulation, uint32_t port,
                         const struct machine_fed *parts, uint64_t cycle);

/* Returns the first cycle in which the ports of a machine can be fed. */
uint64_t sim_simulation_now(const struct sim_simulation *simulation);

/* Return what an input port was fed so far, and how many more elements it can take now. */
struct machine_given sim_simulation_given(const struct sim_simulation *simulation,
                                          uint32_t port);
uint64_t sim_simulation_room(const struct sim_simulation *simulation, uint32_t port);

/* Whether an open input port can take an element; see machine_takes_feed. Always true for an
 * interpreter, for which sim_simulation_feed may fail. */
bool sim_simulation_takes_feed(const struct sim_simulation *simulation, uint32_t port,
                               const struct machine_fed *parts, uint64_t cycle);

/* Copies the next element of an output port to `values`. Returns false if the program has not
 * written it yet. Consumes the element if `is_taken`. */
bool sim_simulation_take(struct sim_simulation *simulation, uint32_t port,
                         isa_value *values, bool is_taken);

/* --- checkpoints --------------------------------------------------------------------- */

/* Adds the state of a machine to `bytes`, with its series and profile. The machine must be
 * between two cycles, before its end. */
void sim_simulation_save(struct sim_simulation *simulation, struct lib_text *bytes);

/* Continues from a saved state. The simulation was just opened with the same code, settings and
 * seed, and observes the same. Returns false if no run can have this state
 * (machine/verify/verify.h); the simulation is then at its start. Only a checksum can detect other
 * damage. */
bool sim_simulation_restore(struct sim_simulation *simulation, const void *bytes,
                            size_t length);

/* Save and restore as above, but in a stash, which may be in a file. */
void sim_simulation_stash(struct sim_simulation *simulation, struct lib_stash *stash);
bool sim_simulation_unstash(struct sim_simulation *simulation, struct lib_stash *stash);

/* --- state of a run ------------------------------------------------------------------- */

/* Returns how the run has ended, or ISA_END_INTERRUPTED if it has not. */
enum isa_end sim_simulation_end(const struct sim_simulation *simulation);

/* Returns the configuration of the simulation, borrowed. */
const struct sim_simulation_config *
sim_simulation_config(const struct sim_simulation *simulation);

/* Returns the state of the execution: counts, tags, waiting tokens. Borrowed; each advance
 * changes it. */
const struct isa_exec *sim_simulation_exec(const struct sim_simulation *simulation);

/* Returns the next cycle with an event, for a machine whose run has not ended. */
uint64_t sim_simulation_cycle(const struct sim_simulation *simulation);

/* Return the number of timing digests of a machine (machine_timing_digests), and store the
 * digests in `of_parts`. */
uint32_t sim_simulation_digest_count(const struct sim_simulation *simulation);
void sim_simulation_digests(const struct sim_simulation *simulation, uint64_t *of_parts);
/* Returns the bytes of the simulated state, which limits.memory bounds. */
uint64_t sim_simulation_state_bytes(const struct sim_simulation *simulation);

/* Stores the measurements so far, with ratios; free them with traces_stats_free. */
void sim_simulation_measure(const struct sim_simulation *simulation,
                            struct traces_stats *stats);

#endif

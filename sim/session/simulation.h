/* A simulation: one run of a program, from its code to its ending. All other ways to run a program
 * use it.
 *
 *     open  ->  advance  ->  ...  ->  advance  ->  close
 *
 * sim_simulate (sim/session/window.h) is all of it in one call. A simulation prints nothing, does
 * not exit and reads no file. It reads the clock of the host only to measure its own time. A caller
 * that shows progress or stops the run does so in `watch`.
 *
 * Simulations are independent: many may run at once, each in its own thread, over one shared graph
 * or code. One simulation is used by one thread at a time. */
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
struct traces_timing;
struct isa_reexec;
struct sim_feeds;

/* Callback that watches a run. `look` is called before the run begins, and then about every `every`
 * tokens (0: about every 20 ms). The run stops if `look` returns false. How often it is called does
 * not affect the results. */
struct sim_watch {
    /* NULL: no callback */
    bool (*look)(const struct sim_simulation *simulation, void *context);
    void *context;
    uint64_t every;
};

/* A run to make, and what to observe. Borrowed until the simulation is closed, except the settings,
 * which are copied. "Machine only" members are not for the interpreter. */
struct sim_simulation_config {
    /* An executable graph, accepted by isa_check. Not used if `code` is given. */
    const struct isa_graph *graph;
    /* Code of a graph with given inputs; NULL: made from `graph`. */
    const struct isa_code *code;
    const isa_value *inputs; /* a value per input of `graph`; NULL: default values */
    const struct machine_settings *settings;
    uint64_t seed;
    enum sim_engine engine;
    /* Interpreter only: faster, but without firings, span and digest. */
    bool unmeasured;
    bool series, profile; /* machine only: record the time series, the profile */
    bool costs;           /* machine only: count the costs of each part of the program */
    enum analysis_cost_by costs_by;
    const struct traces_event_sink *sinks; /* machine only: receivers of all events */
    size_t sink_count;
    /* Machine only: energies of events, to add up; or NULL. */
    const struct analysis_energy *energy;
    /* Machine only: times of single instructions, for what-if questions; or NULL. */
    const struct traces_timing *timing;
    /* Machine only: part of the run to measure; NULL: all of it. */
    const struct sim_window *window;
    /* Tensors whose values the ending gets: names of constants, or "result". */
    const char *const *tensors;
    size_t tensor_count;
    struct sim_watch watch;
    /* The caller feeds the input ports. A program with input ports needs this or `feeds`. */
    bool has_host;
    const struct sim_feeds *feeds; /* all elements that input ports get; or NULL */
};

/* Returns a simulation at its start; free it with sim_simulation_close. Returns NULL and adds a
 * diagnostic if the graph is not executable, the code does not agree with the settings, a setting
 * is out of range, or the engine cannot observe what is requested. */
struct sim_simulation *sim_simulation_open(const struct sim_simulation_config *config,
                                           struct lib_diags *diags);

/* Sends all later events of the machine to `sinks`, which are copied; but first, in `cycle`, events
 * that describe what is alive then. To be called at most once, and only if the configuration has no
 * sinks and no costs. */
void sim_simulation_listen(struct sim_simulation *simulation, uint64_t cycle,
                           const struct traces_event_sink *sinks, size_t count);

/* Variant of sim_simulation_listen for sinks that already know what is alive. */
void sim_simulation_listen_on(struct sim_simulation *simulation,
                              const struct traces_event_sink *sinks, size_t count);

/* Makes all events that are sent to sinks have the values of tokens (traces/token_value.h). */
void sim_simulation_emit_token_values(struct sim_simulation *simulation);

/* Bounds of one call of sim_simulation_advance. A member that is 0 or NULL sets no bound. */
struct sim_until {
    uint64_t cycle; /* machine only: stop when all cycles before this one are over */
    /* A machine that waits for elements of input ports lets time pass up to this cycle. */
    uint64_t lapse;
    uint64_t tokens; /* approximate number of tokens to deliver in this call */
    /* Called after each cycle with an event, or, as an interpreter has no cycles, after at most a
     * few thousand tokens. Returns true to stop. */
    bool (*event)(const struct sim_simulation *simulation, void *context);
    void *context;
};

enum sim_advanced {
    SIM_ADVANCED_SO_FAR,  /* reached a bound of sim_until; the run has not ended */
    SIM_ADVANCED_TO_END,  /* the run has ended */
    SIM_ADVANCED_TO_STOP, /* the callback `watch` stopped the run */
    SIM_ADVANCED_TO_WAIT, /* the run waits until an input port is fed or closed */
};

/* Runs until a bound of `until` is reached; to the end of the run if `until` is NULL. How a run is
 * divided into calls does not affect its results. May be called again unless it has returned
 * SIM_ADVANCED_TO_END. */
enum sim_advanced sim_simulation_advance(struct sim_simulation *simulation,
                                         const struct sim_until *until);

/* Restrict the statistics of a machine to a part of its run. The part begins with `cycle`: all
 * earlier cycles must be over, and no later one begun. It ends before the `cycle` of
 * sim_simulation_end_part, or with the run. If the run ends before the part begins, there are no
 * statistics. Peaks are the peaks of the part. */
void sim_simulation_begin_part(struct sim_simulation *simulation, uint64_t cycle);
void sim_simulation_end_part(struct sim_simulation *simulation, uint64_t cycle);

/* Watches for the first call of `function` on a machine that has not advanced yet. The members
 * `first_call` and `is_over` of struct isa_activations then say when the call begins and ends. */
void sim_simulation_follow(struct sim_simulation *simulation, uint32_t function);

/* Returns the simulation to its start, for another run with `inputs` and `seed`. That run equals
 * the run of a new simulation bit for bit. `inputs` has a value per input of the graph and is
 * copied; NULL keeps the inputs. Keeps the sinks of the configuration; drops those of
 * sim_simulation_listen, a watched function, and the measurements (see sim_simulation_leave).
 *
 * Costs a pass over the PEs and links of the machine, and over the state left by the run: a
 * microsecond on one PE, a few on 64. Keeps the memory of the largest run. Code of the caller is
 * copied when it first gets other inputs. A machine on SimGrid is closed and opened instead. */
void sim_simulation_reset(struct sim_simulation *simulation, const isa_value *inputs,
                          uint64_t seed);

/* Moves the outcome of the run so far to `ending`. After this the simulation must be closed or
 * reset before it advances. */
void sim_simulation_leave(struct sim_simulation *simulation, struct sim_ending *ending);

/* Prepares an interpreter that has completed a run over static code of the caller to run the
 * program once more (sim_simulation_advance). Only what depends on the changes in `again` is
 * computed again (isa_interp_again). Counters continue from the completed run. */
void sim_simulation_again(struct sim_simulation *simulation,
                          const struct isa_reexec *again);

/* Drops the sinks of a simulation that has not advanced, so that they hear nothing of it. */
void sim_simulation_mute(struct sim_simulation *simulation);

/* Frees the simulation. Moves the outcome of the run to `ending`, unless NULL; free that with
 * sim_ending_free. A run that has not ended counts as interrupted. */
void sim_simulation_close(struct sim_simulation *simulation, struct sim_ending *ending);

/* --- ports ------------------------------------------------------------------------------- */

/* Feeds an element to an input port at the beginning of `cycle`, or closes the port if `parts` is
 * NULL (machine_feed, machine_close). An interpreter ignores `cycle`. Returns false if an
 * interpreter has no memory for the element. */
bool sim_simulation_feed(struct sim_simulation *simulation, uint32_t port,
                         const struct machine_fed *parts, uint64_t cycle);

/* Returns the first cycle in which the ports of a machine can be fed. */
uint64_t sim_simulation_now(const struct sim_simulation *simulation);

/* Return what an input port has been fed so far, and how many more elements it can take now. */
struct machine_given sim_simulation_given(const struct sim_simulation *simulation,
                                          uint32_t port);
uint64_t sim_simulation_room(const struct sim_simulation *simulation, uint32_t port);

/* Whether an open input port can take an element (machine_takes_feed). Always true for an
 * interpreter, for which sim_simulation_feed may fail. */
bool sim_simulation_takes_feed(const struct sim_simulation *simulation, uint32_t port,
                               const struct machine_fed *parts, uint64_t cycle);

/* Copies the next element of an output port to `values`, and consumes it if `is_taken`. Returns
 * false if the program has not written it yet. */
bool sim_simulation_take(struct sim_simulation *simulation, uint32_t port,
                         isa_value *values, bool is_taken);

/* --- checkpoints --------------------------------------------------------------------- */

/* Appends the state of a machine to `bytes`, with its series and profile. The machine must be
 * between two cycles, before its end. */
void sim_simulation_save(struct sim_simulation *simulation, struct lib_text *bytes);

/* Continues from a saved state. The simulation must have been opened with the same code, settings,
 * seed and observations, and not have advanced. If no run can have this state
 * (machine/verify.h), resets the simulation to its start and returns false. Other damage is
 * found only by a checksum. */
bool sim_simulation_restore(struct sim_simulation *simulation, const void *bytes,
                            size_t length);

/* Variants of sim_simulation_save and sim_simulation_restore for a stash (lib/stash.h): bytes in
 * memory or in a temporary file. */
void sim_simulation_stash(struct sim_simulation *simulation, struct lib_stash *stash);
bool sim_simulation_unstash(struct sim_simulation *simulation, struct lib_stash *stash);

/* --- state of a run ------------------------------------------------------------------- */

/* Returns how the run has ended, or ISA_END_INTERRUPTED if it has not. */
enum isa_end sim_simulation_end(const struct sim_simulation *simulation);

const struct sim_simulation_config *
sim_simulation_config(const struct sim_simulation *simulation);

/* Returns the state of the execution: counts, tags, waiting tokens. Borrowed; each advance changes
 * it. */
const struct isa_exec *sim_simulation_exec(const struct sim_simulation *simulation);

/* Returns the next cycle with an event, for a machine whose run has not ended. */
uint64_t sim_simulation_cycle(const struct sim_simulation *simulation);

/* Return the number of timing digests of a machine, and write the digests to `of_parts`
 * (machine_timing_digests). */
uint32_t sim_simulation_digest_count(const struct sim_simulation *simulation);
void sim_simulation_digests(const struct sim_simulation *simulation, uint64_t *of_parts);
/* Returns the size of the simulated state in bytes, which limits.memory bounds. */
uint64_t sim_simulation_state_bytes(const struct sim_simulation *simulation);

/* Sets `stats` to the measurements so far, with ratios. Free them with traces_stats_free. */
void sim_simulation_measure(const struct sim_simulation *simulation,
                            struct traces_stats *stats);

#endif

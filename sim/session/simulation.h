/* A simulation: one run of a program, from its code to its ending. All that runs a program
 * stands on this, be it one run, a thousand, or a part of one.
 *
 *     open  ->  advance  ->  ...  ->  advance  ->  close
 *
 * or all of it in one call (sim/session/simulate.h). It prints nothing, ends no process, reads no
 * file, and looks at the clock of the host only to say how long it took; whoever wants to
 * tell how far it is, or to stop it, watches it.
 *
 * Simulations do not know each other: many may run at once, each in its own thread, over
 * one shared graph or code. One simulation is used by one thread at a time. */
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

/* Looks on. `look` is called before the run begins, and again whenever about `every` more
 * tokens were delivered (0: some 20 ms). The run goes on as long as it returns true. How
 * often it looks changes nothing in what is simulated. */
struct sim_watch {
    bool (*look)(const struct sim_simulation *simulation, void *context); /* or NULL */
    void *context;
    uint64_t every;
};

/* What shall run. All is borrowed until the simulation is closed, but the settings, which
 * are copied. */
struct sim_simulation_config {
    const struct isa_graph
        *graph;                  /* accepted by isa_check, of an executable stage; or: */
    const struct isa_code *code; /* made from it and the inputs beforehand, or NULL */
    const isa_value *inputs;     /* one per input of the graph; NULL: the graph's own */
    const struct machine_settings *settings;
    uint64_t seed;
    enum sim_engine engine;
    bool
        unmeasured; /* of an interpreter, which is faster then: no firings, span, digest */
    bool series, profile; /* of a machine: observed too, */
    bool costs;           /* and its costs counted, by this */
    enum analysis_cost_by costs_by;
    const struct traces_event_sink *sinks; /* and told event by event, if there are any */
    size_t sink_count;
    const struct analysis_energy *energy; /* of a machine: its energy too; or NULL */
    const struct machine_timing
        *timing; /* of a machine: its instructions take these times; or NULL */
    const struct sim_window *window; /* of a machine: its statistics are those of this
                                             part (sim_window_advance); or NULL */
    const char *const
        *tensors;        /* whose values the ending shall have: "result", constants; */
    size_t tensor_count; /* so many */
    struct sim_watch watch;
    /* Whether who opens it feeds its ports in. If not, a program with some is refused, unless all
     * that they are fed is known. */
    bool has_host;
    const struct sim_feeds *feeds; /* all that ports are fed; or NULL */
};

/* A simulation at its start. NULL where there cannot be one, and why in `diags`: a graph
 * that is not executable, code that does not agree with the settings, a setting out of its
 * range, something to observe that the engine does not have. Give back with
 * sim_simulation_close. */
struct sim_simulation *sim_simulation_open(const struct sim_simulation_config *config,
                                           struct lib_diags *diags);

/* Tells events to more sinks from now on; what is alive comes first, in that cycle. Of a machine
 * whose config has no sinks and no costs, once. The sinks are copied. */
void sim_simulation_listen(struct sim_simulation *simulation, uint64_t cycle,
                           const struct traces_event_sink *sinks, size_t count);

/* The same, to sinks that know what is alive where the simulation stands. */
void sim_simulation_listen_on(struct sim_simulation *simulation,
                              const struct traces_event_sink *sinks, size_t count);

/* How far to go. What is 0 or NULL sets no bound. */
struct sim_until {
    uint64_t cycle; /* of a machine: all cycles before it are over */
    uint64_t
        lapse; /* of a machine that waits for its host: time passes up to this cycle */
    uint64_t tokens; /* about so many more were delivered */
    /* Whether it has happened: asked after each cycle in which anything does; of an
     * interpreter, which has no cycles, after some thousand tokens at most. */
    bool (*event)(const struct sim_simulation *simulation, void *context);
    void *context;
};

enum sim_advanced {
    SIM_ADVANCED_SO_FAR, /* as far as asked for; there is more to do */
    SIM_ADVANCED_TO_END,
    SIM_ADVANCED_TO_STOP, /* whoever watches did not want more */
    SIM_ADVANCED_TO_WAIT, /* nothing goes on before a port is fed or closed */
};

/* Goes on, to the end if `until` is NULL. How a run is divided into calls changes nothing
 * in what is simulated. After SIM_ADVANCED_TO_STOP and _TO_WAIT it may go on again. */
enum sim_advanced sim_simulation_advance(struct sim_simulation *simulation,
                                         const struct sim_until *until);

/* Of a machine: the statistics that it leaves behind are those of a part of the run. It begins
 * with `cycle`, when all cycles before are over and no later one has begun, as after an advance
 * to that cycle; and it ends before another one, or with the run. A part that begins behind the
 * end of the run is not reached, nor is its end. Peaks are then those of the part, also in
 * sim_simulation_measure. */
void sim_simulation_begin_part(struct sim_simulation *simulation, uint64_t cycle);
void sim_simulation_end_part(struct sim_simulation *simulation, uint64_t cycle);

/* Of a machine that has not advanced yet: the first call of a function is followed; see
 * `first_call` and `is_over` in struct isa_activations. */
void sim_simulation_follow(struct sim_simulation *simulation, uint32_t function);

/* Goes back to the start, for another run with these inputs and this seed: afterwards the
 * simulation is as one that was just opened with them, and does the same to the last bit,
 * whatever its run did before and whether it has ended. `inputs` has one value per input of the
 * graph, and is copied; NULL: those of the run before. Sinks that the config has are told the
 * new run too, from its start; those of sim_simulation_listen are dropped, and no function is
 * followed. What was measured and is still wanted is to be asked for before, by
 * sim_simulation_measure or sim_simulation_leave.
 *
 * Costs a pass over the PEs and links of the machine, and over what the run left behind: a
 * microsecond on a PE, some on 64. Memory that the simulation has allocated is kept, so that it
 * holds what its largest run took. Code of the caller's is copied when it is first given other
 * inputs. A machine on SimGrid is closed and opened instead. */
void sim_simulation_reset(struct sim_simulation *simulation, const isa_value *inputs,
                          uint64_t seed);

/* What its run leaves behind so far, as sim_simulation_close has it, of a simulation that is
 * then closed or reset, and does not advance before. */
void sim_simulation_leave(struct sim_simulation *simulation, struct sim_ending *ending);

/* Of an interpreter that has completed a run over static code of the caller's: goes to the start
 * of another one, as isa_interp_again (isa/fire/interp.h), which computes again only what
 * depends on what was changed. Counts go on. */
void sim_simulation_again(struct sim_simulation *simulation,
                          const struct isa_reexec *again);

/* Ends it. `ending` is what it leaves behind, to be given back with sim_ending_free; NULL:
 * nothing is wanted. A simulation that has not come to its end was interrupted. */
void sim_simulation_close(struct sim_simulation *simulation, struct sim_ending *ending);

/* --- ports ------------------------------------------------------------------------------- */

/* Feeds an element to a port in, or closes it (`parts` is NULL), as machine_feed and
 * machine_close: at the beginning of `cycle`, which an interpreter does not have. Returns false
 * if an interpreter has no memory for it. */
bool sim_simulation_feed(struct sim_simulation *simulation, uint32_t port,
                         const struct machine_fed *parts, uint64_t cycle);

/* Of a machine: the first cycle in which it can be fed. */
uint64_t sim_simulation_now(const struct sim_simulation *simulation);

/* What a port in was given so far, and how many elements it would take now. */
struct machine_given sim_simulation_given(const struct sim_simulation *simulation,
                                          uint32_t port);
uint64_t sim_simulation_room(const struct sim_simulation *simulation, uint32_t port);

/* Whether a host can feed an element to an open port, as machine_takes_feed. An interpreter says so
 * when it is fed. */
bool sim_simulation_takes_feed(const struct sim_simulation *simulation, uint32_t port,
                               const struct machine_fed *parts, uint64_t cycle);

/* The next element of a port out, whose values are copied to `values`. Returns false if it is not
 * written yet; else `is_taken` counts it as taken. */
bool sim_simulation_take(struct sim_simulation *simulation, uint32_t port,
                         isa_value *values, bool is_taken);

/* --- checkpoints --------------------------------------------------------------------- */

/* Adds the state of a machine that has not ended, between two cycles, with its series and
 * profile. */
void sim_simulation_save(struct sim_simulation *simulation, struct lib_text *bytes);

/* Goes on from there: of a simulation that has just been opened with the same code, settings,
 * seed, and with what is observed. false: the bytes are no such state, and the simulation is at its
 * start. What no run can have is found (machine/verify/verify.h); damage that makes another state
 * that a run can have is for a checksum to find. */
bool sim_simulation_restore(struct sim_simulation *simulation, const void *bytes,
                            size_t length);

/* The two functions above with the state in a stash, which may be in a file. */
void sim_simulation_stash(struct sim_simulation *simulation, struct lib_stash *stash);
bool sim_simulation_unstash(struct sim_simulation *simulation, struct lib_stash *stash);

/* --- what is seen meanwhile --------------------------------------------------------- */

/* How it has ended; ISA_END_INTERRUPTED as long as there is more to do. */
enum isa_end sim_simulation_end(const struct sim_simulation *simulation);

/* Borrowed; what it was opened with. */
const struct sim_simulation_config *
sim_simulation_config(const struct sim_simulation *simulation);

/* The execution: counts, tags, what waits. Borrowed, and changed by each advance. */
const struct isa_exec *sim_simulation_exec(const struct sim_simulation *simulation);

/* The cycle in which something happens next, of a machine that has not ended. */
uint64_t sim_simulation_cycle(const struct sim_simulation *simulation);

/* Of a machine: the timing digests of its parts (machine_timing_digests), and how many there
 * are. */
uint32_t sim_simulation_digest_count(const struct sim_simulation *simulation);
void sim_simulation_digests(const struct sim_simulation *simulation, uint64_t *of_parts);
/* The simulated state, in bytes: what limits.memory bounds. */
uint64_t sim_simulation_state_bytes(const struct sim_simulation *simulation);

/* What was measured so far, ratios too; to be given back with traces_stats_free. */
void sim_simulation_measure(const struct sim_simulation *simulation,
                            struct traces_stats *stats);

#endif

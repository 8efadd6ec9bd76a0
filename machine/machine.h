/* The machine: processing elements, matching stores, tag managers and a network that execute code
 * cycle by cycle. doc/model.md draws it and writes down the total order of events.
 *
 * Many machines may run at once over one shared code, each in its own thread. */
#ifndef MACHINE_MACHINE_H
#define MACHINE_MACHINE_H

#include "isa/exec/exec.h"
#include "lib/diag.h"
#include "machine/settings.h"
#include "traces/events.h"
#include "traces/profile.h"
#include "traces/series.h"
#include "traces/stats.h"

struct machine;

/* How many links a machine of PEs has; 0: its network is ideal. */
uint32_t machine_link_count(const struct machine_settings *settings);

/* Returns the nodes that settings give machines of PEs: those of a cluster, or the hosts of a
 * platform; 0: there are none. */
uint64_t machine_nodes(const struct machine_settings *settings);

/* Whether network.latency is 0 and counts as 1, as a link of its network takes at least a cycle
 * with its router. A network of one router has no link to which that matters. */
bool machine_latency_is_raised(const struct machine_settings *settings);

/* Whether there is a machine with these settings, each of which is in its range. Returns false and
 * adds a diagnostic if one does not fit the others (machine/fit.c). */
bool machine_settings_fit(const struct machine_settings *settings,
                          struct lib_diags *diags);

/* The names of its links from number `*first` on, of which there are `*count`; NULL: none has a
 * name. They live in the arena. */
const char *const *machine_link_names(const struct machine_settings *settings,
                                      struct lib_arena *arena, uint32_t *first,
                                      uint32_t *count);

/* Whether their nodes count messages to find out that a run has ended: as cluster.termination
 * asks for it, or as messages may be lost or come twice. */
bool machine_counts_messages(const struct machine_settings *settings);

/* Whether machines of these settings can be saved (machine/checkpoint.h): SimGrid's state cannot
 * be had. */
bool machine_can_be_saved(const struct machine_settings *settings);

/* Times of instructions of their own, for what-if questions. Time is then in ticks, of which a
 * cycle has `scale`: all latencies of the settings, and the cycles of a port, are so many times
 * as long. */
struct machine_timing {
    uint32_t scale;
    const uint32_t
        *latency; /* of each node: from its turn to its result, in ticks, at least 1 */
    const uint32_t
        *slot; /* of each node: how long a turn takes an issue slot, in ticks; 0: none */
};

/* Whether a machine of these settings can have such times; else `diags` says why not. */
bool machine_timing_fits(const struct machine_settings *settings,
                         struct lib_diags *diags);

/* Whether a machine of these settings can have memories as finite as they say; else `diags` says
 * why not. */
bool machine_memory_fits(const struct machine_settings *settings,
                         struct lib_diags *diags);

/* A machine at cycle 0 with the program loaded. `code` is borrowed; the settings are
 * copied, fit, and agree with code->propagate. */
struct machine *machine_new(const struct isa_code *code,
                            const struct machine_settings *settings, uint64_t seed);
/* The same with times of its own, which fit and are borrowed; NULL: it has none. */
struct machine *machine_new_timed(const struct isa_code *code,
                                  const struct machine_settings *settings, uint64_t seed,
                                  const struct machine_timing *timing);
void machine_free(struct machine *machine); /* NULL is allowed */

/* Whether machines of these settings can be reset: SimGrid has one platform per process, which
 * cannot go back. */
bool machine_can_be_reset(const struct machine_settings *settings);

/* Restores the start of a machine, whatever its run has done and however it ended: the machine
 * then does what a new one would do, to the last bit. `code` is borrowed: the same code, or a
 * copy with other inputs (isa_code_copy). Series, profile, sinks, BLAS and what is counted or
 * followed are those of a new machine: none. Costs a pass over PEs, links and what the run left
 * behind; memory that was allocated is kept. */
void machine_reset(struct machine *machine, const struct isa_code *code, uint64_t seed);

/* Has a machine that has not advanced yet tell a series and a profile, both started, or
 * NULL, what happens. They are borrowed until machine_observe_end, which completes them;
 * it is called once, when the run has ended or will not go on. */
void machine_observe_start(struct machine *machine, struct traces_series *series,
                           struct traces_profile *profile);
void machine_observe_end(struct machine *machine);

/* Has a machine tell its events to sinks, which are copied, from now on; what is alive comes first.
 * Once, and not while it advances. The last event comes with machine_observe_end. */
void machine_listen(struct machine *machine, const struct traces_event_sink *sinks,
                    size_t count);
/* The same; what is alive is told in that cycle. */
void machine_listen_from(struct machine *machine, uint64_t cycle,
                         const struct traces_event_sink *sinks, size_t count);
/* The same, to sinks that know what is alive: they get only what happens from now on. */
void machine_listen_on(struct machine *machine, const struct traces_event_sink *sinks,
                       size_t count);

/* Simulates until about `tokens` more tokens were delivered or the run has ended.
 * Returns whether it goes on. How a run is divided into calls changes nothing. */
bool machine_advance(struct machine *machine, uint64_t tokens);

/* The same, but not beyond the cycles before `cycle`: they are over then, unless so many
 * tokens came first. */
bool machine_advance_to(struct machine *machine, uint64_t cycle, uint64_t tokens);

/* The cycle of what happens next, in a run that goes on: all before it are over. */
uint64_t machine_next(const struct machine *machine);

/* How the run ended; only after machine_advance has returned false. */
enum isa_end machine_end(const struct machine *machine);

/* Which limit a run that ended by one has reached: "limits.cycles". */
const char *machine_limit(const struct machine *machine);

/* Of a run that faulted: a sentence on the message that was lost, or came twice, and its place in
 * the source. */
void machine_write_fault(const struct machine *machine, struct lib_text *out,
                         struct lib_pos *pos);

/* The least memory.capacity with which the feed that ended the run had room; else one of the kernels
 * that wait for memory, if all moved out that may (doc/model.md, "Memory"). 0: there is none. */
uint64_t machine_least_memory(const struct machine *machine);

/* The execution: result, failure, what waits. Borrowed. */
const struct isa_exec *machine_exec(const struct machine *machine);

/* Who multiplies matrices, from now on: borrowed. NULL, as at first: the reference. */
void machine_set_blas(struct machine *machine, const struct isa_blas *blas);

/* The state that limits.memory bounds. */
uint64_t machine_state_bytes(const struct machine *machine);

/* Whether it is known that no activation of `functions`, one for each of the program, was freed
 * `since` some cycle. */
bool machine_none_freed(const struct machine *machine, const bool *functions,
                        uint64_t *since);

/* What the untimed interpreter measures too: BOTH in traces/stats.def. */
void machine_measure_execution(const struct isa_exec *exec, struct traces_stats *stats);

/* Parts of which there are timing digests: the PEs (or workers), then the functions of the code. */
uint32_t machine_digest_count(const struct machine *machine);
/* Those digests; the sum over PEs is that of the run, and so is the sum over functions. */
void machine_timing_digests(const struct machine *machine, uint64_t *of_parts);

/* What was measured so far. `stats` is then given back with traces_stats_free. */
void machine_measure(const struct machine *machine, struct traces_stats *stats);

/* A part of a run. All cycles before `cycle` are over, and none since, as after
 * machine_advance_to; or the run has ended. Peaks are started anew with what is there then, and
 * what is measured up to the end of the part, less what was measured up to its beginning, is that
 * of the part (traces_stats_take_part). Nothing simulated changes. */
void machine_begin_part(struct machine *machine, uint64_t cycle);

/* What was measured up to `cycle`, as machine_measure; of a run that ended before, up to its
 * end. */
void machine_measure_to(struct machine *machine, uint64_t cycle,
                        struct traces_stats *stats);

/* Has a machine that has not advanced yet follow the first call of a function: the fields
 * `first_call` and `is_over` of its tags (isa/exec/activation.h). */
void machine_follow(struct machine *machine, uint32_t function);

/* Has a machine that has not advanced yet count what energies are of: `counts_work` in
 * struct traces_stats. The fast engine does not. */
void machine_count_work(struct machine *machine);

#endif

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

/* Returns the number of links of a machine of PEs; 0 if its network is ideal. */
uint32_t machine_link_count(const struct machine_settings *settings);

/* Returns the number of nodes of a machine of PEs: nodes of a cluster, or hosts of a platform; 0 if
 * it has none. */
uint64_t machine_nodes(const struct machine_settings *settings);

/* Whether network.latency is 0 and counts as 1, as a link of its network takes at least a cycle
 * with its router. A network of one router has no link to which that matters. */
bool machine_latency_is_raised(const struct machine_settings *settings);

/* Whether a machine can have these settings, each of which is in its range. Returns false and
 * adds a diagnostic if one does not fit the others (machine/fit.c). */
bool machine_settings_fit(const struct machine_settings *settings,
                          struct lib_diags *diags);

/* Returns the names of `*count` links, beginning with number `*first`; NULL if no link has a name.
 * The names live in the arena. */
const char *const *machine_link_names(const struct machine_settings *settings,
                                      struct lib_arena *arena, uint32_t *first,
                                      uint32_t *count);

/* Whether nodes count messages to find out that a run has ended: because cluster.termination asks
 * for it, or because messages may be lost or duplicated. */
bool machine_counts_messages(const struct machine_settings *settings);

/* Whether machines of these settings can be saved (machine/checkpoint.h). Those on SimGrid cannot:
 * SimGrid gives no access to its state. */
bool machine_can_be_saved(const struct machine_settings *settings);

/* Times for single instructions, for what-if questions. Time is then in ticks, `scale` of them in a
 * cycle: all latencies of the settings, and the cycles of a port, are `scale` times as long. */
struct machine_timing {
    uint32_t scale;

    /* For each node, the ticks from its turn to its result; at least 1. */
    const uint32_t *latency;

    /* For each node, the ticks for which a turn occupies an issue slot; 0 for none. */
    const uint32_t *slot;
};

/* Whether a machine of these settings can have such times. Returns false and adds a diagnostic
 * if it cannot. */
bool machine_timing_fits(const struct machine_settings *settings,
                         struct lib_diags *diags);

/* Whether a machine can have the finite memories of these settings. Returns false and adds a
 * diagnostic if it cannot. */
bool machine_memory_fits(const struct machine_settings *settings,
                         struct lib_diags *diags);

/* Makes a machine at cycle 0 with the program loaded. `code` is borrowed; the settings, which
 * fit and agree with code->propagate, are copied. */
struct machine *machine_new(const struct isa_code *code,
                            const struct machine_settings *settings, uint64_t seed);
/* Like machine_new, with times for single instructions, which fit and are borrowed; NULL for
 * none. */
struct machine *machine_new_timed(const struct isa_code *code,
                                  const struct machine_settings *settings, uint64_t seed,
                                  const struct machine_timing *timing);
void machine_free(struct machine *machine); /* NULL is allowed */

/* Whether machines of these settings can be reset. Those on SimGrid cannot: its one platform per
 * process cannot return to its start. */
bool machine_can_be_reset(const struct machine_settings *settings);

/* Restores the start of a machine, whatever its run has done and however it ended: the machine
 * then does what a new one would do, to the last bit. `code` is borrowed: the same code, or a
 * copy with other inputs (isa_code_copy). As in a new machine, there is no series, profile, sink or
 * BLAS, and nothing is counted or followed. Costs a pass over PEs, links and the state that the run
 * left; allocated memory is kept. */
void machine_reset(struct machine *machine, const struct isa_code *code, uint64_t seed);

/* Makes a machine that has not advanced yet fill a series and a profile, both started, or NULL.
 * They are borrowed until machine_observe_end, which completes them; call it once, when the run
 * has ended or will not be continued. */
void machine_observe_start(struct machine *machine, struct traces_series *series,
                           struct traces_profile *profile);
void machine_observe_end(struct machine *machine);

/* Makes a machine emit its events to sinks, which are copied, from now on; events for what is alive
 * come first. Call it once, and not while the machine advances. machine_observe_end emits the last
 * event. */
void machine_listen(struct machine *machine, const struct traces_event_sink *sinks,
                    size_t count);
/* Like machine_listen; the events for what is alive have this cycle. */
void machine_listen_from(struct machine *machine, uint64_t cycle,
                         const struct traces_event_sink *sinks, size_t count);
/* Like machine_listen, for sinks that know what is alive: they get only what happens from now
 * on. */
void machine_listen_on(struct machine *machine, const struct traces_event_sink *sinks,
                       size_t count);

/* Simulates until about `tokens` more tokens were delivered or the run has ended. Returns false
 * if it has ended. How a run is divided into calls changes nothing. */
bool machine_advance(struct machine *machine, uint64_t tokens);

/* Like machine_advance, but stops when all cycles before `cycle` are over, if `tokens` were not
 * delivered before that. */
bool machine_advance_to(struct machine *machine, uint64_t cycle, uint64_t tokens);

/* Returns the cycle in which something happens next, in a run that has not ended: all cycles before
 * it are over. */
uint64_t machine_next(const struct machine *machine);

/* Returns how the run ended; call it only after machine_advance has returned false. */
enum isa_end machine_end(const struct machine *machine);

/* Returns the name of the limit that ended the run, as "limits.cycles". */
const char *machine_limit(const struct machine *machine);

/* Adds a sentence about the message that was lost or duplicated, in a run that ended as faulted,
 * and sets `*pos` to its place in the source. */
void machine_write_fault(const struct machine *machine, struct lib_text *out,
                         struct lib_pos *pos);

/* Returns the least memory.capacity with which the feed that ended the run would have had room; or,
 * if no feed ended it, one of the waiting kernels, if all that may be moved out were moved out
 * (doc/model.md, "Memory"). Returns 0 if there is no such feed or kernel. */
uint64_t machine_least_memory(const struct machine *machine);

/* Returns the execution, which has result, failure and waiting operands. Borrowed. */
const struct isa_exec *machine_exec(const struct machine *machine);

/* Sets the BLAS that multiplies matrices from now on, which is borrowed; NULL, the default, for the
 * reference. */
void machine_set_blas(struct machine *machine, const struct isa_blas *blas);

/* Returns the bytes of state that limits.memory bounds. */
uint64_t machine_state_bytes(const struct machine *machine);

/* Whether it is known since which cycle no activation of these functions was freed. `functions` has
 * an element for each function of the program. Sets `*since`. */
bool machine_none_freed(const struct machine *machine, const bool *functions,
                        uint64_t *since);

/* Sets the statistics that the untimed interpreter measures too: BOTH in traces/stats.def. */
void machine_measure_execution(const struct isa_exec *exec, struct traces_stats *stats);

/* Returns the number of timing digests: one for each PE (or worker), then one for each function
 * of the code. */
uint32_t machine_digest_count(const struct machine *machine);
/* Writes the timing digests to `of_parts`. The sum over PEs is the digest of the run, and so is the
 * sum over functions. */
void machine_timing_digests(const struct machine *machine, uint64_t *of_parts);

/* Sets `*stats` to what was measured so far; free it with traces_stats_free. */
void machine_measure(const struct machine *machine, struct traces_stats *stats);

/* Begins a part of a run. All cycles before `cycle` are over, and no later one, as after
 * machine_advance_to; or the run has ended. Peaks start again from the present values. The
 * statistics of the part are those up to its end less those up to its beginning
 * (traces_stats_take_part). Nothing simulated changes. */
void machine_begin_part(struct machine *machine, uint64_t cycle);

/* Like machine_measure, up to `cycle`, or to the end of the run if that is earlier. */
void machine_measure_to(struct machine *machine, uint64_t cycle,
                        struct traces_stats *stats);

/* Makes a machine that has not advanced yet follow the first call of a function: it sets the fields
 * `first_call` and `is_over` of tags (isa/exec/activation.h). */
void machine_follow(struct machine *machine, uint32_t function);

/* Makes a machine that has not advanced yet count the work that has energies: `counts_work` in
 * struct traces_stats. The fast engine does not count it. */
void machine_count_work(struct machine *machine);

#endif

/* The machine: processing elements, matching stores, tag managers and a network that execute code
 * cycle by cycle. doc/model.md defines it.
 *
 * Several machines can share code and run at once, each in its own thread. */
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

/* Returns the number of nodes (computers of a cluster, hosts of a platform), each with several PEs;
 * 0 if the machine has none. */
uint64_t machine_nodes(const struct machine_settings *settings);

/* Whether network.latency is 0 but counts as 1, because a link with its router takes at least a
 * cycle. */
bool machine_latency_is_raised(const struct machine_settings *settings);

/* Whether settings, each of which is valid, are consistent. If not, returns false and adds a
 * diagnostic (machine/fit.c). */
bool machine_settings_fit(const struct machine_settings *settings,
                          struct lib_diags *diags);

/* Returns the names of *count links, starting with link *first; NULL if no link has a name. The
 * names live in the arena. */
const char *const *machine_link_names(const struct machine_settings *settings,
                                      struct lib_arena *arena, uint32_t *first,
                                      uint32_t *count);

/* Whether nodes exchange messages to detect that a run has ended: cluster.termination requests it,
 * or messages may be lost or duplicated. */
bool machine_counts_messages(const struct machine_settings *settings);

/* Whether machines with these settings can be saved (machine/checkpoint.h). With SimGrid they
 * cannot: it gives no access to its state. */
bool machine_can_be_saved(const struct machine_settings *settings);

/* Times of single instructions, for what-if questions. Time is then in ticks, `scale` of them per
 * cycle. */
struct machine_timing {
    uint32_t scale;

    /* For each instruction: ticks from issue to result, at least 1. */
    const uint32_t *latency;

    /* For each instruction: ticks for which it occupies an issue slot; 0: none. */
    const uint32_t *slot;
};

/* Whether a machine with these settings can have such times. If not, returns false and adds a
 * diagnostic. */
bool machine_timing_fits(const struct machine_settings *settings,
                         struct lib_diags *diags);

/* Whether a machine with these settings can have finite memories. If not, returns false and adds a
 * diagnostic. */
bool machine_memory_fits(const struct machine_settings *settings,
                         struct lib_diags *diags);

/* Makes a machine at cycle 0 with a program. `code` is borrowed; the settings, which must be
 * consistent and agree with code->propagate, are copied. */
struct machine *machine_new(const struct isa_code *code,
                            const struct machine_settings *settings, uint64_t seed);
/* Like machine_new, with borrowed times of single instructions, or NULL. */
struct machine *machine_new_timed(const struct isa_code *code,
                                  const struct machine_settings *settings, uint64_t seed,
                                  const struct machine_timing *timing);
void machine_free(struct machine *machine); /* `machine` may be NULL */

/* Whether machines with these settings can be reset. With SimGrid they cannot: its platform, one
 * per process, cannot return to its start. */
bool machine_can_be_reset(const struct machine_settings *settings);

/* Resets a machine, whatever its run has done: it then behaves exactly as a new one. `code` is
 * borrowed: the same code, or a copy with other inputs (isa_code_copy). Series, profile, sinks,
 * BLAS and options of counting are removed. Takes time for PEs, links and the state that the run
 * left; memory is kept. */
void machine_reset(struct machine *machine, const struct isa_code *code, uint64_t seed);

/* Makes a machine fill a series and a profile, both started, or NULL. Called before the run. They
 * are borrowed until machine_observe_end completes them, which is called once, when the run has
 * ended or will not be continued. */
void machine_observe_start(struct machine *machine, struct traces_series *series,
                           struct traces_profile *profile);
void machine_observe_end(struct machine *machine);

/* Makes a machine emit events to sinks, which are copied; events for live objects come first.
 * Called once, not while the machine advances. machine_observe_end emits the last event. */
void machine_listen(struct machine *machine, const struct traces_event_sink *sinks,
                    size_t count);
/* Like machine_listen; the first events, for live objects, have the given cycle. */
void machine_listen_from(struct machine *machine, uint64_t cycle,
                         const struct traces_event_sink *sinks, size_t count);
/* Like machine_listen, but without the events for live objects. */
void machine_listen_on(struct machine *machine, const struct traces_event_sink *sinks,
                       size_t count);

/* Simulates until about `tokens` more tokens were delivered or the run has ended. Returns false if
 * it has ended. The division of a run into calls has no effect on it. */
bool machine_advance(struct machine *machine, uint64_t tokens);

/* Like machine_advance, but stops earlier when all cycles before `cycle` are simulated. */
bool machine_advance_to(struct machine *machine, uint64_t cycle, uint64_t tokens);

/* Returns the next cycle in which something happens, in a run that has not ended. */
uint64_t machine_next(const struct machine *machine);

/* Returns how the run ended. Called after machine_advance has returned false. */
enum isa_end machine_end(const struct machine *machine);

/* Returns the setting whose limit ended the run: "limits.cycles". */
const char *machine_limit(const struct machine *machine);

/* In a run that ended because of a fault, adds a sentence about the message that was lost or
 * duplicated, and sets *pos to its position in the source. */
void machine_write_fault(const struct machine *machine, struct lib_text *out,
                         struct lib_pos *pos);

/* After a run that ended for lack of memory, returns the min memory.capacity with which the feed
 * that ended it, or else a waiting kernel, would have had room (doc/model.md, "Memory"). Returns 0
 * if there is no such feed or kernel. */
uint64_t machine_least_memory(const struct machine *machine);

/* Returns the borrowed execution, which has result, failure and waiting operands. */
const struct isa_exec *machine_exec(const struct machine *machine);

/* Sets the borrowed BLAS that multiplies matrices from now on; NULL, the default: the reference. */
void machine_set_blas(struct machine *machine, const struct isa_blas *blas);

/* Returns the bytes of state that limits.memory limits. */
uint64_t machine_state_bytes(const struct machine *machine);

/* Whether it is known since when no activation of the functions marked in `functions` was freed. If
 * so, sets *since to that cycle. */
bool machine_none_freed(const struct machine *machine, const bool *functions,
                        uint64_t *since);

/* Sets the statistics that the untimed interpreter measures too (BOTH in traces/stats.def). */
void machine_measure_execution(const struct isa_exec *exec, struct traces_stats *stats);

/* Returns the number of timing digests: one for each PE (or worker), then one for each function. */
uint32_t machine_digest_count(const struct machine *machine);
/* Sets of_parts to the timing digests. The sum over PEs is the digest of the run, and so is the sum
 * over functions. */
void machine_timing_digests(const struct machine *machine, uint64_t *of_parts);

/* Sets *stats to the measurements so far, to be freed with traces_stats_free. */
void machine_measure(const struct machine *machine, struct traces_stats *stats);

/* Begins a measured part of a run at `cycle`, to which the machine has advanced (or the run has
 * ended). Peaks start from current values; other statistics of the part are differences
 * (traces_stats_take_part). The simulation does not change. */
void machine_begin_part(struct machine *machine, uint64_t cycle);

/* Like machine_measure, up to `cycle`, or to the end of the run if that is earlier. */
void machine_measure_to(struct machine *machine, uint64_t cycle,
                        struct traces_stats *stats);

/* Makes a machine follow the first call of a function: sets the fields `first_call` and `is_over`
 * of tags (isa/exec/activation.h). Called before the run. */
void machine_follow(struct machine *machine, uint32_t function);

/* Makes a machine count the operations that have energies (`counts_work` in struct traces_stats),
 * for which it uses the general engine. Called before the run. */
void machine_count_work(struct machine *machine);

#endif

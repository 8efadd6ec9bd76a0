/* The machine: processing elements, matching stores, tag managers and a network that execute code
 * cycle by cycle, as doc/model.md defines. Several machines can share code and run at once, each in
 * its own thread. */
#ifndef MACHINE_MACHINE_H
#define MACHINE_MACHINE_H

#include "isa/exec/exec.h"
#include "lib/diag.h"
#include "machine/settings.h"
#include "traces/events.h"
#include "traces/machine.h"
#include "traces/profile.h"
#include "traces/series.h"
#include "traces/stats.h"

struct machine;

/* Returns the number of links of a machine of PEs; 0 if the network is ideal. */
uint32_t machine_link_count(const struct machine_settings *settings);

/* Returns the number of nodes (computers of a cluster, or hosts of a platform) that the PEs are
 * divided into; 0: undivided. */
uint64_t machine_nodes(const struct machine_settings *settings);

/* Returns the number of PEs of a node; 0: undivided, or workers instead of PEs. */
uint32_t machine_network_node_pes(const struct machine_settings *settings);

/* Whether the setting network.latency is 0 but counts as 1, because a link with its router takes at
 * least a cycle. */
bool machine_latency_is_raised(const struct machine_settings *settings);

/* Whether settings that are valid one by one are consistent. If not, adds a diagnostic. */
bool machine_settings_fit(const struct machine_settings *settings,
                          struct lib_diags *diags);

/* Whether a machine with these settings, which are consistent, has PEs that can do what each
 * function of an executable graph fires. If not, adds a diagnostic. */
bool machine_program_fits(const struct machine_settings *settings,
                          const struct isa_graph *graph, struct lib_diags *diags);

/* Returns the names, in the arena, of *count links of the network, starting with link number
 * *first; NULL if no link has a name. */
const char *const *machine_link_names(const struct machine_settings *settings,
                                      struct lib_arena *arena, uint32_t *first,
                                      uint32_t *count);

/* Whether nodes (computers) exchange messages to detect that a run has ended: if
 * cluster.termination requests it, or if messages may be lost or duplicated. */
bool machine_counts_messages(const struct machine_settings *settings);

/* Returns the key of the setting because of which they do so; NULL: they do not. */
const char *machine_counted_by(const struct machine_settings *settings);

/* Whether machines with these settings can be saved (machine/checkpoint.h). With SimGrid they
 * cannot: it gives no access to its state. */
bool machine_can_be_saved(const struct machine_settings *settings);

/* Whether a machine with these settings can have times of single instructions. If not, adds a
 * diagnostic. */
bool machine_timing_fits(const struct machine_settings *settings,
                         struct lib_diags *diags);

/* Whether memory.capacity (finite memories) agrees with the other settings. If not, adds a
 * diagnostic. */
bool machine_memory_fits(const struct machine_settings *settings,
                         struct lib_diags *diags);

/* Makes a machine at cycle 0. `code` is borrowed. The settings are copied; they must be consistent
 * and agree with code->propagate. */
struct machine *machine_new(const struct isa_code *code,
                            const struct machine_settings *settings, uint64_t seed);
/* Like machine_new, with borrowed times of single instructions (`timing`; NULL: none). */
struct machine *machine_new_timed(const struct isa_code *code,
                                  const struct machine_settings *settings, uint64_t seed,
                                  const struct traces_timing *timing);
void machine_free(struct machine *machine); /* `machine` may be NULL */

/* Whether machines with these settings can be reset. With SimGrid they cannot: its one platform per
 * process cannot return to its start. */
bool machine_can_be_reset(const struct machine_settings *settings);

/* Resets a machine at any point of a run; it then behaves exactly as a new one. `code` is borrowed:
 * the same code, or a copy with other inputs (isa_code_copy). Removes series, profile, event sinks,
 * BLAS and options of counting; keeps memory. Takes time for PEs, links and the state that the run
 * left. */
void machine_reset(struct machine *machine, const struct isa_code *code, uint64_t seed);

/* Makes a machine fill a series and a profile, both started; either may be NULL. Called before the
 * run. The machine borrows them until machine_observe_end completes them, once, when the run has
 * ended or will not be continued. */
void machine_observe_start(struct machine *machine, struct traces_series *series,
                           struct traces_profile *profile);
void machine_observe_end(struct machine *machine);

/* Makes a machine emit events to `count` sinks, which are copied. The first events are about
 * objects already alive, the last comes from machine_observe_end. Called once, not while the
 * machine advances. */
void machine_listen(struct machine *machine, const struct traces_event_sink *sinks,
                    size_t count);
/* Like machine_listen, but the events about objects already alive have the cycle `cycle`. */
void machine_listen_from(struct machine *machine, uint64_t cycle,
                         const struct traces_event_sink *sinks, size_t count);
/* Like machine_listen, without events about objects already alive. */
void machine_listen_on(struct machine *machine, const struct traces_event_sink *sinks,
                       size_t count);

/* Simulates until about `tokens` more tokens were delivered or the run has ended. Returns false if
 * the run has ended. How a run is divided into calls has no effect on it. */
bool machine_advance(struct machine *machine, uint64_t tokens);

/* Like machine_advance, but stops earlier if all cycles before `cycle` are simulated. */
bool machine_advance_to(struct machine *machine, uint64_t cycle, uint64_t tokens);

/* Returns the next cycle in which something happens, in a run that has not ended. */
uint64_t machine_next(const struct machine *machine);

/* Returns how a run ended, after machine_advance has returned false. */
enum isa_end machine_end(const struct machine *machine);

/* Returns the key of the setting whose limit ended the run, such as "limits.cycles". */
const char *machine_limit(const struct machine *machine);

/* After a run that ended because of a lost or duplicated message, adds a sentence about the
 * message, and sets *pos to the source position of the instruction that should have got it. */
void machine_write_fault(const struct machine *machine, struct lib_text *out,
                         struct lib_pos *pos);

/* Adds a line for each fault in the setting fault.list whose message was never sent, such as
 * "lose:0-1:5: node 0 sent 3 messages to node 1". */
void machine_write_unused_faults(const struct machine *machine, struct lib_text *out);

/* After a run that ended for lack of memory, returns the min memory.capacity that would have
 * sufficed for the element fed by the host, or else for a kernel that waited (doc/model.md,
 * "Memory"). Returns 0 if neither was blocked. */
uint64_t machine_least_memory(const struct machine *machine);

/* Returns the borrowed state of the program: result, failure, waiting operands. */
const struct isa_exec *machine_exec(const struct machine *machine);

/* Sets the BLAS library, borrowed, that multiplies matrices from now on; NULL, the default: the
 * built-in reference. */
void machine_set_blas(struct machine *machine, const struct isa_blas *blas);

/* Returns the bytes of the run's state that the setting limits.memory limits. */
uint64_t machine_state_bytes(const struct machine *machine);

/* Whether it is known since when the run has freed no activation of the functions f with
 * functions[f] true. If so, sets *since to that cycle. */
bool machine_none_freed(const struct machine *machine, const bool *functions,
                        uint64_t *since);

/* Sets *stats to the statistics that the untimed interpreter measures too (BOTH in
 * traces/stats.def); the others are 0. */
void machine_measure_execution(const struct isa_exec *exec, struct traces_stats *stats);

/* Returns the number of timing digests (hashes of what fired when): one for each PE or worker, then
 * one for each function. */
uint32_t machine_digest_count(const struct machine *machine);
/* Writes machine_digest_count timing digests to `of_parts`. The digests of PEs add up to the digest
 * of the run, and so do the digests of functions. */
void machine_timing_digests(const struct machine *machine, uint64_t *of_parts);

/* Sets *stats to the statistics so far. The caller frees them with traces_stats_free. */
void machine_measure(const struct machine *machine, struct traces_stats *stats);

/* Begins a section of a run that is measured alone, at `cycle`, to which the machine has advanced
 * unless the run has ended. Peak statistics start from current values; others are differences
 * (traces_stats_take_part). The simulation does not change. */
void machine_begin_part(struct machine *machine, uint64_t cycle);

/* Like machine_measure, for the run up to `cycle`, or up to its end if that is earlier. */
void machine_measure_to(struct machine *machine, uint64_t cycle,
                        struct traces_stats *stats);

/* Makes a machine follow the first call of `function`: sets `first_call` and `is_over` of struct
 * isa_activations. Called before the run. */
void machine_follow(struct machine *machine, uint32_t function);

/* Makes a machine count the operations that have energies (counts_work of struct traces_stats),
 * which needs the general engine. Called before the run. */
void machine_count_work(struct machine *machine);

#endif

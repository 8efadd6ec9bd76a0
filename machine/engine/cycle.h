/* Steps of the main loop of a simulation, as inline functions. There are two main loops: one for
 * all machines of PEs (machine/engine/cycle.c), and a faster one for the plain engine
 * (machine/engine/plain.c). */
#ifndef MACHINE_ENGINE_CYCLE_H
#define MACHINE_ENGINE_CYCLE_H

#include "isa/fire/fire_base.h"
#include "machine/verify.h"

/* Implements machine_advance_to (machine/machine.h) for machines that consist of PEs. */
bool machine_pes_advance(struct machine *m, uint64_t cycle, uint64_t tokens);

/* Whether machine_plain_advance, the fastest main loop, can run the machine: no events, no faults
 * or probes of nodes, and unlimited queues, or finite ones of few PEs. Once true, stays true. */
bool machine_is_plainly_run(const struct machine *m);

/* Whether the run has not ended, time is before `cycle`, and fewer than `tokens` tokens were
 * delivered in all. */
static inline bool machine_goes_on(const struct machine *m, uint64_t cycle,
                                   uint64_t tokens)
{
    return m->run.running && m->tokens.exec.counts.tokens < tokens &&
           m->run.cycle < cycle;
}

/* Number of PEs of a machine, as far as the fastest code depends on it. MANY_PES:
 * m->tokens.with_input has a second level. */
enum machine_size { MACHINE_ONE_PE, MACHINE_FEW_PES, MACHINE_MANY_PES };

/* Moves the tokens formed for this cycle to the input queues of their PEs. `size`: a constant. */
ISA_FIRE_INLINE void machine_unload_as(struct machine *m, const enum machine_size size)
{
    struct machine_wheel_slot *slot = machine_wheel_at(&m->tokens.formed, m->run.cycle);
    struct machine_pe *const pes = m->tokens.pes;
    const struct machine_set with_input = m->tokens.with_input;
    const struct isa_token *t = slot->tokens;
    for (size_t left = slot->count; left > 0; left--, t++) {
        const uint32_t pe = size == MACHINE_ONE_PE ? 0 : machine_token_pe(t);
        machine_queue_put(&pes[pe].input, t);
        if (size == MACHINE_MANY_PES)
            machine_set_add(&with_input, pe);
        else
            machine_set_add_flat(&with_input, pe);
    }
    slot->count = 0;
}

ISA_FIRE_INLINE void machine_unload(struct machine *m)
{
    if (__builtin_expect(m->tokens.with_input.tops != NULL, 0))
        machine_unload_as(m, MACHINE_MANY_PES);
    else
        machine_unload_as(m, MACHINE_FEW_PES);
}

ISA_FIRE_INLINE void machine_serve(struct machine *m)
{
    for (uint32_t i = 0; m->serve[i].call; i++)
        m->serve[i].call(m, m->serve[i].state);
}

/* Takes the snapshot that machine_none_freed needs. Called when the peak of live activations has
 * doubled since the last snapshot. */
__attribute__((cold)) void machine_note_doubling(struct machine *m);

/* Updates the peak statistics that most runs do not have, such as the peaks of graph copies. Not
 * needed if m->is_common. */
void machine_observe_rare_peaks(struct machine *m);

/* Updates the peak statistics at the end of a cycle, so that the order within the cycle cannot
 * matter. `plain`: a constant, true in the plain engine, which has fewer peaks. */
ISA_FIRE_INLINE void machine_observe_peaks_as(struct machine *m, const bool plain)
{
    const struct isa_counts *c = &m->tokens.exec.counts;
    struct isa_structures *s = &m->tokens.exec.structures;
    if (c->live > m->watch.peak_live)
        m->watch.peak_live = c->live;
    if (c->waiting > m->watch.peak_waiting)
        m->watch.peak_waiting = c->waiting;
    if (m->tokens.exec.tags.count > m->watch.peak_tags) {
        m->watch.peak_tags = m->tokens.exec.tags.count;
        if (__builtin_expect(m->watch.peak_tags >= m->watch.next_mark, 0))
            machine_note_doubling(m);
    }
    if (!plain || __builtin_expect(s->has_risen, 0)) {
        s->has_risen = false;
        if (s->count > m->watch.peak_structures)
            m->watch.peak_structures = s->count;
        if (s->elements > m->watch.peak_elements)
            m->watch.peak_elements = s->elements;
    }
    if (!plain && !m->is_common)
        machine_observe_rare_peaks(m);
}

/* Returns the key limits.tokens or limits.depth if the run exceeds that limit, else NULL. */
const char *machine_limit_passed(const struct machine *m);

/* Ends the run if it exceeds one of the settings limits.*; limits.cycles, if it has lasted as many
 * cycles. */
void machine_look_for_limit(struct machine *m);

/* Returns the bytes that the activations, arrays, tokens and deferred reads of the run take, except
 * what waits at ports (machine_state_bytes). */
static inline uint64_t machine_bytes_now(const struct machine *m)
{
    return m->tokens.exec.tags.used * ISA_FRAME_UNIT + m->tokens.exec.structures.bytes +
           m->tokens.exec.counts.live * sizeof(struct isa_token) +
           m->tokens.exec.waiting_reads * sizeof(struct isa_deferred);
}

/* Whether machine_bytes_now is within the setting limits.memory. */
static inline bool machine_has_room(const struct machine *m)
{
    return machine_bytes_now(m) <= m->settings.limit_memory;
}

/* Called at the beginning of each cycle: samples the time series if due, and ends the run if a
 * limit is exceeded. */
ISA_FIRE_INLINE void machine_look(struct machine *m)
{
    if (__builtin_expect(m->run.cycle >= m->watch.next_sample, 0))
        machine_observe_now(m);
    if (__builtin_expect(m->has_limits || !machine_has_room(m), 0))
        machine_look_for_limit(m);
}

/* Called when no token can proceed: lets one part of the machine exceed its bounds in the next
 * cycle. Returns false if none does. */
bool machine_insists(struct machine *m);

/* Returns the next cycle in which a part of the machine has something to do; MACHINE_NEVER: nothing
 * can happen any more. */
uint64_t machine_next_of_parts(struct machine *m);

#endif

/* One cycle of a run, and the step to the next: parts of the main loop, inlined into that of all
 * machines of PEs (machine/cycle.c) and that of the plain engine (machine/engine/plain.c). */
#ifndef MACHINE_CYCLE_H
#define MACHINE_CYCLE_H

#include "isa/fire/fire_base.h"
#include "machine/verify/verify.h"

/* Implements machine_advance_to for machines of PEs. */
bool machine_pes_advance(struct machine *m, uint64_t cycle, uint64_t tokens);

/* Whether the plain engine can run the machine alone: no events, unlimited queues, no faults or
 * probes of nodes. This cannot change while the run advances. */
bool machine_is_plainly_run(const struct machine *m);

/* Whether the run continues: it has not ended, reached `cycle`, or delivered `tokens` tokens in
 * all. */
static inline bool machine_goes_on(const struct machine *m, uint64_t cycle,
                                   uint64_t tokens)
{
    return m->running && m->exec.counts.tokens < tokens && m->cycle < cycle;
}

/* Moves the tokens of this cycle to the input queues. `one` is a constant: true if there is one
 * PE. */
ISA_FIRE_INLINE void machine_unload(struct machine *m, const bool one)
{
    struct machine_wheel_slot *slot = machine_wheel_at(&m->formed, m->cycle);
    struct machine_pe *const pes = m->pes;
    const struct machine_set with_input = m->with_input;
    const struct isa_token *t = slot->tokens;
    for (size_t left = slot->count; left > 0; left--, t++) {
        const uint32_t pe = one ? 0 : isa_token_pe(t);
        machine_queue_put(&pes[pe].input, t);
        machine_set_add(&with_input, pe);
    }
    slot->count = 0;
}

ISA_FIRE_INLINE void machine_serve(struct machine *m)
{
    for (uint32_t i = 0; m->serve[i]; i++)
        m->serve[i](m);
}

/* Called when the number of live activations has doubled since the last call. */
__attribute__((cold)) void machine_note_doubling(struct machine *m);

/* Measures peaks of rare parts (if not m->is_common). */
void machine_observe_rare_peaks(struct machine *m);

/* Measures peaks at the end of a cycle, so that the order within it cannot matter. `plain` is a
 * constant: true in the plain engine, which has fewer peaks. */
ISA_FIRE_INLINE void machine_observe_peaks_as(struct machine *m, const bool plain)
{
    const struct isa_counts *c = &m->exec.counts;
    struct isa_structures *s = &m->exec.structures;
    if (c->live > m->peak_live)
        m->peak_live = c->live;
    if (c->waiting > m->peak_waiting)
        m->peak_waiting = c->waiting;
    if (m->exec.tags.count > m->peak_tags) {
        m->peak_tags = m->exec.tags.count;
        if (__builtin_expect(m->peak_tags >= m->next_mark, 0))
            machine_note_doubling(m);
    }
    if (!plain || __builtin_expect(s->has_risen, 0)) {
        s->has_risen = false;
        if (s->count > m->peak_structures)
            m->peak_structures = s->count;
        if (s->elements > m->peak_elements)
            m->peak_elements = s->elements;
    }
    if (!plain && !m->is_common)
        machine_observe_rare_peaks(m);
}

/* Returns the setting whose limit (tokens, depth) is exceeded, or NULL. */
const char *machine_limit_passed(const struct machine *m);

/* Ends the run if a limit is reached. */
void machine_look_for_limit(struct machine *m);

/* Returns the bytes of the state of the run, except what waits at ports (machine_state_bytes). */
static inline uint64_t machine_bytes_now(const struct machine *m)
{
    return m->exec.tags.used * ISA_FRAME_UNIT + m->exec.structures.bytes +
           m->exec.counts.live * sizeof(struct isa_token) +
           m->exec.waiting_reads * sizeof(struct isa_deferred);
}

/* Whether the state fits in limits.memory. */
static inline bool machine_has_room(const struct machine *m)
{
    return machine_bytes_now(m) <= m->settings.limit_memory;
}

/* Called at the beginning of each cycle: adds rows to the series, and ends the run if a limit is
 * exceeded. */
ISA_FIRE_INLINE void machine_look(struct machine *m)
{
    if (__builtin_expect(m->cycle >= m->next_sample, 0))
        machine_observe_now(m);
    if (__builtin_expect(m->has_limits || !machine_has_room(m), 0))
        machine_look_for_limit(m);
}

/* Called when nothing can proceed: lets a part force progress in the next cycle (machine/part.h).
 * Returns false if none does. */
bool machine_insists(struct machine *m);

/* Returns the next cycle in which something happens in a part; MACHINE_NEVER: nothing can happen
 * any more. */
uint64_t machine_next_of_parts(struct machine *m);

#endif

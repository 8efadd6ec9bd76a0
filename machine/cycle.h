/* One cycle, and the way to the next one: pieces of the loop of a run, inlined into that of any
 * machine of PEs (machine/cycle.c), and into that of the plain engine
 * (machine/engine/plain.c). */
#ifndef MACHINE_CYCLE_H
#define MACHINE_CYCLE_H

#include "isa/fire/fire_base.h"
#include "machine/verify/verify.h"

/* As machine_advance_to, of machines of PEs. */
bool machine_pes_advance(struct machine *m, uint64_t cycle, uint64_t tokens);

/* Nobody listens, queues are unlimited, nodes are not asked for anything, and the plain engine
 * issues the tokens. A run that has become so stays so while it advances. */
bool machine_is_plainly_run(const struct machine *m);

/* Whether a cycle begins: the run has not ended, nor come to `cycle`, nor delivered `tokens` in
 * all. */
static inline bool machine_goes_on(const struct machine *m, uint64_t cycle,
                                   uint64_t tokens)
{
    return m->running && m->exec.counts.tokens < tokens && m->cycle < cycle;
}

/* What is formed goes to the input queues; `one`, a constant: to that of the only PE. */
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

/* There are twice as many activations as ever before. */
__attribute__((cold)) void machine_note_doubling(struct machine *m);

/* The peaks of what only machines have that are not m->is_common. */
void machine_observe_rare_peaks(struct machine *m);

/* Measures the peaks at the end of a cycle, so that no order within it can matter. `plain` is a
 * constant: true in the plain engine (machine_is_plainly_run), which has fewer peaks. */
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

/* Which limit of tokens or depth is passed by what was done so far; NULL: none. */
const char *machine_limit_passed(const struct machine *m);

/* Ends the run if a limit is reached. */
void machine_look_for_limit(struct machine *m);

/* Bytes of the state of the run, but for what waits at ports (machine_state_bytes): of a run
 * with ports somebody always looks for limits. */
static inline uint64_t machine_bytes_now(const struct machine *m)
{
    return m->exec.tags.used * ISA_FRAME_UNIT + m->exec.structures.bytes +
           m->exec.counts.live * sizeof(struct isa_token) +
           m->exec.waiting_reads * sizeof(struct isa_deferred);
}

/* Whether the state still fits in limits.memory. */
static inline bool machine_has_room(const struct machine *m)
{
    return machine_bytes_now(m) <= m->settings.limit_memory;
}

/* A cycle begins, in which nothing has happened yet: the series takes its rows, and the run may
 * end by a limit. */
ISA_FIRE_INLINE void machine_look(struct machine *m)
{
    if (__builtin_expect(m->cycle >= m->next_sample, 0))
        machine_observe_now(m);
    if (__builtin_expect(m->has_limits || !machine_has_room(m), 0))
        machine_look_for_limit(m);
}

/* Nothing can go on, unless a part insists: then it does in the next cycle. */
bool machine_insists(struct machine *m);

/* The next cycle in which something happens, as parts have it; MACHINE_NEVER: the machine is
 * quiet. */
uint64_t machine_next_of_parts(struct machine *m);

#endif

/* Emission of the events of a machine (traces/events.h), in the order of doc/model.md. Without
 * sinks, m->events is NULL and nothing here is called.
 *
 * A step is what a token does when it is issued or released. Its events are, in order: the step
 * itself (TAKEN or RELEASED), its firing, the activation that it makes, the tokens that it sends,
 * and what it frees. The outcome of a step is known last and is then filled in; so sinks get events
 * only after their step. */
#ifndef MACHINE_EVENTS_H
#define MACHINE_EVENTS_H

#include "isa/fire/fire_base.h"
#include "machine/pe/tensor_memory.h"
#include "machine/state.h"
#include "traces/events.h"

enum {
    MACHINE_EVENTS_BLOCK = 1024, /* events that sinks get at once */
    /* Index of the first event, which is unused and means: no event. */
    MACHINE_EVENTS_NONE = 0,
};

struct machine_events {
    /* Events that sinks have not got; the first one is unused. */
    LIB_VEC(struct traces_event) told;

    /* Copy of the events for a sink of a lower level. */
    LIB_VEC(struct traces_event) part;
    enum traces_level level;         /* highest level of the sinks */
    struct traces_event_sink *sinks; /* owned */
    size_t sink_count;
    struct isa_watcher watcher;

    /* The current step; indexes refer to `told`. */
    size_t step;  /* index of its event TAKEN or RELEASED */
    size_t fired; /* index of its firing, or MACHINE_EVENTS_NONE */
    size_t made;  /* index of the event of an activation that has no PE yet */

    uint32_t instr, tag, pe; /* instruction, activation and PE of the step */
    uint64_t waiting;        /* number of operands that waited before the step */
    uint64_t reads; /* number of reads that waited before the step, at ports too */
};

/* Emits the last event, and passes remaining events to the sinks. */
void machine_events_end(struct machine *m);
void machine_events_free(struct machine *m);

/* Passes events to the sinks. Called between two steps. */
void machine_events_flush(struct machine *m);

static inline bool machine_emits(const struct machine_events *e, enum traces_level level)
{
    return e->level >= level;
}

/* Adds an event for the caller to fill in. The pointer is valid until the next call. */
static inline struct traces_event *machine_emit(struct machine *m,
                                                enum traces_event_kind kind)
{
    struct traces_event *event = LIB_VEC_PUSH(&m->events->told);
    *event = (struct traces_event){.cycle = m->cycle, .kind = (uint8_t)kind};
    return event;
}

/* Like machine_emit, for an event of an instruction under a tag at a PE. */
static inline struct traces_event *machine_emit_of(struct machine *m,
                                                   enum traces_event_kind kind,
                                                   uint32_t pe, uint32_t instr,
                                                   isa_tag tag)
{
    struct traces_event *event = machine_emit(m, kind);
    event->pe = pe;
    event->instr = isa_code_node(m->code, instr);
    event->tag = tag;
    return event;
}

/* Returns the operand number of a token: for an APPLY, which is several instructions here, that of
 * the graph node; TRACES_NONE if the instruction has no token operands. */
static inline uint32_t machine_operand(const struct isa_instr *instr, bool port)
{
    if (instr->tokens == 0)
        return TRACES_NONE;
    return instr->op == ISA_OP_APPLY ? instr->index : port;
}

/* Returns the operand number of a message. For a release it is the number of the release, because
 * several may be in transit from different machines. */
static inline uint32_t machine_message_port(const struct isa_token *t)
{
    return TRACES_PORT_TENSOR + (machine_token_mark(t) == MACHINE_MARK_RELEASE
                                     ? (uint32_t)t->value
                                     : isa_token_port(t));
}

/* Adds an event of a token at a PE. */
static inline struct traces_event *machine_emit_token(struct machine *m,
                                                      enum traces_event_kind kind,
                                                      uint32_t pe,
                                                      const struct isa_token *t)
{
    const uint32_t instr = isa_token_instr(t);
    struct traces_event *event = machine_emit_of(m, kind, pe, instr, isa_token_tag(t));
    event->port = machine_operand(&m->code->instrs[instr], isa_token_port(t));
    if (__builtin_expect(machine_is_message(t), 0))
        event->port = machine_message_port(t);
    return event;
}

/* --- queues --------------------------------------------------------------------------- */

/* Adds an event of a token that enters or leaves a queue. Only if m->tells_queues. */
static inline struct traces_event *
machine_emit_queue(struct machine *m, enum traces_event_kind kind,
                   enum traces_place place, uint32_t number, const struct isa_token *t,
                   uint64_t until)
{
    struct traces_event *event = machine_emit_token(m, kind, 0, t);
    event->how = (uint8_t)place;
    event->to = number;
    event->a = until;
    return event;
}

static inline void machine_emit_entered(struct machine *m, enum traces_place place,
                                        uint32_t number, const struct isa_token *t)
{
    if (m->tells_queues)
        machine_emit_queue(m, TRACES_EVENT_ENTERED, place, number, t, 0);
}

/* Emits an event ENTERED for each token of a queue. */
void machine_emit_queue_entered(struct machine *m, enum traces_place place,
                                uint32_t number, const struct machine_queue *queue);

static inline void machine_emit_left(struct machine *m, enum traces_place place,
                                     uint32_t number, const struct isa_token *t)
{
    if (m->tells_queues)
        machine_emit_queue(m, TRACES_EVENT_LEFT, place, number, t, m->cycle);
}

/* Emits that a token is blocked because a queue is full. Only if m->tells_queues. */
static inline void machine_emit_blocked(struct machine *m, const struct isa_token *t,
                                        enum traces_place place, uint32_t number)
{
    struct traces_event *event = machine_emit_token(m, TRACES_EVENT_LACKS,
                                                    isa_token_pe(t), t);
    event->how = (uint8_t)place;
    event->to = number;
}

/* --- steps ---------------------------------------------------------------------------- */

/* Begins a step: emits that a token is issued or released. */
static inline void machine_emit_step(struct machine *m, enum traces_event_kind kind,
                                     enum traces_holder from, uint32_t pe,
                                     const struct isa_token *t)
{
    struct machine_events *e = m->events;
    if (e->told.count > MACHINE_EVENTS_BLOCK)
        machine_events_flush(m);
    e->step = e->made = MACHINE_EVENTS_NONE;
    if (!machine_emits(e, TRACES_LEVEL_ALL))
        return;
    e->step = e->told.count;
    struct traces_event *event = machine_emit_token(m, kind, pe, t);
    event->from = from;
    event->a = isa_token_is_dead(t);
}

ISA_FIRE_INLINE void machine_emit_taken(struct machine *m, uint32_t pe,
                                        const struct isa_token *t)
{
    struct machine_events *e = m->events;
    if (e->told.count > MACHINE_EVENTS_BLOCK)
        machine_events_flush(m);
    if (!machine_emits(e, TRACES_LEVEL_ALL))
        return;
    const bool starts = m->code->instrs[isa_token_instr(t)].tokens == 0 &&
                        !machine_is_message(t);
    machine_emit_step(m, TRACES_EVENT_TAKEN,
                      starts ? TRACES_HOLDER_START : TRACES_HOLDER_QUEUE, pe, t);
}

/* Returns the PE of a token that was held back; on an executor none. */
static inline uint32_t machine_emit_where(const struct machine *m,
                                          const struct isa_token *t)
{
    return m->executor ? TRACES_NONE : isa_token_pe(t);
}

static inline void machine_emit_released(struct machine *m, enum traces_holder from,
                                         const struct isa_token *t)
{
    if (m->events)
        machine_emit_step(m, TRACES_EVENT_RELEASED, from, machine_emit_where(m, t), t);
}

/* Sets the outcome of the token in the event TAKEN or RELEASED of the current step. */
static inline void machine_emit_how(struct machine *m, enum traces_outcome how)
{
    if (m->events)
        m->events->told.items[m->events->step].how = (uint8_t)how;
}

/* Returns how many instructions have fired and wait for the value that they will send. */
static inline uint64_t machine_emit_reads(const struct machine *m)
{
    const struct isa_ports *ports = m->exec.structures.ports;
    return m->exec.waiting_reads + (ports ? ports->waiting : 0);
}

/* Records the state before the token of a step takes effect; `waiting` operands wait. */
ISA_FIRE_INLINE void machine_emit_begin(struct machine *m, uint32_t pe,
                                        const struct isa_token *t, uint64_t waiting)
{
    struct machine_events *e = m->events;
    e->instr = isa_code_node(m->code, isa_token_instr(t));
    e->tag = isa_token_tag(t);
    e->pe = pe;
    e->made = MACHINE_EVENTS_NONE;
    e->fired = e->told.count;
    if (!machine_emits(e, TRACES_LEVEL_ALL))
        return;
    e->waiting = waiting;
    e->reads = machine_emit_reads(m);
    struct traces_event *event = machine_emit(m, TRACES_EVENT_FIRED);
    event->pe = pe;
    event->instr = e->instr;
    event->tag = e->tag;
}

/* Emits the events of a step that does more than fire. */
void machine_emit_long_effect(struct machine *m, enum isa_fired fired,
                              const struct isa_firing *firing, uint64_t when,
                              uint64_t waiting);

/* Emits the effect of a step, whose tokens are formed in cycle `when`. */
ISA_FIRE_INLINE void machine_emit_effect(struct machine *m, enum isa_fired fired,
                                         const struct isa_firing *firing, uint64_t when,
                                         uint64_t waiting)
{
    const struct machine_events *e = m->events;
    if (e->fired != e->told.count) { /* more than the firing was emitted */
        machine_emit_long_effect(m, fired, firing, when, waiting);
    } else if (fired <= ISA_FIRED_DEAD && machine_emits(e, TRACES_LEVEL_FIRINGS)) {
        const bool lives = fired == ISA_FIRED_LIVE;
        struct traces_event *event = machine_emit(m, lives ? TRACES_EVENT_FIRED
                                                           : TRACES_EVENT_DEAD);
        event->pe = e->pe;
        event->instr = e->instr;
        event->tag = e->tag;
        event->a = lives ? firing->depth : 0;
        event->b = when;
    }
}

/* Emits the tokens that a firing sends to a PE, formed in cycle `when`. */
void machine_emit_sent(struct machine *m, uint32_t pe, uint32_t to, uint64_t when,
                       isa_tag tag, const struct isa_instr *instr,
                       struct isa_code_list list, unsigned how);

/* Sets the cycle in which all tokens of the current step are formed. */
void machine_emit_formed(struct machine *m, uint64_t when);

static inline void machine_emit_at(struct machine *m, enum traces_event_kind kind,
                                   const struct isa_token *t)
{
    if (m->events && machine_emits(m->events, TRACES_LEVEL_ALL))
        machine_emit_token(m, kind, machine_emit_where(m, t), t);
}

static inline void machine_emit_answer(struct machine *m, uint32_t pe, uint32_t deferred)
{
    const struct isa_deferred *d = &m->exec.deferred.items[deferred];
    if (machine_emits(m->events, TRACES_LEVEL_ALL))
        machine_emit_of(m, TRACES_EVENT_ANSWERED, pe, d->instr, d->tag);
}

/* Emits that a worker frees frames after a firing, until a cycle. */
static inline void machine_emit_busy(struct machine *m, uint32_t worker, uint32_t instr,
                                     uint64_t until)
{
    if (!machine_emits(m->events, TRACES_LEVEL_FIRINGS))
        return;
    struct traces_event *event = machine_emit(m, TRACES_EVENT_BUSY);
    event->pe = worker;
    event->instr = isa_code_node(m->code, instr);
    event->b = until;
}

/* Emits that tensor unit `unit` of a bank starts a batch, whose first kernel is `first`. */
void machine_emit_batch(struct machine *m, uint32_t bank, uint32_t unit,
                        const struct isa_token *first, uint64_t kernels, uint64_t until);

/* Emits that a token is formed again: woken, because its constant has arrived, or as a request to a
 * PE. */
void machine_emit_moved(struct machine *m, enum traces_event_kind kind, uint32_t pe,
                        uint32_t to, uint64_t when, const struct isa_token *t);

#endif

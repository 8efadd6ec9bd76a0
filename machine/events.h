/* Emission of the events of a machine (traces/events.h), in the order of doc/model.md. Without
 * sinks, m->watch.events is NULL and only functions that test it may be called.
 *
 * A step is the issue or release of one token. Its events are, in order: the step itself (TAKEN or
 * RELEASED), the firing, the activation made, the tokens sent, and what is freed. The outcome of a
 * step is filled in last, so sinks get events only after their step. */
#ifndef MACHINE_EVENTS_H
#define MACHINE_EVENTS_H

#include "isa/fire/fire_base.h"
#include "machine/pe/tensor_memory.h"
#include "machine/state.h"
#include "traces/events.h"

enum {
    MACHINE_EVENTS_BLOCK = 1024, /* buffered events after which sinks get them */
    /* Index that means: no event. The element at this index is unused. */
    MACHINE_EVENTS_NONE = 0,
};

struct machine_events {
    /* Events that sinks have not got yet; the first one is unused. */
    LIB_VEC(struct traces_event) told;

    /* Buffer for the events of a sink that wants less detail than `told` has. */
    LIB_VEC(struct traces_event) part;
    enum traces_level level;         /* highest level of detail of all sinks */
    bool has_values;                 /* events SENT contain the values of tokens */
    struct traces_event_sink *sinks; /* owned */
    size_t sink_count;
    struct isa_watcher watcher;

    size_t step;  /* index in `told` of the current event TAKEN or RELEASED */
    size_t fired; /* index in `told` of the event of the current firing */
    /* Index in `told` of the event of a new activation, whose PE is filled in later in the step. */
    size_t made;

    uint32_t instr, tag, pe; /* instruction, activation and PE of the current token */
    uint64_t waiting; /* operands that waited before the current token took effect */
    /* Deferred reads, including those at ports, before the current token took effect. */
    uint64_t reads;
};

/* Emits the last event, and passes all remaining events to the sinks. */
void machine_events_end(struct machine *m);
void machine_events_free(struct machine *m);

/* Passes buffered events to the sinks. Not called between the events of one token. */
void machine_events_flush(struct machine *m);

static inline bool machine_emits(const struct machine_events *e, enum traces_level level)
{
    return e->level >= level;
}

/* Appends an event of `kind` for the caller to fill in. The pointer is valid until the next
 * call. */
static inline struct traces_event *machine_emit(struct machine *m,
                                                enum traces_event_kind kind)
{
    struct traces_event *event = LIB_VEC_PUSH(&m->watch.events->told);
    *event = (struct traces_event){.cycle = m->run.cycle, .kind = (uint8_t)kind};
    return event;
}

/* Like machine_emit, for an event of instruction `instr` under a tag at a PE. */
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

/* Returns the operand number of a token, as events contain it. For an APPLY it is the operand of
 * the graph node, which is several instructions in the machine. TRACES_NONE: the instruction has no
 * token operands. */
static inline uint32_t machine_operand(const struct isa_instr *instr, bool port)
{
    if (instr->tokens == 0)
        return TRACES_NONE;
    return instr->op == ISA_OP_APPLY ? instr->index : port;
}

/* Returns the operand number of an event about a message: TRACES_PORT_TENSOR plus the number of the
 * operand that is the tensor. For a release: plus a running number, as several from different
 * machines may be in transit. */
static inline uint32_t machine_message_port(const struct isa_token *t)
{
    return TRACES_PORT_TENSOR + (machine_token_mark(t) == MACHINE_MARK_RELEASE
                                     ? (uint32_t)t->value
                                     : isa_token_port(t));
}

/* Appends an event of `kind` for token `t` at PE `pe`. */
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

/* Appends an event for token `t`, which enters or leaves a queue. Only if m->watch.tells_queues. */
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
    if (m->watch.tells_queues)
        machine_emit_queue(m, TRACES_EVENT_ENTERED, place, number, t, 0);
}

/* Emits an event ENTERED for each token of a queue. */
void machine_emit_queue_entered(struct machine *m, enum traces_place place,
                                uint32_t number, const struct machine_queue *queue);

static inline void machine_emit_left(struct machine *m, enum traces_place place,
                                     uint32_t number, const struct isa_token *t)
{
    if (m->watch.tells_queues)
        machine_emit_queue(m, TRACES_EVENT_LEFT, place, number, t, m->run.cycle);
}

/* Emits that token `t` is blocked by a full queue. Only if m->watch.tells_queues. */
static inline void machine_emit_blocked(struct machine *m, const struct isa_token *t,
                                        enum traces_place place, uint32_t number)
{
    struct traces_event *event = machine_emit_token(m, TRACES_EVENT_LACKS,
                                                    machine_token_pe(t), t);
    event->how = (uint8_t)place;
    event->to = number;
}

/* --- steps ---------------------------------------------------------------------------- */

/* Emits that token `t` is issued or released, as the first event of a step. */
static inline void machine_emit_step(struct machine *m, enum traces_event_kind kind,
                                     enum traces_holder from, uint32_t pe,
                                     const struct isa_token *t)
{
    struct machine_events *e = m->watch.events;
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
    struct machine_events *e = m->watch.events;
    if (e->told.count > MACHINE_EVENTS_BLOCK)
        machine_events_flush(m);
    if (!machine_emits(e, TRACES_LEVEL_ALL))
        return;
    const bool starts = m->code->instrs[isa_token_instr(t)].tokens == 0 &&
                        !machine_is_message(t);
    machine_emit_step(m, TRACES_EVENT_TAKEN,
                      starts ? TRACES_HOLDER_START : TRACES_HOLDER_QUEUE, pe, t);
}

/* Returns the PE of a token that was held back; TRACES_NONE on an executor, which has no PEs. */
static inline uint32_t machine_emit_where(const struct machine *m,
                                          const struct isa_token *t)
{
    return m->executor ? TRACES_NONE : machine_token_pe(t);
}

static inline void machine_emit_released(struct machine *m, enum traces_holder from,
                                         const struct isa_token *t)
{
    if (m->watch.events)
        machine_emit_step(m, TRACES_EVENT_RELEASED, from, machine_emit_where(m, t), t);
}

/* Sets the outcome in the event TAKEN or RELEASED of the current token. */
static inline void machine_emit_how(struct machine *m, enum traces_outcome how)
{
    if (m->watch.events)
        m->watch.events->told.items[m->watch.events->step].how = (uint8_t)how;
}

/* Returns the number of deferred reads: instructions that fired and wait for the value to send. */
static inline uint64_t machine_emit_reads(const struct machine *m)
{
    const struct isa_ports *ports = m->tokens.exec.structures.ports;
    return m->tokens.exec.waiting_reads + (ports ? ports->waiting : 0);
}

/* Records the state before token `t` takes effect. `waiting`: number of waiting operands. */
ISA_FIRE_INLINE void machine_emit_begin(struct machine *m, uint32_t pe,
                                        const struct isa_token *t, uint64_t waiting)
{
    struct machine_events *e = m->watch.events;
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

/* Does the work of machine_emit_effect if events were emitted since machine_emit_begin, such as the
 * event of a new activation. */
void machine_emit_long_effect(struct machine *m, enum isa_fired fired,
                              const struct isa_firing *firing, uint64_t when,
                              uint64_t waiting);

/* Emits the events for what a token has done since machine_emit_begin (`fired`, `firing`). The
 * tokens that it sent are formed in cycle `when`. `waiting`: number of waiting operands now. */
ISA_FIRE_INLINE void machine_emit_effect(struct machine *m, enum isa_fired fired,
                                         const struct isa_firing *firing, uint64_t when,
                                         uint64_t waiting)
{
    const struct machine_events *e = m->watch.events;
    if (e->fired != e->told.count) { /* events were emitted since machine_emit_begin */
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

/* Emits SENT for each token with `value` that a firing sends to PE `to`, formed in cycle `when`. */
void machine_emit_sent(struct machine *m, uint32_t pe, uint32_t to, uint64_t when,
                       isa_tag tag, isa_value value, const struct isa_instr *instr,
                       struct isa_code_list list, unsigned how);

/* Sets the cycle in which tokens sent by the current firing are formed, in their events. */
void machine_emit_formed(struct machine *m, enum isa_fired fired, uint64_t when);

static inline void machine_emit_at(struct machine *m, enum traces_event_kind kind,
                                   const struct isa_token *t)
{
    if (m->watch.events && machine_emits(m->watch.events, TRACES_LEVEL_ALL))
        machine_emit_token(m, kind, machine_emit_where(m, t), t);
}

static inline void machine_emit_answer(struct machine *m, uint32_t pe, uint32_t deferred)
{
    const struct isa_deferred *d = &m->tokens.exec.deferred.items[deferred];
    if (machine_emits(m->watch.events, TRACES_LEVEL_ALL))
        machine_emit_of(m, TRACES_EVENT_ANSWERED, pe, d->instr, d->tag);
}

/* Emits that a worker of an executor frees frames after a firing, or passes a token on between
 * machines, until cycle `until`. */
static inline void machine_emit_busy(struct machine *m, uint32_t worker, uint32_t instr,
                                     uint64_t until)
{
    if (!machine_emits(m->watch.events, TRACES_LEVEL_FIRINGS))
        return;
    struct traces_event *event = machine_emit(m, TRACES_EVENT_BUSY);
    event->pe = worker;
    event->instr = isa_code_node(m->code, instr);
    event->b = until;
}

/* Emits that a tensor of that many bytes moves out of a memory, or back into it. */
void machine_emit_move(struct machine *m, uint32_t memory, bool back, uint64_t bytes,
                       uint64_t until);

/* Emits that tensor unit `unit` of a bank starts a batch of kernels; `first` is its first token. */
void machine_emit_batch(struct machine *m, uint32_t bank, uint32_t unit,
                        const struct isa_token *first, uint64_t kernels, uint64_t until);

/* Emits, if sinks want it, that token `t` of PE `pe` continues and is formed again in cycle `when`.
 * `kind`: WOKEN, if the constant or tensor that `t` waited for has arrived; REQUEST, FETCH or
 * RELEASE, if `t` becomes a message to PE `to`. */
void machine_emit_moved(struct machine *m, enum traces_event_kind kind, uint32_t pe,
                        uint32_t to, uint64_t when, const struct isa_token *t);

#endif

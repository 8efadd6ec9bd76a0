#include "machine/events.h"

#include "lib/order.h"
#include "machine/engine/engine.h"
#include "machine/engine/executor.h"
#include "machine/result.h"
#include "machine/token_values.h"

#include <stdlib.h>

/* --- blocks ----------------------------------------------------------------------------- */

static void give(struct machine_events *e, const struct traces_event_sink *sink)
{
    const struct traces_event *events = e->told.items + 1;
    const size_t count = e->told.count - 1;
    if (sink->level == e->level) {
        sink->take(sink->context, events, count);
        return;
    }
    e->part.count = 0;
    for (size_t i = 0; i < count; i++)
        if (traces_event_table[events[i].kind].level <= sink->level)
            *LIB_VEC_PUSH(&e->part) = events[i];
    if (e->part.count)
        sink->take(sink->context, e->part.items, e->part.count);
}

void machine_events_flush(struct machine *m)
{
    struct machine_events *e = m->watch.events;
    if (e->told.count > 1)
        for (size_t i = 0; i < e->sink_count; i++)
            give(e, &e->sinks[i]);
    e->told.count = 1;
    e->step = e->fired = e->made = MACHINE_EVENTS_NONE;
}

/* --- activations and arrays --------------------------------------------------------------- */

static struct traces_event *tell_activation(struct machine *m,
                                            enum traces_event_kind kind, isa_tag tag)
{
    struct traces_event *event = machine_emit(m, kind);
    struct isa_activation *a = isa_activations_get(&m->tokens.exec.tags, tag);
    event->tag = tag;
    event->pe = machine_home_pe(m, a);
    event->parent = tag == ISA_TAG_ROOT ? TRACES_NONE : a->parent;
    event->site = tag == ISA_TAG_ROOT ? TRACES_NONE : a->site;
    if (m->tokens.exec.tags.shapes[a->function].is_loop)
        event->a = isa_iteration_number(a);
    event->instr = m->watch.events->instr;
    return event;
}

static void tell_made(void *context, isa_tag tag)
{
    struct machine *m = context;
    const struct isa_activation *a = isa_activations_get(&m->tokens.exec.tags, tag);
    const bool is_loop = m->tokens.exec.tags.shapes[a->function].is_loop;
    m->watch.events->made = m->watch.events->told.count;
    tell_activation(m,
                    is_loop            ? TRACES_EVENT_ITERATION
                    : m->code->expands ? TRACES_EVENT_GATHER
                                       : TRACES_EVENT_CALL,
                    tag);
}

static void tell_copied(void *context, isa_tag tag, uint32_t nodes)
{
    struct machine *m = context;
    const uint32_t pe = machine_place_of_tag(&m->tokens.exec.tags, tag);
    m->watch.events->made = m->watch.events->told.count;
    struct traces_event *event = machine_emit(m, TRACES_EVENT_COPY);
    *event = (struct traces_event){.cycle = event->cycle,
                                   .kind = event->kind,
                                   .tag = tag,
                                   .a = nodes,
                                   .instr = m->watch.events->instr,
                                   .pe = pe};
}

static void tell_uncopied(void *context, isa_tag tag, uint32_t nodes)
{
    struct traces_event *event = machine_emit(context, TRACES_EVENT_UNCOPY);
    event->tag = tag;
    event->a = nodes;
}

static void tell_gone(void *context, isa_tag tag)
{
    machine_emit(context, TRACES_EVENT_GONE)->tag = tag;
}

static void tell_array(void *context, uint32_t array, uint32_t length)
{
    struct machine *m = context;
    const struct isa_structure *s = &m->tokens.exec.structures.all.items[array];
    struct traces_event *event = machine_emit_of(
        m, TRACES_EVENT_ARRAY, machine_maker_of(s), s->instr, m->watch.events->tag);
    event->a = length;
    event->b = array;
}

static void tell_array_gone(void *context, uint32_t array, uint32_t length)
{
    struct traces_event *event = machine_emit(context, TRACES_EVENT_ARRAY_GONE);
    event->a = length;
    event->b = array;
}

/* --- steps ---------------------------------------------------------------------------------- */

/* Removes the event FIRED: the token did not make its instruction fire. */
static void drop_firing(struct machine_events *e)
{
    struct traces_event *at = &e->told.items[e->fired];
    memmove(at, at + 1, (e->told.count - e->fired - 1) * sizeof *at);
    e->told.count--;
    e->made -= e->made > e->fired;
}

/* Inserts an event FIRED before the events of what the firing made and freed. */
static void insert_firing(struct machine *m)
{
    struct machine_events *e = m->watch.events;
    machine_emit(m, TRACES_EVENT_FIRED);
    struct traces_event *at = &e->told.items[e->fired];
    memmove(at + 1, at, (e->told.count - e->fired - 1) * sizeof *at);
    e->made += e->made >= e->fired;
    *at = (struct traces_event){
        .cycle = m->run.cycle, .pe = e->pe, .instr = e->instr, .tag = e->tag};
}

static const enum traces_outcome step_of[] = {
    [ISA_FIRED_LIVE] = TRACES_OUTCOME_FIRES,
    [ISA_FIRED_DEAD] = TRACES_OUTCOME_FIRES,
    [ISA_FIRED_CARRIED] = TRACES_OUTCOME_CARRIED,
    [ISA_FIRED_WAITING] = TRACES_OUTCOME_WAITS,
    [ISA_FIRED_PARKED] = TRACES_OUTCOME_PARKED,
    [ISA_FIRED_ABSORBED] = TRACES_OUTCOME_ABSORBED,
    [ISA_FIRED_STOPPED] = TRACES_OUTCOME_FAILS,
};

void machine_emit_long_effect(struct machine *m, enum isa_fired fired,
                              const struct isa_firing *firing, uint64_t when,
                              uint64_t waiting)
{
    struct machine_events *e = m->watch.events;
    const bool fires = fired <= ISA_FIRED_DEAD;
    if (e->made != MACHINE_EVENTS_NONE) { /* the activation has its PE by now */
        struct traces_event *made = &e->told.items[e->made];
        made->pe = machine_home_pe(m,
                                   isa_activations_get(&m->tokens.exec.tags, made->tag));
    }
    const bool stands = machine_emits(e, TRACES_LEVEL_ALL);
    if (fires && machine_emits(e, TRACES_LEVEL_FIRINGS)) {
        if (!stands)
            insert_firing(m);
        struct traces_event *event = &e->told.items[e->fired];
        event->kind = fired == ISA_FIRED_LIVE ? TRACES_EVENT_FIRED : TRACES_EVENT_DEAD;
        event->a = fired == ISA_FIRED_LIVE ? firing->depth : 0;
        event->b = when;
    } else if (stands) {
        drop_firing(e);
    }
    if (!stands)
        return;
    struct traces_event *step = &e->told.items[e->step];
    const uint64_t met = e->waiting > waiting ? e->waiting - waiting : 0;
    step->how = fires && met ? TRACES_OUTCOME_MATCHES : (uint8_t)step_of[fired];
    step->b = met;
    if (fired == ISA_FIRED_LIVE && machine_emit_reads(m) > e->reads) {
        struct traces_event *event = machine_emit(m, TRACES_EVENT_DEFERRED);
        event->pe = e->pe;
        event->instr = e->instr;
        event->tag = e->tag;
    }
}

void machine_emit_sent(struct machine *m, uint32_t pe, uint32_t to, uint64_t when,
                       isa_tag tag, isa_value value, const struct isa_instr *instr,
                       struct isa_code_list list, unsigned how)
{
    const enum traces_event_kind kind = how & ISA_SEND_DEAD ? TRACES_EVENT_SENT_DEAD
                                                            : TRACES_EVENT_SENT;
    for (uint32_t i = 0; i < list.count; i++) {
        const isa_code_dest dest = how & ISA_SEND_ONLY
                                       ? instr->only
                                       : isa_exec_dest(&m->tokens.exec,
                                                       m->code->dests[list.first + i],
                                                       tag);
        const struct isa_token t = {.key = isa_token_key(dest, tag)};
        struct traces_event *event = machine_emit_token(m, kind, pe, &t);
        event->to = to;
        event->a = when;
        event->b = m->watch.events->has_values && kind == TRACES_EVENT_SENT ? value : 0;
    }
}

void machine_emit_formed(struct machine *m, enum isa_fired fired, uint64_t when)
{
    struct machine_events *e = m->watch.events;
    if (fired <= ISA_FIRED_DEAD && machine_emits(e, TRACES_LEVEL_FIRINGS))
        e->told.items[e->fired].b = when;
    if (!machine_emits(e, TRACES_LEVEL_ALL))
        return;
    for (size_t i = e->fired; i < e->told.count; i++) {
        struct traces_event *event = &e->told.items[i];
        const enum traces_event_kind kind = event->kind;
        if (kind == TRACES_EVENT_SENT || kind == TRACES_EVENT_SENT_DEAD ||
            kind == TRACES_EVENT_WOKEN)
            event->a = when;
    }
}

void machine_emit_moved(struct machine *m, enum traces_event_kind kind, uint32_t pe,
                        uint32_t to, uint64_t when, const struct isa_token *t)
{
    if (!machine_emits(m->watch.events, TRACES_LEVEL_ALL))
        return;
    struct traces_event *event = machine_emit_token(m, kind, pe, t);
    event->to = to;
    event->a = when;
}

void machine_emit_batch(struct machine *m, uint32_t bank, uint32_t unit,
                        const struct isa_token *first, uint64_t kernels, uint64_t until)
{
    if (!machine_emits(m->watch.events, TRACES_LEVEL_FIRINGS))
        return;
    struct traces_event *event = machine_emit(m, TRACES_EVENT_BATCH);
    event->pe = bank;
    event->to = unit;
    event->instr = isa_code_node(m->code, isa_token_instr(first));
    event->a = kernels;
    event->b = until;
}

void machine_emit_move(struct machine *m, uint32_t memory, bool back, uint64_t bytes,
                       uint64_t until)
{
    if (!machine_emits(m->watch.events, TRACES_LEVEL_ALL))
        return;
    struct traces_event *event = machine_emit(m, TRACES_EVENT_MOVE);
    event->pe = memory;
    event->to = back;
    event->a = bytes;
    event->b = until;
}

/* --- the beginning and the end of a stream ---------------------------------------------------- */

struct present {
    uint32_t depth;
    isa_tag tag;
};

struct all_present {
    LIB_VEC(struct present) found;
};

static void find(isa_tag tag, struct isa_activation *activation, void *context)
{
    struct all_present *all = context;
    *LIB_VEC_PUSH(&all->found) = (struct present){activation->depth, tag};
}

static int compare(const void *a, const void *b)
{
    const struct present *x = a, *y = b;
    return LIB_ORDER(x->depth, y->depth) ?: LIB_ORDER(x->tag, y->tag);
}

/* Emits events for live activations, parents before their children, and for arrays. */
static void tell_present(struct machine *m)
{
    struct all_present all = {0};
    isa_activations_each(&m->tokens.exec.tags, find, &all);
    qsort(all.found.items, all.found.count, sizeof *all.found.items, compare);
    for (size_t i = 0; i < all.found.count; i++)
        tell_activation(m, TRACES_EVENT_PRESENT, all.found.items[i].tag);
    LIB_VEC_FREE(&all.found);
    for (size_t i = 0; i < m->tokens.exec.structures.all.count; i++) {
        const struct isa_structure *s = &m->tokens.exec.structures.all.items[i];
        if (!s->is_alive ||
            isa_structures_is_fieldless(&m->tokens.exec.structures, (uint32_t)i))
            continue;
        struct traces_event *event = machine_emit(m, TRACES_EVENT_ARRAY_PRESENT);
        event->a = s->length;
        event->b = i;
    }
}

void machine_emit_queue_entered(struct machine *m, enum traces_place place,
                                uint32_t number, const struct machine_queue *queue)
{
    for (uint32_t i = queue->head; i != queue->tail; i++)
        machine_emit_entered(m, place, number, &queue->tokens[i & queue->mask]);
}

static void tell_queued(struct machine *m)
{
    const struct machine_executor *e = m->executor;
    for (uint32_t i = 0; i < m->pe_count; i++)
        if (e)
            machine_emit_queue_entered(m, TRACES_PLACE_OWN, i, &e->workers[i].own);
        else
            machine_emit_queue_entered(m, TRACES_PLACE_INPUT, i, &m->tokens.pes[i].input);
    for (uint32_t k = 0; e && k < e->machine_count; k++)
        machine_emit_queue_entered(m, TRACES_PLACE_READY, k, &e->ready[k]);
    machine_network_tell_queued(m);
}

static enum traces_level greatest_level(const struct machine_events *e)
{
    enum traces_level level = TRACES_LEVEL_SUMMARY;
    for (size_t i = 0; i < e->sink_count; i++)
        level = e->sinks[i].level > level ? e->sinks[i].level : level;
    return level;
}

void machine_listen(struct machine *m, const struct traces_event_sink *sinks,
                    size_t count)
{
    machine_listen_from(m, m->run.cycle, sinks, count);
}

static void start_events(struct machine *m, const struct traces_event_sink *sinks,
                         size_t count)
{
    assert(!m->watch.events);
    struct machine_events *e = lib_mem_new(sizeof *e);
    e->sinks = lib_mem_new(count * sizeof *sinks);
    memcpy(e->sinks, sinks, count * sizeof *sinks);
    e->sink_count = count;
    e->level = greatest_level(e);
    e->instr = TRACES_NONE;
    e->watcher = (struct isa_watcher){.context = m,
                                      .made = tell_made,
                                      .copied = tell_copied,
                                      .uncopied = tell_uncopied,
                                      .gone = tell_gone,
                                      .array_made = tell_array,
                                      .array_gone = tell_array_gone};
    m->watch.events = e;
    m->tokens.exec.tags.is_watched = true;
    m->tokens.exec.tags.watcher = m->tokens.exec.structures.watcher = &e->watcher;
    if (m->run.execute == machine_plain_execute)
        m->run.execute = machine_plain_traced_execute;
    else if (m->run.execute == machine_general_execute)
        m->run.execute = machine_general_execute_traced;
    machine_emit(m, 0); /* MACHINE_EVENTS_NONE */
}

void machine_listen_from(struct machine *m, uint64_t cycle,
                         const struct traces_event_sink *sinks, size_t count)
{
    if (count == 0)
        return;
    start_events(m, sinks, count);
    tell_present(m);
    m->watch.tells_queues = machine_emits(m->watch.events, TRACES_LEVEL_QUEUES);
    tell_queued(m);
    for (size_t i = 1; i < m->watch.events->told.count; i++)
        m->watch.events->told.items[i].cycle = cycle;
}

void machine_listen_on(struct machine *m, const struct traces_event_sink *sinks,
                       size_t count)
{
    if (count == 0)
        return;
    start_events(m, sinks, count);
    m->watch.tells_queues = machine_emits(m->watch.events, TRACES_LEVEL_QUEUES);
}

void machine_emit_token_values(struct machine *m)
{
    if (m->watch.events)
        m->watch.events->has_values = true;
}

/* Returns the rank of the OUTPUT, STORE or ROW that wrote the result last; 0: none, or the host. */
static uint64_t number_of_write(const struct machine *m)
{
    const uint64_t number = machine_result_written(m).number;
    return number == MACHINE_WRITTEN_BY_HOST ? 0 : number;
}

void machine_events_end(struct machine *m)
{
    struct traces_event *event = machine_emit(m, TRACES_EVENT_END);
    event->how = (uint8_t)(m->run.running ? ISA_END_INTERRUPTED : m->run.end);
    event->a = machine_time(m);
    event->b = m->run.running ? 0 : number_of_write(m);
    event->instr = TRACES_NONE;
    if (event->how == ISA_END_TRAPPED && m->tokens.exec.trap != ISA_TRAP_NONE) {
        event->instr = isa_code_node(m->code, m->tokens.exec.trap_instr);
        event->tag = m->tokens.exec.trap_tag;
    }
    machine_events_flush(m);
}

void machine_events_free(struct machine *m)
{
    struct machine_events *e = m->watch.events;
    if (!e)
        return;
    LIB_VEC_FREE(&e->told, &e->part);
    LIB_MEM_FREE(e->sinks, e);
}

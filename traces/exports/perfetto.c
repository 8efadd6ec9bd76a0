/* Trace of Perfetto: packets of track events, with the numbers of its schema
 * (protos/perfetto/trace/ of google/perfetto, Apache-2.0).
 *
 * A cycle is a nanosecond. A PE is a process with a track per line; another process has a track for
 * the activations of each function. Packets need not be sorted by time, so a firing is written with
 * its end once all tokens that it sends are known. */
#include "traces/exports/exports_internal.h"
#include "traces/exports/protobuf.h"

enum { HOW_COMPLETED = 0 }; /* `how` of the event END: ISA_END_COMPLETED */

enum { TRACE_PACKET = 1 };

enum {
    PACKET_TIMESTAMP = 8,
    PACKET_SEQUENCE = 10,
    PACKET_TRACK_EVENT = 11,
    PACKET_INTERNED = 12,
    PACKET_FLAGS = 13,
    PACKET_DESCRIPTOR = 60,
};

enum { FLAG_CLEARED = 1, FLAG_NEEDS = 2, SEQUENCE = 1 };

enum {
    EVENT_CATEGORY = 3,
    EVENT_ANNOTATION = 4,
    EVENT_TYPE = 9,
    EVENT_NAME = 10,
    EVENT_TRACK = 11,
    EVENT_COUNTER = 30,
    EVENT_FLOW = 47,
    EVENT_LAST_FLOW = 48,
};

enum { TYPE_BEGIN = 1, TYPE_END = 2, TYPE_COUNTER = 4 };

enum { INTERNED_CATEGORIES = 1, INTERNED_NAMES = 2, INTERNED_ANNOTATIONS = 3 };

enum { ENTRY_NUMBER = 1, ENTRY_NAME = 2 };

enum { ANNOTATION_NAME = 1, ANNOTATION_NUMBER = 3 };

enum {
    TRACK_ID = 1,
    TRACK_NAME = 2,
    TRACK_PROCESS = 3,
    TRACK_PARENT = 5,
    TRACK_COUNTER = 8,
    TRACK_RANK = 12,
    TRACK_ORDER = 19,
};

enum { ORDER_EXPLICIT = 1 };

enum { PROCESS_ID = 1, PROCESS_NAME = 6 };

/* Interned names, numbered from 1 for each kind. */
static const char *const categories[] = {"fires", "hiaton", "match", "activation",
                                         "lock"};
static const char *const annotations[] = {"serial", "depth", "iteration"};

enum category { FIRES = 1, HIATON, MATCH, ACTIVATION, LOCK };

enum annotation { SERIAL = 1, DEPTH, ITERATION };

/* Kinds of groups of lines: three of PEs, then functions. A line's id is its track. */
enum group { GROUP_FIRES, GROUP_MATCHES, GROUP_LOCKS, GROUP_FUNCTIONS };

struct queue {
    uint64_t id; /* track; 0: none yet */
    uint64_t count;
};

/* Firing that is not written yet. */
struct firing {
    bool is_there, is_dead;
    uint64_t from, to, track, serial, depth;
    uint32_t node;
    LIB_VEC(uint64_t) sent, taken; /* arrows */
};

struct perfetto {
    uint64_t *places; /* tracks */
    bool *is_named;   /* nodes, then functions */
    uint64_t counters[EXPORT_COUNTER_COUNT];
    uint64_t last_id, machine; /* tracks */
    uint64_t root;             /* line of the top level, plus 1; 0: not drawn, or ended */
    uint64_t completed;        /* cycles of the run if it completed, else 0 */
    struct firing firing;
    LIB_VEC(struct queue) queues[TRACES_PLACE_COUNT];
    struct lib_text packet, event, part, entry; /* messages under construction */
};

/* --- packets ---------------------------------------------------------------------------------- */

static void put_packet(struct traces_exporter *x, uint64_t flags)
{
    struct perfetto *p = x->own;
    protobuf_number(&p->packet, PACKET_SEQUENCE, SEQUENCE);
    protobuf_number(&p->packet, PACKET_FLAGS, flags);
    protobuf_message(&x->text, TRACE_PACKET, &p->packet);
    lib_text_clear(&p->packet);
}

/* Adds a track below `parent`, with its number if it is a process. */
static uint64_t put_track(struct traces_exporter *x, const char *name, uint64_t parent,
                          uint64_t process, bool is_counter)
{
    struct perfetto *p = x->own;
    const uint64_t id = ++p->last_id;
    lib_text_clear(&p->part);
    protobuf_number(&p->part, TRACK_ID, id);
    if (parent)
        protobuf_number(&p->part, TRACK_PARENT, parent);
    lib_text_clear(&p->entry);
    if (process) {
        protobuf_number(&p->entry, PROCESS_ID, process);
        protobuf_string(&p->entry, PROCESS_NAME, name);
        protobuf_message(&p->part, TRACK_PROCESS, &p->entry);
        protobuf_number(&p->part, TRACK_RANK, process);
    } else {
        protobuf_string(&p->part, TRACK_NAME, name);
    }
    if (is_counter)
        protobuf_message(&p->part, TRACK_COUNTER, &p->entry);
    protobuf_message(&p->packet, PACKET_DESCRIPTOR, &p->part);
    put_packet(x, FLAG_NEEDS);
    return id;
}

/* Keeps the order of processes, which the viewer would sort. */
static void put_order(struct traces_exporter *x)
{
    struct perfetto *p = x->own;
    lib_text_clear(&p->part);
    protobuf_number(&p->part, TRACK_ID, 0);
    protobuf_number(&p->part, TRACK_ORDER, ORDER_EXPLICIT);
    protobuf_message(&p->packet, PACKET_DESCRIPTOR, &p->part);
    put_packet(x, FLAG_NEEDS);
}

static void put_entry(struct perfetto *p, uint32_t kind, uint64_t number,
                      const char *name)
{
    lib_text_clear(&p->entry);
    protobuf_number(&p->entry, ENTRY_NUMBER, number);
    protobuf_string(&p->entry, ENTRY_NAME, name);
    protobuf_message(&p->part, kind, &p->entry);
}

static void begin_event(struct traces_exporter *x, unsigned type, uint64_t track)
{
    struct perfetto *p = x->own;
    lib_text_clear(&p->event);
    protobuf_number(&p->event, EVENT_TYPE, type);
    protobuf_number(&p->event, EVENT_TRACK, track);
}

static void put_event(struct traces_exporter *x, uint64_t cycle)
{
    struct perfetto *p = x->own;
    protobuf_number(&p->packet, PACKET_TIMESTAMP, cycle);
    protobuf_message(&p->packet, PACKET_TRACK_EVENT, &p->event);
    put_packet(x, FLAG_NEEDS);
}

static void add_annotation(struct perfetto *p, enum annotation name, uint64_t value)
{
    lib_text_clear(&p->entry);
    protobuf_number(&p->entry, ANNOTATION_NAME, name);
    protobuf_number(&p->entry, ANNOTATION_NUMBER, value);
    protobuf_message(&p->event, EVENT_ANNOTATION, &p->entry);
}

/* Names the event after a node or, with larger numbers, a function. The first use interns the
 * name. */
static void name_event(struct traces_exporter *x, uint32_t number, enum category category)
{
    struct perfetto *p = x->own;
    const struct isa_graph *graph = x->request->graph;
    protobuf_number(&p->event, EVENT_NAME, (uint64_t)number + 1);
    protobuf_number(&p->event, EVENT_CATEGORY, category);
    if (p->is_named[number])
        return;
    LIB_TEXT_OWN name = {0};
    p->is_named[number] = true;
    if (number < graph->node_count)
        export_add_node(graph, number, &name);
    else
        export_add_function(graph, number - graph->node_count, &name);
    lib_text_clear(&p->part);
    put_entry(p, INTERNED_NAMES, (uint64_t)number + 1, lib_text_get(&name));
    protobuf_message(&p->packet, PACKET_INTERNED, &p->part);
}

static void put_end(struct traces_exporter *x, uint64_t track, uint64_t cycle)
{
    begin_event(x, TYPE_END, track);
    put_event(x, cycle);
}

static void put_count(struct traces_exporter *x, uint64_t track, int64_t value)
{
    struct perfetto *p = x->own;
    begin_event(x, TYPE_COUNTER, track);
    protobuf_number(&p->event, EVENT_COUNTER, (uint64_t)value);
    put_event(x, x->now);
}

static uint64_t track_of(const struct traces_exporter *x, uint32_t line)
{
    return x->timeline.lines.items[line].id;
}

/* Takes a free line in the group of a PE or function `index`. */
static uint32_t take_line(struct traces_exporter *x, enum group group, uint32_t index)
{
    return export_line_take(x, group * x->request->place_count + index);
}

/* --- firings ---------------------------------------------------------------------------------- */

static void put_firing(struct traces_exporter *x)
{
    struct perfetto *p = x->own;
    struct firing *f = &p->firing;
    if (!f->is_there)
        return;
    begin_event(x, TYPE_BEGIN, f->track);
    name_event(x, f->node, f->is_dead ? HIATON : FIRES);
    add_annotation(p, SERIAL, f->serial);
    if (!f->is_dead)
        add_annotation(p, DEPTH, f->depth);
    for (size_t i = 0; i < f->sent.count; i++)
        protobuf_fixed(&p->event, EVENT_FLOW, f->sent.items[i]);
    for (size_t i = 0; i < f->taken.count; i++)
        protobuf_fixed(&p->event, EVENT_LAST_FLOW, f->taken.items[i]);
    put_event(x, f->from);
    put_end(x, f->track, f->to);
    f->sent.count = f->taken.count = 0;
    f->is_there = false;
}

/* Writes the last firing, before a track for the next one is added. */
static uint64_t add_line(struct traces_exporter *x, uint32_t group, uint32_t lane)
{
    static const char *const names[] = {"fires", "match", "lock"};
    const struct perfetto *p = x->own;
    const uint32_t places = x->request->place_count;
    (void)lane;
    if (group < places)
        put_firing(x);
    if (group < GROUP_FUNCTIONS * places)
        return put_track(x, names[group / places], p->places[group % places], 0, false);
    LIB_TEXT_OWN name = {0};
    export_add_function(x->request->graph, group - GROUP_FUNCTIONS * places, &name);
    return put_track(x, lib_text_get(&name), p->machine, 0, false);
}

/* Ends the bar on line mark - 1 and frees the line. */
static void end_slice(struct traces_exporter *x, uint64_t mark, uint64_t cycle)
{
    put_end(x, track_of(x, (uint32_t)(mark - 1)), cycle);
    export_line_give(x, (uint32_t)(mark - 1));
}

static void end_matches(struct traces_exporter *x)
{
    for (size_t i = 0; i < x->scene.consumed.count; i++)
        if (x->scene.consumed.items[i].mark)
            end_slice(x, x->scene.consumed.items[i].mark, x->now);
}

static uint64_t take_firing(struct traces_exporter *x, uint32_t line,
                            const struct traces_event *e)
{
    struct perfetto *p = x->own;
    struct firing *f = &p->firing;
    const struct traces_live_tag *tag = traces_live_tags_find(&x->scene.tags, e->tag);
    put_firing(x);
    f->is_there = true;
    f->is_dead = e->kind == TRACES_EVENT_DEAD;
    f->from = e->cycle;
    f->to = e->b;
    f->track = track_of(x, line);
    f->serial = tag ? traces_live_tags_more(&x->scene.tags, tag)->serial : 0;
    f->depth = e->a;
    f->node = e->instr;
    end_matches(x);
    return 0;
}

static void receive_token(struct traces_exporter *x, uint32_t line,
                          const struct export_token *token)
{
    struct perfetto *p = x->own;
    (void)line;
    *LIB_VEC_PUSH(&p->firing.taken) = token->number;
}

static void send_token(struct traces_exporter *x, const struct traces_event *e)
{
    struct perfetto *p = x->own;
    (void)e;
    if (x->scene.just_sent->is_drawn && p->firing.is_there)
        *LIB_VEC_PUSH(&p->firing.sent) = x->scene.just_sent->number;
}

static void take_match(struct traces_exporter *x, const struct traces_event *e)
{
    const uint32_t line = take_line(x, GROUP_MATCHES, e->pe);
    x->scene.waits->mark = (uint64_t)line + 1;
    begin_event(x, TYPE_BEGIN, track_of(x, line));
    name_event(x, e->instr, MATCH);
    put_event(x, e->cycle);
}

/* --- all else ----------------------------------------------------------------------- */

static void begin_activation(struct traces_exporter *x, const struct traces_event *e)
{
    struct perfetto *p = x->own;
    struct traces_live_tag *tag = traces_live_tags_find(&x->scene.tags, e->tag);
    const struct isa_graph *graph = x->request->graph;
    if (!tag)
        return;
    const uint32_t function = traces_live_tags_function(&x->scene.tags, tag);
    const struct traces_live_tag_more *more = traces_live_tags_more(&x->scene.tags, tag);
    const uint32_t line = take_line(x, GROUP_FUNCTIONS, function);
    tag->mark = line + 1;
    p->root = tag->parent == TRACES_NONE ? line + 1 : p->root;
    begin_event(x, TYPE_BEGIN, track_of(x, line));
    name_event(x, graph->node_count + function, ACTIVATION);
    add_annotation(p, SERIAL, more->serial);
    add_annotation(p, DEPTH, tag->depth);
    add_annotation(p, ITERATION, more->iteration);
    put_event(x, e->cycle);
}

static void end_activation(struct traces_exporter *x, const struct traces_event *e)
{
    const struct traces_live_tag *tag = traces_live_tags_find(&x->scene.tags, e->tag);
    struct perfetto *p = x->own;
    if (tag && tag->mark)
        end_slice(x, tag->mark, e->cycle);
    if (tag && tag->parent == TRACES_NONE)
        p->root = 0;
}

/* Ends the activation of the top level if the run completed; no event ends it. */
static void end_root(struct traces_exporter *x)
{
    const struct perfetto *p = x->own;
    if (!p->root || !p->completed || x->now + 1 < p->completed)
        return;
    x->now = x->now > p->completed ? x->now : p->completed;
    end_slice(x, p->root, x->now);
    put_count(x, p->counters[EXPORT_ACTIVATIONS], --x->scene.counts[EXPORT_ACTIVATIONS]);
}

static void take_queue(struct traces_exporter *x, const struct traces_event *e)
{
    struct perfetto *p = x->own;
    const bool is_input = e->how == TRACES_PLACE_INPUT && e->to < x->request->place_count;
    while (p->queues[e->how].count <= e->to)
        *LIB_VEC_PUSH(&p->queues[e->how]) = (struct queue){0};
    struct queue *queue = &p->queues[e->how].items[e->to];
    if (!queue->id) {
        LIB_TEXT_OWN name = {0};
        lib_text_puts(&name, traces_place_table[e->how].text);
        if (!is_input)
            lib_text_printf(&name, " %u", e->to);
        queue->id = put_track(x, name.bytes, is_input ? p->places[e->to] : p->machine, 0,
                              true);
    }
    if (e->kind == TRACES_EVENT_ENTERED)
        queue->count++;
    else if (queue->count > 0)
        queue->count--;
    put_count(x, queue->id, (int64_t)queue->count);
}

static void take_lock(struct traces_exporter *x, const struct traces_event *e)
{
    struct perfetto *p = x->own;
    const uint32_t line = take_line(x, GROUP_LOCKS, e->pe);
    begin_event(x, TYPE_BEGIN, track_of(x, line));
    protobuf_number(&p->event, EVENT_CATEGORY, LOCK);
    put_event(x, e->a);
    put_end(x, track_of(x, line), e->b);
    export_when(x, e->b, EXPORT_ENDS, line, 0);
}

static void take_other(struct traces_exporter *x, const struct traces_event *e)
{
    switch (e->kind) {
    case TRACES_EVENT_PRESENT:
    case TRACES_EVENT_CALL:
    case TRACES_EVENT_ITERATION:
    case TRACES_EVENT_GATHER:
        begin_activation(x, e);
        break;
    case TRACES_EVENT_GONE:
        end_activation(x, e);
        break;
    case TRACES_EVENT_END:
        ((struct perfetto *)x->own)->completed = e->how == HOW_COMPLETED ? e->a : 0;
        break;
    case TRACES_EVENT_ENTERED:
    case TRACES_EVENT_LEFT:
        take_queue(x, e);
        break;
    case TRACES_EVENT_LOCK:
        take_lock(x, e);
        break;
    default:
        if (x->scene.waits)
            take_match(x, e);
    }
}

static void leave_out(struct traces_exporter *x, const struct traces_event *event)
{
    (void)event;
    end_matches(x);
}

static void put_counters(struct traces_exporter *x)
{
    const struct perfetto *p = x->own;
    for (size_t i = 0; i < EXPORT_COUNTER_COUNT; i++)
        if (x->scene.changed[i])
            put_count(x, p->counters[i], x->scene.counts[i]);
}

static bool perfetto_start(struct traces_exporter *x)
{
    struct perfetto *p = x->own;
    const struct isa_graph *graph = x->request->graph;
    LIB_TEXT_OWN name = {0};
    p->places = lib_mem_new(x->request->place_count * sizeof *p->places);
    export_timeline_start(x, (size_t)GROUP_FUNCTIONS * x->request->place_count +
                                 graph->function_count);
    p->is_named = lib_mem_new((size_t)graph->node_count + graph->function_count);
    for (size_t i = 0; i < sizeof categories / sizeof *categories; i++)
        put_entry(p, INTERNED_CATEGORIES, i + 1, categories[i]);
    for (size_t i = 0; i < sizeof annotations / sizeof *annotations; i++)
        put_entry(p, INTERNED_ANNOTATIONS, i + 1, annotations[i]);
    protobuf_message(&p->packet, PACKET_INTERNED, &p->part);
    put_packet(x, FLAG_CLEARED | FLAG_NEEDS);
    put_order(x);
    p->machine = put_track(x, "machine", 0, 1, false);
    for (size_t i = 0; i < EXPORT_COUNTER_COUNT; i++)
        p->counters[i] = put_track(x, export_counter_names[i], p->machine, 0, true);
    for (uint32_t i = 0; i < x->request->place_count; i++) {
        lib_text_clear(&name);
        export_add_place(x, i, &name);
        p->places[i] = put_track(x, lib_text_get(&name), 0, (uint64_t)i + 2, false);
    }
    return true;
}

static bool perfetto_finish(struct traces_exporter *x)
{
    put_firing(x);
    end_root(x);
    return true;
}

static void free_perfetto(struct traces_exporter *x)
{
    struct perfetto *p = x->own;
    for (size_t i = 0; i < TRACES_PLACE_COUNT; i++)
        LIB_VEC_FREE(&p->queues[i]);
    LIB_VEC_FREE(&p->firing.sent, &p->firing.taken);
    LIB_TEXT_FREE(&p->packet, &p->event, &p->part, &p->entry);
    LIB_MEM_FREE(p->places, p->is_named);
}

const struct export_writer export_perfetto = {
    .format = {"perfetto", true, NULL},
    .writes = EXPORT_TEXT,
    .own_size = sizeof(struct perfetto),
    .start = perfetto_start,
    .take = take_other,
    .add_line = add_line,
    .begin = take_firing,
    .send = send_token,
    .receive = receive_token,
    .leave_out = leave_out,
    .advance = put_counters,
    .finish = perfetto_finish,
    .free = free_perfetto,
};

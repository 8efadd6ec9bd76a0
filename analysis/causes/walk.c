#include "analysis/causes/causes_internal.h"

#include <assert.h>

const struct analysis_cause_row analysis_cause_table[ANALYSIS_CAUSE_COUNT] = {
#define CAUSE(NAME, key, help) {key, help},
#include "analysis/causes/causes.def"
};

/* Snapshots ("places") and the nodes of an interval are in unnamed files; a few of both stay in
 * memory. More snapshots mean fewer nodes; the sum is least if both take equally many bytes. So if
 * snapshots take more, every second one is dropped. */
enum {
    INTERVAL = 1 << 16, /* tokens between two snapshots, at first */
    MAX_PLACES = 1024,
    LEAST_PLACES = 4,
    MAX_BYTES = 8 << 20, /* of snapshots, always allowed */
    NODE_BLOCKS = 64,    /* in memory: 16 MB */
};

/* A snapshot. Node `first` is the first after it. */
struct place {
    uint32_t name; /* number for the source */
    uint64_t first;
    uint64_t writes; /* number of writes of the result before the snapshot */
    size_t bytes;
    struct lib_stash state;
};

struct walk {
    struct analysis_causes *c;
    const struct analysis_causes_source *source;
    const struct analysis_causes_walker *walker;
    LIB_VEC(struct place) places;
    size_t at; /* the interval after this place is in memory */
    uint64_t interval;
    size_t most_places, bytes;
    uint32_t named;
    bool failed, is_lost; /* a snapshot or node cannot be read again */
};

struct analysis_causes *analysis_causes_new(const struct traces_machine *machine,
                                            const struct isa_graph *graph)
{
    struct analysis_causes *c = lib_mem_new(sizeof *c);
    c->machine = *machine;
    c->network = traces_machine_network(machine, false);
    c->graph = graph;
    lib_paged_start(&c->nodes, sizeof(struct causes_node), NODE_BLOCKS);
    causes_start(c);
    return c;
}

void analysis_causes_free(struct analysis_causes *c)
{
    if (!c)
        return;
    causes_release(c);
    lib_paged_free(&c->nodes);
    traces_network_free(c->network);
    lib_mem_free(c);
}

struct traces_event_sink analysis_causes_sink(struct analysis_causes *c)
{
    return (struct traces_event_sink){TRACES_LEVEL_QUEUES, causes_take, c};
}

const struct traces_event *analysis_causes_invalid(const struct analysis_causes *c)
{
    return &c->odd;
}

/* --- forwards ----------------------------------------------------------------------- */

static void drop(struct walk *w, struct place *place)
{
    w->source->drop(w->source->context, place->name);
    w->bytes -= place->bytes;
    lib_stash_free(&place->state);
}

static void thin_out(struct walk *w)
{
    size_t kept = 0;
    for (size_t i = 0; i < w->places.count; i++)
        if (i % 2)
            drop(w, &w->places.items[i]);
        else
            w->places.items[kept++] = w->places.items[i];
    w->places.count = kept;
    w->interval *= 2;
}

static void keep_place(struct walk *w)
{
    struct analysis_causes *c = w->c;
    const bool is_start = w->places.count == 0;
    struct place place = {
        .name = w->named++, .first = is_start ? 0 : c->f.next, .writes = c->f.writes};
    lib_stash_start(&place.state);
    struct lib_pack pack = lib_pack_stash_writer(&place.state);
    causes_pack(&pack, c);
    lib_stash_end(&place.state);
    place.bytes = w->source->keep(w->source->context, place.name) +
                  lib_stash_length(&place.state);
    w->bytes += place.bytes;
    *LIB_VEC_PUSH(&w->places) = place;
    if (is_start)
        return;
    lib_paged_clear(&c->nodes);
    c->first = c->most = c->f.next; /* the first reading keeps only the first interval */
}

/* Whether snapshots take more bytes than the nodes of an interval. */
static bool is_much(const struct walk *w)
{
    const size_t count = w->places.count;
    const uint64_t nodes = w->c->f.next - w->places.items[count - 1].first;
    return count > w->most_places || (count > LEAST_PLACES && w->bytes > MAX_BYTES &&
                                      w->bytes > nodes * sizeof(struct causes_node));
}

static bool read_forwards(struct walk *w)
{
    struct analysis_causes *c = w->c;
    keep_place(w);
    while (!c->has_ended && !c->is_odd) {
        if (!w->source->go_on(w->source->context, w->interval))
            return false;
        if (c->has_ended || c->is_odd)
            break;
        const bool thins = is_much(w);
        keep_place(w);
        if (thins)
            thin_out(w);
    }
    w->at = w->places.count - 1;
    if (w->at > 0) /* the last interval is not in memory */
        lib_paged_clear(&w->c->nodes);
    return true;
}

/* --- backwards ---------------------------------------------------------------------- */

static bool restore(struct walk *w, struct place *place)
{
    struct analysis_causes *c = w->c;
    struct lib_pack pack = lib_pack_stash_reader(&place->state);
    lib_paged_clear(&c->nodes);
    causes_release(c);
    c->is_odd = c->has_ended = false;
    c->first = place->first;
    if (place->first == 0)
        causes_start(c);
    else
        causes_pack(&pack, c);
    w->is_lost |= pack.failed;
    return !pack.failed;
}

/* Repeats the events of the interval that contains a node. */
static bool read_again(struct walk *w, uint64_t node)
{
    struct analysis_causes *c = w->c;
    while (w->places.items[w->at].first > node)
        w->at--;
    struct place *place = &w->places.items[w->at];
    if (!w->source->go_back(w->source->context, place->name) || !restore(w, place))
        return false;
    const bool is_last = w->at + 1 == w->places.count;
    c->most = is_last ? CAUSES_NOTHING : place[1].first;
    while (c->f.next < c->most && !c->has_ended && !c->is_odd)
        if (!w->source->go_on(w->source->context, w->interval))
            return false;
    return (is_last ? c->has_ended : c->f.next >= c->most) && !c->is_odd;
}

/* Repeats the interval in which the last write of the result fired; END has the number of this
 * write. */
static bool find_result(struct walk *w)
{
    struct analysis_causes *c = w->c;
    const uint64_t number = c->end.b;
    if (number == 0)
        return true;
    while (w->places.items[w->at].writes >= number)
        w->at--;
    c->wish.which = number;
    return read_again(w, w->places.items[w->at].first);
}

/* Returns a copy, as the next interval overwrites the node. */
static struct causes_node node_of(struct walk *w, uint64_t number)
{
    const struct causes_node *node = causes_node_at(w->c, number);
    if (!node && !w->failed) {
        w->failed = !read_again(w, number);
        node = w->failed ? NULL : causes_node_at(w->c, number);
    }
    w->is_lost |= w->c->nodes.error != 0;
    w->failed |= !node || w->is_lost;
    return node ? *node : (struct causes_node){.before = CAUSES_NOTHING};
}

static void emit_link(const struct walk *w, const struct causes_node *node)
{
    const struct analysis_link link = {
        .kind = node->kind,
        .fires = node->fires,
        .is_dead = node->is_dead,
        .cycle = node->time,
        .instr = node->instr,
        .port = node->port,
        .tag = node->tag,
        .pe = node->pe,
        .place = node->kind == ANALYSIS_LINK_PORT ? node->port_number : TRACES_NONE};
    if (w->walker->link)
        w->walker->link(w->walker->context, &link);
}

static bool is_flow(const struct causes_node *node)
{
    return node->way == CAUSES_BY_SENT || node->way == CAUSES_BY_ANSWER ||
           node->way == CAUSES_BY_HELD;
}

static void walk_back(struct walk *w, struct causes_node node,
                      struct analysis_causes_run *run)
{
    struct causes_node before, lock;
    uint64_t number = CAUSES_NOTHING;
    run->links = 1;
    emit_link(w, &node);
    while (node.before != CAUSES_NOTHING && !w->failed) {
        before = node_of(w, node.before);
        const bool has_lock = w->c->machine.has_workers && is_flow(&node) &&
                              before.lock != CAUSES_NOTHING;
        const uint64_t next = has_lock ? before.lock : node.before;
        if (has_lock)
            lock = node_of(w, before.lock);
        assert(next < number); /* the chain leads to the start */
        w->failed |= next >= number;
        number = next;
        if (w->failed)
            return;
        run->firings += is_flow(&node) && before.fires;
        causes_between(w->c, &node, &before, has_lock ? &lock : NULL, w->walker);
        node = has_lock ? lock : before;
        run->links++;
        emit_link(w, &node);
    }
}

/* Sets `end` to the end of the run, or of the chosen firing. Returns false if there is none. */
static bool end_of(const struct analysis_causes *c, enum analysis_causes_from from,
                   struct causes_node *end)
{
    *end = (struct causes_node){.time = c->end.a,
                                .before = c->f.formed_by,
                                .lock = CAUSES_NOTHING,
                                .instr = TRACES_NONE,
                                .tag = TRACES_NONE,
                                .pe = TRACES_NONE,
                                .port = TRACES_NONE,
                                .kind = ANALYSIS_LINK_END,
                                .way = CAUSES_BY_SENT};
    if (from != ANALYSIS_CAUSES_FROM_END) {
        end->time = c->f.wished;
        end->before = c->f.wished_by;
        return c->f.wished_by != CAUSES_NOTHING;
    }
    if (c->f.formed_by == CAUSES_NOTHING || c->f.formed != c->end.a) {
        end->way = CAUSES_BY_RESOURCE;
        end->cause = c->machine.has_probe       ? ANALYSIS_CAUSE_TERMINATION
                     : c->f.fed == c->end.a + 1 ? ANALYSIS_CAUSE_HOST
                                                : ANALYSIS_CAUSE_CUT;
        end->before = c->f.last.node;
    }
    return true;
}

enum analysis_causes_done analysis_causes_run(struct analysis_causes *c,
                                              const struct analysis_causes_source *source,
                                              const struct analysis_causes_wish *wish,
                                              const struct analysis_causes_walker *walker,
                                              struct analysis_causes_run *run)
{
    struct walk w = {.c = c,
                     .source = source,
                     .walker = walker,
                     .interval = wish->interval ? wish->interval : INTERVAL,
                     .most_places = wish->most_places ? wish->most_places : MAX_PLACES};
    enum analysis_causes_done done = ANALYSIS_CAUSES_DONE;
    struct causes_node end;
    *run = (struct analysis_causes_run){0};
    c->wish = *wish;
    if (wish->node_blocks)
        c->nodes.frames = wish->node_blocks;
    if (wish->from == ANALYSIS_CAUSES_FROM_STATE)
        traces_live_tags_start(&c->live, c->graph, true);
    if (!read_forwards(&w))
        done = ANALYSIS_CAUSES_STOPPED;
    else if (c->is_odd)
        done = ANALYSIS_CAUSES_ODD;
    run->places = w.places.count;
    run->end = c->end;
    if (done == ANALYSIS_CAUSES_DONE && wish->from == ANALYSIS_CAUSES_FROM_RESULT &&
        !find_result(&w))
        done = c->is_odd ? ANALYSIS_CAUSES_ODD : ANALYSIS_CAUSES_STOPPED;
    if (done == ANALYSIS_CAUSES_DONE && wish->from != ANALYSIS_CAUSES_FROM_STATE &&
        !end_of(c, wish->from, &end))
        done = ANALYSIS_CAUSES_NO_RESULT;
    if (done == ANALYSIS_CAUSES_DONE && wish->from != ANALYSIS_CAUSES_FROM_STATE) {
        run->cycles = end.time;
        walk_back(&w, end, run);
        if (w.failed)
            done = c->is_odd ? ANALYSIS_CAUSES_ODD : ANALYSIS_CAUSES_STOPPED;
    }
    if (done == ANALYSIS_CAUSES_STOPPED && w.is_lost)
        done = ANALYSIS_CAUSES_LOST;
    for (size_t i = 0; i < w.places.count; i++)
        drop(&w, &w.places.items[i]);
    LIB_VEC_FREE(&w.places);
    return done;
}

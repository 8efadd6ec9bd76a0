#include "tests/unit/recount.h"

#include "isa/op_columns.h"
#include "isa/parts.h"
#include "traces/outcome.h"

#include "isa/exec/exec.h"

#include <inttypes.h>
#include <stdio.h>

static void wrong(struct recount *r, const struct traces_event *event, const char *what)
{
    struct lib_text text = {0};
    if (*r->wrong)
        return;
    if (event)
        traces_event_write(event, &text);
    snprintf(r->wrong, sizeof r->wrong, "event %" PRIu64 ", cycle %" PRIu64 ": %s: %s",
             r->events, r->now, lib_text_get(&text), what);
    lib_text_free(&text);
}

#define MUST(condition, what)                                                            \
    do {                                                                                 \
        if (!(condition))                                                                \
            wrong(r, event, what);                                                       \
    } while (0)

void recount_start(struct recount *r, const struct isa_graph *graph,
                   const struct machine_settings *s)
{
    *r = (struct recount){.graph = graph,
                          .workers = s->executor_workers > 0,
                          .coordinated = s->copy_placement == MACHINE_COPY_COORDINATED,
                          .portless = UINT64_MAX,
                          .places = 1024,
                          .end = -1};
    if (s->network_topology == MACHINE_NETWORK_SIMGRID)
        r->portless = 2 * s->pe_count;
    traces_live_tags_start(&r->tags, graph, true);
    r->tokens = lib_mem_new(r->places * sizeof *r->tokens);
    r->stats.pe_count = r->workers ? s->executor_workers : s->pe_count;
    r->stats.pe = lib_mem_new(r->stats.pe_count * sizeof *r->stats.pe);
}

enum { PLACES = 32768 };

void recount_queues(struct recount *r)
{
    r->has_queues = true;
    for (int place = 0; place < TRACES_PLACE_COUNT; place++)
        r->queued[place] = lib_mem_new(PLACES * sizeof *r->queued[place]);
}

void recount_free(struct recount *r)
{
    for (int place = 0; place < TRACES_PLACE_COUNT; place++)
        lib_mem_free(r->queued[place]);
    traces_live_tags_free(&r->tags);
    traces_stats_free(&r->stats);
    lib_mem_free(r->tokens);
}

/* --- tokens -------------------------------------------------------------------------------- */

enum { NOBODY = TRACES_HOLDER_COUNT };

static struct recount_token *find_token(const struct recount *r, uint64_t key,
                                        uint32_t tag, uint32_t holder)
{
    size_t at = lib_hash_mix(key ^ lib_hash_mix((uint64_t)tag << 8 | holder));
    for (;; at++) {
        struct recount_token *t = &r->tokens[at & (r->places - 1)];
        if (t->key == 0 || (t->key == key && t->tag == tag && t->holder == holder))
            return t;
    }
}

static uint64_t key_of(const struct traces_event *event)
{
    return (uint64_t)event->instr << 20 | (event->port & 0xffff) << 1 | 1;
}

static void grow(struct recount *r)
{
    struct recount_token *old = r->tokens;
    const size_t places = r->places;
    r->places *= 2;
    r->used = 0;
    r->tokens = lib_mem_new(r->places * sizeof *r->tokens);
    for (size_t i = 0; i < places; i++)
        if (old[i].count) {
            *find_token(r, old[i].key, old[i].tag, old[i].holder) = old[i];
            r->used++;
        }
    lib_mem_free(old);
}

static void put_token(struct recount *r, const struct traces_event *event,
                      uint32_t holder, uint32_t pe, uint64_t formed)
{
    if (2 * r->used > r->places)
        grow(r);
    struct recount_token *t = find_token(r, key_of(event), event->tag, holder);
    r->used += t->key == 0;
    if (t->count && t->formed < formed) /* MERGEIF gets two under `propagate` */
        formed = t->formed;
    *t = (struct recount_token){key_of(event), event->tag, holder,
                                t->count + 1,  pe,         formed};
}

static void take_token(struct recount *r, const struct traces_event *event,
                       uint32_t holder)
{
    struct recount_token *t = find_token(r, key_of(event), event->tag, holder);
    MUST(t->count > 0, "no such token is there");
    if (t->count == 0)
        return;
    t->count--;
    MUST(t->formed <= event->cycle, "it is not formed yet");
    MUST(r->workers || t->pe == event->pe, "it is elsewhere");
}

static uint32_t holder_after(enum traces_outcome how)
{
    switch (how) {
    case TRACES_OUTCOME_BOUNDED:
        return TRACES_HOLDER_BOUND;
    case TRACES_OUTCOME_QUEUED:
        return TRACES_HOLDER_MANAGER;
    case TRACES_OUTCOME_UNNUMBERED:
    case TRACES_OUTCOME_JOINS:
        return TRACES_HOLDER_NUMBER;
    case TRACES_OUTCOME_UNCOPIED:
        return TRACES_HOLDER_COPY;
    case TRACES_OUTCOME_ASKING:
        return TRACES_HOLDER_COORDINATOR;
    case TRACES_OUTCOME_BATCHED:
        return TRACES_HOLDER_UNIT;
    case TRACES_OUTCOME_UNISSUED:
        return TRACES_HOLDER_ISSUE;
    case TRACES_OUTCOME_UNROOMED:
        return TRACES_HOLDER_MEMORY;
    case TRACES_OUTCOME_READY:
        return TRACES_HOLDER_QUEUE;
    default:
        return NOBODY;
    }
}

static void count_carried(struct recount *r, const struct traces_event *event);

/* An access that goes to its element, or an APPLY that the coordinator knows of. What starts is
 * no token. */
static void count_request(struct recount *r, const struct traces_event *event)
{
    const bool applies = r->graph->nodes[event->instr].op == ISA_OP_APPLY;
    struct traces_pe_stats *pe = &r->stats.pe[event->pe];
    MUST(applies || event->pe != event->to, "what is here needs no request");
    *(event->pe == event->to ? &pe->local_tokens : &pe->network_tokens) += 1;
    *(event->pe == event->to ? &r->stats.local_tokens : &r->stats.network_tokens) += 1;
    *(applies ? &r->stats.copy_messages : &r->stats.element_requests) += 1;
    if (event->port != TRACES_NONE)
        put_token(r, event, TRACES_HOLDER_QUEUE, event->to, event->a);
}

static void count_step(struct recount *r, const struct traces_event *event)
{
    const bool taken = event->kind == TRACES_EVENT_TAKEN;
    const bool starts = event->from == TRACES_HOLDER_START;
    const bool is_token = event->port != TRACES_NONE;
    const enum traces_outcome how = event->how;
    struct traces_pe_stats *pe = event->pe < r->stats.pe_count ? &r->stats.pe[event->pe]
                                                               : NULL;
    MUST(taken == (event->from == TRACES_HOLDER_QUEUE || starts), "where it was");
    MUST(!taken || starts != is_token, "what starts has no token");
    MUST(how < TRACES_OUTCOME_COUNT, "what becomes of it");
    if (event->from == TRACES_HOLDER_EXCESS)
        r->stats.bound_excess++;
    if (event->from == TRACES_HOLDER_UNIT) {
        MUST(r->kernels > 0, "its batch has started");
        r->kernels--;
        r->stats.batched_kernels++;
        r->stats.batch_waits += event->cycle;
    }
    r->stats.batch_waits -= how == TRACES_OUTCOME_BATCHED ? event->cycle : 0;
    r->stats.unit_stall_cycles += event->from == TRACES_HOLDER_ISSUE ? event->cycle : 0;
    r->stats.unit_stall_cycles -= how == TRACES_OUTCOME_UNISSUED ? event->cycle : 0;
    if (!starts)
        take_token(r, event,
                   event->from == TRACES_HOLDER_EXCESS ? TRACES_HOLDER_BOUND
                                                       : event->from);
    if (holder_after(how) != NOBODY)
        put_token(r, event, holder_after(how), event->pe, event->cycle);
    r->stats.turns += taken && !r->workers;
    r->taken += taken;
    r->served += how == TRACES_OUTCOME_SERVES;
    r->stats.tag_stalls += how == TRACES_OUTCOME_UNNUMBERED ||
                           how == TRACES_OUTCOME_JOINS;
    r->stats.copy_stalls += how == TRACES_OUTCOME_UNCOPIED;
    r->stats.copy_requests += how == TRACES_OUTCOME_ASKING;
    r->stats.memory_stalls += how == TRACES_OUTCOME_UNROOMED;
    r->waiting += how == TRACES_OUTCOME_WAITS || how == TRACES_OUTCOME_PARKED ||
                  how == TRACES_OUTCOME_FETCHES;
    MUST(event->b <= r->waiting, "more waited than there are");
    r->waiting -= event->b;
    if (how == TRACES_OUTCOME_FIRES || how == TRACES_OUTCOME_MATCHES)
        r->live -= is_token + event->b;
    r->live -= how == TRACES_OUTCOME_ABSORBED || how == TRACES_OUTCOME_SERVES ||
               how == TRACES_OUTCOME_BRINGS || how == TRACES_OUTCOME_CARRIED ||
               how == TRACES_OUTCOME_RELEASES;
    if (traces_outcome_delivers(how)) {
        r->stats.tokens += is_token;
        r->stats.dead_tokens += event->a;
        if (pe)
            pe->tokens += is_token;
    }
    if (how == TRACES_OUTCOME_CARRIED)
        count_carried(r, event);
}

static void count_sent(struct recount *r, const struct traces_event *event)
{
    const bool local = event->pe == event->to || r->workers;
    r->live++;
    r->stats.local_tokens += local;
    r->stats.network_tokens += !local;
    put_token(r, event, TRACES_HOLDER_QUEUE, event->to, event->a);
    MUST(event->pe < r->stats.pe_count, "there is no such PE");
    if (event->pe >= r->stats.pe_count)
        return;
    r->stats.pe[event->pe].local_tokens += local;
    r->stats.pe[event->pe].network_tokens += !local;
}

/* --- firings and activations ----------------------------------------------------------------- */

/* Whether a PE is that of an activation for an instruction: of a partitioned graph each machine
 * has one, at the same place among its own. */
static bool is_at_home(const struct recount *r, const struct traces_live_tag *tag,
                       const struct traces_event *event)
{
    const uint32_t pe = traces_live_tags_more(&r->tags, tag)->pe;
    if (r->graph->machine_count == 0)
        return pe == event->pe;
    const uint32_t each = (uint32_t)r->stats.pe_count / r->graph->machine_count;
    return event->pe / each == r->graph->nodes[event->instr].machine &&
           event->pe % each == pe % each;
}

/* Whether a SEND or RECV is of a channel that only tag tracking takes from. */
static bool decides(const struct recount *r, const struct isa_node *n)
{
    for (uint32_t i = 0; i < r->graph->node_count; i++)
        if (isa_op_receives(r->graph->nodes[i].op) &&
            r->graph->nodes[i].index == n->index)
            return isa_parts_decides(r->graph, i);
    return false;
}

/* A SEND or RECV has passed a token on, or a machine has followed a tag. */
static void count_carried(struct recount *r, const struct traces_event *event)
{
    const struct traces_live_tag *tag = traces_live_tags_find(&r->tags, event->tag);
    const struct isa_node *n = &r->graph->nodes[event->instr];
    MUST(isa_op_divides(n->op), "it is neither a SEND nor a RECV, and tracks no tags");
    MUST(event->pe < r->stats.pe_count, "there is no such PE");
    if (!tag || event->pe >= r->stats.pe_count)
        return;
    MUST(is_at_home(r, tag, event), "it is elsewhere than its activation is");
    const bool tracks = isa_op_tracks(n->op), of_tags = tracks || decides(r, n);
    const bool sends = n->op == ISA_OP_SEND, dead = event->a > 0;
    r->stats.tag_steps += tracks;
    r->stats.tag_sends += of_tags && !tracks && sends;
    r->stats.tag_receives += of_tags && !tracks && !sends;
    r->stats.sends += !of_tags && sends && !dead;
    r->stats.dead_sends += !of_tags && sends && dead;
    r->stats.receives += !of_tags && !sends && !dead;
    r->stats.dead_receives += !of_tags && !sends && dead;
    r->stats.pe[event->pe].busy++;
    r->stats.busy_cycles++;
}

static void count_firing(struct recount *r, const struct traces_event *event)
{
    const struct traces_live_tag *tag = traces_live_tags_find(&r->tags, event->tag);
    const enum isa_op op = r->graph->nodes[event->instr].op;
    const bool live = event->kind == TRACES_EVENT_FIRED;
    MUST(event->pe < r->stats.pe_count, "there is no such PE");
    if (!tag || event->pe >= r->stats.pe_count)
        return;
    MUST(r->workers || isa_op_accesses_element(op) ||
             (r->coordinated && op == ISA_OP_APPLY) || is_at_home(r, tag, event),
         "it fires elsewhere than its activation is");
    struct traces_pe_stats *pe = &r->stats.pe[event->pe];
    const uint64_t busy = r->workers ? event->b - event->cycle : 1;
    pe->firings += live;
    pe->dead_firings += !live;
    pe->busy += busy;
    r->stats.busy_cycles += busy;
    r->stats.firings += live;
    r->stats.dead_firings += !live;
    r->stats.span = live && event->a > r->stats.span ? event->a : r->stats.span;
    if (live) {
        const uint64_t key = lib_hash_mix(UINT64_C(0xd1b54a32d192ed03) *
                                          (event->instr + 1));
        const uint64_t word = event->cycle << 16 | event->pe;
        const uint64_t path = traces_live_tags_more(&r->tags, tag)->path;
        r->stats.timing_digest += lib_hash_fold(path ^ key,
                                                word ^ UINT64_C(0xa0761d6478bd642f));
    }
}

static void count_made(struct recount *r, const struct traces_event *event)
{
    const struct traces_live_tag *tag = traces_live_tags_find(&r->tags, event->tag);
    MUST(r->workers || event->kind == TRACES_EVENT_GATHER ||
             traces_live_tags_more(&r->tags, tag)->pe != TRACES_NONE,
         "it has no PE");
    r->stats.peak_tag_depth = tag->depth > r->stats.peak_tag_depth
                                  ? tag->depth
                                  : r->stats.peak_tag_depth;
    r->stats.calls += event->kind == TRACES_EVENT_CALL;
    r->stats.loop_iterations += event->kind == TRACES_EVENT_ITERATION && event->a > 0;
}

static void count_copy(struct recount *r, const struct traces_event *event)
{
    r->stats.calls++;
    r->stats.copies++;
    r->stats.copied_nodes += event->a;
    r->copied += event->a;
}

static void count_array(struct recount *r, const struct traces_event *event)
{
    const bool made = event->kind == TRACES_EVENT_ARRAY;
    r->structures += made ? 1 : UINT64_MAX;
    r->elements += made ? event->a : -event->a;
}

/* Its kernels are let go next. */
static void count_batch(struct recount *r, const struct traces_event *event)
{
    MUST(r->kernels == 0 && event->a > 0, "all kernels of a batch go on");
    MUST(event->b > event->cycle, "the unit is free at once");
    r->kernels = event->a;
    r->stats.tensor_batches++;
    r->stats.tensor_unit_busy += event->b - event->cycle;
}

/* --- cycles --------------------------------------------------------------------------- */

static void observe_peaks(struct recount *r)
{
    struct traces_stats *s = &r->stats;
#define PEAK(field, value) s->field = (value) > s->field ? (value) : s->field
    PEAK(peak_waiting, r->waiting);
    PEAK(peak_live_tokens, r->live);
    PEAK(peak_tags, r->tags.count);
    PEAK(peak_structures, r->structures);
    PEAK(peak_elements, r->elements);
#undef PEAK
}

static void count_queue(struct recount *r, const struct traces_event *event)
{
    MUST(event->how < TRACES_PLACE_COUNT && event->to < PLACES, "no such place");
    if (*r->wrong)
        return;
    uint64_t *queued = &r->queued[event->how][event->to];
    const bool is_input = event->how == TRACES_PLACE_INPUT;
    if (event->kind == TRACES_EVENT_ENTERED) {
        ++*queued;
        if (is_input && *queued > r->stats.pe[event->to].peak_queue)
            r->stats.pe[event->to].peak_queue = *queued;
        return;
    }
    MUST(*queued > 0, "nothing is there");
    --*queued;
    const bool is_link = event->how == TRACES_PLACE_LINK ||
                         event->how == TRACES_PLACE_BUFFER;
    r->left += !is_link && event->how != TRACES_PLACE_FAULT;
    MUST(!is_link || event->a > event->cycle || event->to >= r->portless,
         "the port is free at once");
}

/* What an event names is there. */
static void check_names(struct recount *r, const struct traces_event *event)
{
    const struct traces_event_field *f = traces_event_table[event->kind].fields;
    if (event->kind == TRACES_EVENT_END)
        return;
    for (; f->text; f++) {
        const uint64_t value = traces_event_get(event, f);
        if (f->meaning == TRACES_MEANS_TAG && value != TRACES_NONE)
            MUST(traces_live_tags_find(&r->tags, (uint32_t)value), "no such activation");
        if (f->meaning == TRACES_MEANS_INSTR)
            MUST(value < r->graph->node_count, "no such node");
    }
}

static void add_to_digest(struct recount *r, const struct traces_event *event)
{
    const struct traces_event_field *f = traces_event_table[event->kind].fields;
    r->digest = lib_hash_mix(r->digest + event->kind) + event->cycle;
    for (; f->text; f++)
        r->digest = lib_hash_mix(r->digest + traces_event_get(event, f));
}

static void count(struct recount *r, const struct traces_event *event)
{
    switch (event->kind) {
    case TRACES_EVENT_PRESENT:
    case TRACES_EVENT_CALL:
    case TRACES_EVENT_ITERATION:
    case TRACES_EVENT_GATHER:
        count_made(r, event);
        break;
    case TRACES_EVENT_COPY:
        count_copy(r, event);
        break;
    case TRACES_EVENT_UNCOPY:
        r->copied -= event->a;
        break;
    case TRACES_EVENT_ARRAY:
    case TRACES_EVENT_ARRAY_GONE:
        count_array(r, event);
        break;
    case TRACES_EVENT_FIRED:
    case TRACES_EVENT_DEAD:
        count_firing(r, event);
        break;
    case TRACES_EVENT_BUSY:
        r->stats.pe[event->pe].busy += event->b - event->cycle;
        r->stats.busy_cycles += event->b - event->cycle;
        break;
    case TRACES_EVENT_SENT:
    case TRACES_EVENT_SENT_DEAD:
        count_sent(r, event);
        break;
    case TRACES_EVENT_REQUEST:
        count_request(r, event);
        break;
    case TRACES_EVENT_RELEASE:
        count_sent(r, event);
        break;
    case TRACES_EVENT_FETCH:
        count_sent(r, event);
        r->fetched++;
        r->stats.tensor_fetches = r->fetched - r->served;
        break;
    case TRACES_EVENT_WOKEN:
        r->waiting--;
        put_token(r, event, TRACES_HOLDER_QUEUE, event->pe, event->a);
        break;
    case TRACES_EVENT_TAKEN:
    case TRACES_EVENT_RELEASED:
        count_step(r, event);
        break;
    case TRACES_EVENT_ENTERED:
    case TRACES_EVENT_LEFT:
        count_queue(r, event);
        break;
    case TRACES_EVENT_PASSES:
        MUST(event->how == TRACES_PLACE_LINK && event->a > event->cycle,
             "a link is passed");
        break;
    case TRACES_EVENT_BATCH:
        count_batch(r, event);
        break;
    case TRACES_EVENT_MOVE:
        MUST(event->b >= event->cycle && event->to <= 1, "a tensor moves out or back");
        *(event->to ? &r->stats.swap_in_bytes : &r->stats.swap_out_bytes) += event->a;
        break;
    case TRACES_EVENT_FAULT:
        r->stats.faults++;
        MUST(event->pe != event->to, "a message is for another node");
        break;
    case TRACES_EVENT_NODE:
        r->stats.probes += event->how == TRACES_OUTCOME_PROBES;
        MUST(event->b > event->cycle, "until later");
        break;
    case TRACES_EVENT_LOCK:
        MUST(event->cycle <= event->a && event->a < event->b, "the lock");
        r->stats.lock_stalls += event->a - event->cycle;
        break;
    case TRACES_EVENT_STALLED:
        r->stats.bound_stalls++;
        break;
    case TRACES_EVENT_SPILLED:
        r->stats.tag_stalls++;
        break;
    case TRACES_EVENT_DEFERRED:
        r->stats.deferred_fetches += isa_op_accesses_element(
            r->graph->nodes[event->instr].op);
        break;
    case TRACES_EVENT_END:
        observe_peaks(r);
        r->stats.cycles = event->a;
        r->end = event->how;
        break;
    default:
        break;
    }
}

void recount_take(void *context, const struct traces_event *events, size_t n)
{
    struct recount *r = context;
    for (size_t i = 0; i < n; i++) {
        const struct traces_event *event = &events[i];
        MUST(event->cycle >= r->now, "time goes back");
        MUST(r->end < 0, "something comes after the end");
        if (event->cycle > r->now) {
            observe_peaks(r);
            r->stats.waiting_cycles += r->waiting * (event->cycle - r->now);
            r->now = event->cycle;
        }
        const bool ends = event->kind == TRACES_EVENT_GONE;
        if (!ends)
            MUST(traces_live_tags_note(&r->tags, event), "it cannot be made or placed");
        check_names(r, event);
        if (!*r->wrong)
            count(r, event);
        if (ends) {
            const struct traces_live_tag *gone = traces_live_tags_find(&r->tags,
                                                                       event->tag);
            MUST(gone && traces_live_tags_find(&r->tags, gone->parent),
                 "it outlives its parent, or is the root");
            MUST(traces_live_tags_note(&r->tags, event), "it is not alive");
        }
        add_to_digest(r, event);
        r->events++;
    }
}

/* --- the statistics ------------------------------------------------------------------- */

static void compare(struct recount *r, const char *what, uint64_t counted, uint64_t said)
{
    if (counted != said && !*r->wrong)
        snprintf(r->wrong, sizeof r->wrong,
                 "%s: %" PRIu64 " in the stream, %" PRIu64 " in the statistics", what,
                 counted, said);
}

void recount_compare(struct recount *r, const struct traces_stats *said)
{
    const struct traces_stats *s = &r->stats;
    if (r->end < 0)
        wrong(r, NULL, "the stream has no end");
    if (r->end == ISA_END_COMPLETED && (r->tags.count > 1 || r->live || r->waiting))
        wrong(r, NULL, "something is left");
    if (r->has_queues && r->end == ISA_END_COMPLETED && !r->workers)
        compare(r, "tokens taken from queues", r->left, r->taken);
    for (int place = 0; r->has_queues && place < TRACES_PLACE_COUNT; place++)
        for (size_t i = 0; r->end == ISA_END_COMPLETED && i < PLACES; i++)
            if (r->queued[place][i] != 0)
                wrong(r, NULL, "something is left in a queue");
#define SAME(key) compare(r, #key, s->key, said->key)
    SAME(timing_digest), SAME(cycles), SAME(firings), SAME(dead_firings), SAME(span);
    SAME(calls), SAME(loop_iterations), SAME(tokens), SAME(dead_tokens);
    SAME(local_tokens), SAME(network_tokens), SAME(peak_waiting), SAME(waiting_cycles);
    SAME(peak_live_tokens), SAME(peak_tags), SAME(peak_tag_depth);
    SAME(peak_structures), SAME(peak_elements), SAME(deferred_fetches);
    SAME(element_requests), SAME(copy_requests), SAME(copy_messages), SAME(tag_stalls),
        SAME(bound_stalls), SAME(bound_excess);
    SAME(tensor_batches), SAME(batched_kernels), SAME(tensor_unit_busy);
    if (r->end == ISA_END_COMPLETED) /* else some have not waited to the end */
        SAME(batch_waits), SAME(unit_stall_cycles);
    SAME(copy_stalls), SAME(copies), SAME(copied_nodes), SAME(turns), SAME(busy_cycles);
    SAME(faults);
    SAME(sends), SAME(dead_sends), SAME(receives), SAME(dead_receives);
    SAME(tag_sends), SAME(tag_receives), SAME(tag_steps);
#undef SAME
    if (r->has_queues)
        compare(r, "probes", s->probes, said->probes);
    if (r->has_queues)
        compare(r, "lock_stalls", s->lock_stalls, said->lock_stalls);
    for (size_t i = 0; i < said->pe_count; i++) {
        if (r->has_queues && !r->workers && r->end == ISA_END_COMPLETED)
            compare(r, "peak_queue", s->pe[i].peak_queue, said->pe[i].peak_queue);
#define SAME(key) compare(r, "of a PE, " #key, s->pe[i].key, said->pe[i].key)
        SAME(firings), SAME(dead_firings), SAME(tokens), SAME(local_tokens);
        SAME(network_tokens), SAME(busy);
#undef SAME
    }
}

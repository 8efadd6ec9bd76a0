/* "The executor": workers instead of PEs, a queue of ready tokens, a lock. */
#include "tests/oracle/state.h"

#include <string.h>

struct worker {
    bool occupied;
    uint64_t end;       /* of the current firing */
    struct tokens sent; /* sent at `end` */
    struct tokens own;  /* ready, for this worker only */
    uint64_t last;      /* activation of the last firing */
};

/* The executor of a machine, and its link to the others. */
struct site {
    struct tokens queue;
    uint64_t lock_free, link_free;
};

struct executor {
    struct oracle *o;
    struct worker *workers;
    struct site *sites;
    unsigned count; /* machines; 1 of a program that is not divided */
    /* Tokens between machines, in the order in which they went to their links: `later` is the time
     * when each comes. */
    struct tokens travelling;
};

/* --- "Executors of a divided program" ------------------------------------------------- */

static unsigned machine_of(const struct oracle *o, unsigned w)
{
    const unsigned machines = o->graph->machine_count;
    return machines ? w / (unsigned)(o->s->pe_count / machines) : 0;
}

static unsigned machine_of_instr(const struct oracle *o, const struct instr *instr)
{
    return o->graph->machine_count ? instr->node->machine : 0;
}

bool oracle_executor_leaves(const struct oracle *o, const struct token *t)
{
    return machine_of_instr(o, t->instr) != machine_of(o, o->sender);
}

static uint64_t latency_of(const struct oracle *o)
{
    const uint64_t cycle = o->s->scale ? o->s->scale : 1;
    return o->s->network_latency > cycle ? o->s->network_latency : cycle;
}

static void travel(struct executor *x, unsigned w, const struct token *t)
{
    struct oracle *o = x->o;
    struct site *from = &x->sites[machine_of(o, w)];
    const uint64_t bandwidth = o->s->network_bandwidth;
    const uint64_t cycle = o->s->scale ? o->s->scale : 1;
    const uint64_t occupied = cycle *
                              (bandwidth ? (t->bits + bandwidth - 1) / bandwidth : 1);
    const uint64_t leaves = from->link_free > o->now && !oracle_wrong(o, LINKS)
                                ? from->link_free
                                : o->now;
    struct token sent = *t;
    sent.later = leaves + latency_of(o) + occupied - cycle;
    from->link_free = leaves + occupied;
    oracle_put(&x->travelling, &sent);
}

/* Returns the token that comes first; NONE: nothing is on its way. */
static size_t first_to_come(const struct executor *x)
{
    size_t first = NONE;
    for (size_t i = 0; i < x->travelling.count; i++)
        if (first == NONE ||
            x->travelling.items[i].later < x->travelling.items[first].later)
            first = i;
    return first;
}

/* An access to an array that another machine made: its request, before it fires. */
void oracle_executor_requests(struct oracle *o, unsigned w, const struct token *t,
                              const struct token *address)
{
    struct token request = *t;
    request.request = true;
    const struct array *a = address->value.array; /* NULL: data without fields, at PE 0 */
    o->requested = machine_of(o, a ? a->pe : 0) != machine_of(o, w);
    if (!o->requested)
        return;
    request.bytes = oracle_bytes(o, &request);
    o->requested_bytes = request.bytes;
    o->requested_bits = oracle_bits(o, &request);
}

static uint64_t round_trip(struct oracle *o, unsigned w)
{
    struct oracle_stats *stats = &o->outcome->stats;
    if (!o->requested)
        return 0;
    stats->element_requests++;
    stats->network_tokens++;
    stats->hops++;
    o->pes[w].stats.network_tokens++;
    stats->network_bits += o->requested_bits;
    stats->tensor_network_bytes += o->requested_bytes;
    return (oracle_wrong(o, TRIP) ? 1 : 2) * latency_of(o);
}

/* --- "Nodes" ------------------------------------------------------------------------ */

static bool is_constant(const struct isa_operand *p)
{
    return p->kind == ISA_OPERAND_LITERAL || p->kind == ISA_OPERAND_INPUT;
}

static uint64_t own_nodes(const struct isa_node *node)
{
    uint64_t nodes = 1;
    if (node->op == ISA_OP_JOIN)
        nodes = 0;
    else if (node->op == ISA_OP_MERGE)
        nodes = 2;
    else if (node->op == ISA_OP_SWITCH || node->op == ISA_OP_TRACK_SWITCH)
        return (node->outputs[0].count > 0) + (node->outputs[1].count > 0);
    if (node->op != ISA_OP_CONST)
        for (uint32_t p = 0; p < node->operand_count; p++)
            nodes += is_constant(&node->operands[p]);
    return nodes;
}

static bool is_predicate(const struct oracle *o, const struct isa_node *node,
                         uint32_t list)
{
    if (list >= node->output_count)
        return false;
    const struct isa_dests *dests = &node->outputs[list];
    for (uint32_t i = 0; i < dests->count; i++) {
        const struct isa_dest to = dests->items[i];
        if (to.node != ISA_TO_RETURN && to.port == 1 &&
            (o->graph->nodes[to.node].op == ISA_OP_SWITCH ||
             o->graph->nodes[to.node].op == ISA_OP_TRACK_SWITCH))
            return true;
    }
    return false;
}

static uint64_t all_nodes(const struct oracle *o, const struct isa_node *node)
{
    uint64_t nodes = own_nodes(node);
    if (node->op == ISA_OP_RESULT)
        return 1;
    for (uint32_t l = 0; l < node->output_count; l++)
        nodes += is_predicate(o, node, l) ? 4 - oracle_wrong(o, PREDICATE) : 0;
    return nodes;
}

static uint64_t lowered_copy(const struct oracle *o, uint32_t function)
{
    uint64_t nodes = 0;
    for (uint32_t n = 0; n < o->graph->node_count; n++)
        if (o->graph->nodes[n].function == function)
            nodes += all_nodes(o, &o->graph->nodes[n]);
    for (uint32_t s = 0; s < o->graph->site_count; s++)
        if (o->graph->sites[s].caller == function && oracle_loop_of(o, s))
            nodes += lowered_copy(o, o->graph->sites[s].callee);
    return nodes;
}

struct nodes {
    uint64_t live, dead;
};

static struct nodes switch_nodes(const struct oracle *o, const struct isa_node *node,
                                 uint32_t taken)
{
    const uint64_t yes = is_predicate(o, node, taken), no = is_predicate(o, node, !taken);
    if (is_constant(&node->operands[0])) {
        const uint64_t live = (node->outputs[taken].count > 0) + 3 * yes;
        return (struct nodes){live, all_nodes(o, node) - live};
    }
    return (struct nodes){own_nodes(node) + 3 * yes, yes + 4 * no};
}

/* Nodes of a firing; a RESULT has the list of its APPLY. */
static struct nodes nodes_of(const struct oracle *o, const struct fired *fired)
{
    const struct isa_node *node = fired->instr->node;
    uint64_t predicate = is_predicate(o, node, 0);
    if (node->op == ISA_OP_RESULT) {
        const struct instr *apply = oracle_find(o, ISA_OP_APPLY, fired->site, NONE);
        predicate = is_predicate(o, apply->node, node->index);
        if (fired->dead)
            return (struct nodes){0, 1 + 4 * predicate};
        return (struct nodes){1 + 3 * predicate, predicate};
    }
    if (fired->dead)
        return (struct nodes){0, all_nodes(o, node)};
    if (node->op == ISA_OP_SWITCH || node->op == ISA_OP_TRACK_SWITCH)
        return switch_nodes(o, node, fired->taken);
    if (node->op == ISA_OP_APPLY)
        return (struct nodes){own_nodes(node), 0};
    return (struct nodes){own_nodes(node) + 3 * predicate, predicate};
}

/* --- "The lock" --------------------------------------------------------------------- */

/* Returns how long a worker waits for the lock and has it. */
static uint64_t take_lock(struct executor *x, unsigned w, uint64_t uses, uint64_t time,
                          bool fires)
{
    struct oracle *o = x->o;
    uint64_t *lock_free =
        &x->sites[oracle_wrong(o, SHARED) ? 0 : machine_of(o, w)].lock_free;
    o->outcome->stats.lock_uses += uses;
    if (time == 0)
        return 0;
    uint64_t from = *lock_free > o->now ? *lock_free : o->now;
    const uint64_t awake = oracle_wrong(o, AWAKE) ? 0 : o->s->executor_sleep;
    if (from - o->now > awake && !oracle_wrong(o, HANDOFF))
        from += o->s->executor_handoff;
    o->outcome->stats.lock_stalls += from - o->now;
    *lock_free = from + time;
    oracle_why_lock(o, w, machine_of(o, w), from, *lock_free, fires);
    return *lock_free - o->now;
}

/* Uses of the lock by a firing, without an APPLY itself. */
static uint64_t uses_of(const struct oracle *o, const struct fired *fired)
{
    const struct isa_node *node = fired->instr->node;
    uint64_t uses = o->frames_made + o->frames_freed;
    const bool enters = node->op == ISA_OP_CALL || node->op == ISA_OP_ENTER ||
                        node->op == ISA_OP_TRACK_CALL || node->op == ISA_OP_TRACK_ENTER;
    const bool leaves = node->op == ISA_OP_RETURN || node->op == ISA_OP_EXIT;
    if (enters && !fired->dead)
        uses++;
    if (enters && fired->dead && o->s->executor_dead_frame)
        uses += node->index == 0 ? 3 : 1;
    if (leaves && !fired->skipped)
        uses += oracle_wrong(o, LOCK) ? 1 : 2;
    return uses;
}

/* --- a worker ----------------------------------------------------------------------- */

static uint64_t time_of(struct executor *x, unsigned w, const struct fired *fired)
{
    struct oracle *o = x->o;
    const struct oracle_settings *s = o->s;
    const struct oracle_settings *own = oracle_wrong(o, ALIKE) ? s : oracle_at(o, w);
    const struct isa_node *node = fired->instr->node;
    struct nodes n = nodes_of(o, fired);
    uint64_t uses = uses_of(o, fired), made = o->frames_made;
    uint64_t lock = uses * own->executor_lock, time = 0;
    if (!s->propagate)
        n.dead = 0;
    if (node->op == ISA_OP_APPLY && !fired->dead) {
        uses++;
        lock += s->executor_copy_lock;
        time += s->copy_latency + s->copy_node_latency *
                                      lowered_copy(o, o->graph->sites[node->site].callee);
    }
    made += s->executor_dead_frame && fired->dead && node->index == 0 &&
            (node->op == ISA_OP_CALL || node->op == ISA_OP_ENTER);
    o->outcome->stats.live_nodes += n.live;
    o->outcome->stats.dead_nodes += n.dead;
    time += o->kernel_time;
    time += made * own->executor_frame + n.dead * own->executor_dead;
    time += n.live * (own->executor_live + (fired->has_frame ? own->executor_tag : 0));
    if (s->scale)
        time = time * s->slot[node - o->graph->nodes] / s->scale;
    return time + take_lock(x, w, uses, lock, true);
}

static void occupy(struct executor *x, unsigned w, uint64_t time)
{
    struct oracle *o = x->o;
    x->workers[w].occupied = true;
    x->workers[w].end = o->now + time;
    o->pes[w].stats.busy += time;
    if (x->workers[w].end > o->outcome->stats.cycles)
        o->outcome->stats.cycles = x->workers[w].end;
}

static void begin_work(struct executor *x, unsigned w, const struct token *t)
{
    struct oracle *o = x->o;
    struct worker *worker = &x->workers[w];
    const uint64_t tag = t->tag->id;
    o->sending = &worker->sent;
    o->sender = w;
    o->fired = (struct fired){0};
    o->frames_made = o->frames_freed = 0;
    o->kernel_time = 0;
    o->requested = false;
    struct token mine = *t;
    oracle_why_worker(o, &mine, w);
    oracle_turn(o, w, mine);
    o->sending = NULL;
    if (!o->fired.instr || o->trapped)
        return;
    worker->last = tag;
    occupy(x, w, time_of(x, w, &o->fired) + round_trip(o, w));
    oracle_why_ends(o, w, worker->end);
    if (o->wrote)
        oracle_wrote(o, worker->end);
}

static void take_next(struct executor *x, unsigned w)
{
    struct worker *worker = &x->workers[w];
    struct tokens *queue = &x->sites[machine_of(x->o, w)].queue;
    worker->occupied = false;
    while (!worker->occupied && !x->o->ended) {
        struct token t;
        if (worker->own.count)
            t = oracle_take(&worker->own,
                            oracle_wrong(x->o, INLINE) ? worker->own.count - 1 : 0);
        else if (queue->count)
            t = oracle_take(queue, x->o->s->lifo ? queue->count - 1 : 0);
        else
            return;
        begin_work(x, w, &t);
    }
}

static void idle_take(struct executor *x)
{
    for (unsigned w = 0; w < x->o->s->pe_count; w++)
        if (!x->workers[w].occupied)
            take_next(x, w);
}

/* --- tokens that come --------------------------------------------------------------- */

/* Whether a token completes its operands; else it waits, is absorbed, parked or held. */
static bool is_ready(struct oracle *o, const struct token *t)
{
    const enum isa_op op = t->instr->node->op, made = oracle_made_as(t->instr);
    if (t->dead && op != made)
        return false; /* tag tracking */
    if (t->dead && (op == ISA_OP_NEXT || op == ISA_OP_HOLD ||
                    (op == ISA_OP_EXIT && !oracle_is_skipped(t))))
        return false;
    if (op == ISA_OP_MERGEIF && o->s->propagate)
        return oracle_mergeif_fires(o, t);
    if (op == ISA_OP_APPLY)
        return oracle_apply_is_last(t);
    if (t->instr->tokens == 2 && !oracle_is_skipped(t))
        return oracle_partner(t->tag, t->instr) != NULL;
    if (t->dead)
        return true;
    if (t->instr->held != NONE && !oracle_constant(o, t->instr, t->tag)->here)
        return false;
    return made != ISA_OP_NEXT || !oracle_next_would_wait(o, t);
}

static void put_queue(struct executor *x, const struct token *t)
{
    oracle_put(&x->sites[machine_of_instr(x->o, t->instr)].queue, t);
}

static void put_ready(struct executor *x, unsigned w, struct token *t)
{
    oracle_why_came(x->o, t);
    const bool own = x->o->s->executor_inline && t->tag->id == x->workers[w].last &&
                     machine_of_instr(x->o, t->instr) == machine_of(x->o, w);
    if (own)
        oracle_put(&x->workers[w].own, t);
    else
        put_queue(x, t);
}

/* A token that no worker brings: a feed, or the network. */
static void come_alone(struct executor *x, struct token *t, unsigned w)
{
    struct oracle *o = x->o;
    oracle_why_came(o, t);
    if (is_ready(o, t) && oracle_wrong(o, TAKERS)) {
        put_ready(x, w, t);
    } else if (is_ready(o, t)) {
        put_queue(x, t);
    } else {
        oracle_why_worker(o, t, w);
        oracle_turn(o, w, *t);
    }
}

static void come(struct executor *x, unsigned w)
{
    struct oracle *o = x->o;
    struct tokens *sent = &x->workers[w].sent;
    for (size_t i = 0; i < sent->count && !o->ended; i++) {
        struct token t = sent->items[i];
        if (machine_of_instr(o, t.instr) != machine_of(o, w)) {
            travel(x, w, &t);
            continue;
        }
        oracle_why_came(o, &t);
        if (is_ready(o, &t)) {
            put_ready(x, w, &t);
        } else {
            oracle_why_worker(o, &t, w);
            oracle_turn(o, w, t);
        }
    }
    sent->count = 0;
}

/* Makes NEXTs ready that were held and can continue; with `force` the first in any case. */
static void nexts_go_on(struct executor *x, unsigned w, bool force)
{
    struct oracle *o = x->o;
    struct tokens *nexts = &o->pes[0].nexts;
    for (size_t i = 0; i < nexts->count;) {
        if (!force && !oracle_next_can_go_on(o, &nexts->items[i])) {
            oracle_next_stalls(o, &nexts->items[i]);
            i++;
            continue;
        }
        struct token t = oracle_take(nexts, i);
        oracle_why_next(o, &t, w, force);
        oracle_why_step(o, &t);
        t.tag->nexts--;
        t.again = true;
        if (w == NONE)
            put_queue(x, &t);
        else
            put_ready(x, w, &t);
        force = false;
    }
}

/* --- "Its order of events" ---------------------------------------------------------- */

/* The worker that ends first; NONE: all are idle. */
static unsigned first_to_end(const struct executor *x)
{
    unsigned first = NONE;
    for (unsigned w = 0; w < x->o->s->pe_count; w++)
        if (x->workers[w].occupied &&
            (first == NONE || x->workers[w].end < x->workers[first].end))
            first = w;
    return first;
}

static void go_on_to(struct oracle *o, uint64_t time)
{
    if (time == o->now)
        return;
    oracle_measure(o);
    o->waiting_cycles += o->waiting * (time - o->now);
    o->now = time;
    oracle_check_limits(o);
}

static void end_work(struct executor *x, unsigned w)
{
    struct oracle *o = x->o;
    o->frames_made = o->frames_freed = 0;
    come(x, w);
    if (o->ended)
        return;
    nexts_go_on(x, w, false);
    const uint64_t lock = o->frames_freed * oracle_at(o, w)->executor_lock;
    const uint64_t time = take_lock(x, w, o->frames_freed, lock, false);
    if (time > 0)
        occupy(x, w, time);
    else
        take_next(x, w);
}

static void feed(struct executor *x, bool waits)
{
    struct oracle *o = x->o;
    struct tokens sent = {0};
    o->sending = &sent;
    oracle_take_feeds(o, waits);
    o->sending = NULL;
    for (size_t i = 0; i < sent.count && !o->ended; i++) {
        struct token t = sent.items[i];
        come_alone(x, &t, t.from);
    }
    LIB_VEC_FREE(&sent);
    if (!o->ended)
        nexts_go_on(x, NONE, false);
}

static void arrive(struct executor *x, size_t at)
{
    struct oracle *o = x->o;
    struct token t = oracle_take(&x->travelling, at);
    t.later = 0;
    o->sending = NULL;
    come_alone(x, &t,
               machine_of_instr(o, t.instr) *
                   (unsigned)(o->s->pe_count / o->graph->machine_count));
    if (!o->ended)
        nexts_go_on(x, NONE, false);
}

static void go_on_idle(struct executor *x)
{
    struct oracle *o = x->o;
    uint64_t next;
    bool waits;
    if (o->pes[0].nexts.count) {
        o->outcome->stats.bound_excess++;
        nexts_go_on(x, NONE, true);
        return;
    }
    oracle_end_quiet(o, &next, &waits);
    if (!o->ended)
        go_on_to(o, next);
    if (!o->ended)
        feed(x, waits);
}

static void simulate(struct executor *x)
{
    struct oracle *o = x->o;
    feed(x, false);
    idle_take(x);
    while (!o->ended) {
        const unsigned w = first_to_end(x);
        const size_t coming = first_to_come(x);
        const uint64_t ends = w == NONE ? UINT64_MAX : x->workers[w].end;
        const uint64_t comes = coming == NONE ? UINT64_MAX
                                              : x->travelling.items[coming].later;
        const uint64_t fed = oracle_next_feed(o);
        const bool quiet = w == NONE && coming == NONE;
        if (!quiet && fed <= ends && fed <= comes) {
            go_on_to(o, fed);
            if (!o->ended)
                feed(x, false);
        } else if (coming != NONE && comes <= ends - oracle_wrong(o, LATECOMERS)) {
            go_on_to(o, comes);
            if (!o->ended)
                arrive(x, coming);
        } else if (w != NONE) {
            go_on_to(o, x->workers[w].end);
            if (!o->ended)
                end_work(x, w);
        } else {
            go_on_idle(x);
        }
        if (!o->ended)
            idle_take(x);
    }
    if (o->outcome->end != ORACLE_WAITING)
        oracle_measure(o); /* no time passes from here */
}

void oracle_execute(struct oracle *o)
{
    struct executor x = {.o = o};
    x.workers = lib_mem_new(o->s->pe_count * sizeof *x.workers);
    for (unsigned w = 0; w < o->s->pe_count; w++)
        x.workers[w].last = UINT64_MAX;
    x.count = o->graph->machine_count ? o->graph->machine_count : 1;
    x.sites = lib_mem_new(x.count * sizeof *x.sites);
    for (unsigned m = 0; m < x.count; m++) {
        const uint64_t first = m * o->s->pe_count / x.count;
        x.sites[m].queue = o->pes[first + o->root->place].input;
        o->pes[first + o->root->place].input = (struct tokens){0};
    }
    simulate(&x);
    for (unsigned w = 0; w < o->s->pe_count; w++) {
        LIB_VEC_FREE(&x.workers[w].sent);
        LIB_VEC_FREE(&x.workers[w].own);
    }
    for (unsigned m = 0; m < x.count; m++)
        LIB_VEC_FREE(&x.sites[m].queue);
    LIB_VEC_FREE(&x.travelling);
    lib_mem_free(x.sites);
    lib_mem_free(x.workers);
}

/* "Settings of PEs, stages, units, stores, tags, networks and placement mean nothing
 * there." */
void oracle_executor_settings(struct oracle_settings *s, const struct isa_graph *graph)
{
    s->pe_count = s->executor_workers * (graph->machine_count ? graph->machine_count : 1);
    s->by_reference = 0;
    s->pe_units = 1;
    s->match_latency = s->fetch_latency = s->form_latency = 0;
    s->tensor_start = s->unit_latency[ISA_UNIT_TENSOR];
    memset(s->unit_latency, 0, sizeof s->unit_latency);
    s->queue_capacity = s->match_capacity = s->network_capacity = 0;
    s->tag_scheme = ORACLE_PATH;
    s->copy_workers = s->copy_capacity = s->nodes = 0;
    s->copy_placement = ORACLE_AT_CALLER;
    s->topology = ORACLE_IDEAL;
}

#include "analysis/causes/causes_internal.h"

#include "analysis/stream/host.h"
#include "isa/tag_path.h"
#include "traces/outcome.h"

struct causes_node *causes_edit(struct analysis_causes *c, uint64_t node)
{
    const uint64_t at = node - c->first;
    const bool is_there = node >= c->first && node < c->most && at < c->nodes.count;
    return is_there ? lib_paged_edit(&c->nodes, at) : NULL;
}

void causes_invalid_event(struct analysis_causes *c, const struct traces_event *e)
{
    if (!c->is_odd)
        c->odd = *e;
    c->is_odd = true;
}

static struct causes_last_event now(const struct analysis_causes *c)
{
    return (struct causes_last_event){c->f.step, c->f.now};
}

/* --- operands that wait ------------------------------------------------------------- */

static uint64_t key_of(const struct traces_event *e)
{
    return (uint64_t)e->instr << 32 | e->tag;
}

static void forget_waiting(struct analysis_causes *c, uint64_t cycle)
{
    if (c->waiting.count == 0 || c->waiting.items[0].cycle == cycle)
        return;
    for (size_t i = 0; i < c->waiting.count; i++)
        causes_map_remove(&c->waits, c->waiting.items[i].key);
    c->waiting.count = 0;
}

static struct causes_waiting *find_waiting(struct analysis_causes *c,
                                           const struct traces_event *e)
{
    forget_waiting(c, e->cycle);
    if (c->waiting.count == 0)
        return NULL;
    const struct causes_last_event at = causes_map_get(&c->waits, key_of(e));
    return at.node == CAUSES_NOTHING ? NULL : &c->waiting.items[at.node];
}

static void note_waiting(struct analysis_causes *c, const struct traces_event *e)
{
    struct causes_waiting *w = find_waiting(c, e);
    if (w && w->port <= e->port)
        return;
    if (!w) {
        causes_map_at(&c->waits, key_of(e))->node = c->waiting.count;
        w = LIB_VEC_PUSH(&c->waiting);
    }
    *w = (struct causes_waiting){key_of(e), e->cycle, c->f.step, e->port};
}

/* --- steps -------------------------------------------------------------------------- */

/* Moves the token of a step to where its outcome puts it, or removes it. */
static void go_where(struct analysis_causes *c, const struct traces_event *e,
                     struct causes_token *t)
{
    t->node = c->f.step;
    t->way = CAUSES_BY_STEP;
    t->pressed = 0;
    if (traces_outcome_holds(e->how)) {
        causes_tokens_move(&c->tokens, t, CAUSES_KEPT, e->how, e->cycle);
    } else if (e->how == TRACES_OUTCOME_READY) {
        t->to = e->pe;
        causes_tokens_move(&c->tokens, t, CAUSES_SENT, e->pe, e->cycle);
    } else {
        traces_live_tokens_remove(&c->tokens.all, t);
        if (e->how == TRACES_OUTCOME_WAITS)
            note_waiting(c, e);
    }
}

/* Notes that a step affects an activation. */
static void touch(struct analysis_causes *c, uint32_t tag)
{
    if (c->machine.has_bounds)
        *causes_map_at(&c->touched, tag) = now(c);
}

static void begin_step(struct analysis_causes *c, const struct traces_event *e,
                       uint64_t step)
{
    c->f.step = c->f.fired = step;
    c->f.now = e->cycle;
    c->f.instr = e->instr;
    c->f.tag = e->tag;
    c->f.pe = e->pe;
    c->f.port = e->port;
    c->f.is_turn = e->kind == TRACES_EVENT_TAKEN;
    c->f.ships = e->how == TRACES_OUTCOME_SHIPPED;
    c->f.way = CAUSES_BY_SENT;
    c->f.is_spilled = 0;
    c->f.fetches = e->how == TRACES_OUTCOME_BRINGS;
    c->f.carries = e->how == TRACES_OUTCOME_CARRIED;
    c->f.alone = e->how == TRACES_OUTCOME_FIRES;
    c->f.applied = CAUSES_NOTHING;
    touch(c, e->tag);
}

static struct causes_token *take_by_worker(struct analysis_causes *c,
                                           const struct traces_event *e)
{
    struct causes_token *t = causes_find_anywhere(c, e, CAUSES_SELECTED);
    if (!t)
        t = causes_find_sent(c, e, e->pe);
    if (!t || e->pe >= c->pes.count)
        return NULL;
    struct causes_node *node = causes_node_new(c, e, ANALYSIS_LINK_TURN);
    const struct causes_last_event worker = c->pes.items[e->pe].last;
    if (t->when < e->cycle && worker.node != CAUSES_NOTHING)
        causes_waited(node, worker.node, ANALYSIS_CAUSE_WORKER);
    else
        causes_came(node, t, ANALYSIS_CAUSE_WORKER);
    return t;
}

static struct causes_node *meet(struct analysis_causes *c, const struct traces_event *e);

/* A worker begins to pass a token on, which occupies it like a firing: until when says an event
 * BUSY. */
static void carry_by_worker(struct analysis_causes *c, const struct traces_event *e)
{
    struct causes_node *node = meet(c, e);
    c->pes.items[e->pe].instr = e->instr;
    causes_served(&c->pes.items[e->pe], e->cycle, c->f.fired);
    if (!node)
        return;
    node->fires = true;
    node->is_dead = e->a > 0;
}

static void take_token(struct analysis_causes *c, const struct traces_event *e)
{
    uint64_t step = c->f.next;
    struct causes_token *t = c->machine.has_workers
                                 ? take_by_worker(c, e)
                                 : causes_find(c, e, CAUSES_SELECTED, e->pe);
    if (!t) {
        causes_invalid_event(c, e);
        return;
    }
    if (!c->machine.has_workers)
        step = t->node;
    begin_step(c, e, step);
    go_where(c, e, t);
    if (c->machine.has_workers && c->f.carries)
        carry_by_worker(c, e);
}

static void release_token(struct analysis_causes *c, const struct traces_event *e)
{
    const struct causes_sought sought = {.where = CAUSES_KEPT,
                                         .any_place = true,
                                         .to = TRACES_NONE,
                                         .newest = e->from == TRACES_HOLDER_ISSUE &&
                                                   c->machine.is_issue_lifo};
    struct causes_token *t = causes_tokens_find(&c->tokens, e, &sought);
    const uint64_t number = c->f.next;
    if (!t) {
        causes_invalid_event(c, e);
        return;
    }
    const uint64_t kept = t->when;
    causes_released(c, e, t);
    begin_step(c, e, number);
    c->f.kept = kept;
    if (e->from == TRACES_HOLDER_COPY)
        c->f.applied = number;
    go_where(c, e, t);
}

/* --- firings ------------------------------------------------------------------------ */

/* Returns the node in which a firing meets its last operand: that of the lower port if both were
 * taken in this cycle. A firing on one token meets none. */
static struct causes_node *meet(struct analysis_causes *c, const struct traces_event *e)
{
    struct causes_waiting *w = c->f.alone ? NULL : find_waiting(c, e);
    struct causes_node *node = causes_edit(c, c->f.step);
    if (w && c->f.is_turn && w->port < c->f.port) {
        c->f.fired = c->f.next;
        node = causes_node_new(c, e, ANALYSIS_LINK_TURN);
        node->port = c->f.port;
        causes_waited(node, w->node, ANALYSIS_CAUSE_MATCHING);
    }
    if (w)
        causes_map_remove(&c->waits, key_of(e));
    return node;
}

static void note_formed(struct analysis_causes *c, const struct traces_event *e,
                        uint64_t node)
{
    const bool is_first = c->f.formed_by == CAUSES_NOTHING;
    if (!is_first &&
        (e->b < c->f.formed || (e->b == c->f.formed && e->pe >= c->f.formed_pe)))
        return;
    c->f.formed = e->b;
    c->f.formed_by = node;
    c->f.formed_pe = e->pe;
}

static bool is_write(const struct analysis_causes *c, const struct traces_event *e)
{
    const struct isa_node *node = &c->graph->nodes[e->instr];
    const bool delivers = node->op == ISA_OP_OUTPUT &&
                          node->index < isa_graph_result_parts(c->graph);
    return e->kind == TRACES_EVENT_FIRED &&
           (delivers || node->op == ISA_OP_STORE || node->op == ISA_OP_FILL ||
            node->op == ISA_OP_TOTAL || node->op == ISA_OP_ROW ||
            node->op == ISA_OP_GIVEN);
}

static bool is_wished(const struct analysis_causes *c, const struct traces_event *e)
{
    switch (c->wish.from) {
    case ANALYSIS_CAUSES_FROM_LINE:
        return c->graph->nodes[e->instr].pos.line == c->wish.which;
    case ANALYSIS_CAUSES_FROM_CYCLE:
        return e->cycle <= c->wish.which;
    case ANALYSIS_CAUSES_FROM_TAG:
        return causes_map_get(&c->paths, e->tag).node == c->wish.which;
    case ANALYSIS_CAUSES_FROM_RESULT:
        return is_write(c, e) && c->f.writes == c->wish.which;
    default:
        return false;
    }
}

static void fire(struct analysis_causes *c, const struct traces_event *e)
{
    struct causes_node *node = meet(c, e);
    note_formed(c, e, c->f.fired);
    c->f.writes += is_write(c, e);
    if (is_wished(c, e)) {
        c->f.wished = e->b;
        c->f.wished_by = c->f.fired;
    }
    if (c->machine.has_workers && e->pe < c->pes.count) {
        c->pes.items[e->pe].instr = e->instr;
        causes_served(&c->pes.items[e->pe], e->cycle, c->f.fired);
    }
    if (!node)
        return;
    node->fires = true;
    node->is_dead = e->kind == TRACES_EVENT_DEAD;
    node->formed = e->b;
    node->is_spilled = c->f.is_spilled;
}

static void send(struct analysis_causes *c, const struct traces_event *e, uint32_t to,
                 enum causes_way way)
{
    struct causes_token *t = causes_tokens_add(&c->tokens, e);
    t->where = CAUSES_SENT;
    t->place = e->pe;
    t->to = to;
    t->way = (uint8_t)way;
    t->node = c->f.fired;
    t->when = e->a;
    t->ships = way == CAUSES_BY_GRAPH;
}

/* A worker frees frames, or passes a token on. */
static void occupy(struct analysis_causes *c, const struct traces_event *e)
{
    struct causes_node *node = c->f.carries ? causes_edit(c, c->f.fired) : NULL;
    note_formed(c, e, c->f.carries ? c->f.fired : c->f.lock);
    if (node)
        node->formed = e->b;
    c->f.carries = false;
}

static void deferred(struct analysis_causes *c, const struct traces_event *e)
{
    if (analysis_waits_for_host(c->graph->nodes[e->instr].op))
        *causes_map_at(&c->asks, key_of(e)) = (struct causes_last_event){c->f.fired,
                                                                         e->cycle};
}

/* Makes a node for a firing that the host answers. The tokens of the firing are formed after the
 * delay of its instruction. */
static void answer_by_host(struct analysis_causes *c, const struct traces_event *e)
{
    const struct traces_machine *m = &c->machine;
    const struct causes_last_event asked = causes_map_get(&c->asks, key_of(e));
    const uint64_t number = c->f.next;
    const enum isa_op op = c->graph->nodes[e->instr].op;
    struct traces_event formed = *e;
    struct causes_node *node = causes_node_new(c, e, ANALYSIS_LINK_GO_ON);
    formed.b = e->cycle + (m->has_workers ? 0 : traces_machine_latency(m, e->pe, op));
    causes_waited(node, asked.node, ANALYSIS_CAUSE_HOST);
    node->fires = true;
    node->formed = formed.b;
    causes_map_remove(&c->asks, key_of(e));
    begin_step(c, e, number);
    note_formed(c, &formed, number);
}

static void answered(struct analysis_causes *c, const struct traces_event *e)
{
    if (analysis_waits_for_host(c->graph->nodes[e->instr].op)) {
        answer_by_host(c, e);
        return;
    }
    c->f.way = CAUSES_BY_ANSWER;
    touch(c, e->tag);
}

/* Treats a SEND or RECV, or a step that tracks tags, as a firing, since it takes as long. Its first
 * SENT is the only event. */
static void carry(struct analysis_causes *c, const struct traces_event *e)
{
    const struct traces_event fired = {.cycle = e->cycle,
                                       .pe = c->f.pe,
                                       .instr = c->f.instr,
                                       .tag = c->f.tag,
                                       .b = e->a};
    struct causes_node *node = meet(c, &fired);
    c->f.carries = false;
    note_formed(c, &fired, c->f.fired);
    if (!node)
        return;
    node->fires = true;
    node->is_dead = e->kind == TRACES_EVENT_SENT_DEAD;
    node->formed = e->a;
    node->is_spilled = c->f.is_spilled; /* also for a copy of a NEXT */
}

/* Sends a message for a tensor, or a kernel that has waited for one. */
static void fetch(struct analysis_causes *c, const struct traces_event *e, uint32_t to)
{
    struct causes_node *node = causes_edit(c, c->f.step);
    if (node)
        node->formed = e->a;
    send(c, e, to, CAUSES_BY_FETCH);
}

static void copied(struct analysis_causes *c, const struct traces_event *e)
{
    struct causes_node *node = causes_edit(c, c->f.fired);
    if (c->f.applied != CAUSES_NOTHING)
        causes_admit(c, e->cycle, e->pe);
    if (node) {
        node->copies = true;
        node->copied = (uint32_t)e->a;
    }
    causes_map_at(&c->copies, e->tag)->node = e->pe;
    if (c->machine.copy_workers && !c->machine.has_workers)
        causes_copier(c, e->cycle, e->cycle + traces_machine_copy_time(&c->machine, e->a),
                      c->f.fired);
}

static void uncopied(struct analysis_causes *c, const struct traces_event *e)
{
    const uint64_t pe = causes_map_get(&c->copies, e->tag).node;
    if (pe < c->uncopied.count)
        c->uncopied.items[pe] = now(c);
    causes_map_remove(&c->copies, e->tag);
}

/* --- activations -------------------------------------------------------------------- */

static void note_path(struct analysis_causes *c, const struct traces_event *e)
{
    uint64_t path = ISA_ROOT_PATH;
    if (e->parent != TRACES_NONE) {
        const uint32_t callee = c->graph->sites[e->site].callee;
        path = isa_tag_path(causes_map_get(&c->paths, e->parent).node, e->site);
        if (c->graph->functions[callee].is_loop)
            path = isa_tag_iteration_path(path, e->a);
    }
    causes_map_at(&c->paths, e->tag)->node = path;
}

static void made(struct analysis_causes *c, const struct traces_event *e)
{
    const uint64_t site = (uint64_t)e->parent << 32 | e->site;
    if (c->wish.from == ANALYSIS_CAUSES_FROM_TAG)
        note_path(c, e);
    if (e->parent == TRACES_NONE || (!c->machine.has_bounds && !c->machine.has_pools))
        return;
    causes_map_at(&c->sites, e->tag)->node = site;
    if (e->kind == TRACES_EVENT_ITERATION && c->machine.has_bounds)
        *causes_map_at(&c->loops, site) = now(c);
}

static void gone(struct analysis_causes *c, const struct traces_event *e)
{
    const uint64_t site = causes_map_get(&c->sites, e->tag).node;
    c->f.freed = now(c);
    causes_map_remove(&c->paths, e->tag);
    if (site == CAUSES_NOTHING)
        return;
    c->freed.items[c->graph->sites[(uint32_t)site].callee] = now(c);
    if (c->machine.has_bounds) {
        *causes_map_at(&c->loops, site) = now(c);
        touch(c, (uint32_t)(site >> 32));
        causes_map_remove(&c->touched, e->tag);
    }
    causes_map_remove(&c->sites, e->tag);
}

/* --- workers ------------------------------------------------------------------------ */

/* A worker asks for the lock and gets it in cycle `a`, for its current firing or to free frames
 * after its last one. */
static void lock(struct analysis_causes *c, const struct traces_event *e)
{
    const uint64_t number = c->f.next;
    if (e->pe >= c->pes.count || c->locks.count == 0) {
        causes_invalid_event(c, e);
        return;
    }
    const struct causes_last_event own = c->pes.items[e->pe].last;
    struct causes_node *of = causes_edit(c, own.node);
    const bool fires = own.node == c->f.fired && own.time == e->cycle && of &&
                       of->lock == CAUSES_NOTHING && c->f.now == e->cycle;
    if (fires)
        of->lock = number;
    struct causes_node *node = causes_node_new(c, e, ANALYSIS_LINK_LOCK);
    node->instr = (uint32_t)c->pes.items[e->pe].instr;
    node->port = node->tag = TRACES_NONE;
    node->time = e->a;
    node->formed = e->b;
    uint64_t *last = &c->locks.items[traces_machine_executor(&c->machine, e->pe)];
    if (e->a > e->cycle && *last != CAUSES_NOTHING) {
        causes_waited(node, *last, ANALYSIS_CAUSE_LOCK);
    } else {
        node->before = own.node;
        node->way = fires ? CAUSES_BY_STEP : CAUSES_BY_SENT;
        node->cause = ANALYSIS_CAUSE_LOCK;
        node->wait = 0;
    }
    c->f.lock = *last = number;
}

/* --- events ------------------------------------------------------------------------- */

static void take_event(struct analysis_causes *c, const struct traces_event *e)
{
    switch (e->kind) {
    case TRACES_EVENT_PRESENT:
    case TRACES_EVENT_CALL:
    case TRACES_EVENT_ITERATION:
    case TRACES_EVENT_GATHER:
        made(c, e);
        break;
    case TRACES_EVENT_COPY:
        copied(c, e);
        break;
    case TRACES_EVENT_UNCOPY:
        uncopied(c, e);
        break;
    case TRACES_EVENT_GONE:
        gone(c, e);
        break;
    case TRACES_EVENT_FIRED:
    case TRACES_EVENT_DEAD:
        fire(c, e);
        break;
    case TRACES_EVENT_BUSY:
        occupy(c, e);
        break;
    case TRACES_EVENT_TRAVELS:
        causes_travel(c, e);
        break;
    case TRACES_EVENT_SENT:
    case TRACES_EVENT_SENT_DEAD:
        if (c->f.carries && !c->machine.has_workers)
            carry(c, e);
        send(c, e, e->to, c->f.way);
        touch(c, e->tag);
        break;
    case TRACES_EVENT_REQUEST:
        send(c, e, e->to, c->f.ships ? CAUSES_BY_GRAPH : CAUSES_BY_REQUEST);
        break;
    case TRACES_EVENT_WOKEN:
        if (c->f.fetches)
            fetch(c, e, e->pe);
        else
            send(c, e, e->pe, CAUSES_BY_HELD);
        break;
    case TRACES_EVENT_RELEASE:
        send(c, e, e->to, CAUSES_BY_RELEASE);
        break;
    case TRACES_EVENT_FETCH:
        fetch(c, e, e->to);
        break;
    case TRACES_EVENT_FEED:
    case TRACES_EVENT_CLOSE:
        c->f.fed = e->cycle + 1;
        break;
    case TRACES_EVENT_DEFERRED:
        deferred(c, e);
        break;
    case TRACES_EVENT_ANSWERED:
        answered(c, e);
        break;
    case TRACES_EVENT_TAKEN:
        take_token(c, e);
        break;
    case TRACES_EVENT_RELEASED:
        release_token(c, e);
        break;
    case TRACES_EVENT_BATCH:
        causes_batch(c, e);
        break;
    case TRACES_EVENT_SPILLED:
        c->f.is_spilled = true;
        break;
    case TRACES_EVENT_ENTERED:
        causes_enter(c, e);
        break;
    case TRACES_EVENT_LEFT:
        causes_leave(c, e);
        break;
    case TRACES_EVENT_LACKS:
        causes_lack(c, e);
        break;
    case TRACES_EVENT_PASSES:
        causes_pass(c, e);
        break;
    case TRACES_EVENT_FAULT:
        causes_fault(c, e);
        break;
    case TRACES_EVENT_BLOCKED:
        causes_blocked(c, e);
        break;
    case TRACES_EVENT_LOCK:
        lock(c, e);
        break;
    case TRACES_EVENT_END:
        c->end = *e;
        c->has_ended = true;
        break;
    default:
        break;
    }
}

static uint32_t hash_of(const struct traces_event *e)
{
    return traces_live_tokens_hash(e->instr, e->tag, e->port);
}

static void foresee(const struct analysis_causes *c, const struct traces_event *events,
                    size_t at, size_t count)
{
    enum { PLACE = 16, TOKEN = 8 };
    const struct traces_live_tokens *tokens = &c->tokens.all;
    if (at + PLACE < count)
        traces_live_tokens_prefetch(tokens, hash_of(&events[at + PLACE]));
    if (at + TOKEN < count && events[at + TOKEN].kind == TRACES_EVENT_LEFT) {
        const struct causes_token *token = traces_live_tokens_foresee(
            tokens, hash_of(&events[at + TOKEN]));
        if (token)
            __builtin_prefetch(token);
    }
}

void causes_take(void *context, const struct traces_event *events, size_t count)
{
    struct analysis_causes *c = context;
    const bool keeps_tags = c->wish.from == ANALYSIS_CAUSES_FROM_STATE;
    for (size_t i = 0; i < count && !c->is_odd; i++) {
        if (keeps_tags)
            traces_live_tags_note(&c->live, &events[i]);
        foresee(c, events, i, count);
        take_event(c, &events[i]);
    }
}

/* --- the state ---------------------------------------------------------------------- */

#define FILL(vec, most, ...)                                                             \
    while ((vec)->count < (most))                                                        \
    *LIB_VEC_PUSH(vec) = (__typeof__(*(vec)->items))__VA_ARGS__

void causes_start(struct analysis_causes *c)
{
    const struct traces_machine *m = &c->machine;
    const struct causes_last_event none = {CAUSES_NOTHING, 0};
    const struct traces_event start = {
        .instr = TRACES_NONE, .port = TRACES_NONE, .tag = TRACES_NONE, .pe = TRACES_NONE};
    c->most = CAUSES_NOTHING;
    c->f = (struct causes_fixed){.last = none,
                                 .freed = none,
                                 .lock = CAUSES_NOTHING,
                                 .copier = {0, CAUSES_NOTHING},
                                 .coordinator = none,
                                 .formed_by = CAUSES_NOTHING,
                                 .wished_by = CAUSES_NOTHING,
                                 .applied = CAUSES_NOTHING,
                                 .instr = TRACES_NONE};
    causes_tokens_start(&c->tokens);
    const uint32_t managers = m->one_manager ? 1 : m->pe_count;
    FILL(&c->pes, m->pe_count, {none, none, 0, 0});
    while (c->locks.count < m->executors)
        *LIB_VEC_PUSH(&c->locks) = CAUSES_NOTHING;
    FILL(&c->links, c->network->link_count, {none, none, 0, 0});
    FILL(&c->managers, m->has_managers ? managers : 0, {none, none, 0, 0});
    FILL(&c->issues, m->has_issue_queues ? m->pe_count : 0, {none, none, 0, 0});
    FILL(&c->freed, c->graph->function_count, {CAUSES_NOTHING, 0});
    FILL(&c->uncopied, m->pe_count, {CAUSES_NOTHING, 0});
    FILL(&c->admitted, m->pe_count, {CAUSES_NOTHING, 0});
    causes_routers_start(c);
    causes_node_new(c, &start, ANALYSIS_LINK_START);
}

LIB_STATE(struct analysis_causes, analysis_causes, CAUSES_FIELDS)

void causes_pack(struct lib_pack *pack, struct analysis_causes *c)
{
    analysis_causes_fields_pack(pack, c, c);
}

void causes_release(struct analysis_causes *c)
{
    analysis_causes_fields_free(c, c);
    traces_live_tags_free(&c->live);
}

/* Tokens that enter and leave queues: where they came from, and what they waited for. */
#include "analysis/causes/causes_internal.h"

/* --- nodes ------------------------------------------------------------------------------------ */

const struct causes_node *causes_node_at(struct analysis_causes *c, uint64_t node)
{
    const uint64_t at = node - c->first;
    return node >= c->first && at < c->nodes.count ? lib_paged_get(&c->nodes, at) : NULL;
}

/* Nodes after the last one to be kept overwrite each other. */
struct causes_node *causes_node_new(struct analysis_causes *c,
                                    const struct traces_event *e,
                                    enum analysis_link_kind kind)
{
    const bool is_behind = c->f.next > c->most && c->nodes.count;
    struct causes_node *node = is_behind ? lib_paged_last(&c->nodes)
                                         : lib_paged_push(&c->nodes);
    *node = (struct causes_node){.time = e->cycle,
                                 .before = CAUSES_NOTHING,
                                 .lock = CAUSES_NOTHING,
                                 .instr = e->instr,
                                 .tag = e->tag,
                                 .port = e->port,
                                 .pe = e->pe,
                                 .kind = kind};
    if (kind != ANALYSIS_LINK_LOCK)
        c->f.last = (struct causes_last_event){c->f.next, e->cycle};
    c->f.next++;
    return node;
}

void causes_came(struct causes_node *node, const struct causes_token *t,
                 enum analysis_cause cause)
{
    node->before = t->node;
    node->way = t->way;
    node->wait = node->time - t->when;
    node->cause = cause;
    node->ships = t->ships;
}

void causes_waited(struct causes_node *node, uint64_t before, enum analysis_cause cause)
{
    node->before = before;
    node->way = CAUSES_BY_RESOURCE;
    node->wait = 0;
    node->cause = cause;
}

void causes_wait_for(struct causes_node *node, const struct causes_token *t,
                     struct causes_last_event before, enum analysis_cause cause)
{
    if (causes_is_after(before, t->when))
        causes_waited(node, before.node, cause);
    else
        causes_came(node, t, cause);
}

/* --- servers ------------------------------------------------------------------------ */

void causes_served(struct causes_server *s, uint64_t cycle, uint64_t node)
{
    if (s->last.node != CAUSES_NOTHING && s->last.time != cycle)
        s->before = s->last;
    s->last = (struct causes_last_event){node, cycle};
}

struct causes_last_event causes_served_before(const struct causes_server *s, uint64_t now)
{
    return s->last.node != CAUSES_NOTHING && s->last.time == now ? s->before : s->last;
}

bool causes_lacked(const struct causes_token *t, struct causes_last_event served)
{
    return t->pressed && (served.node == CAUSES_NOTHING || served.time < t->pressed);
}

void causes_lacked_room(const struct analysis_causes *c, struct causes_node *node,
                        const struct causes_token *t, uint32_t place,
                        enum traces_place kind, uint64_t since)
{
    static const struct causes_last_event none = {CAUSES_NOTHING, 0};
    struct causes_last_event left = none;
    if (kind == TRACES_PLACE_LINK && place < c->links.count)
        left = c->links.items[place].last;
    else if (kind == TRACES_PLACE_INPUT && place < c->pes.count)
        left = c->pes.items[place].last;
    node->place = place;
    node->place_kind = (uint8_t)kind;
    if (causes_is_after(left, since))
        causes_waited(node, left.node, ANALYSIS_CAUSE_PRESSURE);
    else
        causes_came(node, t, ANALYSIS_CAUSE_PRESSURE);
}

/* --- finding ------------------------------------------------------------------------ */

struct causes_token *causes_find(struct analysis_causes *c, const struct traces_event *e,
                                 enum causes_where where, uint32_t place)
{
    const struct causes_sought sought = {
        .where = where, .place = place, .to = TRACES_NONE};
    return causes_tokens_find(&c->tokens, e, &sought);
}

struct causes_token *causes_find_anywhere(struct analysis_causes *c,
                                          const struct traces_event *e,
                                          enum causes_where where)
{
    const struct causes_sought sought = {
        .where = where, .any_place = true, .to = TRACES_NONE};
    return causes_tokens_find(&c->tokens, e, &sought);
}

/* Finds a token that a worker whose firing ends in this cycle has sent: of several workers the one
 * with the lowest number ends first. */
static struct causes_token *find_of_worker(struct analysis_causes *c,
                                           const struct traces_event *e)
{
    const struct causes_sought sought = {.where = CAUSES_SENT,
                                         .any_place = true,
                                         .to = TRACES_NONE,
                                         .has_when = true,
                                         .when = e->cycle,
                                         .least_place = true};
    return causes_tokens_find(&c->tokens, e, &sought);
}

/* Finds a token that comes to an executor: first those from other executors come, in the order in
 * which they went to their links, then those of workers. */
static struct causes_token *find_coming(struct analysis_causes *c,
                                        const struct traces_event *e)
{
    const struct causes_sought travelling = {.where = CAUSES_PASSING,
                                             .any_place = true,
                                             .to = TRACES_NONE,
                                             .has_when = true,
                                             .when = e->cycle};
    struct causes_token *t = c->machine.executors > 1
                                 ? causes_tokens_find(&c->tokens, e, &travelling)
                                 : NULL;
    return t ? t : find_of_worker(c, e);
}

struct causes_token *causes_find_sent(struct analysis_causes *c,
                                      const struct traces_event *e, uint32_t pe)
{
    const struct causes_sought sought = {.where = CAUSES_SENT,
                                         .any_place = true,
                                         .to = pe,
                                         .has_when = true,
                                         .when = e->cycle,
                                         .latency = c->machine.network_latency,
                                         .stays = c->network->link_count > 0};
    return c->machine.has_workers ? find_coming(c, e)
                                  : causes_tokens_find(&c->tokens, e, &sought);
}

void causes_travel(struct analysis_causes *c, const struct traces_event *e)
{
    struct causes_token *t = find_of_worker(c, e);
    if (t)
        causes_tokens_move(&c->tokens, t, CAUSES_PASSING, t->place, e->b);
    else
        causes_invalid_event(c, e);
}

/* --- entering ----------------------------------------------------------------------- */

/* Finds the token that enters an input queue. In a cycle, tokens formed at the PE come before those
 * from a link. */
static struct causes_token *enter_input(struct analysis_causes *c,
                                        const struct traces_event *e)
{
    struct causes_token *t = causes_find_sent(c, e, e->to);
    if (!t && c->network->link_count > 0) {
        struct causes_sought passing = {.where = CAUSES_PASSING,
                                        .place = c->machine.pe_count + e->to,
                                        .to = TRACES_NONE,
                                        .has_when = true,
                                        .when = e->cycle,
                                        .newest = c->f.released};
        t = causes_tokens_find(&c->tokens, e, &passing);
        passing.has_when = false;
        if (!t && c->machine.has_tensors && !c->network->has_routers)
            t = causes_tokens_find(&c->tokens, e, &passing);
    }
    if (!t && e->port == TRACES_NONE) { /* a token of the start */
        t = causes_tokens_add(&c->tokens, e);
        t->way = CAUSES_BY_START;
        t->node = 0;
        t->to = e->to;
    }
    return t;
}

static bool is_input(const struct analysis_causes *c, uint32_t link)
{
    return link - c->machine.pe_count < c->machine.pe_count;
}

/* Finds the token that arrives at a link: one that was sent, for a first link; else one that passed
 * a link to the same router. */
static struct causes_token *enter_link(struct analysis_causes *c,
                                       const struct traces_event *e)
{
    if (e->to >= c->links.count)
        return NULL;
    const uint32_t from = c->network->links[e->to].from;
    const bool is_first = from == TRACES_NONE;
    const struct causes_sought sought = {
        .where = is_first ? CAUSES_SENT : CAUSES_PASSING,
        .place = e->to,
        .any_place = !is_first,
        .to = is_input(c, e->to) ? e->to - c->machine.pe_count : TRACES_NONE,
        .leaves = is_first,
        .has_when = true,
        .when = e->cycle,
        .links = is_first ? NULL : c->network->links,
        .router = from};
    return causes_tokens_find(&c->tokens, e, &sought);
}

static struct causes_token *enter_buffer(struct analysis_causes *c,
                                         const struct traces_event *e)
{
    const struct causes_sought passing = {.where = CAUSES_PASSING,
                                          .place = e->to,
                                          .to = TRACES_NONE,
                                          .has_when = true,
                                          .when = e->cycle};
    return causes_tokens_find(&c->tokens, e, &passing);
}

static uint32_t place_of(const struct traces_event *e)
{
    return e->how == TRACES_PLACE_READY ? (uint32_t)CAUSES_READY + e->to : e->to;
}

/* Finds the token of a message that a fault holds, after its last link, which leads to a PE or
 * belongs to the platform. */
static struct causes_token *enter_fault(struct analysis_causes *c,
                                        const struct traces_event *e)
{
    const struct causes_sought passing = {.where = CAUSES_PASSING,
                                          .any_place = true,
                                          .to = TRACES_NONE,
                                          .has_when = true,
                                          .when = e->cycle,
                                          .links = c->network->links,
                                          .router = TRACES_NONE};
    return causes_tokens_find(&c->tokens, e, &passing);
}

void causes_fault(struct analysis_causes *c, const struct traces_event *e)
{
    c->f.held_until = e->a ? e->a : UINT64_MAX;
}

/* Finds the token that a fault holds until this cycle, or else one that it holds without a
 * cycle. */
static struct causes_token *find_held(struct analysis_causes *c,
                                      const struct traces_event *e)
{
    struct causes_sought sought = {.where = CAUSES_FAULTED,
                                   .any_place = true,
                                   .to = TRACES_NONE,
                                   .held_until = e->cycle};
    struct causes_token *t = causes_tokens_find(&c->tokens, e, &sought);
    sought.held_until = UINT64_MAX;
    return t ? t : causes_tokens_find(&c->tokens, e, &sought);
}

static void leave_fault(struct analysis_causes *c, const struct traces_event *e)
{
    struct causes_token *t = find_held(c, e);
    if (!t) {
        causes_invalid_event(c, e);
        return;
    }
    const uint64_t number = c->f.next;
    struct causes_node *node = causes_node_new(c, e, ANALYSIS_LINK_GO_ON);
    node->pe = t->to;
    causes_came(node, t, ANALYSIS_CAUSE_FAULT);
    t->node = number;
    t->way = CAUSES_BY_STEP;
    t->pressed = 0;
    c->f.released = true;
    causes_tokens_move(&c->tokens, t, CAUSES_PASSING, t->place, e->cycle);
}

void causes_enter(struct analysis_causes *c, const struct traces_event *e)
{
    const enum causes_where where = e->how == TRACES_PLACE_LINK     ? CAUSES_BEFORE
                                    : e->how == TRACES_PLACE_BUFFER ? CAUSES_BEHIND
                                                                    : CAUSES_QUEUED;
    if (e->how == TRACES_PLACE_FAULT) {
        struct causes_token *held = enter_fault(c, e);
        if (held)
            causes_tokens_move(&c->tokens, held, CAUSES_FAULTED, held->place, e->cycle)
                ->held_until = c->f.held_until;
        else
            causes_invalid_event(c, e);
        return;
    }
    struct causes_token *t = where == CAUSES_BEFORE   ? enter_link(c, e)
                             : where == CAUSES_BEHIND ? enter_buffer(c, e)
                                                      : enter_input(c, e);
    if (t)
        causes_tokens_move(&c->tokens, t, where, place_of(e), e->cycle);
    else
        causes_invalid_event(c, e);
    c->f.released = false;
}

/* --- leaving ------------------------------------------------------------------------ */

uint64_t causes_behind(const struct analysis_causes *c, uint32_t at,
                       const struct traces_event *e, const struct causes_token *t)
{
    const struct traces_network_link *link = &c->network->links[at];
    const uint32_t node = c->network->node_pes;
    const bool leaves = node && at < c->machine.pe_count && at / node != t->to / node;
    const bool is_whole = link->is_whole || leaves;
    return e->cycle + link->delay + (is_whole ? e->a - e->cycle - 1 : 0);
}

/* A token waited until it arrived, its port was free, or its destination had room. */
static void leave_link(struct analysis_causes *c, const struct traces_event *e)
{
    const uint32_t pes = c->machine.pe_count;
    struct causes_token *t = causes_find(c, e, CAUSES_BEFORE, e->to);
    if (!t || e->to >= c->links.count) {
        causes_invalid_event(c, e);
        return;
    }
    const bool has_room = c->network->has_routers && !is_input(c, e->to);
    const uint64_t number = c->f.next;
    struct causes_server *link = &c->links.items[e->to];
    struct causes_node *node = causes_node_new(c, e, ANALYSIS_LINK_PORT);
    node->pe = e->to < 2 * pes ? e->to % pes : TRACES_NONE;
    if (t->when == e->cycle || c->network->links[e->to].holds)
        causes_came(node, t, ANALYSIS_CAUSE_PORT);
    else if (link->last.node != CAUSES_NOTHING && link->until == e->cycle)
        causes_waited(node, link->last.node, ANALYSIS_CAUSE_PORT);
    else if (has_room)
        causes_invalid_event(c, e);
    else
        causes_lacked_room(c, node, t, is_input(c, e->to) ? node->pe : pes + t->to,
                           is_input(c, e->to) ? TRACES_PLACE_INPUT : TRACES_PLACE_LINK,
                           t->when);
    node->port_number = e->to;
    causes_served(link, e->cycle, number);
    link->until = e->a;
    t->node = number;
    t->way = CAUSES_BY_PORT;
    causes_tokens_move(&c->tokens, t, CAUSES_PASSING, e->to,
                       causes_behind(c, e->to, e, t));
}

enum analysis_cause causes_of_slot(const struct analysis_causes *c, uint32_t pe,
                                   uint64_t cycle, const struct causes_token *t,
                                   struct causes_last_event before)
{
    const uint64_t came = causes_is_after(before, t->when) ? before.time : t->when;
    const bool was_stopped = pe - c->machine.stopped_pe < c->machine.stopped_pes &&
                             c->machine.stopped_until > came &&
                             c->machine.stopped_until <= cycle;
    return was_stopped ? ANALYSIS_CAUSE_STOPPED : ANALYSIS_CAUSE_SLOT;
}

/* A token was taken as it arrived, as an issue slot became free, or as there was room for what it
 * makes. */
static void leave_input(struct analysis_causes *c, const struct traces_event *e,
                        struct causes_token *t)
{
    struct causes_server *pe = &c->pes.items[e->to];
    const uint64_t number = c->f.next;
    struct causes_node *node = causes_node_new(c, e, ANALYSIS_LINK_TURN);
    const struct causes_last_event before = causes_served_before(pe, e->cycle);
    node->pe = e->to;
    if (t->when == e->cycle)
        causes_came(node, t, ANALYSIS_CAUSE_SLOT);
    else if (causes_lacked(t, before))
        causes_lacked_room(c, node, t, t->pressed_place, t->pressed_kind, t->when);
    else
        causes_wait_for(node, t, before, causes_of_slot(c, e->to, e->cycle, t, before));
    causes_served(pe, e->cycle, number);
    causes_gives_room(c, e->to, e->cycle, number);
    t->node = number;
    t->way = CAUSES_BY_STEP;
    causes_tokens_move(&c->tokens, t, CAUSES_SELECTED, e->to, e->cycle);
}

void causes_leave(struct analysis_causes *c, const struct traces_event *e)
{
    const struct causes_sought sought = {.where = CAUSES_QUEUED,
                                         .place = place_of(e),
                                         .to = TRACES_NONE,
                                         .newest = c->machine.is_lifo &&
                                                   e->how != TRACES_PLACE_OWN};
    if (e->how == TRACES_PLACE_FAULT) {
        leave_fault(c, e);
        return;
    }
    if (c->network->channels && e->how != TRACES_PLACE_INPUT) {
        causes_leave_buffer(c, e);
        return;
    }
    if (e->how == TRACES_PLACE_LINK) {
        leave_link(c, e);
        return;
    }
    struct causes_token *t = causes_tokens_find(&c->tokens, e, &sought);
    if (!t || (!c->machine.has_workers && e->to >= c->pes.count))
        causes_invalid_event(c, e);
    else if (c->machine.has_workers) /* the node is made when a worker takes the token */
        causes_tokens_move(&c->tokens, t, CAUSES_SELECTED, place_of(e), t->when);
    else
        leave_input(c, e, t);
}

void causes_lack(struct analysis_causes *c, const struct traces_event *e)
{
    const struct causes_sought sought = {.where = CAUSES_QUEUED,
                                         .place = e->pe,
                                         .to = TRACES_NONE,
                                         .newest = c->machine.is_lifo};
    struct causes_token *t = causes_tokens_find(&c->tokens, e, &sought);
    if (!t)
        t = causes_find_anywhere(c, e, CAUSES_KEPT);
    if (!t) {
        causes_invalid_event(c, e);
        return;
    }
    t->pressed = e->cycle + 1;
    t->pressed_place = e->to;
    t->pressed_kind = e->how;
}

/* Networks of routers with finite buffers: what a token waited for that is first in a buffer or
 * injection queue. */
#include "analysis/causes/causes_internal.h"

#include "lib/heap.h"

/* --- buffers and classes ------------------------------------------------------------ */

static uint32_t buffer_of(const struct analysis_causes *c, uint32_t link,
                          uint32_t channel)
{
    return link * c->network->channels + channel;
}

static bool is_injection(const struct analysis_causes *c, uint32_t link)
{
    return c->network->links[link].from == TRACES_NONE;
}

static bool is_ejection(const struct analysis_causes *c, uint32_t link)
{
    return c->network->links[link].to == TRACES_NONE;
}

static uint32_t channels_before(const struct analysis_causes *c, uint32_t cls)
{
    const uint32_t all = c->network->channels, classes = c->network->classes;
    const uint32_t more = all % classes;
    return cls * (all / classes) + (cls < more ? cls : more);
}

/* Returns the index in `credits` of the traffic class of a channel of a link. */
static uint32_t class_of(const struct analysis_causes *c, uint32_t link, uint32_t channel)
{
    uint32_t cls = 0;
    while (!c->network->links[link].has_one_class &&
           channels_before(c, cls + 1) <= channel)
        cls++;
    return link * c->network->classes + cls;
}

/* --- credits ------------------------------------------------------------------------ */

/* Orders the heap of credits on their way back by time, then by step. */
static bool is_before(const struct causes_return *a, const struct causes_return *b)
{
    return a->time != b->time ? a->time < b->time : a->node < b->node;
}

static void take_returns(struct analysis_causes *c, uint64_t now)
{
    while (c->returns.count && c->returns.items[0].time <= now) {
        struct causes_return r;
        LIB_HEAP_TAKE(&c->returns, &r, is_before);
        struct causes_credits *credits = &c->credits.items[r.at];
        if (credits->count++ == 0)
            credits->came = (struct causes_last_event){r.node, r.time};
    }
}

/* --- what came last ----------------------------------------------------------------- */

struct last {
    uint64_t time, node;
    enum analysis_cause cause;
};

/* Notes that a token needs a resource that it got from step `node`. For equal times, the first need
 * counts. */
static void needs(struct last *last, uint64_t node, uint64_t time,
                  enum analysis_cause cause)
{
    if (node != CAUSES_NOTHING && time > last->time)
        *last = (struct last){time, node, cause};
}

/* Returns the router port of a link that is free first. */
static const struct causes_busy *first_port(const struct analysis_causes *c,
                                            uint32_t link)
{
    const struct causes_busy *ports = &c->ports.items[link * c->network->speedup];
    const struct causes_busy *first = ports;
    for (uint64_t i = 1; i < c->network->speedup; i++)
        if (ports[i].until < first->until)
            first = &ports[i];
    return first;
}

/* Finds what a token needed last to pass link `to`. `is_buffer`: it comes from a buffer of link
 * `from`. */
static struct last last_of(const struct analysis_causes *c, const struct causes_token *t,
                           uint32_t from, bool is_buffer, uint32_t to,
                           const struct causes_credits *credits)
{
    const struct causes_server *link = &c->links.items[to];
    struct last last = {t->when, CAUSES_NOTHING, ANALYSIS_CAUSE_PORT};
    if (is_buffer) {
        const struct causes_last_event before =
            c->firsts.items[buffer_of(c, from, t->channel)];
        needs(&last, before.node, before.time + 1, ANALYSIS_CAUSE_PORT);
    }
    needs(&last, link->last.node, link->until, ANALYSIS_CAUSE_PORT);
    if (is_buffer) {
        const struct causes_busy *port = first_port(c, from);
        needs(&last, port->node, port->until, ANALYSIS_CAUSE_PORT);
    }
    if (credits) {
        needs(&last, credits->came.node, credits->came.time, ANALYSIS_CAUSE_PRESSURE);
    } else {
        const struct causes_last_event room =
            c->rooms.items[to - c->machine.pe_count].came;
        needs(&last, room.node, room.time + 1, ANALYSIS_CAUSE_PRESSURE);
    }
    return last;
}

/* --- events ------------------------------------------------------------------------- */

void causes_pass(struct analysis_causes *c, const struct traces_event *e)
{
    c->f.passed = e->to;
    c->f.channel = (uint32_t)e->b;
    c->f.from_channel = e->pe;
}

/* A token leaves its buffer: returns a credit, and occupies a router port. */
static void leave_place(struct analysis_causes *c, const struct traces_event *e,
                        const struct causes_token *t, uint64_t number)
{
    const uint64_t more = e->a - e->cycle - 1;
    struct causes_busy *port = &c->ports.items[e->to * c->network->speedup];
    c->firsts.items[buffer_of(c, e->to, t->channel)] = (struct causes_last_event){
        number, e->cycle};
    const struct causes_return back = {.time = e->cycle + more +
                                               c->network->links[e->to].credit,
                                       .node = number,
                                       .at = class_of(c, e->to, t->channel)};
    LIB_HEAP_PUT(&c->returns, &back, is_before);
    while (port->until > e->cycle)
        port++;
    *port = (struct causes_busy){e->a, number};
}

/* Whether a token can pass its link in this cycle, as the machine demands. */
static bool can_pass(const struct analysis_causes *c, const struct traces_event *e,
                     bool is_buffer)
{
    const uint32_t to = c->f.passed;
    return e->to < c->links.count && to < c->links.count &&
           c->f.channel < c->network->channels && e->a > e->cycle &&
           (is_buffer ? c->network->links[to].from == c->network->links[e->to].to &&
                            !is_ejection(c, e->to)
                      : to == e->to && is_injection(c, to)) &&
           c->links.items[to].until <= e->cycle &&
           (!is_buffer || first_port(c, e->to)->until <= e->cycle) &&
           (is_ejection(c, to) ||
            c->credits.items[class_of(c, to, c->f.channel)].count > 0);
}

/* An injection passes its oldest token as soon as possible; the first token of a buffer may have to
 * wait for others. */
static void pass_link(struct analysis_causes *c, const struct traces_event *e,
                      struct causes_token *t, bool is_buffer)
{
    const uint32_t to = c->f.passed, pes = c->machine.pe_count;
    const bool is_out = is_ejection(c, to);
    struct causes_credits *credits =
        is_out ? NULL : &c->credits.items[class_of(c, to, c->f.channel)];
    const struct last last = last_of(c, t, e->to, is_buffer, to, credits);
    const uint64_t number = c->f.next;
    struct causes_node *node = causes_node_new(c, e, ANALYSIS_LINK_PORT);
    node->pe = to < 2 * pes ? to % pes : TRACES_NONE;
    node->port_number = to;
    if (last.node == CAUSES_NOTHING)
        causes_came(node, t, ANALYSIS_CAUSE_PORT);
    else
        causes_waited(node, last.node, last.cause);
    if (node->cause == ANALYSIS_CAUSE_PRESSURE) {
        node->wait = e->cycle - last.time;
        node->place = is_out ? to - pes : to;
        node->place_kind = is_out ? TRACES_PLACE_INPUT : TRACES_PLACE_BUFFER;
    }
    if (last.time > e->cycle || (!is_buffer && last.time < e->cycle))
        causes_invalid_event(c, e);
    if (credits)
        credits->count--;
    if (is_buffer)
        leave_place(c, e, t, number);
    causes_served(&c->links.items[to], e->cycle, number);
    c->links.items[to].until = e->a;
    t->node = number;
    t->way = CAUSES_BY_PORT;
    t->pressed = 0;
    t->channel = (uint8_t)c->f.channel;
    causes_tokens_move(&c->tokens, t, CAUSES_PASSING, to, causes_behind(c, to, e, t));
}

void causes_leave_buffer(struct analysis_causes *c, const struct traces_event *e)
{
    const bool is_buffer = e->how == TRACES_PLACE_BUFFER;
    const struct causes_sought sought = {.where = is_buffer ? CAUSES_BEHIND
                                                            : CAUSES_BEFORE,
                                         .place = e->to,
                                         .to = TRACES_NONE,
                                         .has_channel = is_buffer,
                                         .channel = c->f.from_channel};
    struct causes_token *t = causes_tokens_find(&c->tokens, e, &sought);
    take_returns(c, e->cycle);
    if (t && can_pass(c, e, is_buffer))
        pass_link(c, e, t, is_buffer);
    else
        causes_invalid_event(c, e);
    c->f.passed = TRACES_NONE;
}

void causes_gives_room(struct analysis_causes *c, uint32_t pe, uint64_t cycle,
                       uint64_t number)
{
    if (pe < c->rooms.count && c->rooms.items[pe].lacked == cycle + 1)
        c->rooms.items[pe].came = (struct causes_last_event){number, cycle};
}

void causes_blocked(struct analysis_causes *c, const struct traces_event *e)
{
    const bool is_room = e->how == TRACES_PLACE_INPUT;
    if (is_room && e->to < c->rooms.count)
        c->rooms.items[e->to].lacked = e->cycle + 1;
    if (c->wish.from != ANALYSIS_CAUSES_FROM_STATE)
        return;
    struct causes_token *t = causes_find_anywhere(c, e, CAUSES_BEHIND);
    if (!t)
        t = causes_find_anywhere(c, e, CAUSES_BEFORE);
    if (!t) {
        causes_invalid_event(c, e);
        return;
    }
    t->pressed = e->cycle + 1;
    t->pressed_place = e->to;
    t->pressed_kind = e->how & 7;
    t->pressed_channel = (uint8_t)e->b;
}

/* --- the state ---------------------------------------------------------------------- */

void causes_routers_start(struct analysis_causes *c)
{
    const struct traces_machine *m = &c->machine;
    static const struct causes_last_event none = {CAUSES_NOTHING, 0};
    c->f.passed = TRACES_NONE;
    if (c->network->channels == 0)
        return;
    for (uint32_t i = 0; i < m->pe_count; i++)
        *LIB_VEC_PUSH(&c->rooms) = (struct causes_room){none, 0};
    for (uint32_t i = 0; i < c->network->link_count; i++) {
        for (uint32_t v = 0; v < c->network->channels; v++)
            *LIB_VEC_PUSH(&c->firsts) = none;
        for (uint64_t p = 0; p < c->network->speedup; p++)
            *LIB_VEC_PUSH(&c->ports) = (struct causes_busy){0, CAUSES_NOTHING};
        for (uint32_t cls = 0; cls < c->network->classes; cls++) {
            const uint32_t channels = c->network->links[i].has_one_class
                                          ? c->network->channels
                                          : channels_before(c, cls + 1) -
                                                channels_before(c, cls);
            *LIB_VEC_PUSH(&c->credits) = (struct causes_credits){
                none, channels * c->network->capacity};
        }
    }
}

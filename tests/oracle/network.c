/* Tokens in transit: "Network", and steps 0 to 3 of "The total order of events". */
#include "tests/oracle/state.h"

#include <math.h>

/* --- lists -------------------------------------------------------------------------- */

void oracle_put(struct tokens *list, const struct token *t)
{
    *LIB_VEC_PUSH(list) = *t;
}

struct token oracle_take(struct tokens *list, size_t at)
{
    const struct token t = list->items[at];
    for (size_t i = at; i + 1 < list->count; i++)
        list->items[i] = list->items[i + 1];
    list->count--;
    return t;
}

/* --- wheels ------------------------------------------------------------------------- */

static bool is_before(const struct event *a, const struct event *b)
{
    if (a->cycle != b->cycle)
        return a->cycle < b->cycle;
    if ((a->list == LATE) != (b->list == LATE))
        return a->list == LATE;
    return a->order < b->order;
}

void oracle_put_event(struct oracle *o, enum list list, uint64_t cycle,
                      const struct token *t)
{
    const struct event e = {cycle, o->event_count++, list, *t};
    (void)LIB_VEC_PUSH(&o->events);
    size_t i = o->events.count - 1;
    for (; i > 0 && is_before(&e, &o->events.items[(i - 1) / 2]); i = (i - 1) / 2)
        o->events.items[i] = o->events.items[(i - 1) / 2];
    o->events.items[i] = e;
}

/* Puts a token formed in this cycle where it goes: step 0, or at once. */
static void put_formed(struct oracle *o, uint64_t formed, const struct token *t)
{
    if (t->from == t->to)
        oracle_put_event(o, FORMED, formed, t);
    else if (o->s->topology)
        oracle_put_event(o, DEPARTING, formed, t);
    else
        oracle_put_event(o, FORMED, formed + o->s->network_latency, t);
}

static struct event take_event(struct oracle *o)
{
    struct event *items = o->events.items;
    const struct event first = items[0], last = items[--o->events.count];
    const size_t count = o->events.count;
    size_t i = 0;
    for (size_t c = 1; c < count; i = c, c = 2 * c + 1) {
        c += c + 1 < count && is_before(&items[c + 1], &items[c]);
        if (is_before(&last, &items[c]))
            break;
        items[i] = items[c];
    }
    items[i] = last;
    return first;
}

/* Step 0: "late tokens of copies whose cycle has come", which are first in the heap. */
static void unload_late(struct oracle *o)
{
    while (o->events.count && o->events.items[0].cycle == o->now &&
           o->events.items[0].list == LATE) {
        const struct event e = take_event(o);
        put_formed(o, o->now, &e.token);
    }
}

/* Credits of cycles that were skipped. */
static void unload_credits(struct oracle *o)
{
    while (o->events.count && o->events.items[0].cycle < o->now) {
        const struct event e = take_event(o);
        oracle_routers_credit(o, &e.token, e.cycle);
    }
}

static void depart(struct oracle *o)
{
    for (size_t i = 0; i < o->departing.count; i++) {
        const struct token *t = &o->departing.items[i];
        o->pes[t->from].leaving--;
        if (o->routers)
            oracle_routers_depart(o, *t);
        else
            oracle_stand(o, &o->pes[t->from].output, t);
    }
    o->departing.count = 0;
}

/* Step 1. */
void oracle_unload(struct oracle *o)
{
    unload_credits(o);
    unload_late(o);
    while (o->events.count && o->events.items[0].cycle == o->now) {
        struct event e = take_event(o);
        const struct token *t = &e.token;
        oracle_why_came(o, &e.token);
        if (e.list == FORMED) {
            o->pes[t->to].coming--;
            oracle_put(&o->pes[t->to].input, t);
        } else if (e.list == DEPARTING) {
            oracle_put(&o->departing, t);
        } else if (e.list == CREDIT) {
            oracle_routers_credit(o, t, e.cycle);
        } else if (o->routers) {
            oracle_routers_arrive(o, t);
        } else {
            o->pes[t->to].arriving--;
            oracle_stand(o, &o->pes[t->to].port, t);
        }
    }
    oracle_coordinator(o);
    depart(o);
}

/* --- what is counted of links: "Tokens" in doc/metrics.md ------------------------------ */

void oracle_stand(struct oracle *o, struct tokens *list, const struct token *t)
{
    struct token waits = *t;
    waits.came = o->now;
    oracle_put(list, &waits);
}

void oracle_use(const struct oracle *o, struct used *used, const struct token *t,
                uint64_t occupied)
{
    used->tokens++;
    used->busy += oracle_wrong(o, ONCE) ? 1 : occupied;
    used->waits += o->now - t->came;
}

/* Adds the counts of a link, before which tokens may still wait. */
static void add_up(struct oracle *o, const struct used *used, const struct tokens *before,
                   uint64_t *most)
{
    struct oracle_stats *s = &o->outcome->stats;
    s->link_tokens += used->tokens;
    s->link_busy += used->busy;
    s->link_waits += used->waits;
    for (size_t i = 0; i < before->count && !oracle_wrong(o, STANDING); i++)
        s->link_waits += s->cycles - before->items[i].came;
    *most = used->busy > *most ? used->busy : *most;
}

void oracle_add_links(struct oracle *o)
{
    struct oracle_stats *s = &o->outcome->stats;
    uint64_t most = 0, links = 0;
    if (o->routers) {
        links = oracle_routers_add(o, add_up, &most);
    } else if (o->s->topology == ORACLE_CROSSBAR && !o->s->executor_workers &&
               o->s->pe_count > 1) {
        links = 2 * o->s->pe_count;
        for (unsigned pe = 0; pe < o->s->pe_count; pe++) {
            add_up(o, &o->pes[pe].output_used, &o->pes[pe].output, &most);
            add_up(o, &o->pes[pe].input_used, &o->pes[pe].port, &most);
        }
    }
    const double all = (double)(links * s->cycles);
    s->mean_link_wait = s->link_tokens ? (double)s->link_waits / (double)s->link_tokens
                                       : NAN;
    s->mean_link_load = all > 0 ? (double)s->link_busy / all : NAN;
    s->greatest_link_load = all > 0 ? (double)most / (double)s->cycles : NAN;
}

/* --- ports -------------------------------------------------------------------------- */

static uint64_t occupation(const struct oracle *o, const struct token *t)
{
    const uint64_t bandwidth = o->s->network_bandwidth;
    const uint64_t rounded = oracle_wrong(o, OCCUPIED) ? 0 : bandwidth - 1;
    return (bandwidth ? (t->bits + rounded) / bandwidth : 1) *
           (o->s->scale ? o->s->scale : 1);
}

/* Step 2. */
void oracle_output_ports(struct oracle *o)
{
    if (o->routers) {
        oracle_routers_pass(o);
        return;
    }
    for (unsigned pe = 0; pe < o->s->pe_count; pe++) {
        struct pe *p = &o->pes[pe];
        if (p->output.count == 0 || p->output_free > o->now)
            continue;
        if (!oracle_room_in_port(o, p->output.items[0].to)) {
            o->held_back = true;
            continue;
        }
        struct token t = oracle_take(&p->output, 0);
        const uint64_t latency = o->s->network_latency;
        o->moved = true;
        oracle_why_port(o, &t, pe, p->output_free);
        p->output_free = o->now + occupation(o, &t);
        oracle_use(o, &p->output_used, &t, occupation(o, &t));
        o->pes[t.to].arriving++;
        oracle_put_event(o, ARRIVING, o->now + (latency ? latency : 1), &t);
    }
}

/* Step 3. */
void oracle_input_ports(struct oracle *o)
{
    if (o->routers)
        return;
    for (unsigned pe = 0; pe < o->s->pe_count; pe++) {
        struct pe *p = &o->pes[pe];
        if (p->leaves && p->leaves <= o->now) {
            p->leaves = 0;
            p->coming--;
            oracle_why_came(o, &p->leaving_port);
            oracle_put(&p->input, &p->leaving_port);
        }
        if (p->port.count == 0 || p->input_free > o->now)
            continue;
        if (!oracle_room_in_queue(o, pe)) {
            o->held_back = true;
            continue;
        }
        struct token t = oracle_take(&p->port, 0);
        o->moved = true;
        oracle_why_port(o, &t, (unsigned)o->s->pe_count + pe, p->input_free);
        p->input_free = o->now + occupation(o, &t);
        oracle_use(o, &p->input_used, &t, occupation(o, &t));
        const uint64_t cycle = o->s->scale ? o->s->scale : 1;
        if (t.bytes && occupation(o, &t) > cycle && !oracle_wrong(o, WHOLE)) {
            p->leaving_port = t;
            p->leaves = p->input_free - cycle;
            p->coming++;
            continue;
        }
        oracle_why_came(o, &t);
        oracle_put(&p->input, &t);
    }
}

void oracle_next_event(const struct oracle *o, uint64_t *cycle)
{
    for (size_t i = 0; i < o->events.count; i++)
        if (o->events.items[i].list != CREDIT && o->events.items[i].cycle < *cycle)
            *cycle = o->events.items[i].cycle;
    for (unsigned pe = 0; pe < o->s->pe_count; pe++)
        if (o->pes[pe].leaves && o->pes[pe].leaves < *cycle)
            *cycle = o->pes[pe].leaves;
}

/* The first cycle in which a busy port that has a token is free. */
void oracle_next_port(struct oracle *o, uint64_t *cycle)
{
    if (o->routers) {
        oracle_routers_next(o, cycle);
        return;
    }
    for (unsigned pe = 0; pe < o->s->pe_count; pe++) {
        const struct pe *p = &o->pes[pe];
        if (p->output.count && p->output_free > o->now && p->output_free < *cycle)
            *cycle = p->output_free;
        if (p->port.count && p->input_free > o->now && p->input_free < *cycle)
            *cycle = p->input_free;
    }
}

/* --- sending ------------------------------------------------------------------------ */

static uint64_t bytes_of_value(struct value v)
{
    return v.array && v.array->tensor ? v.array->tensor->bytes : 0;
}

/* Of all arguments of an APPLY that asks for a node. */
static uint64_t bytes_of_arguments(const struct token *t)
{
    const struct child *c = oracle_child(t->tag, t->instr->node->site);
    uint64_t bytes = bytes_of_value(t->value);
    for (size_t i = 0; c && c->activation && i < c->activation->waiting.count; i++) {
        const struct waiting *w = &c->activation->waiting.items[i];
        bytes += w->token.instr == t->instr ? bytes_of_value(w->token.value) : 0;
    }
    return bytes;
}

/* Bytes of tensors in a token: "Where tensors are". */
uint64_t oracle_bytes(const struct oracle *o, const struct token *t)
{
    const bool stores = t->request && oracle_stores(t->instr->node);
    if (t->message)
        return t->message == BRINGS ? t->value.array->tensor->bytes : 0;
    if (o->s->by_reference || t->dead || oracle_wrong(o, WEIGHT))
        return 0;
    if (t->asks || t->chosen)
        return bytes_of_arguments(t);
    if (stores && t->port == 0 && t->instr->tokens == 2)
        return bytes_of_value(oracle_partner(t->tag, t->instr)->token.value);
    return bytes_of_value(t->value);
}

/* doc/metrics.md, `network_bits`. */
uint64_t oracle_bits(const struct oracle *o, const struct token *t)
{
    uint64_t bits = 64 + oracle_log2(o->instr_count) + 1;
    const uint64_t label = oracle_log2(o->graph->site_count);
    if (o->s->tag_scheme == ORACLE_PATH)
        bits += t->tag->depth * (label ? label : 1);
    else if (o->s->tag_scheme == ORACLE_POOL && o->s->tag_pool)
        bits += oracle_log2(o->s->tag_pool);
    else
        bits += o->s->tag_bits;
    return bits + 8 * t->bytes + oracle_asking_bits(o, t) +
           (t->request && oracle_stores(t->instr->node) ? 64 : 0);
}

void oracle_route(struct oracle *o, struct token *t, uint64_t formed, bool late)
{
    struct oracle_stats *stats = &o->outcome->stats;
    if (t->message == RELEASES)
        oracle_why_tells(o, t);
    else if (t->message)
        oracle_why_fetches(o, t, formed);
    else
        oracle_why_sent(o, t, t->request || t->asks);
    if (o->sending && !oracle_executor_leaves(o, t)) {
        stats->local_tokens++;
        o->pes[o->sender].stats.local_tokens++;
        oracle_put(o->sending, t);
        return;
    }
    t->bytes = oracle_bytes(o, t);
    t->bits = oracle_bits(o, t);
    if (!o->sending && t->from == t->to) {
        stats->local_tokens++;
        o->pes[t->from].stats.local_tokens++;
    } else {
        stats->network_tokens++;
        o->pes[o->sending ? o->sender : t->from].stats.network_tokens++;
        stats->network_bits += t->bits;
        stats->tensor_network_bytes += t->bytes;
        stats->hops += o->routers == NULL;
    }
    if (o->sending) {
        oracle_put(o->sending, t);
        return;
    }
    if (t->from != t->to && o->s->topology)
        o->pes[t->from].leaving++;
    else
        o->pes[t->to].coming++;
    if (late && !oracle_wrong(o, LATE))
        oracle_put_event(o, LATE, formed, t);
    else
        put_formed(o, formed, t);
}

void oracle_form(struct oracle *o, struct token *t, uint64_t formed)
{
    oracle_why_woken(o, t);
    if (o->sending) {
        oracle_put(o->sending, t);
        return;
    }
    o->pes[t->to].coming++;
    oracle_put_event(o, FORMED, formed, t);
}

void oracle_send(struct oracle *o, const struct firing *f, const struct instr *to,
                 unsigned port, struct activation *tag, struct value value, bool dead)
{
    if (!o->sending)
        oracle_place(o, tag);
    struct token t = {.instr = to,
                      .port = port,
                      .tag = tag,
                      .from = f->pe,
                      .to = oracle_pe_on(o, to, tag->place),
                      .dead = dead};
    if (!dead) {
        if (to->node->op != ISA_OP_TRACK_MERGE)
            t.value = value;
        t.depth = f->depth;
        oracle_refer(t.value);
    }
    tag->live++;
    oracle_share(o, tag, f->instr->node->op == ISA_OP_SEND ? NONE : to->node->machine, 1);
    o->live_tokens++;
    oracle_why_touch(o, tag);
    oracle_route(o, &t, o->now + f->delay, f->late);
}

/* Where an arc ends under a tag: a node, or the RETURN that the head of the tag names. */
static const struct instr *end_of(const struct oracle *o, struct isa_dest to,
                                  const struct activation *tag, unsigned *port)
{
    *port = to.port;
    if (to.node != ISA_TO_RETURN)
        return &o->instrs[to.node];
    *port = 0;
    return oracle_find(o, ISA_OP_RETURN, tag->site, to.port);
}

void oracle_send_list(struct oracle *o, const struct firing *f, unsigned list,
                      struct activation *tag, struct value value, bool dead)
{
    const struct isa_dests *dests = &f->instr->node->outputs[list];
    if (o->graph->stage == ISA_STAGE_PARTITIONED) {
        oracle_send_parts(o, f, list, tag, value, dead);
        return;
    }
    for (uint32_t i = 0; i < dests->count; i++) {
        unsigned port;
        const struct instr *to = end_of(o, dests->items[i], tag, &port);
        oracle_send(o, f, to, port, tag, value, dead);
    }
}

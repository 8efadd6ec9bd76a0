#include "analysis/stream/flow.h"

/* In place of an operand, for tokens that are not at an operand of a node. */
enum {
    WAITING = UINT32_MAX,      /* operands (or arguments) that wait for others */
    DEFERRED = UINT32_MAX - 1, /* a deferred read */
};

#define HELD_SITE 0x80000000u /* flag of a site: a constant of its loop, not a node */

struct analysis_flow_token {
    struct traces_live_token name;
    uint32_t from; /* PE that sent it */
    bool is_dead, is_parked;
    uint64_t formed;
    struct analysis_flow_value value;
};

void analysis_flow_start(struct analysis_flow *f, const struct traces_live_tags *live,
                         const struct analysis_flow_listener *listener)
{
    *f = (struct analysis_flow){
        .listener = *listener, .graph = live->graph, .live = live};
    traces_live_tokens_start(&f->tokens, sizeof(struct analysis_flow_token));
}

void analysis_flow_free(struct analysis_flow *f)
{
    traces_live_tokens_free(&f->tokens);
    LIB_VEC_FREE(&f->operands);
}

/* --- where values are ---------------------------------------------------------- */

static struct analysis_flow_token *add_token(struct analysis_flow *f, uint32_t instr,
                                             uint32_t tag, uint32_t port)
{
    return traces_live_tokens_add(&f->tokens, instr, tag, port);
}

static struct analysis_flow_token *find_token(
    struct analysis_flow *f, uint32_t instr, uint32_t tag, uint32_t port,
    bool (*fits)(const struct analysis_flow_token *t, const struct traces_event *event),
    const struct traces_event *event)
{
    struct traces_token_search search = traces_live_tokens_search(&f->tokens, instr, tag,
                                                                  port);
    struct analysis_flow_token *t;
    while ((t = traces_live_tokens_next(&f->tokens, &search)))
        if (!fits || fits(t, event))
            return t;
    return NULL;
}

static bool take_out(struct analysis_flow *f, uint32_t instr, uint32_t tag, uint32_t port,
                     bool (*fits)(const struct analysis_flow_token *token,
                                  const struct traces_event *event),
                     const struct traces_event *event, struct analysis_flow_token *out)
{
    struct analysis_flow_token *t = find_token(f, instr, tag, port, fits, event);
    if (!t)
        return false;
    *out = *t;
    traces_live_tokens_remove(&f->tokens, t);
    return true;
}

/* Two tokens can be on the way to one operand: at a MERGEIF a live and a dead one. */
static bool is_it(const struct analysis_flow_token *t, const struct traces_event *e)
{
    const bool all_live = e->a == 0, all_dead = e->a > e->b;
    return !t->is_parked && t->formed <= e->cycle && !(all_live && t->is_dead) &&
           !(all_dead && !t->is_dead);
}

static bool is_parked(const struct analysis_flow_token *t, const struct traces_event *e)
{
    (void)e;
    return t->is_parked;
}

static bool is_on_its_way(const struct analysis_flow_token *t,
                          const struct traces_event *e)
{
    return !t->is_parked && t->formed <= e->cycle;
}

/* --- constants of loops ------------------------------------------------------------- */

static void hold_constant(struct analysis_flow *f, const struct traces_event *e)
{
    const struct isa_node *node = &f->graph->nodes[e->instr];
    struct analysis_flow_token old;
    const uint32_t at = node->site | HELD_SITE;
    struct analysis_flow_value constant = f->result;
    if (f->listener.hold)
        f->listener.hold(f->listener.context, &constant);
    (void)take_out(f, at, e->tag, node->index, NULL, e, &old);
    add_token(f, at, e->tag, node->index)->value = constant;
}

/* Adds the constants that a firing uses, as they are operands too. */
static void add_constants(struct analysis_flow *f, const struct traces_event *e)
{
    const struct isa_node *node = &f->graph->nodes[e->instr];
    for (uint32_t p = 0; p < node->operand_count; p++) {
        if (node->operands[p].kind != ISA_OPERAND_HELD)
            continue;
        const struct traces_live_tag *own = traces_live_tags_find(f->live, e->tag);
        if (!own)
            continue;
        const struct analysis_flow_token *held = find_token(
            f, own->site | HELD_SITE, own->parent, node->operands[p].held, NULL, e);
        if (held)
            *LIB_VEC_PUSH(&f->operands) = held->value;
    }
}

/* --- prefetching ---------------------------------------------------------------- */

/* Prefetches the entry of a token in the hash table, and the token that was foreseen some time ago,
 * as its entry is there by now. */
static void foresee_token(struct analysis_flow *f, const struct traces_event *e,
                          uint32_t port)
{
    enum { RING = sizeof f->soon / sizeof *f->soon };
    const uint32_t hash = traces_live_tokens_hash(e->instr, e->tag, port);
    uint32_t *soon = &f->soon[f->foreseen++ % RING];
    const char *token = traces_live_tokens_foresee(&f->tokens, *soon);
    if (token) { /* can span two cache lines */
        __builtin_prefetch(token, 1);
        __builtin_prefetch(token + sizeof(struct analysis_flow_token) - 1, 1);
    }
    *soon = hash;
    traces_live_tokens_prefetch(&f->tokens, hash);
}

void analysis_flow_foresee(struct analysis_flow *f, const struct traces_event *events,
                           size_t count)
{
    if (!f->tokens.index.places) /* freed at the end of the run */
        return;
    for (size_t i = 0; i < count; i++) {
        const struct traces_event *e = &events[i];
        switch (e->kind) {
        case TRACES_EVENT_TAKEN:
            foresee_token(f, e, e->port);
            if (e->how == TRACES_OUTCOME_WAITS || e->b)
                foresee_token(f, e, WAITING);
            break;
        case TRACES_EVENT_SENT:
        case TRACES_EVENT_SENT_DEAD:
            traces_live_tokens_prefetch(
                &f->tokens, traces_live_tokens_hash(e->instr, e->tag, e->port));
            break;
        default:
            break;
        }
    }
}

/* --- steps -------------------------------------------------------------------------- */

static void add_waiting(struct analysis_flow *f, const struct traces_event *e)
{
    struct analysis_flow_token waiting;
    for (uint64_t i = 0; i < e->b; i++) {
        if (!take_out(f, e->instr, e->tag, WAITING, NULL, e, &waiting))
            break;
        *LIB_VEC_PUSH(&f->operands) = waiting.value;
    }
}

static void put_back(struct analysis_flow *f, const struct traces_event *e, uint32_t port,
                     const struct analysis_flow_token *token, bool parks)
{
    struct analysis_flow_token *t = add_token(f, e->instr, e->tag, port);
    t->value = token->value;
    t->is_dead = token->is_dead;
    t->from = e->pe;
    t->is_parked = parks;
}

/* Takes a token. An unknown token, as one of the start, has the value 0. */
static void step(struct analysis_flow *f, const struct traces_event *e)
{
    struct analysis_flow_token token = {.from = e->pe};
    f->operands.count = 0;
    /* a step without a token, as a CALL of numbers, also has a value when it is released */
    if (e->port != TRACES_NONE || e->kind == TRACES_EVENT_RELEASED)
        (void)take_out(f, e->instr, e->tag, e->port, is_it, e, &token);
    if (f->listener.turn)
        f->listener.turn(f->listener.context, e, token.from, &token.value);
    f->result = f->fired = token.value;
    switch (e->how) {
    case TRACES_OUTCOME_MATCHES:
    case TRACES_OUTCOME_FIRES:
        add_waiting(f, e);
        *LIB_VEC_PUSH(&f->operands) = token.value;
        break;
    case TRACES_OUTCOME_WAITS:
        put_back(f, e, WAITING, &token, false);
        break;
    case TRACES_OUTCOME_ABSORBED:
    case TRACES_OUTCOME_RELEASES:
    case TRACES_OUTCOME_CARRIED: /* the step sends its own token on */
    case TRACES_OUTCOME_REQUESTS:
    case TRACES_OUTCOME_ASKS:
    case TRACES_OUTCOME_SHIPPED:
    case TRACES_OUTCOME_STOPS:
    case TRACES_OUTCOME_FAILS:
        break;
    default: /* the token is held and released later */
        put_back(f, e, e->port, &token, e->how == TRACES_OUTCOME_PARKED);
        break;
    }
}

static void fire(struct analysis_flow *f, const struct traces_event *e)
{
    add_constants(f, e);
    f->result = (struct analysis_flow_value){{0}};
    if (f->operands.count)
        f->result = f->operands.items[0];
    if (f->listener.fire)
        f->listener.fire(f->listener.context, e, f->operands.items, f->operands.count,
                         &f->result);
    f->fired = f->result;
    if (f->graph->nodes[e->instr].op == ISA_OP_HOLD)
        hold_constant(f, e);
}

static void send(struct analysis_flow *f, const struct traces_event *e)
{
    struct analysis_flow_value value = f->result;
    struct analysis_flow_token parked;
    const bool wakes = e->kind == TRACES_EVENT_WOKEN &&
                       take_out(f, e->instr, e->tag, e->port, is_parked, e, &parked);
    if (f->listener.send)
        f->listener.send(f->listener.context, e, wakes ? &parked.value : NULL, &value);
    struct analysis_flow_token *t = add_token(f, e->instr, e->tag, e->port);
    t->value = value;
    t->from = e->pe;
    t->formed = e->a;
    t->is_dead = e->kind == TRACES_EVENT_SENT_DEAD;
}

static void enter(struct analysis_flow *f, const struct traces_event *e)
{
    struct analysis_flow_token *t = find_token(f, e->instr, e->tag, e->port,
                                               is_on_its_way, e);
    if (!t)
        return;
    f->listener.enter(f->listener.context, e, t->formed, &t->value);
}

static void answer(struct analysis_flow *f, const struct traces_event *e)
{
    struct analysis_flow_token read;
    f->result = f->fired;
    if (!take_out(f, e->instr, e->tag, DEFERRED, NULL, e, &read))
        return;
    struct analysis_flow_value answered = read.value;
    if (f->listener.answer)
        f->listener.answer(f->listener.context, e, &f->fired, &answered);
    f->result = answered;
}

void analysis_flow_take(struct analysis_flow *f, const struct traces_event *e)
{
    switch (e->kind) {
    case TRACES_EVENT_TAKEN:
    case TRACES_EVENT_RELEASED:
        step(f, e);
        break;
    case TRACES_EVENT_FIRED:
    case TRACES_EVENT_DEAD:
        fire(f, e);
        break;
    case TRACES_EVENT_COPY:
        if (f->listener.copy)
            f->listener.copy(f->listener.context, e, &f->result);
        break;
    case TRACES_EVENT_FEED: /* what a feed answers comes from outside the run */
    case TRACES_EVENT_CLOSE:
        f->result = f->fired = (struct analysis_flow_value){{0}};
        break;
    case TRACES_EVENT_DEFERRED:
        add_token(f, e->instr, e->tag, DEFERRED)->value = f->fired;
        break;
    case TRACES_EVENT_ANSWERED:
        answer(f, e);
        break;
    case TRACES_EVENT_SENT:
    case TRACES_EVENT_SENT_DEAD:
    case TRACES_EVENT_REQUEST:
    case TRACES_EVENT_WOKEN:
        send(f, e);
        break;
    case TRACES_EVENT_ENTERED:
        if (f->listener.enter && e->how == TRACES_PLACE_INPUT)
            enter(f, e);
        break;
    default:
        break;
    }
}

/* "Faults" and "Termination". */
#include "lib/random.h"
#include "tests/oracle/routers.h"

#include <stdio.h>
#include <string.h>

enum { BITS = 32, PROBE = 64, MILLION = 1000000 };

enum fault { FINE, LOSS, DUPLICATE, DELAY, REORDER };

/* Messages from one node to another. */
struct pair {
    uint32_t sent;
    LIB_VEC(bool) came; /* by number */
};

struct held {
    struct token token;
    uint64_t until; /* UINT64_MAX: until nothing else can proceed */
    bool overtaken;
};

struct node {
    int64_t count; /* sent minus received */
    uint64_t inside;
    bool black;
    uint64_t
        probe; /* time of the probe from here to the next node, which meets no token */
};

struct nodes {
    unsigned count, pes;
    bool counted;
    uint64_t seed, most_bits;
    struct pair *pairs;
    struct node *nodes;
    LIB_VEC(struct held) held;
    uint64_t lost;
    bool forced;
    /* The probe: */
    unsigned at;
    uint64_t arrives, round;
    int64_t sum;
    bool black, was_round, clean;
    int64_t clean_sum;
    uint64_t clean_since;
    bool quiet;
    uint64_t quiet_since;
};

static bool has_list(const struct oracle_settings *s)
{
    return strcmp(s->fault_list, "none") != 0;
}

void oracle_nodes_make(struct oracle *o)
{
    const struct oracle_settings *s = o->s;
    const bool loses = s->fault_loss || s->fault_duplicate ||
                       (has_list(s) && (strstr(s->fault_list, "lose") ||
                                        strstr(s->fault_list, "duplicate")));
    if (!s->nodes || s->executor_workers ||
        !(loses || s->fault_delay || s->fault_reorder || has_list(s) || s->stop_cycles ||
          s->counted))
        return;
    struct nodes *n = o->nodes_state = lib_mem_new(sizeof *n);
    *n = (struct nodes){.count = (unsigned)s->nodes,
                        .pes = (unsigned)s->node_pes,
                        .counted = s->counted || loses,
                        .seed = s->fault_seed ? s->fault_seed : o->seed};
    n->pairs = lib_mem_new((size_t)n->count * n->count * sizeof *n->pairs);
    n->nodes = lib_mem_new(n->count * sizeof *n->nodes);
    for (unsigned i = 0; n->counted && n->count > 1 && i < n->count; i++) {
        n->nodes[i].probe = oracle_routers_lone(
            o, i * n->pes, (i ? i - 1 : n->count - 1) * n->pes, PROBE);
        n->round += n->nodes[i].probe;
    }
}

void oracle_nodes_free(struct oracle *o)
{
    struct nodes *n = o->nodes_state;
    if (!n)
        return;
    for (size_t i = 0; i < (size_t)n->count * n->count; i++)
        LIB_VEC_FREE(&n->pairs[i].came);
    LIB_VEC_FREE(&n->held);
    lib_mem_free(n->pairs);
    lib_mem_free(n->nodes);
    lib_mem_free(n);
}

static unsigned node_of(const struct nodes *n, unsigned pe)
{
    return pe / n->pes;
}

static struct pair *pair_of(const struct nodes *n, const struct token *t)
{
    return &n->pairs[(size_t)node_of(n, t->from) * n->count + node_of(n, t->to)];
}

/* --- messages ------------------------------------------------------------------------- */

void oracle_nodes_send(struct oracle *o, struct token *t)
{
    struct nodes *n = o->nodes_state;
    if (!n)
        return;
    if (node_of(n, t->from) == node_of(n, t->to)) {
        n->nodes[node_of(n, t->to)].inside++;
        return;
    }
    t->sequence = pair_of(n, t)->sent++;
    n->nodes[node_of(n, t->from)].count++;
    if (n->counted)
        t->bits += BITS;
    if (t->bits > n->most_bits)
        n->most_bits = t->bits;
}

/* "The fault is the one that `fault.list` has for pair and number." */
static bool listed(const struct oracle_settings *s, unsigned a, unsigned b,
                   uint32_t number, enum fault *fault, uint64_t *late)
{
    for (const char *c = has_list(s) ? s->fault_list : NULL; c;
         c = strchr(c, ','), c = c ? c + 1 : c) {
        char word[16] = "";
        unsigned from, to, k, cycles = 0;
        if (sscanf(c, "%15[a-z]:%u-%u:%u:%u", word, &from, &to, &k, &cycles) < 4 ||
            from != a || to != b || k != number)
            continue;
        *fault = strcmp(word, "lose") == 0        ? LOSS
                 : strcmp(word, "duplicate") == 0 ? DUPLICATE
                 : strcmp(word, "delay") == 0     ? DELAY
                                                  : REORDER;
        *late = cycles;
        return true;
    }
    return false;
}

static enum fault fault_of(const struct oracle *o, const struct token *t, uint64_t *late)
{
    const struct oracle_settings *s = o->s;
    const struct nodes *n = o->nodes_state;
    const unsigned a = node_of(n, t->from), b = node_of(n, t->to);
    enum fault fault = FINE;
    *late = 0;
    if (listed(s, a, b, t->sequence, &fault, late))
        return fault;
    const uint64_t pair = ((uint64_t)a << 32) + b;
    const uint64_t w = lib_random_draw(n->seed, LIB_RANDOM_FAULT, pair, t->sequence);
    const uint64_t x = (uint64_t)(((unsigned __int128)w * MILLION) >> 64);
    if (x < s->fault_loss)
        return LOSS;
    if (x < s->fault_loss + s->fault_duplicate)
        return DUPLICATE;
    if (x < s->fault_loss + s->fault_duplicate + s->fault_delay) {
        const uint64_t v = lib_random_draw(n->seed, LIB_RANDOM_LATENESS, pair,
                                           t->sequence);
        if (s->fault_delay_cycles)
            *late = 1 + (uint64_t)(((unsigned __int128)v * s->fault_delay_cycles) >> 64);
        return DELAY;
    }
    return x < s->fault_loss + s->fault_duplicate + s->fault_delay + s->fault_reorder
               ? REORDER
               : FINE;
}

static void to_queue(struct oracle *o, struct token *t)
{
    o->pes[t->to].coming--;
    oracle_why_came(o, t);
    oracle_put(&o->pes[t->to].input, t);
}

static void receive(struct oracle *o, struct token *t)
{
    struct nodes *n = o->nodes_state;
    struct pair *pair = pair_of(n, t);
    while (pair->came.count <= t->sequence)
        *LIB_VEC_PUSH(&pair->came) = false;
    if (n->counted && pair->came.items[t->sequence]) {
        oracle_end(o, ORACLE_FAULTED, NULL);
        return;
    }
    pair->came.items[t->sequence] = true;
    n->nodes[node_of(n, t->to)].count--;
    n->nodes[node_of(n, t->to)].black = true;
    to_queue(o, t);
}

static bool are_equal(const struct token *a, const struct token *b)
{
    return a->instr == b->instr && a->port == b->port && a->tag == b->tag &&
           a->message == b->message && a->message != RELEASES; /* which are numbered */
}

/* "Of equal tokens": returns the held one that causes take for the one at `at`. */
static size_t held_for(const struct oracle *o, size_t at)
{
    const struct nodes *n = o->nodes_state;
    const uint64_t untils[] = {o->now, UINT64_MAX};
    for (size_t u = 0; u < 2; u++)
        for (size_t i = 0; i < n->held.count; i++)
            if (n->held.items[i].until == untils[u] &&
                are_equal(&n->held.items[i].token, &n->held.items[at].token))
                return i;
    return at;
}

static struct held take_held(struct oracle *o, size_t at)
{
    struct nodes *n = o->nodes_state;
    oracle_why_swap(&n->held.items[at].token, &n->held.items[held_for(o, at)].token);
    const struct held held = n->held.items[at];
    for (size_t i = at; i + 1 < n->held.count; i++)
        n->held.items[i] = n->held.items[i + 1];
    n->held.count--;
    return held;
}

/* A message comes, and after it those that overtook it. */
static void come(struct oracle *o, struct token *t)
{
    struct nodes *n = o->nodes_state;
    receive(o, t);
    for (size_t i = 0; i < n->held.count;) {
        if (!n->held.items[i].overtaken ||
            pair_of(n, &n->held.items[i].token) != pair_of(n, t)) {
            i++;
            continue;
        }
        struct held held = take_held(o, i);
        oracle_why_released(o, &held.token);
        receive(o, &held.token);
    }
}

void oracle_nodes_come(struct oracle *o, struct token *t)
{
    struct nodes *n = o->nodes_state;
    uint64_t late;
    if (!n) {
        to_queue(o, t);
        return;
    }
    if (node_of(n, t->from) == node_of(n, t->to)) {
        n->nodes[node_of(n, t->to)].inside--;
        to_queue(o, t);
        return;
    }
    const enum fault fault = fault_of(o, t, &late);
    o->outcome->stats.faults += fault != FINE;
    if (fault == DELAY || fault == REORDER) {
        oracle_why_came(o, t);
        const uint64_t until = late ? o->now + late : UINT64_MAX;
        *LIB_VEC_PUSH(&n->held) = (struct held){*t, until, fault == REORDER};
    } else if (fault == LOSS) {
        o->pes[t->to].coming--;
        n->lost++;
    } else if (fault == DUPLICATE) {
        struct token second = *t;
        receive(o, t);
        if (!o->ended)
            receive(o, &second);
    } else {
        come(o, t);
    }
}

/* Before steps 2 and 3. */
void oracle_nodes_release(struct oracle *o)
{
    struct nodes *n = o->nodes_state;
    if (!n)
        return;
    for (size_t i = 0; i < n->held.count && !o->ended;) {
        const uint64_t until = n->held.items[i].until;
        const bool goes = until <= o->now || (n->forced && until == UINT64_MAX);
        if (!goes) {
            i++;
            continue;
        }
        n->forced &= until != UINT64_MAX;
        struct held held = take_held(o, i);
        oracle_why_released(o, &held.token);
        come(o, &held.token);
        i = 0;
    }
    n->forced = false;
}

/* --- a node that is stopped ----------------------------------------------------------- */

static uint64_t stop_end(const struct oracle *o)
{
    return o->s->stop_start + o->s->stop_cycles;
}

bool oracle_nodes_stopped(const struct oracle *o, unsigned pe)
{
    const struct oracle_settings *s = o->s;
    return o->nodes_state && s->stop_cycles &&
           node_of(o->nodes_state, pe) == s->stop_node && o->now >= s->stop_start &&
           o->now < stop_end(o) - oracle_wrong(o, STOPPED);
}

/* Whether a stop of the node, of more than a cycle, has ended since a cycle. */
bool oracle_nodes_was_stopped(const struct oracle *o, unsigned pe, uint64_t since)
{
    return o->nodes_state && o->s->stop_cycles &&
           node_of(o->nodes_state, pe) == o->s->stop_node && stop_end(o) > since &&
           stop_end(o) <= o->now;
}

/* --- "How time goes on" --------------------------------------------------------------- */

void oracle_nodes_next(const struct oracle *o, uint64_t *cycle)
{
    const struct nodes *n = o->nodes_state;
    for (size_t i = 0; n && i < n->held.count; i++)
        if (n->held.items[i].until < *cycle)
            *cycle = n->held.items[i].until;
    for (unsigned pe = 0; pe < o->s->pe_count; pe++)
        if (oracle_nodes_stopped(o, pe) && o->pes[pe].input.count && stop_end(o) < *cycle)
            *cycle = stop_end(o);
}

bool oracle_nodes_insist(struct oracle *o)
{
    struct nodes *n = o->nodes_state;
    if (!n || n->held.count == 0)
        return false;
    n->forced = true;
    return true;
}

static bool in_list(const struct nodes *n, unsigned node, const struct tokens *list)
{
    for (size_t i = 0; i < list->count; i++)
        if (node_of(n, list->items[i].to) == node)
            return true;
    return false;
}

static bool is_passive(const struct oracle *o, unsigned node)
{
    const struct nodes *n = o->nodes_state;
    if (oracle_nodes_stopped(o, node * n->pes) || n->nodes[node].inside)
        return false;
    for (unsigned pe = 0; pe < o->s->pe_count; pe++) {
        const struct pe *p = &o->pes[pe];
        if ((node_of(n, pe) == node && (p->input.count || p->issue.count)) ||
            in_list(n, node, &p->unit) || in_list(n, node, &p->nexts))
            return false;
    }
    for (size_t i = 0; i < o->events.count; i++) {
        const struct event *e = &o->events.items[i];
        const bool leaves = e->list == DEPARTING ||
                            (e->list == LATE && e->token.from != e->token.to);
        if (e->list == ARRIVING || e->list == CREDIT)
            continue;
        if (node_of(n, leaves ? e->token.from : e->token.to) == node)
            return false;
    }
    if (oracle_has_coordinator(o) && node_of(n, oracle_coordinator_at(o)) == node &&
        (o->coordinator_busy || o->asking.count))
        return false;
    if (oracle_batches_before(o, node))
        return false;
    return !in_list(n, node, &o->waiting_calls) && !in_list(n, node, &o->waiting_applies);
}

/* The next cycle, in which the probe may act, too. Returns false if there is none. */
bool oracle_nodes_beside(struct oracle *o, bool goes_on, uint64_t *next)
{
    struct nodes *n = o->nodes_state;
    if (!n || !n->counted)
        return goes_on;
    if (!goes_on && !n->quiet)
        n->quiet_since = o->now;
    n->quiet = !goes_on;
    uint64_t cycle = n->arrives;
    if (n->arrives <= o->now)
        cycle = is_passive(o, n->at) ? o->now + 1 : UINT64_MAX;
    if (oracle_nodes_stopped(o, n->at * n->pes) &&
        (cycle == UINT64_MAX || cycle < stop_end(o)))
        cycle = stop_end(o);
    if (cycle == UINT64_MAX)
        return goes_on;
    if (!goes_on || cycle < *next)
        *next = cycle;
    return true;
}

/* --- the probe ------------------------------------------------------------------------ */

/* Max cycles of delay of a message, except unlimited ones. */
static uint64_t latest(const struct oracle_settings *s)
{
    uint64_t most = s->fault_delay_cycles;
    for (const char *c = has_list(s) ? s->fault_list : NULL; c;
         c = strchr(c, ','), c = c ? c + 1 : c) {
        unsigned cycles = 0;
        if (sscanf(c, "delay:%*u-%*u:%*u:%u", &cycles) == 1 && cycles > most)
            most = cycles;
    }
    return most;
}

static uint64_t time_out(const struct oracle *o, int64_t missing)
{
    const struct nodes *n = o->nodes_state;
    if (o->s->timeout)
        return o->s->timeout;
    return latest(o->s) + 2 * ((uint64_t)missing + 1) * n->round *
                              ((n->most_bits + PROBE - 1) / PROBE) *
                              (1 + o->s->network_credit);
}

/* Step 1 of node 0. */
static void judge(struct oracle *o)
{
    uint64_t next;
    bool waits; /* such machines have no ports */
    struct nodes *n = o->nodes_state;
    const int64_t sum = n->sum + n->nodes[0].count;
    const bool white = (!n->black && !n->nodes[0].black) || oracle_wrong(o, BLACK);
    if (white && sum == 0) {
        o->outcome->stats.detection_cycles = o->now - n->quiet_since;
        oracle_end_quiet(o, &next, &waits);
    } else if (white && n->clean && n->clean_sum == sum) {
        if (o->now - n->clean_since >= time_out(o, sum))
            oracle_end(o, ORACLE_FAULTED, NULL);
    } else {
        n->clean = white;
        n->clean_sum = sum;
        n->clean_since = o->now;
    }
}

/* After steps 2 and 3. */
void oracle_nodes_probe(struct oracle *o)
{
    struct nodes *n = o->nodes_state;
    if (!n || !n->counted || n->arrives > o->now || !is_passive(o, n->at))
        return;
    if (n->at == 0 && (n->was_round || n->count == 1))
        judge(o);
    if (o->ended || n->count == 1)
        return;
    if (n->at == 0) {
        n->sum = 0;
        n->black = false;
        n->was_round = true;
    } else {
        n->sum += n->nodes[n->at].count;
        n->black |= n->nodes[n->at].black;
    }
    n->nodes[n->at].black = false;
    n->arrives = o->now + n->nodes[n->at].probe;
    n->at = n->at ? n->at - 1 : n->count - 1;
    o->outcome->stats.probes++;
}

/* A firing forms a token at another PE without a message. */
void oracle_nodes_wake(struct oracle *o, unsigned by, unsigned pe)
{
    struct nodes *n = o->nodes_state;
    if (n && node_of(n, by) != node_of(n, pe))
        n->nodes[node_of(n, pe)].black = true;
}

bool oracle_nodes_lost(const struct oracle *o)
{
    return o->nodes_state && o->nodes_state->lost > 0;
}

bool oracle_nodes_count(const struct oracle *o)
{
    return o->nodes_state && o->nodes_state->counted;
}

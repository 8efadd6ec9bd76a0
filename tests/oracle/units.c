/* "Units that are counted": the issue queue of a PE, and its function units. */
#include "tests/oracle/state.h"

static enum isa_unit class_of(const struct instr *instr)
{
    return isa_op_table[instr->node->op].unit;
}

static const struct oracle_settings *units_of(const struct oracle *o, unsigned pe)
{
    return oracle_wrong(o, COUNTS) ? o->s : oracle_at(o, pe);
}

static uint64_t count_of(const struct oracle *o, unsigned pe, const struct instr *instr)
{
    return units_of(o, pe)->unit_count[class_of(instr)];
}

static bool has_issue_queue(const struct oracle *o, unsigned pe)
{
    const struct oracle_settings *s = units_of(o, pe);
    bool has = s->match_bandwidth > 0;
    for (int u = 0; u < ISA_UNIT_COUNT; u++)
        has |= s->unit_count[u] > 0;
    return has && !s->executor_workers;
}

void oracle_issue_make(struct oracle *o, unsigned pe)
{
    for (int u = 0; u < ISA_UNIT_COUNT; u++)
        o->pes[pe].free[u] = lib_mem_new((units_of(o, pe)->unit_count[u] + 1) *
                                         sizeof(uint64_t));
}

void oracle_issue_free(struct pe *p)
{
    for (int u = 0; u < ISA_UNIT_COUNT; u++)
        lib_mem_free(p->free[u]);
    LIB_VEC_FREE(&p->issue);
}

/* --- before the units ----------------------------------------------------------------------- */

/* Whether no instruction fires on a token, as it or its partner is dead. */
static bool is_absorbed(const struct token *t, const struct waiting *partner)
{
    const enum isa_op op = t->instr->node->op;
    const bool dead = t->dead || (partner && partner->token.dead);
    return dead && !oracle_is_skipped(t) &&
           (op == ISA_OP_NEXT || op == ISA_OP_HOLD || op == ISA_OP_EXIT ||
            op == ISA_OP_TRACK_CALL || op == ISA_OP_TRACK_ENTER ||
            op == ISA_OP_TRACK_NEXT);
}

/* Whether a token with its operands goes to the issue queue; `partner` then stays. */
bool oracle_queues_for_unit(struct oracle *o, unsigned pe, const struct token *t,
                            struct waiting *partner)
{
    if (!has_issue_queue(o, pe) || t->issued || is_absorbed(t, partner) ||
        (count_of(o, pe, t->instr) == 0 && !units_of(o, pe)->match_bandwidth))
        return false;
    struct token queued = *t;
    queued.to = pe;
    queued.queued = o->now;
    queued.met = partner != NULL;
    if (partner) {
        queued.request = partner->away;
        partner->away = true;
    }
    oracle_put(&o->pes[pe].issue, &queued);
    return true;
}

/* Whether a token that comes from an input queue makes nothing before it leaves the issue queue. */
bool oracle_makes_later(const struct oracle *o, unsigned pe, const struct token *t)
{
    return !t->issued && has_issue_queue(o, pe) &&
           (count_of(o, pe, t->instr) > 0 || units_of(o, pe)->match_bandwidth);
}

/* How many tokens a PE may take from its input queue in this cycle; 0: all. */
uint64_t oracle_turns_of(const struct oracle *o, unsigned pe, bool *none)
{
    const struct oracle_settings *s = units_of(o, pe);
    const uint64_t most = s->match_bandwidth ? s->match_bandwidth
                                             : oracle_at(o, pe)->pe_units;
    const uint64_t capacity = has_issue_queue(o, pe) ? s->issue_capacity : 0;
    const uint64_t there = o->pes[pe].issue.count;
    *none = capacity && there >= capacity;
    if (!capacity || *none)
        return most;
    return most && most < capacity - there ? most : capacity - there;
}

/* --- their step ------------------------------------------------------------------------------ */

static uint64_t *first_free(const struct oracle *o, unsigned pe,
                            const struct instr *instr)
{
    uint64_t *free = o->pes[pe].free[class_of(instr)], *first = free;
    for (uint64_t u = 1; u < count_of(o, pe, instr); u++)
        first = free[u] < *first ? &free[u] : first;
    return first;
}

static bool can_issue(const struct oracle *o, unsigned pe, const struct token *t)
{
    return count_of(o, pe, t->instr) == 0 || *first_free(o, pe, t->instr) <= o->now;
}

/* Returns the number of tokens if there is none. */
static size_t choose(const struct oracle *o, unsigned pe)
{
    const struct pe *p = &o->pes[pe];
    size_t chosen = p->issue.count;
    for (size_t i = 0; i < p->issue.count; i++)
        if (can_issue(o, pe, &p->issue.items[i])) {
            chosen = i;
            if (!o->s->issue_lifo)
                break;
        }
    return chosen;
}

/* "Room": for what a token makes that leaves the issue queue. */
static bool has_room(struct oracle *o, const struct token *t)
{
    struct waiting *partner = t->met ? oracle_partner(t->tag, t->instr) : NULL;
    const bool away = partner && partner->away;
    if (partner)
        partner->away = t->request;
    const bool has = oracle_wrong(o, ROOMY) || oracle_room_to_go_on(o, t);
    if (partner)
        partner->away = away;
    return has;
}

static void issue(struct oracle *o, unsigned pe, size_t at)
{
    struct pe *p = &o->pes[pe];
    struct oracle_stats *stats = &o->outcome->stats;
    struct token t = oracle_take(&p->issue, at);
    const uint64_t count = count_of(o, pe, t.instr);
    uint64_t *unit = count ? first_free(o, pe, t.instr) : NULL;
    const uint64_t number = unit ? (uint64_t)(unit - p->free[class_of(t.instr)]) : 0;
    const uint64_t interval = units_of(o, pe)->unit_interval[class_of(t.instr)];
    oracle_why_issued(o, &t, pe, unit, number);
    if (unit) {
        *unit = o->now + interval - (oracle_wrong(o, INTERVAL) && interval > 1);
        stats->unit_busy_cycles += interval;
    }
    stats->unit_stall_cycles += o->now - t.queued;
    struct waiting *partner = t.met ? oracle_partner(t.tag, t.instr) : NULL;
    if (partner)
        partner->away = t.request;
    t.issued = true;
    o->moved = true;
    oracle_turn(o, pe, t);
}

/* Step 10. */
void oracle_units_issue(struct oracle *o)
{
    uint64_t *peak = &o->outcome->stats.peak_issue_queue;
    for (unsigned pe = 0; pe < o->s->pe_count && !o->ended; pe++) {
        struct pe *p = &o->pes[pe];
        if (oracle_nodes_stopped(o, pe))
            continue;
        const uint64_t most = units_of(o, pe)->match_bandwidth
                                  ? oracle_at(o, pe)->pe_units
                                  : 0;
        if (p->issue.count > *peak)
            *peak = p->issue.count;
        for (uint64_t i = 0; !o->ended && (most == 0 || i < most); i++) {
            const size_t at = choose(o, pe);
            if (at == p->issue.count)
                break;
            if (!has_room(o, &p->issue.items[at])) {
                o->held_back = true;
                oracle_why_lacks(o, &p->issue.items[at]);
                break;
            }
            issue(o, pe, at);
        }
    }
}

/* Whether some issue queue has tokens. */
bool oracle_issues_wait(const struct oracle *o)
{
    bool wait = false;
    for (unsigned pe = 0; pe < o->s->pe_count; pe++)
        wait |= o->pes[pe].issue.count > 0;
    return wait;
}

/* "How time goes on". */
void oracle_next_issue(const struct oracle *o, uint64_t *cycle)
{
    for (unsigned pe = 0; pe < o->s->pe_count; pe++)
        for (size_t i = 0; i < o->pes[pe].issue.count; i++) {
            const struct token *t = &o->pes[pe].issue.items[i];
            uint64_t when = o->now + 1;
            if (oracle_nodes_stopped(o, pe))
                when = o->s->stop_start + o->s->stop_cycles;
            else if (count_of(o, pe, t->instr) && *first_free(o, pe, t->instr) > o->now)
                when = *first_free(o, pe, t->instr);
            else if (oracle_has_bounds(o) && !o->moved)
                continue; /* it lacks room */
            *cycle = when < *cycle ? when : *cycle;
        }
}

/* --- the overflow store ---------------------------------------------------------------------- */

/* "Bandwidth of the overflow store". Returns how long an access waits. */
uint64_t oracle_overflow_access(struct oracle *o, unsigned pe, const struct instr *instr,
                                const struct activation *tag, bool puts)
{
    const struct oracle_settings *s = oracle_store_of(o, pe);
    if (s->overflow_bandwidth == 0)
        return 0;
    o->outcome->stats.overflow_accesses++;
    if (puts && oracle_wrong(o, BANKS))
        return 0;
    const uint64_t ways = s->match_ways < s->match_capacity ? s->match_ways
                                                            : s->match_capacity;
    const uint64_t set = oracle_set_of(instr, tag, s->match_capacity / ways);
    struct bank_of_store *bank = &o->pes[pe].banks[set % s->overflow_banks];
    if (bank->cycle < o->now)
        *bank = (struct bank_of_store){.cycle = o->now};
    if (bank->begun == s->overflow_bandwidth)
        *bank = (struct bank_of_store){.cycle = bank->cycle + 1};
    bank->begun++;
    o->outcome->stats.overflow_wait_cycles += bank->cycle - o->now;
    return bank->cycle - o->now;
}

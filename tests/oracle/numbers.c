/* "Numbers for tags": call tokens, tag managers, and lists of tokens that wait for a number. */
#include "tests/oracle/state.h"

/* --- "Who needs one" ---------------------------------------------------------------- */

static bool is_call_token(const struct token *t)
{
    const enum isa_op op = oracle_made_as(t->instr);
    return !t->dead && (op == ISA_OP_CALL || op == ISA_OP_ENTER || op == ISA_OP_NEXT ||
                        op == ISA_OP_APPLY);
}

static bool is_there(const struct token *t)
{
    const struct child *c = oracle_child(t->tag, t->instr->node->site);
    return c && c->activation;
}

/* --- "When a number is free" -------------------------------------------------------- */

static uint32_t function_of(const struct oracle *o, const struct token *t)
{
    return o->graph->sites[t->instr->node->site].callee;
}

static bool is_free(const struct oracle *o, const struct token *t)
{
    if (o->s->tag_scheme == ORACLE_INTERNED)
        return o->alive - 1 < UINT64_C(1) << o->s->tag_bits;
    if (o->s->tag_scheme == ORACLE_PATH || o->s->tag_pool == 0)
        return true;
    const bool leaves_one = o->s->tag_pool >= 2 &&
                            oracle_made_as(t->instr) == ISA_OP_ENTER &&
                            !oracle_wrong(o, LAST);
    return o->numbers[function_of(o, t)] + leaves_one < o->s->tag_pool;
}

/* --- "Lists" ------------------------------------------------------------------------ */

/* The list in which a call token waits; lists are examined in order of their numbers. */
static uint64_t list_of(const struct oracle *o, const struct token *t)
{
    if (o->s->tag_scheme == ORACLE_INTERNED)
        return 0;
    return 2 * (uint64_t)function_of(o, t) + (oracle_made_as(t->instr) == ISA_OP_ENTER);
}

static bool are_of_one_call(const struct token *a, const struct token *b)
{
    return a->tag == b->tag && a->instr->node->site == b->instr->node->site;
}

/* Whether another one waits to make the same activation. */
bool oracle_stands_with(const struct oracle *o, const struct token *t)
{
    for (size_t i = 0; i < o->waiting_calls.count; i++)
        if (are_of_one_call(&o->waiting_calls.items[i], t))
            return true;
    return false;
}

static struct token *first_of(const struct oracle *o, uint64_t list)
{
    for (size_t i = 0; i < o->waiting_calls.count; i++)
        if (list_of(o, &o->waiting_calls.items[i]) == list)
            return &o->waiting_calls.items[i];
    return NULL;
}

/* A call token finds no number. Returns true if it does not fire now. */
static bool find_none(struct oracle *o, struct token *t)
{
    if (o->s->exhausted == ORACLE_STOP) {
        oracle_end(o, ORACLE_TAGS_EXHAUSTED,
                   o->s->tag_scheme == ORACLE_POOL ? "tag.pool" : "tag.bits");
        return true;
    }
    o->outcome->stats.tag_stalls++;
    if (o->s->exhausted == ORACLE_SPILL) {
        t->later += o->s->spill_latency;
        oracle_why_spills(o);
        return false;
    }
    oracle_put(&o->waiting_calls, t);
    return true;
}

/* "Who keeps identifiers". */
static uint32_t keeper_of(const struct oracle *o, uint32_t function)
{
    for (uint32_t n = 0; n < o->graph->node_count && o->s->tag_scheme == ORACLE_POOL; n++)
        if (o->graph->nodes[n].function == function)
            return o->graph->nodes[n].machine;
    return 0;
}

static void ask_keeper(struct oracle *o, const struct token *t)
{
    const struct isa_node *node = t->instr->node;
    const bool limited = o->s->tag_scheme == ORACLE_INTERNED ||
                         (o->s->tag_scheme == ORACLE_POOL && o->s->tag_pool > 0);
    if (o->graph->stage != ISA_STAGE_PARTITIONED || !limited ||
        (node->machine == keeper_of(o, function_of(o, t)) && !oracle_wrong(o, KEPT)))
        return;
    const bool first = isa_op_tracks(node->op) || node->index == 0;
    if (first)
        o->outcome->stats.identifier_messages += 3;
    else if (o->s->tag_scheme == ORACLE_INTERNED && o->s->one_unit)
        o->outcome->stats.identifier_messages += 2;
}

/* Whether a call token does not fire in this turn: a bound holds it, or it waits for a tag manager
 * or number. Else it may send later. */
bool oracle_tag_waits(struct oracle *o, unsigned pe, struct token *t)
{
    if (!is_call_token(t))
        return false;
    t->to = pe;
    if (oracle_made_as(t->instr) == ISA_OP_NEXT && oracle_next_waits(o, pe, t))
        return true;
    if (!t->served && !t->numbered)
        ask_keeper(o, t);
    if (o->s->tag_scheme == ORACLE_INTERNED && !t->served) {
        oracle_put(&o->pes[o->s->one_unit ? 0 : pe].unit, t);
        return true;
    }
    if (t->numbered || is_there(t))
        return false;
    if (!oracle_stands_with(o, t) && is_free(o, t) && !first_of(o, list_of(o, t)))
        return false;
    return find_none(o, t);
}

/* --- "Tag units": step 6 ------------------------------------------------------------ */

void oracle_units_serve(struct oracle *o)
{
    const uint64_t most = o->s->intern_bandwidth;
    if (o->s->scale && o->now % o->s->scale && !oracle_wrong(o, CLOCK))
        return;
    for (unsigned u = 0; u < o->s->pe_count; u++) {
        struct tokens *unit = &o->pes[u].unit;
        for (uint64_t i = 0; unit->count && (most == 0 || i < most) && !o->ended; i++) {
            if (!oracle_room_to_go_on(o, &unit->items[0])) {
                o->held_back = true;
                oracle_why_lacks(o, &unit->items[0]);
                break;
            }
            struct token t = oracle_take(unit, 0);
            oracle_why_served(o, &t, u);
            t.served = true;
            t.later += o->s->intern_latency;
            o->moved = true;
            oracle_turn(o, t.to, t);
        }
    }
}

/* --- "Going on": step 5 ------------------------------------------------------------- */

static void fire_call(struct oracle *o, struct token call)
{
    o->moved = true;
    for (size_t i = 0; i < o->waiting_calls.count && !o->ended;) {
        if (!are_of_one_call(&o->waiting_calls.items[i], &call)) {
            i++;
            continue;
        }
        struct token t = oracle_take(&o->waiting_calls, i);
        oracle_why_numbered(o, &t);
        t.numbered = true;
        oracle_turn(o, t.to, t);
    }
}

void oracle_calls_go_on(struct oracle *o)
{
    for (uint64_t list = 0; list < 2 * (uint64_t)o->graph->function_count; list++) {
        struct token *t;
        while (!o->ended && (t = first_of(o, list)) && is_free(o, t)) {
            if (!oracle_room_to_go_on(o, t)) {
                o->held_back = true;
                oracle_why_lacks(o, t);
                break;
            }
            fire_call(o, *t);
        }
    }
}

bool oracle_call_could_go_on(const struct oracle *o)
{
    for (size_t i = 0; i < o->waiting_calls.count; i++) {
        const struct token *t = &o->waiting_calls.items[i];
        if (first_of(o, list_of(o, t)) == t && is_free(o, t))
            return true;
    }
    return false;
}

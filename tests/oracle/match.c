/* "Matching stores": operands that wait for their partners. */
#include "tests/oracle/state.h"

/* The operand of an instruction that waits under a tag, or NULL. */
struct waiting *oracle_partner(struct activation *tag, const struct instr *instr)
{
    for (size_t i = 0; i < tag->waiting.count; i++)
        if (tag->waiting.items[i].token.instr == instr)
            return &tag->waiting.items[i];
    return NULL;
}

/* Settings for the matching store of a PE ("Classes of PEs"). */
const struct oracle_settings *oracle_store_of(const struct oracle *o, unsigned pe)
{
    return oracle_wrong(o, STORES) ? o->s : oracle_at(o, pe);
}

static bool is_hash(const struct oracle *o, unsigned pe)
{
    return !o->s->frames && oracle_store_of(o, pe)->match_capacity > 0;
}

/* Makes an operand wait in the frame of an activation, in the store of `pe`. */
void oracle_wait(struct oracle *o, const struct token *t, struct activation *where,
                 unsigned pe)
{
    struct waiting *w = LIB_VEC_PUSH(&where->waiting);
    *w = (struct waiting){.token = *t, .set = NONE, .pe = pe};
    o->waiting++;
    oracle_memory_wait(o, t);
    o->matches += t->instr->node->op != ISA_OP_APPLY || !oracle_wrong(o, MATCH);
    if (!is_hash(o, pe) || t->instr->node->op == ISA_OP_APPLY)
        return;
    const struct oracle_settings *s = oracle_store_of(o, pe);
    const uint64_t ways = s->match_ways < s->match_capacity ? s->match_ways
                                                            : s->match_capacity;
    const uint64_t set = oracle_set_of(t->instr, where, s->match_capacity / ways);
    struct pe *p = &o->pes[pe];
    if (p->sets[set] < ways) {
        p->sets[set]++;
        w->set = set;
    } else if (s->overflow_capacity && p->overflow >= s->overflow_capacity) {
        oracle_end(o, ORACLE_STORE_FULL, "match.overflow.capacity");
    } else {
        p->overflow++;
        o->outcome->stats.match_overflows++;
        oracle_overflow_access(o, pe, t->instr, where, true);
    }
}

/* Takes out an operand. Returns the extra cycles of the result, of which it waited *waited for a
 * bank. */
uint64_t oracle_unwait(struct oracle *o, struct activation *where,
                       const struct waiting *w, uint64_t *waited)
{
    *waited = 0;
    const struct waiting was = *w;
    for (size_t i = (size_t)(w - where->waiting.items); i + 1 < where->waiting.count; i++)
        where->waiting.items[i] = where->waiting.items[i + 1];
    where->waiting.count--;
    o->waiting--;
    if (!was.away || !oracle_is_on_tensors(was.token.instr->node->op))
        oracle_memory_leave(o, &was.token);
    if (!is_hash(o, was.pe) || was.token.instr->node->op == ISA_OP_APPLY)
        return 0;
    if (was.set != NONE) {
        o->pes[was.pe].sets[was.set]--;
        return 0;
    }
    o->pes[was.pe].overflow--;
    *waited = oracle_overflow_access(o, was.pe, was.token.instr, where, false);
    return *waited +
           (oracle_wrong(o, SLOWER) ? 0 : oracle_store_of(o, was.pe)->overflow_latency);
}

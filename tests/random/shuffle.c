#include "tests/random/shuffle.h"

#include "isa/fire/fire.h"

/* What was foreseen of a token, and what its firing has sent so far. */
struct prophecy {
    struct isa_foreseen foreseen;
    const struct isa_instr *instr;
    isa_tag tag; /* that of what it sends; ISA_TAG_NONE: one whose path is `path` */
    uint64_t path;
    uint32_t sent;
    const char *wrong; /* what has happened and was not foreseen, or NULL */
};

struct bag {
    struct isa_exec *exec;
    LIB_VEC(struct isa_token) tokens;
    uint64_t state;
    struct prophecy prophecy;
};

/* Takes any one. */
static struct isa_token take_random(struct bag *bag)
{
    bag->state += UINT64_C(0x9e3779b97f4a7c15);
    size_t i = lib_hash_mix(bag->state) % bag->tokens.count;
    struct isa_token t = bag->tokens.items[i];
    bag->tokens.items[i] = bag->tokens.items[--bag->tokens.count];
    return t;
}

static void foresee(struct prophecy *p, const struct isa_exec *x,
                    const struct isa_token *t)
{
    const isa_tag tag = isa_token_tag(t);
    p->foreseen = isa_fire_foresee(x, t);
    p->instr = &x->code->instrs[isa_token_instr(t)];
    p->sent = 0;
    if (p->foreseen.under == ISA_UNDER_OWN) {
        p->tag = tag;
    } else if (p->foreseen.under == ISA_UNDER_CALLER) {
        p->tag = isa_activations_get(&x->tags, tag)->parent;
    } else {
        p->tag = isa_fire_made_child(x, tag, p->instr);
        p->path = isa_fire_child_path(x, tag, p->instr);
    }
}

/* Looks at tokens that are sent, but for answers of reads, which are not foreseen. */
static void look_at_sent(struct prophecy *p, const struct isa_exec *x,
                         const struct isa_instr *instr, isa_tag tag, uint32_t count)
{
    if (instr != p->instr)
        return;
    p->sent += count;
    if (p->tag != ISA_TAG_NONE ? tag != p->tag
                               : isa_activations_get(&x->tags, tag)->path != p->path)
        p->wrong = "tokens of another tag than foreseen";
}

/* Whether a firing may send fewer tokens than foreseen. */
static bool may_send_fewer(const struct isa_exec *x, const struct prophecy *p,
                           enum isa_fired fired)
{
    const struct isa_op_does *does = &isa_op_does[p->instr->op];
    const struct isa_code_list *out = p->instr->out;
    if (fired == ISA_FIRED_DEAD)
        return does->dead == ISA_DEAD_SITE && p->instr->index > 0 && p->sent == 0;
    if (does->sends == ISA_SENDS_ONE && !x->code->propagate)
        return p->sent == out[0].count || p->sent == out[1].count;
    const bool waits = does->access & ISA_ACCESS_READS || x->structures.ports;
    return p->sent == 0 && (fired == ISA_FIRED_ABSORBED || waits);
}

/* Compares what a token did, if it did not trap, with what was foreseen. */
static void check_foreseen(struct prophecy *p, const struct isa_exec *x,
                           enum isa_fired fired)
{
    static const enum isa_outcome outcomes[] = {
        [ISA_FIRED_LIVE] = ISA_OUTCOME_LIVE,
        [ISA_FIRED_DEAD] = ISA_OUTCOME_DEAD,
        [ISA_FIRED_CARRIED] = ISA_OUTCOME_LIVE,
        [ISA_FIRED_WAITING] = ISA_OUTCOME_WAITS,
        [ISA_FIRED_ABSORBED] = ISA_OUTCOME_ABSORBED,
        [ISA_FIRED_PARKED] = ISA_OUTCOME_PARKS};
    const enum isa_outcome outcome = p->foreseen.outcome;
    const bool is_dead = outcome == ISA_OUTCOME_DEAD || outcome == ISA_OUTCOME_UNMADE;
    if (is_dead ? fired != ISA_FIRED_DEAD && fired != ISA_FIRED_CARRIED
                : outcomes[fired] != outcome)
        p->wrong = "another outcome of a token than foreseen";
    if (p->sent != p->foreseen.most &&
        (p->sent > p->foreseen.most || !may_send_fewer(x, p, fired)))
        p->wrong = "another number of tokens than foreseen";
}

static void put_token(void *engine, const struct isa_instr *instr, isa_tag tag,
                      isa_value value, uint64_t depth, struct isa_code_list to,
                      unsigned how)
{
    struct bag *bag = engine;
    look_at_sent(&bag->prophecy, bag->exec, instr, tag, to.count);
    for (uint32_t i = 0; i < to.count; i++) {
        isa_code_dest dest = bag->exec->code->dests[to.first + i];
        uint32_t mark = how & ISA_SEND_DEAD ? ISA_TOKEN_DEAD : 0;
        *LIB_VEC_PUSH(&bag->tokens) = (struct isa_token){
            value,
            isa_token_key(isa_exec_dest(bag->exec, dest, tag) | mark, tag),
            depth << ISA_OWNER_BITS,
        };
    }
}

static enum isa_end run(struct isa_exec *x, struct bag *bag, uint64_t tokens,
                        uint64_t *fired)
{
    struct isa_firing firing;
    const struct isa_fire_to to = {&x->counts, &firing, put_token, bag, false};
    while (bag->tokens.count) {
        if (x->counts.tokens > tokens)
            return ISA_END_LIMIT;
        struct isa_token t = take_random(bag);
        foresee(&bag->prophecy, x, &t);
        enum isa_fired how = isa_fire_any(x, &t, true, to);
        if (how == ISA_FIRED_STOPPED)
            return x->out_of_memory ? ISA_END_LIMIT : ISA_END_TRAPPED;
        check_foreseen(&bag->prophecy, x, how);
        struct isa_token woken;
        while (isa_loop_constant_wake(x, &woken))
            *LIB_VEC_PUSH(&bag->tokens) = woken;
        if (fired && how == ISA_FIRED_LIVE)
            fired[x->code->instrs[isa_token_instr(&t)].op]++;
    }
    return isa_exec_end(x);
}

enum isa_end shuffle_run(struct isa_exec *exec, const struct isa_code *code,
                         uint64_t seed, uint64_t tokens, uint64_t *fired,
                         const char **wrong)
{
    struct bag bag = {.exec = exec, .state = seed};
    isa_exec_init(exec, code, UINT64_C(1) << 30);
    for (uint32_t i = 0; i < code->start_count; i++)
        *LIB_VEC_PUSH(&bag.tokens) = isa_exec_start(exec, i);
    enum isa_end end = run(exec, &bag, tokens, fired);
    *wrong = bag.prophecy.wrong;
    LIB_VEC_FREE(&bag.tokens);
    return end;
}

#include "tests/shuffle.h"

#include "isa/fire.h"

struct bag {
    LIB_VEC(struct isa_token) tokens;
    uint64_t state;
};

/* Takes any one. */
static struct isa_token take(struct bag *bag)
{
    bag->state += UINT64_C(0x9e3779b97f4a7c15);
    size_t i = lib_hash_mix(bag->state) % bag->tokens.count;
    struct isa_token t = bag->tokens.items[i];
    bag->tokens.items[i] = bag->tokens.items[--bag->tokens.count];
    return t;
}

static void put_sent(struct isa_exec *x, struct bag *bag)
{
    for (unsigned s = 0; s < x->send_count; s++) {
        const struct isa_send *send = &x->sends[s];
        for (uint32_t i = 0; i < send->to.count; i++)
            *LIB_VEC_PUSH(&bag->tokens) = isa_exec_token(x, send, i);
    }
}

static enum isa_end run(struct isa_exec *x, struct bag *bag, uint64_t tokens,
                        uint64_t *fired)
{
    while (bag->tokens.count) {
        if (x->counts.tokens > tokens)
            return ISA_END_LIMIT;
        struct isa_token t = take(bag);
        enum isa_fired how = isa_fire(x, &t, true);
        if (how == ISA_FIRED_STOPPED)
            return x->out_of_memory ? ISA_END_LIMIT : ISA_END_TRAPPED;
        if (fired && how == ISA_FIRED_LIVE)
            fired[x->code->instrs[t.instr].op]++;
        put_sent(x, bag);
        for (uint32_t d = x->released; d != ISA_DEFERRED_END;) {
            d = isa_fire_answer(x, d, true);
            put_sent(x, bag);
        }
    }
    return isa_exec_end(x);
}

enum isa_end shuffle_run(struct isa_exec *exec, const struct isa_code *code,
                         uint64_t seed, uint64_t tokens, uint64_t *fired)
{
    struct bag bag = {.state = seed};
    isa_exec_init(exec, code, UINT64_C(1) << 30);
    for (uint32_t i = 0; i < code->start_count; i++)
        *LIB_VEC_PUSH(&bag.tokens) = (struct isa_token){.instr = code->starts[i],
                                                        .tag = ISA_TAG_ROOT};
    enum isa_end end = run(exec, &bag, tokens, fired);
    LIB_VEC_FREE(&bag.tokens);
    return end;
}

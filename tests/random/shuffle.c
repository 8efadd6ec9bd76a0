#include "tests/random/shuffle.h"

#include "isa/fire/fire.h"

struct bag {
    struct isa_exec *exec;
    LIB_VEC(struct isa_token) tokens;
    uint64_t state;
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

static void put_token(void *engine, const struct isa_instr *instr, isa_tag tag,
                      isa_value value, uint64_t depth, struct isa_code_list to,
                      unsigned how)
{
    struct bag *bag = engine;
    (void)instr;
    for (uint32_t i = 0; i < to.count; i++) {
        isa_code_dest dest = bag->exec->code->dests[to.first + i];
        uint32_t mark = how & ISA_SEND_DEAD ? ISA_TOKEN_DEAD : 0;
        *LIB_VEC_PUSH(&bag->tokens) = (struct isa_token){
            value,
            isa_token_key(isa_exec_dest(bag->exec, dest, tag) | mark, tag),
            depth << ISA_PE_BITS,
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
        enum isa_fired how = isa_fire_any(x, &t, true, to);
        if (how == ISA_FIRED_STOPPED)
            return x->out_of_memory ? ISA_END_LIMIT : ISA_END_TRAPPED;
        struct isa_token woken;
        while (isa_loop_constant_wake(x, &woken))
            *LIB_VEC_PUSH(&bag->tokens) = woken;
        if (fired && how == ISA_FIRED_LIVE)
            fired[x->code->instrs[isa_token_instr(&t)].op]++;
    }
    return isa_exec_end(x);
}

enum isa_end shuffle_run(struct isa_exec *exec, const struct isa_code *code,
                         uint64_t seed, uint64_t tokens, uint64_t *fired)
{
    struct bag bag = {.exec = exec, .state = seed};
    isa_exec_init(exec, code, UINT64_C(1) << 30);
    for (uint32_t i = 0; i < code->start_count; i++)
        *LIB_VEC_PUSH(&bag.tokens) = isa_exec_start(exec, i);
    enum isa_end end = run(exec, &bag, tokens, fired);
    LIB_VEC_FREE(&bag.tokens);
    return end;
}

#include "isa/interp.h"

#include "isa/fire.h"

enum { BATCH = 1 << 16 }; /* tokens made between two looks at limits, about */

static inline void push(struct isa_interp *p, const struct isa_send *send)
{
    for (uint32_t i = 0; i < send->to.count; i++)
        *LIB_VEC_PUSH(&p->stack) = isa_exec_token(&p->exec, send, i);
}

static inline void push_all(struct isa_interp *p)
{
    for (unsigned i = 0; i < p->exec.send_count; i++)
        push(p, &p->exec.sends[i]);
}

/* One token; false when the execution stopped. */
static inline __attribute__((always_inline)) bool step(struct isa_interp *p, bool digests)
{
    struct isa_exec *x = &p->exec;
    struct isa_token t = p->stack.items[--p->stack.count];
    if (__builtin_expect(isa_fire(x, &t, digests) == ISA_FIRED_STOPPED, 0))
        return false;
    push_all(p);
    for (uint32_t d = x->released; __builtin_expect(d != ISA_DEFERRED_END, 0);) {
        d = isa_fire_answer(x, d, digests);
        push_all(p);
    }
    return true;
}

/* Up to a batch of tokens; false when the execution stopped. */
static bool run_batch(struct isa_interp *p, bool digests)
{
    const uint32_t batch = p->batch;
    for (uint32_t n = 0; n < batch && p->stack.count; n++)
        if (!step(p, digests))
            return false;
    return true;
}

static bool is_over_limit(const struct isa_interp *p)
{
    uint64_t bytes = p->exec.tags.used * ISA_FRAME_UNIT +
                     p->stack.count * sizeof *p->stack.items;
    return (p->limits.tokens && p->exec.counts.tokens > p->limits.tokens) ||
           bytes > p->limits.memory;
}

/* Fewer tokens at once where one may make many, and no more than are allowed: a limit is
 * passed by a little only. */
static uint32_t batch_size(const struct isa_code *code,
                           const struct isa_interp_limits *limits)
{
    uint64_t widest = 2;
    for (uint32_t i = 0; i < code->instr_count; i++) {
        const struct isa_instr *instr = &code->instrs[i];
        uint64_t made = (uint64_t)instr->out[0].count + instr->out[1].count;
        if (made > widest)
            widest = made;
    }
    uint64_t batch = widest < BATCH ? BATCH / (widest / 2) : 1;
    return (uint32_t)(limits->tokens && limits->tokens < batch ? limits->tokens : batch);
}

void isa_interp_start(struct isa_interp *interp, const struct isa_code *code,
                      const struct isa_interp_limits *limits, bool digests)
{
    *interp = (struct isa_interp){
        .limits = *limits, .digests = digests, .batch = batch_size(code, limits)};
    isa_exec_init(&interp->exec, code, limits->memory);
    for (uint32_t i = code->start_count; i-- > 0;)
        *LIB_VEC_PUSH(&interp->stack) = (struct isa_token){.instr = code->starts[i],
                                                           .tag = ISA_TAG_ROOT};
}

/* In builds with --enable-checks: every token on the stack belongs to a live activation,
 * and those made and not consumed are there, or wait. */
static void check(const struct isa_interp *p)
{
#ifdef HIATON_CHECKS
    const struct isa_exec *x = &p->exec;
    uint64_t moving = 0;
    for (size_t i = 0; i < p->stack.count; i++) {
        const struct isa_token *t = &p->stack.items[i];
        assert(isa_tags_get(&x->tags, t->tag)->live > 0 && "its activation is alive");
        moving += x->code->instrs[t->instr].tokens > 0;
    }
    assert(x->counts.made - x->counts.consumed == moving + x->counts.waiting &&
           "tokens made and not consumed are on the stack or wait");
#else
    (void)p;
#endif
}

bool isa_interp_advance(struct isa_interp *p, uint64_t tokens)
{
    uint64_t until = p->exec.counts.tokens + tokens;
    while (p->stack.count && p->exec.counts.tokens < until) {
        bool going = p->digests ? run_batch(p, true) : run_batch(p, false);
        if (!going) {
            p->end = p->exec.out_of_memory ? ISA_END_LIMIT : ISA_END_TRAPPED;
            return false;
        }
        check(p);
        if (is_over_limit(p)) {
            p->end = ISA_END_LIMIT;
            return false;
        }
    }
    p->end = isa_exec_end(&p->exec);
    return p->stack.count > 0;
}

void isa_interp_run(struct isa_interp *interp, const struct isa_code *code,
                    const struct isa_interp_limits *limits, bool digests,
                    const volatile sig_atomic_t *stop)
{
    isa_interp_start(interp, code, limits, digests);
    while (isa_interp_advance(interp, BATCH))
        if (stop && *stop) {
            interp->end = ISA_END_INTERRUPTED;
            return;
        }
}

void isa_interp_free(struct isa_interp *interp)
{
    isa_exec_free(&interp->exec);
    LIB_VEC_FREE(&interp->stack);
}

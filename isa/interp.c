#include "isa/interp.h"

#include "isa/fire.h"

/* Tokens that were sent and not yet looked at: the last one is next. */
struct stack {
    struct isa_token *tokens;
    size_t count, capacity;
};

enum { BATCH = 1 << 16 }; /* tokens between two looks at limits and interruption */

static inline void push(struct isa_exec *x, struct stack *s, const struct isa_send *send)
{
    while (__builtin_expect(s->count + send->to.count > s->capacity, 0)) {
        s->capacity *= 2;
        s->tokens = lib_mem_resize(s->tokens, s->capacity * sizeof *s->tokens);
    }
    const isa_code_dest *dests = x->code->dests + send->to.first;
    for (uint32_t i = 0; i < send->to.count; i++) {
        uint32_t dest = isa_exec_dest(x, dests[i], send->tag);
        s->tokens[s->count++] = (struct isa_token){
            .value = send->value,
            .depth = send->depth,
            .instr = dest >> 1,
            .port = dest & 1,
            .dead = send->dead,
            .tag = send->tag,
        };
    }
}

static inline __attribute__((always_inline)) bool step(struct isa_exec *x, struct stack *s,
                                                       bool digests)
{
    struct isa_token t = s->tokens[--s->count];
    if (__builtin_expect(isa_fire(x, &t, digests) == ISA_FIRED_STOPPED, 0))
        return false;
    for (unsigned i = 0; i < x->send_count; i++)
        push(x, s, &x->sends[i]);
    for (uint32_t d = x->released; __builtin_expect(d != ISA_DEFERRED_END, 0);) {
        d = isa_fire_answer(x, d, digests);
        for (unsigned i = 0; i < x->send_count; i++)
            push(x, s, &x->sends[i]);
    }
    return true;
}

/* Up to BATCH steps; false when the execution stopped. */
static bool run_batch(struct isa_exec *x, struct stack *s, bool digests)
{
    for (int n = 0; n < BATCH && s->count; n++)
        if (!step(x, s, digests))
            return false;
    return true;
}

static enum isa_end run(struct isa_exec *x, struct stack *s,
                        const struct isa_interp_limits *limits, bool digests,
                        const volatile sig_atomic_t *stop)
{
    while (s->count) {
        bool going = digests ? run_batch(x, s, true) : run_batch(x, s, false);
        if (!going)
            return x->out_of_memory ? ISA_END_LIMIT : ISA_END_TRAPPED;
        if (limits->tokens && x->counts.tokens > limits->tokens)
            return ISA_END_LIMIT;
        if (x->tags.used * ISA_FRAME_UNIT + s->count * sizeof *s->tokens > limits->memory)
            return ISA_END_LIMIT;
        if (stop && *stop)
            return ISA_END_INTERRUPTED;
    }
    return isa_exec_end(x);
}

void isa_interp_run(struct isa_interp *interp, const struct isa_code *code,
                    const struct isa_interp_limits *limits, bool digests,
                    const volatile sig_atomic_t *stop)
{
    struct isa_exec *x = &interp->exec;
    isa_exec_init(x, code, limits->memory);
    struct stack s = {.capacity = 1024};
    while (s.capacity < code->start_count)
        s.capacity *= 2;
    s.tokens = lib_mem_new(s.capacity * sizeof *s.tokens);
    for (uint32_t i = code->start_count; i-- > 0;)
        s.tokens[s.count++] =
            (struct isa_token){.instr = code->starts[i], .tag = ISA_TAG_ROOT};
    interp->end = run(x, &s, limits, digests, stop);
    lib_mem_free(s.tokens);
}

void isa_interp_free(struct isa_interp *interp)
{
    isa_exec_free(&interp->exec);
}

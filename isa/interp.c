/* Eliminating common expressions across the jumps of run_lean, and making vectors of the
 * fields of a token, costs gcc a sixth of its speed. */
#if defined __GNUC__ && !defined __clang__
#pragma GCC optimize("no-gcse", "no-tree-pre", "no-tree-slp-vectorize")
#endif

#include "isa/interp.h"

#include "isa/fire.h"

enum { BATCH = 1 << 16 }; /* tokens made between two looks at limits, about */

/* --- with all that is measured ------------------------------------------------------------ */

static inline void push(void *engine, const struct isa_instr *instr, isa_tag tag,
                        isa_value value, uint64_t depth, struct isa_code_list to,
                        unsigned how)
{
    struct isa_interp *p = engine;
    const uint32_t mark = how & ISA_SEND_DEAD ? ISA_TOKEN_DEAD : 0;
    for (uint32_t i = 0; i < to.count; i++) {
        isa_code_dest dest = isa_exec_dest(&p->exec, instr,
                                           p->exec.code->dests[to.first + i], tag);
        *LIB_VEC_PUSH(&p->stack) = (struct isa_token){
            value, isa_token_key(dest | mark, tag), depth << ISA_PLACE_BITS};
    }
}

/* What waited for a constant goes on. */
static inline void wake(struct isa_interp *p)
{
    struct isa_token t;
    while (isa_hold_wake(&p->exec, &t))
        *LIB_VEC_PUSH(&p->stack) = t;
}

/* Up to a batch of tokens; false when the execution stopped. */
static bool run_measured(struct isa_interp *p, uint32_t batch, bool digests)
{
    struct isa_exec *x = &p->exec;
    struct isa_firing firing;
    const struct isa_fire_to to = {&x->counts, &firing, push, p};
    for (; batch > 0 && p->stack.count; batch--) {
        struct isa_token t = p->stack.items[--p->stack.count];
        p->starts -= x->code->instrs[isa_token_instr(&t)].tokens == 0;
        if (isa_fire_any(x, &t, digests, to) == ISA_FIRED_STOPPED)
            return false;
        wake(p);
    }
    return true;
}

/* --- lean: without measuring, and without hiatons ----------------------------------------- */

/* Where a firing's tokens go: one that fires is next, without a way through the stack; those
 * that only wait for their partners do so at once. */
struct sent {
    struct isa_interp *interp;
    const struct isa_instr *instrs;
    bool any;
    struct isa_token next;
    const struct isa_instr *instr; /* of `next` */
    uint64_t waited;               /* tokens */
};

/* Whether a token waits in its slot, which is then done. */
ISA_FIRE_INLINE bool waits(struct sent *sent, const struct isa_instr *instr,
                           uint32_t dest, isa_tag tag, isa_value value)
{
    if (instr->form != ISA_FORM_TWO)
        return false;
    struct isa_slot *slot = isa_exec_slot(&sent->interp->exec, tag, instr);
    if (!isa_slot_is_empty(slot))
        return false;
    *slot = isa_slot_with(value, 0, dest & 1, false);
    sent->waited++;
    return true;
}

ISA_FIRE_INLINE void put(struct sent *sent, uint32_t dest, isa_tag tag, isa_value value)
{
    const struct isa_instr *instr = &sent->instrs[dest >> 1];
    if (waits(sent, instr, dest, tag, value))
        return;
    const struct isa_token t = {value, isa_token_key(dest, tag), 0};
    if (sent->any) {
        *LIB_VEC_PUSH(&sent->interp->stack) = t;
        return;
    }
    sent->any = true;
    sent->next = t;
    sent->instr = instr;
}

ISA_FIRE_INLINE void send(void *engine, const struct isa_instr *instr, isa_tag tag,
                          isa_value value, uint64_t depth, struct isa_code_list to,
                          unsigned how)
{
    struct sent *sent = engine;
    const struct isa_exec *x = &sent->interp->exec;
    (void)depth; /* not measured */
    if (how & ISA_SEND_ONLY) {
        put(sent, instr->only, tag, value);
        return;
    }
    const isa_code_dest *const dests = &x->code->dests[to.first];
    if (instr->to_return)
        for (uint32_t i = 0; i < to.count; i++)
            put(sent, isa_exec_dest(x, instr, dests[i], tag), tag, value);
    else
        for (uint32_t i = 0; i < to.count; i++)
            put(sent, dests[i], tag, value);
}

/* With checks in each of the pieces below, compilers need minutes and gigabytes for them. */
#ifdef __SANITIZE_ADDRESS__
#define ONE_PIECE
#elif defined __has_feature
#if __has_feature(address_sanitizer)
#define ONE_PIECE
#endif
#endif

/* Up to a batch of firings; false when the execution stopped. A piece of code for each kind
 * of instruction, which jumps to that of the next token; one for all that take a constant of
 * a loop. */
static bool run_lean(struct isa_interp *p, const uint32_t batch)
{
#ifndef ONE_PIECE
    static const void *const code_of_kind[ISA_KIND_COUNT] = {
#define OP(NAME, ...)                                                                    \
    [ISA_KIND(ISA_OP_##NAME, ISA_FORM_FIRST)] = &&NAME##_first,                          \
                             [ISA_KIND(ISA_OP_##NAME,                                    \
                                       ISA_FORM_SECOND)] = &&NAME##_second,              \
                             [ISA_KIND(ISA_OP_##NAME, ISA_FORM_TWO)] = &&NAME##_two,     \
                             [ISA_KIND(ISA_OP_##NAME, ISA_FORM_HELD)] = &&held,
#include "isa/ops.def"
#undef OP
    };
#define PIECE *code_of_kind[instr->kind]
#else
#define PIECE any
#endif
    struct isa_exec *x = &p->exec;
    const struct isa_instr *instrs = x->code->instrs, *instr;
    struct isa_counts counts = {0};
    struct sent sent = {.interp = p, .instrs = instrs};
    const struct isa_fire_to to = {&counts, NULL, send, &sent};
    struct isa_token t;
    enum isa_fired fired = ISA_FIRED_LIVE;
    int64_t left = batch;

#define NEXT                                                                             \
    do {                                                                                 \
        if (sent.any) {                                                                  \
            t = sent.next;                                                               \
            instr = sent.instr;                                                          \
        } else if (p->stack.count) {                                                     \
            t = p->stack.items[--p->stack.count];                                        \
            instr = &instrs[isa_token_live_instr(&t)];                                   \
        } else {                                                                         \
            goto done;                                                                   \
        }                                                                                \
        if (--left < 0)                                                                  \
            goto out_of_batch;                                                           \
        goto PIECE;                                                                      \
    } while (0)

#define FIRE(OPCODE, FORM)                                                               \
    do {                                                                                 \
        const struct isa_fire_as as = {OPCODE, FORM, false, false, false, false, true};  \
        sent.any = false;                                                                \
        fired = isa_fire(x, &t, instr, as, to);                                          \
        if (__builtin_expect(fired == ISA_FIRED_STOPPED, 0))                             \
            goto done;                                                                   \
        if (isa_fire_releases(OPCODE) && fired == ISA_FIRED_LIVE)                        \
            for (uint32_t d = x->released; d != ISA_DEFERRED_END;)                       \
                d = isa_fire_answer(x, d, false, to);                                    \
        if ((OPCODE) == ISA_OP_HOLD)                                                     \
            wake(p);                                                                     \
        if ((FORM) == ISA_FORM_HELD && fired == ISA_FIRED_PARKED)                        \
            left++;                                                                      \
        NEXT;                                                                            \
    } while (0)

    NEXT;
#ifdef ONE_PIECE
any:
    FIRE(instr->op, instr->form);
#else
#define OP(NAME, ...)                                                                    \
    NAME##_first : FIRE(ISA_OP_##NAME, ISA_FORM_FIRST);                                  \
    NAME##_second : FIRE(ISA_OP_##NAME, ISA_FORM_SECOND);                                \
    NAME##_two : FIRE(ISA_OP_##NAME, ISA_FORM_TWO);
#include "isa/ops.def"
#undef OP
held:
    FIRE(instr->op, ISA_FORM_HELD);
#endif
#undef FIRE
#undef NEXT
#undef PIECE

out_of_batch:
    *LIB_VEC_PUSH(&p->stack) = t;
    left = 0;
done:
    counts.tokens = batch - (uint64_t)left + sent.waited;
    counts.waiting += sent.waited;
    counts.live = 0; /* what does not wait is on the stack: no need to count it */
    isa_counts_add(&x->counts, &counts);
    x->counts.live = x->counts.waiting + p->stack.count;
    if (fired == ISA_FIRED_STOPPED)
        x->counts.live += instr->tokens; /* those that it took */
    return fired != ISA_FIRED_STOPPED;
}

static bool is_over_limit(const struct isa_interp *p)
{
    uint64_t bytes = p->exec.tags.used * ISA_FRAME_UNIT + p->exec.structures.bytes +
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
        .limits = *limits,
        .measures = digests,
        .batch = batch_size(code, limits),
        .starts = code->start_count,
    };
    isa_exec_init(&interp->exec, code, limits->memory);
    for (uint32_t i = code->start_count; i-- > 0;)
        *LIB_VEC_PUSH(&interp->stack) = isa_exec_start(&interp->exec, i);
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
        assert(isa_tags_get(&x->tags, isa_token_tag(t))->live > 0 &&
               "its activation is alive");
        moving += x->code->instrs[isa_token_instr(t)].tokens > 0;
    }
    assert(x->counts.live == moving + x->counts.waiting &&
           "tokens made and not consumed are on the stack or wait");
#else
    (void)p;
#endif
}

bool isa_interp_advance(struct isa_interp *p, uint64_t tokens)
{
    uint64_t until = p->exec.counts.tokens + tokens;
    while (p->stack.count && p->exec.counts.tokens < until) {
        bool lean = !p->measures && !p->exec.code->propagate && p->starts == 0;
        bool going = lean ? run_lean(p, p->batch)
                          : run_measured(p, p->measures ? p->batch : 1, p->measures);
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

#include "isa/fire/gcc.h"

#include "isa/fire/interp.h"

#include "isa/fire/fire.h"

/* Separate pieces of run_lean save 5 % of the time under clang, which takes minutes to compile
 * them. */
#if defined __clang__ && !defined ISA_FIRE_ONE_PIECE
#define ISA_FIRE_ONE_PIECE
#endif

enum {
    BATCH = 1 << 16,  /* tokens made between two checks of the limits, about */
    DEPTH_BATCH = 64, /* tokens between two checks if limits.depth is set */
};

/* --- bounds of loops ------------------------------------------------------------------------- */

/* A loop without a bound unfolds as fast as its condition can be computed, as the newest token goes
 * first. With bounds, its memory does not depend on the number of iterations. A NEXT that would
 * begin an iteration beyond the bound waits until one has ended. If nothing else can be done, all
 * NEXTs proceed, and their loops get twice the bound, so that bounds cause no deadlock. */

enum { MAX_ITERATIONS = 64 }; /* bound of loops without another */

/* Sets the bounds of all sites that are not calls. */
static void set_bounds(struct isa_interp *p)
{
    const struct isa_graph *graph = p->exec.code->graph;
    const uint32_t standard = p->limits.loop_bound ? (uint32_t)p->limits.loop_bound
                                                   : MAX_ITERATIONS;
    uint32_t least = MAX_ITERATIONS;
    for (uint32_t s = 0; p->bounds && s < graph->site_count; s++) {
        const struct isa_function *f = &graph->functions[graph->sites[s].callee];
        if (f->is_loop)
            p->bounds[s] = f->bound ? f->bound : standard;
        if (f->is_loop && p->bounds[s] < least)
            least = p->bounds[s];
    }
    p->next_mask = 0;
    while (8 * (p->next_mask + 1) <= least)
        p->next_mask = 2 * p->next_mask + 1;
}

static struct isa_slot *flight_of(const struct isa_exec *x, const struct isa_instr *next,
                                  isa_tag tag)
{
    return isa_activations_flight(&x->tags, isa_activations_get(&x->tags, tag)->parent,
                                  next->site);
}

/* Whether a live NEXT would begin an iteration beyond the bound. The iteration that it leaves does
 * not count. Asks only in some iterations (next_mask), as asking takes time. */
static inline bool exceeds_bound(const struct isa_interp *p, const struct isa_instr *next,
                                 isa_tag tag)
{
    const struct isa_exec *x = &p->exec;
    if (~isa_iteration_number(isa_activations_get(&x->tags, tag)) & p->next_mask)
        return false;
    const isa_tag *child = isa_fire_child_entry(x, tag, next);
    return !(child && *child != ISA_TAG_NONE) && p->bounds &&
           isa_loop_alive(flight_of(x, next, tag)) > p->bounds[next->site];
}

/* Lets a NEXT wait until an iteration of its loop has ended. */
static __attribute__((noinline)) void hold_next(struct isa_interp *p,
                                                const struct isa_token *next)
{
    struct isa_exec *x = &p->exec;
    struct isa_slot *flight = flight_of(x, &x->code->instrs[isa_token_instr(next)],
                                        isa_token_tag(next));
    uint64_t at = p->free_next;
    if (at)
        p->free_next = p->nexts.items[at - 1].next;
    else
        (void)LIB_VEC_PUSH(&p->nexts), at = p->nexts.count;
    p->nexts.items[at - 1] = (struct isa_parked){
        *next, (uint32_t)(flight->info >> ISA_SLOT_DEPTH_SHIFT)};
    flight->info = (flight->info & ISA_SLOT_HELD) | ISA_SLOT_WANTED |
                   at << ISA_SLOT_DEPTH_SHIFT;
    x->counts.waiting++;
    p->next_count++;
}

/* Pushes the NEXTs that wait in a list; `info` is that of the slot of their loop. */
static void resume_list(struct isa_interp *p, uint64_t info)
{
    for (uint32_t at = (uint32_t)(info >> ISA_SLOT_DEPTH_SHIFT), after; at; at = after) {
        struct isa_parked *waiting = &p->nexts.items[at - 1];
        *LIB_VEC_PUSH(&p->stack) = waiting->token;
        after = waiting->next;
        *waiting = (struct isa_parked){.next = p->free_next};
        p->free_next = at;
        p->exec.counts.waiting--;
        p->next_count--;
    }
}

static __attribute__((noinline)) void resume_nexts(struct isa_interp *p)
{
    for (size_t i = 0; i < p->exec.tags.resumed.count; i++)
        resume_list(p, p->exec.tags.resumed.items[i]);
    p->exec.tags.resumed.count = 0;
}

/* Pushes all NEXTs that wait, and doubles the bounds of their loops. */
static void exceed_bounds(struct isa_interp *p)
{
    const struct isa_exec *x = &p->exec;
    const size_t count = p->nexts.count;
    for (size_t i = 0; i < count; i++) {
        const struct isa_token *next = &p->nexts.items[i].token;
        if (isa_token_tag(next) == ISA_TAG_NONE)
            continue;
        const struct isa_instr *instr = &x->code->instrs[isa_token_instr(next)];
        struct isa_slot *flight = flight_of(x, instr, isa_token_tag(next));
        const uint64_t bound = 2 * (uint64_t)p->bounds[instr->site];
        p->bounds[instr->site] = bound < UINT32_MAX ? (uint32_t)bound : UINT32_MAX;
        resume_list(p, flight->info);
        flight->info &= ISA_SLOT_HELD;
    }
}

/* --- measured ------------------------------------------------------------------------------- */

static inline void push(void *engine, const struct isa_instr *instr, isa_tag tag,
                        isa_value value, uint64_t depth, struct isa_code_list to,
                        unsigned how)
{
    struct isa_interp *p = engine;
    (void)instr;
    const uint32_t mark = how & ISA_SEND_DEAD ? ISA_TOKEN_DEAD : 0;
    for (uint32_t i = 0; i < to.count; i++) {
        isa_code_dest dest = isa_exec_dest(&p->exec, p->exec.code->dests[to.first + i],
                                           tag);
        *LIB_VEC_PUSH(&p->stack) = (struct isa_token){
            value, isa_token_key(dest | mark, tag), depth << ISA_OWNER_BITS};
    }
}

static inline void push_woken(struct isa_interp *p)
{
    struct isa_token t;
    while (isa_loop_constant_wake(&p->exec, &t))
        *LIB_VEC_PUSH(&p->stack) = t;
}

/* Delivers up to `batch` tokens. Returns false if the execution stopped. */
static bool run_measured(struct isa_interp *p, uint32_t batch, bool digests)
{
    struct isa_exec *x = &p->exec;
    struct isa_firing firing;
    const struct isa_fire_to to = {&x->counts, &firing, push, p, false};
    for (; batch > 0 && p->stack.count; batch--) {
        struct isa_token t = p->stack.items[--p->stack.count];
        const struct isa_instr *instr = &x->code->instrs[isa_token_instr(&t)];
        if (isa_op_does[instr->op].tag == ISA_UNDER_NEXT && !isa_token_is_dead(&t) &&
            exceeds_bound(p, instr, isa_token_tag(&t))) {
            hold_next(p, &t);
            continue;
        }
        p->starts -= instr->tokens == 0;
        if (isa_fire_any(x, &t, digests, to) == ISA_FIRED_STOPPED)
            return false;
        push_woken(p);
        if (x->tags.resumed.count)
            resume_nexts(p);
    }
    return true;
}

/* --- lean: without measuring, dead tokens and copies ------------------------------------------ */

/* State of run_lean. */
struct flow {
    struct isa_interp *interp;
    struct isa_token *top, *end; /* ends of the stack and of its memory */
    isa_value value;             /* current token, and then the next one */
    uint32_t dest;
    isa_tag tag;
    /* Where the firing sends its value to output list 0: nowhere, to `dest`, to out[0], or to
     * `list`. */
    enum { SENT_NONE, SENT_ONE, SENT_FIRST, SENT_LIST } sent;
    struct isa_code_list list;
    uint64_t waiting; /* operands in slots, minus those at the start; modulo 2^64 */
};

/* Updates `top` and `end` after the stack has grown or was changed elsewhere. */
ISA_FIRE_INLINE void find_top(struct flow *flow)
{
    flow->top = flow->interp->stack.items + flow->interp->stack.count;
    flow->end = flow->interp->stack.items + flow->interp->stack.capacity;
    flow->interp->exec.tags.stop = (uintptr_t)(flow->interp->stack.items +
                                               flow->interp->starts);
}

ISA_FIRE_INLINE void keep_top(struct flow *flow)
{
    flow->interp->stack.count = (size_t)(flow->top - flow->interp->stack.items);
}

ISA_FIRE_INLINE void push_lean(struct flow *flow, uint32_t dest, isa_tag tag,
                               isa_value value)
{
    if (__builtin_expect(flow->top == flow->end, 0)) {
        keep_top(flow);
        (void)LIB_VEC_PUSH(&flow->interp->stack);
        flow->interp->stack.count--;
        find_top(flow);
    }
    flow->top->value = value;
    flow->top->key = isa_token_key(dest, tag);
    flow->top->depth_owner = 0;
    flow->top++;
}

/* Puts a token into the slot of a two-operand instruction, if that is empty. Returns whether it
 * did. */
ISA_FIRE_INLINE bool waits(struct flow *flow, struct isa_slot *slot, uint32_t dest,
                           isa_value value)
{
    if (!isa_slot_is_empty(slot))
        return false;
    *slot = isa_slot_with(value, 0, dest & 1, false);
    flow->waiting++;
    return true;
}

/* Consumes a token that completes a SWITCH which sends nothing. Returns whether it did. Other
 * tokens must keep the activation alive. */
ISA_FIRE_INLINE bool ends(struct flow *flow, const struct isa_instr *instr, uint32_t dest,
                          isa_tag tag, isa_value value)
{
    if (instr->op != ISA_OP_SWITCH || instr->out[value ? 0 : 1].count || !(dest & 1) ||
        instr->refers)
        return false;
    struct isa_activation *a = isa_activations_get(&flow->interp->exec.tags, tag);
    if (instr->form == ISA_FORM_TWO) {
        struct isa_slot *slot = &isa_activation_slots(a)[instr->slot];
        if (isa_slot_port(slot))
            return false;
        slot->info = ISA_SLOT_EMPTY;
        flow->waiting--;
        a->live--;
    } else if (instr->form != ISA_FORM_SECOND) {
        return false;
    }
    a->live--;
    return true;
}

/* Delivers a token at once if it only waits for its partner or is consumed; else pushes it.
 * `beside`: whether the next token has the same activation. */
ISA_FIRE_INLINE void put_token(struct flow *flow, uint32_t dest, isa_tag tag,
                               isa_value value, bool beside)
{
    const struct isa_exec *x = &flow->interp->exec;
    const struct isa_instr *instr = &x->code->instrs[dest >> 1];
    if ((instr->form == ISA_FORM_TWO &&
         waits(flow, isa_exec_slot(x, tag, instr), dest, value)) ||
        (beside && ends(flow, instr, dest, tag, value)))
        flow->interp->left--;
    else
        push_lean(flow, dest, tag, value);
}

/* Sends a value (isa_fire_send). Only records where to for output list 0: run_lean sends that value
 * after the firing. */
ISA_FIRE_INLINE void send(void *engine, const struct isa_instr *instr, isa_tag tag,
                          isa_value value, uint64_t depth, struct isa_code_list to,
                          unsigned how)
{
    struct flow *flow = engine;
    (void)depth; /* not measured */
    if (how & ISA_SEND_MORE) {
        const isa_code_dest *const dests = &flow->interp->exec.code->dests[to.first];
        put_token(flow, dests[0], tag, value, false);
        for (uint32_t i = 1; __builtin_expect(i < to.count, 0); i++)
            put_token(flow, dests[i], tag, value, false);
        return;
    }
    flow->tag = tag;
    flow->value = value;
    if (how & ISA_SEND_ONLY) {
        flow->sent = SENT_ONE;
        flow->dest = instr->only;
    } else if (how & ISA_SEND_FIRST) {
        flow->sent = SENT_FIRST;
    } else {
        flow->sent = SENT_LIST;
        flow->list = to;
    }
}

enum matched { MATCHED, MATCH_WAITS, MATCH_COLLIDES };

/* Matches the current token of a two-operand instruction. Sets flow->value to operand 0, *b to
 * operand 1. */
ISA_FIRE_INLINE enum matched match(struct flow *flow, const struct isa_instr *instr,
                                   isa_value *b)
{
    const struct isa_exec *x = &flow->interp->exec;
    struct isa_slot *slot = isa_exec_slot(x, flow->tag, instr);
    if (waits(flow, slot, flow->dest, flow->value))
        return MATCH_WAITS;
    const struct isa_slot partner = *slot;
    slot->info = ISA_SLOT_EMPTY;
    flow->waiting--;
    isa_activations_get(&x->tags, flow->tag)->live--;
    if (flow->dest & 1) {
        *b = flow->value;
        flow->value = partner.value;
        return isa_slot_port(&partner) ? MATCH_COLLIDES : MATCHED;
    }
    *b = partner.value;
    return isa_slot_port(&partner) ? MATCHED : MATCH_COLLIDES;
}

static __attribute__((noinline)) void answer(struct isa_interp *p)
{
    struct isa_exec *x = &p->exec;
    struct isa_counts counts = {0}; /* unused: run_lean derives live tokens */
    const struct isa_fire_to to = {&counts, NULL, push, p, false};
    for (uint32_t d = x->released; d != ISA_DEFERRED_END;)
        d = isa_fire_answer(x, d, false, to);
}

/* Delivers up to `batch` tokens, but none of an instruction without token operands; these are the
 * oldest of the stack. Returns false if the execution stopped. Counts only tokens delivered and
 * alive. Each opcode has a piece of code, which ends in a jump to the piece of the next token
 * (isa/fire/interp_jump.def). Long, because labels cannot be jumped to from another function. */
static bool run_lean(struct isa_interp *p, const uint32_t batch)
{
#include "isa/fire/interp_jump.def"
    struct isa_exec *const x = &p->exec;
    const struct isa_instr *const instrs = x->code->instrs, *instr = NULL;
    struct isa_counts counts = {0};
    struct flow flow = {.interp = p};
    const struct isa_fire_to to = {&counts, NULL, send, &flow, false};
    isa_value b = 0; /* operand 1, if any; operand 0 is `flow.value` */
    bool going = true;
    FIND_PIECES(x->code);
    p->left = batch;
    find_top(&flow);

pop:
    if (__builtin_expect((uintptr_t)flow.top <= x->tags.stop, 0)) {
        if (x->tags.resumed.count)
            goto resumes;
        goto done;
    }
    flow.top--;
    flow.value = flow.top->value;
    flow.dest = isa_token_dest(flow.top);
    flow.tag = isa_token_tag(flow.top);
    DELIVER;

#ifdef ISA_FIRE_ONE_PIECE
any:
    if (instr->form == ISA_FORM_SECOND)
        goto second;
    if (instr->form == ISA_FORM_HELD)
        goto held;
    b = instr->value;
    if (instr->form == ISA_FORM_TWO)
        MATCH;
both:
    FIRE(instr->op, isa_fire_operands, b);
#else
#define OP(NAME, text, label, in, out, attributes, unit, effect, ...)                    \
    PIECES(NAME, in, effect);
#include "isa/ops.def"
#undef OP
#endif

second:
    b = flow.value;
    flow.value = instr->value;
    goto by_op;

held : {
    struct isa_slot *constant = isa_loop_constant_slot(x, flow.tag, instr);
    if (__builtin_expect(!isa_slot_is_held(constant), 0)) {
        const struct isa_token t = {flow.value, isa_token_key(flow.dest, flow.tag), 0};
        isa_loop_constant_park(x, constant, &t);
        p->left++; /* not delivered yet */
        goto pop;
    }
    b = constant->value;
    if (flow.dest & 1) {
        b = flow.value;
        flow.value = constant->value;
    }
}

by_op:
#ifdef ISA_FIRE_ONE_PIECE
    goto both;
#else
    switch (instr->op) {
#define OP(NAME, ...)                                                                    \
    case ISA_OP_##NAME:                                                                  \
        goto both_##NAME;
#include "isa/ops.def"
#undef OP
    default:
        __builtin_unreachable();
    }
#endif

first_list:
    LIST(instr->out[0]);
list:
    LIST(flow.list);
answers:
    keep_top(&flow);
    answer(p);
    find_top(&flow);
    goto pop;
wakes:
    keep_top(&flow);
    push_woken(p);
    find_top(&flow);
    goto pop;
holds_next : {
    const struct isa_token t = {flow.value, isa_token_key(flow.dest, flow.tag), 0};
    hold_next(p, &t);
    p->left++; /* not delivered yet */
    goto pop;
}
resumes:
    keep_top(&flow);
    resume_nexts(p);
    find_top(&flow);
    goto pop;
collides:
    isa_exec_trap(x, ISA_TRAP_COLLISION, isa_fire_number(x, instr), flow.tag);
stopped:
    going = false;
    goto done;
out_of_batch:
    push_lean(&flow, flow.dest, flow.tag, flow.value);
    p->left++;
done:
    keep_top(&flow);
    counts.tokens = batch -
                    (uint64_t)p->left; /* more than `batch` if put_token delivered some */
    counts.waiting = flow.waiting;
    counts.live = 0; /* set below: tokens that do not wait are on the stack */
    isa_counts_add(&x->counts, &counts);
    x->counts.live = x->counts.waiting + p->stack.count - p->starts;
    if (!going)
        x->counts.live += instr->tokens; /* tokens of the instruction that stopped */
    return going;
}

uint64_t isa_interp_state_bytes(const struct isa_interp *p)
{
    return p->exec.tags.used * ISA_FRAME_UNIT + p->exec.structures.bytes +
           p->stack.count * sizeof *p->stack.items;
}

static bool is_over_limit(const struct isa_interp *p)
{
    return (p->limits.tokens && p->exec.counts.tokens > p->limits.tokens) ||
           (p->limits.depth && p->exec.tags.deepest > p->limits.depth) ||
           isa_interp_state_bytes(p) > p->limits.memory;
}

/* Returns the number of tokens in a batch: fewer if a token may make many, so that limits.memory is
 * hardly exceeded. */
static uint32_t batch_size(const struct isa_code *code)
{
    uint64_t widest = 2;
    for (uint32_t i = 0; i < code->instr_count; i++) {
        const struct isa_instr *instr = &code->instrs[i];
        uint64_t made = (uint64_t)instr->out[0].count + instr->out[1].count;
        if (made > widest)
            widest = made;
    }
    return (uint32_t)(widest < BATCH ? BATCH / (widest / 2) : 1);
}

/* Returns the size of the next batch, at most up to the first token beyond limits.tokens, so that
 * exactly the runs within the limit reach their end. */
static uint32_t next_batch(const struct isa_interp *p)
{
    const uint64_t left = p->limits.tokens - p->exec.counts.tokens;
    return p->limits.tokens && left < p->batch ? (uint32_t)left + 1 : p->batch;
}

static void push_starts(struct isa_interp *interp)
{
    if (!isa_ports_start(&interp->exec)) {
        interp->end = ISA_END_LIMIT;
        return;
    }
    for (uint32_t i = interp->exec.code->start_count; i-- > 0;)
        *LIB_VEC_PUSH(&interp->stack) = isa_exec_start(&interp->exec, i);
}

static bool has_loops(const struct isa_code *code)
{
    bool has = false;
    for (uint32_t f = 0; f < code->graph->function_count && !code->machines; f++)
        has |= code->graph->functions[f].is_loop;
    return has;
}

void isa_interp_start(struct isa_interp *interp, const struct isa_code *code,
                      const struct isa_interp_limits *limits, bool digests)
{
    *interp = (struct isa_interp){
        .limits = *limits,
        .measures = digests || limits->depth > 0,
        .batch = limits->depth ? DEPTH_BATCH : batch_size(code),
        .starts = code->start_count,
        .bounds = has_loops(code)
                      ? lib_mem_new(code->graph->site_count * sizeof(uint32_t))
                      : NULL,
    };
    isa_exec_init(&interp->exec, code, limits->memory);
    set_bounds(interp);
    push_starts(interp);
}

void isa_interp_reset(struct isa_interp *interp, const struct isa_code *code)
{
    struct isa_interp next = {
        .limits = interp->limits,
        .measures = interp->measures,
        .batch = interp->batch,
        .bounds = interp->bounds,
        .starts = code->start_count,
    };
    isa_exec_reset(&interp->exec, code);
    next.exec = interp->exec;
    LIB_VEC_HAND_OVER(&next.stack, &interp->stack);
    LIB_VEC_HAND_OVER(&next.nexts, &interp->nexts);
    *interp = next;
    set_bounds(interp);
    push_starts(interp);
}

void isa_interp_again(struct isa_interp *interp, const struct isa_reexec *again)
{
    assert(interp->end == ISA_END_COMPLETED && !interp->stack.count);
    isa_reexec_empty(again, &interp->exec);
    interp->again = again;
}

static void answer_ports(struct isa_interp *p)
{
    struct isa_exec *x = &p->exec;
    struct isa_port_wait wait;
    isa_value value;
    const struct isa_fire_to to = {&x->counts, NULL, push, p, false};
    while (isa_ports_pull(x, &wait, &value))
        isa_fire_answer_port(x, &wait, value, p->measures, to);
}

enum isa_feed isa_interp_feed(struct isa_interp *p, uint32_t port,
                              const struct isa_port_value *values)
{
    const enum isa_feed fed = isa_ports_feed(&p->exec, port, values);
    if (fed == ISA_FEED_DONE)
        answer_ports(p);
    return fed;
}

bool isa_interp_close(struct isa_interp *p, uint32_t port)
{
    if (!isa_ports_close(&p->exec, port)) {
        p->end = ISA_END_TRAPPED;
        return false;
    }
    answer_ports(p);
    return true;
}

/* Fires all starts of a re-execution first, so that the rest can be lean. Returns false if the
 * execution stopped. */
static bool fire_starts(struct isa_interp *p)
{
    const struct isa_reexec *again = p->again;
    p->again = NULL;
    p->starts = again->start_count;
    for (uint32_t i = again->start_count; i-- > 0;) {
        *LIB_VEC_PUSH(&p->stack) = (struct isa_token){
            .key = isa_token_key(again->starts[i] << 1, ISA_TAG_ROOT)};
        if (!run_measured(p, 1, p->measures))
            return false;
    }
    return true;
}

/* In builds with --enable-checks: asserts that each token on the stack has a live activation, and
 * that each live token is on the stack or waits. */
static void check_tokens(const struct isa_interp *p)
{
#ifdef HIATON_CHECKS
    const struct isa_exec *x = &p->exec;
    uint64_t moving = 0;
    for (size_t i = 0; i < p->stack.count; i++) {
        const struct isa_token *t = &p->stack.items[i];
        assert(isa_activations_get(&x->tags, isa_token_tag(t))->live > 0 &&
               "its activation is alive");
        moving += x->code->instrs[isa_token_instr(t)].tokens > 0;
    }
    assert(x->counts.live == moving + x->counts.waiting &&
           "tokens made and not consumed are on the stack or wait");
#else
    (void)p;
#endif
}

/* Whether there are tokens to deliver. */
static bool has_tokens(const struct isa_interp *p)
{
    return p->stack.count || p->again || p->next_count;
}

bool isa_interp_advance(struct isa_interp *p, uint64_t tokens)
{
    const uint64_t until = isa_counts_tokens_after(&p->exec.counts, tokens);
    const bool is_lean = !p->measures && !p->exec.code->propagate &&
                         !p->exec.code->expands && !p->exec.code->machines;
    while (has_tokens(p) && p->exec.counts.tokens < until) {
        if (!p->stack.count && !p->again)
            exceed_bounds(p);
        const bool lean = is_lean && p->stack.count > p->starts;
        const uint32_t batch = next_batch(p);
        bool going = p->again ? fire_starts(p)
                     : lean   ? run_lean(p, batch)
                              : run_measured(p, p->measures ? batch : 1, p->measures);
        if (!going) {
            p->end = p->exec.out_of_memory ? ISA_END_LIMIT : ISA_END_TRAPPED;
            return false;
        }
        check_tokens(p);
        if (is_over_limit(p)) {
            p->end = ISA_END_LIMIT;
            return false;
        }
    }
    p->end = isa_exec_end(&p->exec);
    return has_tokens(p);
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
    lib_mem_free(interp->bounds);
    LIB_VEC_FREE(&interp->stack, &interp->nexts);
}

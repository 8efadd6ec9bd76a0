/* The fast engine: without hiatons and with unlimited stores, so that a turn needs nobody's
 * leave; all instructions of the start have fired. One function per kind of instruction. */
#if defined __GNUC__ && !defined __clang__
#pragma GCC optimize("no-tree-slp-vectorize") /* tokens are not vectors */
#endif

#include "machine/engine.h"

/* --- selection ----------------------------------------------------------------------- */

/* What selection looks at for each token. */
struct selection {
    struct machine *machine;
    const struct isa_instr *instrs;
    const char *frames;
    uint64_t kinds; /* of the tokens selected, as struct machine has them */
};

/* The frame of a token that has its turn in this cycle will be needed soon. */
ISA_FIRE_INLINE void select_token(struct selection *s, const struct isa_token *t)
{
    const char *frame = s->frames + (size_t)isa_token_tag(t) * ISA_FRAME_UNIT;
    __builtin_prefetch(frame);
    __builtin_prefetch(frame + 64);
    machine_select(s->machine, t, s->instrs[isa_token_live_instr(t)].kind, &s->kinds);
}

/* Accounts for the turns that one PE is about to give, which has `count` tokens; returns
 * how many. */
ISA_FIRE_INLINE uint32_t begin_turns(struct machine_pe *p, uint32_t count, uint64_t units)
{
    const uint32_t turns = units == 1               ? 1
                           : units && units < count ? (uint32_t)units
                                                    : count;
    const uint64_t peak = p->stats.peak_queue;
    p->stats.peak_queue = count > peak ? count : peak;
    p->stats.tokens += turns;
    return turns;
}

/* The turns of the PEs that have tokens. */
ISA_FIRE_INLINE void select_all(struct machine *m, bool newest, uint64_t units)
{
    struct selection s = {m, m->code->instrs, (const char *)m->exec.tags.memory, 0};
    struct machine_pe *const pes = m->pes;
    uint64_t turns_of_all = 0;
    for (uint32_t word = 0; word < m->with_input.word_count; word++) {
        uint64_t left = m->with_input.words[word];
        for (uint64_t bits = left; bits; bits &= bits - 1) {
            const unsigned bit = (unsigned)__builtin_ctzll(bits);
            struct machine_pe *p = &pes[word * 64 + bit];
            const uint32_t count = machine_queue_count(&p->input);
            const uint32_t turns = begin_turns(p, count, units);
            left &= ~((uint64_t)(turns == count) << bit);
            for (uint32_t i = 0; i < turns; i++)
                select_token(&s, machine_queue_take(&p->input, newest));
            turns_of_all += turns;
        }
        m->with_input.words[word] = left;
    }
    m->exec.counts.tokens += turns_of_all;
    m->kinds = s.kinds;
}

static void select_turns(struct machine *m)
{
    const bool newest = m->settings.queue_discipline == MACHINE_LIFO;
    if (m->settings.pe_units != 1)
        select_all(m, newest, m->settings.pe_units);
    else if (newest)
        select_all(m, true, 1);
    else
        select_all(m, false, 1);
}

/* Tokens that go back to the parent of their activation will need that one, too. */
static void prefetch_parents(const struct machine *m, const struct machine_batch *batch)
{
    const struct isa_tags *tags = &m->exec.tags;
    for (size_t i = 0; i < batch->count; i++)
        __builtin_prefetch(isa_tags_get(
            tags, isa_tags_get(tags, isa_token_tag(batch->items[i]))->parent));
}

/* --- turns --------------------------------------------------------------------------- */

ISA_FIRE_INLINE struct isa_token *
room_in_wheel(struct machine *m, struct machine_wheel_slot *slot, uint32_t count)
{
    (void)m;
    return machine_wheel_put(slot, count);
}

ISA_FIRE_INLINE void emit(void *turn, const struct isa_instr *instr, isa_tag tag,
                          isa_value value, uint64_t depth, struct isa_code_list to,
                          unsigned how)
{
    machine_emit(turn, (struct machine_sent){instr, tag, value, depth, to, how},
                 room_in_wheel);
}

/* The run has ended: these tokens never had their turns. */
__attribute__((cold)) static void
give_back(struct machine *m, const struct isa_token *const *tokens, size_t count)
{
    for (size_t i = 0; i < count; i++)
        m->pes[isa_token_place(tokens[i])].stats.tokens--;
    m->exec.counts.tokens -= count;
}

/* The turns of `count` tokens of one kind. Inlined for each, with its opcode and form as
 * constants, so that what is counted stays in registers. */
ISA_FIRE_INLINE void take_turns(struct machine *m, const struct isa_token *const *tokens,
                                size_t count, enum isa_op op, enum isa_form form)
{
    struct isa_exec *x = &m->exec;
    const struct isa_fire_as as = {op, form, .measures = true, .digests = true};
    const struct isa_instr *instrs = m->code->instrs;
    struct machine_pe *pes = m->pes;
    const uint64_t when = m->cycle + m->delay[op];
    /* What goes home is counted here until the end, and not in memory. */
    struct machine_wheel_slot *const formed = machine_wheel_at(&m->formed, when);
    struct machine_wheel_slot *const away = machine_network_list(&m->network, when);
    struct machine_wheel_slot home = *formed;
    struct machine_turn turn = {
        .machine = m,
        .now = m->cycle,
        .when = when,
        .home = &home,
        .away = away == formed ? &home : away,
    };
    if (machine_is_access(op)) {
        turn.requests = machine_requests(m);
        turn.requests = turn.requests == formed ? &home : turn.requests;
    }
    struct isa_counts counts = {0};
    struct isa_firing firing = {0};
    const struct isa_fire_to to = {&counts, &firing, emit, &turn};
    for (size_t i = 0; i < count; i++) {
        const struct isa_token t = *tokens[i];
        const struct isa_instr *instr = &instrs[isa_token_live_instr(&t)];
        turn.place = isa_token_place(&t);
        turn.pe = &pes[turn.place];
        if (machine_is_access(op)) {
            const enum machine_access access = machine_access_turn(&turn, &t,
                                                                   room_in_wheel);
            if (access == MACHINE_ACCESS_SENT) {
                give_back(m, tokens + i, 1); /* it is delivered where it fires */
                continue;
            }
            if (access == MACHINE_ACCESS_STOPPED) {
                give_back(m, tokens + i + 1, count - i - 1);
                break;
            }
        }
        enum isa_fired fired = isa_fire(x, &t, instr, as, to);
        bool goes_on = machine_account(m, &turn, instr, op, fired, &firing);
        if (isa_fire_releases(op) && goes_on && fired == ISA_FIRED_LIVE)
            machine_answer_reads(&turn, op, to);
        if (op == ISA_OP_HOLD && goes_on)
            machine_wake(&turn, room_in_wheel);
        /* One token for one: there are no more than before. */
        const bool two_lists = op == ISA_OP_CALL || op == ISA_OP_SWITCH;
        if (two_lists || instr->only == ISA_CODE_MANY)
            goes_on = goes_on && machine_has_memory(m, x->counts.live + counts.live);
        if (!goes_on) {
            give_back(m, tokens + i + 1, count - i - 1);
            break;
        }
    }
    *formed = home;
    isa_counts_add(&x->counts, &counts);
    const uint64_t quiet = counts.firings ? when : 0;
    m->quiet_cycle = quiet > m->quiet_cycle ? quiet : m->quiet_cycle;
}

/* Those whose kind is not known beforehand. */
static void take_any_turns(struct machine *m, const struct isa_token *const *tokens,
                           size_t count)
{
    const struct isa_instr *instr = &m->code->instrs[isa_token_live_instr(tokens[0])];
    take_turns(m, tokens, count, instr->op, instr->form);
}

#ifdef ISA_FIRE_ONE_PIECE

static void take_turns_of(struct machine *m, uint32_t kind,
                          const struct isa_token *const *tokens, size_t count)
{
    (void)kind;
    take_any_turns(m, tokens, count);
}

#else

#define KIND(NAME, form)                                                                 \
    static void NAME##_##form(struct machine *m, const struct isa_token *const *tokens,  \
                              size_t count)                                              \
    {                                                                                    \
        take_turns(m, tokens, count, ISA_OP_##NAME, ISA_FORM_##form);                    \
    }
#define OP(NAME, ...) KIND(NAME, FIRST) KIND(NAME, SECOND) KIND(NAME, TWO)
#include "isa/ops.def"
#undef OP
#undef KIND

typedef void take_turns_of_one(struct machine *m, const struct isa_token *const *tokens,
                               size_t count);

/* Those that take a constant of a loop: one function for all. */
static take_turns_of_one *const take_turns_of_kind[ISA_KIND_COUNT] = {
#define KIND(NAME, form) [ISA_KIND(ISA_OP_##NAME, ISA_FORM_##form)] =
#define OP(NAME, ...)                                                                    \
    KIND(NAME, FIRST)                                                                    \
    NAME##_FIRST, KIND(NAME, SECOND) NAME##_SECOND, KIND(NAME, TWO) NAME##_TWO,          \
        KIND(NAME, HELD) take_any_turns,
#include "isa/ops.def"
#undef OP
#undef KIND
};

static void take_turns_of(struct machine *m, uint32_t kind,
                          const struct isa_token *const *tokens, size_t count)
{
    take_turns_of_kind[kind](m, tokens, count);
}

#endif

/* One PE with one function unit takes one token a cycle: no need to sort. */
static void execute_single(struct machine *m)
{
    const bool newest = m->settings.queue_discipline == MACHINE_LIFO;
    struct machine_pe *p = m->pes;
    const uint32_t count = machine_queue_count(&p->input);
    if (count == 0)
        return;
    m->exec.counts.tokens += begin_turns(p, count, 1);
    machine_set_remove_if(&m->with_input, 0, count == 1);
    const struct isa_token *t = machine_queue_take(&p->input, newest);
    take_turns_of(m, m->code->instrs[isa_token_live_instr(t)].kind, &t, 1);
}

/* The turns of the kinds from one on. */
ISA_FIRE_INLINE void take_turns_from(struct machine *m, const uint32_t from)
{
    uint32_t kind;
    MACHINE_EACH_KIND(m, kind, from, ISA_KIND_END)
    {
        struct machine_batch *batch = &m->batches[kind];
        if (m->running)
            take_turns_of(m, kind, batch->items, batch->count);
        else
            give_back(m, batch->items, batch->count);
        batch->count = 0;
    }
}

void machine_plain_execute(struct machine *m)
{
    if (m->pe_count == 1 && m->settings.pe_units == 1) {
        execute_single(m);
        return;
    }
    select_turns(m);
    prefetch_parents(m, &m->batches[ISA_KIND(ISA_OP_RETURN, ISA_FORM_TWO)]);
    if (m->code->has_held)
        take_turns_from(m, 0);
    else
        take_turns_from(m, ISA_KIND_UNHELD);
}

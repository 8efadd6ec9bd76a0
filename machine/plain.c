/* The fast engine: without hiatons and with unlimited stores, so that a turn needs nobody's
 * leave; all instructions of the start have fired. One function per kind of instruction. */
#if defined __GNUC__ && !defined __clang__
#pragma GCC optimize("no-tree-slp-vectorize") /* tokens are not vectors */
#endif

#include "machine/engine.h"

/* --- selection ----------------------------------------------------------------------- */

/* The frame of a token that has its turn in this cycle will be needed soon. Always inlined:
 * gcc takes a function that only prefetches for one without effect. */
ISA_FIRE_INLINE void prefetch_frame(const struct machine *m, const struct isa_token *t)
{
    const char *frame = (const char *)m->exec.tags.memory +
                        (size_t)isa_token_tag(t) * ISA_FRAME_UNIT;
    __builtin_prefetch(frame);
    __builtin_prefetch(frame + 64);
}

ISA_FIRE_INLINE void select_token(struct machine *m, struct machine_pe *p, bool newest)
{
    const struct isa_token *t = machine_queue_take(&p->input, newest);
    prefetch_frame(m, t);
    machine_select(m, m->code->instrs, t);
}

/* The turns of one PE, which has tokens; returns how many. */
ISA_FIRE_INLINE uint32_t select_of_pe(struct machine *m, uint32_t pe, bool newest,
                                      bool one_unit)
{
    struct machine_pe *p = &m->pes[pe];
    const uint64_t units = m->settings.pe_units, peak = p->stats.peak_queue;
    const uint32_t count = machine_queue_count(&p->input);
    const uint32_t turns = one_unit                 ? 1
                           : units && units < count ? (uint32_t)units
                                                    : count;
    p->stats.peak_queue = count > peak ? count : peak;
    p->stats.tokens += turns;
    machine_set_remove_if(&m->with_input, pe, turns == count);
    select_token(m, p, newest);
    for (uint32_t i = 1; i < turns; i++)
        select_token(m, p, newest);
    return turns;
}

ISA_FIRE_INLINE void select_all(struct machine *m, bool newest, bool one_unit)
{
    uint64_t turns = 0;
    uint32_t pe;
    MACHINE_SET_EACH(&m->with_input, pe)
    {
        turns += select_of_pe(m, pe, newest, one_unit);
    }
    m->exec.counts.tokens += turns;
}

static void select_turns(struct machine *m)
{
    const bool newest = m->settings.queue_discipline == MACHINE_LIFO;
    if (m->settings.pe_units != 1)
        select_all(m, newest, false);
    else if (newest)
        select_all(m, true, true);
    else
        select_all(m, false, true);
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

/* Reads that waited for a cell are answered from the PE where they wait. */
ISA_FIRE_INLINE void answer_reads(struct machine_turn *turn, const struct isa_fire_to to)
{
    struct machine *m = turn->machine;
    for (uint32_t d = m->exec.released; d != ISA_DEFERRED_END;) {
        turn->place = machine_place(m, m->exec.deferred.items[d].tag);
        turn->pe = &m->pes[turn->place];
        d = isa_fire_answer(&m->exec, d, true, to);
    }
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
    struct machine_turn turn = {
        .machine = m, .when = when, .home = machine_wheel_at(&m->formed, when)};
    struct isa_counts counts = {0};
    struct isa_firing firing = {0};
    const struct isa_fire_to to = {&counts, &firing, emit, &turn};
    for (size_t i = 0; i < count; i++) {
        const struct isa_token t = *tokens[i];
        const struct isa_instr *instr = &instrs[isa_token_live_instr(&t)];
        turn.place = isa_token_place(&t);
        turn.pe = &pes[turn.place];
        enum isa_fired fired = isa_fire(x, &t, instr, as, to);
        if (!machine_account(m, &turn, instr, op, fired, &firing) ||
            (instr->only == ISA_CODE_MANY && /* else there are no more than before */
             !machine_has_memory(m, x->counts.live + counts.live)))
            break;
        if (op == ISA_OP_WRITE)
            answer_reads(&turn, to);
    }
    isa_counts_add(&x->counts, &counts);
    const uint64_t quiet = counts.firings ? when : 0;
    m->quiet_cycle = quiet > m->quiet_cycle ? quiet : m->quiet_cycle;
}

typedef void take_turns_of(struct machine *m, const struct isa_token *const *tokens,
                           size_t count);

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

static take_turns_of *const take_turns_of_kind[ISA_KIND_COUNT] = {
#define OP(NAME, ...) NAME##_FIRST, NAME##_SECOND, NAME##_TWO,
#include "isa/ops.def"
#undef OP
};

/* One PE with one function unit takes one token a cycle: no need to sort. */
static void execute_single(struct machine *m)
{
    const bool newest = m->settings.queue_discipline == MACHINE_LIFO;
    struct machine_pe *p = m->pes;
    const uint32_t count = machine_queue_count(&p->input);
    const uint64_t peak = p->stats.peak_queue;
    if (count == 0)
        return;
    p->stats.peak_queue = count > peak ? count : peak;
    p->stats.tokens++;
    m->exec.counts.tokens++;
    machine_set_remove_if(&m->with_input, 0, count == 1);
    const struct isa_token *t = newest ? machine_queue_newest(&p->input)
                                       : machine_queue_oldest(&p->input);
    take_turns_of_kind[m->code->instrs[isa_token_live_instr(t)].kind](m, &t, 1);
}

void machine_plain_execute(struct machine *m)
{
    if (m->pe_count == 1 && m->settings.pe_units == 1) {
        execute_single(m);
        return;
    }
    uint32_t kind;
    select_turns(m);
    MACHINE_EACH_KIND(m, kind)
    {
        struct machine_batch *batch = &m->batches[kind];
        take_turns_of_kind[kind](m, batch->items, batch->count);
        batch->count = 0;
        if (!m->running)
            return;
    }
}

/* The fast engine: without hiatons and with unlimited stores, so that an issue needs nobody's leave but
 * room in queues, which is asked for at selection; all instructions of the start have fired. One function per
 * kind of instruction. */
#ifndef MACHINE_PLAIN_TELLS /* plain_told.c is the same, and tells what happens */
#define MACHINE_PLAIN_TELLS 0
#endif
#include "machine/engine/plain_issue.h"
#include "machine/cycle.h"
#include "machine/pe/backpressure.h"

/* --- selection ----------------------------------------------------------------------- */

/* What selection looks at for each token. */
struct selection {
    struct machine *machine;
    const struct isa_instr *instrs;
    const char *frames;
    uint64_t kinds; /* of the tokens selected, as struct machine_batches has them */
};

ISA_FIRE_INLINE struct selection begin_selection(struct machine *m)
{
    return (struct selection){m, m->code->instrs, (const char *)m->exec.tags.memory, 0};
}

/* The frame of a token will be needed soon: its beginning, and the slot where operands match. */
ISA_FIRE_INLINE void fetch_frame(const struct selection *s, const struct isa_token *t)
{
    const char *frame = s->frames + (size_t)isa_token_tag(t) * ISA_FRAME_UNIT;
    const struct isa_instr *instr = &s->instrs[isa_token_live_instr(t)];
    __builtin_prefetch(frame);
    __builtin_prefetch(frame + sizeof(struct isa_activation) +
                       instr->slot * sizeof(struct isa_slot));
}

/* Tokens that wait for long are far away, and so are their frames. Of the oldest, which are taken
 * first, it is known which come next: those of the next cycle, and of some cycles later. */
enum { FAR_AHEAD = 8 };

ISA_FIRE_INLINE void fetch_next(const struct selection *s, const struct machine_queue *q,
                                const struct isa_token *taken)
{
    const struct isa_token *next = q->head != q->tail ? &q->tokens[q->head & q->mask]
                                                      : taken;
    __builtin_prefetch(taken + FAR_AHEAD);
    fetch_frame(s, next);
}

/* A PE issues a token in this cycle. */
ISA_FIRE_INLINE const struct isa_token *select_token(struct selection *s,
                                                     struct machine_queue *q, bool newest)
{
    const struct isa_token *t = machine_queue_take(q, newest);
    if (newest)
        fetch_frame(s, t);
    else
        fetch_next(s, q, t);
    machine_batches_put(&s->machine->batches, t, s->instrs[isa_token_live_instr(t)].kind,
                        &s->kinds);
    return t;
}

/* Accounts for `issued` tokens that one PE, which has `count`, issues. */
ISA_FIRE_INLINE void begin_issues(struct machine_pe *p, uint32_t count, uint32_t issued)
{
    if (__builtin_expect(count > p->stats.peak_queue, 0))
        p->stats.peak_queue = count;
    p->stats.tokens += issued;
}

/* How many a PE that has `count` issues at most. */
ISA_FIRE_INLINE uint32_t most_issued(uint64_t units, uint32_t count)
{
    return units == 1 ? 1 : units && units < count ? (uint32_t)units : count;
}

/* What the PEs that have tokens issue. */
ISA_FIRE_INLINE void select_all(struct machine *m, bool newest, uint64_t units)
{
    struct selection s = begin_selection(m);
    struct machine_pe *const pes = m->pes;
    uint64_t issued_by_all = 0;
    for (uint32_t word = 0; word < m->with_input.word_count; word++) {
        uint64_t left = m->with_input.words[word];
        if (units == 1)
            machine_batches_expect(&m->batches, issued_by_all + 64);
        for (uint64_t bits = left; bits; bits &= bits - 1) {
            const unsigned bit = (unsigned)__builtin_ctzll(bits);
            struct machine_pe *p = &pes[word * 64 + bit];
            const uint32_t count = machine_queue_count(&p->input);
            const uint32_t issued = most_issued(units, count);
            begin_issues(p, count, issued);
            left &= ~((uint64_t)(issued == count) << bit);
            issued_by_all += issued;
            if (units != 1)
                machine_batches_expect(&m->batches, issued_by_all);
            for (uint32_t i = 0; i < issued; i++) {
                const struct isa_token *t = select_token(&s, &p->input, newest);
                if (TELLS)
                    machine_tell_left(m, TRACES_PLACE_INPUT, word * 64 + bit, t);
            }
        }
        m->with_input.words[word] = left;
    }
    m->exec.counts.tokens += issued_by_all;
    m->batches.kinds = s.kinds;
}

/* The same where queues are finite: a PE issues what there is room for. */
static __attribute__((noinline)) void select_finite(struct machine *m)
{
    struct selection s = begin_selection(m);
    const bool newest = m->settings.queue_discipline == MACHINE_LIFO;
    const uint64_t units = m->settings.pe_units;
    uint64_t issued_by_all = 0;
    uint32_t pe;
    MACHINE_SET_EACH(&m->with_input, pe)
    {
        struct machine_pe *p = &m->pes[pe];
        const uint32_t count = machine_queue_count(&p->input);
        const uint32_t most = most_issued(units, count);
        const bool plenty = machine_backpressure_has_plenty(m, pe, most);
        uint32_t issued = 0;
        machine_batches_expect(&m->batches, issued_by_all + most);
        for (; issued < most; issued++) {
            if (!plenty &&
                !machine_backpressure_for(m, machine_queue_next(&p->input, newest), true))
                break;
            const struct isa_token *t = select_token(&s, &p->input, newest);
            if (TELLS)
                machine_tell_left(m, TRACES_PLACE_INPUT, pe, t);
            machine_backpressure_taken(m, p, 1);
        }
        begin_issues(p, count, issued);
        issued_by_all += issued;
        machine_set_remove_if(&m->with_input, pe, issued == count);
    }
    machine_backpressure_chosen(m);
    m->exec.counts.tokens += issued_by_all;
    m->batches.kinds = s.kinds;
}

static void select_issues(struct machine *m)
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
static void fetch_parents(const struct machine *m)
{
    const struct isa_activations *tags = &m->exec.tags;
    const struct machine_batch *returns = &m->batches.of[m->returns];
    for (const struct isa_token *const *t = returns->first; t != returns->end; t++)
        __builtin_prefetch(isa_activations_get(
            tags, isa_activations_get(tags, isa_token_tag(*t))->parent));
}

/* --- issues -------------------------------------------------------------------------- */

#ifdef ISA_FIRE_ONE_PIECE

/* Those whose kind is not known beforehand. */
static void issue_any(struct machine *m, const struct isa_token *const *next,
                      const struct isa_token *const *end)
{
    const struct isa_instr *instr = &m->code->instrs[isa_token_live_instr(*next)];
    machine_plain_issue(m, next, end, instr->op, instr->form, isa_fire_operands);
}

static machine_take *take_of(uint32_t kind)
{
    (void)kind;
    return issue_any;
}

#else

/* Those that are not pure. */
#define KINDS(NAME, first, others)                                                       \
    MACHINE_PLAIN_KIND(NAME, FIRST, first, isa_fire_operands)                            \
    MACHINE_PLAIN_KIND(NAME, SECOND, others, isa_fire_operands)                          \
    MACHINE_PLAIN_KIND(NAME, TWO, others, isa_fire_operands)                             \
    MACHINE_PLAIN_KIND(NAME, HELD, others, isa_fire_operands)
#define PURE(NAME, in)
#define CONTROL(NAME, in) KINDS(NAME, true, ISA_FIRE_HAS_SECOND(in))
#define TAG(NAME, in) KINDS(NAME, true, ISA_FIRE_HAS_SECOND(in))
#define MEMORY(NAME, in) KINDS(NAME, true, ISA_FIRE_HAS_SECOND(in))
#define RESULT(NAME, in) KINDS(NAME, true, ISA_FIRE_HAS_SECOND(in))
#define FUNCTION(NAME, in)                                                               \
    KINDS(NAME, false, false) /* executed where graphs are copied */
#define OP(NAME, text, label, in, out, attributes, unit, effect, ...) effect(NAME, in)
#include "isa/ops.def"
#undef OP
#undef KINDS
#undef PURE
#undef CONTROL
#undef TAG
#undef MEMORY
#undef RESULT
#undef FUNCTION

static machine_take *take_of(uint32_t kind)
{
    static machine_take *const of[ISA_KIND_COUNT] = {
#define OP(NAME, text, label, in, out, attributes, unit, effect, ...)                    \
    [ISA_KIND(ISA_OP_##NAME,                                                             \
              ISA_FORM_FIRST)] = MACHINE_PLAIN(NAME##_FIRST),                            \
              [ISA_KIND(ISA_OP_##NAME, ISA_FORM_SECOND)] = MACHINE_PLAIN(NAME##_SECOND), \
              [ISA_KIND(ISA_OP_##NAME, ISA_FORM_TWO)] = MACHINE_PLAIN(NAME##_TWO),       \
              [ISA_KIND(ISA_OP_##NAME, ISA_FORM_HELD)] = MACHINE_PLAIN(NAME##_HELD),
#include "isa/ops.def"
#undef OP
    };
    return of[kind];
}

#endif

void MACHINE_PLAIN(make)(struct machine *m)
{
    for (uint32_t kind = 0; kind < m->code->kind_count; kind++) {
        struct machine_batch *batch = &m->batches.of[kind];
        *(TELLS ? &batch->take_told : &batch->take) = take_of(m->code->kinds[kind]);
    }
}

ISA_FIRE_INLINE void issue_batch(struct machine *m, const struct machine_batch *of_kind,
                                 const struct isa_token *const *next,
                                 const struct isa_token *const *end)
{
    (TELLS ? of_kind->take_told : of_kind->take)(m, next, end);
}

/* The only token that is issued in a cycle, by a PE with one function unit: no need to sort. */
ISA_FIRE_INLINE void execute_single(struct machine *m, uint32_t pe)
{
    struct machine_pe *p = &m->pes[pe];
    const uint32_t count = machine_queue_count(&p->input);
    begin_issues(p, count, 1);
    m->exec.counts.tokens++;
    machine_set_remove_if(&m->with_input, pe, count == 1);
    const bool newest = m->settings.queue_discipline == MACHINE_LIFO;
    const struct isa_token *t = machine_queue_take(&p->input, newest);
    const struct selection s = begin_selection(m);
    if (!newest)
        fetch_next(&s, &p->input, t);
    if (TELLS)
        machine_tell_left(m, TRACES_PLACE_INPUT, pe, t);
    const uint32_t kind = s.instrs[isa_token_live_instr(t)].kind;
    issue_batch(m, &m->batches.of[kind], &t, &t + 1);
}

static void issue_batches(struct machine *m)
{
    struct machine_batch *batch;
    MACHINE_EACH_BATCH(&m->batches, batch)
    {
        const struct isa_token *const *end = batch->end;
        batch->end = batch->first;
        if (__builtin_expect(m->running, 1))
            issue_batch(m, batch, batch->first, end);
        else
            machine_plain_give_back(m, batch->first, end);
    }
}

static __attribute__((noinline)) void execute_several(struct machine *m)
{
    select_issues(m);
    fetch_parents(m);
    issue_batches(m);
}

/* The same where queues are finite. */
static __attribute__((noinline)) void execute_finite(struct machine *m)
{
    const uint32_t pe = machine_set_only(&m->with_input);
    if (pe == MACHINE_SET_EMPTY)
        return;
    if (pe != MACHINE_SET_SEVERAL && m->settings.pe_units == 1 &&
        machine_backpressure_has_plenty(m, pe, 1)) {
        machine_backpressure_taken(m, &m->pes[pe], 1);
        execute_single(m, pe);
        return;
    }
    select_finite(m);
    issue_batches(m);
}

/* Where queues are unlimited. */
ISA_FIRE_INLINE void execute_unlimited(struct machine *m)
{
    const uint32_t pe = m->pe_count > 1 ? machine_set_only(&m->with_input)
                        : machine_set_has(&m->with_input, 0) ? 0
                                                             : MACHINE_SET_EMPTY;
    if (pe == MACHINE_SET_EMPTY)
        return;
    if (pe == MACHINE_SET_SEVERAL || m->settings.pe_units != 1)
        execute_several(m);
    else
        execute_single(m, pe);
}

void MACHINE_PLAIN(execute)(struct machine *m)
{
    if (m->has_queues)
        execute_finite(m);
    else
        execute_unlimited(m);
}

#if !MACHINE_PLAIN_TELLS
void machine_plain_advance(struct machine *m, uint64_t cycle, uint64_t tokens)
{
    while (machine_goes_on(m, cycle, tokens)) {
        machine_unload(m);
        machine_serve(m);
        if (__builtin_expect(m->running, 1))
            execute_unlimited(m);
        if (!machine_end_cycle(m, true))
            break;
    }
}
#endif

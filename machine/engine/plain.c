/* The plain engine, for machines with unlimited stores and no dead tokens, once all instructions
 * without token operands have fired. An issue depends only on room in queues, checked at selection.
 * One function per kind of instruction, once more for machines whose PEs differ (plain_classes.c).
 *
 * It is worth its lines: the general engine, made to run the same machines, takes 1.4 to 2.3 times
 * the instructions of the host. Per token, plain and general (callgrind, whole command; the last
 * two columns with queue.capacity=64, where the runs of `-` deadlock):
 *
 *               1 PE        16 PEs      64 PEs      16 PEs      64 PEs
 *     ack       298  696    467  838    472  844    598  946    612  961
 *     fib       374  745    353  574    325  557    -           427  643
 *     matmul    415  784    429  647    402  631    -           517  732
 *     queens    326  688    309  520    287  505    -           -
 *
 * With one PE and a finite queue, the plain engine is not used. */
#ifndef MACHINE_PLAIN_EMITS /* plain_traced.c is the same with events */
#define MACHINE_PLAIN_EMITS 0
#endif
#include "machine/engine/plain_issue.h"
#include "machine/engine/cycle.h"
#include "machine/pe/backpressure.h"

#if !MACHINE_PLAIN_CLASSES

/* --- selection ----------------------------------------------------------------------- */

/* Machine state read for every selected token. */
struct selection {
    struct machine *machine;
    const struct isa_instr *instrs;
    const char *frames;
    uint64_t kinds; /* of the selected tokens, as in struct machine_batches */
};

ISA_FIRE_INLINE struct selection begin_selection(struct machine *m)
{
    return (struct selection){m, m->code->instrs,
                              (const char *)m->tokens.exec.tags.memory, 0};
}

/* Prefetches the beginning of a token's frame, and the slot where operands meet. */
ISA_FIRE_INLINE void fetch_frame(const struct selection *s, const struct isa_token *t)
{
    const char *frame = s->frames + (size_t)isa_token_tag(t) * ISA_FRAME_UNIT;
    const struct isa_instr *instr = &s->instrs[isa_token_live_instr(t)];
    __builtin_prefetch(frame);
    __builtin_prefetch(frame + sizeof(struct isa_activation) +
                       instr->slot * sizeof(struct isa_slot));
}

/* In PEs with MANY waiting tokens, tokens and frames have left the cache. Unless the newest leave
 * first, the next ones are known and are prefetched. */
enum { MANY = 128, FAR_AHEAD = 8 };

ISA_FIRE_INLINE void fetch_next(const struct selection *s, const struct machine_queue *q,
                                const struct isa_token *taken)
{
    if (machine_queue_count(q) < MANY)
        return;
    __builtin_prefetch(taken + FAR_AHEAD);
    fetch_frame(s, machine_queue_next(q, false));
}

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

ISA_FIRE_INLINE void begin_issues(struct machine_pe *p, uint32_t count, uint32_t issued)
{
    if (__builtin_expect(count > p->stats.peak_queue, 0))
        p->stats.peak_queue = count;
    p->stats.tokens += issued;
}

ISA_FIRE_INLINE uint32_t most_issued(uint64_t units, uint32_t count)
{
    return units == 1 ? 1 : units && units < count ? (uint32_t)units : count;
}

/* Selects one token of each PE that has tokens. `many`: a constant, whether the set of these PEs
 * has a second level. Returns whether some PEs have more. */
ISA_FIRE_INLINE bool select_one_each(struct machine *m, const bool newest,
                                     const bool many)
{
    struct selection s = begin_selection(m);
    struct machine_pe *pes = m->tokens.pes;
    uint64_t left_of_all = 0;
    uint32_t word = many ? machine_set_seek(m->tokens.with_input, 0) : 0;
    for (; word < m->tokens.with_input.word_count;
         word = many ? machine_set_seek(m->tokens.with_input, word + 1) : word + 1,
         pes += 64) {
        uint64_t left = 0;
        if (many)
            pes = m->tokens.pes + (size_t)word * 64;
        machine_batches_expect(&m->batches, (word + 1) * 64);
        for (uint64_t bits = m->tokens.with_input.words[word]; bits; bits &= bits - 1) {
            const unsigned bit = (unsigned)__builtin_ctzll(bits);
            struct machine_pe *p = &pes[bit];
            const uint32_t count = machine_queue_count(&p->input);
            begin_issues(p, count, 1);
            m->tokens.exec.counts.tokens++;
            left |= (uint64_t)(count != 1) << bit;
            const struct isa_token *t = select_token(&s, &p->input, newest);
            if (EMITS)
                machine_emit_left(m, TRACES_PLACE_INPUT, word * 64 + bit, t);
        }
        m->tokens.with_input.words[word] = left;
        left_of_all |= left;
    }
    m->batches.kinds = s.kinds;
    return left_of_all;
}

static __attribute__((noinline)) bool select_oldest(struct machine *m)
{
    return select_one_each(m, false, false);
}

static __attribute__((noinline)) bool select_newest(struct machine *m)
{
    return select_one_each(m, true, false);
}

static __attribute__((noinline)) bool select_of_many(struct machine *m)
{
    return m->settings.queue_discipline == MACHINE_LIFO ? select_one_each(m, true, true)
                                                        : select_one_each(m, false, true);
}

/* Like select_one_each, for PEs with several or unlimited function units. */
static __attribute__((noinline)) bool select_several(struct machine *m)
{
    struct selection s = begin_selection(m);
    const bool newest = m->settings.queue_discipline == MACHINE_LIFO;
    uint64_t issued_by_all = 0;
    uint32_t pe;
    MACHINE_SET_EACH(&m->tokens.with_input, pe)
    {
        struct machine_pe *p = &m->tokens.pes[pe];
        const uint32_t count = machine_queue_count(&p->input);
        const uint32_t issued = most_issued(machine_units_of(m, pe), count);
        begin_issues(p, count, issued);
        issued_by_all += issued;
        machine_batches_expect(&m->batches, issued_by_all);
        for (uint32_t i = 0; i < issued; i++) {
            const struct isa_token *t = select_token(&s, &p->input, newest);
            if (EMITS)
                machine_emit_left(m, TRACES_PLACE_INPUT, pe, t);
        }
        machine_set_remove_if(&m->tokens.with_input, pe, issued == count);
    }
    m->tokens.exec.counts.tokens += issued_by_all;
    m->batches.kinds = s.kinds;
    return !machine_set_is_empty(&m->tokens.with_input);
}

/* Like select_several for finite queues: a PE issues only tokens whose results have room. `many`: a
 * constant, as for select_one_each. */
ISA_FIRE_INLINE void select_finite(struct machine *m, const bool many)
{
    struct machine_set with_input = m->tokens.with_input;
    with_input.tops = many ? with_input.tops : NULL;
    struct selection s = begin_selection(m);
    const bool newest = m->settings.queue_discipline == MACHINE_LIFO;
    uint64_t issued_by_all = 0;
    uint32_t pe;
    MACHINE_SET_EACH(&with_input, pe)
    {
        struct machine_pe *p = &m->tokens.pes[pe];
        const uint32_t count = machine_queue_count(&p->input);
        const uint32_t most = most_issued(machine_units_of(m, pe), count);
        const bool plenty = machine_backpressure_has_plenty(m, pe, most);
        uint32_t issued = 0;
        machine_batches_expect(&m->batches, issued_by_all + most);
        for (; issued < most; issued++) {
            if (!plenty &&
                !machine_backpressure_for(m, machine_queue_next(&p->input, newest), true))
                break;
            const struct isa_token *t = select_token(&s, &p->input, newest);
            if (EMITS)
                machine_emit_left(m, TRACES_PLACE_INPUT, pe, t);
            machine_backpressure_taken(m, p, 1);
        }
        begin_issues(p, count, issued);
        issued_by_all += issued;
        machine_set_remove_if(&m->tokens.with_input, pe, issued == count);
    }
    machine_backpressure_chosen(m);
    m->tokens.exec.counts.tokens += issued_by_all;
    m->batches.kinds = s.kinds;
}

/* Returns whether PEs have more tokens. `many`: a constant, as for select_one_each. */
ISA_FIRE_INLINE bool select_issues(struct machine *m, const bool many)
{
    if (m->pe_units != 1)
        return select_several(m);
    if (many)
        return select_of_many(m);
    return m->settings.queue_discipline == MACHINE_LIFO ? select_newest(m)
                                                        : select_oldest(m);
}

static void fetch_parents(const struct machine *m)
{
    const struct isa_activations *tags = &m->tokens.exec.tags;
    const struct machine_batch *returns = &m->batches.of[m->returns];
    for (const struct isa_token *const *t = returns->first; t != returns->end; t++)
        __builtin_prefetch(isa_activations_get(
            tags, isa_activations_get(tags, isa_token_tag(*t))->parent));
}

#endif

/* --- issues -------------------------------------------------------------------------- */

#ifdef ISA_FIRE_ONE_PIECE

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
    KINDS(NAME, false, false) /* executed only by the expanding strategy */
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
        *(EMITS ? &batch->take_told : &batch->take) = take_of(m->code->kinds[kind]);
    }
}

#if !MACHINE_PLAIN_CLASSES

ISA_FIRE_INLINE void issue_batch(struct machine *m, const struct machine_batch *of_kind,
                                 const struct isa_token *const *next,
                                 const struct isa_token *const *end)
{
    (EMITS ? of_kind->take_told : of_kind->take)(m, next, end);
}

/* Issues the only token of a cycle, of a PE with one function unit, without sorting. Returns
 * whether the PE has more. */
ISA_FIRE_INLINE bool execute_single(struct machine *m, uint32_t pe)
{
    struct machine_pe *p = &m->tokens.pes[pe];
    const uint32_t count = machine_queue_count(&p->input);
    begin_issues(p, count, 1);
    m->tokens.exec.counts.tokens++;
    if (count == 1) /* nearly always, or nearly never */
        machine_set_remove(&m->tokens.with_input, pe);
    const bool newest = m->settings.queue_discipline == MACHINE_LIFO;
    const struct isa_token *t = machine_queue_take(&p->input, newest);
    const struct selection s = begin_selection(m);
    if (!newest)
        fetch_next(&s, &p->input, t);
    if (EMITS)
        machine_emit_left(m, TRACES_PLACE_INPUT, pe, t);
    const uint32_t kind = s.instrs[isa_token_live_instr(t)].kind;
    issue_batch(m, &m->batches.of[kind], &t, &t + 1);
    return count != 1;
}

static void issue_batches(struct machine *m)
{
    struct machine_batch *batch;
    MACHINE_EACH_BATCH(&m->batches, batch)
    {
        const struct isa_token *const *end = batch->end;
        batch->end = batch->first;
        if (__builtin_expect(m->run.running, 1))
            issue_batch(m, batch, batch->first, end);
        else
            machine_plain_give_back(m, batch->first, end);
    }
}

static __attribute__((noinline)) bool execute_several(struct machine *m)
{
    const bool has_more = select_issues(m, false);
    fetch_parents(m);
    issue_batches(m);
    return has_more;
}

static __attribute__((noinline)) bool execute_several_of_many(struct machine *m)
{
    const bool has_more = select_issues(m, true);
    fetch_parents(m);
    issue_batches(m);
    return has_more;
}

/* Executes a cycle if queues are finite. `many`: a constant, as for select_one_each. */
ISA_FIRE_INLINE void execute_finite_as(struct machine *m, const bool many)
{
    const uint32_t pe = many ? machine_set_only_deep(&m->tokens.with_input)
                             : machine_set_only_flat(&m->tokens.with_input);
    if (pe == MACHINE_SET_EMPTY)
        return;
    if (pe != MACHINE_SET_SEVERAL && m->pe_units == 1 &&
        machine_backpressure_has_plenty(m, pe, 1)) {
        machine_backpressure_taken(m, &m->tokens.pes[pe], 1);
        execute_single(m, pe);
        return;
    }
    select_finite(m, many);
    issue_batches(m);
}

static __attribute__((noinline)) void execute_finite(struct machine *m)
{
    if (m->tokens.with_input.tops)
        execute_finite_as(m, true);
    else
        execute_finite_as(m, false);
}

/* Executes a cycle if queues are unlimited. `size`: a constant. Returns whether PEs have more
 * tokens. */
ISA_FIRE_INLINE bool execute_unlimited(struct machine *m, const enum machine_size size)
{
    uint32_t pe = 0;
    if (size == MACHINE_MANY_PES)
        pe = machine_set_only_deep(&m->tokens.with_input);
    else if (size == MACHINE_FEW_PES)
        pe = machine_set_only_flat(&m->tokens.with_input);
    else if (!machine_set_has(&m->tokens.with_input, 0))
        return false;
    if (pe == MACHINE_SET_EMPTY)
        return false;
    if (pe == MACHINE_SET_SEVERAL || m->pe_units != 1)
        return size == MACHINE_MANY_PES ? execute_several_of_many(m) : execute_several(m);
    return execute_single(m, pe);
}

static __attribute__((noinline)) bool execute_any(struct machine *m)
{
    return m->tokens.with_input.tops ? execute_unlimited(m, MACHINE_MANY_PES)
                                     : execute_unlimited(m, MACHINE_FEW_PES);
}

void MACHINE_PLAIN(execute)(struct machine *m)
{
    if (m->has_queues)
        execute_finite(m);
    else
        execute_any(m);
}

#if !MACHINE_PLAIN_EMITS

/* Whether PEs have tokens. `size`: a constant. */
ISA_FIRE_INLINE bool has_input_as(const struct machine *m, const enum machine_size size)
{
    const struct machine_set *set = &m->tokens.with_input;
    if (size == MACHINE_MANY_PES)
        return !machine_set_is_empty(set);
    for (uint32_t i = 0; i < set->word_count; i++)
        if (set->words[i])
            return true;
    return false;
}

/* Simulates a cycle in which one token is formed and no PE has others: issues it without a queue,
 * unless the network delivers more. Returns whether PEs have more tokens. */
ISA_FIRE_INLINE bool simulate_alone(struct machine *m, struct machine_wheel_slot *slot,
                                    const enum machine_size size)
{
    const struct isa_token *t = slot->tokens;
    struct machine_pe *p = &m->tokens.pes[machine_token_pe(t)];
    slot->count = 0;
    if (m->serve[0].call) {
        machine_serve(m);
        if (!m->run.running || has_input_as(m, size)) {
            machine_queue_put_first(&p->input, t);
            machine_set_add(&m->tokens.with_input, machine_token_pe(t));
            return !m->run.running || execute_any(m);
        }
    }
    begin_issues(p, 1, 1);
    m->tokens.exec.counts.tokens++;
    const uint32_t kind = m->code->instrs[isa_token_live_instr(t)].kind;
    issue_batch(m, &m->batches.of[kind], &t, &t + 1);
    return false;
}

/* Simulates a cycle. `has_input`: PEs have tokens from earlier cycles. `size`: a constant. Returns
 * whether PEs have more tokens. */
ISA_FIRE_INLINE bool simulate_cycle(struct machine *m, bool has_input,
                                    const enum machine_size size)
{
    struct machine_wheel_slot *slot = machine_wheel_at(&m->tokens.formed, m->run.cycle);
    if (!has_input && slot->count == 1)
        return simulate_alone(m, slot, size);
    machine_unload_as(m, size);
    if (m->serve[0].call) {
        machine_serve(m);
        if (__builtin_expect(!m->run.running, 0))
            return true;
    }
    return execute_unlimited(m, size);
}

/* Limits of this advance; `look`: the cycle in which limits are checked or the series is
 * sampled. */
struct until {
    uint64_t cycle, tokens, look;
};

static uint64_t looks_at(const struct machine *m, uint64_t cycle)
{
    return m->has_limits                  ? 0
           : cycle < m->watch.next_sample ? cycle
                                          : m->watch.next_sample;
}

static __attribute__((noinline)) bool look(struct machine *m, struct until *until)
{
    machine_look(m);
    until->look = looks_at(m, until->cycle);
    return m->run.running && m->run.cycle < until->cycle;
}

/* Ends a cycle and advances to the next one. `has_queues`: a constant, whether queues are finite.
 * Returns false if the run has ended, or this advance. */
ISA_FIRE_INLINE bool end_cycle(struct machine *m, bool has_input, struct until *until,
                               const bool has_queues)
{
    const uint64_t waiting = m->tokens.exec.counts.waiting, ended = m->run.cycle;
    if (!has_input && machine_wheel_at(&m->tokens.formed, m->run.cycle + 1)->count == 0) {
        const uint64_t next = machine_next_of_parts(m);
        if (next == MACHINE_NEVER) {
            machine_stop_quiet(m);
            return false;
        }
        m->watch.waiting_cycles += waiting * (next - m->run.cycle - 1);
        m->run.cycle = next - 1;
    }
    m->watch.waiting_cycles += waiting;
    m->run.cycle++;
    if (has_queues && m->run.held_back)
        m->watch.queue_stalls += m->run.cycle - ended;
    if (__builtin_expect(m->run.cycle >= until->look || !machine_has_room(m), 0) &&
        !look(m, until))
        return false;
    return m->tokens.exec.counts.tokens < until->tokens;
}

/* `size`: a constant. */
ISA_FIRE_INLINE void advance(struct machine *m, struct until until,
                             const enum machine_size size)
{
    bool has_input = has_input_as(m, size);
    bool goes_on = machine_goes_on(m, until.cycle, until.tokens);
    m->tokens.exec.structures.has_risen = true;
    while (goes_on) {
        has_input = simulate_cycle(m, has_input, size);
        machine_observe_peaks_as(m, true);
        if (!m->run.running)
            break;
        assert(has_input == !machine_set_is_empty(&m->tokens.with_input));
        machine_verify_cycle(m);
        goes_on = end_cycle(m, has_input, &until, false);
    }
}

/* Advances a machine with finite queues and few PEs. */
static __attribute__((noinline)) void advance_finite(struct machine *m,
                                                     struct until until)
{
    bool goes_on = machine_goes_on(m, until.cycle, until.tokens);
    m->tokens.exec.structures.has_risen = true;
    while (goes_on) {
        m->run.moved = m->run.held_back = false;
        machine_unload_as(m, MACHINE_FEW_PES);
        machine_serve(m);
        if (__builtin_expect(m->run.running, 1))
            execute_finite_as(m, false);
        machine_observe_peaks_as(m, true);
        if (__builtin_expect(!m->is_common, 0))
            machine_observe_rare_peaks(m);
        if (!m->run.running)
            break;
        machine_verify_cycle(m);
        const bool has_input = machine_can_go_on(m) && has_input_as(m, MACHINE_FEW_PES);
        goes_on = end_cycle(m, has_input, &until, true);
    }
}

static __attribute__((noinline)) void advance_one(struct machine *m, struct until until)
{
    advance(m, until, MACHINE_ONE_PE);
}

static __attribute__((noinline)) void advance_few(struct machine *m, struct until until)
{
    advance(m, until, MACHINE_FEW_PES);
}

static __attribute__((noinline)) void advance_many(struct machine *m, struct until until)
{
    advance(m, until, MACHINE_MANY_PES);
}

void machine_plain_advance(struct machine *m, uint64_t cycle, uint64_t tokens)
{
    const struct until until = {cycle, tokens, looks_at(m, cycle)};
    if (m->has_queues)
        advance_finite(m, until);
    else if (m->pe_count == 1)
        advance_one(m, until);
    else if (m->tokens.with_input.tops)
        advance_many(m, until);
    else
        advance_few(m, until);
}
#endif
#endif

#include "machine/machine.h"

#include "isa/fire.h"
#include "machine/reverse.h"
#include "machine/state.h"
#include "machine/verify.h"

/* --- setting up and taking down -------------------------------------------------------- */

static struct machine_set new_set(uint32_t pe_count)
{
    uint32_t words = (pe_count + 63) / 64;
    return (struct machine_set){lib_mem_new(words * sizeof(uint64_t)), words};
}

static uint32_t bits_for(uint64_t values)
{
    uint32_t bits = 0;
    while (values > 1 && bits < 64 && (values - 1) >> bits)
        bits++;
    return bits;
}

static uint64_t set_delays(struct machine *m)
{
    const struct machine_settings *s = &m->settings;
    uint64_t longest = 0;
    for (int op = 0; op < ISA_OP_COUNT; op++) {
        m->delay[op] = s->match_latency + s->fetch_latency +
                       s->latency[isa_op_table[op].unit] + s->form_latency;
        if (m->delay[op] > longest)
            longest = m->delay[op];
    }
    return longest;
}

static void load_starts(struct machine *m)
{
    struct isa_activation *root = isa_tags_get(&m->exec.tags, ISA_TAG_ROOT);
    machine_place_new(m, root);
    uint32_t pe = machine_place(m, root);
    for (uint32_t i = 0; i < m->code->start_count; i++) {
        struct isa_token t = {.instr = m->code->starts[i], .tag = ISA_TAG_ROOT, .pe = pe};
        machine_queue_put(&m->pes[pe].input, &t);
        machine_set_add(&m->with_input, pe);
    }
}

struct machine *machine_new(const struct isa_code *code,
                            const struct machine_settings *settings, uint64_t seed)
{
    assert(code->propagate == (settings->deadness == MACHINE_PROPAGATE));
    struct machine *m = lib_mem_new(sizeof *m);
    m->settings = *settings;
    m->code = code;
    m->seed = seed;
    m->pe_count = (uint32_t)settings->pe_count;
    m->most_live = settings->limit_memory / sizeof(struct isa_token);
    m->running = true;
    m->next_sample = UINT64_MAX;
    m->token_bits = 64 + bits_for(code->instr_count) +
                    1; /* value, instruction, operand */
    m->label_bits = bits_for(code->graph->site_count);
    if (m->label_bits == 0)
        m->label_bits = 1;
    isa_exec_init(&m->exec, code, settings->limit_memory);
    m->pes = lib_mem_new(m->pe_count * sizeof *m->pes);
    for (uint32_t i = 0; i < m->pe_count; i++) {
        machine_queue_init(&m->pes[i].input);
        machine_queue_init(&m->pes[i].output);
        machine_queue_init(&m->pes[i].ingress);
    }
    uint64_t longest = set_delays(m);
    machine_wheel_init(&m->formed, longest + settings->network_latency);
    machine_wheel_init(&m->departing, longest);
    machine_wheel_init(&m->arriving, machine_crossbar_longest(settings));
    m->with_input = new_set(m->pe_count);
    m->with_output = new_set(m->pe_count);
    m->with_ingress = new_set(m->pe_count);
    load_starts(m);
    return m;
}

void machine_free(struct machine *m)
{
    if (!m)
        return;
    for (uint32_t i = 0; i < m->pe_count; i++) {
        machine_queue_free(&m->pes[i].input);
        machine_queue_free(&m->pes[i].output);
        machine_queue_free(&m->pes[i].ingress);
    }
    lib_mem_free(m->pes);
    machine_wheel_free(&m->formed);
    machine_wheel_free(&m->departing);
    machine_wheel_free(&m->arriving);
    lib_mem_free(m->with_input.words);
    lib_mem_free(m->with_output.words);
    lib_mem_free(m->with_ingress.words);
    machine_reverse_free(m->reverse);
    isa_exec_free(&m->exec);
    lib_mem_free(m);
}

/* --- what a firing sends ----------------------------------------------------------------- */

static inline struct isa_token *room(struct machine *m, struct machine_wheel *wheel,
                                     uint64_t when)
{
    if (__builtin_expect(m->reverse != NULL, 0))
        return machine_reverse_put(m, wheel, when);
    return machine_wheel_put(wheel, when);
}

/* Tokens that a firing on PE `from` forms at cycle `when`. */
static inline void send(struct machine *m, const struct isa_send *s, uint32_t from,
                        uint32_t to, uint64_t when)
{
    struct machine_wheel *wheel = &m->formed;
    uint32_t pe = to;
    struct traces_pe_stats *stats = &m->pes[from].stats;
    if (to == from) {
        stats->local_tokens += s->to.count;
    } else {
        stats->network_tokens += s->to.count;
        m->network_bits += s->to.count * machine_token_bits(m, s->tag);
        if (m->settings.network_topology == MACHINE_NETWORK_IDEAL) {
            when += m->settings.network_latency;
        } else {
            wheel = &m->departing;
            pe = from; /* where it waits for the output port */
        }
    }
    for (uint32_t i = 0; i < s->to.count; i++) {
        struct isa_token t = isa_exec_token(&m->exec, s, i);
        t.pe = pe;
        *room(m, wheel, when) = t;
    }
}

static inline void send_all(struct machine *m, isa_tag fired, uint32_t from,
                            uint64_t when)
{
    for (unsigned i = 0; i < m->exec.send_count; i++) {
        const struct isa_send *s = &m->exec.sends[i];
        uint32_t to = from;
        if (s->tag != fired) {
            struct isa_activation *a = isa_tags_get(&m->exec.tags, s->tag);
            if (a->spare == 0)
                machine_place_new(m, a);
            to = machine_place(m, a);
        }
        send(m, s, from, to, when);
    }
}

/* Reads that waited for a cell are answered from the PE where they wait. */
static void answer_reads(struct machine *m, uint32_t deferred, uint64_t when)
{
    while (deferred != ISA_DEFERRED_END) {
        isa_tag tag = m->exec.deferred.items[deferred].tag;
        uint32_t pe = machine_place(m, isa_tags_get(&m->exec.tags, tag));
        if (m->reverse)
            machine_reverse_answer(m, deferred);
        deferred = isa_fire_answer(&m->exec, deferred, true);
        send_all(m, tag, pe, when);
    }
}

/* --- one cycle --------------------------------------------------------------------------- */

static void stop(struct machine *m, enum isa_end end, const char *limit)
{
    m->running = false;
    m->end = end;
    m->limit = limit;
}

/* A token's turn at its PE: matching, and firing if it completes the operands. */
static inline void take(struct machine *m, const struct isa_token *t, uint32_t pe)
{
    struct isa_exec *x = &m->exec;
    struct traces_pe_stats *stats = &m->pes[pe].stats;
    const struct isa_instr *instr = &m->code->instrs[t->instr];
    stats->tokens += instr->tokens > 0;
    enum isa_fired fired = isa_fire(x, t, true);
    if (fired == ISA_FIRED_WAITING || fired == ISA_FIRED_ABSORBED)
        return;
    if (__builtin_expect(fired == ISA_FIRED_STOPPED, 0)) {
        stop(m, x->out_of_memory ? ISA_END_LIMIT : ISA_END_TRAPPED, "limits.memory");
        return;
    }
    if (__builtin_expect(x->counts.made - x->counts.consumed > m->most_live, 0)) {
        stop(m, ISA_END_LIMIT, "limits.memory");
        return;
    }
    uint64_t when = m->cycle + m->delay[instr->op];
    if (when > m->quiet_cycle)
        m->quiet_cycle = when;
    stats->busy++;
    if (fired == ISA_FIRED_LIVE) {
        stats->firings++;
        m->timing_digest += isa_fire_hash(instr, x->fired_path, m->cycle << 16 | pe);
        if (__builtin_expect(instr->op == ISA_OP_OUTPUT, 0))
            m->result_cycle = when;
        if (__builtin_expect(m->profile != NULL, 0))
            traces_profile_fired(m->profile, m->cycle, x->fired_depth);
    } else {
        stats->dead_firings++;
    }
    if (__builtin_expect(m->reverse && fired == ISA_FIRED_LIVE, 0))
        machine_reverse_fired(m, instr);
    send_all(m, t->tag, pe, when);
    if (__builtin_expect(x->released != ISA_DEFERRED_END, 0))
        answer_reads(m, x->released, when);
}

/* The frame of the token that this PE takes next cycle will be needed soon. Always
 * inlined: gcc takes a function that only prefetches for one without effect. */
static inline __attribute__((always_inline)) void
prefetch_next(const struct machine *m, const struct machine_queue *q, bool newest)
{
    uint32_t at = newest ? q->tail - 1 : q->head;
    const char *frame = (const char *)m->exec.tags.memory +
                        (size_t)q->tokens[at & q->mask].tag * ISA_FRAME_UNIT;
    __builtin_prefetch(frame);
    __builtin_prefetch(frame + 64);
}

/* The turns of one PE. */
static inline void execute_pe(struct machine *m, uint32_t pe)
{
    const bool newest = m->settings.queue_discipline == MACHINE_LIFO;
    const uint64_t units = m->settings.pe_units;
    struct machine_pe *p = &m->pes[pe];
    uint32_t count = machine_queue_count(&p->input);
    if (count > p->stats.peak_queue)
        p->stats.peak_queue = count;
    uint32_t turns = units && units < count ? (uint32_t)units : count;
    if (turns == count)
        machine_set_remove(&m->with_input, pe);
    for (; turns > 0 && m->running; turns--) {
        struct isa_token t = newest ? machine_queue_newest(&p->input)
                                    : machine_queue_oldest(&p->input);
        if (__builtin_expect(m->reverse != NULL, 0))
            machine_reverse_turn(m, pe);
        take(m, &t, pe);
    }
    prefetch_next(m, &p->input, newest);
}

static void execute_backwards(struct machine *m)
{
    uint32_t pe;
    MACHINE_SET_EACH_DOWN(&m->with_input, pe)
    {
        execute_pe(m, pe);
    }
    machine_reverse_flush(m);
}

static void execute(struct machine *m)
{
    uint32_t pe;
    if (__builtin_expect(m->reverse != NULL, 0)) {
        execute_backwards(m);
        return;
    }
    MACHINE_SET_EACH(&m->with_input, pe)
    {
        execute_pe(m, pe);
    }
}

/* Moves the tokens of a wheel's present cycle into queues of their PEs. */
#define UNLOAD(m, wheel, queue, set)                                                     \
    do {                                                                                 \
        struct machine_wheel_slot *slot_ = machine_wheel_at(&(m)->wheel, (m)->cycle);    \
        for (size_t i_ = 0; i_ < slot_->count; i_++) {                                   \
            const struct isa_token *t_ = &slot_->tokens[i_];                             \
            machine_queue_put(&(m)->pes[t_->pe].queue, t_);                              \
            machine_set_add(&(m)->set, t_->pe);                                          \
        }                                                                                \
        slot_->count = 0;                                                                \
    } while (0)

static void simulate_cycle(struct machine *m)
{
    UNLOAD(m, formed, input, with_input);
    if (m->settings.network_topology == MACHINE_NETWORK_CROSSBAR) {
        UNLOAD(m, departing, output, with_output);
        UNLOAD(m, arriving, ingress, with_ingress);
        machine_crossbar_cycle(m);
    }
    execute(m);
}

/* What is measured at the end of a cycle, so that no order within it can matter. */
static void observe(struct machine *m)
{
    const struct isa_counts *c = &m->exec.counts;
    uint64_t live = c->made - c->consumed;
    if (live > m->peak_live)
        m->peak_live = live;
    if (c->waiting > m->peak_waiting)
        m->peak_waiting = c->waiting;
    if (m->exec.tags.count > m->peak_tags)
        m->peak_tags = m->exec.tags.count;
}

static uint64_t least_step(uint64_t a, uint64_t b)
{
    return a == 0 ? b : b == 0 || a < b ? a : b;
}

/* Cycles to the next one in which something happens; 0: the machine is quiet. */
static uint64_t next_step(struct machine *m)
{
    if (!machine_set_is_empty(&m->with_input) || !machine_set_is_empty(&m->with_output) ||
        !machine_set_is_empty(&m->with_ingress))
        return 1;
    uint64_t step = machine_wheel_next(&m->formed, m->cycle);
    if (m->settings.network_topology == MACHINE_NETWORK_CROSSBAR) {
        step = least_step(step, machine_wheel_next(&m->departing, m->cycle));
        step = least_step(step, machine_wheel_next(&m->arriving, m->cycle));
    }
    return step;
}

/* Nothing moves any more. */
static void stop_quiet(struct machine *m)
{
    uint64_t limit = m->settings.limit_cycles;
    if (limit && machine_time(m) > limit)
        stop(m, ISA_END_LIMIT, "limits.cycles");
    else
        stop(m, isa_exec_end(&m->exec), NULL);
}

static const char *limit_reached(const struct machine *m)
{
    const struct machine_settings *s = &m->settings;
    const struct isa_counts *c = &m->exec.counts;
    if (s->limit_cycles && m->cycle >= s->limit_cycles)
        return "limits.cycles";
    if (s->limit_tokens && c->tokens > s->limit_tokens)
        return "limits.tokens";
    uint64_t bytes = m->exec.tags.used * ISA_FRAME_UNIT +
                     (c->made - c->consumed) * sizeof(struct isa_token) +
                     c->deferred * sizeof(struct isa_deferred);
    return bytes > s->limit_memory ? "limits.memory" : NULL;
}

bool machine_advance(struct machine *m, uint64_t tokens)
{
    uint64_t until = m->exec.counts.tokens + tokens;
    while (m->running && m->exec.counts.tokens < until) {
        simulate_cycle(m);
        observe(m);
        if (!m->running)
            break;
        machine_verify_cycle(m);
        uint64_t step = next_step(m);
        if (step == 0) {
            stop_quiet(m);
            break;
        }
        m->waiting_cycles += m->exec.counts.waiting * step;
        m->cycle += step;
        if (__builtin_expect(m->cycle >= m->next_sample, 0))
            machine_observe_now(m);
        const char *limit = limit_reached(m);
        if (limit)
            stop(m, ISA_END_LIMIT, limit);
    }
    return m->running;
}

/* --- what is seen from outside ----------------------------------------------------------- */

enum isa_end machine_end(const struct machine *m)
{
    assert(!m->running);
    return m->end;
}

const char *machine_limit(const struct machine *m)
{
    return m->limit;
}

const struct isa_exec *machine_exec(const struct machine *m)
{
    return &m->exec;
}

uint64_t machine_cycle(const struct machine *m)
{
    return m->cycle;
}

void machine_measure(const struct machine *m, struct traces_stats *stats)
{
    const struct isa_counts *c = &m->exec.counts;
    uint64_t cycles = machine_time(m);
    *stats = (struct traces_stats){
        .value_digest = c->value_digest,
        .timing_digest = m->timing_digest,
        .cycles = cycles,
        .result_cycle = m->result_cycle,
        .firings = c->firings,
        .dead_firings = c->dead_firings,
        .span = c->span,
        .calls = m->exec.tags.created,
        .tokens = c->tokens,
        .dead_tokens = c->dead_tokens,
        .network_bits = m->network_bits,
        .peak_waiting = m->peak_waiting,
        .peak_live_tokens = m->peak_live,
        .peak_tags = m->peak_tags,
        .peak_tag_depth = m->exec.tags.deepest,
        .graph_nodes = m->code->instr_count,
        .waiting_cycles = m->waiting_cycles,
        .one_operand = c->one_operand,
        .unit_cycles = m->settings.pe_units * m->pe_count * cycles,
        .pe = lib_mem_new(m->pe_count * sizeof *stats->pe),
        .pe_count = m->pe_count,
    };
    for (uint32_t i = 0; i < m->pe_count; i++) {
        const struct traces_pe_stats *pe = &m->pes[i].stats;
        stats->pe[i] = *pe;
        stats->local_tokens += pe->local_tokens;
        stats->network_tokens += pe->network_tokens;
        stats->busy_cycles += pe->busy;
    }
    stats->hops = stats->network_tokens; /* ideal and crossbar: one link each */
}

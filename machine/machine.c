#include "machine/machine.h"

#include "machine/engine.h"
#include "machine/executor.h"
#include "machine/reverse.h"
#include "machine/room.h"
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

static void set_delays(struct machine *m)
{
    const struct machine_settings *s = &m->settings;
    for (int op = 0; op < ISA_OP_COUNT; op++)
        m->delay[op] = s->match_latency + s->fetch_latency +
                       s->latency[isa_op_table[op].unit] + s->form_latency;
    m->request_delay = machine_request_delay(s);
}

/* The longest time from a turn of this program to its tokens. Wheels are no larger than they
 * must be: all their lists are walked through, again and again. */
static uint64_t longest_delay(const struct machine *m)
{
    const struct machine_settings *s = &m->settings;
    uint64_t longest = 0;
    for (uint32_t i = 0; i < m->code->instr_count; i++) {
        uint64_t delay = m->delay[m->code->instrs[i].op];
        longest = delay > longest ? delay : longest;
    }
    if (m->code->expands) {
        uint64_t soon = 0;
        for (uint32_t f = 1; f < m->code->graph->function_count; f++) {
            const uint64_t cost = machine_copy_cost(&m->copy, m->code->copy_nodes[f]);
            soon = cost > soon ? cost : soon;
        }
        longest += soon < MACHINE_COPY_SOON ? soon : MACHINE_COPY_SOON;
    }
    longest += m->match.is_hash ? s->overflow_latency : 0;
    longest += m->tagging.is_modelled ? s->spill_latency + s->intern_latency : 0;
    return longest;
}

static void make_wheels(struct machine *m)
{
    const uint64_t longest = longest_delay(m);
    const uint64_t away = m->has_ports ? 0 : m->settings.network_latency;
    machine_wheel_init(&m->formed, longest + away);
    machine_wheel_init(&m->departing, longest);
    machine_wheel_init(&m->arriving, machine_crossbar_longest(&m->settings));
}

static void load_starts(struct machine *m)
{
    uint32_t pe = machine_place(m, ISA_TAG_ROOT);
    for (uint32_t i = 0; i < m->code->start_count; i++) {
        struct isa_token t = isa_exec_start(&m->exec, i);
        isa_token_put_at(&t, pe);
        machine_queue_put(&m->pes[pe].input, &t);
        machine_set_add(&m->with_input, pe);
        m->pes[pe].held++;
    }
}

/* The stores that may be finite. */
static void make_stores(struct machine *m)
{
    const struct machine_settings *s = &m->settings;
    machine_match_init(&m->match, s, m->pe_count);
    m->exec.tags.slots_at = m->match.slots;
    m->exec.tags.is_watched |= m->match.slots != NULL;
    machine_tagging_init(&m->tagging, s, m->pe_count, m->code->graph->function_count);
    m->has_queues = s->queue_capacity || s->network_capacity;
    for (uint32_t i = 0; i < m->code->instr_count; i++) {
        const struct isa_instr *instr = &m->code->instrs[i];
        uint64_t made = (uint64_t)instr->out[0].count + instr->out[1].count;
        m->widest = made > m->widest ? made : m->widest;
    }
}

/* The bits that every token carries, and those of each label. */
static void set_bits(struct machine *m)
{
    const struct machine_settings *s = &m->settings;
    const uint32_t operand = 1;
    m->token_bits = 64 + bits_for(m->code->instr_count) + operand;
    if (s->tag_scheme == MACHINE_TAGS_PATH) {
        uint32_t bits = bits_for(m->code->graph->site_count);
        m->label_bits = bits ? bits : 1;
    } else {
        bool pool = s->tag_scheme == MACHINE_TAGS_POOL && s->tag_pool;
        m->token_bits += pool ? bits_for(s->tag_pool) : (uint32_t)s->tag_bits;
    }
}

/* What there is where no executor runs the program. */
static void make_pes(struct machine *m)
{
    const struct machine_settings *s = &m->settings;
    machine_copy_init(&m->copy, s, m->code, m->pe_count);
    m->exec.tags.copies_at = m->copy.nodes;
    make_stores(m);
    m->has_ports = s->network_topology == MACHINE_NETWORK_CROSSBAR && m->pe_count > 1;
    set_delays(m);
    make_wheels(m);
    m->with_input = new_set(m->pe_count);
    m->with_output = new_set(m->pe_count);
    m->with_ingress = new_set(m->pe_count);
    load_starts(m);
    m->starts = m->code->start_count;
    m->is_plain = s->deadness == MACHINE_SUPPRESS && !m->has_queues &&
                  !m->match.is_hash && !m->match.is_frames && !m->tagging.is_modelled &&
                  !m->bound.of_site && !m->code->expands;
}

struct machine *machine_new(const struct isa_code *code,
                            const struct machine_settings *settings, uint64_t seed)
{
    assert(code->propagate == (settings->deadness == MACHINE_PROPAGATE));
    struct machine *m = lib_mem_new(sizeof *m);
    m->settings = *settings;
    m->code = code;
    m->seed = seed;
    m->pe_count = (uint32_t)(settings->executor_workers ? settings->executor_workers
                                                        : settings->pe_count);
    m->most_live = settings->limit_memory / sizeof(struct isa_token);
    m->running = true;
    m->next_sample = UINT64_MAX;
    set_bits(m);
    isa_exec_init(&m->exec, code, settings->limit_memory);
    m->pes = lib_mem_new(m->pe_count * sizeof *m->pes);
    for (uint32_t i = 0; i < m->pe_count; i++) {
        machine_queue_init(&m->pes[i].input);
        machine_queue_init(&m->pes[i].output);
        machine_queue_init(&m->pes[i].ingress);
    }
    machine_bound_init(&m->bound, code->graph, settings->loop_bound);
    m->execute = machine_general_execute;
    if (settings->executor_workers)
        machine_executor_init(m);
    else
        make_pes(m);
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
    LIB_VEC_FREE(&m->coming);
    for (int kind = 0; kind < ISA_KIND_COUNT; kind++)
        LIB_VEC_FREE(&m->batches[kind]);
    machine_match_free(&m->match);
    machine_tagging_free(&m->tagging);
    machine_bound_free(&m->bound);
    machine_executor_free(m->executor);
    machine_copy_free(&m->copy);
    machine_reverse_free(m->reverse);
    isa_exec_free(&m->exec);
    lib_mem_free(m);
}

/* --- one cycle --------------------------------------------------------------------------- */

/* Moves the tokens of a wheel's present cycle into the queues of their PEs: the input
 * queues, or the output queues. */
ISA_FIRE_INLINE void unload(struct machine *m, struct machine_wheel *wheel,
                            const struct machine_set with_tokens, bool output)
{
    struct machine_wheel_slot *slot = machine_wheel_at(wheel, m->cycle);
    struct machine_pe *const pes = m->pes;
    const struct isa_token *t = slot->tokens;
    for (size_t left = slot->count; left > 0; left--, t++) {
        const uint32_t pe = isa_token_place(t);
        machine_queue_put(output ? &pes[pe].output : &pes[pe].input, t);
        machine_set_add(&with_tokens, pe);
    }
    slot->count = 0;
}

/* What is to be formed in this cycle, after a copy that took long, goes to the wheels. */
static void unload_late(struct machine *m)
{
    struct machine_late late;
    while (machine_copy_take_late(&m->copy, m->cycle, &late)) {
        struct machine_wheel_slot *from[] = {&late.home, &late.away};
        struct machine_wheel_slot *to[] = {machine_wheel_at(&m->formed, m->cycle),
                                           machine_away(m, m->cycle)};
        for (int i = 0; i < 2; i++) {
            const uint32_t count = (uint32_t)from[i]->count;
            if (count)
                memcpy(machine_wheel_put(to[i], count), from[i]->tokens,
                       count * sizeof(struct isa_token));
            lib_mem_free(from[i]->tokens);
        }
    }
}

static void simulate_cycle(struct machine *m)
{
    m->moved = m->held_back = false;
    if (__builtin_expect(m->copy.late.count > 0, 0))
        unload_late(m);
    unload(m, &m->formed, m->with_input, false);
    if (m->has_ports) {
        unload(m, &m->departing, m->with_output, true);
        machine_crossbar_cycle(m);
    }
    m->execute(m);
}

/* What is measured at the end of a cycle, so that no order within it can matter. */
void machine_observe_peaks(struct machine *m)
{
    const struct isa_counts *c = &m->exec.counts;
    if (c->live > m->peak_live)
        m->peak_live = c->live;
    if (c->waiting > m->peak_waiting)
        m->peak_waiting = c->waiting;
    if (m->exec.tags.count > m->peak_tags)
        m->peak_tags = m->exec.tags.count;
    const uint64_t copied = machine_copied_nodes(m);
    if (copied > m->peak_copied)
        m->peak_copied = copied;
    const struct isa_structures *s = &m->exec.structures;
    if (s->count == 0)
        return;
    if (s->count > m->peak_structures)
        m->peak_structures = s->count;
    if (s->elements > m->peak_elements)
        m->peak_elements = s->elements;
}

static uint64_t least_step(uint64_t a, uint64_t b)
{
    return a == 0 ? b : b == 0 || a < b ? a : b;
}

/* Whether a CALL waits for a number, and there is one. */
static bool has_call_to_resume(const struct machine *m)
{
    for (uint32_t list = 0; m->tagging.waiting && list < m->tagging.list_count; list++) {
        const struct isa_token *t = machine_tagging_first(&m->tagging, list);
        if (t && machine_has_number(m, t))
            return true;
    }
    return false;
}

/* Whether something stands at a PE that only room can hold back. */
static bool has_queued(const struct machine *m)
{
    return !machine_set_is_empty(&m->with_input) ||
           !machine_set_is_empty(&m->with_output) ||
           !machine_set_is_empty(&m->with_ingress) || m->tagging.in_units ||
           has_call_to_resume(m);
}

/* Whether an APPLY that waits for a copy could go on in the next cycle, as far as workers and
 * instruction stores can say. */
static bool has_copy_to_resume(struct machine *m)
{
    if (m->copy.waiting.count == 0 || !machine_copy_has_worker(&m->copy, m->cycle + 1))
        return false;
    for (size_t i = 0; i < m->copy.waiting.count; i++)
        if (machine_room_for_copy(m, i, 2 * m->cycle + 2))
            return true;
    return false;
}

/* Cycles until a worker is free for whom an APPLY waits; 0: none does. */
static uint64_t next_worker(struct machine *m)
{
    if (m->copy.waiting.count == 0 || machine_copy_has_worker(&m->copy, m->cycle + 1))
        return 0;
    return machine_copy_next_worker(&m->copy) - m->cycle;
}

/* Whether all that is queued waits for ports: they are of finite bandwidth, and a token may
 * take many cycles to go through. */
static bool only_ports_are_busy(struct machine *m)
{
    return m->settings.network_bandwidth && machine_set_is_empty(&m->with_input) &&
           !m->tagging.in_units && !has_call_to_resume(m) && !has_copy_to_resume(m);
}

/* Cycles to the next one in which something happens; 0: the machine is quiet. */
static uint64_t next_step(struct machine *m)
{
    /* What is there waits for room, or for a port. */
    const bool idle = m->has_queues ? !m->moved : only_ports_are_busy(m);
    if (machine_bound_has_next(&m->bound, &m->exec))
        return 1;
    if (!idle && (has_queued(m) || has_copy_to_resume(m)))
        return 1;
    uint64_t step = machine_wheel_next(&m->formed, m->cycle);
    if (m->code->expands) {
        step = least_step(step, next_worker(m));
        if (m->copy.late.count)
            step = least_step(step, m->copy.late.items[0].when - m->cycle);
    }
    if (m->has_ports) {
        step = least_step(step, machine_wheel_next(&m->departing, m->cycle));
        step = least_step(step, machine_wheel_next(&m->arriving, m->cycle));
    }
    return idle ? least_step(step, machine_room_next_port(m)) : step;
}

static bool has_too_many_tokens(const struct machine *m)
{
    const uint64_t limit = m->settings.limit_tokens;
    return limit && m->exec.counts.tokens > limit;
}

/* Nothing moves any more. */
void machine_stop_quiet(struct machine *m)
{
    const uint64_t limit = m->settings.limit_cycles;
    if (limit && machine_time(m) > limit)
        machine_stop(m, ISA_END_LIMIT, "limits.cycles");
    else if (has_too_many_tokens(m))
        machine_stop(m, ISA_END_LIMIT, "limits.tokens");
    else if (has_queued(m))
        machine_stop(m, ISA_END_STORE_FULL,
                     m->settings.queue_capacity ? "queue.capacity" : "network.capacity");
    else if (m->copy.waiting.count)
        machine_stop(m, ISA_END_STORE_FULL, "copy.capacity");
    else if (m->tagging.waiting)
        machine_stop(m, ISA_END_TAGS_EXHAUSTED, machine_tagging_limit(&m->tagging));
    else
        machine_stop(m, isa_exec_end(&m->exec), NULL);
}

static const char *limit_reached(const struct machine *m)
{
    const struct machine_settings *s = &m->settings;
    const struct isa_counts *c = &m->exec.counts;
    if (s->limit_cycles && m->cycle >= s->limit_cycles)
        return "limits.cycles";
    if (has_too_many_tokens(m))
        return "limits.tokens";
    uint64_t bytes = m->exec.tags.used * ISA_FRAME_UNIT + m->exec.structures.bytes +
                     c->live * sizeof(struct isa_token) +
                     m->exec.waiting_reads * sizeof(struct isa_deferred);
    return bytes > s->limit_memory ? "limits.memory" : NULL;
}

void machine_pass(struct machine *m, uint64_t step)
{
    m->waiting_cycles += m->exec.counts.waiting * step;
    m->queue_stalls += m->held_back ? step : 0;
    m->cycle += step;
    if (__builtin_expect(m->cycle >= m->next_sample, 0))
        machine_observe_now(m);
    const char *limit = limit_reached(m);
    if (limit)
        machine_stop(m, ISA_END_LIMIT, limit);
}

bool machine_advance_to(struct machine *m, uint64_t cycle, uint64_t tokens)
{
    if (m->executor)
        return machine_executor_advance_to(m, cycle, tokens);
    uint64_t until = m->exec.counts.tokens + tokens;
    while (m->running && m->exec.counts.tokens < until && m->cycle < cycle) {
        simulate_cycle(m);
        machine_observe_peaks(m);
        if (!m->running)
            break;
        machine_verify_cycle(m);
        uint64_t step = next_step(m);
        if (step == 0 && machine_bound_exceed(&m->bound))
            step = 1;
        if (step == 0) {
            machine_stop_quiet(m);
            break;
        }
        machine_pass(m, step);
    }
    return m->running;
}

bool machine_advance(struct machine *m, uint64_t tokens)
{
    return machine_advance_to(m, UINT64_MAX, tokens);
}

uint64_t machine_next(const struct machine *m)
{
    return m->executor ? machine_executor_next(m) : m->cycle;
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
        .loop_iterations = m->exec.tags.iterations,
        .tokens = c->tokens,
        .dead_tokens = c->dead_tokens,
        .network_bits = m->network_bits,
        .peak_waiting = m->peak_waiting,
        .peak_live_tokens = m->peak_live,
        .peak_tags = m->peak_tags,
        .peak_tag_depth = m->exec.tags.deepest,
        .peak_structures = m->peak_structures,
        .peak_elements = m->peak_elements,
        .deferred_fetches = m->exec.deferred_fetches,
        .element_requests = m->element_requests,
        .bound_stalls = m->bound.stalls,
        .bound_excess = m->bound.excess,
        .match_overflows = m->match.overflows,
        .queue_stalls = m->queue_stalls,
        .tag_stalls = m->tagging.stalls,
        .graph_nodes = m->code->graph->node_count,
        .copies = m->code->expands ? m->exec.tags.created : 0,
        .copied_nodes = m->exec.tags.copied_nodes,
        .peak_graph_nodes = machine_graph_nodes(m, m->peak_copied),
        .copy_stalls = m->copy.stalls,
        .waiting_cycles = m->waiting_cycles,
        .one_operand = c->one_operand,
        .unit_cycles = (m->executor ? 1 : m->settings.pe_units) * m->pe_count * cycles,
        .pe = lib_mem_new(m->pe_count * sizeof *stats->pe),
        .pe_count = m->pe_count,
        .has_workers = m->executor != NULL,
    };
    if (m->executor)
        machine_executor_measure(m->executor, stats);
    for (uint32_t i = 0; i < m->pe_count; i++) {
        const struct traces_pe_stats *pe = &m->pes[i].stats;
        stats->pe[i] = *pe;
        stats->pe[i].turns = m->executor ? 0 : pe->turns + pe->tokens;
        if (!m->executor)
            stats->pe[i].busy = pe->firings + pe->dead_firings;
        stats->local_tokens += pe->local_tokens;
        stats->network_tokens += pe->network_tokens;
        stats->busy_cycles += stats->pe[i].busy;
        stats->working_pes += pe->firings + pe->dead_firings > 0;
        stats->turns += stats->pe[i].turns;
    }
    stats->hops = stats->network_tokens; /* ideal and crossbar: one link each */
}

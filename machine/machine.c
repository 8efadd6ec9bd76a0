#include "machine/machine.h"

#include "machine/engine/cycle.h"
#include "machine/describe.h"
#include "machine/engine/engine.h"
#include "machine/engine/executor.h"
#include "machine/events.h"
#include "machine/network/network.h"
#include "machine/pe/discipline.h"
#include "machine/pe/match.h"
#include "machine/pe/swap_served.h"
#include "machine/placement/capability.h"
#include "machine/placement/policy.h"
#include "machine/ports.h"
#include "machine/result.h"
#include "machine/verify.h"

static const struct machine_kind machine_of_pes;

/* --- setting up and taking down -------------------------------------------------------- */

/* Returns the longest time from an issue to its tokens: the length of timing wheels, short because
 * all their lists are scanned again and again. */
static uint64_t longest_delay(const struct machine *m)
{
    const struct traces_machine *about = &m->about;
    uint64_t longest = about->timing ? about->others.request
                                     : 0; /* less than all latencies */
    for (uint32_t i = 0; i < m->code->instr_count; i++) {
        const enum isa_op op = (enum isa_op)m->code->instrs[i].op;
        const uint64_t delay = about->timing ? machine_latency(m, 0, i)
                                             : traces_machine_max_latency(about, op);
        longest = delay > longest ? delay : longest;
    }
    for (uint32_t i = 0; i < m->part_count; i++)
        longest += m->parts[i]->delay
                       ? m->parts[i]->delay(m, machine_part_state(m, m->parts[i]))
                       : 0;
    return longest;
}

static void make_wheels(struct machine *m)
{
    const uint64_t longest = longest_delay(m);
    machine_wheel_init(&m->tokens.formed, longest + m->network.delay);
    machine_network_make_wheels(m, longest);
}

static bool is_plain(const struct machine *m)
{
    for (uint32_t i = 0; i < m->part_count; i++)
        if (!m->parts[i]->is_plain)
            return false;
    return !m->about.propagates && (!m->has_queues || m->network.has_links) &&
           !m->code->machines && !m->discipline->bring;
}

static void start_pes(struct machine *m)
{
    m->run.starts = m->code->start_count;
    m->run.execute = machine_general_execute;
    m->run.is_plain = is_plain(m);
    for (uint32_t i = 0; i < m->code->start_count; i++) {
        const uint32_t pe = machine_pe_on(m, ISA_TAG_ROOT, m->code->starts[i]);
        struct isa_token t = isa_exec_start(&m->tokens.exec, i);
        machine_token_move_to(&t, pe);
        machine_queue_put(&m->tokens.pes[pe].input, &t);
        machine_set_add(&m->tokens.with_input, pe);
        m->tokens.pes[pe].came++;
    }
}

/* Returns the max tokens of an issue if no graph is copied: a request, results, or the dead tokens
 * of a call that is not made. */
static uint64_t most_made(const struct machine *m)
{
    uint64_t most = m->widest ? m->widest : 1;
    for (uint32_t i = 0; i < m->code->graph->site_count; i++) {
        const uint32_t dead = m->code->sites[i].dead.count;
        most = dead > most ? dead : most;
    }
    return most;
}

static void make_queues(struct machine *m)
{
    const struct traces_machine *about = &m->about;
    m->has_queues = about->has_input_bounds || about->network_capacity;
    m->output_room = about->network_capacity ? about->network_capacity : UINT64_MAX;
    for (uint32_t i = 0; i < m->code->instr_count; i++) {
        const struct isa_instr *instr = &m->code->instrs[i];
        uint64_t made = (uint64_t)instr->out[0].count + instr->out[1].count;
        m->widest = made > m->widest ? made : m->widest;
    }
    if (m->has_queues)
        m->rooms = lib_mem_new(m->pe_count * sizeof *m->rooms);
    for (uint32_t pe = 0; m->rooms && pe < m->pe_count; pe++) {
        const uint64_t capacity = machine_settings_at(m, pe)->queue_capacity;
        const uint64_t room = capacity ? capacity : UINT64_MAX;
        const uint64_t kept = m->widest < room / 2 ? m->widest : room / 2;
        m->rooms[pe] = (struct machine_room){room, room - kept};
    }
    if (m->network.has_links && !m->code->expands && !m->code->has_tensors)
        m->most_made = most_made(m);
}

_Static_assert(MACHINE_GATE_COUNT <= 16, "gates_of[] has a bit for each gate");

static void choose_gate(struct machine *m, void *state, const struct machine_gate *gate)
{
    bool is_asked = false;
    for (int op = 0; op < ISA_OP_COUNT; op++) {
        if (!gate->concerns(m, state, (enum isa_op)op))
            continue;
        m->gates_of[op] |= (uint16_t)(1U << gate->place);
        is_asked = true;
    }
    if (!is_asked)
        return;
    assert(!m->gates[gate->place].ask);
    m->gates[gate->place].ask = gate->ask;
    m->gates[gate->place].state = state;
    m->foreseen_gates |= (uint16_t)(gate->is_foreseen << gate->place);
    m->has_gates = true;
}

static void choose_gates(struct machine *m)
{
    for (uint32_t i = 0; i < m->part_count; i++)
        for (int k = 0; k < MACHINE_MAX_GATES && m->parts[i]->gates[k]; k++)
            choose_gate(m, machine_part_state(m, m->parts[i]), m->parts[i]->gates[k]);
}

static void make_classes(struct machine *m)
{
    const struct traces_machine *about = &m->about;
    m->pe_units = traces_machine_units(about, 0);
    if (about->class_count == 0)
        return;
    m->of_class = lib_mem_new((about->class_count + 1) * sizeof *m->of_class);
    for (uint32_t i = 0; i <= about->class_count; i++)
        m->of_class[i] = m->settings;
    for (uint32_t i = 0; i < about->class_count; i++) /* in the order of the settings */
        machine_class_apply(&m->settings.classes[i], &m->of_class[i + 1]);
    m->class_of = lib_mem_new(m->pe_count * sizeof *m->class_of);
    for (uint32_t pe = 0; pe < m->pe_count; pe++) {
        const struct traces_pe_class *class = traces_machine_class(about, pe);
        m->class_of[pe] = class ? (uint8_t)(class - about->classes + 1) : 0;
        if (traces_machine_units(about, pe) != m->pe_units)
            m->pe_units = MACHINE_UNITS_DIFFER;
    }
}

static void make_pes(struct machine *m)
{
    make_queues(m);
    machine_batches_init(&m->batches, m->code->kind_count);
    if (m->class_of)
        machine_plain_classes_make(m);
    else
        machine_plain_make(m);
    machine_plain_traced_make(m);
    make_wheels(m);
    m->is_common = !m->begin_firing[0].call && !m->code->machines && !m->about.timing &&
                   !m->about.class_count;
    m->returns = isa_code_find_kind(m->code, ISA_KIND(ISA_OP_RETURN, ISA_FORM_TWO));
}

static bool make_part(struct machine *m, const struct machine_part *part)
{
    if (part->state_size)
        machine_part_set_state(m, part, lib_mem_new(part->state_size));
    void *const state = machine_part_state(m, part);
    if (part->state_size && part->reset)
        part->reset(m, state);
    if (part->make(m, state))
        return true;
    if (part->state_size) {
        lib_mem_free(state);
        machine_part_set_state(m, part, NULL);
    }
    return false;
}

/* Adds a function of a part, if it has one, and the part's state to an array of struct machine. */
#define ADD_CALL(calls, count, function)                                                 \
    if (function) {                                                                      \
        (calls)[count].call = (function);                                                \
        (calls)[(count)++].state = state;                                                \
    }

static void make_parts(struct machine *m)
{
    uint32_t served = 0, resumed = 0, finished = 0, observed = 0, timed = 0, begun = 0;
    for (uint32_t i = 0; m->kind->parts[i]; i++) {
        const struct machine_part *part = m->kind->parts[i];
        if (!make_part(m, part))
            continue;
        void *const state = machine_part_state(m, part);
        m->parts[m->part_count++] = part;
        ADD_CALL(m->serve, served, part->serve)
        ADD_CALL(m->resume, resumed, part->resume)
        ADD_CALL(m->finish, finished, part->finish)
        ADD_CALL(m->next, timed, part->next)
        ADD_CALL(m->observe, observed, part->observe)
        bool begins = false;
        for (int op = 0; part->begin_firing && op < ISA_OP_COUNT; op++) {
            const bool of_op = part->begins(m, state, (enum isa_op)op);
            m->begins_of[op] |= (uint8_t)(of_op << begun);
            begins |= of_op;
        }
        if (begins)
            ADD_CALL(m->begin_firing, begun, part->begin_firing)
    }
}

struct machine *machine_new(const struct isa_code *code,
                            const struct machine_settings *settings, uint64_t seed)
{
    return machine_new_timed(code, settings, seed, NULL);
}

struct machine *machine_new_timed(const struct isa_code *code,
                                  const struct machine_settings *settings, uint64_t seed,
                                  const struct traces_timing *timing)
{
    assert(code->propagate == machine_propagates(settings));
    struct machine *m = lib_mem_new(sizeof *m);
    m->settings = *settings;
    m->about = machine_describe(settings, code->graph, timing);
    m->about.settings = NULL; /* not borrowed longer */
    machine_settings_scale(&m->settings, m->about.ticks);
    m->code = code;
    m->seed = seed;
    m->pe_count = m->about.pe_count;
    m->machine_of = code->machine_of;
    m->machine_pes = code->machines ? m->pe_count / code->machines : m->pe_count;
    m->node_pes = machine_node_pes(settings);
    m->memory_pes = m->node_pes ? m->node_pes : 1;
    m->has_limits = settings->limit_cycles || settings->limit_tokens ||
                    settings->limit_depth;
    m->most_live = settings->limit_memory / sizeof(struct isa_token);
    m->discipline = machine_discipline_of(settings);
    m->capability = machine_capability_make(&m->about, code->graph, settings);
    m->policies = machine_policies_make(settings, m->pe_count, m->capability);
    m->kind = m->about.has_workers ? &machine_of_workers : &machine_of_pes;
    m->token_bits = (uint32_t)traces_machine_token_bits(&m->about, code->instr_count);
    m->label_bits = (uint32_t)m->about.label_bits;
    isa_exec_init(&m->tokens.exec, code, settings->limit_memory);
    m->tokens.exec.tensor.seed = seed;
    if (code->machines) {
        isa_shares_start(&m->tokens.exec.tags, code->machines,
                         code->schedules ? NULL : code->home_of_site, m->machine_pes);
        m->tokens.exec.tags.shares->tells = m->about.sends_releases;
    }
    if (m->about.own_math)
        m->tokens.exec.functions = &isa_eval_own;
    m->tokens.pes = lib_mem_new(m->pe_count * sizeof *m->tokens.pes);
    m->watch.timing_digests = lib_mem_new(code->graph->function_count *
                                          sizeof *m->watch.timing_digests);
    machine_clear(m);
    make_classes(m);
    machine_network_make(m);
    make_parts(m);
    m->policies->is_simple = machine_place_is_simple(m);
    m->kind->make(m);
    choose_gates(m);
    machine_start(m);
    return m;
}

static void free_pes(struct machine *m)
{
    lib_mem_free(m->rooms);
    machine_batches_free(&m->batches);
}

static void reset_pes(struct machine *m)
{
    machine_batches_clear(&m->batches);
}

/* --- measured ------------------------------------------------------------------------------ */

static uint64_t now(const struct machine *m)
{
    return m->run.cycle;
}

/* A firing is busy for one cycle, because function units are pipelined. */
static uint64_t busy(const struct machine *m, uint64_t time)
{
    (void)time;
    return m->tokens.exec.counts.firings + m->tokens.exec.counts.dead_firings +
           isa_carried_count(&m->tokens.exec.carried);
}

static void measure(const struct machine *m, struct traces_stats *stats)
{
    stats->unit_cycles = traces_machine_all_units(&m->about) * stats->cycles;
    stats->turn_cycles = traces_machine_all_turns(&m->about) * stats->cycles;
    machine_network_measure(m, stats);
    if (m->about.class_count)
        stats->pe_units = lib_mem_new(m->pe_count * sizeof *stats->pe_units);
    for (uint32_t i = 0; stats->pe_units && i < m->pe_count; i++)
        stats->pe_units[i] = traces_machine_units(&m->about, i);
    for (uint32_t i = 0; i < m->pe_count; i++) {
        struct traces_pe_stats *pe = &stats->pe[i];
        pe->busy = pe->firings + pe->dead_firings + m->tokens.pes[i].carried;
        pe->turns += pe->tokens; /* see machine/pe.h */
    }
}

/* --- the kind of machine that has PEs -------------------------------------------------------- */

static const struct machine_part *const parts[] = {
#define NETWORK(name) &machine_network_##name.part,
#define NETWORKS MACHINE_NETWORKS(NETWORK)
#define PART(name) &machine_##name##_part,
#include "machine/parts.def"
#undef NETWORK
    NULL,
};
MACHINE_ASSERT_PARTS(parts);

static void pack_pes(struct lib_pack *pack, struct machine *m)
{
    machine_match_pack(pack, m);
    LIB_PACK(pack, m->run.starts);
    if (lib_pack_reads(pack))
        m->run.execute = m->run.starts == 0 && m->run.is_plain ? machine_plain_execute
                                                               : machine_general_execute;
}

static const struct machine_kind machine_of_pes = {
    .parts = parts,
    .make = make_pes,
    .start = start_pes,
    .free = free_pes,
    .reset = reset_pes,
    .advance = machine_pes_advance,
    .pass = machine_general_pass,
    .next = now,
    .check = machine_audit_pes,
    .pack = pack_pes,
    .busy = busy,
    .measure = measure,
};

/* --- what is seen from outside ----------------------------------------------------------- */

bool machine_advance_to(struct machine *m, uint64_t cycle, uint64_t tokens)
{
    const bool goes_on = m->kind->advance(m, cycle, tokens);
    if (m->watch.events)
        machine_events_flush(m);
    return goes_on;
}

bool machine_advance(struct machine *m, uint64_t tokens)
{
    return machine_advance_to(m, UINT64_MAX, tokens);
}

uint64_t machine_next(const struct machine *m)
{
    return m->kind->next(m);
}

enum isa_end machine_end(const struct machine *m)
{
    assert(!m->run.running);
    return m->run.end;
}

const char *machine_limit(const struct machine *m)
{
    return m->run.limit;
}

void machine_set_blas(struct machine *m, const struct isa_blas *blas)
{
    m->tokens.exec.tensor.blas = blas;
}

uint64_t machine_least_memory(const struct machine *m)
{
    return m->ports && m->ports->needed ? m->ports->needed : machine_served_least(m);
}

const struct isa_exec *machine_exec(const struct machine *m)
{
    return &m->tokens.exec;
}

/* (Trusts a mark once half as many more activations are alive.) */
bool machine_none_freed(const struct machine *m, const bool *functions, uint64_t *since)
{
    const struct isa_activations *tags = &m->tokens.exec.tags;
    for (size_t i = 0; i < m->watch.marks.count; i++) {
        const struct machine_mark *mark = &m->watch.marks.items[i];
        const uint64_t *freed = m->watch.freed_by_marks.items + i * tags->function_count;
        uint32_t f = 0;
        while (f < tags->function_count && (!functions[f] || freed[f] == tags->freed[f]))
            f++;
        *since = mark->cycle;
        if (f == tags->function_count)
            return tags->count >= mark->activations + mark->activations / 2;
    }
    return false;
}

void machine_measure_execution(const struct isa_exec *exec, struct traces_stats *stats)
{
    const struct isa_counts *c = &exec->counts;
    *stats = (struct traces_stats){
        .value_digest = c->value_digest,
        .firings = c->firings,
        .dead_firings = c->dead_firings,
        .span = c->span,
        .calls = exec->tags.created,
        .loop_iterations = exec->tags.iterations,
        .tokens = c->tokens,
        .dead_tokens = c->dead_tokens,
        .peak_tag_depth = exec->tags.deepest,
        .graph_nodes = exec->code->graph->node_count,
        .copies = exec->code->expands ? exec->tags.created : 0,
        .copied_nodes = exec->tags.copied_nodes,
        .sends = exec->carried.sends,
        .dead_sends = exec->carried.dead_sends,
        .receives = exec->carried.receives,
        .dead_receives = exec->carried.dead_receives,
        .tag_sends = exec->carried.tag_sends,
        .tag_receives = exec->carried.tag_receives,
        .tag_steps = exec->carried.tag_steps,
        .tag_tokens = exec->carried.tag_tokens,
        .tags_followed = exec->carried.tags_followed,
        .early_receives = exec->carried.early_receives,
        .feeds = exec->structures.ports ? exec->structures.ports->feeds : 0,
        .port_waits = exec->structures.ports ? exec->structures.ports->waited : 0,
        .releases = exec->tags.shares ? exec->tags.shares->releases : 0,
        .one_operand = c->one_operand,
    };
}

uint32_t machine_digest_count(const struct machine *m)
{
    return m->pe_count + m->code->graph->function_count;
}

void machine_timing_digests(const struct machine *m, uint64_t *of_parts)
{
    for (uint32_t i = 0; i < m->pe_count; i++)
        *of_parts++ = m->tokens.pes[i].timing_digest;
    for (uint32_t f = 0; f < m->code->graph->function_count; f++)
        *of_parts++ = m->watch.timing_digests[f];
}

/* Sets the statistics that grow with each cycle to their values at cycle `time`. Nothing happens
 * between m->run.cycle and `time`. */
static void measure_passed(const struct machine *m, uint64_t time,
                           struct traces_stats *stats)
{
    /* May be negative, modulo 2^64. */
    const uint64_t more = m->run.running ? time - m->run.cycle : 0;
    stats->waiting_cycles = m->watch.waiting_cycles +
                            m->tokens.exec.counts.waiting * more;
    stats->queue_stalls = m->watch.queue_stalls + (m->run.held_back ? more : 0);
}

static void measure_at(const struct machine *m, uint64_t time, struct traces_stats *stats)
{
    machine_measure_execution(&m->tokens.exec, stats);
    measure_passed(m, time, stats);
    stats->cycles = time;
    stats->pe_cycles = m->pe_count * time;
    stats->result_cycle = machine_result_written(m).cycle;
    stats->network_bits = m->watch.network_bits;
    stats->peak_waiting = m->watch.peak_waiting;
    stats->peak_live_tokens = m->watch.peak_live;
    stats->peak_tags = m->watch.peak_tags;
    stats->peak_structures = m->watch.peak_structures;
    stats->peak_elements = m->watch.peak_elements;
    stats->tensor_flops = m->tokens.exec.tensor.flops;
    stats->tensor_bytes = m->tokens.exec.tensor.bytes;
    stats->tensor_updates = m->tokens.exec.tensor.updates;
    stats->update_copies = m->tokens.exec.tensor.copies;
    stats->update_copy_bytes = m->tokens.exec.tensor.copied;
    stats->peak_tensor_bytes = m->watch.peak_tensor_bytes;
    stats->tensor_network_bytes = m->watch.tensor_network_bytes;
    stats->deferred_fetches = m->tokens.exec.deferred_fetches;
    stats->element_requests = m->watch.element_requests;
    stats->peak_graph_nodes = machine_graph_nodes(m, m->watch.peak_copied);
    machine_observe_measure(m, stats);
    traces_part_counts_put(&m->watch.counts, stats);
    stats->pe = lib_mem_new(m->pe_count * sizeof *stats->pe);
    stats->pe_count = m->pe_count;
    for (uint32_t i = 0; i < m->pe_count; i++) {
        stats->pe[i] = m->tokens.pes[i].stats;
        stats->timing_digest += m->tokens.pes[i].timing_digest;
        stats->local_tokens += stats->pe[i].local_tokens;
        stats->network_tokens += stats->pe[i].network_tokens;
    }
    traces_stats_count_pes(stats);
    for (uint32_t i = 0; i < m->part_count; i++)
        if (m->parts[i]->measure)
            m->parts[i]->measure(m, machine_part_state(m, m->parts[i]), stats);
    m->kind->measure(m, stats);
    for (uint32_t i = 0; i < m->pe_count; i++) {
        stats->busy_cycles += stats->pe[i].busy;
        stats->turns += stats->pe[i].turns;
    }
}

void machine_measure(const struct machine *m, struct traces_stats *stats)
{
    measure_at(m, machine_time(m), stats);
}

/* --- parts of a run ------------------------------------------------------------------------ */

void machine_begin_part(struct machine *m, uint64_t cycle)
{
    m->watch.peak_waiting = m->watch.peak_live = m->watch.peak_tags =
        m->watch.peak_copied = 0;
    m->watch.peak_structures = m->watch.peak_elements = m->watch.peak_tensor_bytes = 0;
    traces_part_counts_begin(&m->watch.counts);
    for (uint32_t i = 0; i < m->part_count; i++)
        if (m->parts[i]->begin_part)
            m->parts[i]->begin_part(m, machine_part_state(m, m->parts[i]));
    if (!machine_limit_passed(m)) /* a passed limit is noticed when time advances */
        m->tokens.exec.tags.deepest = isa_activations_depth(&m->tokens.exec.tags);
    for (uint32_t i = 0; i < m->pe_count; i++)
        m->tokens.pes[i].stats.peak_queue = 0;
    m->watch.part_begins = cycle;
    /* The state is the same from `cycle` until now. */
    if (!m->run.running || m->run.cycle > cycle)
        machine_observe_peaks(m);
}

void machine_measure_to(struct machine *m, uint64_t cycle, struct traces_stats *stats)
{
    const uint64_t time = m->run.running ? cycle : machine_time(m);
    if (m->run.running && m->run.cycle < cycle && cycle > m->watch.part_begins)
        machine_observe_peaks(m); /* an executor measures peaks when its time advances */
    measure_at(m, time < cycle ? time : cycle, stats);
}

void machine_follow(struct machine *m, uint32_t function)
{
    m->tokens.exec.tags.followed = function;
    m->tokens.exec.tags.is_watched = true;
}

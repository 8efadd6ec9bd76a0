/* "The total order of events", and how a run ends ("Room"). */
#include "tests/oracle/state.h"

#include <math.h>

void oracle_end(struct oracle *o, enum oracle_end end, const char *limit)
{
    if (o->ended)
        return;
    o->ended = true;
    o->outcome->end = end;
    o->outcome->limit = limit;
}

/* --- a cycle ------------------------------------------------------------------------ */

static void take_turn(struct oracle *o, unsigned pe, size_t at)
{
    struct token t = oracle_take(&o->pes[pe].input, at);
    t.to = pe;
    oracle_why_turn(o, &t, pe);
    oracle_put(&o->taken, &t);
    o->moved = true;
}

static uint64_t slot_of(const struct oracle *o, const struct token *t)
{
    return t->message ? o->s->scale : o->s->slot[t->instr->node - o->graph->nodes];
}

/* "Instructions with times of their own". */
static void select_in_tick(struct oracle *o, unsigned pe)
{
    struct pe *p = &o->pes[pe];
    for (size_t i = 0; i < p->input.count && !oracle_wrong(o, FREE);)
        if (slot_of(o, &p->input.items[i]) == 0)
            take_turn(o, pe, i);
        else
            i++;
    while (p->input.count) {
        uint64_t *first = o->s->pe_units ? &p->units[0] : NULL;
        for (uint64_t u = 0; u < o->s->pe_units; u++)
            first = p->units[u] < *first ? &p->units[u] : first;
        if (first && *first > o->now)
            break;
        const size_t at = o->s->lifo ? p->input.count - 1 : 0;
        if (first)
            *first = o->now + slot_of(o, &p->input.items[at]) - oracle_wrong(o, TICKS);
        take_turn(o, pe, at);
    }
}

/* Step 8. */
static void select_turns(struct oracle *o)
{
    o->taken.count = 0;
    for (unsigned pe = 0; pe < o->s->pe_count; pe++) {
        struct pe *p = &o->pes[pe];
        if (oracle_nodes_stopped(o, pe))
            continue;
        if (p->input.count > p->stats.peak_queue)
            p->stats.peak_queue = p->input.count;
        if (o->s->scale) {
            select_in_tick(o, pe);
            continue;
        }
        bool none;
        const uint64_t most = oracle_turns_of(o, pe, &none);
        for (uint64_t i = 0; !none && p->input.count && (most == 0 || i < most); i++) {
            const size_t at = o->s->lifo ? p->input.count - 1 : 0;
            if (!oracle_room_for_turn(o, pe, &p->input.items[at])) {
                o->held_back = true;
                oracle_why_lacks(o, &p->input.items[at]);
                break;
            }
            take_turn(o, pe, at);
        }
    }
}

/* Requests for tensors, and copies, come last. */
static uint64_t kind_of(const struct oracle *o, const struct token *t)
{
    const bool early = oracle_wrong(o, EARLY);
    return t->message && !early ? UINT64_MAX - 1 : oracle_kind(o, t->instr);
}

/* Step 9: by kind, then as they were taken, by PE. */
static void execute_turns(struct oracle *o)
{
    while (o->taken.count && !o->ended) {
        size_t first = 0;
        for (size_t i = 1; i < o->taken.count; i++)
            if (kind_of(o, &o->taken.items[i]) <
                kind_of(o, &o->taken.items[first]) + oracle_wrong(o, PES))
                first = i;
        const struct token t = oracle_take(&o->taken, first);
        o->pes[t.to].stats.turns++;
        o->outcome->stats.turns++;
        oracle_turn(o, t.to, t);
    }
}

static void forget_promises(struct oracle *o)
{
    for (unsigned pe = 0; pe < o->s->pe_count; pe++)
        o->pes[pe].promised_input = o->pes[pe].promised_output = 0;
}

static void greatest(uint64_t *peak, uint64_t value)
{
    if (value > *peak)
        *peak = value;
}

void oracle_measure(struct oracle *o)
{
    struct oracle_stats *stats = &o->outcome->stats;
    greatest(&stats->peak_waiting, o->waiting);
    greatest(&stats->peak_live_tokens, o->live_tokens);
    greatest(&stats->peak_tags, o->alive);
    greatest(&stats->peak_structures, o->structures);
    greatest(&stats->peak_elements, o->elements);
    greatest(&stats->peak_tensor_bytes, o->tensors.used);
    greatest(&stats->peak_tensor_copies, o->copied);
    oracle_note_room(o, NULL, true);
    greatest(&stats->peak_graph_nodes, o->nodes);
}

/* Steps 0 to 11; `force`: a NEXT continues despite its bound. */
static void simulate_cycle(struct oracle *o, bool force)
{
    o->moved = o->held_back = false;
    oracle_unload(o);
    oracle_nodes_release(o);
    oracle_output_ports(o);
    oracle_input_ports(o);
    oracle_memory_moves(o);
    if (!o->ended)
        oracle_nodes_probe(o);
    oracle_end_turn(o); /* the frame of the top level */
    if (force)
        oracle_next_forced(o);
    if (!o->ended)
        oracle_nexts_go_on(o);
    if (!o->ended)
        oracle_calls_go_on(o);
    if (!o->ended)
        oracle_units_serve(o);
    if (!o->ended)
        oracle_applies_go_on(o);
    if (!o->ended)
        oracle_kernels_go_on(o);
    if (!o->ended)
        select_turns(o);
    execute_turns(o);
    if (!o->ended)
        oracle_units_issue(o);
    if (!o->ended)
        oracle_batches_start(o);
    forget_promises(o);
    oracle_measure(o);
}

/* --- "How time goes on" ------------------------------------------------------------- */

/* Whether a port has a token; with `all`, or a queue or tag manager. */
static bool has_tokens(const struct oracle *o, bool all)
{
    if (oracle_routers_have_tokens(o))
        return true;
    for (unsigned pe = 0; pe < o->s->pe_count; pe++) {
        const struct pe *p = &o->pes[pe];
        if (p->port.count || p->output.count ||
            (all && ((p->input.count && !oracle_nodes_stopped(o, pe)) || p->unit.count)))
            return true;
    }
    return false;
}

static bool only_ports(const struct oracle *o)
{
    for (unsigned pe = 0; pe < o->s->pe_count; pe++)
        if ((o->pes[pe].input.count && !oracle_nodes_stopped(o, pe)) ||
            o->pes[pe].unit.count)
            return false;
    return has_tokens(o, false) && !oracle_call_could_go_on(o) &&
           !oracle_apply_could_go_on(o);
}

static bool is_stuck(const struct oracle *o)
{
    if (oracle_has_bounds(o))
        return !o->moved;
    const bool has_bandwidth = o->s->network_bandwidth || o->s->scale ||
                               (o->s->nodes && o->s->inside_bandwidth) ||
                               oracle_routers_have_bandwidth(o);
    return has_bandwidth && only_ports(o);
}

/* Time in ticks: when a function unit or tag manager is free for what waits. */
static void next_turn(const struct oracle *o, uint64_t *tick)
{
    for (unsigned pe = 0; pe < o->s->pe_count; pe++) {
        const struct pe *p = &o->pes[pe];
        uint64_t first = o->s->pe_units ? p->units[0] : 0;
        for (uint64_t u = 0; u < o->s->pe_units; u++)
            first = p->units[u] < first ? p->units[u] : first;
        first = first > o->now ? first : o->now + 1;
        if (p->input.count && first < *tick)
            *tick = first;
        first = (o->now / o->s->scale + 1) * o->s->scale;
        if (p->unit.count && first < *tick)
            *tick = first;
    }
}

/* Whether a cycle follows because something must be examined in each. */
static bool is_looked_at(const struct oracle *o, bool stuck)
{
    return (!stuck && !o->s->scale && has_tokens(o, true)) ||
           (!stuck && (oracle_call_could_go_on(o) || oracle_apply_could_go_on(o)));
}

static bool next_cycle(struct oracle *o, uint64_t *next, bool *force)
{
    const bool stuck = is_stuck(o);
    *force = false;
    *next = o->now + 1;
    if (oracle_next_is_held(o, false) || oracle_kernel_could_go_on(o) ||
        is_looked_at(o, stuck))
        return true;
    *next = UINT64_MAX;
    if (o->s->scale)
        next_turn(o, next);
    oracle_next_event(o, next);
    oracle_next_worker(o, next);
    oracle_next_move(o, next);
    oracle_nodes_next(o, next);
    oracle_next_coordinator(o, next);
    oracle_next_batch(o, next);
    oracle_next_issue(o, next);
    if (oracle_wrong(o, FORESEES) && oracle_next_feed(o) < *next)
        *next = oracle_next_feed(o);
    if (stuck || o->s->scale)
        oracle_next_port(o, next);
    if (*next != UINT64_MAX)
        return true;
    *next = o->now + 1;
    if (oracle_batches_insist(o) || oracle_nodes_insist(o))
        return true;
    *force = oracle_next_is_held(o, true);
    return *force || oracle_memory_insists(o);
}

static bool is_deadlocked(const struct oracle *o)
{
    if (o->waiting || o->deferred || o->alive > 1)
        return true;
    for (uint32_t p = 0; p < o->graph->functions[0].result_count; p++)
        if (!o->results[p].here || !oracle_result_written(o, o->results[p].value))
            return true;
    return false;
}

static bool is_too_deep(const struct oracle *o)
{
    const uint64_t most = o->s->limit_depth;
    return most && o->outcome->stats.peak_tag_depth + oracle_wrong(o, NESTED) > most;
}

static void advance_to(struct oracle *o, uint64_t next)
{
    o->waiting_cycles += o->waiting * (next - o->now);
    if (o->held_back)
        o->outcome->stats.queue_stalls += oracle_wrong(o, SKIPPED) ? 1 : next - o->now;
    o->now = next;
    oracle_check_limits(o);
}

/* The host feeds no more: the machine is in the cycle after this one. */
static void end_waiting(struct oracle *o)
{
    const uint64_t until = o->outcome->stats.cycles;
    oracle_end(o, ORACLE_WAITING, NULL);
    if (o->s->executor_workers)
        return;
    const uint64_t more = until > o->now ? until - o->now : 0;
    o->waiting_cycles += o->waiting * more;
    o->outcome->stats.queue_stalls += o->held_back ? more : 0;
}

/* A run waits: the next cycle begins; then time passes to the next feed, unless a limit ends the
 * run before. */
static void wait_for_host(struct oracle *o, uint64_t *next, bool *waits)
{
    const uint64_t limit = o->s->limit_cycles;
    if (!o->s->executor_workers)
        advance_to(o, o->now + 1);
    if (o->ended)
        return;
    if (!oracle_host_goes_on(o, next, waits)) {
        end_waiting(o);
        return;
    }
    if (limit && *next >= limit)
        *next = limit;
}

/* A quiet machine: the run ends, or continues with a feed in cycle *next (see
 * oracle_host_goes_on). */
void oracle_end_quiet(struct oracle *o, uint64_t *next, bool *waits)
{
    if (o->s->limit_cycles && o->outcome->stats.cycles > o->s->limit_cycles)
        oracle_end(o, ORACLE_LIMIT, "limits.cycles");
    else if (o->s->limit_tokens && o->outcome->stats.tokens > o->s->limit_tokens)
        oracle_end(o, ORACLE_LIMIT, "limits.tokens");
    else if (is_too_deep(o))
        oracle_end(o, ORACLE_LIMIT, "limits.depth");
    else if (oracle_nodes_lost(o))
        oracle_end(o, ORACLE_FAULTED, NULL);
    else if (oracle_waits_for_host(o))
        wait_for_host(o, next, waits);
    else if (has_tokens(o, true) || oracle_issues_wait(o) || oracle_call_could_go_on(o))
        oracle_end(o, ORACLE_STORE_FULL,
                   oracle_has_input_bounds(o) ? "queue.capacity" : "network.capacity");
    else if (o->waiting_applies.count)
        oracle_end(o, ORACLE_STORE_FULL, "copy.capacity");
    else if (o->waiting_kernels.count)
        oracle_end(o, ORACLE_STORE_FULL, "memory.capacity");
    else if (o->waiting_calls.count)
        oracle_end(o, ORACLE_TAGS_EXHAUSTED,
                   o->s->tag_scheme == ORACLE_POOL ? "tag.pool" : "tag.bits");
    else if (is_deadlocked(o))
        oracle_end(o, ORACLE_DEADLOCKED, NULL);
    else if (!oracle_write_result(o, &o->outcome->result))
        oracle_end(o, ORACLE_TRAPPED, NULL);
    else
        oracle_end(o, ORACLE_COMPLETED, NULL);
}

/* "Limits" are checked when a cycle begins. */
void oracle_check_limits(struct oracle *o)
{
    if (o->s->limit_cycles && o->now >= o->s->limit_cycles)
        oracle_end(o, ORACLE_LIMIT, "limits.cycles");
    if (o->s->limit_tokens && o->outcome->stats.tokens > o->s->limit_tokens)
        oracle_end(o, ORACLE_LIMIT, "limits.tokens");
    if (is_too_deep(o))
        oracle_end(o, ORACLE_LIMIT, "limits.depth");
    const uint64_t bytes = oracle_state_bytes(o);
    greatest(&o->outcome->peak_state, bytes);
    if (o->s->limit_memory && bytes > o->s->limit_memory)
        oracle_end(o, ORACLE_LIMIT, "limits.memory");
}

static void simulate(struct oracle *o)
{
    bool force = false, waits = false;
    uint64_t next;
    while (!o->ended) {
        oracle_take_feeds(o, waits);
        waits = false;
        if (!o->ended)
            simulate_cycle(o, force);
        else
            oracle_measure(o); /* the closing of a port trapped */
        if (o->ended)
            return;
        const bool goes_on = next_cycle(o, &next, &force);
        if (!oracle_nodes_beside(o, goes_on, &next)) {
            oracle_end_quiet(o, &next, &waits);
        } else if (oracle_next_feed(o) < next) {
            next = oracle_next_feed(o);
        }
        if (!o->ended && next > o->now)
            advance_to(o, next);
    }
}

/* --- a run -------------------------------------------------------------------------- */

/* Before cycle 0 the instructions without token operands are in the top level's queue. */
static void start(struct oracle *o)
{
    for (uint32_t n = 0; n < o->graph->node_count; n++) {
        const struct instr *i = &o->instrs[n];
        if (i->tokens > 0 || i->held != NONE)
            continue;
        const struct token t = {.instr = i,
                                .tag = o->root,
                                .to = oracle_pe_on(o, i, o->root->place),
                                .start = true};
        oracle_put(&o->pes[t.to].input, &t);
    }
}

static void set_up(struct oracle *o)
{
    const struct isa_graph *graph = o->graph;
    oracle_program_make(o);
    o->pes = lib_mem_new(o->s->pe_count * sizeof *o->pes);
    for (unsigned pe = 0; pe < o->s->pe_count; pe++) {
        const struct oracle_settings *store = oracle_store_of(o, pe);
        o->pes[pe].sets = lib_mem_new((store->match_capacity + 1) * sizeof(uint64_t));
        o->pes[pe].units = lib_mem_new((o->s->pe_units + 1) * sizeof(uint64_t));
        o->pes[pe].banks = lib_mem_new((store->overflow_banks + 1) *
                                       sizeof *o->pes[pe].banks);
        oracle_issue_make(o, pe);
    }
    oracle_routers_make(o);
    oracle_nodes_make(o);
    oracle_batches_make(o);
    o->memories = lib_mem_new(o->s->pe_count * sizeof *o->memories);
    o->cells = lib_mem_new((graph->cell_count + 1) * sizeof *o->cells);
    o->results = lib_mem_new((graph->functions[0].result_count + 1) * sizeof *o->results);
    o->numbers = lib_mem_new(graph->function_count * sizeof *o->numbers);
    o->frames = lib_mem_new(graph->function_count * sizeof *o->frames);
    o->frame_bytes = oracle_frame_bytes(o, 0);
    o->nodes = graph->stage == ISA_STAGE_EXPANDING ? oracle_copy_nodes(o, 0)
                                                   : graph->node_count;
    o->outcome->stats.graph_nodes = graph->node_count;
    o->outcome->stats.peak_graph_nodes = o->nodes;
    o->coming = lib_mem_new((o->s->nodes + 1) * sizeof *o->coming);
    oracle_why_start(o);
    o->root = oracle_activation_new(o, NULL, 0, false, 0);
    oracle_place(o, o->root);
    oracle_ports_make(o);
    start(o);
}

/* doc/metrics.md, "Energy". */
static double energy(const struct oracle *o)
{
    const struct oracle_stats *s = &o->outcome->stats;
    const uint64_t others[] = {s->dead_firings,
                               s->firings + s->dead_firings,
                               s->tokens,
                               o->matches,
                               s->match_overflows,
                               o->accesses,
                               s->calls + s->loop_iterations,
                               s->hops,
                               s->network_bits,
                               o->s->pe_count * s->cycles};
    uint64_t steps = 0, each = 0;
    for (int unit = 0; unit < ISA_UNIT_COUNT; unit++)
        steps += ++each * o->unit_firings[unit];
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        steps += ++each * others[i];
    return ORACLE_ENERGY_STEP * (double)steps;
}

/* The function units of all PEs; 0: those of some are unlimited. */
static uint64_t unit_count(const struct oracle *o)
{
    uint64_t count = 0;
    for (unsigned pe = 0; pe < o->s->pe_count; pe++) {
        if (oracle_at(o, pe)->pe_units == 0)
            return 0;
        count += oracle_at(o, pe)->pe_units;
    }
    return count;
}

/* The tokens that all PEs take in a cycle; 0: those of some are unlimited. */
static uint64_t turn_count(const struct oracle *o)
{
    uint64_t count = 0;
    for (unsigned pe = 0; pe < o->s->pe_count; pe++) {
        const struct oracle_settings *s = oracle_at(o, pe);
        const uint64_t turns = s->match_bandwidth ? s->match_bandwidth : s->pe_units;
        if (turns == 0)
            return 0;
        count += turns;
    }
    return count;
}

static void finish(struct oracle *o)
{
    struct oracle_stats *s = &o->outcome->stats;
    uint64_t busy = 0;
    if (o->now > s->cycles)
        s->cycles = o->now;
    s->result_cycle = oracle_result_end(o).time;
    oracle_write_taken(o, &o->outcome->taken);
    const double slots = (double)(unit_count(o) * s->cycles);
    s->pe = lib_mem_new(o->s->pe_count * sizeof *s->pe);
    for (unsigned pe = 0; pe < o->s->pe_count; pe++) {
        s->pe[pe] = o->pes[pe].stats;
        busy += s->pe[pe].busy;
        s->working_pes += s->pe[pe].firings + s->pe[pe].dead_firings > 0;
    }
    s->parallelism = s->span ? (double)s->firings / (double)s->span : NAN;
    s->bypass_ratio = s->firings ? (double)o->one_operand / (double)s->firings : NAN;
    s->mean_batch = s->tensor_batches
                        ? (double)s->batched_kernels / (double)s->tensor_batches
                        : NAN;
    s->mean_waiting = s->cycles ? (double)o->waiting_cycles / (double)s->cycles : NAN;
    s->utilisation = slots > 0 ? (double)busy / slots : NAN;
    const double turns = (double)(turn_count(o) * s->cycles);
    s->occupancy = turns > 0 ? (double)s->turns / turns : NAN;
    if (o->s->executor_workers)
        s->occupancy = s->utilisation;
    oracle_add_links(o);
    s->energy = energy(o);
    s->energy_delay = s->energy * (double)s->cycles;
    if (o->outcome->end != ORACLE_COMPLETED)
        lib_text_clear(&o->outcome->result);
}

static void give_back(struct oracle *o)
{
    oracle_activations_free(o);
    oracle_arrays_free(o);
    oracle_ports_free(o);
    for (uint32_t c = 0; c < o->graph->cell_count; c++)
        LIB_VEC_FREE(&o->cells[c].reads);
    for (unsigned pe = 0; pe < o->s->pe_count; pe++) {
        struct pe *p = &o->pes[pe];
        LIB_VEC_FREE(&p->input);
        LIB_VEC_FREE(&p->output);
        LIB_VEC_FREE(&p->port);
        LIB_VEC_FREE(&p->unit);
        LIB_VEC_FREE(&p->nexts);
        lib_mem_free(p->sets);
        lib_mem_free(p->units);
        lib_mem_free(p->banks);
        oracle_issue_free(p);
    }
    oracle_nodes_free(o);
    oracle_batches_free(o);
    oracle_routers_free(o);
    lib_mem_free(o->pes);
    LIB_VEC_FREE(&o->events);
    LIB_VEC_FREE(&o->taken);
    LIB_VEC_FREE(&o->waiting_calls);
    LIB_VEC_FREE(&o->waiting_applies);
    LIB_VEC_FREE(&o->waiting_kernels);
    lib_mem_free(o->memories);
    LIB_VEC_FREE(&o->workers);
    LIB_VEC_FREE(&o->asking);
    LIB_VEC_FREE(&o->departing);
    LIB_VEC_FREE(&o->left);
    LIB_VEC_FREE(&o->answered);
    lib_mem_free(o->coming);
    lib_mem_free(o->instrs);
    lib_mem_free(o->cells);
    lib_mem_free(o->results);
    lib_mem_free(o->numbers);
    lib_mem_free(o->frames);
}

/* "Instructions with times of their own": converts cycles to ticks. */
static void scale_settings(struct oracle_settings *s)
{
    uint64_t *const all[] = {
        &s->match_latency,     &s->fetch_latency,      &s->form_latency,
        &s->overflow_latency,  &s->spill_latency,      &s->copy_latency,
        &s->copy_node_latency, &s->limit_cycles,       &s->intern_latency,
        &s->network_router,    &s->network_injection,  &s->network_ejection,
        &s->network_global,    &s->inside_latency,     &s->executor_live,
        &s->executor_dead,     &s->executor_tag,       &s->executor_frame,
        &s->executor_lock,     &s->executor_copy_lock, &s->executor_handoff,
        &s->executor_sleep,    &s->tensor_start,       &s->coordinator_latency};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        *all[i] *= s->scale;
    for (int unit = 0; unit < ISA_UNIT_COUNT; unit++)
        s->unit_latency[unit] *= s->scale;
    if (s->network_latency == 0 && s->topology == ORACLE_CROSSBAR && !s->nodes)
        s->network_latency = 1;
    s->network_latency *= s->scale;
}

void oracle_run(const struct isa_graph *graph, const isa_value *inputs,
                const struct oracle_settings *settings, uint64_t seed,
                const struct oracle_host *host, struct oracle_outcome *outcome)
{
    static const struct oracle_host nobody;
    struct oracle_settings own_settings = *settings;
    struct oracle o = {.graph = graph,
                       .s = &own_settings,
                       .seed = seed,
                       .host = host ? host : &nobody,
                       .fed_at = NOWHERE,
                       .outcome = outcome};
    isa_value *own = lib_mem_new((graph->input_count + 1) * sizeof *own);
    for (uint32_t i = 0; i < graph->input_count; i++)
        own[i] = inputs ? inputs[i] : graph->inputs[i].value;
    *outcome = (struct oracle_outcome){0};
    o.inputs = own;
    o.constants = lib_mem_new((graph->constant_count + 1) * sizeof *o.constants);
    isa_graph_find_constants(graph, own, o.constants);
    if (settings->executor_workers)
        oracle_executor_settings(&own_settings, graph);
    struct oracle_settings *of_pes = oracle_settings_of_pes(&own_settings);
    for (uint64_t pe = 0; of_pes && settings->scale && pe < own_settings.pe_count; pe++)
        scale_settings(&of_pes[pe]);
    if (settings->scale)
        scale_settings(&own_settings);
    o.of_pes = of_pes;
    oracle_holders_count(&o);
    set_up(&o);
    if (settings->executor_workers)
        oracle_execute(&o);
    else
        simulate(&o);
    finish(&o);
    oracle_why_end(&o);
    give_back(&o);
    LIB_MEM_FREE(of_pes, own, o.constants, o.holders_before);
}

void oracle_outcome_free(struct oracle_outcome *outcome)
{
    lib_text_free(&outcome->result);
    lib_text_free(&outcome->taken);
    LIB_VEC_FREE(&outcome->chain);
    lib_mem_free(outcome->stats.pe);
}

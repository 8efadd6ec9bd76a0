/* Executors: the kind of machine, and its workers in runs without events of a program that is not
 * divided. */
#define MACHINE_EXECUTOR_TELLS false
#define MACHINE_EXECUTOR_DIVIDED(m) ((void)(m), false)
#include "machine/engine/executor_run.h"

/* --- invariants ---------------------------------------------------------------------------- */

/* Counts all tokens: ready ones, those that workers keep, and those to be sent. */
static void show(const struct machine *m, struct machine_audit *f)
{
    const struct machine_executor *e = m->executor;
    for (uint32_t k = 0; k < e->machine_count; k++)
        machine_queue_visit(&e->ready[k], machine_audit_visit, f);
    for (size_t i = 0; e->network && i < e->network->travellers.count; i++)
        machine_audit_token(f, &e->network->travellers.items[i].token);
    for (uint32_t i = 0; i < e->worker_count; i++) {
        machine_queue_visit(&e->workers[i].own, machine_audit_visit, f);
        machine_visit_all(e->workers[i].sent.items, e->workers[i].sent.count,
                          MACHINE_TOKEN_WAITS, machine_audit_visit, f);
    }
}

/* Returns the number of idle workers. */
static uint32_t check_idle(const struct machine *m, uint32_t machine,
                           struct machine_audit *f)
{
    const struct machine_executor *e = m->executor;
    uint32_t idle = 0;
    machine_audit_set(f, &e->idle[machine], m->machine_pes);
    for (uint32_t i = 0; i < m->machine_pes; i++) {
        const struct machine_worker *worker = &e->workers[machine * m->machine_pes + i];
        const bool is_idle = machine_set_has(&e->idle[machine], i);
        idle += is_idle;
        machine_must(f,
                     !is_idle ||
                         (machine_queue_count(&worker->own) == 0 && !worker->sent.count),
                     "who is idle has nothing");
    }
    machine_must(f, idle == 0 || machine_queue_count(&e->ready[machine]) == 0,
                 "nobody is idle while something is ready");
    return idle;
}

/* Checks that each busy worker is in the heap once, the first to end at the top. */
static void check_busy(const struct machine *m, struct machine_audit *f)
{
    const struct machine_executor *e = m->executor;
    struct machine_set seen = machine_set_new(e->worker_count);
    for (uint32_t i = 0; i < e->busy_count; i++) {
        const uint32_t number = e->busy[i];
        machine_must(f,
                     !machine_set_has(&e->idle[number / m->machine_pes],
                                      number % m->machine_pes) &&
                         !machine_set_has(&seen, number),
                     "who is busy is not idle");
        machine_must(f, e->workers[number].until >= m->run.cycle,
                     "who is busy ends later");
        machine_must(f,
                     i == 0 || !machine_worker_is_before(e, number, e->busy[(i - 1) / 2]),
                     "who ends first is at the top");
        machine_set_add(&seen, number);
    }
    machine_set_free(&seen);
}

static void check(const struct machine *m, struct machine_audit *f)
{
    const struct machine_executor *e = m->executor;
    uint32_t idle = 0;
    machine_must(f, e->starts == (e->started ? machine_audit_starts(f) : 0),
                 "instructions of the start are counted");
    for (uint32_t k = 0; k < e->machine_count; k++)
        idle += check_idle(m, k, f);
    machine_must(f, idle + e->busy_count == e->worker_count, "workers are idle or busy");
    check_busy(m, f);
}

/* --- the kind --------------------------------------------------------------------------------- */

uint64_t machine_executor_next(const struct machine *m)
{
    const struct machine_executor *e = m->executor;
    const uint64_t due = machine_executor_due(e);
    /* All firings before `now` have ended, except those that end in this cycle. */
    if (m->ports)
        return e->started && due < m->ports->now ? due : m->ports->now;
    return due < MACHINE_NEVER ? due : m->run.cycle;
}

static const struct machine_executor_run undivided = MACHINE_EXECUTOR_RUN;

static const struct machine_executor_run *run_of(const struct machine *m)
{
    return m->watch.events ? &machine_executor_traced
           : m->machine_of ? &machine_executor_divided
                           : &undivided;
}

void machine_executor_answer_ports(struct machine *m)
{
    machine_answer_ports(m, run_of(m)->answer_port);
}

static bool advance_any(struct machine *m, uint64_t cycle, uint64_t tokens)
{
    return run_of(m)->advance(m, cycle, tokens);
}

static bool pass_any(struct machine *m, const struct isa_token *t,
                     enum machine_gate_place behind, uint64_t extra)
{
    (void)behind;
    (void)extra;
    return run_of(m)->pass(m, t);
}

static uint64_t busy(const struct machine *m, uint64_t time)
{
    const struct machine_executor *e = m->executor;
    uint64_t cycles = e->busy_cycles;
    for (uint32_t i = 0; i < e->busy_count; i++)
        if (e->workers[e->busy[i]].until > time)
            cycles -= e->workers[e->busy[i]].until - time;
    return cycles;
}

static void measure(const struct machine *m, struct traces_stats *stats)
{
    const struct machine_executor *e = m->executor;
    stats->has_workers = true;
    stats->unit_cycles = stats->turn_cycles = m->pe_count * stats->cycles;
    stats->live_nodes = e->live_nodes;
    stats->dead_nodes = e->dead_nodes;
    stats->hops = stats->network_tokens;
    stats->lock_uses = e->lock_uses;
    stats->lock_stalls = e->lock_stalls;
    for (uint32_t i = 0; i < m->pe_count; i++)
        stats->pe[i].turns = 0;                    /* workers have no issue slots */
    for (uint32_t i = 0; i < e->busy_count; i++) { /* firings that have not ended */
        const uint64_t until = e->workers[e->busy[i]].until;
        stats->pe[e->busy[i]].busy -= until > stats->cycles ? until - stats->cycles : 0;
    }
}

/* --- setting up and taking down --------------------------------------------------------------- */

static void list_loops(struct machine_executor *e, const struct isa_code *code)
{
    const struct isa_graph *graph = code->graph;
    if (!code->expands)
        return;
    e->loops = lib_mem_new(graph->function_count * sizeof *e->loops);
    for (uint32_t f = 0; f < graph->function_count; f++)
        if (graph->functions[f].is_loop)
            e->loops[e->loop_count++] = f;
}

static void make_network(struct machine_executor *e)
{
    e->network = lib_mem_new(sizeof *e->network);
    e->network->machine_count = e->machine_count;
    e->network->link_free = lib_mem_new(e->machine_count * sizeof *e->network->link_free);
}

static void make_idle(struct machine *m)
{
    for (uint32_t i = 0; i < m->pe_count; i++)
        machine_set_add(&m->executor->idle[i / m->machine_pes], i % m->machine_pes);
}

static struct machine_worker_times times_of(const struct machine_settings *s)
{
    return (struct machine_worker_times){s->executor_live, s->executor_dead,
                                         s->executor_tag, s->executor_frame,
                                         s->executor_lock};
}

static void make_times(const struct machine *m, struct machine_executor *e)
{
    e->times = lib_mem_new(e->worker_count * sizeof *e->times);
    for (uint32_t i = 0; i < e->worker_count; i++) {
        e->times[i] = times_of(machine_settings_at(m, i));
        e->workers[i].times = &e->times[i];
    }
}

static void make(struct machine *m)
{
    struct machine_executor *e = lib_mem_new(sizeof *e);
    *e = (struct machine_executor){
        .workers = lib_mem_new(m->pe_count * sizeof *e->workers),
        .worker_count = m->pe_count,
        .machine_count = m->pe_count / m->machine_pes,
        .busy = lib_mem_new(m->pe_count * sizeof *e->busy),
    };
    make_times(m, e);
    machine_tf_costs_init(&e->lowering, m->code);
    list_loops(e, m->code);
    e->ready = lib_mem_new(e->machine_count * sizeof *e->ready);
    e->idle = lib_mem_new(e->machine_count * sizeof *e->idle);
    e->lock_free = lib_mem_new(e->machine_count * sizeof *e->lock_free);
    for (uint32_t k = 0; k < e->machine_count; k++) {
        machine_queue_init(&e->ready[k]);
        e->idle[k] = machine_set_new(m->machine_pes);
    }
    for (uint32_t i = 0; i < m->pe_count; i++)
        machine_queue_init(&e->workers[i].own);
    if (e->machine_count > 1)
        make_network(e);
    m->executor = e;
    make_idle(m);
}

/* Checks what was read, also the indices of busy workers that follow. */
static void check_busy_count(struct lib_pack *pack, struct machine_executor *e)
{
    if (!lib_pack_expect(pack, e->busy_count <= e->worker_count))
        e->busy_count = 0;
}

/* Packs `asked`, if the program has ports. */
static void pack_asked(struct lib_pack *pack, struct machine *m,
                       struct machine_executor *e)
{
    for (uint32_t i = 0; i < e->busy_count; i++)
        lib_pack_expect(pack, e->busy[i] < e->worker_count);
    if (!m->ports)
        return;
    LIB_PACK_VEC(pack, &e->asked);
    for (size_t i = 0; i < e->asked.count; i++)
        lib_pack_expect(pack, e->asked.items[i] < e->worker_count);
    lib_pack_expect(pack, e->asked.count == m->tokens.exec.structures.ports->waited);
}

LIB_STATE(struct machine, machine_worker, MACHINE_WORKER_FIELDS)
LIB_STATE(struct machine, machine_traveller, MACHINE_TRAVELLER_FIELDS)
LIB_STATE(struct machine, machine_executor_network, MACHINE_EXECUTOR_NETWORK_FIELDS)
LIB_STATE(struct machine, machine_executor, MACHINE_EXECUTOR_FIELDS)

static void free_workers(struct machine *m)
{
    machine_executor_fields_free(m, m->executor);
    machine_tf_costs_free(&m->executor->lowering);
    lib_mem_free(m->executor);
}

static void reset(struct machine *m)
{
    machine_executor_fields_clear(m, m->executor);
    make_idle(m);
}

static const struct machine_part *const parts[] = {&machine_k_bound_part,
                                                   &machine_tensor_time_part, NULL};
MACHINE_ASSERT_PARTS(parts);

static void pack_workers(struct lib_pack *pack, struct machine *m)
{
    machine_executor_fields_pack(pack, m, m->executor);
}

const struct machine_kind machine_of_workers = {
    .parts = parts,
    .make = make,
    .free = free_workers,
    .reset = reset,
    .advance = advance_any,
    .pass = pass_any,
    .next = machine_executor_next,
    .show = show,
    .check = check,
    .pack = pack_workers,
    .busy = busy,
    .measure = measure,
};

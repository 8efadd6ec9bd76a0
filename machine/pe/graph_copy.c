#include "machine/pe/graph_copy.h"

#include "lib/heap.h"
#include "isa/fire/fire_apply.h"
#include "machine/events.h"
#include "machine/pe/backpressure.h"
#include "machine/pe/tag_manager.h"
#include "machine/state_table.h"
#include "machine/verify.h"

/* An APPLY that waits for a copy of a graph: the token of its last argument, and its PE. */
#define MACHINE_WAITING_COPY_FIELDS(F)                                                   \
    F(TOKEN, token)                                                                      \
    F(NUMBER, uint32_t, pe_number)                                                       \
    F(CHECK, s->pe_number < m->pe_count)
struct machine_waiting_copy {
    MACHINE_WAITING_COPY_FIELDS(LIB_STATE_MEMBER)
};

/* Heap of tokens to be sent late, and the value of `number` for its next entry. */
#define MACHINE_LATES_FIELDS(F)                                                          \
    F(EACH, machine_late, list)                                                          \
    F(NUMBER, uint64_t, number)
struct machine_lates {
    MACHINE_LATES_FIELDS(LIB_STATE_MEMBER)
};

#define MACHINE_GRAPH_COPY_FIELDS(F)                                                     \
    F(KEPT, bool, is_finite) /* copy workers or instruction stores are limited */        \
    F(KEPT, uint64_t, workers)                                                           \
    F(KEPT, uint64_t, capacity)                                                          \
    /* for each PE: graph nodes of the copies in its instruction store */                \
    F(ARRAY, uint64_t, nodes, m->pe_count)                                               \
    /* for each PE: number of APPLYs in `waiting` */                                     \
    F(ARRAY, uint32_t, waiting_at, m->pe_count)                                          \
    /* for each PE: number of the last pass over `waiting` that found no room there */   \
    F(ARRAY, uint64_t, blocked_at, m->pe_count)                                          \
    /* heap of the cycles in which busy copy workers become free */                      \
    F(VEC, uint64_t, busy)                                                               \
    F(EACH, machine_waiting_copy, waiting)                                               \
    F(SCRATCH, bool, is_admitted) /* the APPLY that is firing was in `waiting` */
struct machine_graph_copy {
    MACHINE_GRAPH_COPY_FIELDS(LIB_STATE_MEMBER)
};

static void init_copies(struct machine_graph_copy *copy,
                        const struct machine_settings *settings, uint32_t pe_count)
{
    *copy = (struct machine_graph_copy){
        .is_finite = settings->copy_workers || settings->copy_capacity,
        .workers = settings->copy_workers,
        .capacity = settings->copy_capacity,
        .nodes = lib_mem_new(pe_count * sizeof *copy->nodes),
        .waiting_at = lib_mem_new(pe_count * sizeof *copy->waiting_at),
        .blocked_at = lib_mem_new(pe_count * sizeof *copy->blocked_at),
    };
}

bool machine_apply_copies(const struct machine *m, const struct isa_token *t,
                          const struct isa_instr *instr)
{
    return isa_fire_gathered(&m->tokens.exec, t, instr) == ISA_OUTCOME_LIVE;
}

uint32_t machine_copy_nodes(const struct machine *m, const struct isa_token *apply)
{
    const uint32_t site = m->code->instrs[isa_token_instr(apply)].site;
    return m->code->copy_nodes[m->code->sites[site].callee];
}

/* --- workers ---------------------------------------------------------------------------------- */

static bool is_earlier(const uint64_t *a, const uint64_t *b)
{
    return *a < *b;
}

static bool has_worker(struct machine_graph_copy *copy, uint64_t cycle)
{
    uint64_t done = 0;
    while (copy->busy.count && copy->busy.items[0] <= cycle)
        LIB_HEAP_TAKE(&copy->busy, &done, is_earlier);
    return copy->workers == 0 || copy->busy.count < copy->workers;
}

/* Makes one of the free workers that copy graphs for calls busy until cycle `until`. Does nothing
 * if their number is unlimited. */
static void occupy_worker(struct machine_graph_copy *copy, uint64_t until)
{
    if (copy->workers)
        LIB_HEAP_PUT(&copy->busy, &until, is_earlier);
}

/* Returns the first cycle in which a copy worker is free again, if all are busy. */
static uint64_t next_free_worker(const struct machine_graph_copy *copy)
{
    return copy->busy.items[0];
}

static bool fits_in_store(const struct machine_graph_copy *copy, uint32_t pe_number,
                          uint32_t nodes)
{
    return copy->capacity == 0 || copy->nodes[pe_number] + nodes <= copy->capacity;
}

/* --- APPLYs that wait ------------------------------------------------------------------------- */

static void hold_apply(struct machine_graph_copy *copy, const struct isa_token *apply,
                       uint32_t pe_number)
{
    *LIB_VEC_PUSH(&copy->waiting) = (struct machine_waiting_copy){*apply, pe_number};
    copy->waiting_at[pe_number]++;
}

static struct machine_waiting_copy take_apply(struct machine_graph_copy *copy, size_t i)
{
    struct machine_waiting_copy *item = &copy->waiting.items[i];
    const struct machine_waiting_copy taken = *item;
    copy->waiting.count--;
    memmove(item, item + 1, (copy->waiting.count - i) * sizeof *item);
    copy->waiting_at[taken.pe_number]--;
    return taken;
}

/* --- what is sent late ------------------------------------------------------------------------ */

static bool is_before(const struct machine_late *a, const struct machine_late *b)
{
    return a->when != b->when ? a->when < b->when : a->number < b->number;
}

void machine_late_keep(struct machine *m, struct machine_late *late)
{
    if (late->home.count + late->away.count == 0)
        return;
    late->number = m->late->number++;
    LIB_HEAP_PUT(&m->late->list, late, is_before);
}

static bool take_from_late(struct machine_lates *lates, uint64_t now,
                           struct machine_late *late)
{
    if (lates->list.count == 0 || lates->list.items[0].when > now)
        return false;
    LIB_HEAP_TAKE(&lates->list, late, is_before);
    return true;
}

/* --- the part: what is sent late -------------------------------------------------------------- */

static bool make_late(struct machine *m, void *state)
{
    (void)state;
    return m->code->expands || m->code->has_tensors || m->about.has_overflow_rates;
}

/* Tensor instructions, waits for banks, and graphs of many nodes, take up to the end of the
 * wheels. */
static uint64_t delay_late(const struct machine *m, const void *state)
{
    (void)state;
    uint64_t longest = m->code->has_tensors || m->about.has_overflow_rates
                           ? MACHINE_GRAPH_COPY_SOON
                           : 0;
    for (uint32_t f = 1; m->code->expands && f < m->code->graph->function_count; f++) {
        const uint64_t cost = traces_machine_copy_time(&m->about, m->code->copy_nodes[f]);
        longest = cost > longest ? cost : longest;
    }
    return longest < MACHINE_GRAPH_COPY_SOON ? longest : MACHINE_GRAPH_COPY_SOON;
}

LIB_STATE(struct machine, machine_late, MACHINE_LATE_FIELDS)
LIB_STATE(struct machine, machine_lates, MACHINE_LATES_FIELDS)

/* Appends late tokens to a list. Those formed in this cycle go to input queues at once. */
static void put_late(struct machine *m, const struct machine_wheel_slot *late,
                     struct machine_wheel_slot *to)
{
    const bool is_now = to == machine_wheel_at(&m->tokens.formed, m->run.cycle);
    for (size_t i = 0; i < late->count; i++) {
        const struct isa_token *t = &late->tokens[i];
        if (is_now) {
            machine_put_input(m, machine_token_pe(t), t);
            machine_emit_entered(m, TRACES_PLACE_INPUT, machine_token_pe(t), t);
        } else {
            *machine_wheel_put(to, 1) = *t;
        }
    }
    lib_mem_free(late->tokens);
}

/* Forms the late tokens of this cycle, after those of the wheels. */
static __attribute__((noinline)) void take_late(struct machine *m,
                                                struct machine_lates *lates)
{
    struct machine_late late;
    while (take_from_late(lates, m->run.cycle, &late)) {
        put_late(m, &late.home, machine_wheel_at(&m->tokens.formed, m->run.cycle));
        put_late(m, &late.away, machine_network_list(&m->network, m->run.cycle));
    }
}

static void serve_late(struct machine *m, void *state)
{
    struct machine_lates *lates = state;
    if (lates->list.count && lates->list.items[0].when <= m->run.cycle)
        take_late(m, lates);
}

static uint64_t next_late(struct machine *m, void *state)
{
    const struct machine_lates *lates = state;
    (void)m;
    return lates->list.count ? lates->list.items[0].when : MACHINE_NEVER;
}

static bool each_late(const struct machine *m, const void *state, machine_visit *visit,
                      void *context)
{
    const struct machine_lates *lates = state;
    const enum machine_token_place away = m->network.has_links ? MACHINE_TOKEN_LEAVING
                                                               : MACHINE_TOKEN_COMING;
    for (size_t i = 0; i < lates->list.count; i++) {
        const struct machine_late *late = &lates->list.items[i];
        if (!machine_visit_all(late->home.tokens, late->home.count, MACHINE_TOKEN_COMING,
                               visit, context) ||
            !machine_visit_all(late->away.tokens, late->away.count, away, visit, context))
            return false;
    }
    return true;
}

static void check_late(const struct machine *m, const void *state,
                       struct machine_audit *f)
{
    const struct machine_lates *lates = state;
    for (size_t i = 0; i < lates->list.count; i++)
        machine_must(f, lates->list.items[i].when >= m->run.cycle,
                     "what is sent late is still to come");
}

const struct machine_part machine_late_part = {
    MACHINE_PART_STATE(late), MACHINE_PART_FIELDS(machine_lates),
    .make = make_late,        .serve = serve_late,
    .next = next_late,        .each = each_late,
    .check = check_late,      .delay = delay_late,
};

/* --- the part: APPLYs that wait --------------------------------------------------------------- */

static bool make(struct machine *m, void *state)
{
    struct machine_graph_copy *copy = state;
    if (!m->code->expands)
        return false;
    init_copies(copy, &m->settings, m->pe_count);
    m->tokens.exec.tags.copies_at = copy->nodes;
    return true;
}

LIB_STATE(struct machine, machine_waiting_copy, MACHINE_WAITING_COPY_FIELDS)
LIB_STATE(struct machine, machine_graph_copy, MACHINE_GRAPH_COPY_FIELDS)

/* Whether there is room for the copy of waiting APPLY `i`. If not, those after it at the same PE
 * are blocked for the rest of pass number `walk`. */
static bool has_room_for(struct machine *m, struct machine_graph_copy *copy, size_t i,
                         uint64_t walk)
{
    const struct machine_waiting_copy *item = &copy->waiting.items[i];
    const uint32_t nodes = machine_copy_nodes(m, &item->token);
    if (copy->blocked_at[item->pe_number] == walk)
        return false;
    const uint32_t pe_number = machine_backpressure_pe_of_child(m, &item->token);
    if (fits_in_store(copy, pe_number, nodes))
        return true;
    copy->blocked_at[item->pe_number] = walk;
    return false;
}

static bool resume(struct machine *m, void *state)
{
    struct machine_graph_copy *copy = state;
    const uint64_t now = 2 * m->run.cycle + 1;
    for (size_t i = 0; i < copy->waiting.count;) {
        if (!has_worker(copy, m->run.cycle))
            return true;
        if (!has_room_for(m, copy, i, now) ||
            (m->has_queues &&
             !machine_backpressure_for(m, &copy->waiting.items[i].token, false))) {
            copy->blocked_at[copy->waiting.items[i].pe_number] = now;
            i++;
            continue;
        }
        const struct machine_waiting_copy item = take_apply(copy, i);
        copy->is_admitted = true;
        machine_emit_released(m, TRACES_HOLDER_COPY, &item.token);
        const bool goes_on = m->kind->pass(m, &item.token, MACHINE_GATE_TAG_MANAGER,
                                           machine_tag_manager_latency(m));
        copy->is_admitted = false;
        if (!goes_on)
            return false;
    }
    return true;
}

/* Whether workers and instruction stores allow to release a waiting APPLY in the next cycle. */
static bool has_copy_to_resume(struct machine *m, struct machine_graph_copy *copy)
{
    for (size_t i = 0; i < copy->waiting.count; i++)
        if (has_room_for(m, copy, i, 2 * m->run.cycle + 2))
            return true;
    return false;
}

static uint64_t next(struct machine *m, void *state)
{
    struct machine_graph_copy *copy = state;
    if (copy->waiting.count == 0)
        return MACHINE_NEVER;
    if (!has_worker(copy, m->run.cycle + 1))
        return next_free_worker(copy);
    return machine_can_go_on(m) && has_copy_to_resume(m, copy) ? m->run.cycle + 1
                                                               : MACHINE_NEVER;
}

static struct machine_wait waits(const struct machine *m, const void *state)
{
    const struct machine_graph_copy *copy = state;
    (void)m;
    if (copy->waiting.count)
        return MACHINE_WAITS_FOR(STORE, "copy.capacity");
    return MACHINE_WAITS_FOR(NOTHING, NULL);
}

static bool each(const struct machine *m, const void *state, machine_visit *visit,
                 void *context)
{
    const struct machine_graph_copy *copy = state;
    (void)m;
    for (size_t i = 0; i < copy->waiting.count; i++)
        if (!visit(context, &copy->waiting.items[i].token, MACHINE_TOKEN_WAITS))
            return false;
    return true;
}

static void check(const struct machine *m, const void *state, struct machine_audit *f)
{
    const struct machine_graph_copy *copy = state;
    uint32_t *waiting_at = lib_mem_new(m->pe_count * sizeof *waiting_at);
    for (size_t i = 0; i < copy->waiting.count; i++) {
        const struct machine_waiting_copy *item = &copy->waiting.items[i];
        waiting_at[item->pe_number]++; /* in range: its CHECK */
        machine_must(f, m->code->instrs[isa_token_instr(&item->token)].op == ISA_OP_APPLY,
                     "what waits for a copy is an APPLY");
    }
    for (uint32_t pe = 0; pe < m->pe_count; pe++)
        machine_must(f, copy->waiting_at[pe] == waiting_at[pe],
                     "APPLYs that wait are counted");
    machine_must(f, copy->busy.count <= copy->workers, "who copies is a worker");
    lib_mem_free(waiting_at);
}

/* --- the gate --------------------------------------------------------------------------------- */

static bool concerns(const struct machine *m, const void *state, enum isa_op op)
{
    const struct machine_graph_copy *copy = state;
    (void)m;
    return copy->is_finite && op == ISA_OP_APPLY;
}

static enum machine_verdict ask(struct machine *m, void *state, struct machine_passage *p)
{
    struct machine_graph_copy *copy = state;
    if (copy->is_admitted || !machine_makes_copy(m, p->token, p->instr))
        return MACHINE_GATE_OPENS;
    const uint32_t nodes = machine_copy_nodes(m, p->token);
    const uint32_t pe_number = machine_backpressure_pe_of_child(m, p->token);
    if (has_worker(copy, m->run.cycle) && copy->waiting_at[pe_number] == 0 &&
        fits_in_store(copy, pe_number, nodes))
        return MACHINE_GATE_OPENS;
    hold_apply(copy, p->token, pe_number);
    m->watch.counts.copy_stalls++;
    p->how = TRACES_OUTCOME_UNCOPIED;
    return MACHINE_GATE_HOLDS;
}

static bool begins(const struct machine *m, const void *state, enum isa_op op)
{
    (void)m, (void)state;
    return op == ISA_OP_APPLY;
}

static uint64_t begin_firing(struct machine *m, void *state, const struct isa_token *t,
                             const struct isa_instr *instr)
{
    if (!machine_makes_copy(m, t, instr))
        return 0;
    const uint64_t copying = traces_machine_copy_time(&m->about,
                                                      machine_copy_nodes(m, t));
    occupy_worker(state, m->run.cycle + copying);
    return copying;
}

static const struct machine_gate gate = {MACHINE_GATE_COPY, concerns, ask, false};

const struct machine_part machine_graph_copy_part = {
    MACHINE_PART_STATE(copy),
    MACHINE_PART_FIELDS(machine_graph_copy),
    .make = make,
    .begins = begins,
    .begin_firing = begin_firing,
    .gates = {&gate},
    .resume = resume,
    .next = next,
    .waits = waits,
    .each = each,
    .check = check,
};

#include "machine/pe/op_timing.h"

#include "machine/describe.h"
#include "machine/nodes.h"
#include "machine/pe/discipline.h"
#include "machine/pe/tensor_memory.h"
#include "machine/state.h"
#include "machine/state_table.h"

#define MACHINE_OP_TIMING_FIELDS(F)                                                      \
    F(KEPT, uint64_t, units) /* function units per PE; 0: unlimited */                   \
    /* for each PE: tokens that wait for an issue slot */                                \
    F(STRUCTS, machine_queue, queues, m->pe_count)                                       \
    /* for each PE: the time when each function unit is free */                          \
    F(ARRAY, uint64_t, free_at, m->pe_count * s->units + 1)
struct machine_op_timing {
    MACHINE_OP_TIMING_FIELDS(LIB_STATE_MEMBER)
};

bool machine_timing_fits(const struct machine_settings *s, struct lib_diags *diags)
{
    const struct traces_machine about = machine_describe(s, NULL, NULL);
    const char *why = NULL;
    if (about.memory_capacity)
        why = "finite memory has none (memory.capacity)";
    else if (about.has_workers)
        why = NULL;
    else if (machine_network_joins_nodes(s) && machine_nodes_are_asked(s))
        why = "nodes that count messages or have faults have none (cluster.termination, "
              "fault)";
    else if (about.has_issue_queues)
        why = "PEs with issue queues have none (unit.CLASS.count, match.bandwidth)";
    else if (about.has_overflow_rates)
        why = "overflow stores with a bandwidth have none (match.overflow.bandwidth)";
    else if (about.has_input_bounds || about.network_capacity)
        why = "finite queues have none (queue.capacity, network.capacity)";
    else if (about.class_count)
        why = "PEs that differ have none (class)";
    else if (about.tensor_units || about.has_batches)
        why = "tensor units that are counted, and batches, have none (tensor.unit.count, "
              "tensor.batch.until)";
    else if (about.sends_releases)
        why = "releases that are messages have none (partition.releases)";
    if (why)
        lib_diag_plain(diags, LIB_DIAG_USAGE,
                       "instructions cannot take times of their own: %s", why);
    return !why;
}

static bool make(struct machine *m, void *state)
{
    struct machine_op_timing *pace = state;
    if (!m->about.timing)
        return false;
    pace->units = m->about.others.units;
    pace->queues = lib_mem_new(m->pe_count * sizeof *pace->queues);
    pace->free_at = lib_mem_new((m->pe_count * pace->units + 1) * sizeof *pace->free_at);
    for (uint32_t pe = 0; pe < m->pe_count; pe++)
        machine_queue_init(&pace->queues[pe]);
    return true;
}

LIB_STATE(struct machine, machine_op_timing, MACHINE_OP_TIMING_FIELDS)

uint64_t machine_op_timing_share(const struct machine *m, uint32_t instr, uint64_t ticks)
{
    if (!m->about.timing)
        return ticks;
    return ticks * traces_machine_slot(&m->about, isa_code_node(m->code, instr)) /
           m->about.ticks;
}

static uint64_t slot_of(const struct machine *m, const struct isa_token *t)
{
    if (machine_is_message(t))
        return m->about.ticks;
    return traces_machine_slot(&m->about, isa_code_node(m->code, isa_token_instr(t)));
}

uint32_t machine_op_timing_count(const struct machine *m, uint32_t pe)
{
    return machine_queue_count(&m->pace->queues[pe]);
}

void machine_op_timing_sort(struct machine *m, uint32_t pe)
{
    struct machine_queue *input = &m->tokens.pes[pe].input;
    for (uint32_t left = machine_queue_count(input); left > 0; left--) {
        const struct isa_token t = *machine_queue_take(input, false);
        machine_queue_put(slot_of(m, &t) ? &m->pace->queues[pe] : input, &t);
    }
}

static uint64_t *first_unit(const struct machine_op_timing *pace, uint32_t pe)
{
    uint64_t *const units = pace->free_at + pe * pace->units;
    uint64_t *first = units;
    for (uint64_t u = 1; u < pace->units; u++)
        first = units[u] < *first ? &units[u] : first;
    return first;
}

const struct isa_token *machine_op_timing_take(struct machine *m, uint32_t pe)
{
    struct machine_op_timing *pace = m->pace;
    struct machine_queue *queue = &pace->queues[pe];
    if (machine_queue_count(queue) == 0)
        return NULL;
    uint64_t *unit = pace->units ? first_unit(pace, pe) : NULL;
    if (unit && *unit > m->run.cycle)
        return NULL;
    const struct isa_token *t = machine_discipline_take(m, m->discipline, queue);
    if (unit)
        *unit = m->run.cycle + slot_of(m, t);
    return t;
}

/* Returns the first time when a function unit is free for a waiting token. */
static uint64_t next(struct machine *m, void *state)
{
    const struct machine_op_timing *pace = state;
    uint64_t first = MACHINE_NEVER;
    for (uint32_t pe = 0; pe < m->pe_count; pe++) {
        if (machine_queue_count(&pace->queues[pe]) == 0)
            continue;
        const uint64_t at = pace->units ? *first_unit(pace, pe) : m->run.cycle + 1;
        first = at < first ? at : first;
    }
    return first;
}

static bool each(const struct machine *m, const void *state, machine_visit *visit,
                 void *context)
{
    const struct machine_op_timing *pace = state;
    for (uint32_t pe = 0; pe < m->pe_count; pe++)
        if (!machine_queue_visit(&pace->queues[pe], visit, context))
            return false;
    return true;
}

const struct machine_part machine_op_timing_part = {
    MACHINE_PART_STATE(pace),
    MACHINE_PART_FIELDS(machine_op_timing),
    .make = make,
    .next = next,
    .each = each,
    .is_plain = false};

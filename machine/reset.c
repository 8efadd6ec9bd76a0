/* Resets of machines for another run. Parts empty their states, mostly by their tables of members;
 * all other state comes from a copy of struct machine from before the run. */
#include "machine/events.h"
#include "machine/ports.h"
#include "machine/state.h"

/* Copies a machine to or from its `start`, which has no batches. Both have the same parts, with the
 * same states. */
static void copy_fields(struct machine *to, const struct machine *from)
{
    const size_t first = offsetof(struct machine, run);
    memcpy((char *)to + first, (const char *)from + first, sizeof *to - first);
}

void machine_keep_start(struct machine *m)
{
    m->start = lib_mem_resize(NULL, sizeof *m->start);
    copy_fields(m->start, m);
}

static void reset_parts(struct machine *m)
{
    for (uint32_t i = 0; i < m->part_count; i++) {
        const struct machine_part *part = m->parts[i];
        if (part->reset)
            part->reset(m, machine_part_state(m, part));
        else if (part->free)
            part->free(m, machine_part_state(m, part));
    }
    m->kind->reset(m, m->start);
}

void machine_reset(struct machine *m, const struct isa_code *code, uint64_t seed)
{
    struct machine *start = m->start;
    assert(machine_can_be_reset(&m->settings));
    start->code = start->tokens.exec.code = code;
    start->seed = start->tokens.exec.tensor.seed = seed;
    reset_parts(m);
    machine_events_free(m);
    machine_ports_free(m);
    LIB_VEC_HAND_OVER(&start->run.written, &m->run.written);
    LIB_VEC_HAND_OVER(&start->watch.marks, &m->watch.marks);
    LIB_VEC_HAND_OVER(&start->watch.freed_by_marks, &m->watch.freed_by_marks);
    memset(m->watch.timing_digests, 0,
           code->graph->function_count * sizeof *m->watch.timing_digests);
    for (uint32_t i = 0; i < m->pe_count; i++)
        m->tokens.pes[i] = (struct machine_pe){.input = m->tokens.pes[i].input};
    isa_exec_reset(&m->tokens.exec, &start->tokens.exec);
    copy_fields(m, start);
    for (uint32_t i = 0; i < m->part_count; i++)
        if (!m->parts[i]->reset)
            m->parts[i]->make(m);
    machine_ports_start(m);
    if (m->kind->start)
        m->kind->start(m);
}

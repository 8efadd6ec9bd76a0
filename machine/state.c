/* State of a machine as a whole: a start, a checkpoint, a reset, an end. Parts have tables of
 * members of their own. Those of struct machine are in machine/state.h. */
#include "machine/state.h"

#include "machine/checkpoint.h"
#include "machine/events.h"
#include "machine/placement/capability.h"
#include "machine/placement/policy.h"
#include "machine/ports.h"
#include "machine/verify.h"

LIB_STATE(struct machine, machine_pe, MACHINE_PE_FIELDS)
LIB_STATE(struct machine, machine_run, MACHINE_RUN_FIELDS)
LIB_STATE(struct machine, machine_tokens, MACHINE_TOKENS_FIELDS)
LIB_STATE(struct machine, machine_watch, MACHINE_WATCH_FIELDS)

void machine_clear(struct machine *m)
{
    machine_run_fields_clear(m, &m->run);
    machine_tokens_fields_clear(m, &m->tokens);
    machine_watch_fields_clear(m, &m->watch);
}

void machine_start(struct machine *m)
{
    machine_ports_start(m);
    if (m->kind->start)
        m->kind->start(m);
}

void machine_reset(struct machine *m, const struct isa_code *code, uint64_t seed)
{
    assert(machine_can_be_reset(&m->settings));
    m->code = code;
    m->seed = m->tokens.exec.tensor.seed = seed;
    for (uint32_t i = 0; i < m->part_count; i++) {
        const struct machine_part *part = m->parts[i];
        if (part->reset)
            part->reset(m, machine_part_state(m, part));
        else if (part->free)
            part->free(m, machine_part_state(m, part));
    }
    m->kind->reset(m);
    machine_events_free(m);
    machine_ports_free(m);
    machine_clear(m);
    isa_exec_reset(&m->tokens.exec, code);
    for (uint32_t i = 0; i < m->part_count; i++)
        if (!m->parts[i]->reset)
            m->parts[i]->make(m, machine_part_state(m, m->parts[i]));
    machine_start(m);
}

void machine_checkpoint_pack(struct lib_pack *pack, struct machine *m)
{
    assert(m->run.running);
    isa_exec_pack(pack, &m->tokens.exec);
    machine_run_fields_pack(pack, m, &m->run);
    machine_watch_fields_pack(pack, m, &m->watch);
    machine_tokens_fields_pack(pack, m, &m->tokens);
    for (uint32_t i = 0; i < m->part_count && !pack->failed; i++)
        if (m->parts[i]->pack)
            m->parts[i]->pack(pack, m, machine_part_state(m, m->parts[i]));
    m->kind->pack(pack, m);
    machine_ports_pack(pack, m);
    if (m->watch.series) {
        traces_series_pack(pack, m->watch.series);
        m->watch.next_sample = m->watch.series->next;
    }
    if (m->watch.profile)
        traces_profile_pack(pack, m->watch.profile);
    if (lib_pack_reads(pack) && !pack->failed)
        lib_pack_expect(pack, machine_broken(m) == NULL);
}

void machine_free(struct machine *m)
{
    if (!m)
        return;
    for (uint32_t i = 0; i < m->part_count; i++)
        if (m->parts[i]->free)
            m->parts[i]->free(m, machine_part_state(m, m->parts[i]));
    for (uint32_t i = 0; i < m->part_count; i++)
        if (m->parts[i]->state_size)
            lib_mem_free(machine_part_state(m, m->parts[i]));
    m->kind->free(m);
    lib_mem_free(m->class_of);
    lib_mem_free(m->of_class);
    machine_events_free(m);
    machine_ports_free(m);
    machine_run_fields_free(m, &m->run);
    machine_tokens_fields_free(m, &m->tokens);
    machine_watch_fields_free(m, &m->watch);
    isa_exec_free(&m->tokens.exec);
    machine_capability_free(m->capability);
    LIB_MEM_FREE(m->policies, m);
}

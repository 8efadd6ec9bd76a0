#include "machine/checkpoint.h"

#include <string.h>

#include "machine/ports.h"
#include "machine/state.h"
#include "machine/verify.h"

/* Number of pointers in struct machine for rows STATE and GATE of machine/parts.def. */
enum {
    POINTERS_OF_PARTS = 2 * MACHINE_GATE_COUNT
#define STATE(type, member) +1
#include "machine/parts.def"
};

/* Bytes of struct machine without settings and their description, batches, counters of parts, and
 * what parts and the execution assert themselves. */
#define OWN_BYTES                                                                        \
    (sizeof(struct machine) - sizeof(struct machine_batches) -                           \
     sizeof(struct machine_settings) - sizeof(struct isa_exec) -                         \
     sizeof(struct traces_machine) - sizeof(struct traces_part_counts) -                 \
     POINTERS_OF_PARTS * sizeof(void *))

/* Each new member must be packed, here or by a part, or follow from code and settings.
 * `part_begins` does not outlive a checkpoint. */
_Static_assert(sizeof(void *) != 8 || OWN_BYTES == 2016, "pack all of it");

static void pack_counts(struct lib_pack *pack, struct machine *m)
{
    lib_pack_bool(pack, &m->run.moved);
    lib_pack_bool(pack, &m->run.held_back);
    LIB_PACK(pack, m->watch.queue_stalls);
    lib_pack_bytes(pack, m->watch.timing_digests,
                   m->code->graph->function_count * sizeof *m->watch.timing_digests);
    LIB_PACK_VEC(pack, &m->watch.marks, &m->watch.freed_by_marks);
    LIB_PACK(pack, m->watch.next_mark, m->watch.network_bits, m->watch.element_requests);
    LIB_PACK(pack, m->watch.tensor_network_bytes, m->watch.waiting_cycles,
             m->watch.peak_waiting);
    LIB_PACK(pack, m->watch.peak_live, m->watch.peak_tags, m->watch.peak_structures,
             m->watch.peak_elements);
    LIB_PACK(pack, m->watch.peak_tensor_bytes, m->watch.peak_copied, m->watch.counts,
             m->watch.work);
    for (uint32_t i = 0; i < m->pe_count; i++)
        LIB_PACK(pack, m->tokens.pes[i].stats, m->tokens.pes[i].timing_digest);
}

void machine_checkpoint_pack(struct lib_pack *pack, struct machine *m)
{
    assert(m->run.running);
    isa_exec_pack(pack, &m->tokens.exec);
    LIB_PACK(pack, m->run.cycle, m->run.quiet_cycle, m->run.output);
    LIB_PACK_VEC(pack, &m->run.written);
    LIB_PACK(pack, m->run.writes);
    pack_counts(pack, m);
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

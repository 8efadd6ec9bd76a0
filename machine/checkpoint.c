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
_Static_assert(sizeof(void *) != 8 || OWN_BYTES == 2224, "pack all of it");

static void pack_counts(struct lib_pack *pack, struct machine *m)
{
    lib_pack_bool(pack, &m->moved);
    lib_pack_bool(pack, &m->held_back);
    LIB_PACK(pack, m->queue_stalls);
    lib_pack_bytes(pack, m->timing_digests,
                   m->code->graph->function_count * sizeof *m->timing_digests);
    LIB_PACK_VEC(pack, &m->marks, &m->freed_by_marks);
    LIB_PACK(pack, m->next_mark, m->network_bits, m->element_requests);
    LIB_PACK(pack, m->tensor_network_bytes, m->waiting_cycles, m->peak_waiting);
    LIB_PACK(pack, m->peak_live, m->peak_tags, m->peak_structures, m->peak_elements);
    LIB_PACK(pack, m->peak_tensor_bytes, m->peak_copied, m->counts, m->work);
    for (uint32_t i = 0; i < m->pe_count; i++)
        LIB_PACK(pack, m->pes[i].stats, m->pes[i].timing_digest);
}

void machine_checkpoint_pack(struct lib_pack *pack, struct machine *m)
{
    assert(m->running);
    isa_exec_pack(pack, &m->exec);
    LIB_PACK(pack, m->cycle, m->quiet_cycle, m->output);
    LIB_PACK_VEC(pack, &m->written);
    LIB_PACK(pack, m->writes);
    pack_counts(pack, m);
    for (uint32_t i = 0; i < m->part_count && !pack->failed; i++)
        if (m->parts[i]->pack)
            m->parts[i]->pack(pack, m, machine_part_state(m, m->parts[i]));
    m->kind->pack(pack, m);
    machine_ports_pack(pack, m);
    if (m->series) {
        traces_series_pack(pack, m->series);
        m->next_sample = m->series->next;
    }
    if (m->profile)
        traces_profile_pack(pack, m->profile);
    if (lib_pack_reads(pack) && !pack->failed)
        lib_pack_expect(pack, machine_broken(m) == NULL);
}

/* Tag tracking (paper 1, section 5.2.2; paper 2, section 4.4): RECVs that are scheduled for each tag need a machine
 * that knows which tags there are.
 *
 * A tag is made by the CALLs of its site, by ENTERs, or by NEXTs. On their machine they say so themselves. Another
 * machine that has RECVs to be scheduled for it gets a copy of them, one for each site, and of the SWITCHes that
 * decide whether they fire: its state machine. doc/model.md, "Tag tracking", says which these are. */
#ifndef ISA_PARTITION_TRACK_H
#define ISA_PARTITION_TRACK_H

#include "isa/graph.h"
#include "lib/diag.h"
#include "lib/key_map.h"

struct isa_tracker {
    struct isa_graph
        *graph; /* the image, and the state machines of all machines behind it */
    uint32_t *machine_of; /* of all its nodes */
    struct lib_key_map merges;
};

/* NULL: what decides about a call or loop is not known beforehand; why is in `diags`. */
struct isa_tracker *isa_tracker_make(const struct isa_graph *image,
                                     const uint32_t *machine_of, uint32_t machines,
                                     struct lib_diags *diags);
void isa_tracker_free(struct isa_tracker *tracker);

/* What schedules the RECV on a machine of what an output list of the tracker's graph sends there. `result`: it leads
 * to RETURNs. */
uint32_t isa_tracker_schedule(const struct isa_tracker *tracker, uint32_t node,
                              uint32_t machine, bool result);

#endif

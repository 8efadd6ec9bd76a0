/* Tag tracking (paper 1, section 5.2.2; paper 2, section 4.4). A machine that schedules RECVs for
 * each tag must know which tags exist.
 *
 * A tag is made by the CALLs of a call, or the ENTERs and NEXTs of a loop, on the machine that
 * has these instructions. Each other machine that has RECVs for the tag gets a state machine: a
 * copy of one CALL for each call, of one ENTER and one NEXT for each loop, and of the SWITCHes
 * that decide whether they fire. doc/model.md, "Tag tracking", specifies state machines. */
#ifndef PROGRAMS_PARTITION_TRACK_H
#define PROGRAMS_PARTITION_TRACK_H

#include "isa/graph.h"
#include "lib/diag.h"
#include "lib/key_map.h"

struct programs_tracker {
    struct isa_graph *graph; /* nodes of the image, then of all state machines */
    uint32_t *machine_of;    /* machine of each node of `graph` */
    struct lib_key_map merges;
};

/* Makes the state machines that track tags. Returns NULL and adds a diagnostic if the condition
 * of a call or loop entry is unknown. */
struct programs_tracker *programs_tracker_make(const struct isa_graph *image,
                                               const uint32_t *machine_of,
                                               uint32_t machines,
                                               struct lib_diags *diags);
void programs_tracker_free(struct programs_tracker *tracker);

/* Returns the node that schedules the RECV on `machine` for tokens from `node`, both of the
 * tracker's graph. `result`: whether the tokens go to RETURNs. */
uint32_t programs_tracker_schedule(const struct programs_tracker *tracker, uint32_t node,
                                   uint32_t machine, bool result);

#endif

/* Tag tracking (paper 1, section 5.2.2; paper 2, section 4.4). A machine that schedules RECVs
 * for each tag must know which tags exist.
 *
 * A tag is made by the CALLs of a call, or by the ENTERs or NEXTs of a loop. The machine of
 * these instructions knows the tag. Each other machine that has RECVs for the tag gets a state
 * machine: a copy of one of these instructions for each call or loop, and of the SWITCHes that
 * decide whether it fires. doc/model.md, "Tag tracking", specifies them. */
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

/* Makes the state machines. Returns NULL and adds a diagnostic if it is unknown under which
 * condition a call is made or a loop entered (PROGRAMS_CONDITION_UNKNOWN). */
struct programs_tracker *programs_tracker_make(const struct isa_graph *image,
                                               const uint32_t *machine_of,
                                               uint32_t machines,
                                               struct lib_diags *diags);
void programs_tracker_free(struct programs_tracker *tracker);

/* Returns the node that schedules the RECV on `machine` for tokens from `node` of the tracker's
 * graph. `result`: whether the tokens go to RETURNs. */
uint32_t programs_tracker_schedule(const struct programs_tracker *tracker, uint32_t node,
                                   uint32_t machine, bool result);

#endif

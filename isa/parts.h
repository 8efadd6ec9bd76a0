/* Graphs of stage PARTITIONED: the instructions of an image, each on a machine, with a SEND and a
 * RECV for each value that another machine takes (paper 1, section 5.2).
 *
 * The instructions of the image come first, under their numbers, so that digests are those of the
 * image; SENDs, RECVs and tag tracking follow. A channel joins one SEND and one RECV: the SEND
 * takes the value of one output list, and the RECV has the arcs of that list to one other machine.
 * Arcs to the RETURNs of one result, among which the tag chooses, have a channel of their own.
 *
 * Invariants: an arc never leaves its machine. All instructions that name a site are on one
 * machine, the home of the site; so are the WRITE and the READs of a cell, and the instructions
 * that use the constants of a loop. */
#ifndef ISA_PARTS_H
#define ISA_PARTS_H

#include "isa/graph.h"

/* Returns the function under whose tag a node sends: the callee for a CALL, the caller for a
 * RETURN. */
uint32_t isa_node_output_frame(const struct isa_graph *graph,
                               const struct isa_node *node);

/* Returns the number of nodes before the SENDs, RECVs and tag tracking at the end. */
uint32_t isa_parts_whole(const struct isa_graph *graph);

/* Finds the SEND and the RECV of each channel, UINT32_MAX if it has none. The caller frees both
 * arrays. Returns the number of channels. */
uint32_t isa_parts_channels(const struct isa_graph *graph, uint32_t **sends,
                            uint32_t **receives);

/* Whether the arcs of a RECV lead to RETURNs. */
bool isa_parts_is_result(const struct isa_graph *graph, uint32_t receive);

/* Whether a RECV sends to tag tracking (isa/fire/fire_track.h) alone. Then its channel carries
 * decisions of SWITCHes, not values. */
bool isa_parts_decides(const struct isa_graph *graph, uint32_t receive);

/* Whether some RECVs are AWAITs: they receive under a tag only after tag tracking has scheduled
 * them. */
bool isa_parts_are_scheduled(const struct isa_graph *graph);

/* Returns an undivided copy of a graph, of stage STATIC. Each channel must have a SEND and a
 * RECV. */
struct isa_graph *isa_parts_join(const struct isa_graph *graph);

#endif

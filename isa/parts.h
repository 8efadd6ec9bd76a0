/* Graphs of stage PARTITIONED: the instructions of an image, each on a machine, with a SEND and a
 * RECV for each value that goes to another machine (paper 1, section 5.2).
 *
 * The instructions of the image come first, with the same indexes, so that digests are equal to
 * those of the image; SENDs, RECVs and tag tracking follow. A channel joins one SEND and one RECV.
 * The SEND takes the value of one output list; the RECV has those arcs of the list that lead to its
 * machine. Arcs to the RETURNs of one result have a channel of their own: the tag chooses one of
 * these RETURNs.
 *
 * Invariants: an arc never leaves its machine. All instructions that name a site are on one
 * machine, the home of the site; so are the WRITE and the READs of a cell, and the instructions
 * that use the constants of a loop.
 */
#ifndef ISA_PARTS_H
#define ISA_PARTS_H

#include "isa/graph.h"

/* Returns the function under whose tag a node sends tokens: the callee for a CALL, the caller for a
 * RETURN. */
uint32_t isa_node_output_frame(const struct isa_graph *graph,
                               const struct isa_node *node);

/* Returns the number of nodes without the SENDs, RECVs and tag tracking at the end. */
uint32_t isa_parts_whole(const struct isa_graph *graph);

/* Allocates two arrays, which the caller frees: element c is the SEND, or the RECV, of channel c,
 * or UINT32_MAX. Returns the number of channels. */
uint32_t isa_parts_channels(const struct isa_graph *graph, uint32_t **sends,
                            uint32_t **receives);

/* Whether the arcs of a RECV lead to RETURNs. */
bool isa_parts_is_result(const struct isa_graph *graph, uint32_t receive);

/* Whether a RECV sends only to tag tracking (isa/fire/fire_track.h): the channel carries decisions
 * of SWITCHes, not values. */
bool isa_parts_decides(const struct isa_graph *graph, uint32_t receive);

/* Whether the graph has AWAITs: RECVs that receive only after tag tracking has scheduled them for a
 * tag. */
bool isa_parts_are_scheduled(const struct isa_graph *graph);

/* Returns a copy of a partitioned graph as an undivided graph of stage STATIC. Each channel must
 * have a SEND and a RECV. */
struct isa_graph *isa_parts_join(const struct isa_graph *graph);

#endif

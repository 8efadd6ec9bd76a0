/* Graphs of the stage PARTITIONED: the instructions of an image, each on a machine, with a SEND
 * and a RECV for each value that another machine takes (paper 1, section 5.2).
 *
 * The instructions of the image come first, under their numbers, so that digests are those of the
 * image. Behind them stand SENDs and RECVs. A channel joins one of each. Its SEND takes the value
 * of one output list, and its RECV has the arcs of that list to one other machine. Arcs to the
 * RETURNs of one result, of which the tag names one, have a channel of their own. All arcs stay
 * on a machine. What names a site is on one machine, the home of the site, and so are the WRITE
 * and the READs of a cell, and what a loop's constants are used by. */
#ifndef ISA_PARTS_H
#define ISA_PARTS_H

#include "isa/graph.h"

/* The function of whose activation the tag is that an output of a node carries. */
uint32_t isa_node_output_frame(const struct isa_graph *graph,
                               const struct isa_node *node);

/* How many nodes stand before the SENDs and RECVs at the end. */
uint32_t isa_parts_whole(const struct isa_graph *graph);

/* Of each channel its SEND and its RECV; UINT32_MAX where there is none. The arrays are the
 * caller's. Returns how many channels there are. */
uint32_t isa_parts_channels(const struct isa_graph *graph, uint32_t **sends,
                            uint32_t **receives);

/* Whether a RECV takes results to RETURNs. */
bool isa_parts_is_result(const struct isa_graph *graph, uint32_t receive);

/* Whether all that a RECV leads to tracks tags: its channel carries decisions, and no value. */
bool isa_parts_decides(const struct isa_graph *graph, uint32_t receive);

/* Whether RECVs are scheduled per tag: some are AWAITs. */
bool isa_parts_are_scheduled(const struct isa_graph *graph);

/* The graph without machines, of the stage STATIC. Each channel has a SEND and a RECV. */
struct isa_graph *isa_parts_join(const struct isa_graph *graph);

#endif

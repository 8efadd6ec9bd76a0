/* Files of a program that is divided among machines: an image for each machine, and an index that
 * names them.
 *
 *     hiaton parts 1
 *     27de3ed06145ee6ba3dc5f380bce5a3c fib.dfi.0
 *     ...
 *
 * Line by line in the order of machines: the digest of an image, and its name beside the index. */
#ifndef SIM_LOADING_PARTS_H
#define SIM_LOADING_PARTS_H

#include "isa/graph.h"
#include "lib/diag.h"

/* Whether a file starts like an index. */
bool sim_parts_is(const struct lib_source *file);

/* Returns the whole program as an image in the arena, under the name of the index. Returns NULL and
 * adds a diagnostic if an image is missing or another. */
const struct lib_source *sim_parts_read(struct lib_arena *arena,
                                        const struct lib_source *index,
                                        struct lib_diags *diags);

/* Adds the image of one machine of a partitioned graph to `image`, and its line to `index`; `path`
 * is the file of the index. */
void sim_parts_write(const struct isa_graph *graph, uint32_t machine, const char *path,
                     struct lib_text *image, struct lib_text *index);

/* Adds the first line of an index. */
void sim_parts_begin(struct lib_text *index);

#endif

/* Files of a program that is divided among machines: an image for each machine, and an index that
 * names them.
 *
 *     hiaton parts 1
 *     27de3ed06145ee6ba3dc5f380bce5a3c fib.dfi.0
 *     ...
 *
 * Each line has the digest of an image and its file name, in the order of machines. */
#ifndef SIM_LOADING_PARTS_H
#define SIM_LOADING_PARTS_H

#include "isa/graph.h"
#include "lib/diag.h"

/* Whether a file begins like an index. */
bool sim_parts_is(const struct lib_source *file);

/* Joins the images of an index to one image in the arena, with the index's name. Returns NULL and
 * adds a diagnostic if an image is missing or does not have its digest. */
const struct lib_source *sim_parts_read(struct lib_arena *arena,
                                        const struct lib_source *index,
                                        struct lib_diags *diags);

/* Adds the image of one machine of a divided graph to `image`, and its line to `index`. `path` is
 * the file of the index. */
void sim_parts_write(const struct isa_graph *graph, uint32_t machine, const char *path,
                     struct lib_text *image, struct lib_text *index);

/* Adds the first line of an index. */
void sim_parts_begin(struct lib_text *index);

#endif

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

/* Whether a file begins like an index of the images of a divided program. */
bool sim_parts_is(const struct lib_source *file);

/* Joins the images that an index names to one image in the arena, with the name of the index.
 * Returns NULL and adds a diagnostic if an image is missing or has another digest. */
const struct lib_source *sim_parts_read(struct lib_arena *arena,
                                        const struct lib_source *index,
                                        struct lib_diags *diags);

/* Adds the part of a divided graph for one machine to `image`, and its line to `index`. `path` is
 * the file of the index. */
void sim_parts_write(const struct isa_graph *graph, uint32_t machine, const char *path,
                     struct lib_text *image, struct lib_text *index);

/* Adds the first line of an index of images. */
void sim_parts_begin(struct lib_text *index);

#endif

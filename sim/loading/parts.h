/* Programs that are divided among machines, as files: an image for each machine, and an index
 * that names them.
 *
 *     hiaton parts 1
 *     27de3ed06145ee6ba3dc5f380bce5a3c fib.dfi.0
 *     ...
 *
 * A line has the digest and the name of an image, which is beside the index, by machine. */
#ifndef SIM_LOADING_PARTS_H
#define SIM_LOADING_PARTS_H

#include "isa/graph.h"
#include "lib/diag.h"

/* Whether a file starts like an index. */
bool sim_parts_is(const struct lib_source *file);

/* The whole program as an image in the arena, under the name of the index; NULL: an image is not
 * there, or another one, and why is in `diags`. */
const struct lib_source *sim_parts_read(struct lib_arena *arena,
                                        const struct lib_source *index,
                                        struct lib_diags *diags);

/* The images of a partitioned graph, and the line of each in an index whose file is `path`. */
void sim_parts_write(const struct isa_graph *graph, uint32_t machine, const char *path,
                     struct lib_text *image, struct lib_text *index);

/* Begins an index. */
void sim_parts_begin(struct lib_text *index);

#endif

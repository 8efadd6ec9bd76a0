/* What each instruction did in an earlier run, as far as its statistics tell. */
#ifndef ISA_PARTITION_WEIGHTS_H
#define ISA_PARTITION_WEIGHTS_H

#include "isa/graph.h"
#include "lib/diag.h"

/* Firings per node of an image: those of its line, or its function, in the JSON object that `hiaton run
 * --by=line|function --json` writes, divided among the nodes there. Where nothing is said it is 1; with a
 * source of NULL it is 1 for all. The array is the caller's; NULL: the file cannot be read. */
uint64_t *isa_partition_weights(const struct isa_graph *image,
                                const struct lib_source *source, struct lib_diags *diags);

#endif

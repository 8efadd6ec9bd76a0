#ifndef PROGRAMS_PARTITION_WEIGHTS_H
#define PROGRAMS_PARTITION_WEIGHTS_H

#include "isa/graph.h"
#include "lib/diag.h"

/* Returns the weight of each node of an image: its firings in an earlier run. `source` is the
 * output of `hiaton run --by=line --json` or `--by=function --json`; firings of a line or
 * function are divided among its nodes. Without firings, or if `source` is NULL, the weight is
 * 1. The caller frees the array. Returns NULL and adds a diagnostic if the source is invalid. */
uint64_t *programs_partition_weights(const struct isa_graph *image,
                                     const struct lib_source *source,
                                     struct lib_diags *diags);

#endif

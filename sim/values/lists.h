/* Reads arguments NAME=VALUES: inputs of a program, each with one or more values (doc/graphs.md,
 * "Static against expanding"). */
#ifndef SIM_VALUES_LISTS_H
#define SIM_VALUES_LISTS_H

#include "isa/graph.h"
#include "sim/values/values.h"

struct sim_list {
    const char *name; /* name of an input, in the arena */
    struct sim_values values;
};

struct sim_lists {
    /* owned, with its values; in the order of the arguments */
    LIB_VEC(struct sim_list) list;
};

/* Reads arguments whose values are separated by commas; FIRST..LAST and FIRST..LAST:STEP are
 * ranges. Returns false and adds diagnostics if an input cannot have a value. Call sim_lists_free
 * even then. */
bool sim_lists_read(struct sim_lists *lists, struct lib_arena *arena,
                    const struct isa_graph *graph, const char *const *arguments,
                    size_t count, struct lib_diags *diags);

/* Adds the values in `text`, separated by commas. `ranges`: a value may be a range, as in
 * "1,2,5..9:2"; else ".." has no meaning, as in "a,../b". On errors returns false and adds a
 * diagnostic that begins with `what`. */
bool sim_lists_read_values(struct sim_values *values, struct lib_arena *arena,
                           const char *text, const char *what, bool ranges,
                           struct lib_diags *diags);
void sim_lists_free(struct sim_lists *lists);

#endif

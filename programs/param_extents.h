/* Extents of params that inputs or constants decide. The shapes of files that replace params
 * (programs_options.params_folder) are known when a program is compiled; these extents are known
 * only when a run has its inputs. */
#ifndef PROGRAMS_PARAM_EXTENTS_H
#define PROGRAMS_PARAM_EXTENTS_H

#include "lib/arena.h"
#include "lib/diag.h"

/* Param of rank `rank`, some of whose declared extents are not literals. */
struct programs_open_param {
    const char *name;
    struct lib_pos pos;
    size_t rank;
};

struct programs_param_extents {
    const struct programs_open_param *params;
    size_t count;
    /* Text of an equation `result = (...)` for struct programs_options: the declared extents of all
     * `params`, in order, and behind them the extents that these params have. */
    const char *result;
};

/* Finds the params of a program whose extents are open, at most `most` of them, from param `first`
 * on (0: the first one). All is in the arena. Returns the index of the param to continue with;
 * `count` is 0 if there is none left, or if the source has errors, which another compilation
 * reports. */
size_t programs_param_extents_find(struct programs_param_extents *extents,
                                   struct lib_arena *arena,
                                   const struct lib_source *source, size_t first,
                                   size_t most);

#endif

/* Warnings about ints that become reals because of code that no output needs: that code has no
 * effect on a run otherwise, but all uses of a name decide its type. */
#ifndef PROGRAMS_TYPES_UNNEEDED_H
#define PROGRAMS_TYPES_UNNEEDED_H

#include "programs/types/infer_internal.h"

enum { PROGRAMS_UNNEEDED_MAX = 10 /* literals that are watched */ };

/* Literals of needed code that are ints without the other code, and reals with it. */
struct programs_unneeded {
    size_t count;
    size_t literals
        [PROGRAMS_UNNEEDED_MAX]; /* indices in the member `literals` of struct infer */
    /* For each literal: expression that makes it a real; NULL: none yet. */
    const struct programs_expr *cause[PROGRAMS_UNNEEDED_MAX];
    /* For each literal: name of the function or equation that contains the cause. */
    const char *within[PROGRAMS_UNNEEDED_MAX];
};

/* Chooses the literals to watch: those that are reals in `together`, an inference of the whole
 * program, but ints in `needed`, an inference of the needed code. */
void programs_unneeded_find(struct programs_unneeded *unneeded,
                            const infer_literals *together, const infer_literals *needed);

/* Makes `e`, in the function or equation `within`, the cause of the watched literals that have
 * become reals and have no cause yet. */
void programs_unneeded_blame(struct programs_unneeded *unneeded,
                             const infer_literals *literals,
                             const struct programs_expr *e, const char *within);

/* Warns once of each cause, unless another warning names its place: a use in `uses` that is
 * `named`. */
void programs_unneeded_warn(const struct programs_unneeded *unneeded,
                            const infer_literals *literals, const programs_uses *uses,
                            const struct lib_source *source, struct lib_diags *diags);

#endif

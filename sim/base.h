/* The bases of a view with `relative`: what each value is compared with.
 *
 * A base is made of the runs for which the condition holds, also of those that `where`
 * leaves out. It belongs to all runs that are alike in what the view shows and in the
 * parameters that `where` names, but for the columns that the condition names, and have the
 * same repetition: so that with common random numbers like is compared with like. */
#ifndef SIM_BASE_H
#define SIM_BASE_H

#include "sim/cube.h"

struct sim_bases {
    const struct sim_view *view;
    analysis_column_list columns; /* owned */
    struct sim_keys keys;
    LIB_VEC(struct sim_place) list; /* owned: by key and value */
    LIB_VEC(uint64_t) sources;      /* owned: by key, which runs it is made of */
};

/* Begins, without bases. `bases` must not be moved. Give back with sim_bases_free. */
void sim_bases_start(struct sim_bases *bases, const struct sim_view *view,
                     const struct traces_reader *frame, struct lib_arena *arena);
void sim_bases_free(struct sim_bases *bases);

/* Says which columns bases need. */
void sim_bases_want(const struct sim_view *view, struct traces_reader *frame);

/* Adds a run to its base, if the condition holds. */
void sim_bases_add(struct sim_bases *bases, const struct traces_reader *frame,
                   size_t run);

/* What stands for the runs that are the base of a run: bases of the same runs have the same.
 * 0: it has none. */
uint64_t sim_bases_source(const struct sim_bases *bases,
                          const struct traces_reader *frame, size_t run);

/* A number of a run, relative to its base; NaN: there is none. */
double sim_bases_compare(const struct sim_bases *bases, const struct traces_reader *frame,
                         size_t run, size_t value);

#endif

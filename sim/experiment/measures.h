/* Analyses that measure every run of an experiment (key `measure`). Each value that they find
 * becomes a column of results, `ANALYSIS.KEY`. The values of `causes` are the cycles of each cause,
 * which add up to the statistic `cycles`. */
#ifndef SIM_EXPERIMENT_MEASURES_H
#define SIM_EXPERIMENT_MEASURES_H

#include "analysis/causes/causes.h"
#include "analysis/stream/stream.h"
#include "lib/fields.h"
#include "traces/results/column.h"

/* Indices of analyses. Those of analysis/stream/analyses.def come first; then `causes`, which
 * simulates the run two more times (sim/explain/causes.h). */
enum {
    SIM_MEASURES_CAUSES = ANALYSIS_STREAM_COUNT,
    SIM_MEASURES_COUNT,
};

struct sim_measures {
    bool wanted[SIM_MEASURES_COUNT];
};

extern const char *const sim_measures_names[SIM_MEASURES_COUNT];

bool sim_measures_are_any(const struct sim_measures *measures);

/* Reads the key `measure`, which is entry `i` of the file. */
void sim_measures_read(struct lib_fields *r, size_t i, struct sim_measures *measures);

/* Adds a column for each value of the wanted analyses; names live in `arena`. The member `measure`
 * of a column identifies the value (sim_measure_of). */
void sim_measures_add_columns(const struct sim_measures *measures,
                              struct traces_columns *columns, struct lib_arena *arena);

/* Upper bound on the number of values of an analysis. */
enum { SIM_MEASURES_MAX = 256 };

/* Returns the value of traces_column.measure, a positive integer, in the column for value `i` of
 * analysis `which` (both are indices). */
static inline unsigned sim_measure_of(size_t which, size_t i)
{
    return (unsigned)(1 + which * SIM_MEASURES_MAX + i);
}

/* Returns the index of the analysis of a column, from its member `measure`. */
static inline size_t sim_measure_which(unsigned measure)
{
    return (measure - 1) / SIM_MEASURES_MAX;
}

#endif

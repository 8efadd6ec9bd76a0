/* The analyses of events that every run of an experiment is measured by: its key `measure`. The
 * numbers that they find are columns of results, `ANALYSIS.NUMBER`. Of `causes` these are the
 * cycles of each cause, so that they add up to `cycles`. */
#ifndef SIM_EXPERIMENT_MEASURES_H
#define SIM_EXPERIMENT_MEASURES_H

#include "analysis/causes/causes.h"
#include "analysis/stream/stream.h"
#include "lib/fields.h"
#include "traces/results/column.h"

/* The analyses of analysis/stream/analyses.def, by their numbers, and behind them the causes of
 * cycles, which make the run twice more (sim/explain/causes.h). */
enum {
    SIM_MEASURES_CAUSES = ANALYSIS_STREAM_COUNT,
    SIM_MEASURES_COUNT,
};

struct sim_measures {
    bool wanted[SIM_MEASURES_COUNT];
};

extern const char *const sim_measures_names[SIM_MEASURES_COUNT];

bool sim_measures_are_any(const struct sim_measures *measures);

/* Reads the value of `measure`, entry `i`. */
void sim_measures_read(struct lib_fields *r, size_t i, struct sim_measures *measures);

/* Adds the columns of those that are wanted; their names live in the arena. `measure` of a column
 * says which number it is (sim_measure_of). */
void sim_measures_add_columns(const struct sim_measures *measures,
                              struct traces_columns *columns, struct lib_arena *arena);

/* The column of the number `i` of an analysis; and the other way round. */
enum { SIM_MEASURES_MAX = 256 }; /* numbers of an analysis */
static inline unsigned sim_measure_of(size_t which, size_t i)
{
    return (unsigned)(1 + which * SIM_MEASURES_MAX + i);
}
static inline size_t sim_measure_which(unsigned measure)
{
    return (measure - 1) / SIM_MEASURES_MAX;
}

#endif

/* Analyses that measure every run of an experiment: its key `measure`. The numbers that they find
 * become columns of results, `ANALYSIS.NUMBER`. For `causes` the numbers are the cycles of each
 * cause, which add up to `cycles`. */
#ifndef SIM_EXPERIMENT_MEASURES_H
#define SIM_EXPERIMENT_MEASURES_H

#include "analysis/causes/causes.h"
#include "analysis/stream/stream.h"
#include "lib/fields.h"
#include "traces/results/column.h"

/* Numbers of measures: the analyses of analysis/stream/analyses.def, followed by the causes of
 * cycles, for which the run is made twice more (sim/explain/causes.h). */
enum {
    SIM_MEASURES_CAUSES = ANALYSIS_STREAM_COUNT,
    SIM_MEASURES_COUNT,
};

struct sim_measures {
    bool wanted[SIM_MEASURES_COUNT];
};

extern const char *const sim_measures_names[SIM_MEASURES_COUNT];

bool sim_measures_are_any(const struct sim_measures *measures);

/* Reads the measures from entry `i` of the file, the key `measure`. */
void sim_measures_read(struct lib_fields *r, size_t i, struct sim_measures *measures);

/* Adds the columns of the wanted measures; their names live in the arena. The member `measure` of a
 * column identifies its number (sim_measure_of). */
void sim_measures_add_columns(const struct sim_measures *measures,
                              struct traces_columns *columns, struct lib_arena *arena);

/* Convert between a number `i` of measure `which` and the member `measure` of its column. */
enum { SIM_MEASURES_MAX = 256 }; /* maximum per analysis */
static inline unsigned sim_measure_of(size_t which, size_t i)
{
    return (unsigned)(1 + which * SIM_MEASURES_MAX + i);
}
static inline size_t sim_measure_which(unsigned measure)
{
    return (measure - 1) / SIM_MEASURES_MAX;
}

#endif

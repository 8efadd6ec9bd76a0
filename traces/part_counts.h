/* Counts of the parts of a machine: a member for each statistic measured by PART
 * (traces/stats.def). A machine keeps them together, so that a new one is a row and the place where
 * its part counts: they are packed, reset, and written into statistics here. */
#ifndef TRACES_PART_COUNTS_H
#define TRACES_PART_COUNTS_H

#include <stdint.h>

struct traces_stats;

struct traces_part_counts {
#define OF_RUN(key)
#define OF_BOTH(key)
#define OF_PART(key) uint64_t key;
#define COUNT(key, unit, by, part, help) OF_##by(key)
#define RATIO(key, unit, by, part, help)
#define DIGEST(key, unit, by, part, help)
#define OWNER(path)
#include "traces/stats.def"
#undef OWNER
#undef DIGEST
#undef RATIO
#undef COUNT
#undef OF_PART
#undef OF_BOTH
#undef OF_RUN
};

/* Number of these counts. */
enum { TRACES_PART_COUNTS = sizeof(struct traces_part_counts) / sizeof(uint64_t) };

/* Writes them into the statistics. */
void traces_part_counts_put(const struct traces_part_counts *counts,
                            struct traces_stats *stats);

/* Begins the measurement of a part of a run: sets the peaks to 0. */
void traces_part_counts_begin(struct traces_part_counts *counts);

#endif

/* Counters of the parts of a machine, such as the network: a member for each statistic marked PART
 * in traces/stats.def. So a new statistic needs only its row there and the code that counts it. */
#ifndef TRACES_PART_COUNTS_H
#define TRACES_PART_COUNTS_H

#include <stdint.h>

struct traces_stats;

struct traces_part_counts {
#define OF_RUN(key)
#define OF_BOTH(key)
#define OF_PART(key) uint64_t key;
#define COUNT(key, unit, by, part, help) OF_##by(key)
#include "traces/stats.def"
#undef OF_PART
#undef OF_BOTH
#undef OF_RUN
};

enum { TRACES_PART_COUNTS = sizeof(struct traces_part_counts) / sizeof(uint64_t) };

void traces_part_counts_put(const struct traces_part_counts *counts,
                            struct traces_stats *stats);

/* Resets the peaks when a measured part of a run begins. */
void traces_part_counts_begin(struct traces_part_counts *counts);

#endif

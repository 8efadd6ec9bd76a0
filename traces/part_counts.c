#include "traces/part_counts.h"

#include "traces/stats.h"

#define OF_RUN(key, part)
#define OF_BOTH(key, part)

void traces_part_counts_put(const struct traces_part_counts *counts,
                            struct traces_stats *stats)
{
#define OF_PART(key, part) stats->key = counts->key;
#define COUNT(key, unit, by, part, help) OF_##by(key, part)
#include "traces/stats.def"
#undef OF_PART
}

void traces_part_counts_begin(struct traces_part_counts *counts)
{
#define BEGIN_SUM(count)
#define BEGIN_PEAK(count) count = 0;
#define OF_PART(key, part) BEGIN_##part(counts->key)
#define COUNT(key, unit, by, part, help) OF_##by(key, part)
#include "traces/stats.def"
}

#include "traces/part_counts.h"

#include "traces/stats.h"

#define OF_RUN(key, part)
#define OF_BOTH(key, part)
#define COUNT(key, unit, by, part, help) OF_##by(key, part)
#define RATIO(key, unit, by, part, help)
#define DIGEST(key, unit, by, part, help)
#define OWNER(path)

void traces_part_counts_put(const struct traces_part_counts *counts,
                            struct traces_stats *stats)
{
#define OF_PART(key, part) stats->key = counts->key;
#include "traces/stats.def"
#undef OF_PART
}

void traces_part_counts_begin(struct traces_part_counts *counts)
{
#define BEGIN_SUM(count)
#define BEGIN_PEAK(count) count = 0;
#define OF_PART(key, part) BEGIN_##part(counts->key)
#include "traces/stats.def"
}

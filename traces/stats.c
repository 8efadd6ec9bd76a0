#include "traces/stats.h"

#include "lib/memory.h"

#include <string.h>

#define ROW(kind, key, unit, by, help)                                                   \
    {#key, TRACES_STAT_##kind, unit, TRACES_BY_##by, offsetof(struct traces_stats, key), \
     help},

const struct traces_stat traces_stat_table[] = {
#define COUNT(key, unit, by, help) ROW(COUNT, key, unit, by, help)
#define RATIO(key, unit, by, help) ROW(RATIO, key, unit, by, help)
#define DIGEST(key, unit, by, help) ROW(DIGEST, key, unit, by, help)
#include "traces/stats.def"
#undef DIGEST
#undef RATIO
#undef COUNT
};

const size_t traces_stat_count = sizeof traces_stat_table / sizeof traces_stat_table[0];

const struct traces_stat *traces_stat_at(size_t offset)
{
    const struct traces_stat *stat = traces_stat_table;
    while (stat->offset != offset)
        stat++;
    return stat;
}

uint64_t traces_stat_integer(const struct traces_stats *stats,
                             const struct traces_stat *stat)
{
    uint64_t value;
    memcpy(&value, (const char *)stats + stat->offset, sizeof value);
    return value;
}

double traces_stat_real(const struct traces_stats *stats, const struct traces_stat *stat)
{
    double value;
    memcpy(&value, (const char *)stats + stat->offset, sizeof value);
    return value;
}

void traces_stats_free(struct traces_stats *stats)
{
    lib_mem_free(stats->pe);
    stats->pe = NULL;
    stats->pe_count = 0;
}

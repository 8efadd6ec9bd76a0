#include "traces/stats.h"

#include "lib/memory.h"

#include <math.h>
#include <string.h>

/* A part of a machine counts as the machine here. */
#define TRACES_BY_PART TRACES_BY_RUN

#define ROW(kind, key, unit, by, part, help)                                             \
    {#key,                                                                               \
     TRACES_STAT_##kind,                                                                 \
     unit,                                                                               \
     TRACES_BY_##by,                                                                     \
     TRACES_PART_##part,                                                                 \
     offsetof(struct traces_stats, key),                                                 \
     help},

const struct traces_stat traces_stat_table[] = {
#define COUNT(key, unit, by, part, help) ROW(COUNT, key, unit, by, part, help)
#define RATIO(key, unit, by, part, help) ROW(RATIO, key, unit, by, part, help)
#define DIGEST(key, unit, by, part, help) ROW(DIGEST, key, unit, by, part, help)
#include "traces/stats.def"
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

bool traces_stat_is_known(const struct traces_stats *stats,
                          const struct traces_stat *stat)
{
    if (stats->covers == TRACES_COVERS_NOTHING ||
        (stats->covers == TRACES_COVERS_PART && stat->part == TRACES_PART_WHOLE))
        return false;
    return stat->kind != TRACES_STAT_RATIO || !isnan(traces_stat_real(stats, stat));
}

void traces_stats_count_pes(struct traces_stats *stats)
{
    stats->working_pes = 0;
    for (size_t i = 0; i < stats->pe_count; i++)
        stats->working_pes += stats->pe[i].firings + stats->pe[i].dead_firings > 0;
}

const char *const traces_port_names[TRACES_PORT_COUNT] = {"output", "input", "link"};

void traces_stats_count_links(struct traces_stats *stats)
{
    stats->link_tokens = stats->link_busy = stats->link_waits = 0;
    for (size_t i = 0; i < stats->link_count; i++) {
        stats->link_tokens += stats->links[i].stats.tokens;
        stats->link_busy += stats->links[i].stats.busy;
        stats->link_waits += stats->links[i].stats.waits;
    }
}

/* Subtracts counts and digests. Ratios are derived later. */
static void take_row(struct traces_stats *stats, const struct traces_stats *before,
                     const struct traces_stat *stat)
{
    uint64_t value = traces_stat_integer(stats, stat);
    if (stat->kind == TRACES_STAT_RATIO)
        return;
    if (stat->part == TRACES_PART_SUM)
        value -= traces_stat_integer(before, stat);
    else if (stat->part == TRACES_PART_WHOLE)
        value = 0;
    memcpy((char *)stats + stat->offset, &value, sizeof value);
}

static void take_pe(struct traces_pe_stats *pe, const struct traces_pe_stats *before)
{
#define COUNT(key, help) pe->key -= before->key;
    TRACES_PE_SUMS(COUNT)
#undef COUNT
}

static void take_link(struct traces_link_stats *link,
                      const struct traces_link_stats *before)
{
#define COUNT(key, help) link->key -= before->key;
    TRACES_LINK_SUMS(COUNT)
#undef COUNT
}

void traces_stats_take_part(struct traces_stats *stats, const struct traces_stats *before)
{
    for (size_t i = 0; i < traces_stat_count; i++)
        take_row(stats, before, &traces_stat_table[i]);
#define SUM(name) stats->name -= before->name;
    TRACES_STATS_SUMS(SUM)
#undef SUM
    for (int unit = 0; unit < ISA_UNIT_COUNT; unit++)
        stats->unit_firings[unit] -= before->unit_firings[unit];
    for (size_t i = 0; i < stats->pe_count; i++)
        take_pe(&stats->pe[i], &before->pe[i]);
    for (size_t i = 0; i < stats->link_count; i++)
        take_link(&stats->links[i].stats, &before->links[i].stats);
    stats->covers = TRACES_COVERS_PART;
    traces_stats_count_pes(stats);
}

void traces_stats_free_pes(struct traces_stats *stats)
{
    lib_mem_free(stats->pe);
    lib_mem_free(stats->pe_units);
    stats->pe = NULL;
    stats->pe_units = NULL;
    stats->pe_count = 0;
}

void traces_stats_free_links(struct traces_stats *stats)
{
    lib_mem_free(stats->links);
    stats->links = NULL;
    stats->link_count = 0;
}

void traces_stats_free(struct traces_stats *stats)
{
    traces_stats_free_pes(stats);
    traces_stats_free_links(stats);
}

/* Statistics: what a run leaves behind in numbers. */
#ifndef TRACES_STATS_H
#define TRACES_STATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What one PE did. The sums over PEs are the totals of the same names. */
#define TRACES_PE_COUNTS(COUNT)                                                          \
    COUNT(firings, "instructions executed")                                              \
    COUNT(dead_firings, "instructions that only passed a hiaton on")                     \
    COUNT(tokens, "tokens delivered to it")                                              \
    COUNT(local_tokens, "tokens that it sent to itself")                                 \
    COUNT(network_tokens, "tokens that it sent to others")                               \
    COUNT(busy, "busy function-unit cycles")                                             \
    COUNT(turns, "issue slots used: turns of tokens")                                    \
    COUNT(peak_queue, "most tokens in its input queue")

/* Of each PE, what follows from its counts `pe`, and from `stats` of the run: a part of its
 * units x cycles. RATIO(key, part, help) */
#define TRACES_PE_RATIOS(RATIO)                                                          \
    RATIO(occupancy, stats->has_workers ? pe->busy : pe->turns,                          \
          "issue slots used / (units x cycles)")                                         \
    RATIO(utilisation, pe->busy, "busy function-unit cycles / (units x cycles)")

struct traces_pe_stats {
#define COUNT(key, help) uint64_t key;
    TRACES_PE_COUNTS(COUNT)
#undef COUNT
};

/* A value per row of traces/stats.def; a ratio without meaning is NaN. */
struct traces_stats {
#define COUNT(key, unit, by, help) uint64_t key;
#define RATIO(key, unit, by, help) double key;
#define DIGEST(key, unit, by, help) uint64_t key;
#include "traces/stats.def"
#undef DIGEST
#undef RATIO
#undef COUNT
    struct traces_pe_stats *pe; /* owned; NULL if no machine ran */
    size_t pe_count;
    bool has_workers; /* in place of PEs: they have no issue slots, but are occupied */
    uint64_t waiting_cycles; /* sum over cycles of the tokens in matching stores */
    uint64_t one_operand;    /* live firings of instructions with one token operand */
    uint64_t unit_cycles;    /* units x cycles; 0 where units are unlimited */
    uint64_t busy_cycles;    /* of function units */
};

enum traces_stat_kind { TRACES_STAT_COUNT, TRACES_STAT_RATIO, TRACES_STAT_DIGEST };
enum traces_stat_by { TRACES_BY_RUN, TRACES_BY_BOTH };

struct traces_stat {
    const char *key;
    enum traces_stat_kind kind;
    const char *unit; /* "" where there is none */
    enum traces_stat_by by;
    size_t offset; /* of its uint64_t or double in struct traces_stats */
    const char *help;
};

extern const struct traces_stat traces_stat_table[];
extern const size_t traces_stat_count;

/* The row of the value that stands at an offset of struct traces_stats. */
const struct traces_stat *traces_stat_at(size_t offset);

uint64_t traces_stat_integer(const struct traces_stats *stats,
                             const struct traces_stat *stat);
double traces_stat_real(const struct traces_stats *stats, const struct traces_stat *stat);

void traces_stats_free(struct traces_stats *stats);

#endif

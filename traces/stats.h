/* Statistics of a run: counts, ratios and digests of traces/stats.def, and counts per PE and
 * link. */
#ifndef TRACES_STATS_H
#define TRACES_STATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "isa/op.h"

/* Counts of one PE. Their sums over all PEs are statistics of the same names. COUNT(name, help) */
#define TRACES_PE_SUMS(COUNT)                                                            \
    COUNT(firings, "instructions executed")                                              \
    COUNT(dead_firings, "instructions that only passed a hiaton on")                     \
    COUNT(tokens, "tokens delivered to it")                                              \
    COUNT(local_tokens, "tokens that it sent to itself")                                 \
    COUNT(network_tokens, "tokens that it sent to others")                               \
    COUNT(busy, "busy function-unit cycles")                                             \
    COUNT(turns, "issue slots used: turns of tokens")

/* All counts of one PE: TRACES_PE_SUMS, and peaks, which are reset at the start of a measured part
 * of a run. */
#define TRACES_PE_COUNTS(COUNT)                                                          \
    TRACES_PE_SUMS(COUNT)                                                                \
    COUNT(peak_queue, "most tokens in its input queue")

/* Ratios of one PE: `part` divided by its function units x cycles. `part` may use the counts `pe`
 * and the statistics `stats` of the run. RATIO(key, part, help) */
#define TRACES_PE_RATIOS(RATIO)                                                          \
    RATIO(occupancy, stats->has_workers ? pe->busy : pe->turns,                          \
          "issue slots used / (units x cycles)")                                         \
    RATIO(utilisation, pe->busy, "busy function-unit cycles / (units x cycles)")

struct traces_pe_stats {
#define COUNT(key, help) uint64_t key;
    TRACES_PE_COUNTS(COUNT)
#undef COUNT
};

/* Counts of one link or port of a network. The sums over links are the totals of the same names
 * with `link_` before them. COUNT(name, help)
 *   tokens   tokens that passed it
 *   busy     cycles in which it was occupied; counted when a token passes
 *   bits     size of these tokens; 0 if bandwidth is unlimited, as sizes are not computed then
 *   waits    cycles that tokens waited before it; counted as they wait in queues, and when they
 *            leave finite buffers */
#define TRACES_LINK_SUMS(COUNT)                                                          \
    COUNT(tokens, "tokens that went through")                                            \
    COUNT(busy, "cycles that it was occupied")                                           \
    COUNT(bits, "their size, where bandwidth is finite")                                 \
    COUNT(waits, "cycles that tokens waited before it, added up")

/* Ratios of one link: `part` divided by `whole`, which may use the counts `link` and the statistics
 * `stats` of the run. RATIO(key, part, whole, help) */
#define TRACES_LINK_RATIOS(RATIO)                                                        \
    RATIO(load, link->busy, stats->cycles, "busy / cycles; 1 is saturation")             \
    RATIO(mean_wait, link->waits, link->tokens, "waits / tokens")

struct traces_link_stats {
#define COUNT(key, help) uint64_t key;
    TRACES_LINK_SUMS(COUNT)
#undef COUNT
};

enum traces_port {
    TRACES_PORT_OUTPUT,
    TRACES_PORT_INPUT,
    TRACES_PORT_LINK, /* link between routers */
    TRACES_PORT_COUNT,
};
extern const char *const traces_port_names[TRACES_PORT_COUNT];

/* A link or port of the network, and its counts. */
struct traces_link {
    enum traces_port port;
    uint32_t number;   /* PE of the port, or number of the link */
    uint32_t from, to; /* ends: a PE or router; TRACES_NO_ROUTER in a crossbar */
    struct traces_link_stats stats;
};

#define TRACES_NO_ROUTER UINT32_MAX

/* Counts that are used only for ratios and energies. SUM(name)
 *   waiting_cycles    sum over cycles of the tokens in matching stores
 *   one_operand       live firings of instructions with one token operand
 *   unit_cycles       units x cycles; 0 if units are unlimited
 *   busy_cycles       busy cycles of function units
 *   pe_cycles         PEs, or workers, x cycles
 *   link_cycles       links and ports x cycles
 * and if work is counted (machine_count_work):
 *   matches           operands that waited in a matching store for their partner
 *   element_accesses  live FETCHes and STOREs */
#define TRACES_STATS_SUMS(SUM)                                                           \
    SUM(waiting_cycles)                                                                  \
    SUM(one_operand)                                                                     \
    SUM(unit_cycles)                                                                     \
    SUM(busy_cycles)                                                                     \
    SUM(pe_cycles)                                                                       \
    SUM(link_cycles)                                                                     \
    SUM(matches)                                                                         \
    SUM(element_accesses)

/* Scope of statistics: a whole run or a part of it. */
enum traces_covers {
    TRACES_COVERS_RUN,
    TRACES_COVERS_PART,
    /* A part that the run has not reached; all values are unknown. */
    TRACES_COVERS_NOTHING,
};

/* The statistics of a run: a member for each row of traces/stats.def. Undefined ratios are NaN. */
struct traces_stats {
#define COUNT(key, unit, by, part, help) uint64_t key;
#define RATIO(key, unit, by, part, help) double key;
#define DIGEST(key, unit, by, part, help) uint64_t key;
/* Owned: counts of each PE; NULL for the untimed interpreter. */
#define OWNER(path)
#include "traces/stats.def"
#undef OWNER
#undef DIGEST
#undef RATIO
#undef COUNT
    struct traces_pe_stats *pe;
    size_t pe_count;
    struct traces_link *links; /* owned: counts of each link; NULL if there are none */
    size_t link_count;
    bool has_workers; /* executor: `pe` has the counts of workers, without issue slots */
    enum traces_covers covers;
    bool counts_work; /* `matches`, `element_accesses` and `unit_firings` were counted */
    /* Live firings for each class of function unit. */
    uint64_t unit_firings[ISA_UNIT_COUNT];
#define SUM(name) uint64_t name;
    TRACES_STATS_SUMS(SUM)
#undef SUM
};

enum traces_stat_kind { TRACES_STAT_COUNT, TRACES_STAT_RATIO, TRACES_STAT_DIGEST };
enum traces_stat_by { TRACES_BY_RUN, TRACES_BY_BOTH };

/* Way to find the value of a statistic in a part of a run (traces/stats.def). */
enum traces_stat_part {
    TRACES_PART_SUM,
    TRACES_PART_PEAK,
    TRACES_PART_DERIVED,
    TRACES_PART_SAME,
    TRACES_PART_WHOLE,
};

struct traces_stat {
    const char *key;
    enum traces_stat_kind kind;
    const char *unit; /* "" if it has none */
    enum traces_stat_by by;
    enum traces_stat_part part;
    size_t offset; /* offset of the value in struct traces_stats */
    const char *help;
};

extern const struct traces_stat traces_stat_table[];
extern const size_t traces_stat_count;

/* Returns the statistic at an offset in struct traces_stats. */
const struct traces_stat *traces_stat_at(size_t offset);

uint64_t traces_stat_integer(const struct traces_stats *stats,
                             const struct traces_stat *stat);
double traces_stat_real(const struct traces_stats *stats, const struct traces_stat *stat);

/* Whether a statistic has a value: a ratio may be undefined, and some statistics have none in a
 * part of a run. */
bool traces_stat_is_known(const struct traces_stats *stats,
                          const struct traces_stat *stat);

/* Computes the statistics that follow from the counts of PEs but are not their sums. */
void traces_stats_count_pes(struct traces_stats *stats);

/* Computes the statistics that are sums over links. */
void traces_stats_count_links(struct traces_stats *stats);

/* Turns statistics at the end of a part of a run into those of the part. `before` are those at its
 * beginning, when peaks were reset. The caller then computes ratios (analysis/derive.h). */
void traces_stats_take_part(struct traces_stats *stats,
                            const struct traces_stats *before);

void traces_stats_free(struct traces_stats *stats);
void traces_stats_free_pes(struct traces_stats *stats);
void traces_stats_free_links(struct traces_stats *stats);

#endif

/* Statistics of a run: counts, ratios and digests of traces/stats.def, and counts per PE and
 * link. */
#ifndef TRACES_STATS_H
#define TRACES_STATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "isa/op.h"

/* COUNT(name, help): counts of one PE. Their sums over all PEs are the members of struct
 * traces_stats with the same names; the sum of `busy` is the member busy_cycles. */
#define TRACES_PE_SUMS(COUNT)                                                            \
    COUNT(firings, "instructions executed")                                              \
    COUNT(dead_firings, "instructions that only passed a hiaton on")                     \
    COUNT(tokens, "tokens delivered to it")                                              \
    COUNT(local_tokens, "tokens that it sent to itself")                                 \
    COUNT(network_tokens, "tokens that it sent to others")                               \
    COUNT(busy, "busy function-unit cycles")                                             \
    COUNT(turns, "issue slots used: turns of tokens")

/* COUNT(name, help): all counts of one PE, also peaks, which are reset when a measured part of a
 * run begins. */
#define TRACES_PE_COUNTS(COUNT)                                                          \
    TRACES_PE_SUMS(COUNT)                                                                \
    COUNT(peak_queue, "most tokens in its input queue behind its turns; no capacity")

/* RATIO(key, part, help): `part` divided by (function units of the PE x cycles), or for `occupancy`
 * by (tokens that it can take per cycle x cycles). `part` may use the PE's counts `pe` and the
 * run's statistics `stats`. */
#define TRACES_PE_RATIOS(RATIO)                                                          \
    RATIO(occupancy, stats->has_workers ? pe->busy : pe->turns,                          \
          "issue slots used / (units x cycles)")                                         \
    RATIO(utilisation, pe->busy, "busy function-unit cycles / (units x cycles)")

struct traces_pe_stats {
#define COUNT(key, help) uint64_t key;
    TRACES_PE_COUNTS(COUNT)
#undef COUNT
};

/* COUNT(name, help): counts of one link or port of a network. Their sums over all links, except of
 * `bits`, are the statistics link_tokens, link_busy and link_waits.
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

/* RATIO(key, part, whole, help): `part` divided by `whole`. Both may use the link's counts `link`
 * and the run's statistics `stats`. */
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

struct traces_link {
    enum traces_port port;
    uint32_t number;   /* index of the PE with the port, or of the router link */
    uint32_t from, to; /* PEs or routers at the ends; TRACES_NO_ROUTER in a crossbar */
    struct traces_link_stats stats;
};

#define TRACES_NO_ROUTER UINT32_MAX

/* Counts that are used only for ratios and energies. SUM(name)
 *   waiting_cycles    sum over cycles of the tokens in matching stores
 *   one_operand       live firings of instructions with one token operand
 *   unit_cycles       units x cycles; 0 if units are unlimited
 *   turn_cycles       tokens that PEs can take per cycle x cycles; 0 if that is unlimited
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
    SUM(turn_cycles)                                                                     \
    SUM(busy_cycles)                                                                     \
    SUM(pe_cycles)                                                                       \
    SUM(link_cycles)                                                                     \
    SUM(matches)                                                                         \
    SUM(element_accesses)

/* Extent of a run that statistics cover: the whole run, or a part of it. */
enum traces_covers {
    TRACES_COVERS_RUN,
    TRACES_COVERS_PART,
    /* Part that the run has not reached; all values are unknown. */
    TRACES_COVERS_NOTHING,
};

/* Statistics of a run: a member for each row of traces/stats.def. Undefined ratios are NaN. */
struct traces_stats {
#define COUNT(key, unit, by, part, help) uint64_t key;
#define RATIO(key, unit, by, part, help) double key;
#define DIGEST(key, unit, by, part, help) uint64_t key;
#include "traces/stats.def"
    /* Owned: counts of each PE; NULL after a run of the interpreter, which has no PEs. */
    struct traces_pe_stats *pe;
    size_t pe_count;
    /* Owned: issue slots of each PE of a machine with classes of PEs; NULL: PEs are alike. */
    uint64_t *pe_units;
    struct traces_link *links; /* owned: counts of each link; NULL: no links */
    size_t link_count;
    /* run of the executor: `pe` has counts of workers, without issue slots */
    bool has_workers;
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

/* Ways to compute a statistic of a part of a run (column "in a part" of traces/stats.def). */
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
    const char *unit; /* unit; "" if the statistic has none */
    enum traces_stat_by by;
    enum traces_stat_part part;
    size_t offset; /* offset of the value in struct traces_stats, in bytes */
    const char *help;
};

extern const struct traces_stat traces_stat_table[];
extern const size_t traces_stat_count;

const struct traces_stat *traces_stat_at(size_t offset);

uint64_t traces_stat_integer(const struct traces_stats *stats,
                             const struct traces_stat *stat);
double traces_stat_real(const struct traces_stats *stats, const struct traces_stat *stat);

/* Whether a statistic has a value. A ratio may be undefined, and some statistics have no value in a
 * part of a run. */
bool traces_stat_is_known(const struct traces_stats *stats,
                          const struct traces_stat *stat);

/* Computes the statistics that are made from the counts of PEs and are not sums: working_pes. */
void traces_stats_count_pes(struct traces_stats *stats);

/* Computes the statistics that are sums over links. */
void traces_stats_count_links(struct traces_stats *stats);

/* Turns statistics at the end of a part of a run into statistics of that part. `before`: statistics
 * at its beginning, when peaks were reset. The caller then computes ratios (analysis/derive.h). */
void traces_stats_take_part(struct traces_stats *stats,
                            const struct traces_stats *before);

void traces_stats_free(struct traces_stats *stats);
void traces_stats_free_pes(struct traces_stats *stats);
void traces_stats_free_links(struct traces_stats *stats);

#endif

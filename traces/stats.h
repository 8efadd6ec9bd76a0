/* Statistics: what a run leaves behind in numbers. */
#ifndef TRACES_STATS_H
#define TRACES_STATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "isa/op.h"

/* What one PE did. The sums over PEs are the totals of the same names. */
#define TRACES_PE_SUMS(COUNT)                                                            \
    COUNT(firings, "instructions executed")                                              \
    COUNT(dead_firings, "instructions that only passed a hiaton on")                     \
    COUNT(tokens, "tokens delivered to it")                                              \
    COUNT(local_tokens, "tokens that it sent to itself")                                 \
    COUNT(network_tokens, "tokens that it sent to others")                               \
    COUNT(busy, "busy function-unit cycles")                                             \
    COUNT(turns, "issue slots used: turns of tokens")

/* The same, and what is a peak, which starts anew in a part of a run. */
#define TRACES_PE_COUNTS(COUNT)                                                          \
    TRACES_PE_SUMS(COUNT)                                                                \
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

/* What went through one link, or port, of a network. The sums over links are the totals of the
 * same names with `link_` before them.
 *   tokens   that went through
 *   busy     cycles that they occupied it; all of a token count when it goes through
 *   bits     of these tokens; 0 where bandwidth is unlimited: nobody asks then how long tokens are
 *   waits    cycles that tokens waited before it: of queues so far, of finite buffers when they go on */
#define TRACES_LINK_SUMS(COUNT)                                                          \
    COUNT(tokens, "tokens that went through")                                            \
    COUNT(busy, "cycles that it was occupied")                                           \
    COUNT(bits, "their size, where bandwidth is finite")                                 \
    COUNT(waits, "cycles that tokens waited before it, added up")

/* Of each link, what follows from its counts `link`, and from `stats` of the run: RATIO(key, part,
 * whole, help) */
#define TRACES_LINK_RATIOS(RATIO)                                                        \
    RATIO(load, link->busy, stats->cycles, "busy / cycles; 1 is saturation")             \
    RATIO(mean_wait, link->waits, link->tokens, "waits / tokens")

struct traces_link_stats {
#define COUNT(key, help) uint64_t key;
    TRACES_LINK_SUMS(COUNT)
#undef COUNT
};

enum traces_port {
    TRACES_PORT_OUTPUT, /* of a PE */
    TRACES_PORT_INPUT,
    TRACES_PORT_LINK, /* between routers */
    TRACES_PORT_COUNT,
};
extern const char *const traces_port_names[TRACES_PORT_COUNT];

/* A link or port, and what went through it. */
struct traces_link {
    enum traces_port port;
    uint32_t number;   /* the PE of a port; of a link its number among them */
    uint32_t from, to; /* PE or router; TRACES_NO_ROUTER: a crossbar has none */
    struct traces_link_stats stats;
};

#define TRACES_NO_ROUTER UINT32_MAX

/* What is counted only for ratios and energies; of a part, what was counted in it. SUM(name)
 *   waiting_cycles    sum over cycles of the tokens in matching stores
 *   one_operand       live firings of instructions with one token operand
 *   unit_cycles       units x cycles; 0 where units are unlimited
 *   busy_cycles       of function units
 *   pe_cycles         PEs, or workers, x cycles
 *   link_cycles       links and ports x cycles
 * and where work is counted (machine_count_work):
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

/* Of what the statistics are. */
enum traces_covers {
    TRACES_COVERS_RUN,
    TRACES_COVERS_PART,
    TRACES_COVERS_NOTHING, /* of a part that the run has not reached: nothing is known */
};

/* A value per row of traces/stats.def; a ratio without meaning is NaN. */
struct traces_stats {
#define COUNT(key, unit, by, part, help) uint64_t key;
#define RATIO(key, unit, by, part, help) double key;
#define DIGEST(key, unit, by, part, help) uint64_t key;
#define OWNER(path)
#include "traces/stats.def"
#undef OWNER
#undef DIGEST
#undef RATIO
#undef COUNT
    struct traces_pe_stats *pe; /* owned; NULL if no machine ran */
    size_t pe_count;
    struct traces_link *links; /* owned; NULL if there are none */
    size_t link_count;
    bool has_workers; /* in place of PEs: they have no issue slots, but are occupied */
    enum traces_covers covers;
    bool counts_work;                      /* `matches`, `element_accesses` and: */
    uint64_t unit_firings[ISA_UNIT_COUNT]; /* live firings by class of function unit */
#define SUM(name) uint64_t name;
    TRACES_STATS_SUMS(SUM)
#undef SUM
};

enum traces_stat_kind { TRACES_STAT_COUNT, TRACES_STAT_RATIO, TRACES_STAT_DIGEST };
enum traces_stat_by { TRACES_BY_RUN, TRACES_BY_BOTH };

/* What it is of a part of a run: see traces/stats.def. */
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
    const char *unit; /* "" where there is none */
    enum traces_stat_by by;
    enum traces_stat_part part;
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

/* Whether there is a value: a ratio may have no meaning, and a part of a run has not all of
 * them. */
bool traces_stat_is_known(const struct traces_stats *stats,
                          const struct traces_stat *stat);

/* What follows from the rows of PEs: the totals that are no sums. */
void traces_stats_count_pes(struct traces_stats *stats);

/* The same of links: their sums. */
void traces_stats_count_links(struct traces_stats *stats);

/* Makes statistics that were measured at the end of a part of a run those of that part.
 * `before` was measured at its beginning, when peaks were started anew. Ratios are then to be
 * derived again (analysis/derive.h). */
void traces_stats_take_part(struct traces_stats *stats,
                            const struct traces_stats *before);

void traces_stats_free(struct traces_stats *stats);
void traces_stats_free_pes(struct traces_stats *stats);
void traces_stats_free_links(struct traces_stats *stats);

#endif

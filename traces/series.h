/* Series: a run over time, as rows that are `interval` cycles apart (doc/metrics.md).
 *
 * Cycles are counted from 0; what happens in cycle c happens between the times c and c+1.
 * A row at the time T holds what there is when T cycles are over, and what was counted in
 * the cycles since the row before. It is kept as the counts since the start of the run:
 * so rows are merged by leaving some out. */
#ifndef TRACES_SERIES_H
#define TRACES_SERIES_H

#include "lib/pack.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* SUM(key, unit, help): counted since the row before; `unit` is that of so many per cycle.
 * STATE(key, unit, help): what there is at the time of the row. */
#define TRACES_SERIES_COLUMNS(SUM, STATE)                                                \
    SUM(firings, "per cycle", "instructions executed")                                   \
    SUM(dead_firings, "per cycle", "instructions that only passed a hiaton on")          \
    SUM(busy, "units", "busy function-unit cycles")                                      \
    STATE(live_tokens, "tokens", "tokens alive: queued, on their way or waiting")        \
    STATE(waiting, "tokens", "tokens in matching stores")                                \
    STATE(tags, "activations", "activations alive")                                      \
    STATE(graph_nodes, "nodes", "nodes of the graph that runs, copies among them")       \
    SUM(link_busy, "links", "cycles that links and ports were occupied, added up")       \
    SUM(greatest_link_busy, "", "by how much the greatest of them grew: the busiest one")

struct traces_sample {
    uint64_t cycle; /* the time T */
#define COLUMN(key, unit, help) uint64_t key;
    TRACES_SERIES_COLUMNS(COLUMN, COLUMN)
#undef COLUMN
};

/* The columns, in their order. */
struct traces_series_column {
    const char *key, *unit;
    bool is_sum;
    size_t offset; /* of its uint64_t in struct traces_sample */
};
extern const struct traces_series_column traces_series_table[];

/* What there was of a column in each cycle of a row: so many per cycle of a SUM. `width`: cycles
 * since the row before. */
double traces_sample_value(const struct traces_sample *row,
                           const struct traces_series_column *column, uint64_t width);

/* Where the interval is chosen, it is the least power of two with fewer rows than this,
 * not counting the last one. */
enum { TRACES_SERIES_MAX = 1000 };

/* A given interval is doubled, again and again, where there would be this many rows: they
 * take 80 MiB. */
enum { TRACES_SERIES_BOUND = 1 << 20 };

/* Start with {0}, then traces_series_start.
 * Invariant: rows are at interval, 2*interval, ... and, after traces_series_end, one more
 * at the end of the run. */
struct traces_series {
    uint64_t interval;
    uint64_t given; /* the interval that was asked for; 0: it is chosen */
    uint64_t next;  /* the time of the next row; UINT64_MAX: there will be none */
    LIB_VEC(struct traces_sample) rows; /* owned; sums since the start of the run */
};

/* Whether rows are further apart than was asked for, as there would be too many. */
static inline bool traces_series_is_thinned(const struct traces_series *series)
{
    return series->given && series->interval != series->given;
}

/* `interval` 0: chosen so that a run of 500 cycles or more has 500 to 1000 rows. */
void traces_series_start(struct traces_series *series, uint64_t interval);
void traces_series_free(struct traces_series *series);

/* `now` holds counts since the start, and what there is, at the time now->cycle. Nothing
 * may have changed since the last time that was told. Makes the rows up to that time. To
 * be called when now->cycle >= series->next; also later, when cycles in which nothing
 * happened were skipped. */
void traces_series_take(struct traces_series *series, const struct traces_sample *now);

/* The run has ended at last->cycle, in this state: the last row. */
void traces_series_end(struct traces_series *series, const struct traces_sample *last);

/* Of one that has not ended. To be read, it was started with the same interval. */
void traces_series_pack(struct lib_pack *pack, struct traces_series *series);

/* The i-th row, its sums since the row before. */
struct traces_sample traces_series_row(const struct traces_series *series, size_t i);

#endif

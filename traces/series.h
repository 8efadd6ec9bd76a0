/* Series: a run over time, as rows that are `interval` cycles apart (doc/metrics.md).
 *
 * Cycles are counted from 0; cycle c lies between the times c and c+1. A row at time T has the
 * state after T cycles, and the counts of the cycles since the row before. Rows store counts since
 * the start of the run, so that rows are merged by removing some. */
#ifndef TRACES_SERIES_H
#define TRACES_SERIES_H

#include "lib/pack.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* SUM(key, unit, help): a count since the row before; `unit` is that of the count per cycle.
 * STATE(key, unit, help): a state at the time of the row. */
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
    uint64_t cycle; /* time T */
#define COLUMN(key, unit, help) uint64_t key;
    TRACES_SERIES_COLUMNS(COLUMN, COLUMN)
#undef COLUMN
};

/* A column; traces_series_table has all columns in order. */
struct traces_series_column {
    const char *key, *unit;
    bool is_sum;
    size_t offset; /* offset of its uint64_t in struct traces_sample */
};
extern const struct traces_series_column traces_series_table[];

/* Returns the value of a column in each cycle of a row: a SUM divided by `width`, the cycles since
 * the row before; or a STATE. */
double traces_sample_value(const struct traces_sample *row,
                           const struct traces_series_column *column, uint64_t width);

/* Number of rows at which an interval that is chosen here is doubled. So the interval is the least
 * power of two with fewer rows, not counting the last one. */
enum { TRACES_SERIES_MAX = 1000 };

/* Number of rows at which a given interval is doubled; such rows take 80 MiB. */
enum { TRACES_SERIES_BOUND = 1 << 20 };

/* Start with {0}, then traces_series_start. Invariant: rows are at the times interval, 2 *
 * interval, ... and, after traces_series_end, one more is at the end of the run. */
struct traces_series {
    uint64_t interval;
    uint64_t given; /* interval that was requested; 0: chosen here */
    uint64_t next;  /* time of the next row; UINT64_MAX if none follows */
    LIB_VEC(struct traces_sample) rows; /* owned; sums since the start of the run */
};

/* Whether the interval is longer than requested, because there would be too many rows. */
static inline bool traces_series_is_thinned(const struct traces_series *series)
{
    return series->given && series->interval != series->given;
}

/* Starts a series. If `interval` is 0, it is chosen so that a run of 500 cycles or more has 500 to
 * 1000 rows. */
void traces_series_start(struct traces_series *series, uint64_t interval);
void traces_series_free(struct traces_series *series);

/* Adds the rows up to the time now->cycle. `now` has the counts since the start and the state at
 * that time, neither of which may have changed since series->next. Called when now->cycle >=
 * series->next; later if cycles in which nothing happens were skipped. */
void traces_series_take(struct traces_series *series, const struct traces_sample *now);

/* Adds the last row, with the state at last->cycle, the end of the run. */
void traces_series_end(struct traces_series *series, const struct traces_sample *last);

/* Packs or reads a series that has not ended. To read, it must have been started with the same
 * interval. */
void traces_series_pack(struct lib_pack *pack, struct traces_series *series);

/* Returns the i-th row, with counts since the row before. */
struct traces_sample traces_series_row(const struct traces_series *series, size_t i);

#endif

/* Series: statistics of a run over time, a row every `interval` cycles (doc/metrics.md).
 *
 * Cycle c lies between times c and c+1. A row at time T has the state after T cycles, and the
 * counts of the cycles since the row before. Rows store counts since the start of the run, so rows
 * can simply be removed. */
#ifndef TRACES_SERIES_H
#define TRACES_SERIES_H

#include "lib/pack.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* SUM(key, unit, help): a count since the row before; `unit` is the unit of count per cycle.
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
    uint64_t cycle; /* time of the row */
#define COLUMN(key, unit, help) uint64_t key;
    TRACES_SERIES_COLUMNS(COLUMN, COLUMN)
#undef COLUMN
};

/* A column of a series; traces_series_table has all columns in order. */
struct traces_series_column {
    const char *key, *unit;
    bool is_sum;
    size_t offset; /* offset of the value in struct traces_sample */
};
extern const struct traces_series_column traces_series_table[];

/* Returns the value of a column per cycle: a SUM divided by `width`, the cycles since the row
 * before; or a STATE unchanged. */
double traces_sample_value(const struct traces_sample *row,
                           const struct traces_series_column *column, uint64_t width);

/* If no interval is given, it is doubled (starting from 1) when a series has this many rows, not
 * counting the last one. */
enum { TRACES_SERIES_MAX = 1000 };

/* A given interval is doubled when a series has this many rows, which take 80 MiB. */
enum { TRACES_SERIES_BOUND = 1 << 20 };

/* A series. Rows are at the times interval, 2 * interval, ... and, after traces_series_end, at the
 * end of the run. */
struct traces_series {
    uint64_t interval;
    uint64_t given; /* requested interval; 0: chosen automatically */
    uint64_t next;  /* time of the next row; UINT64_MAX if the series has ended */
    /* Owned; counts are those since the start of the run. */
    LIB_VEC(struct traces_sample) rows;
};

/* Whether the interval is longer than requested, to limit the number of rows. */
static inline bool traces_series_is_thinned(const struct traces_series *series)
{
    return series->given && series->interval != series->given;
}

/* Starts a series. If `interval` is 0, one is chosen that gives a run of 500 cycles or more 500 to
 * 1000 rows. */
void traces_series_start(struct traces_series *series, uint64_t interval);
void traces_series_free(struct traces_series *series);

/* Adds the rows up to time now->cycle, at least series->next; later if cycles in which nothing
 * happens were skipped. `now` has the counts since the start and the state, which must not have
 * changed since series->next. */
void traces_series_take(struct traces_series *series, const struct traces_sample *now);

/* Adds the last row: the state at the end of the run, at time last->cycle. */
void traces_series_end(struct traces_series *series, const struct traces_sample *last);

/* Packs or reads a series that has not ended. A series to read into must have been started with the
 * same interval. */
void traces_series_pack(struct lib_pack *pack, struct traces_series *series);

/* Returns row `i`, with the counts since the row before. */
struct traces_sample traces_series_row(const struct traces_series *series, size_t i);

#endif

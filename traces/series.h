/* Statistics of a run over time, with a row every `interval` cycles (doc/metrics.md).
 *
 * Cycle c lies between times c and c+1. The row of time T has the state after T cycles and the
 * counts since the row before. Rows store counts since the start of the run, so rows can be
 * removed. */
#ifndef TRACES_SERIES_H
#define TRACES_SERIES_H

#include "lib/pack.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Columns of a series. SUM(key, unit, help): a count since the row before; `unit` is the unit of
 * the count divided by cycles. STATE(key, unit, help): a state at the time of the row. */
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
    uint64_t cycle; /* time of the row, in cycles */
#define COLUMN(key, unit, help) uint64_t key;
    TRACES_SERIES_COLUMNS(COLUMN, COLUMN)
#undef COLUMN
};

struct traces_series_column {
    const char *key, *unit;
    bool is_sum;
    size_t offset; /* offset of the value in struct traces_sample, in bytes */
};
extern const struct traces_series_column traces_series_table[];

/* Returns the value of a column per cycle: a STATE as it is, a SUM divided by `width`, the cycles
 * since the row before. */
double traces_sample_value(const struct traces_sample *row,
                           const struct traces_series_column *column, uint64_t width);

/* Number of rows at which a series with an automatic interval is full: the interval, 1 cycle at
 * first, doubles and every second row is removed. The row at the end of the run does not count. */
enum { TRACES_SERIES_MAX = 1000 };

/* As TRACES_SERIES_MAX, for a series whose interval the user requested. The rows take 80 MiB. */
enum { TRACES_SERIES_BOUND = 1 << 20 };

/* Statistics over time. Rows are at times interval, 2 * interval, ... and, after traces_series_end,
 * at the end of the run. */
struct traces_series {
    uint64_t interval;
    /* interval in cycles that the user requested; 0: chosen automatically */
    uint64_t given;
    /* time of the next row, in cycles; UINT64_MAX if the series has ended */
    uint64_t next;
    /* Owned; rows with counts since the start of the run. */
    LIB_VEC(struct traces_sample) rows;
};

/* Whether the interval was doubled, because the requested one gave too many rows. */
static inline bool traces_series_is_thinned(const struct traces_series *series)
{
    return series->given && series->interval != series->given;
}

/* Starts a series with a row every `interval` cycles. 0: automatic, so that a run of 500 cycles or
 * more gets 500 to 1000 rows. */
void traces_series_start(struct traces_series *series, uint64_t interval);
void traces_series_free(struct traces_series *series);

/* Adds the rows up to time now->cycle, which is at least series->next. `now` has the counts since
 * the start of the run and the state; neither may have changed since series->next. */
void traces_series_take(struct traces_series *series, const struct traces_sample *now);

/* Adds the last row, at the end of the run (last->cycle). */
void traces_series_end(struct traces_series *series, const struct traces_sample *last);

/* Writes a series to a pack, or reads it into one started with the same interval (lib/pack.h). The
 * series must not have ended. */
void traces_series_pack(struct lib_pack *pack, struct traces_series *series);

/* Returns row `i` with the counts since the row before. */
struct traces_sample traces_series_row(const struct traces_series *series, size_t i);

#endif

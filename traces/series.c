#include "traces/series.h"

#include <assert.h>
#include <string.h>

const struct traces_series_column traces_series_table[] = {
#define ROW(key, unit, is_sum) {#key, unit, is_sum, offsetof(struct traces_sample, key)},
#define SUM(key, unit, help) ROW(key, unit, true)
#define STATE(key, unit, help) ROW(key, unit, false)
    TRACES_SERIES_COLUMNS(SUM, STATE)
#undef STATE
#undef SUM
#undef ROW
};

double traces_sample_value(const struct traces_sample *row,
                           const struct traces_series_column *column, uint64_t width)
{
    uint64_t value;
    memcpy(&value, (const char *)row + column->offset, sizeof value);
    return column->is_sum ? (double)value / (double)width : (double)value;
}

void traces_series_start(struct traces_series *series, uint64_t interval)
{
    *series = (struct traces_series){.given = interval};
    series->interval = series->next = interval ? interval : 1;
}

void traces_series_free(struct traces_series *series)
{
    LIB_VEC_FREE(&series->rows);
}

static void merge_rows(struct traces_series *series)
{
    assert(series->rows.count % 2 == 0); /* so the last row stays */
    series->rows.count /= 2;
    for (size_t i = 0; i < series->rows.count; i++)
        series->rows.items[i] = series->rows.items[2 * i + 1];
    series->interval *= 2;
}

static size_t most_rows(const struct traces_series *series)
{
    return series->given ? TRACES_SERIES_BOUND : TRACES_SERIES_MAX;
}

void traces_series_take(struct traces_series *series, const struct traces_sample *now)
{
    const size_t most = most_rows(series);
    while (series->next <= now->cycle && series->next != UINT64_MAX) {
        struct traces_sample *row = LIB_VEC_PUSH(&series->rows);
        *row = *now;
        row->cycle = series->next;
        if (series->rows.count == most)
            merge_rows(series);
        if (__builtin_add_overflow(series->next, series->interval, &series->next))
            series->next = UINT64_MAX;
    }
}

void traces_series_end(struct traces_series *series, const struct traces_sample *last)
{
    traces_series_take(series, last);
    size_t count = series->rows.count;
    /* If a run stops within a cycle, the last row may have that time already, but an older
     * state. */
    if (count > 0 && series->rows.items[count - 1].cycle == last->cycle)
        series->rows.items[count - 1] = *last;
    else
        *LIB_VEC_PUSH(&series->rows) = *last;
    series->next = UINT64_MAX;
}

void traces_series_pack(struct lib_pack *pack, struct traces_series *series)
{
    LIB_PACK(pack, series->interval, series->next);
    LIB_PACK_VEC(pack, &series->rows);
    if (!lib_pack_reads(pack))
        return;
    const bool goes_on = series->interval && series->next != UINT64_MAX;
    const bool fits = goes_on && series->rows.count < most_rows(series) &&
                      series->next % series->interval == 0 &&
                      series->next / series->interval == series->rows.count + 1;
    lib_pack_expect(pack, fits || (series->interval && series->next == UINT64_MAX));
}

struct traces_sample traces_series_row(const struct traces_series *series, size_t i)
{
    assert(i < series->rows.count);
    struct traces_sample row = series->rows.items[i];
    if (i == 0)
        return row;
    const struct traces_sample *before = &series->rows.items[i - 1];
#define SUM(key, unit, help) row.key -= before->key;
#define STATE(key, unit, help)
    TRACES_SERIES_COLUMNS(SUM, STATE)
#undef STATE
#undef SUM
    return row;
}

#include "analysis/figure/run_findings.h"

#include <string.h>

#include "traces/steps.h"

static size_t column_count(enum traces_detail detail)
{
    /* Without the column of the place. */
    return traces_detail_columns(detail)->list.count - 1;
}

size_t analysis_run_curve_count(void)
{
    return column_count(TRACES_DETAIL_PROFILE) + column_count(TRACES_DETAIL_SERIES);
}

struct analysis_run_curve analysis_run_curve(size_t i)
{
    const size_t profiles = column_count(TRACES_DETAIL_PROFILE);
    const bool is_profile = i < profiles;
    struct analysis_run_curve curve = {
        .detail = is_profile ? TRACES_DETAIL_PROFILE : TRACES_DETAIL_SERIES,
        .column = is_profile ? i : i - profiles,
    };
    const struct traces_column *column =
        &traces_detail_columns(curve.detail)->list.items[curve.column + 1];
    const bool is_ideal = is_profile && strcmp(column->name, "ideal") == 0;
    curve.name = column->name;
    curve.unit = is_ideal     ? "firings per depth"
                 : is_profile ? "firings per cycle"
                              : column->unit;
    curve.place = is_ideal ? "depth" : "cycle";
    return curve;
}

static const struct traces_histogram *histogram_of(const struct analysis_run_source *s,
                                                   const struct analysis_run_curve *curve)
{
    const struct traces_histogram *const histograms[] = {
#define HISTOGRAM(key, help) &s->profile->key,
        TRACES_PROFILE_HISTOGRAMS(HISTOGRAM)
#undef HISTOGRAM
    };
    return curve->detail == TRACES_DETAIL_PROFILE ? histograms[curve->column] : NULL;
}

static uint64_t length_of(const struct analysis_run_source *s,
                          const struct analysis_run_curve *curve)
{
    const struct traces_histogram *h = histogram_of(s, curve);
    return h ? h->length
           : s->series->rows.count
               ? s->series->rows.items[s->series->rows.count - 1].cycle
               : 0;
}

static uint64_t grain_of(const struct analysis_run_source *s,
                         const struct analysis_run_curve *curve)
{
    const struct traces_histogram *h = histogram_of(s, curve);
    return h ? UINT64_C(1) << h->shift : s->series->interval;
}

static void add_profile(const struct traces_histogram *h, struct traces_steps *steps)
{
    for (size_t i = 0; i < traces_histogram_ranges(h, TRACES_PROFILE_BINS); i++) {
        const struct traces_range range = traces_histogram_range(h, TRACES_PROFILE_BINS,
                                                                 i);
        traces_steps_add(steps, range.from, range.width, traces_range_mean(&range));
    }
}

static void add_series(const struct traces_series *series, size_t column,
                       struct traces_steps *steps)
{
    uint64_t before = 0;
    for (size_t i = 0; i < series->rows.count; i++) {
        const struct traces_sample row = traces_series_row(series, i);
        const uint64_t width = row.cycle - before;
        if (width > 0)
            traces_steps_add(
                steps, before, width,
                traces_sample_value(&row, &traces_series_table[column], width));
        before = row.cycle;
    }
}

static void add_table(const struct analysis_run_source *s,
                      const struct analysis_run_curve *curve, uint64_t width,
                      struct lib_findings *findings)
{
    struct lib_table *t = lib_findings_table(findings, curve->name, curve->unit);
    struct traces_steps steps;
    const uint64_t length = length_of(s, curve);
    traces_steps_start(&steps, length, width);
    if (curve->detail == TRACES_DETAIL_PROFILE)
        add_profile(histogram_of(s, curve), &steps);
    else
        add_series(s->series, curve->column, &steps);
    LIB_TABLE_COLUMNS(t, "cycle", "width", "mean");
    for (uint64_t i = 0, from = 0; i < steps.count; i++, from += width) {
        lib_table_count(t, from);
        lib_table_count(t, length - from < width ? length - from : width);
        lib_table_real(t, s->thin == ANALYSIS_THIN_MAX ? traces_steps_greatest(&steps, i)
                                                       : traces_steps_mean(&steps, i));
    }
    traces_steps_free(&steps);
}

uint64_t analysis_run_tell(const struct analysis_run_source *source, const size_t *curves,
                           size_t count, struct lib_findings *findings)
{
    uint64_t length = 0, widest = 1, finest = UINT64_MAX;
    for (size_t i = 0; i < count; i++) {
        const struct analysis_run_curve curve = analysis_run_curve(curves[i]);
        const uint64_t own = length_of(source, &curve), grain = grain_of(source, &curve);
        length = own > length ? own : length;
        widest = grain > widest ? grain : widest;
        finest = grain < finest ? grain : finest;
    }
    for (size_t i = 0; i < count; i++) {
        const struct analysis_run_curve curve = analysis_run_curve(curves[i]);
        add_table(source, &curve, traces_steps_width(length, widest), findings);
    }
    return finest;
}

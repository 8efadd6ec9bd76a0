#include "analysis/figure/run_chart.h"

#include <math.h>
#include <string.h>

#include "analysis/figure/words.h"
#include "traces/steps.h"

/* --- panels ----------------------------------------------------------------------------- */

static const enum traces_detail over_time[] = {TRACES_DETAIL_PROFILE,
                                               TRACES_DETAIL_SERIES};
enum { OVER_TIME = sizeof over_time / sizeof *over_time };

static const struct traces_column *column_of(const struct analysis_run_curve *curve)
{
    return &traces_detail_columns(curve->detail)->list.items[curve->column];
}

/* All that can be shown, by number. */
static bool curve_at(size_t i, struct analysis_run_curve *curve)
{
    for (size_t d = 0; d < OVER_TIME; d++) {
        size_t count = traces_detail_columns(over_time[d])->list.count - 1;
        *curve = (struct analysis_run_curve){over_time[d], i + 1};
        if (i < count)
            return true;
        i -= count;
    }
    return false;
}

static const char *name_at(size_t i, const void *context)
{
    struct analysis_run_curve curve;
    (void)context;
    return curve_at(i, &curve) ? column_of(&curve)->name : "";
}

static bool find_curve(const char *name, struct analysis_run_curve *curve,
                       struct lib_text *why)
{
    size_t count = 0;
    for (; curve_at(count, curve); count++)
        if (strcmp(column_of(curve)->name, name) == 0)
            return true;
    const char *nearest = lib_text_nearest(name, count, name_at, NULL);
    lib_text_printf(why, "there is no `%s` over time", name);
    if (nearest) {
        lib_text_printf(why, "; did you mean `%s`?", nearest);
        return false;
    }
    for (size_t i = 0; i < count; i++)
        lib_text_printf(why, "%s %s", i ? "," : "; there are", name_at(i, NULL));
    return false;
}

static bool has_curve(const struct analysis_run_panel *panel,
                      const struct analysis_run_curve *curve)
{
    bool has = false;
    for (size_t i = 0; i < panel->curves.count; i++)
        has |= column_of(&panel->curves.items[i]) == column_of(curve);
    return has;
}

bool analysis_run_panels_add(struct analysis_run_panels *panels, const char *names,
                             struct lib_text *why)
{
    struct analysis_run_panel *panel = LIB_VEC_PUSH(&panels->list);
    struct lib_text name = {0};
    bool good = true;
    *panel = (struct analysis_run_panel){0};
    for (const char *p = names; good; p++) {
        size_t length = strcspn(p, ",");
        struct analysis_run_curve curve;
        lib_text_clear(&name);
        lib_text_add(&name, p, length);
        good = find_curve(lib_text_get(&name), &curve, why);
        if (good && !has_curve(panel, &curve))
            *LIB_VEC_PUSH(&panel->curves) = curve;
        p += length;
        if (!*p)
            break;
    }
    lib_text_free(&name);
    return good;
}

void analysis_run_panels_default(struct analysis_run_panels *panels)
{
    static const char *const shown[] = {"ideal", "actual", "live_tokens,waiting", "tags"};
    struct lib_text why = {0};
    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++)
        analysis_run_panels_add(panels, shown[i], &why);
    lib_text_free(&why);
}

void analysis_run_panels_free(struct analysis_run_panels *panels)
{
    for (size_t i = 0; i < panels->list.count; i++)
        LIB_VEC_FREE(&panels->list.items[i].curves);
    LIB_VEC_FREE(&panels->list);
}

bool analysis_run_panels_show(const struct analysis_run_panels *panels,
                              enum traces_detail detail)
{
    for (size_t i = 0; i < panels->list.count; i++)
        for (size_t k = 0; k < panels->list.items[i].curves.count; k++)
            if (panels->list.items[i].curves.items[k].detail == detail)
                return true;
    return false;
}

/* --- what is drawn ---------------------------------------------------------------------- */

struct work {
    struct analysis_chart *chart;
    const struct analysis_run_panels *panels;
    enum analysis_thin thin;
    const struct traces_series *series;
    const struct traces_profile *profile;
};

static const struct traces_histogram *histogram_of(const struct work *w,
                                                   const struct analysis_run_curve *curve)
{
    const struct traces_histogram *const histograms[] = {
#define HISTOGRAM(key, help) &w->profile->key,
        TRACES_PROFILE_HISTOGRAMS(HISTOGRAM)
#undef HISTOGRAM
    };
    return histograms[curve->column - 1];
}

/* Return the length of a curve, in cycles or depths, and the distance between its values. */
static uint64_t length_of(const struct work *w, const struct analysis_run_curve *curve)
{
    const struct traces_series *s = w->series;
    if (curve->detail == TRACES_DETAIL_PROFILE)
        return histogram_of(w, curve)->length;
    return s->rows.count ? s->rows.items[s->rows.count - 1].cycle : 0;
}

static uint64_t grain_of(const struct work *w, const struct analysis_run_curve *curve)
{
    return curve->detail == TRACES_DETAIL_PROFILE
               ? UINT64_C(1) << histogram_of(w, curve)->shift
               : w->series->interval;
}

static void add_values(const struct work *w, const struct analysis_run_curve *curve,
                       struct traces_steps *steps)
{
    if (curve->detail == TRACES_DETAIL_PROFILE) {
        const struct traces_histogram *h = histogram_of(w, curve);
        for (size_t i = 0; i < traces_histogram_ranges(h, TRACES_PROFILE_BINS); i++) {
            const struct traces_range range = traces_histogram_range(
                h, TRACES_PROFILE_BINS, i);
            traces_steps_add(steps, range.from, range.width, traces_range_mean(&range));
        }
        return;
    }
    uint64_t before = 0;
    for (size_t i = 0; i < w->series->rows.count; i++) {
        const struct traces_sample row = traces_series_row(w->series, i);
        if (row.cycle > before)
            traces_steps_add(steps, before, row.cycle - before,
                             traces_sample_value(&row,
                                                 &traces_series_table[curve->column - 1],
                                                 row.cycle - before));
        before = row.cycle;
    }
}

/* Adds a curve, which falls to 0 at its end. */
static void add_curve(const struct work *w, size_t panel, size_t index, uint64_t width)
{
    const struct analysis_run_curve *curve =
        &w->panels->list.items[panel].curves.items[index];
    struct traces_steps steps;
    struct analysis_point point = {.low = NAN, .high = NAN, .runs = 1};
    uint64_t length = length_of(w, curve);
    traces_steps_start(&steps, length, width);
    add_values(w, curve, &steps);
    for (size_t i = 0; i < steps.count; i++) {
        point.x = (double)(i * width);
        point.y = w->thin == ANALYSIS_THIN_MAX ? traces_steps_greatest(&steps, i)
                                               : traces_steps_mean(&steps, i);
        analysis_chart_add(w->chart, panel, index, &point);
    }
    point.x = (double)length;
    point.y = 0;
    analysis_chart_add(w->chart, panel, index, &point);
    traces_steps_free(&steps);
}

/* --- words ------------------------------------------------------------------------------ */

static bool is_ideal(const struct analysis_run_curve *curve)
{
    return curve->detail == TRACES_DETAIL_PROFILE &&
           strcmp(column_of(curve)->name, "ideal") == 0;
}

static const char *unit_of(const struct analysis_run_curve *curve)
{
    return is_ideal(curve)                          ? "firings per depth"
           : curve->detail == TRACES_DETAIL_PROFILE ? "firings per cycle"
                                                    : column_of(curve)->unit;
}

static const char *words_of(const struct work *w, const struct traces_column *column)
{
    char *words = lib_arena_copy(w->chart->arena, column->name, strlen(column->name));
    for (char *p = words; *p; p++)
        *p = *p == '_' ? ' ' : *p;
    return words;
}

/* Returns the unit of all curves of a panel, or NULL if they have different units. */
static const char *unit_of_panel(const struct analysis_run_panel *panel)
{
    const char *unit = unit_of(&panel->curves.items[0]);
    bool same = true, profiles = true;
    for (size_t i = 0; i < panel->curves.count; i++) {
        same &= strcmp(unit_of(&panel->curves.items[i]), unit) == 0;
        profiles &= panel->curves.items[i].detail == TRACES_DETAIL_PROFILE;
    }
    return same ? unit : profiles ? "firings per cycle or depth" : NULL;
}

/* "tags [activations]"; "live tokens", which says its unit. */
static const char *with_unit(const struct work *w, const struct analysis_run_curve *curve)
{
    const char *words = words_of(w, column_of(curve)), *unit = unit_of(curve);
    return analysis_words_say(words, unit)
               ? words
               : lib_arena_printf(w->chart->arena, "%s [%s]", words, unit);
}

/* Returns the label of the axis of values: the name of a single curve, the common unit of several
 * curves, or "" for different units, which are then in the names of the curves. */
static const char *value_label(const struct work *w,
                               const struct analysis_run_panel *panel)
{
    const struct analysis_run_curve *first = &panel->curves.items[0];
    const char *unit = unit_of_panel(panel);
    if (panel->curves.count > 1)
        return unit ? unit : "";
    if (first->detail == TRACES_DETAIL_PROFILE)
        return lib_arena_printf(w->chart->arena, "%s %s", column_of(first)->name,
                                unit_of(first));
    return with_unit(w, first);
}

static const char *place_label(const struct analysis_run_panel *panel)
{
    size_t ideal = 0;
    for (size_t i = 0; i < panel->curves.count; i++)
        ideal += is_ideal(&panel->curves.items[i]);
    return ideal == 0                     ? "cycle"
           : ideal == panel->curves.count ? "depth"
                                          : "cycle (ideal: depth)";
}

/* --- all -------------------------------------------------------------------------------- */

static void name_curves(const struct work *w, size_t i)
{
    const struct analysis_run_panel *panel = &w->panels->list.items[i];
    const char **names = LIB_ARENA_ARRAY(w->chart->arena, const char *,
                                         panel->curves.count + 1);
    for (size_t k = 0; k < panel->curves.count; k++)
        names[k] = unit_of_panel(panel) ? words_of(w, column_of(&panel->curves.items[k]))
                                        : with_unit(w, &panel->curves.items[k]);
    w->chart->panels[i].curve_names = names;
    w->chart->panels[i].curve_count = panel->curves.count;
}

static void make_panel(const struct work *w, size_t i)
{
    const struct analysis_run_panel *panel = &w->panels->list.items[i];
    struct analysis_panel *drawn = &w->chart->panels[i];
    uint64_t length = 0, widest = 1, finest = UINT64_MAX;
    for (size_t k = 0; k < panel->curves.count; k++) {
        const struct analysis_run_curve *curve = &panel->curves.items[k];
        length = length_of(w, curve) > length ? length_of(w, curve) : length;
        widest = grain_of(w, curve) > widest ? grain_of(w, curve) : widest;
        finest = grain_of(w, curve) < finest ? grain_of(w, curve) : finest;
    }
    uint64_t width = traces_steps_width(length, widest);
    drawn->x_label = place_label(panel);
    drawn->x_note = analysis_chart_steps_note(w->chart->arena, width, finest, w->thin);
    drawn->y_label = value_label(w, panel);
    for (size_t k = 0; k < panel->curves.count; k++)
        add_curve(w, i, k, width);
    name_curves(w, i);
}

void analysis_run_chart(struct analysis_chart *chart,
                        const struct analysis_run_panels *panels, enum analysis_thin thin,
                        const struct traces_series *series,
                        const struct traces_profile *profile)
{
    size_t most = 0;
    struct work w = {.chart = chart,
                     .panels = panels,
                     .thin = thin,
                     .series = series,
                     .profile = profile};
    for (size_t i = 0; i < panels->list.count; i++)
        if (panels->list.items[i].curves.count > most)
            most = panels->list.items[i].curves.count;
    analysis_chart_start(chart, panels->list.count, most);
    chart->kind = ANALYSIS_FIGURE_STEPS;
    chart->axes = ANALYSIS_AXES_OWN;
    chart->has_own_x = true;
    for (size_t i = 0; i < panels->list.count; i++)
        make_panel(&w, i);
}

#include "analysis/figure/found_chart.h"

#include "analysis/figure/marks.h"
#include "analysis/figure/words.h"

#include <math.h>
#include <string.h>

enum { MAX_STEPS = 512, MAX_PLACES = 128 };

/* --- kinds of charts ---------------------------------------------------------------------- */

enum kind { STEPS_OF, CLASSES_OF, LINE_OF, MATRIX_OF, TIMES_OF, PARTS_OF };

struct shown {
    enum kind kind;
    size_t analysis;
    const char *table;
    const char *x, *y, *z; /* names of columns; for PARTS_OF, y is the first */
    const char *x_label, *y_label, *z_label;
    bool has_units; /* of TIMES_OF: as many units as a PE has; else one */
};

static const struct shown table[ANALYSIS_FOUND_COUNT] = {
#define STEPS(name, analysis, table, x, y, x_label, y_label, help)                       \
    {STEPS_OF, ANALYSIS_STREAM_##analysis, #table, #x, #y, NULL, x_label, y_label, NULL, \
     false},
#define CLASSES(name, analysis, table, x, y, x_label, y_label, help)                     \
    {                                                                                    \
        CLASSES_OF, ANALYSIS_STREAM_##analysis,                                          \
        #table,     #x,                                                                  \
        #y,         NULL,                                                                \
        x_label,    y_label,                                                             \
        NULL,       false},
#define LINE(name, analysis, table, x, y, x_label, y_label, help)                        \
    {LINE_OF, ANALYSIS_STREAM_##analysis, #table, #x, #y, NULL, x_label, y_label, NULL,  \
     false},
#define MATRIX(name, analysis, table, x, y, z, x_label, y_label, z_label, help)          \
    {                                                                                    \
        MATRIX_OF, ANALYSIS_STREAM_##analysis,                                           \
        #table,    #x,                                                                   \
        #y,        #z,                                                                   \
        x_label,   y_label,                                                              \
        z_label,   false},
#define TIMES(name, analysis, table, of, z, units, z_label, help)                        \
    {TIMES_OF, ANALYSIS_STREAM_##analysis,                                               \
     #table,   "cycle",                                                                  \
     #of,      #z,                                                                       \
     "cycle",  "PE",                                                                     \
     z_label,  units},
#define PARTS(name, analysis, table, x, first, x_label, y_label, help)                   \
    {PARTS_OF, ANALYSIS_STREAM_##analysis,                                               \
     #table,   #x,                                                                       \
     #first,   NULL,                                                                     \
     x_label,  y_label,                                                                  \
     NULL,     false},
#include "analysis/figure/found.def"
};

/* --- cells ------------------------------------------------------------------------------ */

struct work {
    struct analysis_chart *chart;
    const struct analysis_found_panels *panels;
    const struct analysis_stream_run *run;
    const struct analysis_found_source *source;
};

struct found {
    struct lib_findings findings; /* owned */
    const struct lib_table *table;
    size_t rows;
};

static void set_table(struct found *found, const char *key)
{
    static const struct lib_table nothing;
    const struct lib_table *t = lib_findings_find(&found->findings, key);
    found->table = t ? t : &nothing;
    found->rows = lib_table_rows(found->table);
}

static void open_findings(const struct work *w, const struct shown *shown, size_t most,
                          struct found *found)
{
    lib_findings_start(&found->findings, shown->table, false);
    found->findings.most = most;
    if (shown->analysis == ANALYSIS_STREAM_causes)
        w->source->tell_causes(w->source->context, &found->findings);
    else
        analysis_streams_tell(w->source->streams, shown->analysis, &found->findings);
    set_table(found, shown->table);
}

static size_t column_of(const struct found *found, const char *key)
{
    size_t i = 0;
    while (i < found->table->columns.count &&
           strcmp(found->table->columns.items[i].key, key) != 0)
        i++;
    return i;
}

static double number(const struct found *found, size_t row, size_t column)
{
    if (column == found->table->columns.count)
        return 1;
    return lib_value_number(
        &found->table->cells.items[row * found->table->columns.count + column]);
}

static void add_point(const struct work *w, size_t panel, size_t curve, double x,
                      double y, double z)
{
    const struct analysis_point point = {
        .x = x, .y = y, .z = z, .low = NAN, .high = NAN, .runs = 1};
    analysis_chart_add(w->chart, panel, curve, &point);
}

static size_t places_in(const struct found *found, size_t column)
{
    double most = -1;
    for (size_t i = 0; i < found->rows; i++)
        most = fmax(most, number(found, i, column));
    return (size_t)(most + 1);
}

static void set_places(const struct work *w, struct analysis_axis *axis, size_t count,
                       double width)
{
    const char **names = LIB_ARENA_ARRAY(w->chart->arena, const char *, count + 1);
    for (size_t i = 0; i < count; i++)
        names[i] = lib_arena_printf(w->chart->arena, "%zu", i);
    axis->places = names;
    axis->place_count = count;
    axis->has_numbers = true;
    axis->is_count = width == 0;
    axis->place_width = width;
}

/* Returns "cycle", or the label of the time since the start of a window. */
static const char *time_label(const struct work *w, const char *label)
{
    return w->run->from && strcmp(label, "cycle") == 0
               ? lib_arena_printf(w->chart->arena, "cycle, after %llu",
                                  (unsigned long long)w->run->from)
               : label;
}

/* --- steps ------------------------------------------------------------------------------ */

struct step_curve {
    const char *name, *unit, *place; /* place: label of the x axis */
    const char *table, *x, *y;
};

static struct step_curve curve_of(const struct work *w, size_t shown)
{
    if (w->panels->is_over_time) {
        const struct analysis_run_curve c = analysis_run_curve(shown);
        return (struct step_curve){c.name, c.unit, c.place, c.name, "cycle", "mean"};
    }
    const struct shown *s = &table[shown];
    return (struct step_curve){
        analysis_found_names[shown], s->y_label, s->x_label, s->table, s->x, s->y};
}

/* Adds a curve that falls to 0 where the run ends. Returns the width of its widest step. */
static double add_steps(const struct work *w, size_t panel, size_t curve,
                        const struct step_curve *of, const struct found *found)
{
    const size_t x = column_of(found, of->x), y = column_of(found, of->y);
    const size_t width = column_of(found, "width");
    double step = 1, end = 0;
    for (size_t i = 0; i < found->rows; i++) {
        add_point(w, panel, curve, number(found, i, x), number(found, i, y), 0);
        step = fmax(step, number(found, i, width));
        end = number(found, i, x) + number(found, i, width);
    }
    if (w->run->to == UINT64_MAX)
        add_point(w, panel, curve, end, 0, 0);
    return step;
}

static const char *add_curves(const struct work *w, size_t p)
{
    const struct analysis_found_panel *panel = &w->panels->list.items[p];
    const bool is_over_time = w->panels->is_over_time;
    struct found found = {0};
    double step = 1;
    uint64_t finest = 1;
    if (is_over_time) {
        lib_findings_start(&found.findings, NULL, false);
        finest = analysis_run_tell(&w->source->over_time, panel->shown.items,
                                   panel->shown.count, &found.findings);
    }
    for (size_t i = 0; i < panel->shown.count; i++) {
        const struct step_curve curve = curve_of(w, panel->shown.items[i]);
        if (is_over_time)
            set_table(&found, curve.table);
        else
            open_findings(w, &table[panel->shown.items[i]], MAX_STEPS, &found);
        step = fmax(step, add_steps(w, p, i, &curve, &found));
        if (!is_over_time)
            lib_findings_free(&found.findings);
    }
    if (is_over_time)
        lib_findings_free(&found.findings);
    return analysis_chart_steps_note(w->chart->arena, (uint64_t)step, finest,
                                     w->source->over_time.thin);
}

static bool is_profile(const struct step_curve *curve)
{
    return strncmp(curve->unit, "firings per ", strlen("firings per ")) == 0;
}

static const char *with_unit(const struct work *w, const struct step_curve *curve)
{
    const char *words = analysis_words_of_key(w->chart->arena, curve->name);
    return analysis_words_say(words, curve->unit)
               ? words
               : lib_arena_printf(w->chart->arena, "%s [%s]", words, curve->unit);
}

/* Names a panel and its curves. The axis has the name of a single curve, or the common unit of
 * several; else their names have units. */
static void name_curves(const struct work *w, size_t p)
{
    const struct analysis_found_panel *panel = &w->panels->list.items[p];
    struct analysis_panel *drawn = &w->chart->panels[p];
    const size_t count = panel->shown.count;
    const struct step_curve first = curve_of(w, panel->shown.items[0]);
    const char **names = LIB_ARENA_ARRAY(w->chart->arena, const char *, count + 1);
    const char *unit = first.unit, *place = first.place;
    bool are_profiles = true;
    for (size_t i = 0; i < count; i++) {
        const struct step_curve curve = curve_of(w, panel->shown.items[i]);
        unit = unit && strcmp(curve.unit, unit) == 0 ? unit : NULL;
        are_profiles &= is_profile(&curve);
        place = strcmp(curve.place, place) == 0 ? place : "cycle (ideal: depth)";
    }
    unit = unit ? unit : are_profiles ? "firings per cycle or depth" : NULL;
    for (size_t i = 0; i < count; i++) {
        const struct step_curve curve = curve_of(w, panel->shown.items[i]);
        names[i] = unit ? analysis_words_of_key(w->chart->arena, curve.name)
                        : with_unit(w, &curve);
    }
    drawn->x_label = place;
    drawn->y_label = count > 1      ? unit ? unit : ""
                     : are_profiles ? lib_arena_printf(w->chart->arena, "%s %s",
                                                       first.name, first.unit)
                                    : with_unit(w, &first);
    drawn->curve_names = names;
    drawn->curve_count = count;
}

static void make_all_steps(struct work *w)
{
    w->chart->kind = ANALYSIS_FIGURE_STEPS;
    w->chart->axes = ANALYSIS_AXES_OWN;
    w->chart->has_own_x = true;
    if (w->run->from)
        w->chart->x.range.least = (double)w->run->from;
    for (size_t p = 0; p < w->panels->list.count; p++) {
        name_curves(w, p);
        w->chart->panels[p].x_note = add_curves(w, p);
    }
}

/* Curves of classes: rows of the same time are adjacent, one for each class. */
static void make_classes(const struct work *w, const struct shown *shown,
                         const struct found *found, size_t classes)
{
    const size_t x = column_of(found, shown->x), y = column_of(found, shown->y);
    const size_t width = column_of(found, "width"), class = column_of(found, "class");
    const char **names = LIB_ARENA_ARRAY(w->chart->arena, const char *, classes + 1);
    struct analysis_panel *drawn = &w->chart->panels[0];
    double step = 1;
    w->chart->kind = ANALYSIS_FIGURE_STEPS;
    w->chart->axes = ANALYSIS_AXES_OWN;
    w->chart->has_own_x = true;
    if (w->run->from)
        w->chart->x.range.least = (double)w->run->from;
    for (size_t i = 0; i < found->rows; i++) {
        const struct lib_value *name =
            &found->table->cells.items[i * found->table->columns.count + class];
        names[i % classes] = name->kind == LIB_VALUE_WORD
                                 ? lib_arena_printf(w->chart->arena, "%s", name->word)
                                 : "other PEs";
        add_point(w, 0, i % classes, number(found, i, x), number(found, i, y), 0);
        step = fmax(step, number(found, i, width));
    }
    for (size_t i = found->rows - classes; i < found->rows; i++)
        add_point(w, 0, i % classes, number(found, i, x) + number(found, i, width), 0, 0);
    drawn->curve_names = names;
    drawn->curve_count = classes;
    drawn->x_label = shown->x_label;
    drawn->y_label = shown->y_label;
    drawn->x_note = analysis_chart_steps_note(w->chart->arena, (uint64_t)step, 1,
                                              w->source->over_time.thin);
}

/* --- the others ------------------------------------------------------------------------- */

static void make_line(const struct work *w, const struct shown *shown,
                      const struct found *found)
{
    const size_t x = column_of(found, shown->x), y = column_of(found, shown->y);
    static const char *const names[] = {"speedup"};
    w->chart->kind = ANALYSIS_FIGURE_LINES;
    w->chart->x.scale = w->chart->y.scale = ANALYSIS_SCALE_LOG2;
    w->chart->curve_names = names;
    for (size_t i = 0; i < found->rows; i++)
        add_point(w, 0, 0, number(found, i, x), number(found, i, y), 0);
}

/* In cm: the width of a page, the height of a square on it, and the height of a row. */
static const double PAGE = 17.5, SQUARE = 14.5, ROW = 0.12;
enum { MAX_ROWS = 32, MAX_BARS = 64 };

static void set_size(struct analysis_chart *chart, double height)
{
    if (chart->curve_count <= MAX_ROWS)
        return;
    chart->width = PAGE;
    chart->height = fmin(height, SQUARE);
}

/* Makes a heat map of tokens between PEs. Those that stay at their PE would hide the others, and
 * are omitted. Joins neighbouring PEs if there are too many. */
static void make_matrix(const struct work *w, const struct shown *shown,
                        const struct found *found, size_t places, size_t group)
{
    const size_t x = column_of(found, shown->x), y = column_of(found, shown->y);
    const size_t z = column_of(found, shown->z);
    set_places(w, &w->chart->x, places, group > 1 ? (double)group : 0);
    set_places(w, &w->chart->y, places, group > 1 ? (double)group : 0);
    if (group > 1)
        w->chart->x.note = lib_arena_printf(w->chart->arena, ", in groups of %zu", group);
    set_size(w->chart, SQUARE);
    double *sums = lib_mem_new((places * places + 1) * sizeof *sums);
    for (size_t i = 0; i < found->rows; i++)
        if (number(found, i, x) != number(found, i, y))
            sums[(size_t)number(found, i, y) / group * places +
                 (size_t)number(found, i, x) / group] += number(found, i, z);
    for (size_t i = 0; i < places * places; i++)
        if (group > 1 || i % places != i / places)
            add_point(w, 0, i / places, (double)(i % places), (double)(i / places),
                      sums[i]);
    lib_mem_free(sums);
}

/* Makes a heat map over time. Rows of the same time are adjacent, in the order of places. */
static void make_times(const struct work *w, const struct shown *shown,
                       const struct found *found, size_t places)
{
    const size_t z = column_of(found, shown->z), width = column_of(found, "width");
    const double step = found->rows ? number(found, 0, width) : 1;
    const size_t times = found->rows / (places ? places : 1);
    set_places(w, &w->chart->x, times, step);
    set_size(w->chart, ROW * (double)places);
    for (size_t i = 0; i < times * places; i++) {
        const uint64_t limit = shown->has_units
                                   ? traces_machine_units(&w->run->machine,
                                                          (uint32_t)(i % places))
                                   : 1;
        const double units = limit ? (double)limit : 1;
        add_point(w, 0, i % places, (double)(i / places), (double)(i % places),
                  number(found, i, z) / (units * number(found, i, width)));
    }
}

/* Names network ports "out 3" and "in 3", links between routers "link 3", and tracks of devices
 * "compute 3". `key`: column of the words. */
static void name_ports(const struct work *w, const struct found *found, const char *key,
                       size_t places)
{
    const size_t port = column_of(found, key), pe = column_of(found, "number");
    const char **names = LIB_ARENA_ARRAY(w->chart->arena, const char *, places + 1);
    for (size_t i = 0; i < places; i++) {
        const char *word =
            found->table->cells.items[i * found->table->columns.count + port].word;
        names[i] = lib_arena_printf(w->chart->arena, "%s %.0f",
                                    *word == 'o'   ? "out"
                                    : *word == 'i' ? "in"
                                                   : word,
                                    number(found, i, pe));
    }
    w->chart->y.places = names;
    w->chart->y.is_count = w->chart->y.has_numbers = false;
    w->chart->y.label = key;
}

struct parts {
    struct part {
        size_t column;
        double sum;
        bool is_shown; /* else part of the rest */
    } * items;         /* owned, in the order of columns */
    size_t count, curves;
};

static struct part *least_shown(const struct parts *parts)
{
    struct part *least = NULL;
    for (size_t i = 0; i < parts->count; i++) {
        struct part *p = &parts->items[i];
        if (p->is_shown && (!least || p->sum < least->sum))
            least = p;
    }
    return least;
}

/* Finds the columns that are not 0 everywhere. If there are more than colours, joins the
 * smallest. */
static struct parts find_parts(const struct found *found, size_t first)
{
    const size_t columns = found->table->columns.count;
    struct parts parts = {.items = lib_mem_new((columns + 1) * sizeof *parts.items)};
    for (size_t c = first; c < columns; c++) {
        struct part *p = &parts.items[parts.count];
        *p = (struct part){.column = c, .is_shown = true};
        for (size_t i = 0; i < found->rows; i++)
            p->sum += number(found, i, c);
        parts.count += p->sum > 0;
    }
    parts.curves = parts.count;
    if (parts.count <= ANALYSIS_MARKS_COLOURS)
        return parts;
    for (parts.curves++; parts.curves > ANALYSIS_MARKS_COLOURS; parts.curves--)
        least_shown(&parts)->is_shown = false;
    return parts;
}

static void make_parts(const struct work *w, const struct found *found,
                       const struct parts *parts)
{
    const size_t width = column_of(found, "width"), last = parts->curves - 1;
    const bool is_time = width < found->table->columns.count;
    const char **names = LIB_ARENA_ARRAY(w->chart->arena, const char *,
                                         parts->curves + 1);
    const char **plain = LIB_ARENA_ARRAY(w->chart->arena, const char *,
                                         parts->curves + 1);
    double *rest = lib_mem_new((found->rows + 1) * sizeof *rest);
    size_t curve = 0;
    set_places(w, &w->chart->x, found->rows,
               is_time && found->rows ? number(found, 0, width) : 0);
    w->chart->kind = ANALYSIS_FIGURE_STACKED;
    w->chart->width = !is_time && found->rows > MAX_BARS ? PAGE : 0;
    for (size_t c = 0; c < parts->count; c++) {
        const struct part *p = &parts->items[c];
        for (size_t i = 0; i < found->rows; i++)
            if (p->is_shown)
                add_point(w, 0, curve, (double)i, number(found, i, p->column), 0);
            else
                rest[i] += number(found, i, p->column);
        if (p->is_shown) {
            const char *key = found->table->columns.items[p->column].key;
            plain[curve] = analysis_words_plain(w->chart->arena, key);
            names[curve++] = analysis_words_of_key(w->chart->arena, key);
        }
    }
    for (size_t i = 0; curve < parts->curves && i < found->rows; i++)
        add_point(w, 0, last, (double)i, rest[i], 0);
    if (curve < parts->curves)
        names[last] = plain[last] = "other";
    lib_mem_free(rest);
    w->chart->curve_names = names;
    w->chart->data_names = plain;
    analysis_chart_stack(w->chart);
}

static void start_alone(struct work *w, const struct shown *shown, size_t curves)
{
    analysis_chart_start(w->chart, 1, curves);
    w->chart->kind = ANALYSIS_FIGURE_HEAT;
    w->chart->panels[0].title = "";
    w->chart->x.label = time_label(w, shown->x_label);
    w->chart->y.label = shown->y_label;
    w->chart->z.label = shown->z_label ? shown->z_label : "";
    w->chart->curve_names = LIB_ARENA_ARRAY(w->chart->arena, const char *, curves + 1);
    for (size_t i = 0; i < curves; i++)
        ((const char **)w->chart->curve_names)[i] = "";
}

/* Returns the number of the first rows that have the same value in a column. */
static size_t count_first(const struct found *found, size_t column)
{
    size_t count = 0;
    while (count < found->rows &&
           number(found, count, column) == number(found, 0, column))
        count++;
    return count;
}

static void make_alone(struct work *w, const struct shown *shown)
{
    struct found found;
    open_findings(w, shown, MAX_PLACES, &found);
    struct parts parts;
    size_t count, group;
    switch (shown->kind) {
    case LINE_OF:
        start_alone(w, shown, 1);
        make_line(w, shown, &found);
        break;
    case CLASSES_OF:
        count = count_first(&found, column_of(&found, shown->x));
        start_alone(w, shown, count);
        make_classes(w, shown, &found, count);
        break;
    case MATRIX_OF:
        count = places_in(&found, column_of(&found, shown->x));
        if (count < places_in(&found, column_of(&found, shown->y)))
            count = places_in(&found, column_of(&found, shown->y));
        if (found.rows == 0) /* no PE sent a token to another: all of them are shown */
            count = w->run->machine.pe_count;
        for (group = 1; count > group * MAX_PLACES;)
            group *= 2;
        count = (count + group - 1) / group;
        start_alone(w, shown, count);
        make_matrix(w, shown, &found, count, group);
        break;
    case PARTS_OF:
        parts = find_parts(&found, column_of(&found, shown->y));
        start_alone(w, shown, parts.curves);
        make_parts(w, &found, &parts);
        lib_mem_free(parts.items);
        break;
    default:
        count = count_first(&found, column_of(&found, shown->x));
        start_alone(w, shown, count);
        set_places(w, &w->chart->y, count, 0);
        make_times(w, shown, &found, count);
        if (strcmp(shown->y, "pe") != 0 && count)
            name_ports(w, &found, shown->y, count);
        break;
    }
    lib_findings_free(&found.findings);
}

void analysis_found_chart(struct analysis_chart *chart,
                          const struct analysis_found_panels *panels,
                          const struct analysis_stream_run *run,
                          const struct analysis_found_source *source)
{
    struct work w = {chart, panels, run, source};
    const size_t first = panels->list.items[0].shown.items[0];
    size_t most = 0;
    if (!panels->is_over_time && table[first].kind != STEPS_OF) {
        make_alone(&w, &table[first]);
        return;
    }
    for (size_t i = 0; i < panels->list.count; i++)
        if (panels->list.items[i].shown.count > most)
            most = panels->list.items[i].shown.count;
    analysis_chart_start(chart, panels->list.count, most);
    make_all_steps(&w);
}

#include "analysis/figure/found_chart.h"

#include "analysis/figure/marks.h"
#include "analysis/figure/words.h"

#include <math.h>
#include <string.h>

enum { MAX_STEPS = 512, MAX_PLACES = 128 };

/* --- what there is ---------------------------------------------------------------------- */

enum kind { STEPS_OF, LINE_OF, MATRIX_OF, TIMES_OF, PARTS_OF };

struct shown {
    enum kind kind;
    size_t analysis;
    const char *table;
    const char *x, *y, *z; /* columns; y of parts: the first */
    const char *x_label, *y_label, *z_label;
    bool has_units; /* of times: as many as a PE has; else one */
};

static const struct shown table[ANALYSIS_FOUND_COUNT] = {
#define STEPS(name, analysis, table, x, y, x_label, y_label, help)                       \
    {STEPS_OF, ANALYSIS_STREAM_##analysis, #table, #x, #y, NULL, x_label, y_label, NULL, \
     false},
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

const char *const analysis_found_names[ANALYSIS_FOUND_COUNT] = {
#define STEPS(name, ...) #name,
#define LINE STEPS
#define MATRIX STEPS
#define TIMES STEPS
#define PARTS STEPS
#include "analysis/figure/found.def"
};

const char *const analysis_found_helps[ANALYSIS_FOUND_COUNT] = {
#define STEPS(name, analysis, table, x, y, x_label, y_label, help) help,
#define LINE STEPS
#define MATRIX(name, analysis, table, x, y, z, x_label, y_label, z_label, help) help,
#define TIMES STEPS
#define PARTS STEPS
#include "analysis/figure/found.def"
};

/* --- panels ----------------------------------------------------------------------------- */

static const char *name_at(size_t i, const void *context)
{
    (void)context;
    return analysis_found_names[i];
}

static size_t find_name(const char *name, struct lib_text *why)
{
    for (size_t i = 0; i < ANALYSIS_FOUND_COUNT; i++)
        if (strcmp(analysis_found_names[i], name) == 0)
            return i;
    const char *nearest = lib_text_nearest(name, ANALYSIS_FOUND_COUNT, name_at, NULL);
    lib_text_printf(why, "there is no figure of `%s`", name);
    if (nearest)
        lib_text_printf(why, "; did you mean `%s`?", nearest);
    for (size_t i = 0; !nearest && i < ANALYSIS_FOUND_COUNT; i++)
        lib_text_printf(why, "%s %s", i ? "," : "; there are", name_at(i, NULL));
    return ANALYSIS_FOUND_COUNT;
}

/* The first that is shown in any panel; ANALYSIS_FOUND_COUNT: none. */
static size_t first_of(const struct analysis_found_panels *panels)
{
    for (size_t i = 0; i < panels->list.count; i++)
        if (panels->list.items[i].shown.count)
            return panels->list.items[i].shown.items[0];
    return ANALYSIS_FOUND_COUNT;
}

/* Returns true if a chart can be added: only steps can be beside others. */
static bool may_join(const struct analysis_found_panels *panels, size_t shown,
                     struct lib_text *why)
{
    const size_t first = first_of(panels);
    if (first == ANALYSIS_FOUND_COUNT ||
        (table[first].kind == STEPS_OF && table[shown].kind == STEPS_OF))
        return true;
    const size_t alone = table[first].kind == STEPS_OF ? shown : first;
    lib_text_printf(why, "`%s` stands alone in a figure: draw two figures",
                    analysis_found_names[alone]);
    return false;
}

bool analysis_found_panels_add(struct analysis_found_panels *panels, const char *names,
                               struct lib_text *why)
{
    struct lib_text name = {0};
    bool good = true;
    const size_t at = panels->list.count;
    *LIB_VEC_PUSH(&panels->list) = (struct analysis_found_panel){0};
    for (const char *p = names; good; p++) {
        const size_t length = strcspn(p, ",");
        lib_text_clear(&name);
        lib_text_add(&name, p, length);
        const size_t shown = find_name(lib_text_get(&name), why);
        good = shown < ANALYSIS_FOUND_COUNT && may_join(panels, shown, why);
        if (good)
            *LIB_VEC_PUSH(&panels->list.items[at].shown) = shown;
        p += length;
        if (!*p)
            break;
    }
    lib_text_free(&name);
    return good;
}

bool analysis_found_panels_are_of_parts(const struct analysis_found_panels *panels)
{
    bool are = true;
    for (size_t i = 0; i < panels->list.count; i++)
        for (size_t k = 0; k < panels->list.items[i].shown.count; k++) {
            const size_t at = panels->list.items[i].shown.items[k];
            are &= at != ANALYSIS_FOUND_ideal && at != ANALYSIS_FOUND_causes &&
                   analysis_stream_table[table[at].analysis].window !=
                       ANALYSIS_STREAM_WHOLE;
        }
    return are;
}

void analysis_found_panels_default(struct analysis_found_panels *panels, bool is_whole)
{
    static const char *const shown[] = {"ideal", "actual", "live_tokens,waiting", "tags"};
    struct lib_text why = {0};
    for (size_t i = !is_whole; i < sizeof shown / sizeof *shown; i++)
        analysis_found_panels_add(panels, shown[i], &why);
    lib_text_free(&why);
}

void analysis_found_panels_free(struct analysis_found_panels *panels)
{
    for (size_t i = 0; i < panels->list.count; i++)
        LIB_VEC_FREE(&panels->list.items[i].shown);
    LIB_VEC_FREE(&panels->list);
}

void analysis_found_panels_need(const struct analysis_found_panels *panels,
                                bool wanted[ANALYSIS_STREAM_COUNT])
{
    for (size_t i = 0; i < panels->list.count; i++)
        for (size_t k = 0; k < panels->list.items[i].shown.count; k++) {
            const size_t analysis = table[panels->list.items[i].shown.items[k]].analysis;
            if (analysis < ANALYSIS_STREAM_COUNT)
                wanted[analysis] = true;
        }
}

/* A chart of causes is always alone in its figure. */
bool analysis_found_panels_need_causes(const struct analysis_found_panels *panels)
{
    return first_of(panels) == ANALYSIS_FOUND_causes;
}

/* --- cells ------------------------------------------------------------------------------ */

struct work {
    struct analysis_chart *chart;
    const struct analysis_found_panels *panels;
    const struct analysis_stream_run *run;
    const struct analysis_found_source *source;
};

/* A table of findings. */
struct found {
    struct lib_findings findings; /* owned */
    const struct lib_table *table;
    size_t rows;
};

static void open_findings(const struct work *w, const struct shown *shown, size_t most,
                          struct found *found)
{
    lib_findings_start(&found->findings, shown->table, false);
    found->findings.most = most;
    if (shown->analysis == ANALYSIS_STREAM_causes)
        w->source->tell_causes(w->source->context, &found->findings);
    else
        analysis_streams_tell(w->source->streams, shown->analysis, &found->findings);
    static const struct lib_table nothing;
    found->table = &nothing;
    for (size_t i = 0; i < found->findings.tables.count; i++)
        if (strcmp(found->findings.tables.items[i]->key, shown->table) == 0)
            found->table = found->findings.tables.items[i];
    found->rows = lib_table_rows(found->table);
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

/* Returns the number of places in a table whose rows count them from 0. */
static size_t places_in(const struct found *found, size_t column)
{
    double most = -1;
    for (size_t i = 0; i < found->rows; i++)
        most = fmax(most, number(found, i, column));
    return (size_t)(most + 1);
}

/* An axis of places that are numbers, each of so many; they are an axis of time where `width` >
 * 0. */
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

/* "cycle", or what is behind the start of a window. */
static const char *time_label(const struct work *w, const char *label)
{
    return w->run->from && strcmp(label, "cycle") == 0
               ? lib_arena_printf(w->chart->arena, "cycle, after %llu",
                                  (unsigned long long)w->run->from)
               : label;
}

/* --- steps ------------------------------------------------------------------------------ */

static const char *unit_of_panel(const struct analysis_found_panel *panel)
{
    const char *unit = table[panel->shown.items[0]].y_label;
    for (size_t i = 1; i < panel->shown.count; i++)
        if (strcmp(table[panel->shown.items[i]].y_label, unit) != 0)
            return NULL;
    return unit;
}

/* A curve comes down where the run ends. */
static double add_steps(const struct work *w, size_t panel, size_t curve,
                        const struct shown *shown)
{
    struct found found;
    open_findings(w, shown, MAX_STEPS, &found);
    const size_t x = column_of(&found, shown->x), y = column_of(&found, shown->y);
    const size_t width = column_of(&found, "width");
    const size_t last = found.rows - (found.rows > 0);
    double step = 1;
    for (size_t i = 0; i < found.rows; i++) {
        add_point(w, panel, curve, number(&found, i, x), number(&found, i, y), 0);
        step = fmax(step, number(&found, i, width));
    }
    if (found.rows && w->run->to == UINT64_MAX)
        add_point(w, panel, curve, number(&found, last, x) + number(&found, last, width),
                  0, 0);
    lib_findings_free(&found.findings);
    return step;
}

static void make_steps(const struct work *w, size_t p)
{
    const struct analysis_found_panel *panel = &w->panels->list.items[p];
    struct analysis_panel *drawn = &w->chart->panels[p];
    const char **names = LIB_ARENA_ARRAY(w->chart->arena, const char *,
                                         panel->shown.count + 1);
    const char *unit = unit_of_panel(panel);
    double step = 1;
    for (size_t i = 0; i < panel->shown.count; i++) {
        const size_t at = panel->shown.items[i];
        step = fmax(step, add_steps(w, p, i, &table[at]));
        names[i] = analysis_words_of_key(w->chart->arena, analysis_found_names[at]);
        if (i == 0)
            drawn->x_label = table[at].x_label;
        else if (strcmp(table[at].x_label, drawn->x_label) != 0)
            drawn->x_label = "cycle (ideal: depth)";
    }
    drawn->y_label = panel->shown.count > 1        ? (unit ? unit : "")
                     : strcmp(unit, "tokens") == 0 ? names[0]
                                                   : unit;
    drawn->x_note = step > 1 ? lib_arena_printf(w->chart->arena,
                                                ", in steps of %.0f (means)", step)
                             : "";
    drawn->curve_names = names;
    drawn->curve_count = panel->shown.count;
}

static void make_all_steps(struct work *w)
{
    w->chart->kind = ANALYSIS_FIGURE_STEPS;
    w->chart->axes = ANALYSIS_AXES_OWN;
    w->chart->has_own_x = true;
    if (w->run->from)
        w->chart->x.range.least = (double)w->run->from;
    for (size_t p = 0; p < w->panels->list.count; p++)
        make_steps(w, p);
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

/* Sizes in cm: a page, for what has more places than a column shows; the height of a square
 * there. */
static const double PAGE = 17.5, SQUARE = 14.5, ROW = 0.12;
enum { MAX_ROWS = 32, MAX_BARS = 64 };

/* Makes a heat map as wide as a page if it has many rows, and high enough for them. */
static void set_size(struct analysis_chart *chart, double height)
{
    if (chart->curve_count <= MAX_ROWS)
        return;
    chart->width = PAGE;
    chart->height = fmin(height, SQUARE);
}

/* Makes a heat map of tokens between PEs. Tokens that stay at their PE are left out: they would
 * hide all others. If there are too many PEs, neighbours are grouped. */
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

/* Makes a heat map over time. The rows of one time are adjacent, in the order of places. */
static void make_times(const struct work *w, const struct shown *shown,
                       const struct found *found, size_t places)
{
    const size_t z = column_of(found, shown->z), width = column_of(found, "width");
    const double units = shown->has_units && w->run->units ? w->run->units : 1;
    const double step = found->rows ? number(found, 0, width) : 1;
    const size_t times = found->rows / (places ? places : 1);
    set_places(w, &w->chart->x, times, step);
    set_size(w->chart, ROW * (double)places);
    for (size_t i = 0; i < times * places; i++)
        add_point(w, 0, i % places, (double)(i / places), (double)(i % places),
                  number(found, i, z) / (units * number(found, i, width)));
}

/* Ports of the network: "out 3", "in 3"; and links between routers: "link 3". */
static void name_ports(const struct work *w, const struct found *found, size_t places)
{
    const size_t port = column_of(found, "port"), pe = column_of(found, "number");
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
    w->chart->y.label = "port";
}

/* The columns of stacked bars. */
struct parts {
    struct part {
        size_t column;
        double sum;
        bool is_shown; /* else it is in what is left */
    } * items;         /* owned, in the order of the columns */
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

/* Finds the parts: the columns that are not 0 everywhere. If there are more than colours, the least
 * are joined. */
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
    case MATRIX_OF:
        count = places_in(&found, column_of(&found, shown->x));
        if (count < places_in(&found, column_of(&found, shown->y)))
            count = places_in(&found, column_of(&found, shown->y));
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
        for (count = 0;
             count < found.rows && number(&found, count, column_of(&found, shown->x)) ==
                                       number(&found, 0, column_of(&found, shown->x));)
            count++;
        start_alone(w, shown, count);
        set_places(w, &w->chart->y, count, 0);
        make_times(w, shown, &found, count);
        if (strcmp(shown->y, "port") == 0 && count)
            name_ports(w, &found, count);
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
    const struct shown *first = &table[first_of(panels)];
    size_t most = 0;
    if (first->kind != STEPS_OF) {
        make_alone(&w, first);
        return;
    }
    for (size_t i = 0; i < panels->list.count; i++)
        if (panels->list.items[i].shown.count > most)
            most = panels->list.items[i].shown.count;
    analysis_chart_start(chart, panels->list.count, most);
    make_all_steps(&w);
}

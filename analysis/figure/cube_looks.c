#include "analysis/figure/cube_looks.h"

#include "analysis/figure/marks.h"

/* The first key of series, or all others. */
struct part {
    analysis_column_list columns; /* borrowed from the figure */
    struct analysis_keys keys;    /* each combination once; `list` is owned */
    size_t first_column;
};

static bool are_alike(const struct traces_cell *a, const struct traces_cell *b,
                      size_t count)
{
    bool alike = true;
    for (size_t i = 0; i < count; i++)
        alike &= analysis_cells_are_alike(&a[i], &b[i]);
    return alike;
}

/* Returns the index of a series' values in these columns; adds new values. */
static size_t place_in(struct part *part, const struct traces_cell *cells)
{
    const struct traces_cell *own = cells + part->first_column;
    size_t at = 0;
    while (at < part->keys.list.count &&
           !are_alike(part->keys.list.items[at], own, part->columns.count))
        at++;
    if (at == part->keys.list.count)
        *LIB_VEC_PUSH(&part->keys.list) = own;
    return at;
}

static struct analysis_legend_key make_key(const struct part *part,
                                           const struct analysis_labels *labels,
                                           struct lib_arena *arena)
{
    struct lib_text title = {0};
    const size_t count = part->keys.list.count;
    const char **names = LIB_ARENA_ARRAY(arena, const char *, count + 1);
    for (size_t i = 0; i < count; i++) {
        struct lib_text name = {0};
        analysis_keys_write_values(&part->keys, i, labels, &name);
        names[i] = lib_arena_keep(arena, &name);
    }
    /* the title is always there, as it separates the lists */
    for (size_t c = 0; c < part->columns.count; c++)
        lib_text_printf(&title, "%s%s", c ? ", " : "",
                        analysis_labels_name(labels, part->columns.items[c]));
    return (struct analysis_legend_key){lib_arena_keep(arena, &title), names, count};
}

void analysis_cube_looks(struct analysis_chart *chart,
                         const struct analysis_figure *figure,
                         const struct analysis_cube *cube)
{
    const struct analysis_keys *series = &cube->keys[ANALYSIS_SERIES];
    const size_t styles = analysis_marks_styles((enum analysis_figure_kind)figure->kind);
    if (series->columns->count < 2 || cube->view->values->count != 1)
        return;
    struct part parts[2] = {{.first_column = 0}, {.first_column = 1}};
    struct analysis_look *looks = LIB_ARENA_ARRAY(chart->arena, struct analysis_look,
                                                  series->list.count + 1);
    for (size_t i = 0; i < 2; i++) {
        parts[i].columns = *series->columns;
        parts[i].columns.items += i;
        parts[i].columns.count = i == 0 ? 1 : series->columns->count - 1;
        parts[i].keys.columns = &parts[i].columns;
    }
    for (size_t i = 0; i < series->list.count; i++)
        looks[i] = (struct analysis_look){place_in(&parts[0], series->list.items[i]),
                                          place_in(&parts[1], series->list.items[i])};
    const size_t colours = parts[0].keys.list.count, others = parts[1].keys.list.count;
    if (colours >= 2 && others >= 2 && colours <= ANALYSIS_MARKS_COLOURS &&
        others <= styles) {
        chart->looks = looks;
        /* else the legend names the combinations that exist */
        const bool has_all = colours * others == series->list.count;
        for (size_t i = 0; i < 2 && has_all; i++)
            chart->keys[i] = make_key(&parts[i], &figure->common.labels, chart->arena);
    }
    for (size_t i = 0; i < 2; i++)
        LIB_VEC_FREE(&parts[i].keys.list);
}

#include "sim/outputs/network_figure.h"

#include <math.h>

#include "sim/outputs/figure_file.h"

enum { LATENCY, ACCEPTED, PANELS };

/* "mesh 8x8, deterministic, uniform". */
static const char *caption_of(const struct sim_study *s, struct lib_arena *arena)
{
    const struct machine_shape *shape = &s->graph->shape;
    struct lib_text text = {0};
    lib_text_printf(&text, "%s ", machine_shape_names[shape->kind]);
    if (shape->dim_count > 0) {
        machine_graph_write_dims(shape->dims, shape->dim_count, &text);
        lib_text_puts(&text, ", ");
    }
    if (shape->nodes > 0)
        lib_text_printf(&text, "%u nodes, ", shape->nodes);
    lib_text_printf(&text, "%u PEs, %s, %s", shape->pe_count,
                    machine_routing_names[shape->routing],
                    machine_pattern_names[s->pattern.kind]);
    return lib_arena_keep(arena, &text);
}

static void add_point(struct analysis_chart *chart, size_t panel,
                      const struct sim_study_point *p)
{
    struct analysis_point point = {
        .x = p->offered, .y = p->accepted, .low = NAN, .high = NAN, .runs = 1};
    if (panel == LATENCY) {
        point.y = p->latency;
        point.low = p->low;
        point.high = p->high;
    }
    if (isfinite(point.y))
        analysis_chart_add(chart, panel, 0, &point);
}

enum sim_status sim_network_figure_put(const struct sim_study *s,
                                       const struct sim_printer *printer,
                                       const char *path)
{
    static const char *const labels[PANELS] = {"latency [cycles]", "accepted"};
    struct analysis_chart chart;
    analysis_chart_start(&chart, PANELS, 1);
    const char **names = LIB_ARENA_ARRAY(chart.arena, const char *, 1);
    names[0] = "";
    chart.kind = ANALYSIS_FIGURE_LINES;
    chart.axes = ANALYSIS_AXES_OWN;
    chart.has_own_x = true;
    chart.has_spread = true;
    chart.curve_names = names;
    for (size_t panel = 0; panel < PANELS; panel++) {
        chart.panels[panel].x_label = "offered [tokens per PE and cycle]";
        chart.panels[panel].x_note = "";
        chart.panels[panel].y_label = labels[panel];
        for (size_t i = 0; i < s->points.count; i++)
            add_point(&chart, panel, &s->points.items[i]);
    }
    const enum sim_status status = sim_figure_draw(&chart, path,
                                                   caption_of(s, chart.arena), printer);
    analysis_chart_free(&chart);
    return status;
}

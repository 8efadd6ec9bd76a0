#include "sim/report/drawings.h"

#include <string.h>

#include "analysis/figure/found_chart.h"
#include "analysis/figure/gnuplot.h"
#include "analysis/figure/plot.h"
#include "analysis/report/html.h"
#include "isa/format/draw.h"
#include "sim/outputs/graphviz.h"

/* keeps the page small */
enum { LARGEST = 500000 };

const struct sim_report_figure sim_report_figures[SIM_REPORT_FIGURES] = {
    {"actual", "Firings over time", true},
    {"ideal", "Firings by depth", true},
    {"live_tokens,waiting", "Tokens over time", true},
    {"tags", "Activations over time", true},
    {"speedup", "Speedup over function units", false},
    {"idleness", "What PEs wait for, over time", true},
    {"idle_pes", "What each PE waits for", true},
    {"traffic", "Traffic between PEs", true},
    {"devices", "Tensor units and moves of tensors, over time", true},
    {"class_firings", "Firings of classes over time", true},
    {"class_utilisation", "Utilisation of classes over time", true},
};

/* Warns once per page. */
static void warn_missing(struct lib_diags *diags, const char *text)
{
    for (size_t i = 0; i < diags->count; i++)
        if (strcmp(diags->items[i].text, text) == 0)
            return;
    lib_diag_warning(diags, LIB_DIAG_FILE, NULL, (struct lib_pos){0}, "%s", text);
}

static void put_drawing(const struct lib_text *svg, bool is_drawn, const char *prefix,
                        const char *title, const char *about, const char *program,
                        struct lib_text *out, struct lib_diags *diags)
{
    LIB_TEXT_OWN why = {0};
    if (is_drawn && svg->length > LARGEST)
        lib_text_printf(&why, "the drawing would be too large for a page");
    else if (!is_drawn || !analysis_html_svg(out, svg, prefix, title, about))
        lib_text_printf(&why, "%s could not draw it, or is not installed", program);
    if (why.length) {
        lib_text_puts(out, "<p class=\"dim\">Not drawn: ");
        lib_html_text(out, lib_text_get(&why));
        lib_text_puts(out, ".</p>\n");
    }
    if (why.length && !is_drawn) {
        lib_text_clear(&why);
        lib_text_printf(
            &why,
            "the report lacks what %s draws, which failed or is not installed "
            "(Debian packages gnuplot-nox, graphviz)",
            program);
        warn_missing(diags, lib_text_get(&why));
    }
}

/* --- figures ------------------------------------------------------------------------------- */

static void add_causes(void *context, struct lib_findings *findings)
{
    const struct analysis_causes_tables tables = {.by = ANALYSIS_COST_BY_NOTHING};
    const struct sim_reported *r = context;
    sim_causes_summary_write((struct sim_causes_summary *)&r->causes, &tables, findings);
}

static bool can_show(const struct sim_reported *r,
                     const struct analysis_found_panels *panels)
{
    bool needed[ANALYSIS_STREAM_COUNT] = {false};
    analysis_found_panels_need(panels, needed);
    for (size_t i = 0; i < ANALYSIS_STREAM_COUNT; i++)
        if (needed[i] && !r->wanted[i])
            return false;
    if (analysis_found_panels_lack(panels, &r->run.machine))
        return false;
    return r->has_causes || !analysis_found_panels_need_causes(panels);
}

static void draw_by_program(const struct sim_reported *r,
                            const struct analysis_found_panels *panels, const char *id,
                            const char *title, const char *about, struct lib_text *out,
                            struct lib_diags *diags)
{
    struct analysis_chart chart = {0};
    const struct analysis_found_source found = {
        .streams = r->streams, .tell_causes = add_causes, .context = (void *)r};
    LIB_TEXT_OWN data = {0}, script = {0}, svg = {0}, prefix = {0};
    struct lib_diags own = {0};
    analysis_found_chart(&chart, panels, &r->run, &found);
    chart.name = "figure";
    chart.data = "figure.dat";
    analysis_chart_write_data(&chart, &data);
    analysis_plot_write_script(&chart, "svg", &script);
    const bool is_drawn = analysis_gnuplot_draw_text("svg", chart.name, &script, &data,
                                                     &svg, &own) == LIB_FAULT_NONE;
    lib_text_printf(&prefix, "%s-", id);
    lib_text_printf(out, "<figure id=\"%s\"%s>\n<div class=\"paper\">", id,
                    chart.width > 0 ? " class=\"wide\"" : "");
    put_drawing(&svg, is_drawn, lib_text_get(&prefix), title, about, "gnuplot", out,
                diags);
    lib_text_puts(out, "</div><figcaption><b>");
    lib_html_text(out, title);
    lib_text_puts(out, "</b>: ");
    lib_html_text(out, about);
    lib_text_puts(out, "</figcaption>\n</figure>\n");
    lib_diags_free(&own);
    analysis_chart_free(&chart);
}

void sim_drawing_figure(const struct sim_reported *r, const char *prefix,
                        const char *shown, const char *title, struct lib_text *out,
                        struct lib_diags *diags)
{
    struct analysis_found_panels panels = {0};
    LIB_TEXT_OWN why = {0}, about = {0}, id = {0};
    const bool good = analysis_found_panels_add(&panels, shown, &why);
    assert(good && "a report names figures that there are");
    (void)good;
    for (size_t i = 0; i < panels.list.items[0].shown.count; i++)
        lib_text_printf(&about, "%s%s", i ? "; " : "",
                        analysis_found_helps[panels.list.items[0].shown.items[i]]);
    lib_text_printf(&id, "%sfigure-%.*s", prefix, (int)strcspn(shown, ","), shown);
    if (can_show(r, &panels))
        draw_by_program(r, &panels, lib_text_get(&id), title, lib_text_get(&about), out,
                        diags);
    analysis_found_panels_free(&panels);
}

/* --- the graph ------------------------------------------------------------------------------ */

/* Returns the graph without names of parameters, like one from an image. */
static struct isa_graph without_names(const struct isa_graph *graph,
                                      struct lib_arena *arena)
{
    struct isa_graph same = *graph;
    same.functions = LIB_ARENA_ARRAY(arena, struct isa_function, graph->function_count);
    memcpy(same.functions, graph->functions,
           graph->function_count * sizeof *graph->functions);
    for (uint32_t i = 0; i < graph->function_count; i++)
        same.functions[i].names = NULL;
    return same;
}

static size_t count_folded(const struct isa_graph *graph,
                           const struct isa_draw_plan *plan)
{
    size_t folded = 0;
    for (uint32_t i = 0; i < graph->function_count; i++)
        folded += plan->parts[i] == ISA_DRAW_FOLDED && !graph->functions[i].is_loop;
    return folded;
}

void sim_drawing_graph(const struct sim_reported *r, struct lib_text *out,
                       struct lib_diags *diags)
{
    struct lib_arena *arena = lib_arena_new();
    const struct isa_graph drawn = without_names(r->run.graph, arena), *graph = &drawn;
    const struct isa_draw_choice choice = {.depth = UINT32_MAX, .fold = ISA_DRAW_SANE};
    LIB_TEXT_OWN dot = {0}, svg = {0};
    struct lib_diags own = {0};
    struct isa_draw_plan plan;
    isa_draw_choose(graph, &choice, arena, &plan);
    plan.heat = r->heat;
    isa_draw_dot(graph, &plan, &dot);
    const bool is_drawn = sim_graphviz_draw(&dot, SIM_DRAWING_WEB, &svg, &own) ==
                          LIB_FAULT_NONE;
    const size_t folded = count_folded(graph, &plan);
    lib_text_printf(out,
                    "<p>%u instructions. The number below that of an instruction says "
                    "how often it fired; the darker, the more often.",
                    graph->node_count);
    if (folded)
        lib_text_printf(out,
                        " %zu function%s folded into a box, as the drawing would be "
                        "too large.",
                        folded, folded == 1 ? " is" : "s are");
    lib_text_puts(out,
                  "</p>\n<div class=\"tools\"><button type=\"button\" id=\"graph-size\">"
                  "Full size</button></div>\n<div class=\"drawing paper\" tabindex=\"0\" "
                  "role=\"region\" "
                  "aria-label=\"Drawing of the graph\">");
    put_drawing(
        &svg, is_drawn, "graph-", "The graph of the program",
        "Instructions as boxes with how often each fired, and arcs from each to those "
        "that "
        "get its tokens",
        "dot", out, diags);
    lib_text_puts(out, "</div>\n");
    lib_diags_free(&own);
    lib_arena_free(arena);
}

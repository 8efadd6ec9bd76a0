#include "sim/report/report.h"

#include <inttypes.h>
#include <math.h>

#include "analysis/report/chain.h"
#include "analysis/report/flame.h"
#include "analysis/report/listing.h"
#include "sim/report/drawings.h"
#include "sim/report/page.h"

enum { MAX_ROWS = 64, MAX_PATHS = 40 };

struct writing {
    const struct sim_reported *r;
    struct lib_text *out;
    struct lib_diags *diags;
};

/* --- what was measured ---------------------------------------------------------------- */

static void put_stat(void *context, const struct traces_stat *stat, bool if_any)
{
    const struct writing *w = context;
    const struct traces_stats *stats = &w->r->ending.stats;
    if (!traces_stat_is_known(stats, stat) ||
        (if_any && stat->kind == TRACES_STAT_COUNT &&
         traces_stat_integer(stats, stat) == 0))
        return;
    lib_text_puts(w->out, "<tr><th scope=\"row\">");
    lib_html_text(w->out, stat->key);
    lib_text_puts(w->out, "</th><td class=\"n\">");
    sim_page_stat(stats, stat, w->out);
    lib_text_puts(w->out, "</td><td>");
    lib_html_text(w->out, stat->unit);
    lib_text_puts(w->out, "</td><td>");
    lib_html_text(w->out, stat->help);
    lib_text_puts(w->out, "</td></tr>\n");
}

static void put_stats(struct writing *w, bool is_main)
{
    lib_html_wide(w->out, NULL, is_main ? "Main statistics" : "All statistics");
    lib_text_printf(
        w->out,
        "<table>\n<caption>%s</caption>\n<thead><tr><th scope=\"col\">statistic"
        "</th><th scope=\"col\" class=\"n\">value</th><th scope=\"col\">unit</th>"
        "<th scope=\"col\">meaning</th></tr></thead>\n<tbody>\n",
        is_main ? "What was measured of the whole run" : "All statistics");
    sim_page_each_stat(is_main, put_stat, w);
    lib_text_puts(w->out, "</tbody>\n</table></div>\n");
}

static void put_metrics(struct writing *w)
{
    put_stats(w, true);
    lib_text_puts(w->out, "<details><summary>All statistics</summary>\n");
    put_stats(w, false);
    lib_text_puts(w->out, "</details>\n");
}

/* --- what ran ------------------------------------------------------------------------- */

static void put_key(struct lib_text *out, const char *name, const char *unit,
                    double value, bool is_whole)
{
    lib_text_printf(out, "<li>%s<b>", name);
    if (is_whole)
        lib_text_printf(out, "%.0f", value);
    else
        lib_html_real(out, value);
    lib_text_printf(out, "%s</b></li>\n", unit);
}

static void put_what(struct writing *w)
{
    const struct traces_stats *s = &w->r->ending.stats;
    lib_text_puts(w->out, "<ul class=\"key\">\n");
    put_key(w->out, "cycles", "", (double)s->cycles, true);
    put_key(w->out, "instructions executed", "", (double)s->firings, true);
    put_key(w->out, "of them per cycle", "",
            lib_ratio((double)s->firings, (double)s->cycles), false);
    put_key(w->out, "parallelism of the program", "", s->parallelism, false);
    if (!isnan(s->utilisation))
        put_key(w->out, "utilisation", "&#160;%", 100 * s->utilisation, false);
    lib_text_puts(w->out, "</ul>\n");
    sim_page_what(w->r, sim_reported_text(w->r) != NULL, w->out);
}

/* --- over time ------------------------------------------------------------------------ */

static void put_needs(struct writing *w, enum traces_level level)
{
    sim_page_needs(w->r, level, w->out);
}

static void put_timeline(struct writing *w)
{
    struct lib_findings f, causes;
    static const char *const buttons[][2] = {
        {"gantt-in", "Zoom in"},    {"gantt-out", "Zoom out"},
        {"gantt-left", "Earlier"},  {"gantt-right", "Later"},
        {"gantt-all", "Whole run"}, {"gantt-tokens", "Hide tokens"},
        {"gantt-path", "Hide path"}};
    if (!sim_reported_findings(w->r, ANALYSIS_STREAM_utilisation, false, &f)) {
        put_needs(w, analysis_stream_table[ANALYSIS_STREAM_utilisation].level);
        lib_findings_free(&f);
        return;
    }
    lib_text_puts(w->out, "<div class=\"tools\" role=\"toolbar\" "
                          "aria-label=\"Part of the run\">\n");
    for (size_t i = 0; i < sizeof buttons / sizeof *buttons; i++)
        lib_text_printf(w->out, "<button type=\"button\" id=\"%s\">%s</button>\n",
                        buttons[i][0], buttons[i][1]);
    lib_text_puts(w->out,
                  "<span id=\"gantt-place\" role=\"status\"></span>\n"
                  "<span class=\"dim\">Keys in the drawing: + \xe2\x88\x92 \xe2\x86\x90 "
                  "\xe2\x86\x92 0; or drag over a part of it.</span>\n</div>\n"
                  "<div id=\"gantt-area\" class=\"scroll\" tabindex=\"0\" "
                  "role=\"region\" aria-label=\"Drawing of the timeline\">\n");
    const bool has_path = sim_reported_causes_findings(w->r, &causes);
    analysis_gantt_draw(&w->r->gantt, &f,
                        has_path ? lib_findings_find(&causes, "chain") : NULL,
                        &(struct analysis_gantt_look){.prefix = ""}, w->out);
    lib_findings_free(&causes);
    lib_text_puts(w->out, "</div>\n");
    lib_findings_free(&f);
    if (sim_reported_findings(w->r, ANALYSIS_STREAM_utilisation, true, &f)) {
        lib_text_puts(w->out, "<details><summary>The same as a table</summary>\n");
        lib_html_table(w->out, lib_findings_find(&f, "pes"),
                       &(struct lib_html_table){.of = "timeline", .most = 1024});
        lib_text_puts(w->out, "</details>\n");
    }
    lib_findings_free(&f);
}

/* --- the source, the path, the calls -------------------------------------------------- */

static void put_source(struct writing *w)
{
    struct lib_findings lines, causes;
    const bool has_lines = sim_reported_findings(w->r, ANALYSIS_STREAM_lines, true,
                                                 &lines);
    const bool has_causes = sim_reported_causes_findings(w->r, &causes);
    const struct analysis_listing listing = {.source = sim_reported_text(w->r),
                                             .lines = has_lines ? &lines : NULL,
                                             .causes = has_causes ? &causes : NULL};
    if (!has_lines)
        put_needs(w, analysis_stream_table[ANALYSIS_STREAM_lines].level);
    analysis_listing_draw(w->out, &listing);
    lib_findings_free(&lines);
    lib_findings_free(&causes);
}

static void put_path(struct writing *w)
{
    struct lib_findings f;
    if (sim_reported_causes_findings(w->r, &f)) {
        lib_text_puts(w->out,
                      "<p>Every cycle of the run has one cause: the chain of what "
                      "ended last is followed from the end of the run back to its "
                      "start.</p>\n");
        lib_html_table(w->out, lib_findings_find(&f, "causes"),
                       &(struct lib_html_table){.id = "causes"});
        sim_drawing_figure(w->r, "", "causes", "Causes over time", w->out, w->diags);
        analysis_chain_draw(w->out, lib_findings_find(&f, "chain"),
                            sim_reported_text(w->r) != NULL);
    } else {
        put_needs(w, TRACES_LEVEL_QUEUES);
    }
    lib_findings_free(&f);
}

static void put_calls(struct writing *w)
{
    struct lib_findings f;
    lib_text_puts(
        w->out, "<p>What called what, by the paths of functions from the result on. A "
                "frame is as wide as the firings in it and in all that it called.</p>\n"
                "<div class=\"tools\"><button type=\"button\" id=\"flame-all\">Whole tree"
                "</button><span class=\"dim\">Press a frame to see it at full width; "
                "arrow keys go from frame to frame, Escape shows the whole "
                "tree.</span></div>\n<div class=\"scroll\" tabindex=\"0\" "
                "role=\"region\" aria-label=\"Drawing of calls\">\n");
    analysis_flame_draw(w->out, &w->r->tree);
    lib_text_puts(w->out, "</div>\n");
    analysis_flame_table(w->out, &w->r->tree, MAX_PATHS);
    if (sim_reported_findings(w->r, ANALYSIS_STREAM_calls, true, &f))
        lib_html_table(
            w->out, lib_findings_find(&f, "functions"),
            &(struct lib_html_table){
                .most = MAX_ROWS, .line_link = sim_reported_text(w->r) ? "line" : NULL});
    lib_findings_free(&f);
}

/* --- figures, graph, tables ----------------------------------------------------------- */

static void put_figures(struct writing *w)
{
    lib_text_puts(w->out, "<div class=\"figures\">\n");
    for (size_t i = 0; i < SIM_REPORT_FIGURES; i++)
        sim_drawing_figure(w->r, "", sim_report_figures[i].shown,
                           sim_report_figures[i].title, w->out, w->diags);
    lib_text_puts(w->out, "</div>\n");
}

static void put_analysis(struct writing *w, size_t which)
{
    const struct analysis_stream_row *row = &analysis_stream_table[which];
    const bool links = sim_reported_text(w->r) != NULL;
    struct lib_findings f;
    lib_text_printf(w->out, "<details id=\"analysis-%s\"><summary><b>%s</b>: ", row->name,
                    row->name);
    lib_html_text(w->out, row->help);
    lib_text_puts(w->out, "</summary>\n");
    if (sim_reported_findings(w->r, which, true, &f)) {
        lib_findings_write(&f, LIB_FORM_HTML, "", w->out);
        for (size_t i = 0; i < f.tables.count; i++)
            lib_html_table(w->out, f.tables.items[i],
                           &(struct lib_html_table){.of = row->name,
                                                    .most = MAX_ROWS,
                                                    .line_link = links ? "line" : NULL});
    } else {
        put_needs(w, row->level);
    }
    lib_findings_free(&f);
    lib_text_puts(w->out, "</details>\n");
}

static void put_analyses(struct writing *w)
{
    for (size_t i = 0; i < ANALYSIS_STREAM_COUNT; i++)
        put_analysis(w, i);
}

static void put_graph(struct writing *w)
{
    sim_drawing_graph(w->r, w->out, w->diags);
}

/* --- the page ------------------------------------------------------------------------- */

void sim_report_write(const struct sim_reported *r, struct lib_text *out,
                      struct lib_diags *diags)
{
    static const struct sim_report_section sections[] = {
        {"run", "What ran"},    {"metrics", "Metrics"},    {"timeline", "Timeline"},
        {"source", "Source"},   {"path", "Critical path"}, {"calls", "Calls"},
        {"figures", "Figures"}, {"graph", "Graph"},        {"analyses", "All tables"},
    };
    static void (*const put[])(struct writing * w) = {
        put_what,  put_metrics, put_timeline, put_source,   put_path,
        put_calls, put_figures, put_graph,    put_analyses,
    };
    enum { SECTIONS = sizeof sections / sizeof *sections };
    static_assert(sizeof put / sizeof *put == SECTIONS, "a function for each section");
    struct writing w = {r, out, diags};
    LIB_TEXT_OWN title = {0};
    sim_page_name(r, &title);
    lib_text_printf(&title, ": %s after %" PRIu64 " cycles", sim_end_name(r->ending.end),
                    r->ending.stats.cycles);
    sim_page_open(out, lib_text_get(&title), sections, SECTIONS);
    for (size_t i = 0; i < SECTIONS; i++) {
        sim_section_open(out, &sections[i]);
        put[i](&w);
        sim_section_close(out);
    }
    sim_page_close(out, true);
}

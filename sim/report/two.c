#include "sim/report/report.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "analysis/diff/diff.h"
#include "sim/replay/replay.h"
#include "sim/report/drawings.h"
#include "sim/report/page.h"

struct writing {
    const struct sim_reported *const *runs;
    const struct analysis_diff *diff;
    const struct sim_replay_changes *reasons;
    struct lib_text *out;
    struct lib_diags *diags;
};

/* names of the runs; prefixes of the ids of their drawings */
static const char *const names[2] = {"A", "B"}, *const prefixes[2] = {"a-", "b-"};

/* --- the outcome ---------------------------------------------------------------------------- */

static const char *result_of(const struct sim_reported *r)
{
    return r->ending.end == ISA_END_COMPLETED ? lib_text_get(&r->ending.result)
                                              : lib_text_get(&r->ending.reason);
}

static void put_cell(struct lib_text *out, const char *text)
{
    enum { LONGEST = 200 };
    const size_t length = strlen(text);
    lib_text_puts(out, "<td>");
    lib_text_html(out, text, length < LONGEST ? length : LONGEST);
    lib_text_puts(out, length < LONGEST ? "</td>" : " \xe2\x80\xa6</td>");
}

/* Adds which run ended better, or took fewer cycles. */
static void put_verdict(const struct writing *w)
{
    const struct sim_ending *a = &w->runs[0]->ending, *b = &w->runs[1]->ending;
    const uint64_t x = a->stats.cycles, y = b->stats.cycles;
    const bool completed[2] = {a->end == ISA_END_COMPLETED, b->end == ISA_END_COMPLETED};
    lib_text_puts(w->out, "<p><strong>");
    if (completed[0] != completed[1])
        lib_text_printf(w->out, "%s completed, and %s did not.", names[completed[1]],
                        names[completed[0]]);
    else if (!completed[0])
        lib_text_puts(w->out, "Neither run completed.");
    else if (strcmp(result_of(w->runs[0]), result_of(w->runs[1])) != 0)
        lib_text_puts(w->out, "The results differ.");
    else
        lib_text_puts(w->out, "Both have the same result.");
    if (completed[0] && completed[1] && x == y)
        lib_text_puts(w->out, " Both take as many cycles.");
    else if (completed[0] && completed[1])
        lib_text_printf(w->out, " %s takes %.1f %% fewer cycles than %s.", names[y < x],
                        100.0 * (double)(x < y ? y - x : x - y) / (double)(x < y ? y : x),
                        names[x < y]);
    lib_text_puts(w->out, "</strong></p>\n");
}

static void put_outcome(const struct writing *w)
{
    put_verdict(w);
    lib_html_wide(w->out, NULL, "Outcome of both");
    lib_text_puts(w->out,
                  "<table>\n<caption>How both ended</caption>\n<thead><tr>"
                  "<th scope=\"col\">run</th><th scope=\"col\">end</th>"
                  "<th scope=\"col\">result, or reason</th><th scope=\"col\" "
                  "class=\"n\">cycles</th><th scope=\"col\">program and machine</th>"
                  "</tr></thead>\n<tbody>\n");
    for (size_t i = 0; i < 2; i++) {
        LIB_TEXT_OWN name = {0};
        sim_page_name(w->runs[i], &name);
        lib_text_printf(w->out, "<tr><th scope=\"row\"><a href=\"#%c\">%s</a></th>",
                        "ab"[i], names[i]);
        put_cell(w->out, sim_end_name(w->runs[i]->ending.end));
        put_cell(w->out, result_of(w->runs[i]));
        lib_text_printf(w->out, "<td class=\"n\">%" PRIu64 "</td>",
                        w->runs[i]->ending.stats.cycles);
        put_cell(w->out, lib_text_get(&name));
        lib_text_puts(w->out, "</tr>\n");
    }
    lib_text_puts(w->out, "</tbody>\n</table></div>\n");
}

/* --- the statistics ------------------------------------------------------------------------- */

static double value_of(const struct traces_stats *stats, const struct traces_stat *stat)
{
    return !traces_stat_is_known(stats, stat) ? NAN
           : stat->kind == TRACES_STAT_RATIO  ? traces_stat_real(stats, stat)
                                              : (double)traces_stat_integer(stats, stat);
}

static void put_stat(void *context, const struct traces_stat *stat, bool if_any)
{
    const struct writing *w = context;
    const struct traces_stats *a = &w->runs[0]->ending.stats,
                              *b = &w->runs[1]->ending.stats;
    (void)if_any;
    const double x = value_of(a, stat), y = value_of(b, stat);
    if ((isnan(x) || x == 0) && (isnan(y) || y == 0))
        return;
    lib_text_puts(w->out, "<tr><th scope=\"row\">");
    lib_html_text(w->out, stat->key);
    lib_text_puts(w->out, "</th><td class=\"n\">");
    sim_page_stat(a, stat, w->out);
    lib_text_puts(w->out, "</td><td class=\"n\">");
    sim_page_stat(b, stat, w->out);
    lib_text_puts(w->out, "</td><td class=\"n\">");
    lib_html_real(w->out, lib_ratio(y, x));
    lib_text_puts(w->out, "</td><td>");
    lib_html_text(w->out, stat->unit);
    lib_text_puts(w->out, "</td><td>");
    lib_html_text(w->out, stat->help);
    lib_text_puts(w->out, "</td></tr>\n");
}

static void put_metrics(const struct writing *w)
{
    lib_html_wide(w->out, NULL, "Statistics of both");
    lib_text_puts(
        w->out, "<table>\n<caption>Statistics of both "
                "runs; those that are 0 in both are left out</caption>\n<thead><tr>"
                "<th scope=\"col\">statistic</th><th scope=\"col\" class=\"n\">A</th>"
                "<th scope=\"col\" class=\"n\">B</th><th scope=\"col\" class=\"n\">B / A"
                "</th><th scope=\"col\">unit</th><th scope=\"col\">meaning</th></tr>"
                "</thead>\n<tbody>\n");
    sim_page_each_stat(false, put_stat, (void *)w);
    lib_text_puts(w->out, "</tbody>\n</table></div>\n");
}

static void put_reasons(const struct writing *w)
{
    const struct sim_replay_changes *reasons = w->reasons;
    struct lib_text *out = w->out;
    if (!reasons->count) {
        lib_text_puts(out, "<p>The same program ran with the same inputs on the same "
                           "machine.</p>\n");
        return;
    }
    lib_html_wide(out, NULL, "What differs");
    lib_text_puts(out,
                  "<table>\n<caption>What ran, and "
                  "where, that is not the same</caption>\n<thead><tr><th scope=\"col\">"
                  "what</th><th scope=\"col\">A</th><th scope=\"col\">B</th></tr>"
                  "</thead>\n<tbody>\n");
    for (size_t i = 0; i < reasons->count; i++) {
        lib_text_puts(out, "<tr><th scope=\"row\">");
        lib_html_text(out, reasons->items[i].key);
        lib_text_puts(out, "</th><td>");
        lib_html_text(out, reasons->items[i].recorded);
        lib_text_puts(out, "</td><td>");
        lib_html_text(out, reasons->items[i].now);
        lib_text_puts(out, "</td></tr>\n");
    }
    lib_text_puts(out, "</tbody>\n</table></div>\n");
}

/* --- causes, timelines and figures side by side ------------------------------------------- */

static uint64_t cause_of(const struct writing *w, size_t run, size_t cause)
{
    return w->runs[run]->causes.found.sums[cause];
}

static void put_cause(const struct writing *w, const char *key, const uint64_t cycles[2],
                      const char *help)
{
    lib_text_printf(w->out, "<tr><th scope=\"row\">%s</th>", key);
    for (size_t i = 0; i < 2; i++) {
        lib_text_printf(w->out, "<td class=\"n\">%" PRIu64 "</td><td class=\"n\">",
                        cycles[i]);
        lib_html_real(w->out, 100 * lib_ratio((double)cycles[i],
                                              (double)w->runs[i]->causes.run.cycles));
        lib_text_puts(w->out, "</td>");
    }
    lib_text_printf(w->out, "<td class=\"n\">%+" PRId64 "</td><td>",
                    (int64_t)(cycles[1] - cycles[0]));
    lib_html_text(w->out, help);
    lib_text_puts(w->out, "</td></tr>\n");
}

static void put_causes(const struct writing *w)
{
    const uint64_t all[2] = {w->runs[0]->causes.run.cycles,
                             w->runs[1]->causes.run.cycles};
    for (size_t i = 0; i < 2; i++)
        if (!w->runs[i]->has_causes) {
            sim_page_needs(w->runs[i], TRACES_LEVEL_QUEUES, w->out);
            return;
        }
    lib_html_wide(w->out, NULL, "Causes of both");
    lib_text_puts(
        w->out, "<table id=\"causes\">\n<caption>Every cycle of a run has one cause: the "
                "chain of what ended last is followed from its end back to its start"
                "</caption>\n<thead><tr><th scope=\"col\">cause</th>"
                "<th scope=\"col\" class=\"n\">A</th><th scope=\"col\" class=\"n\">% of A"
                "</th><th scope=\"col\" class=\"n\">B</th><th scope=\"col\" "
                "class=\"n\">% of B</th><th scope=\"col\" class=\"n\">B &#8722; A</th>"
                "<th scope=\"col\">meaning</th></tr></thead>\n<tbody>\n");
    for (size_t c = 0; c < ANALYSIS_CAUSE_COUNT; c++) {
        const uint64_t cycles[2] = {cause_of(w, 0, c), cause_of(w, 1, c)};
        if (cycles[0] || cycles[1])
            put_cause(w, analysis_cause_table[c].key, cycles,
                      analysis_cause_table[c].help);
    }
    put_cause(w, "all", all, "");
    lib_text_puts(w->out, "</tbody>\n</table></div>\n");
    lib_text_puts(w->out, "<div class=\"figures\">\n");
    for (size_t i = 0; i < 2; i++)
        sim_drawing_figure(w->runs[i], prefixes[i], "causes",
                           i ? "B: Causes over time" : "A: Causes over time", w->out,
                           w->diags);
    lib_text_puts(w->out, "</div>\n");
}

/* Draws both timelines over the cycles of the longer run. */
static void put_timelines(const struct writing *w)
{
    const uint64_t x = w->runs[0]->ending.stats.cycles,
                   y = w->runs[1]->ending.stats.cycles;
    for (size_t i = 0; i < 2; i++) {
        struct lib_findings busy, causes;
        const struct analysis_gantt_look look = {prefixes[i], x < y ? y : x, true};
        lib_text_printf(w->out, "<h3>%s</h3>\n", names[i]);
        if (sim_reported_findings(w->runs[i], ANALYSIS_STREAM_utilisation, false,
                                  &busy)) {
            const bool has_path = sim_reported_causes_findings(w->runs[i], &causes);
            analysis_gantt_draw(&w->runs[i]->gantt, &busy,
                                has_path ? lib_findings_find(&causes, "chain") : NULL,
                                &look, w->out);
            lib_findings_free(&causes);
        } else {
            sim_page_needs(w->runs[i],
                           analysis_stream_table[ANALYSIS_STREAM_utilisation].level,
                           w->out);
        }
        lib_findings_free(&busy);
    }
}

static void put_figures(const struct writing *w)
{
    lib_text_puts(w->out, "<div class=\"figures pairs\">\n");
    for (size_t i = 0; i < SIM_REPORT_FIGURES; i++)
        for (size_t run = 0; sim_report_figures[i].is_compared && run < 2; run++) {
            LIB_TEXT_OWN title = {0};
            lib_text_printf(&title, "%s: %s", names[run], sim_report_figures[i].title);
            sim_drawing_figure(w->runs[run], prefixes[run], sim_report_figures[i].shown,
                               lib_text_get(&title), w->out, w->diags);
        }
    lib_text_puts(w->out, "</div>\n");
}

static void put_difference(const struct writing *w)
{
    struct lib_findings f;
    LIB_TEXT_OWN text = {0};
    lib_findings_start(&f, NULL, true);
    analysis_diff_findings(w->diff, &f);
    lib_findings_write(&f, LIB_FORM_TEXT, NULL, &text);
    lib_findings_free(&f);
    lib_text_puts(w->out, "<pre tabindex=\"0\">");
    lib_html_text(w->out, lib_text_get(&text));
    lib_text_puts(w->out, "</pre>\n");
}

static void put_a(const struct writing *w)
{
    sim_page_what(w->runs[0], false, w->out);
}

static void put_b(const struct writing *w)
{
    sim_page_what(w->runs[1], false, w->out);
}

/* --- the page ------------------------------------------------------------------------------- */

void sim_report_write_two(const struct sim_reported *const runs[2],
                          const struct analysis_diff *diff,
                          const struct sim_replay_changes *reasons, struct lib_text *out,
                          struct lib_diags *diags)
{
    static const struct sim_report_section sections[] = {
        {"outcome", "Outcome"},
        {"reasons", "What is not the same"},
        {"causes-of-both", "Causes"},
        {"metrics", "Metrics"},
        {"timelines", "Timelines"},
        {"figures", "Figures"},
        {"difference", "The first difference"},
        {"a", "A"},
        {"b", "B"},
    };
    static void (*const put[])(const struct writing *w) = {
        put_outcome, put_reasons,    put_causes, put_metrics, put_timelines,
        put_figures, put_difference, put_a,      put_b,
    };
    enum { SECTIONS = sizeof sections / sizeof *sections };
    static_assert(sizeof put / sizeof *put == SECTIONS, "a function for each section");
    const struct writing w = {runs, diff, reasons, out, diags};
    LIB_TEXT_OWN title = {0};
    lib_text_puts(&title, "A: ");
    sim_page_name(runs[0], &title);
    lib_text_puts(&title, "; B: ");
    sim_page_name(runs[1], &title);
    sim_page_open(out, lib_text_get(&title), sections, SECTIONS);
    for (size_t i = 0; i < SECTIONS; i++) {
        sim_section_open(out, &sections[i]);
        put[i](&w);
        sim_section_close(out);
    }
    sim_page_close(out, false);
}

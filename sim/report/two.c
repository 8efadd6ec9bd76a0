/* Two runs side by side. */
#include "sim/report/report.h"

#include <math.h>

#include "analysis/diff/diff.h"
#include "sim/replay/replay.h"
#include "sim/report/page.h"

struct writing {
    const struct sim_reported *const *runs;
    struct lib_text *out;
};

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

static void put_reasons(const struct sim_replay_changes *reasons, struct lib_text *out)
{
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

void sim_report_write_two(const struct sim_reported *const runs[2],
                          const struct analysis_diff *diff,
                          const struct sim_replay_changes *reasons, struct lib_text *out)
{
    static const struct sim_report_section sections[] = {
        {"metrics", "Metrics"},
        {"reasons", "What is not the same"},
        {"difference", "The first difference"},
        {"a", "A"},
        {"b", "B"},
    };
    enum { SECTIONS = sizeof sections / sizeof *sections };
    const struct writing w = {runs, out};
    struct lib_text title = {0}, text = {0};
    lib_text_puts(&title, "A: ");
    sim_page_name(runs[0], &title);
    lib_text_puts(&title, "; B: ");
    sim_page_name(runs[1], &title);
    sim_page_open(out, lib_text_get(&title), sections, SECTIONS);
    for (size_t i = 0; i < SECTIONS; i++) {
        sim_section_open(out, &sections[i]);
        if (i == 0) {
            put_metrics(&w);
        } else if (i == 1) {
            put_reasons(reasons, out);
        } else if (i == 2) {
            struct lib_findings f;
            lib_findings_start(&f, NULL, true);
            analysis_diff_findings(diff, &f);
            lib_findings_write(&f, LIB_FORM_TEXT, NULL, &text);
            lib_findings_free(&f);
            lib_text_puts(out, "<pre tabindex=\"0\">");
            lib_html_text(out, lib_text_get(&text));
            lib_text_puts(out, "</pre>\n");
        } else {
            sim_page_what(runs[i - 3], false, out);
        }
        sim_section_close(out);
    }
    sim_page_close(out, false);
    lib_text_free(&title);
    lib_text_free(&text);
}

/* Parts that reports of one run and of two share: the page, its sections, the run, its
 * statistics. */
#ifndef SIM_REPORT_PAGE_H
#define SIM_REPORT_PAGE_H

#include "analysis/report/html.h"
#include "sim/report/report.h"

/* Styles and script for the page, compiled in. The last entry has no name. */
struct sim_report_text {
    const char *name, *text;
};
extern const struct sim_report_text sim_report_texts[];

/* A section of the page: anchor for links, and title. */
struct sim_report_section {
    const char *id, *title;
};

void sim_page_open(struct lib_text *out, const char *title,
                   const struct sim_report_section *sections, size_t count);
void sim_page_close(struct lib_text *out, bool has_script);

void sim_section_open(struct lib_text *out, const struct sim_report_section *section);
void sim_section_close(struct lib_text *out);

/* Adds the name of a run, as "fib.df on default". */
void sim_page_name(const struct sim_reported *reported, struct lib_text *text);

/* Adds what ran: a list of names and values. If `links_lines`, it links to lines of the source on
 * the page. */
void sim_page_what(const struct sim_reported *reported, bool links_lines,
                   struct lib_text *out);

void sim_page_stat(const struct traces_stats *stats, const struct traces_stat *stat,
                   struct lib_text *out);

/* Calls `found` for each statistic: if `is_main`, those that `hiaton run` prints, in its order,
 * else all. `if_any` means: omit it if 0. Leaves out digests, which sim_page_what shows. */
void sim_page_each_stat(bool is_main,
                        void (*found)(void *context, const struct traces_stat *stat,
                                      bool if_any),
                        void *context);

#endif

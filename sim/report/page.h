/* Parts of the page that reports of one run and of two share. */
#ifndef SIM_REPORT_PAGE_H
#define SIM_REPORT_PAGE_H

#include "analysis/report/html.h"
#include "sim/report/report.h"

/* Styles and script of the page, compiled in. The last entry has no name. */
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

/* Appends the name of a run, such as "fib.df on default, pe.count=4". */
void sim_page_name(const struct sim_reported *reported, struct lib_text *text);

/* Appends what ran and how it ended, as a list of names and values. If `links_lines`, a line number
 * is a link to the source text on the page. */
void sim_page_what(const struct sim_reported *reported, bool links_lines,
                   struct lib_text *out);

void sim_page_stat(const struct traces_stats *stats, const struct traces_stat *stat,
                   struct lib_text *out);

/* Appends a sentence that a part is left out, as it needs events of `level`. */
void sim_page_needs(const struct sim_reported *reported, enum traces_level level,
                    struct lib_text *out);

/* Calls `found` for each statistic: if `is_main`, for those that `hiaton run` prints, in its order;
 * else for all except digests. Its argument `if_any` asks it to omit the statistic if it is 0. */
void sim_page_each_stat(bool is_main,
                        void (*found)(void *context, const struct traces_stat *stat,
                                      bool if_any),
                        void *context);

#endif

/* The parts that reports share: a page and its sections, what ran, what was measured. */
#ifndef SIM_REPORT_PAGE_H
#define SIM_REPORT_PAGE_H

#include "analysis/report/html.h"
#include "sim/report/report.h"

/* Styles and script: of sim/report/, embedded. The last has no name. */
struct sim_report_text {
    const char *name, *text;
};
extern const struct sim_report_text sim_report_texts[];

/* A section, as its links name it. */
struct sim_report_section {
    const char *id, *title;
};

/* Opens a page with links to its sections. `title`: a text. */
void sim_page_open(struct lib_text *out, const char *title,
                   const struct sim_report_section *sections, size_t count);
void sim_page_close(struct lib_text *out, bool has_script);

void sim_section_open(struct lib_text *out, const struct sim_report_section *section);
void sim_section_close(struct lib_text *out);

/* "fib.df on default". */
void sim_page_name(const struct sim_reported *reported, struct lib_text *text);

/* What ran, as a list of names and values. `links_lines`: the page has the lines of the source. */
void sim_page_what(const struct sim_reported *reported, bool links_lines,
                   struct lib_text *out);

/* Adds the value of a statistic. */
void sim_page_stat(const struct traces_stats *stats, const struct traces_stat *stat,
                   struct lib_text *out);

/* Those that `hiaton run` prints, in its order, `if_any` where one that is 0 says nothing; or
 * all. Digests are told apart (sim_page_what). */
void sim_page_each_stat(bool is_main,
                        void (*found)(void *context, const struct traces_stat *stat,
                                      bool if_any),
                        void *context);

#endif

/* Reports: one run, or two side by side, as a self-contained HTML page for people without Hiaton. A
 * page depends only on the runs: it has no date and no path of the host. */
#ifndef SIM_REPORT_REPORT_H
#define SIM_REPORT_REPORT_H

#include "sim/report/reported.h"

/* Appends the report of a run. A drawing that is missing is mentioned on the page; if its program
 * failed or is not installed, also in a warning. */
void sim_report_write(const struct sim_reported *reported, struct lib_text *out,
                      struct lib_diags *diags);

struct sim_replay_changes;
struct analysis_diff;

/* Appends the report of two runs that were measured and read: the differences between their events,
 * from analysis_diff_find, and in program, settings and host. */
void sim_report_write_two(const struct sim_reported *const reported[2],
                          const struct analysis_diff *diff,
                          const struct sim_replay_changes *reasons, struct lib_text *out,
                          struct lib_diags *diags);

#endif

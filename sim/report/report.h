/* Reports: a run as one HTML page that stands alone, for people who do not have Hiaton; and two
 * runs side by side. A page depends on the runs alone: it has no date, and no path of the
 * host. */
#ifndef SIM_REPORT_REPORT_H
#define SIM_REPORT_REPORT_H

#include "sim/report/reported.h"

/* What could not be drawn is told in the page, and in `diags` as a warning. */
void sim_report_write(const struct sim_reported *reported, struct lib_text *out,
                      struct lib_diags *diags);

/* Two runs that were measured, and what analysis_diff_find found in them; what ran, and where,
 * that is not the same. */
struct sim_replay_changes;
struct analysis_diff;
void sim_report_write_two(const struct sim_reported *const reported[2],
                          const struct analysis_diff *diff,
                          const struct sim_replay_changes *reasons, struct lib_text *out);

#endif

/* The series of a run as a file: comma-separated values, a row per sample. */
#ifndef SIM_SESSION_SERIES_CSV_H
#define SIM_SESSION_SERIES_CSV_H

#include "lib/text.h"
#include "traces/series.h"

/* Adds the columns of doc/metrics.md: their names, then the rows. */
void sim_series_write_csv(const struct traces_series *series, struct lib_text *out);

#endif

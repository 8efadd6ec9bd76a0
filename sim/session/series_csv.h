/* Writes the time series of a run as comma-separated values, one row per sample. */
#ifndef SIM_SESSION_SERIES_CSV_H
#define SIM_SESSION_SERIES_CSV_H

#include "lib/text.h"
#include "traces/series.h"

/* Appends a row of column names (doc/metrics.md, "Series over time"), and a row per sample. */
void sim_series_write_csv(const struct traces_series *series, struct lib_text *out);

#endif

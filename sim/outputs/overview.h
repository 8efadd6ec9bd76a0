/* Prints what a database of results contains: `hiaton results show FILE.db`. */
#ifndef SIM_OUTPUTS_OVERVIEW_H
#define SIM_OUTPUTS_OVERVIEW_H

#include "analysis/view/view_spec.h"
#include "sim/messages/messages.h"
#include "traces/results/reader.h"

/* Requests the columns that sim_overview_put needs. To be called before traces_reader_load. */
void sim_overview_want(struct traces_reader *frame);

enum sim_status sim_overview_put(const struct sim_printer *printer, const char *path,
                                 struct traces_reader *frame,
                                 const struct analysis_view_specs *outputs);

#endif

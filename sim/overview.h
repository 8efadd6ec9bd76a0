/* What there is in a database of results: `hiaton results show FILE.db'. */
#ifndef SIM_OVERVIEW_H
#define SIM_OVERVIEW_H

#include "sim/frame.h"
#include "sim/options.h"
#include "sim/outputs.h"

/* Says which columns it needs: before sim_frame_load. */
void sim_overview_want(struct sim_frame *frame);

enum sim_status sim_overview_put(const struct sim_options *options,
                                 struct sim_frame *frame,
                                 const struct sim_outputs *outputs);

#endif

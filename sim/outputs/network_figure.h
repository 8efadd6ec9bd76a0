/* Draws the figure of `hiaton network --figure`. */
#ifndef SIM_OUTPUTS_NETWORK_FIGURE_H
#define SIM_OUTPUTS_NETWORK_FIGURE_H

#include "sim/messages/messages.h"
#include "sim/network/study.h"

/* Draws two panels over the offered load: mean latency with its 95 % interval, and accepted
 * load. */
enum sim_status sim_network_figure_put(const struct sim_study *study,
                                       const struct sim_printer *printer,
                                       const char *path);

#endif

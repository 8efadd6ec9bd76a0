/* Draws the figure of `hiaton network --figure'. */
#ifndef SIM_OUTPUTS_NETWORK_FIGURE_H
#define SIM_OUTPUTS_NETWORK_FIGURE_H

#include "sim/messages/messages.h"
#include "sim/network/study.h"

/* Draws a panel of latency and a panel of accepted load over offered load, with the bound. */
enum sim_status sim_network_figure_put(const struct sim_study *study,
                                       const struct sim_printer *printer,
                                       const char *path);

#endif

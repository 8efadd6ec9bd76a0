/* The figure of a study of a network: `hiaton network --figure'. */
#ifndef SIM_OUTPUTS_NETWORK_FIGURE_H
#define SIM_OUTPUTS_NETWORK_FIGURE_H

#include "sim/messages/messages.h"
#include "sim/network/study.h"

/* Latency and accepted load against offered load, a panel each, with the bound. */
enum sim_status sim_network_figure_put(const struct sim_study *study,
                                       const struct sim_voice *voice, const char *path);

#endif

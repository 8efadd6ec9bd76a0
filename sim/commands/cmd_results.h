#ifndef SIM_COMMANDS_CMD_RESULTS_H
#define SIM_COMMANDS_CMD_RESULTS_H

/* Runs `hiaton results rerun`, which is argv[0]. */
int sim_results_rerun(int argc, char **argv);

#endif

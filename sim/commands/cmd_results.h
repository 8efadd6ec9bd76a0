/* Commands of `hiaton results` besides its tables and figures. */
#ifndef SIM_COMMANDS_CMD_RESULTS_H
#define SIM_COMMANDS_CMD_RESULTS_H

/* argv[0] is "hiaton results rerun". */
int sim_results_rerun(int argc, char **argv);

#endif

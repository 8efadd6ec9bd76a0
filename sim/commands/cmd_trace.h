/* The commands of hiaton trace, one file each. */
#ifndef SIM_COMMANDS_CMD_TRACE_H
#define SIM_COMMANDS_CMD_TRACE_H

int sim_trace_export(int argc, char **argv);

#endif

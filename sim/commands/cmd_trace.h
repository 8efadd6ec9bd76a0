/* The sub-commands of `hiaton trace`. Each is called with argv[0] "hiaton trace CMD". */
#ifndef SIM_COMMANDS_CMD_TRACE_H
#define SIM_COMMANDS_CMD_TRACE_H

int sim_trace_export(int argc, char **argv);

#endif

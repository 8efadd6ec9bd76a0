/* The sub-commands of `hiaton trace`. Each is called with argv[0] "hiaton trace CMD". */
#ifndef SIM_COMMANDS_CMD_TRACE_H
#define SIM_COMMANDS_CMD_TRACE_H

int sim_trace_info(int argc, char **argv);
int sim_trace_text(int argc, char **argv);

#endif

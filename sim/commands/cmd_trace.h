/* The verbs of `hiaton trace`, a file cmd_trace_NAME.c each; argv[0] is "hiaton trace NAME". */
#ifndef SIM_COMMANDS_CMD_TRACE_H
#define SIM_COMMANDS_CMD_TRACE_H

int sim_trace_diff(int argc, char **argv);
int sim_trace_export(int argc, char **argv);

#endif

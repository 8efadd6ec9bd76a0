/* The sub-commands. argv[0] is "hiaton CMD"; what is returned is the exit status. */
#ifndef SIM_COMMANDS_COMMANDS_H
#define SIM_COMMANDS_COMMANDS_H

int sim_run(int argc, char **argv);
int sim_interp(int argc, char **argv);
int sim_compare(int argc, char **argv);
int sim_graph(int argc, char **argv);
int sim_compile(int argc, char **argv);
int sim_asm(int argc, char **argv);
int sim_disasm(int argc, char **argv);
int sim_machines(int argc, char **argv);
int sim_settings(int argc, char **argv);
int sim_ops(int argc, char **argv);
int sim_sweep(int argc, char **argv);
int sim_results(int argc, char **argv);

#endif

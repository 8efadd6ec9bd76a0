/* The sub-commands, one row each, in the order of `hiaton --help`: int sim_NAME(argc, argv), where
 * argv[0] is "hiaton NAME", and what is returned is the exit status.
 *
 * COMMAND(name, help) */
#ifndef SIM_COMMANDS_COMMANDS_H
#define SIM_COMMANDS_COMMANDS_H

/* clang-format off */
#define SIM_COMMANDS(COMMAND)                                                            \
    COMMAND(run, "run a program on a simulated machine")                                 \
    COMMAND(interp, "run a program untimed, without a machine")                          \
    COMMAND(compare, "run a program under both strategies, side by side")                \
    COMMAND(sweep, "run an experiment: many runs, described by a file")                  \
    COMMAND(results, "make tables and figures of the results of a sweep")                \
    COMMAND(replay, "run again what was recorded, and check it")                         \
    COMMAND(trace, "look at the events of runs")                                         \
    COMMAND(analyse, "profiles, state, traffic and costs of a run or a recording")       \
    COMMAND(report, "show a run as one page, for people who do not have hiaton")        \
    COMMAND(train, "train the params of a program")                                      \
    COMMAND(trees, "write trees to train on")                                            \
    COMMAND(network, "offer traffic to a network alone")                                 \
    COMMAND(platform, "write a platform: the network of a cluster")                      \
    COMMAND(partition, "search for the machines on which the parts of a program run fast") \
    COMMAND(graph, "print the graph of a program")                                       \
    COMMAND(compile, "compile a program to an image")                                    \
    COMMAND(asm, "assemble a text to an image")                                          \
    COMMAND(disasm, "print the assembly text of an image")                               \
    COMMAND(machines, "list the presets, or all settings of one")                        \
    COMMAND(settings, "list the settings, or the statistics")                            \
    COMMAND(ops, "list the opcodes")
/* clang-format on */

#define COMMAND(name, help) int sim_##name(int argc, char **argv);
SIM_COMMANDS(COMMAND)
#undef COMMAND

#endif

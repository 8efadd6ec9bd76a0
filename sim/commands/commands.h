/* COMMAND(group, name, help): commands in the order of `hiaton --help`, which shows them by group.
 * A command is int sim_NAME(argc, argv), where argv[0] is "hiaton NAME"; it returns the exit
 * status. Rows with the same help share a line, so that --help fits a screen of 24 lines of 80
 * columns. */
#ifndef SIM_COMMANDS_COMMANDS_H
#define SIM_COMMANDS_COMMANDS_H

/* clang-format off */
#define SIM_COMMANDS(COMMAND)                                                            \
    COMMAND(run, run, "run a program on a simulated machine")                            \
    COMMAND(run, interp, "run a program untimed, without a machine")                     \
    COMMAND(run, replay, "run again what was recorded, and check it")                    \
    COMMAND(run, train, "train the params of a program")                                 \
    COMMAND(study, compare, "run a program under both strategies, side by side")         \
    COMMAND(study, sweep, "run an experiment: many runs, described by a file")           \
    COMMAND(study, results, "make tables and figures of the results of a sweep")         \
    COMMAND(study, partition, "search for a fast division of a program among machines")  \
    COMMAND(study, network, "offer traffic to a network alone")                          \
    COMMAND(look, analyse, "profiles, state, traffic, costs and causes of a run")        \
    COMMAND(look, trace, "look at the events of runs")                                   \
    COMMAND(look, report, "show a run as one page, for people without hiaton")           \
    COMMAND(look, graph, "print or draw the graph of a program")                         \
    COMMAND(look, machines, "list what there is: presets, settings, opcodes")            \
    COMMAND(look, settings, "list what there is: presets, settings, opcodes")            \
    COMMAND(look, ops, "list what there is: presets, settings, opcodes")                 \
    COMMAND(make, compile, "compile a program to an image")                              \
    COMMAND(make, asm, "assemble a text to an image, and print an image as text")        \
    COMMAND(make, disasm, "assemble a text to an image, and print an image as text")     \
    COMMAND(make, platform, "write a platform: the network of a cluster")                \
    COMMAND(make, trees, "write trees to train on")
/* clang-format on */

#define COMMAND(group, name, help) int sim_##name(int argc, char **argv);
SIM_COMMANDS(COMMAND)
#undef COMMAND

#endif

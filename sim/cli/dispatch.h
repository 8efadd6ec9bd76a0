/* Commands that consist of others: `hiaton` and `hiaton sweep`. Each has a table of its commands;
 * --help, `help [COMMAND]`, misspelt names and completion follow from it. */
#ifndef SIM_CLI_DISPATCH_H
#define SIM_CLI_DISPATCH_H

#include <stddef.h>

struct sim_command {
    const char *name;
    int (*run)(int argc, char **argv); /* argv[0]: "hiaton sweep run" */
    const char *help;
    const char *group; /* the word before its rows in --help; or NULL */
};

/* Another spelling of the name of a command. */
struct sim_spelling {
    const char *word, *command;
};

struct sim_dispatch {
    const struct sim_command *commands;
    size_t count;
    const char *usage, *purpose; /* "COMMAND [OPTION...] FILE...", "Run experiments." */
    const char *manual;          /* "man hiaton-sweep" */
    const struct sim_spelling *spellings; /* up to one of NULL; or NULL */
    /* What may have been meant by a word that is no command, behind the message: "; did you mean
     * `run x.yaml`?"; or NULL. Owned by the caller of `meant`, made by lib_text. */
    char *(*meant)(const char *word);
};

/* The first argument where a command shall print what may stand at the end of the words behind it
 * (sim/cli/complete.h). */
#define SIM_COMPLETE "--complete"

/* The first argument where a command shall print its options for its manual page. */
#define SIM_MANUAL "--manual"

/* Runs the command that argv[1] names, under a name "ARGV[0] COMMAND", and returns its status. */
int sim_dispatch(const struct sim_dispatch *dispatch, int argc, char **argv);

#endif

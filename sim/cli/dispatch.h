/* Table of commands that have subcommands, as `hiaton` and `hiaton sweep`. --help, `help
 * [COMMAND]`, messages about misspelt names and completion are made from it. */
#ifndef SIM_CLI_DISPATCH_H
#define SIM_CLI_DISPATCH_H

#include <stddef.h>

struct sim_command {
    const char *name;
    int (*run)(int argc, char **argv); /* argv[0] is, for example, "hiaton sweep run" */
    const char *help;
    const char *group; /* title of the command's group in --help; or NULL */
};

struct sim_spelling {
    const char *word, *command;
};

struct sim_dispatch {
    const struct sim_command *commands;
    size_t count;
    /* texts of --help: "COMMAND [OPTION...] FILE...", "Run experiments." */
    const char *usage, *purpose;
    const char *manual; /* shows the manual page: "man hiaton-sweep" */
    /* other spellings of commands, ended by one of NULL; or NULL */
    const struct sim_spelling *spellings;
    /* Returns what an unknown word may mean, "; did you mean `run x.yaml`?", or NULL. The caller
     * frees it with lib_text. */
    char *(*meant)(const char *word);
};

/* First argument that makes a command print completions of the words after it
 * (sim/cli/complete.h). */
#define SIM_COMPLETE "--complete"

/* First argument that makes a command print its options for its manual page. */
#define SIM_MANUAL "--manual"

/* Runs the command argv[1] with argv[0] "ARGV[0] COMMAND", and returns its exit status. */
int sim_dispatch(const struct sim_dispatch *dispatch, int argc, char **argv);

#endif

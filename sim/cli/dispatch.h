/* Commands that have commands of their own, as `hiaton` and `hiaton sweep`, in a table. --help,
 * `help [COMMAND]`, messages about misspelt names and completion are made from it. */
#ifndef SIM_CLI_DISPATCH_H
#define SIM_CLI_DISPATCH_H

#include <stddef.h>

struct sim_command {
    const char *name;
    int (*run)(int argc, char **argv); /* argv[0]: "hiaton sweep run" */
    const char *help;
    const char *group; /* title of its group in --help; or NULL */
};

struct sim_spelling {
    const char *word, *command;
};

struct sim_dispatch {
    const struct sim_command *commands;
    size_t count;
    const char *usage, *purpose; /* "COMMAND [OPTION...] FILE...", "Run experiments." */
    const char *manual;          /* "man hiaton-sweep" */
    /* other spellings, ended by one of NULL; or NULL */
    const struct sim_spelling *spellings;
    /* Returns a command that may have been meant by an unknown word, as "run x.yaml", or NULL. The
     * caller frees it with lib_text. */
    char *(*meant)(const char *word);
};

/* First argument that makes a command print completions of the following words
 * (sim/cli/complete.h). */
#define SIM_COMPLETE "--complete"

/* First argument that makes a command print its options for its manual page. */
#define SIM_MANUAL "--manual"

/* Runs the command that argv[1] names, with argv[0] "ARGV[0] COMMAND", and returns its status. */
int sim_dispatch(const struct sim_dispatch *dispatch, int argc, char **argv);

#endif

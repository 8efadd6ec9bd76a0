/* Commands that have subcommands, such as `hiaton` and `hiaton sweep`. A table of the subcommands
 * gives --help, `help [COMMAND]`, completion and messages about misspelt names. */
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
    const char *manual; /* shell command for the manual page: "man hiaton-sweep" */
    /* other spellings of commands, ended by one whose `word` is NULL; NULL: none */
    const struct sim_spelling *spellings;
    /* Returns a hint at what an unknown word may mean, "; did you mean `run x.yaml`?", or NULL.
     * The caller frees it as the bytes of a lib_text. */
    char *(*meant)(const char *word);
};

/* First argument that makes a command print completions of the words after it
 * (sim/cli/complete.h). */
#define SIM_COMPLETE "--complete"

/* First argument that makes a command print its options for its manual page. */
#define SIM_MANUAL "--manual"

/* Runs the command that argv[1] names, and returns its exit status. The command gets the arguments
 * after its name, and as its argv[0] "ARGV[0] COMMAND", such as "hiaton sweep". */
int sim_dispatch(const struct sim_dispatch *dispatch, int argc, char **argv);

#endif

/* Completion of command lines: what may stand at the end of one, from the same tables that --help
 * and the parsers use. `hiaton --complete WORD...` prints it for the shells (sim/completion/):
 *
 *   :files yaml         also files, of that ending; or `:files`, `:folders`, `:nothing`;
 *                       `:files=` where a path stands behind the last `=` of the word;
 *                       `:unknown METAVAR` where the name of a value is not known here
 *   WORD<tab>MEANING    a line for each word that begins as the last one does */
#ifndef SIM_CLI_COMPLETE_H
#define SIM_CLI_COMPLETE_H

#include "sim/cli/options.h"

enum sim_complete_kind {
    SIM_COMPLETE_NOTHING,
    SIM_COMPLETE_FILES,
    SIM_COMPLETE_VALUE_FILES,
    SIM_COMPLETE_FOLDERS,
    SIM_COMPLETE_UNKNOWN,
};

/* Prints the first line; `detail` is an ending, the name of a value, or NULL. */
void sim_complete_begin(enum sim_complete_kind kind, const char *detail);

/* Prints a word and what it means. */
void sim_complete_word(const char *word, const char *meaning);

/* Prints what may stand at the end of the words of a command, which takes these options. */
void sim_complete(const struct sim_usage *usage, const struct argp_option *options,
                  int argc, char **argv);

/* A value of which the user has typed a part. */
struct sim_complete_value {
    const char *name;   /* as --help shows it: "FILE", "KEY=VALUE", "static|expanding" */
    const char *prefix; /* what stands before it in the same word: "--set=" */
    const char *typed;
    const char *const *arguments; /* before it on the line */
    size_t argument_count;
    bool is_argument; /* and no value of an option */
    const struct sim_usage *usage;
};

/* Prints what the value may be. */
void sim_complete_value(const struct sim_complete_value *value);

/* Prints the words of `word(i)` that begin as the typed text behind `skip` bytes, with these
 * bytes and `suffix` around them. For the commands' own (sim_usage.complete). */
void sim_complete_offer(const struct sim_complete_value *value, size_t skip,
                        const char *word, const char *suffix, const char *meaning);

#endif

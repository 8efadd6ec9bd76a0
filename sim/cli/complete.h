/* Completion of command lines, from the same tables that --help and the parsers use.
 * `hiaton --complete WORD...` prints completions of the last word, for shells (sim/completion/).
 * The first line says what the shell adds to them:
 *
 *   :nothing            nothing
 *   :files yaml         names of files that end with .yaml; without `yaml`, of all files
 *   :files=             names of files after the last `=` of the word
 *   :folders            names of folders
 *   :unknown METAVAR    nothing, as the possible values of METAVAR are unknown
 *
 * Each other line is WORD<tab>MEANING, a word that begins like the last one. */
#ifndef SIM_CLI_COMPLETE_H
#define SIM_CLI_COMPLETE_H

#include "sim/cli/options.h"
#include "traces/results/column.h"

enum sim_complete_kind {
    SIM_COMPLETE_NOTHING,
    SIM_COMPLETE_FILES,
    SIM_COMPLETE_VALUE_FILES,
    SIM_COMPLETE_FOLDERS,
    SIM_COMPLETE_UNKNOWN,
};

/* Prints the first line of completions, which says what the shell adds to them. `detail` is the
 * suffix of file names (FILES), the name of the value (UNKNOWN), or NULL. */
void sim_complete_begin(enum sim_complete_kind kind, const char *detail);

void sim_complete_word(const char *word, const char *meaning);

/* Prints completions of the last word of a command line, whose command has these options. */
void sim_complete(const struct sim_usage *usage, const struct argp_option *options,
                  int argc, char **argv);

/* Value that the user has typed in part. */
struct sim_complete_value {
    /* name of the value as in --help: "FILE", "KEY=VALUE", "static|expanding" */
    const char *name;
    const char *prefix; /* part of the word before the value: "--set=" */
    const char *typed;
    const char *const *arguments; /* earlier arguments of the command line */
    size_t argument_count;
    bool is_argument; /* the value is an argument, not the value of an option */
    const struct sim_usage *usage;
};

/* Prints possible values. */
void sim_complete_value(const struct sim_complete_value *value);

/* Offers a column for the last of several names with commas between. */
void sim_complete_column(const struct sim_complete_value *value,
                         const struct traces_column *column);

/* Offers `word` for the typed text after its first `skip` bytes, if it begins like that text. The
 * completion printed is these `skip` bytes, `word` and `suffix`. For use in sim_usage.complete. */
void sim_complete_offer(const struct sim_complete_value *value, size_t skip,
                        const char *word, const char *suffix, const char *meaning);

#endif

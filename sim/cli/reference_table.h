/* Shared by the commands that print a table of what Hiaton has: `hiaton settings`, `hiaton
 * machines`, `hiaton ops` and `hiaton sweep keys`. */
#ifndef SIM_CLI_REFERENCE_TABLE_H
#define SIM_CLI_REFERENCE_TABLE_H

#include "lib/findings.h"
#include "sim/cli/options.h"

/* Options of a command that prints a table, besides common ones. */
struct sim_table_choice {
    bool scdoc, statistics, energies;
};

/* Prints the table that `add` makes: as JSON, as entries of a manual page, or as text. */
enum sim_status sim_table_put(const struct sim_options *options,
                              const struct sim_table_choice *choice,
                              void (*add)(const void *context, struct lib_findings *f),
                              const void *context);

/* Whether a key matches a pattern: a part of the key, or with `*`, `?` or `[` a pattern for the
 * whole key. NULL matches all keys. */
bool sim_table_wants(const char *pattern, const char *key);

/* Returns the length of the first part of a key: 2 for "pe.count". */
size_t sim_group_length(const char *key);

#endif

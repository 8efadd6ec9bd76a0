/* What the commands that print a table have in common: hiaton settings, machines, ops. */
#ifndef SIM_CLI_REFERENCE_TABLE_H
#define SIM_CLI_REFERENCE_TABLE_H

#include "lib/findings.h"
#include "sim/cli/options.h"

/* The options of such a command; their own part is a struct sim_table_choice. */
struct sim_table_choice {
    bool scdoc, statistics, energies;
};

/* Prints what `add` finds: as JSON, as entries of a manual page, or as a text. */
enum sim_status sim_table_put(const struct sim_options *options,
                              const struct sim_table_choice *choice,
                              void (*add)(const void *context, struct lib_findings *f),
                              const void *context);

/* Whether a row is wanted: a PATTERN with `*`, `?` or `[` is matched with the whole key, another is
 * a part of it. NULL: all are. */
bool sim_table_wants(const char *pattern, const char *key);

/* The length of the group that a key belongs to: "pe" of "pe.count". */
size_t sim_group_length(const char *key);

#endif

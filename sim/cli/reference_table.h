/* What the commands that print a table have in common: hiaton settings, machines, ops. */
#ifndef SIM_CLI_REFERENCE_TABLE_H
#define SIM_CLI_REFERENCE_TABLE_H

#include "lib/text.h"
#include "sim/cli/options.h"

/* How a table is printed. */
enum sim_table_form {
    SIM_TABLE_TEXT,
    SIM_TABLE_JSON,  /* --json */
    SIM_TABLE_SCDOC, /* --scdoc: a piece of a manual page */
};

/* The options of such a command; their own part is a struct sim_table_choice. */
struct sim_table_choice {
    bool scdoc, statistics, energies;
};

enum sim_table_form sim_table_form(const struct sim_options *options,
                                   const struct sim_table_choice *choice);

/* Whether a row is wanted: a PATTERN with `*`, `?` or `[` is matched with the whole key, another is
 * a part of it. NULL: all are. */
bool sim_table_wants(const char *pattern, const char *key);

/* Adds text so that scdoc prints it as it is. */
void sim_scdoc_text(struct lib_text *out, const char *text);

/* Adds an entry: "*NAME*DETAIL", below it the help, indented. DETAIL starts with what
 * shall stand between. */
void sim_scdoc_entry(struct lib_text *out, const char *name, const char *detail,
                     const char *help);

/* The length of the group that a key belongs to: "pe" of "pe.count". */
size_t sim_group_length(const char *key);

#endif

/* Commands of `hiaton trace`, each in a file cmd_trace_NAME.c; argv[0] is "hiaton trace NAME". */
#ifndef SIM_COMMANDS_CMD_TRACE_H
#define SIM_COMMANDS_CMD_TRACE_H

#include "sim/cli/options.h"
#include "sim/replay/source.h"

int sim_trace_info(int argc, char **argv);
int sim_trace_text(int argc, char **argv);
int sim_trace_diff(int argc, char **argv);
int sim_trace_export(int argc, char **argv);

/* Sets `level` to the level of the events to read: the value of --level, or if not given the lower
 * of `all` and the level of the source. Returns false and adds a diagnostic if the source does not
 * have events of --level. */
bool sim_trace_level(const struct sim_options *options, const struct sim_source *source,
                     enum traces_level *level, struct lib_diags *diags);

/* Makes a source add the values of tokens to its events, for option --values. Returns false and
 * adds a diagnostic if the source is a file of events, which has no values. */
bool sim_trace_show_values(const struct sim_options *options, struct sim_source *source,
                           struct lib_diags *diags);

#endif

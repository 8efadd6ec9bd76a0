/* The commands of `hiaton trace`, each in a file cmd_trace_NAME.c; argv[0] is "hiaton trace
 * NAME". */
#ifndef SIM_COMMANDS_CMD_TRACE_H
#define SIM_COMMANDS_CMD_TRACE_H

#include "sim/cli/options.h"
#include "sim/replay/source.h"

int sim_trace_info(int argc, char **argv);
int sim_trace_text(int argc, char **argv);
int sim_trace_diff(int argc, char **argv);
int sim_trace_export(int argc, char **argv);

/* Sets `level` to that of --level; if missing, to `all` or to that of the file. Returns false and
 * adds a diagnostic if the file lacks such events. */
bool sim_trace_level(const struct sim_options *options, const struct sim_source *source,
                     enum traces_level *level, struct lib_diags *diags);

#endif

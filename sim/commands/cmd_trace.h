/* Commands of `hiaton trace`, each in a file cmd_trace_NAME.c; argv[0] is "hiaton trace NAME". */
#ifndef SIM_COMMANDS_CMD_TRACE_H
#define SIM_COMMANDS_CMD_TRACE_H

#include "sim/cli/options.h"
#include "sim/replay/source.h"

int sim_trace_info(int argc, char **argv);
int sim_trace_text(int argc, char **argv);
int sim_trace_diff(int argc, char **argv);
int sim_trace_export(int argc, char **argv);

/* Sets `level` to that of --level, or without the option to `all` or the level of the file if that
 * is lower. Returns false and adds a diagnostic if --level is above the level of the file. */
bool sim_trace_level(const struct sim_options *options, const struct sim_source *source,
                     enum traces_level *level, struct lib_diags *diags);

/* Makes a source give the values of tokens, as --values asks. Returns false and adds a diagnostic
 * if it is a file of events, which has none. */
bool sim_trace_show_values(const struct sim_options *options, struct sim_source *source,
                           struct lib_diags *diags);

#endif

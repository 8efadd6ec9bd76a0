/* Analyses that a command line asks for (analysis/stream/), and output of their results. */
#ifndef SIM_CLI_ANALYSES_H
#define SIM_CLI_ANALYSES_H

#include "analysis/stream/stream.h"
#include "sim/cli/complete.h"
#include "sim/explain/analysed.h"

/* Chosen analysis, or one of its tables. */
struct sim_analyses_choice {
    size_t which;
    const char *table; /* name of the table; NULL: all tables of the analysis */
};

/* Chosen analyses. Start with {.command, .causes}; free with sim_analyses_free. */
struct sim_analyses {
    const char *command;     /* command, for messages: "hiaton analyse" */
    bool *causes;            /* borrowed; set to true if causes of cycles are chosen */
    struct lib_arena *arena; /* owned */
    LIB_VEC(struct sim_analyses_choice) choices;
    bool shown[ANALYSIS_STREAM_COUNT]; /* whether a figure needs the analysis */
    struct analysis_stream_run run;    /* set by sim_analyses_open */
    struct analysis_streams *streams;
};

/* Choose all analyses, or those that `text` names: "NAME,NAME.TABLE". Each is chosen once, in the
 * order of analysis_stream_table. End the process if a name is unknown. */
void sim_analyses_choose_all(struct sim_analyses *analyses);
void sim_analyses_choose(struct sim_analyses *analyses, const char *text);

/* Removes the analyses that need the whole run; called if only some cycles of it are read. If the
 * user chose one of them by name (are_named), reports an error and ends the process. */
void sim_analyses_leave_whole(struct sim_analyses *analyses, bool are_named);
void sim_analyses_free(struct sim_analyses *analyses);

/* Prints completions of "NAME,NAME.TABLE". */
void sim_analyses_complete(const struct sim_complete_value *value);

/* Sets `wanted` to whether each analysis was chosen or is needed by a figure. */
void sim_analyses_wanted(const struct sim_analyses *analyses,
                         bool wanted[ANALYSIS_STREAM_COUNT]);

/* Starts the chosen analyses for a run. Ends the process if an analysis does not have a chosen
 * table. */
void sim_analyses_open(struct sim_analyses *analyses,
                       const struct analysis_stream_run *run);

/* Sets the sinks to which the run must send its events. Returns their number. */
size_t sim_analyses_sinks(const struct sim_analyses *analyses,
                          struct traces_event_sink sinks[TRACES_LEVEL_COUNT]);

/* Warns if the analysis `lines` was chosen but the source of the program is missing. */
void sim_analyses_warn(const struct sim_analyses *analyses,
                       const struct sim_printer *printer, const struct lib_source *source,
                       const char *name);

/* Add the results of analyses after the last event; in JSON as the key `analyses`. */
void sim_analyses_write_text(const struct sim_analyses *analyses, struct lib_text *out);
void sim_analyses_write_csv(const struct sim_analyses *analyses, struct lib_text *out);
void sim_analyses_write_json(const struct sim_analyses *analyses, struct lib_json *json);

#endif

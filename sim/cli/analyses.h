/* The analyses that a command line asks for (analysis/stream/), and what they found, as it is
 * written. */
#ifndef SIM_CLI_ANALYSES_H
#define SIM_CLI_ANALYSES_H

#include "analysis/stream/stream.h"
#include "sim/cli/complete.h"
#include "sim/explain/analysed.h"

/* An analysis, or one of its tables. */
struct sim_analyses_choice {
    size_t which;
    const char *table; /* NULL: all that it finds */
};

/* Start with {.command, .causes}; give back with sim_analyses_free. */
struct sim_analyses {
    const char *command; /* for what is wrong: "hiaton analyse" */
    bool *causes; /* whether the causes of cycles were chosen, which are not made here */
    struct lib_arena *arena; /* owned */
    LIB_VEC(struct sim_analyses_choice) choices;
    bool shown[ANALYSIS_STREAM_COUNT]; /* besides, those that a figure needs */
    struct analysis_stream_run run;    /* since they are open */
    struct analysis_streams *streams;
};

/* Adds all of them, or those of "NAME,NAME.TABLE"; in the order of the table of analyses, each
 * once. Ends the process if there is none of a name. */
void sim_analyses_choose_all(struct sim_analyses *analyses);
void sim_analyses_choose(struct sim_analyses *analyses, const char *text);

/* Leaves out the analyses that need the whole run, as only a window of it is read. If they were
 * chosen by name, that is an error, which ends the process. */
void sim_analyses_leave_whole(struct sim_analyses *analyses, bool are_named);
void sim_analyses_free(struct sim_analyses *analyses);

/* Completes such a text. */
void sim_analyses_complete(const struct sim_complete_value *value);

/* Those that are chosen, and those that a figure needs. */
void sim_analyses_wanted(const struct sim_analyses *analyses,
                         bool wanted[ANALYSIS_STREAM_COUNT]);

/* Gets the analyses ready for such a run. Ends the process if one of them has no such table. */
void sim_analyses_open(struct sim_analyses *analyses,
                       const struct analysis_stream_run *run);

/* Returns how many. */
size_t sim_analyses_sinks(const struct sim_analyses *analyses,
                          struct traces_event_sink sinks[TRACES_LEVEL_COUNT]);

/* Tells what there is to know of what was found, beside it. */
void sim_analyses_warn(const struct sim_analyses *analyses, const struct sim_voice *voice,
                       const struct lib_source *source, const char *name);

/* What was found, after the last event; in JSON the key `analyses`. */
void sim_analyses_write_text(const struct sim_analyses *analyses, struct lib_text *out);
void sim_analyses_write_csv(const struct sim_analyses *analyses, struct lib_text *out);
void sim_analyses_write_json(const struct sim_analyses *analyses, struct lib_json *json);

#endif

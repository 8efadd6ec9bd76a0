/* `hiaton analyse`: causes of cycles, what-if and figures; their options and results. */
#ifndef SIM_COMMANDS_CMD_ANALYSE_H
#define SIM_COMMANDS_CMD_ANALYSE_H

#include "analysis/figure/found_chart.h"
#include "sim/cli/complete.h"
#include "sim/cli/options.h"
#include "sim/explain/causes.h"
#include "sim/explain/whatif.h"
#include "sim/session/session.h"

/* Options of the causes of cycles, and the causes found. */
struct sim_analyse_causes {
    bool is_wanted;
    bool is_asked; /* the user asked for causes */
    bool is_drawn; /* a figure shows causes */
    bool is_told;
    enum analysis_cost_by by;
    enum analysis_causes_from from;
    /* source line, cycle or hash of a tag that options ask about; `from` says which */
    uint64_t which;
    const char *why;                 /* value of --why; NULL: not given */
    uint64_t cycles_from, cycles_to; /* window of --cycles; cycles_to 0: not given */
    bool chain, is_brief;            /* is_brief: shorter output, for people */
    bool why_stopped;                /* find out only why the run stopped */
    const struct lib_source *source;
    /* Output that gets parts of a long table as soon as they are made; NULL: all at the end. */
    struct sim_pieces *pieces;

    struct sim_causes_summary found;
};

bool sim_analyse_take_why(void *causes, const char *text, struct lib_text *why);

/* Options of what-if: other machines, or other times of instructions. */
struct sim_analyse_whatif {
    struct lib_texts changes;
    bool is_profile;
    unsigned by_function; /* profile functions instead of lines */
    const char *command;  /* name of the command for messages */
    const char *figure;   /* file for a figure of the profile; NULL: not given */
    unsigned jobs;        /* jobs to run at once; 0: one per processor */
    const struct lib_source *source;
};

/* Answer to one question about a whole run, such as why it stopped. It is all that the command
 * writes, as text, JSON or CSV. */
struct sim_analyse_answer {
    const char *key;    /* key of the answer in JSON */
    const char *status; /* how the run ended */
    uint64_t cycles;
    const char *reason; /* why the run ended so, shown to people below `status`; or "" */
    void (*tell)(const void *context, struct lib_findings *findings);
    const void *context;
};
void sim_analyse_write_answer(const struct sim_analyse_answer *answer,
                              const struct sim_options *options,
                              const struct sim_session *session, bool csv,
                              struct lib_text *out);

/* Prints completions of a change to predict. Returns false if the value is not one. */
bool sim_analyse_what_if_complete(const struct sim_complete_value *value);

/* Predicts the cycles of a run with each change, simulates it, and writes both results. */
enum sim_status sim_analyse_what_if(const struct sim_options *options,
                                    const struct sim_session *session,
                                    const struct sim_analyse_whatif *whatif,
                                    const struct sim_watch *watch, bool csv);

void sim_analyse_causes_start(struct sim_analyse_causes *causes);
void sim_analyse_causes_free(struct sim_analyse_causes *causes);

/* Prints completions of a target of --why. Returns false if the value is not one. */
bool sim_analyse_causes_complete(const struct sim_complete_value *value);

/* Finds the causes of cycles of the run in `file`, or if NULL of a new simulation of the session.
 * Returns false and adds a diagnostic on failure. */
bool sim_analyse_causes_run(struct sim_analyse_causes *causes,
                            const struct sim_session *session, struct sim_source *file,
                            const struct sim_watch *watch, struct lib_diags *diags);

/* Finds out and writes why a run stopped. */
enum sim_status sim_analyse_stopped(const struct sim_options *options,
                                    const struct sim_session *session,
                                    const struct sim_watch *watch, bool csv);

void sim_analyse_causes_tell(struct sim_analyse_causes *causes,
                             struct lib_findings *findings);

void sim_analyse_causes_write(struct sim_analyse_causes *causes, bool csv,
                              struct lib_text *out);

/* Adds the causes of cycles as key `causes`, and their tables as key `critical_path`. */
void sim_analyse_causes_write_json(struct sim_analyse_causes *causes,
                                   struct lib_json *json);

/* Options of a figure of analyses. Starts as {0}; free with sim_analyse_figure_free. */
struct sim_analyse_figure {
    const char *path;       /* value of --figure; NULL: not given */
    struct lib_texts shown; /* values of --show */
    enum analysis_thin thin;
    bool has_thin; /* option `thin` was given */
    struct analysis_found_panels found;
};

/* Reads the options of a figure. Ends the process if they are invalid. `is_part`: --cycles was
 * given. */
void sim_analyse_figure_read(struct sim_analyse_figure *figure, bool is_part,
                             const char *command);

/* Draws the figure, if requested. */
enum sim_status sim_analyse_figure_put(const struct sim_analyse_figure *figure,
                                       const struct sim_session *session,
                                       const struct analysis_stream_run *run,
                                       const struct analysis_found_source *source,
                                       const struct sim_watch *watch,
                                       const struct sim_printer *printer);
void sim_analyse_figure_free(struct sim_analyse_figure *figure);

#endif

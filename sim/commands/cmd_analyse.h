/* What `hiaton analyse` says of causes: its options, and what it finds. */
#ifndef SIM_COMMANDS_CMD_ANALYSE_H
#define SIM_COMMANDS_CMD_ANALYSE_H

#include "analysis/figure/found_chart.h"
#include "analysis/figure/run_chart.h"
#include "sim/cli/complete.h"
#include "sim/cli/options.h"
#include "sim/explain/causes_summary.h"
#include "sim/explain/whatif.h"
#include "sim/session/session.h"

/* What is asked for. */
struct sim_analyse_causes {
    bool is_wanted;
    bool is_asked; /* by an option, or by name; */
    bool is_drawn; /* by what a figure shows */
    bool is_told;
    enum analysis_cost_by by;
    enum analysis_causes_from from;
    uint64_t which;                  /* line, cycle, or path of a tag */
    const char *why;                 /* as it was asked; NULL: it was not */
    uint64_t cycles_from, cycles_to; /* of --cycles; to = 0: not given */
    bool chain, is_brief;            /* brief: for people */
    bool why_stopped;                /* only this */
    const struct lib_source *source;
    struct sim_pieces *pieces; /* what is written is put there now and then; or NULL */

    /* What was found. */
    struct sim_causes_summary found;
};

bool sim_analyse_take_why(void *causes, const char *text, struct lib_text *why);

/* What is asked of other machines, and of other times of instructions. */
struct sim_analyse_whatif {
    struct lib_texts changes;
    bool is_profile;
    unsigned by_function; /* whether the profile is of functions, and not of lines */
    const char *command;  /* for messages */
    const char *figure;   /* of the profile; NULL: not given */
    unsigned jobs;        /* 0: as many as there are processors */
    const struct lib_source *source;
};

/* What is asked of a whole run, and its answer alone: written as text, JSON or comma-separated
 * values. */
struct sim_analyse_answer {
    const char *key;    /* in JSON */
    const char *status; /* how the run ended */
    uint64_t cycles;
    const char *reason; /* for people, below how it ended; "": none */
    void (*tell)(const void *context, struct lib_findings *findings);
    const void *context;
};
void sim_analyse_write_answer(const struct sim_analyse_answer *answer,
                              const struct sim_options *options,
                              const struct sim_session *session, bool csv,
                              struct lib_text *out);

/* Completes a CHANGE; false: it is none. */
bool sim_analyse_what_if_complete(const struct sim_complete_value *value);

/* Predicts, simulates, and writes it. */
enum sim_status sim_analyse_what_if(const struct sim_options *options,
                                    const struct sim_session *session,
                                    const struct sim_analyse_whatif *whatif,
                                    const struct sim_watch *watch, bool csv);

void sim_analyse_causes_start(struct sim_analyse_causes *causes);
void sim_analyse_causes_free(struct sim_analyse_causes *causes);

/* Completes a TARGET; false: it is none. */
bool sim_analyse_causes_complete(const struct sim_complete_value *value);

/* Finds them; `file`, or NULL: the session is simulated. */
bool sim_analyse_causes_run(struct sim_analyse_causes *causes,
                            const struct sim_session *session, struct sim_source *file,
                            const struct sim_watch *watch, struct lib_diags *diags);

/* Finds out why a run stopped, and writes it. */
enum sim_status sim_analyse_stopped(const struct sim_options *options,
                                    const struct sim_session *session,
                                    const struct sim_watch *watch, bool csv);

void sim_analyse_causes_tell(struct sim_analyse_causes *causes,
                             struct lib_findings *findings);

/* As text, or as comma-separated values. */
void sim_analyse_causes_write(struct sim_analyse_causes *causes, bool csv,
                              struct lib_text *out);

/* Adds `causes`, and the rows and the chain if they are asked for. */
void sim_analyse_causes_write_json(struct sim_analyse_causes *causes,
                                   struct lib_json *json);

/* --figure. Start with {0}; free it with sim_analyse_figure_free. */
struct sim_analyse_figure {
    const char *path;       /* NULL: not given */
    struct lib_texts shown; /* values of --show */
    enum analysis_thin thin;
    bool has_thin; /* it was given */
    struct analysis_found_panels found;
    struct analysis_run_panels
        over_time; /* in place of `found', of series and profiles */
    bool is_over_time;
};

/* Reads the panels; `is_part`: --cycles was given. Ends the process if they are wrong. */
void sim_analyse_figure_read(struct sim_analyse_figure *figure, bool is_part,
                             const char *command);

/* Draws the figure, if one was asked for. */
enum sim_status sim_analyse_figure_put(const struct sim_analyse_figure *figure,
                                       const struct sim_session *session,
                                       const struct analysis_stream_run *run,
                                       const struct analysis_found_source *source,
                                       const struct sim_watch *watch,
                                       const struct sim_voice *voice);
void sim_analyse_figure_free(struct sim_analyse_figure *figure);

#endif

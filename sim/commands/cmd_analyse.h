/* `hiaton analyse`: causes of cycles, what-if and figures; their options and results. */
#ifndef SIM_COMMANDS_CMD_ANALYSE_H
#define SIM_COMMANDS_CMD_ANALYSE_H

#include "analysis/figure/found_chart.h"
#include "sim/cli/complete.h"
#include "sim/cli/options.h"
#include "sim/explain/causes_summary.h"
#include "sim/explain/whatif.h"
#include "sim/session/session.h"

/* Causes of cycles: options, and the causes found. */
struct sim_analyse_causes {
    bool is_wanted;
    bool is_asked; /* an option or a name asks for causes */
    bool is_drawn; /* a figure shows causes */
    bool is_told;
    enum analysis_cost_by by;
    enum analysis_causes_from from;
    uint64_t which;                  /* line, cycle, or path of a tag */
    const char *why;                 /* value of --why; NULL: not given */
    uint64_t cycles_from, cycles_to; /* of --cycles; to = 0: not given */
    bool chain, is_brief;            /* `is_brief`: shorter, for people */
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
    unsigned by_function; /* profile functions, not lines */
    const char *command;  /* command for messages */
    const char *figure;   /* file for a figure of the profile; NULL: not given */
    unsigned jobs;        /* 0: one per processor */
    const struct lib_source *source;
};

/* One answer about a whole run, written alone as text, JSON or CSV. */
struct sim_analyse_answer {
    const char *key;    /* key in JSON */
    const char *status; /* how the run ended */
    uint64_t cycles;
    const char *reason; /* shown to people below `status`; "": none */
    void (*tell)(const void *context, struct lib_findings *findings);
    const void *context;
};
void sim_analyse_write_answer(const struct sim_analyse_answer *answer,
                              const struct sim_options *options,
                              const struct sim_session *session, bool csv,
                              struct lib_text *out);

/* Prints completions of a CHANGE. Returns false if the value is not a CHANGE. */
bool sim_analyse_what_if_complete(const struct sim_complete_value *value);

/* Predicts the effect of changes, simulates it, and writes both. */
enum sim_status sim_analyse_what_if(const struct sim_options *options,
                                    const struct sim_session *session,
                                    const struct sim_analyse_whatif *whatif,
                                    const struct sim_watch *watch, bool csv);

void sim_analyse_causes_start(struct sim_analyse_causes *causes);
void sim_analyse_causes_free(struct sim_analyse_causes *causes);

/* Prints completions of a TARGET. Returns false if the value is not a TARGET. */
bool sim_analyse_causes_complete(const struct sim_complete_value *value);

/* Finds the causes of the run in `file`; if NULL, of a simulation of the session. */
bool sim_analyse_causes_run(struct sim_analyse_causes *causes,
                            const struct sim_session *session, struct sim_source *file,
                            const struct sim_watch *watch, struct lib_diags *diags);

/* Finds out and writes why a run stopped. */
enum sim_status sim_analyse_stopped(const struct sim_options *options,
                                    const struct sim_session *session,
                                    const struct sim_watch *watch, bool csv);

void sim_analyse_causes_tell(struct sim_analyse_causes *causes,
                             struct lib_findings *findings);

/* Adds the causes as text or CSV. */
void sim_analyse_causes_write(struct sim_analyse_causes *causes, bool csv,
                              struct lib_text *out);

/* Adds the key `causes`, and the rows and the chain if wanted. */
void sim_analyse_causes_write_json(struct sim_analyse_causes *causes,
                                   struct lib_json *json);

/* Options of --figure. Starts as {0}; free with sim_analyse_figure_free. */
struct sim_analyse_figure {
    const char *path;       /* NULL: not given */
    struct lib_texts shown; /* values of --show */
    enum analysis_thin thin;
    bool has_thin; /* `thin` was given */
    struct analysis_found_panels found;
};

/* Reads the options. Ends the process if they are invalid. `is_part`: --cycles was given. */
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

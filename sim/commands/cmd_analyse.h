/* What `hiaton analyse` says of causes: its options, and what it finds. */
#ifndef SIM_COMMANDS_CMD_ANALYSE_H
#define SIM_COMMANDS_CMD_ANALYSE_H

#include "sim/cli/complete.h"
#include "sim/cli/options.h"
#include "sim/explain/causes_summary.h"
#include "sim/explain/whatif.h"

/* What is asked for. */
struct sim_analyse_causes {
    bool is_wanted;
    bool is_asked; /* by an option, or by name; */
    bool is_drawn; /* by what a figure shows */
    bool is_told;
    enum analysis_cost_by by;
    enum analysis_causes_from from;
    uint64_t which;       /* line, cycle, or path of a tag */
    const char *why;      /* as it was asked; NULL: it was not */
    bool chain, is_brief; /* brief: for people */
    bool why_stopped;     /* only this */
    const struct lib_source *source;
    struct sim_pieces *pieces; /* what is written is put there now and then; or NULL */

    /* What was found. */
    struct sim_causes_summary found;
};

enum {
    SIM_ANALYSE_KEY_CAUSES = 0x280,
    SIM_ANALYSE_KEY_BY,
    SIM_ANALYSE_KEY_END,
    SIM_ANALYSE_KEY_CHAIN,
    SIM_ANALYSE_KEY_WHY,
    SIM_ANALYSE_KEY_STOPPED,
};

#define SIM_ANALYSE_CAUSES_OPTIONS                                                       \
    {"causes",                                                                           \
     SIM_ANALYSE_KEY_CAUSES,                                                             \
     NULL,                                                                               \
     0,                                                                                  \
     "Only the causes of cycles; the following options say so too",                      \
     0},                                                                                 \
        {"by",                                                                           \
         SIM_ANALYSE_KEY_BY,                                                             \
         "function|line|opcode|cause",                                                   \
         0,                                                                              \
         "Causes for each function, line of the source or opcode to which cycles "       \
         "belong",                                                                       \
         0},                                                                             \
        {"end",                                                                          \
         SIM_ANALYSE_KEY_END,                                                            \
         "run|result",                                                                   \
         0,                                                                              \
         "Causes up to the end of the run (the default), or to when its result was "     \
         "written",                                                                      \
         0},                                                                             \
        {"why-stopped",                                                                  \
         SIM_ANALYSE_KEY_STOPPED,                                                        \
         NULL,                                                                           \
         0,                                                                              \
         "Of a run that was full, exhausted or deadlocked: what waits for what, and "    \
         "the settings that would have let it go on",                                    \
         0},                                                                             \
        {"why",                                                                          \
         SIM_ANALYSE_KEY_WHY,                                                            \
         "TARGET",                                                                       \
         0,                                                                              \
         "What a firing waited for, backwards: the last one of `line:N', up to "         \
         "`cycle:N', under a tag such as `[1,0.2]', or of the `result'",                 \
         0},                                                                             \
    {                                                                                    \
        "chain", SIM_ANALYSE_KEY_CHAIN, NULL, 0,                                         \
            "The critical path itself, from start to end", 0                             \
    }

/* What is asked of other machines, and of other times of instructions. */
struct sim_analyse_whatif {
    LIB_VEC(const char *) changes;
    bool is_profile, by_function;
    const char *command; /* for messages */
    const char *figure;  /* of the profile; NULL: not given */
    unsigned jobs;       /* 0: as many as there are processors */
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

/* One of the options above; ARGP_ERR_UNKNOWN if it is another. */
error_t sim_analyse_causes_parse(struct sim_analyse_causes *causes, int key, char *text,
                                 struct argp_state *state);

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

#endif

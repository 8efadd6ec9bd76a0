/* A comparison: one program under both strategies, on one machine, for rows of inputs
 * (doc/manual.md, "Static against expanding").
 *
 * It is an experiment that a command line describes, whose fastest axis is the side: static,
 * and expanding, once or with each copy.placement. So runs, workers and columns are those of
 * sweeps, and those of row i begin with run i * side_count. */
#ifndef SIM_COMPARE_COMPARISON_H
#define SIM_COMPARE_COMPARISON_H

#include "sim/ending/status.h"
#include "sim/sweep/worker.h"

/* What stands side by side; all but the first are expanding. */
enum sim_side { SIM_SIDE_STATIC, SIM_SIDE_EXPANDING, SIM_SIDE_PLACED, SIM_SIDE_MAX };

/* Where the copies of expanding run. */
enum sim_placement {
    SIM_PLACEMENT_CALLER, /* as the choices of copy.placement */
    SIM_PLACEMENT_PLACED,
    SIM_PLACEMENT_BOTH, /* expanding has two sides, in this order */
    SIM_PLACEMENT_GIVEN /* as the machine says */
};

/* What is compared; all borrowed as long as the comparison lives. */
struct sim_comparison_request {
    const char *program;       /* a path; "-": standard input */
    const char *const *inputs; /* NAME=VALUES */
    size_t input_count;
    bool in_rows; /* the i-th values of all inputs are a row; else every combination is */
    enum sim_placement placement;
    const char *machine;     /* a preset or a file; NULL: the preset `default` */
    const char *const *sets; /* KEY=VALUE */
    size_t set_count;
    uint64_t seed;
    bool has_seed;                  /* the user gave it */
    struct sim_outcome_files files; /* their paths are made one for each run */
};

struct sim_comparison {
    uint64_t seed;
    struct sim_outcome_files files; /* of the request */
    size_t side_count;
    const char *names[SIM_SIDE_MAX];     /* "static", "expanding", "expanding, caller" */
    const char *keys[SIM_SIDE_MAX];      /* "static", "expanding", "expanding.caller" */
    struct sim_experiment experiment;    /* of the request */
    const struct traces_column **inputs; /* those that are given, in their order */
    size_t input_count;
    struct sim_runs runs;
    struct sim_outcome *outcomes; /* owned; of each run, once they are all there */
    size_t row_count;
    size_t done; /* how many runs have been made */
};

/* Reads and checks what is asked for. false after errors. Give back with
 * sim_comparison_close in either case, not before the diagnostics were told. */
bool sim_comparison_open(struct sim_comparison *comparison,
                         const struct sim_comparison_request *request,
                         struct lib_diags *diags);
void sim_comparison_close(struct sim_comparison *comparison);

/* Makes all runs, `jobs` at a time, until it is stopped. false where the host gives no
 * processes. */
bool sim_comparison_run(struct sim_comparison *comparison, unsigned jobs,
                        const struct sim_runs_watch *watch, struct lib_diags *diags);

/* Adds lines on which runs have no result, and where the strategies do not agree on the
 * result, on calls or on iterations. What says most of all rows: SIM_INTERNAL, SIM_DIFFERS,
 * SIM_FAILED, SIM_LIMIT, SIM_DONE. */
enum sim_status sim_comparison_check(const struct sim_comparison *comparison,
                                     struct lib_text *out);

/* Adds lines on where one PE of many did all the work. */
void sim_comparison_warn(const struct sim_comparison *comparison, struct lib_text *out);

static inline const struct sim_outcome *
sim_comparison_outcome(const struct sim_comparison *comparison, size_t row,
                       enum sim_side side)
{
    return &comparison->outcomes[row * comparison->side_count + side];
}

/* The file of a run where that of the request is at `path`: of "x.rec" "x.static.rec", and with
 * several rows "x.2.static.rec". It lives in the arena; NULL of NULL. */
const char *sim_comparison_file(const struct sim_comparison *comparison, const char *path,
                                size_t row, enum sim_side side, struct lib_arena *arena);

/* Whether a run has a result. */
bool sim_comparison_has(const struct sim_comparison *comparison, size_t row,
                        enum sim_side side);

/* Whether all runs of a row have one, the same, with as many calls and iterations. */
bool sim_comparison_agrees(const struct sim_comparison *comparison, size_t row);

/* Why it ended: "completed", "limit". */
static inline const char *sim_comparison_status(const struct sim_comparison *comparison,
                                                size_t row, enum sim_side side)
{
    return sim_outcome_status(sim_comparison_outcome(comparison, row, side));
}

/* By how much static takes less time than another side, in percent; NaN unless both runs have
 * a result. */
double sim_comparison_speedup(const struct sim_comparison *comparison, size_t row,
                              enum sim_side side);

/* What a given input is in a row. Text lives in the arena. */
struct traces_cell sim_comparison_input(const struct sim_comparison *comparison,
                                        size_t row, size_t input,
                                        struct lib_arena *arena);

/* --- in words ----------------------------------------------------------------------- */

/* What is shown of each row: statistics, and `speedup`. */
struct sim_shown {
    size_t count;
    const struct traces_column **columns; /* a NULL is the speedup */
};

/* Reads names with commas between them; NULL: those that are shown if nothing is said. */
bool sim_shown_read(struct sim_shown *shown, const struct sim_comparison *comparison,
                    const char *names, struct lib_diags *diags);

/* The table for a terminal. Returns whether a result was too long for it, and cut. */
bool sim_comparison_write_text(const struct sim_comparison *comparison,
                               const struct sim_shown *shown, struct lib_text *out);
void sim_comparison_write_latex(const struct sim_comparison *comparison,
                                const struct sim_shown *shown, struct lib_text *out);
void sim_comparison_write_csv(const struct sim_comparison *comparison,
                              const struct sim_shown *shown, struct lib_text *out);
/* One object, with all statistics. */
void sim_comparison_write_json(const struct sim_comparison *comparison,
                               struct lib_text *out);

#endif

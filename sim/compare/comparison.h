/* Comparison (`hiaton compare`): one program under both strategies, on one machine, for rows of
 * inputs (doc/graphs.md, "Static against expanding").
 *
 * It is an experiment described by a command line. Its fastest axis is the side: static, and
 * expanding, once or with each copy.placement. Results are a database in memory, whose view
 * `comparison` has a row per row of inputs; the check and all outputs are queries of it. The runs
 * of row i begin with number i * side_count. */
#ifndef SIM_COMPARE_COMPARISON_H
#define SIM_COMPARE_COMPARISON_H

#include "sim/ending/status.h"
#include "sim/sweep/result_writer.h"
#include "sim/sweep/worker.h"

/* The sides that a row compares; all except the first are expanding. */
enum sim_side { SIM_SIDE_STATIC, SIM_SIDE_EXPANDING, SIM_SIDE_PLACED, SIM_SIDE_MAX };

/* Where copies of graphs are placed under the strategy `expanding`. */
enum sim_placement {
    SIM_PLACEMENT_CALLER, /* values of copy.placement: this and the next */
    SIM_PLACEMENT_PLACED,
    SIM_PLACEMENT_BOTH, /* both placements, as two sides, in this order */
    SIM_PLACEMENT_GIVEN /* as the settings of the machine say */
};

/* Arguments of sim_comparison_open. All pointers are borrowed as long as the comparison. */
struct sim_comparison_request {
    const char *program;       /* path, or "-": standard input */
    const char *const *inputs; /* NAME=VALUES */
    size_t input_count;
    bool in_rows; /* the i-th values of all inputs form a row; else all combinations */
    enum sim_placement placement;
    const char *machine;     /* preset or file; NULL: the preset `default` */
    const char *const *sets; /* KEY=VALUE */
    size_t set_count;
    uint64_t seed;
    bool has_seed;                  /* the user specified the seed */
    struct sim_outcome_files files; /* from each path one path per run is made */
};

struct sim_comparison {
    uint64_t seed;
    struct sim_outcome_files files; /* the `files` of the request */
    size_t side_count;
    const char *names[SIM_SIDE_MAX];     /* "static", "expanding", "expanding, caller" */
    const char *keys[SIM_SIDE_MAX];      /* "static", "expanding", "expanding.caller" */
    struct sim_experiment experiment;    /* experiment made from the request */
    const struct traces_column **inputs; /* inputs that the user specified, in order */
    size_t input_count;
    struct sim_runs runs;
    size_t row_count;
    struct traces_database store; /* results, in memory, with the view `comparison` */
    struct sim_result_writer keep;
    size_t done, failed;  /* number of runs made; of runs without a result */
    struct lib_text lost; /* lines about output files that could not be written */
};

/* Reads and checks a request, and makes the database. Returns false and adds diagnostics on errors.
 * Free the comparison with sim_comparison_close in either case, after the diagnostics are
 * reported. */
bool sim_comparison_open(struct sim_comparison *comparison,
                         const struct sim_comparison_request *request,
                         struct lib_diags *diags);
void sim_comparison_close(struct sim_comparison *comparison);

/* Makes all runs, `jobs` at a time, until `watch` stops them. Returns false and adds a diagnostic
 * if the host has no more processes. */
bool sim_comparison_run(struct sim_comparison *comparison, unsigned jobs,
                        const struct sim_runs_watch *watch, struct lib_diags *diags);

/* Stores the outcome of a run. This function and those below return false if the database fails. */
bool sim_comparison_take(struct sim_comparison *comparison, size_t run,
                         const struct sim_outcome *outcome);

/* Adds lines about runs without a result, and about rows in which the strategies differ in result,
 * calls or iterations. Sets the first status that applies to a row: SIM_INTERNAL, SIM_DIFFERS,
 * SIM_FAILED, SIM_LIMIT, SIM_DONE. */
bool sim_comparison_check(struct sim_comparison *comparison, enum sim_status *status,
                          struct lib_text *out);

/* Adds a warning about runs in which one PE of many did all the work. */
bool sim_comparison_warn(struct sim_comparison *comparison, struct lib_text *out);

/* Adds the path of one run's file, made from the requested one: "x.static.rec" for "x.rec", or
 * "x.2.static.rec" if `row` is ".2". */
void sim_comparison_file(const struct sim_comparison *comparison, const char *path,
                         enum sim_side side, const char *row, struct lib_text *out);

/* --- output ------------------------------------------------------------------------- */

/* The columns that a table shows: statistics, and `speedup`. */
struct sim_shown {
    size_t count;
    const struct traces_column **columns; /* NULL: the column `speedup` */
};

/* Reads names of columns separated by commas; NULL: the default columns. */
bool sim_shown_read(struct sim_shown *shown, const struct sim_comparison *comparison,
                    const char *names, struct lib_diags *diags);

/* Adds the rows as a table for people; as CSV; as one JSON object with all statistics; or as a
 * LaTeX table with the rules of booktabs. Sets `is_cut` if a result was cut as too long for a table
 * for people. */
bool sim_comparison_write(struct sim_comparison *comparison,
                          const struct sim_shown *shown, enum lib_form form,
                          struct lib_text *out, bool *is_cut);

#endif

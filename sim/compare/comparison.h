/* A comparison: one program under both strategies, on one machine, for rows of inputs
 * (doc/graphs.md, "Static against expanding").
 *
 * It is a sweep described by a command line. Its fastest axis is the side: static, and expanding,
 * once or with each copy.placement. Its results are a database in memory. A view of that,
 * `comparison`, has a row for each row of inputs; the check and all outputs are queries of it. The
 * runs of row i begin with number i * side_count. */
#ifndef SIM_COMPARE_COMPARISON_H
#define SIM_COMPARE_COMPARISON_H

#include "sim/ending/status.h"
#include "sim/sweep/result_writer.h"
#include "sim/sweep/worker.h"

/* The sides of a row; all except the first are expanding. */
enum sim_side { SIM_SIDE_STATIC, SIM_SIDE_EXPANDING, SIM_SIDE_PLACED, SIM_SIDE_MAX };

/* The placement of copies for the expanding strategy. */
enum sim_placement {
    SIM_PLACEMENT_CALLER, /* these two are choices of copy.placement */
    SIM_PLACEMENT_PLACED,
    SIM_PLACEMENT_BOTH, /* expanding has two sides, in this order */
    SIM_PLACEMENT_GIVEN /* as in the settings of the machine */
};

/* The parameters of a comparison. All pointers are borrowed for its life. */
struct sim_comparison_request {
    const char *program;       /* path, or "-" for standard input */
    const char *const *inputs; /* NAME=VALUES */
    size_t input_count;
    bool in_rows; /* the i-th values of all inputs are a row; else every combination is */
    enum sim_placement placement;
    const char *machine;     /* preset or file; NULL for the preset `default` */
    const char *const *sets; /* KEY=VALUE */
    size_t set_count;
    uint64_t seed;
    bool has_seed;                  /* the user gave the seed */
    struct sim_outcome_files files; /* each path becomes one per run */
};

struct sim_comparison {
    uint64_t seed;
    struct sim_outcome_files files; /* of the request */
    size_t side_count;
    const char *names[SIM_SIDE_MAX];     /* "static", "expanding", "expanding, caller" */
    const char *keys[SIM_SIDE_MAX];      /* "static", "expanding", "expanding.caller" */
    struct sim_experiment experiment;    /* experiment made from the request */
    const struct traces_column **inputs; /* given inputs, in order */
    size_t input_count;
    struct sim_runs runs;
    size_t row_count;
    struct traces_database store; /* results, in memory, with the view `comparison` */
    struct sim_result_writer keep;
    size_t done, failed;  /* number of runs made, and of those without a result */
    struct lib_text lost; /* lines about files of runs that could not be written */
};

/* Reads and checks a request, and makes the database. Returns false after errors. Free the
 * comparison with sim_comparison_close in either case, after the diagnostics were reported. */
bool sim_comparison_open(struct sim_comparison *comparison,
                         const struct sim_comparison_request *request,
                         struct lib_diags *diags);
void sim_comparison_close(struct sim_comparison *comparison);

/* Makes all runs, `jobs` at a time, until it is stopped. Returns false if the host gives no
 * processes. */
bool sim_comparison_run(struct sim_comparison *comparison, unsigned jobs,
                        const struct sim_runs_watch *watch, struct lib_diags *diags);

/* Takes the outcome of a run. The functions from here on return false after an error of the
 * database. */
bool sim_comparison_take(struct sim_comparison *comparison, size_t run,
                         const struct sim_outcome *outcome);

/* Adds lines about runs without a result, and about rows in which the strategies differ in result,
 * calls or iterations. Sets the first of these statuses that applies to a row: SIM_INTERNAL,
 * SIM_DIFFERS, SIM_FAILED, SIM_LIMIT, SIM_DONE. */
bool sim_comparison_check(struct sim_comparison *comparison, enum sim_status *status,
                          struct lib_text *out);

/* Adds a line about runs in which one PE of many did all the work. */
bool sim_comparison_warn(struct sim_comparison *comparison, struct lib_text *out);

/* Adds why static, or the faster side of expanding, takes fewer cycles in the last row: a line
 * each about both, firings, copies and causes. Adds nothing if the sides take as many cycles, or do
 * not agree. For the causes, runs that are not too long are made again. */
bool sim_comparison_explain(struct sim_comparison *comparison, struct lib_text *out);

/* Adds the path of a file of a run, from that of the request: "x.static.rec" for "x.rec", and with
 * several rows "x.2.static.rec", if `row` is ".2". */
void sim_comparison_file(const struct sim_comparison *comparison, const char *path,
                         enum sim_side side, const char *row, struct lib_text *out);

/* --- output ------------------------------------------------------------------------- */

/* The columns shown of each row: statistics, and `speedup`. */
struct sim_shown {
    size_t count;
    const struct traces_column **columns; /* NULL for the speedup */
};

/* Reads names separated by commas; NULL gives the default columns. */
bool sim_shown_read(struct sim_shown *shown, const struct sim_comparison *comparison,
                    const char *names, struct lib_diags *diags);

/* Adds the rows: as a table for a terminal; as comma-separated values; as one object with all
 * statistics; or as a tabular with the rules of booktabs. `is_cut`: a result was too long for a
 * table for a terminal, and cut. */
enum sim_comparison_form {
    SIM_COMPARISON_TEXT,
    SIM_COMPARISON_CSV,
    SIM_COMPARISON_JSON,
    SIM_COMPARISON_LATEX,
};
bool sim_comparison_write(struct sim_comparison *comparison,
                          const struct sim_shown *shown, enum sim_comparison_form form,
                          struct lib_text *out, bool *is_cut);

#endif

/* Comparison (`hiaton compare`): one program under both strategies, on one machine, for rows of
 * inputs (doc/graphs.md, "Static against expanding").
 *
 * A comparison is an experiment made from a command line. Each row has a run per side: one with the
 * strategy static; then one with expanding, or two, with copy.placement=caller and =placed. The
 * runs of row i have the indices i * side_count and following. Results are a database in memory,
 * whose view `comparison` has a row per row of inputs. The check and all outputs are queries of
 * this view. */
#ifndef SIM_COMPARE_COMPARISON_H
#define SIM_COMPARE_COMPARISON_H

#include "sim/ending/status.h"
#include "sim/sweep/result_writer.h"
#include "sim/sweep/worker.h"

/* Sides: the runs that a row compares. The first has the strategy static, the others expanding. */
enum sim_side { SIM_SIDE_STATIC, SIM_SIDE_EXPANDING, SIM_SIDE_PLACED, SIM_SIDE_MAX };

/* Values of copy.placement (where copies of graphs are placed) that a comparison uses for its sides
 * with the strategy expanding. */
enum sim_placement {
    SIM_PLACEMENT_CALLER, /* copy.placement=caller; the next: copy.placement=placed */
    SIM_PLACEMENT_PLACED,
    SIM_PLACEMENT_BOTH, /* two sides with the strategy expanding, one with each value */
    SIM_PLACEMENT_GIVEN /* the value in the settings of the machine */
};

/* Arguments of sim_comparison_open. All pointers are borrowed as long as the comparison exists. */
struct sim_comparison_request {
    const char *program;       /* path of the program; "-": standard input */
    const char *const *inputs; /* each is "NAME=VALUES" */
    size_t input_count;
    /* whether row i has the i-th value of each input; else each combination of values is a row */
    bool in_rows;
    enum sim_placement placement;
    /* preset or file of the machine; NULL: the preset `default` */
    const char *machine;
    const char *const *sets; /* settings of the machine, each "KEY=VALUE" */
    size_t set_count;
    uint64_t seed;
    bool has_seed; /* whether the user chose the seed */
    /* paths of output files, from which sim_comparison_file makes a path for each run */
    struct sim_outcome_files files;
};

struct sim_comparison {
    uint64_t seed;
    struct sim_outcome_files files; /* copy of `files` in the request */
    size_t side_count;
    /* names of the sides in text for people: "static", "expanding", "expanding, caller" */
    const char *names[SIM_SIDE_MAX];
    /* names of the sides in CSV, JSON and paths: "static", "expanding", "expanding.caller" */
    const char *keys[SIM_SIDE_MAX];
    struct sim_experiment experiment;    /* made from the request */
    const struct traces_column **inputs; /* inputs that the user specified, in order */
    size_t input_count;
    struct sim_runs runs;
    size_t row_count;
    struct traces_database store; /* results in memory, with the view `comparison` */
    struct sim_result_writer keep;
    size_t done, failed;  /* number of runs made; number of runs without a result */
    struct lib_text lost; /* lines about output files that could not be written */
    bool lost_by_host;    /* the host is to blame for one of these */
};

/* Reads and checks a request, and makes the database. Returns false and adds diagnostics on errors.
 * In either case call sim_comparison_close; but report the diagnostics before, as they borrow from
 * the comparison. */
bool sim_comparison_open(struct sim_comparison *comparison,
                         const struct sim_comparison_request *request,
                         struct lib_diags *diags);
void sim_comparison_close(struct sim_comparison *comparison);

/* Makes all runs, `jobs` at a time, until `watch` stops them. Returns false and adds a diagnostic
 * if no more processes can be started. */
bool sim_comparison_run(struct sim_comparison *comparison, unsigned jobs,
                        const struct sim_runs_watch *watch, struct lib_diags *diags);

/* Stores the outcome of the run with index `run`. Returns false if the database fails. */
bool sim_comparison_take(struct sim_comparison *comparison, size_t run,
                         const struct sim_outcome *outcome);

/* Adds lines about runs without a result, and about rows in which the strategies differ in result,
 * calls or iterations. Sets `status` to the gravest status of a row, in this order: SIM_INTERNAL,
 * SIM_DIFFERS, SIM_FAILED, SIM_LIMIT, SIM_DONE. Returns false if the database fails. */
bool sim_comparison_check(struct sim_comparison *comparison, enum sim_status *status,
                          struct lib_text *out);

/* Adds a warning if one of several PEs did all the work in some runs. Returns false if the database
 * fails. */
bool sim_comparison_warn(struct sim_comparison *comparison, struct lib_text *out);

/* Adds lines that explain why one strategy takes fewer cycles than the other in the last row: by
 * firings, copies, tokens, opcodes and causes of cycles. Uses the fastest of several expanding
 * sides. Adds nothing if results differ, and only whether copying keeps workers busy if cycles are
 * equal. Repeats the runs to count opcodes and find causes, unless they are long. Returns false if
 * the database fails. */
bool sim_comparison_explain(struct sim_comparison *comparison, struct lib_text *out);

/* Adds the path of an output file of one run. It is `path` with `row` and the name of the side
 * before the ending: for "x.rec", "x.static.rec", or "x.2.static.rec" if `row` is ".2". */
void sim_comparison_file(const struct sim_comparison *comparison, const char *path,
                         enum sim_side side, const char *row, struct lib_text *out);

/* Returns false and adds a diagnostic if a file of a run would overwrite an input of the command,
 * or another output. */
bool sim_comparison_may_write(const struct sim_comparison *comparison,
                              struct lib_diags *diags);

/* --- output ------------------------------------------------------------------------- */

/* The columns that a table shows. */
struct sim_shown {
    size_t count;
    /* columns to show; an item that is NULL means the column `speedup` */
    const struct traces_column **columns;
};

/* Reads names of columns, separated by commas; NULL: the default columns. Returns false and adds a
 * diagnostic on errors. */
bool sim_shown_read(struct sim_shown *shown, const struct sim_comparison *comparison,
                    const char *names, struct lib_diags *diags);

/* Adds the rows in the form `form`: as a table for people, as CSV, as a JSON object with all
 * statistics, or as a LaTeX table for booktabs. Sets `is_cut` if a result was too long for the
 * table for people and is shortened. Returns false if the database fails. */
bool sim_comparison_write(struct sim_comparison *comparison,
                          const struct sim_shown *shown, enum lib_form form,
                          struct lib_text *out, bool *is_cut);

#endif

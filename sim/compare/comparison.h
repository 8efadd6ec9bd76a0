/* A comparison: one program under both strategies, on one machine, for rows of inputs
 * (doc/graphs.md, "Static against expanding").
 *
 * It is an experiment described by a command line. Its fastest axis is the side: static, and
 * expanding, once or with each copy.placement. So it uses the runs, workers and columns of sweeps.
 * The runs of row i begin with number i * side_count. */
#ifndef SIM_COMPARE_COMPARISON_H
#define SIM_COMPARE_COMPARISON_H

#include "sim/ending/status.h"
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
    struct sim_outcome *outcomes; /* outcome of each run; owned */
    size_t row_count;
    size_t done; /* number of runs made */
};

/* Reads and checks a request. Returns false after errors. Free the comparison with
 * sim_comparison_close in either case, after the diagnostics were reported. */
bool sim_comparison_open(struct sim_comparison *comparison,
                         const struct sim_comparison_request *request,
                         struct lib_diags *diags);
void sim_comparison_close(struct sim_comparison *comparison);

/* Makes all runs, `jobs` at a time, until it is stopped. Returns false if the host gives no
 * processes. */
bool sim_comparison_run(struct sim_comparison *comparison, unsigned jobs,
                        const struct sim_runs_watch *watch, struct lib_diags *diags);

/* Adds lines about runs without a result, and about rows in which the strategies differ in result,
 * calls or iterations. Returns the first of these that applies to a row: SIM_INTERNAL, SIM_DIFFERS,
 * SIM_FAILED, SIM_LIMIT, SIM_DONE. */
enum sim_status sim_comparison_check(const struct sim_comparison *comparison,
                                     struct lib_text *out);

/* Adds lines about runs in which one PE of many did all the work. */
void sim_comparison_warn(const struct sim_comparison *comparison, struct lib_text *out);

static inline const struct sim_outcome *
sim_comparison_outcome(const struct sim_comparison *comparison, size_t row,
                       enum sim_side side)
{
    return &comparison->outcomes[row * comparison->side_count + side];
}

/* Returns the path of a file of a run from that of the request: "x.static.rec" for "x.rec", and
 * with several rows "x.2.static.rec". It lives in the arena. Returns NULL for NULL. */
const char *sim_comparison_file(const struct sim_comparison *comparison, const char *path,
                                size_t row, enum sim_side side, struct lib_arena *arena);

/* Returns true if a run has a result. */
bool sim_comparison_has(const struct sim_comparison *comparison, size_t row,
                        enum sim_side side);

/* Returns true if all runs of a row have the same result, with the same numbers of calls and
 * iterations. */
bool sim_comparison_agrees(const struct sim_comparison *comparison, size_t row);

/* Returns the status of a run: "completed", "limit". */
static inline const char *sim_comparison_status(const struct sim_comparison *comparison,
                                                size_t row, enum sim_side side)
{
    return sim_outcome_status(sim_comparison_outcome(comparison, row, side));
}

/* Returns by how many percent the time of static is less than that of another side; NaN unless both
 * runs have a result. */
double sim_comparison_speedup(const struct sim_comparison *comparison, size_t row,
                              enum sim_side side);

/* Returns the value of a given input in a row. Text lives in the arena. */
struct traces_cell sim_comparison_input(const struct sim_comparison *comparison,
                                        size_t row, size_t input,
                                        struct lib_arena *arena);

/* --- output ------------------------------------------------------------------------- */

/* The columns shown of each row: statistics, and `speedup`. */
struct sim_shown {
    size_t count;
    const struct traces_column **columns; /* NULL for the speedup */
};

/* Reads names separated by commas; NULL gives the default columns. */
bool sim_shown_read(struct sim_shown *shown, const struct sim_comparison *comparison,
                    const char *names, struct lib_diags *diags);

/* The table for a terminal. Returns whether a result was too long for it, and cut. */
bool sim_comparison_write_text(const struct sim_comparison *comparison,
                               const struct sim_shown *shown, struct lib_text *out);
void sim_comparison_write_latex(const struct sim_comparison *comparison,
                                const struct sim_shown *shown, struct lib_text *out);
void sim_comparison_write_csv(const struct sim_comparison *comparison,
                              const struct sim_shown *shown, struct lib_text *out);

/* Writes one object, with all statistics. */
void sim_comparison_write_json(const struct sim_comparison *comparison,
                               struct lib_text *out);

#endif

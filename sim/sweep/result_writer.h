/* Writes results of runs to the database, and finds results that it already has. Each transaction
 * is committed a short time after its first row. If the process is killed, uncommitted rows are
 * lost; their runs must be repeated. */
#ifndef SIM_SWEEP_RESULT_WRITER_H
#define SIM_SWEEP_RESULT_WRITER_H

#include "sim/experiment/walk.h"
#include "sim/session/description.h"
#include "sim/sweep/outcome.h"
#include "sim/sweep/result_layout.h"

/* A file of trainings that was added to the database: the source of a program, or a file it
 * reads. */
struct sim_result_file {
    const struct lib_source *source;
    const char *digest;
};

struct sim_result_writer {
    /* Borrowed. sim_result_layout_begin has begun a transaction in it. */
    struct traces_database *store;
    const struct sim_experiment *experiment; /* borrowed; the runs belong to it */
    struct traces_query find, run, host, exact, part, details[TRACES_DETAIL_COUNT];
    struct lib_arena *arena, *of_row; /* of_row is cleared for each row */
    LIB_VEC(struct sim_result_file) files;
    /* Description of this computer; only here.by is set. */
    struct sim_description here;
    struct sim_walk *walk; /* through the runs that are added; NULL if only details are */
    double since;          /* time of the first uncommitted row; 0: none */
    /* Settings whose values `run` has, of the row before. */
    struct sim_settings bound;
    bool has_bound;
};

/* Begins writing. Returns false if the database fails. In either case free with
 * sim_result_writer_end, which commits nothing. */
bool sim_result_writer_begin(struct sim_result_writer *keep,
                             struct traces_database *store,
                             const struct sim_experiment *experiment);

/* Like sim_result_writer_begin, to write only details (traces/results/detail.h), whose tables must
 * exist. */
bool sim_result_writer_begin_details(struct sim_result_writer *keep,
                                     struct traces_database *store);

/* Adds the details of a run, which has the id `id` in the table `runs`. Returns false if the
 * database fails. */
bool sim_result_writer_add_details(struct sim_result_writer *keep, int64_t id,
                                   const struct sim_outcome *outcome);

void sim_result_writer_end(struct sim_result_writer *keep);

/* State of a run in the database. NOTHING: no row, or one of an interrupted or crashed run, which
 * must be repeated. FAILED: the run ended in another way than completion. ERROR: the database
 * failed. */
enum sim_result_state {
    SIM_RESULT_FOUND_NOTHING,
    SIM_RESULT_FOUND_COMPLETED,
    SIM_RESULT_FOUND_FAILED,
    SIM_RESULT_FOUND_ERROR
};
enum sim_result_state sim_result_writer_find(struct sim_result_writer *keep,
                                             const struct sim_run *run);

/* Adds the outcome of a run to the database, or replaces its earlier one. Returns false if the
 * database fails. */
bool sim_result_writer_add(struct sim_result_writer *keep, const struct sim_run *run,
                           const struct sim_outcome *outcome);

/* Commit the rows, always or only if due, and begin the next transaction. Return false if the
 * database fails. */
bool sim_result_writer_commit(struct sim_result_writer *keep);
bool sim_result_writer_commit_if_due(struct sim_result_writer *keep);

#endif

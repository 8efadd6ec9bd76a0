/* Data and functions shared by the files sim/sweep/rerun*.c. */
#ifndef SIM_SWEEP_RERUN_INTERNAL_H
#define SIM_SWEEP_RERUN_INTERNAL_H

#include "sim/loading/inputs.h"
#include "sim/experiment/expand.h"
#include "sim/experiment/measures.h"
#include "sim/sweep/rerun.h"
#include "sim/sweep/result_writer.h"

typedef LIB_VEC(struct sim_replay_change) changes;

/* A compiled program of stored runs. `graph` is NULL if no program with this digest was found;
 * `why` then has the reason. */
struct rerun_image {
    const char *digest;
    const struct isa_graph *graph;
    const char *why;
};

/* Value of a program input that a database column cannot hold exactly, such as -0.0. */
struct rerun_exact {
    const char *identity, *name, *value;
};

/* A file of a training run: the source of its program, or a file that the program reads. */
struct rerun_part {
    const char *identity, *name;
    const struct lib_source *source;
};

/* An energy table in the database. */
struct rerun_energy {
    const char *name, *text;
};

struct sim_rerun {
    struct lib_arena *arena;
    const char *folder;          /* folder of the database, with a final slash; or "" */
    struct traces_reader reader; /* the database, with all columns read */
    const struct traces_column *number, *program, *status, *reason, *image_digest,
        *identity, *version;      /* columns of the database */
    struct sim_measures measures; /* analyses that have columns in the database */
    struct traces_columns own;    /* columns of results of a repeated run */
    /* For each column of the database: the column of a repeated run to compare it with, or NULL. */
    const struct traces_column **own_of;
    LIB_VEC(struct rerun_energy) energies;
    struct sim_setting_files files;
    LIB_VEC(struct rerun_exact) exact;
    /* Files of training runs. Those of one run are adjacent, its program first. */
    LIB_VEC(struct rerun_part) parts;
    LIB_VEC(struct rerun_image) images; /* programs searched for so far, one per digest */
    LIB_VEC(struct isa_graph *) graphs; /* owned; graphs read from the database */
    /* Experiment in the database, read with the programs in the database's folder. */
    struct sim_experiment beside;
    struct sim_experiment given; /* programs given by the user */
    bool has_looked;             /* rerun_look_beside has been called */
    bool reads_beside;           /* the experiment in `beside` was read without errors */
    bool has_expanded;           /* `asked` has been computed; empty if that failed */
    struct sim_runs asked;       /* runs that the experiment in `beside` asks for */
    struct sim_rerun_row *rows;
    size_t row_count;
    size_t missing; /* number of runs of the experiment that are not in the database */
    LIB_VEC(size_t) todo; /* indices in `rows` of the runs to repeat */
    /* Details that the experiment keeps, and which are therefore compared. */
    bool keeps[TRACES_DETAIL_COUNT];
    struct traces_database fresh;          /* in memory: details of the run made last */
    struct sim_result_writer fresh_writer; /* writes into `fresh` */
    bool
        is_altered; /* experiment, columns, points, an image or a file are not as written */
    bool broken;    /* reading the database has failed */
    bool shows_each; /* text for people lists all runs, not only failures */
};

/* --- sim/sweep/rerun.c ---------------------------------------------------------------- */

/* A run to repeat, as read from its row in the database. */
struct rerun_prepared {
    struct sim_description description;
    struct sim_setup setup;
    struct sim_inputs inputs;
    struct sim_window window;
    const struct analysis_energy *energy; /* energy table of the run; NULL: none */
};

/* Reads a run to repeat from the database. Returns false and adds diagnostics on errors. */
bool rerun_prepare(const struct sim_rerun *rerun, const struct sim_rerun_row *row,
                   struct lib_arena *arena, struct rerun_prepared *prepared,
                   struct lib_diags *diags);

/* Writes a cell for messages: "nothing" for an empty one. */
const char *rerun_text_of(struct sim_rerun *rerun, const struct traces_cell *cell);
bool rerun_is_same_cell(const struct traces_cell *a, const struct traces_cell *b);

/* --- sim/sweep/rerun_open.c ------------------------------------------------------------ */

/* Reads the experiment that the database contains as if its file were in the database's folder,
 * where its programs may be. */
void rerun_look_beside(struct sim_rerun *rerun);

/* --- sim/sweep/rerun_details.c --------------------------------------------------------- */

/* Finds the details that the experiment keeps, and prepares to compare them. Returns false if a
 * database fails. rerun_details_close frees what it prepared. */
bool rerun_details_open(struct sim_rerun *rerun, struct lib_diags *diags);
void rerun_details_close(struct sim_rerun *rerun);

/* Adds to `found` how the details of a stored run differ from those of its repetition: the first
 * difference in each table. Returns false if a database fails. */
bool rerun_compare_details(struct sim_rerun *rerun, const struct sim_rerun_row *row,
                           const struct sim_outcome *outcome, changes *found);

/* --- sim/sweep/rerun_identity.c -------------------------------------------------------- */

/* Returns how a row contradicts its identity (a digest of all that a run depends on). Returns NULL
 * if they agree, and for rows of other versions of Hiaton, which cannot be checked. Of trainings
 * the identity is not checked. */
const char *rerun_check_own(struct sim_rerun *rerun, const struct sim_rerun_row *row);
/* Returns how a row contradicts the run that the experiment asks for at its number, or NULL. */
const char *rerun_check_asked(struct sim_rerun *rerun, const struct sim_rerun_row *row);

/* --- sim/sweep/rerun_train.c --------------------------------------------------------- */

/* Whether a stored run trains a program. */
bool rerun_is_training(const struct sim_rerun *rerun, size_t run);

/* Reads the files of training runs into rerun->parts. Returns false if the database cannot be
 * read. */
bool rerun_read_parts(struct sim_rerun *rerun);

/* Returns why a stored training cannot be repeated, or NULL if it can. */
const char *rerun_check_training(const struct sim_rerun *rerun, size_t run);

/* Reads the training options of a row; an empty one was not given. */
void rerun_read_options(const struct sim_rerun *rerun, const struct sim_rerun_row *row,
                        struct lib_arena *arena, struct sim_training_options *options);

void rerun_train(const struct sim_rerun *rerun, const struct sim_rerun_row *row,
                 const struct sim_settings *settings,
                 const struct sim_description *description, struct sim_outcome *outcome);

#endif

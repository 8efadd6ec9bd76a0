/* Data and functions that the files sim/sweep/rerun*.c share. */
#ifndef SIM_SWEEP_RERUN_INTERNAL_H
#define SIM_SWEEP_RERUN_INTERNAL_H

#include "sim/experiment/measures.h"
#include "sim/sweep/rerun.h"

typedef LIB_VEC(struct sim_replay_change) changes;

/* A compiled program of rows. `graph` is NULL if it is missing or damaged; `why` has the reason. */
struct rerun_image {
    const char *digest;
    const struct isa_graph *graph;
    const char *why;
};

/* An input value that a database column cannot hold exactly, such as -0.0. */
struct rerun_exact {
    const char *identity, *name, *value;
};

/* A file of a training run: the source of its program, or a file that this reads. */
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
    struct traces_reader reader; /* reads all columns of the database */
    const struct traces_column *number, *program, *status, *reason, *image_digest,
        *identity, *version;      /* columns of `reader` */
    struct sim_measures measures; /* measures that have columns in the database */
    struct traces_columns own;    /* columns that a new run yields */
    /* For each column of `reader`: the column of a new run to compare, or NULL. */
    const struct traces_column **own_of;
    LIB_VEC(struct rerun_energy) energies;
    struct sim_setting_files files;
    LIB_VEC(struct rerun_exact) exact;
    /* Files of training runs; those of one are adjacent, the program first. */
    LIB_VEC(struct rerun_part) parts;
    LIB_VEC(struct rerun_image) images; /* different programs that the rows ran */
    LIB_VEC(struct isa_graph *) graphs; /* owned; graphs that `images` borrow */
    /* experiment file beside the database, with its programs */
    struct sim_experiment beside;
    struct sim_experiment given; /* programs that the user has given */
    bool has_looked;             /* `beside` has been looked for */
    struct sim_rerun_row *rows;
    size_t row_count;
    LIB_VEC(size_t) todo; /* rows that can be repeated */
    bool broken;          /* the database cannot be read */
    bool shows_each;      /* reports for people list all rows */
};

/* --- sim/sweep/rerun_train.c --------------------------------------------------------- */

/* Whether the run of a row trains a program. */
bool rerun_is_training(const struct sim_rerun *rerun, size_t run);

/* Reads the files of training runs into `parts`. Returns false if the database cannot be read. */
bool rerun_read_parts(struct sim_rerun *rerun);

/* Returns why the training of a row cannot be repeated, or NULL if it can. */
const char *rerun_check_training(const struct sim_rerun *rerun, size_t run);

/* Repeats the training of a row. */
void rerun_train(const struct sim_rerun *rerun, const struct sim_rerun_row *row,
                 const struct machine_settings *settings,
                 const struct sim_description *description, struct sim_outcome *outcome);

#endif

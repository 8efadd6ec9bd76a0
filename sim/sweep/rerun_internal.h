/* Data and functions shared by sim/sweep/rerun*.c. */
#ifndef SIM_SWEEP_RERUN_INTERNAL_H
#define SIM_SWEEP_RERUN_INTERNAL_H

#include "sim/experiment/measures.h"
#include "sim/sweep/rerun.h"

typedef LIB_VEC(struct sim_replay_change) changes;

/* An image of rows. `graph` is NULL if the image is missing or damaged, for the reason in `why`. */
struct rerun_image {
    const char *digest;
    const struct isa_graph *graph;
    const char *why;
};

/* An input that the columns of results cannot hold. */
struct rerun_exact {
    const char *identity, *name, *value;
};

/* A part of a training: the source of its program, or a file that the program reads. */
struct rerun_part {
    const char *identity, *name;
    const struct lib_source *source; /* NULL if the database does not have it */
};

/* A table of energies. */
struct rerun_energy {
    const char *name, *text;
};

struct sim_rerun {
    struct lib_arena *arena;
    const char *folder;          /* folder of the database, with a final slash; or "" */
    struct traces_reader reader; /* with all columns */
    const struct traces_column *number, *program, *status, *reason, *image_digest,
        *identity, *version;      /* columns of the reader */
    struct sim_measures measures; /* measures of columns of the database */
    struct traces_columns own;    /* columns of a new run */
    /* Column of a new run for each column of the reader, or NULL. */
    const struct traces_column **own_of;
    LIB_VEC(struct rerun_energy) energies;
    struct sim_setting_files files; /* files in the database */
    LIB_VEC(struct rerun_exact) exact;
    /* Parts of trainings. Those of one training are adjacent, the program first. */
    LIB_VEC(struct rerun_part) parts;
    LIB_VEC(struct rerun_image) images; /* compiled programs of rows */
    LIB_VEC(struct isa_graph *) graphs; /* compiled programs in the database; owned */
    struct sim_experiment beside;       /* programs beside the database */
    struct sim_experiment given;        /* programs given by the user */
    bool has_looked;                    /* `beside` was searched */
    struct sim_rerun_row *rows;
    size_t row_count;
    LIB_VEC(size_t) todo; /* rows that can be run */
    bool broken;          /* the database cannot be read */
    bool shows_each;      /* a text has all rows */
};

/* --- sim/sweep/rerun_train.c --------------------------------------------------------- */

/* Whether the run of a row is a training. */
bool rerun_is_training(const struct sim_rerun *rerun, size_t run);

/* Reads what trainings were made of. Returns false if the database cannot be read. */
bool rerun_read_parts(struct sim_rerun *rerun);

/* Returns why the training of a row cannot be repeated, or NULL if it can. */
const char *rerun_check_training(const struct sim_rerun *rerun, size_t run);

/* Repeats the training of a row. */
void rerun_train(const struct sim_rerun *rerun, const struct sim_rerun_row *row,
                 const struct machine_settings *settings,
                 const struct sim_description *description, struct sim_outcome *outcome);

#endif

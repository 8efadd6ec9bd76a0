/* What sim/sweep/rerun*.c share. */
#ifndef SIM_SWEEP_RERUN_INTERNAL_H
#define SIM_SWEEP_RERUN_INTERNAL_H

#include "sim/experiment/measures.h"
#include "sim/sweep/rerun.h"

typedef LIB_VEC(struct sim_replay_change) changes;

/* An image that rows name; NULL: it is nowhere, or damaged, which is in `why`. */
struct rerun_image {
    const char *digest;
    const struct isa_graph *graph;
    const char *why;
};

/* An input that the columns of results cannot hold. */
struct rerun_exact {
    const char *identity, *name, *value;
};

/* A part of what a training was made of: the source of its program, or a file that this reads. */
struct rerun_part {
    const char *identity, *name;
    const struct lib_source *source; /* NULL: the database does not keep it */
};

/* A table of energies. */
struct rerun_energy {
    const char *name, *text;
};

struct sim_rerun {
    struct lib_arena *arena;
    const char *folder;          /* of the database, with a slash at its end; or "" */
    struct traces_reader reader; /* of all columns */
    const struct traces_column *number, *program, *status, *reason, *image_digest,
        *identity, *version;             /* of the reader */
    struct sim_measures measures;        /* that columns of the database are of */
    struct traces_columns own;           /* of a run now, */
    const struct traces_column **own_of; /* by column of the reader; NULL: not compared */
    LIB_VEC(struct rerun_energy) energies;
    struct sim_setting_files files; /* that the database keeps */
    LIB_VEC(struct rerun_exact) exact;
    LIB_VEC(struct rerun_part)
    parts; /* of a training beside each other, the program first */
    LIB_VEC(struct rerun_image) images;  /* those that rows name */
    LIB_VEC(struct isa_graph *) graphs;  /* owned: those that the database keeps */
    struct sim_experiment beside, given; /* programs that are at hand */
    bool has_looked;                     /* for those of the experiment */
    struct sim_rerun_row *rows;
    size_t row_count;
    LIB_VEC(size_t) todo; /* rows that can be run */
    bool broken;          /* the database could not be read */
};

/* --- sim/sweep/rerun_train.c --------------------------------------------------------- */

/* Whether the run of a row is a training. */
bool rerun_is_training(const struct sim_rerun *rerun, size_t run);

/* Reads what trainings were made of. Returns false if the database cannot be read. */
bool rerun_read_parts(struct sim_rerun *rerun);

/* Why the training of a row cannot be made again, or NULL if it can. */
const char *rerun_check_training(const struct sim_rerun *rerun, size_t run);

/* Makes the training of a row again. */
void rerun_train(const struct sim_rerun *rerun, const struct sim_rerun_row *row,
                 const struct machine_settings *settings,
                 const struct sim_description *description, struct sim_outcome *outcome);

#endif

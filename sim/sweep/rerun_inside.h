/* What sim/sweep/rerun*.c share. */
#ifndef SIM_SWEEP_RERUN_INSIDE_H
#define SIM_SWEEP_RERUN_INSIDE_H

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

/* A table of energies. */
struct rerun_energy {
    const char *name, *text;
};

struct sim_rerun {
    struct lib_arena *arena;
    const char *folder;          /* of the database, with a slash at its end; or "" */
    struct traces_reader reader; /* of all columns */
    const struct traces_column *number, *program, *status, *seed, *reason, *image_digest,
        *identity, *version;             /* of the reader */
    struct sim_measures measures;        /* that columns of the database are of */
    struct traces_columns own;           /* of a run now, */
    const struct traces_column **own_of; /* by column of the reader; NULL: not compared */
    const struct traces_column *window, *energy_table; /* or NULL */
    LIB_VEC(struct rerun_energy) energies;
    struct sim_setting_files files; /* that the database keeps */
    LIB_VEC(struct rerun_exact) exact;
    LIB_VEC(struct rerun_image) images;  /* those that rows name */
    LIB_VEC(struct isa_graph *) graphs;  /* owned: those that the database keeps */
    struct sim_experiment beside, given; /* programs that are at hand */
    bool has_looked;                     /* for those of the experiment */
    struct sim_rerun_row *rows;
    size_t row_count;
    LIB_VEC(size_t) todo; /* rows that can be run */
    bool broken;          /* the database could not be read */
};

#endif

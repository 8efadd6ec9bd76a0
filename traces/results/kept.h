/* Experiments that a database of results keeps beside its newest one: what they asked for, so
 * that their tables and figures can be made after another experiment was run into the database.
 *
 * `experiment`, `units`, `points` and the view `results` are those of the newest experiment.
 * Those of the others are in the tables kept_experiment, kept_units and kept_points, whose first
 * column is the name of the experiment. A database has these tables once it had two experiments. */
#ifndef TRACES_RESULTS_KEPT_H
#define TRACES_RESULTS_KEPT_H

#include "lib/arena.h"
#include "traces/results/database.h"

/* Keeps the experiment of the database if the one of the next sweep has another name. For writers,
 * within a transaction, before the next experiment is written. Returns false after an error. */
bool traces_kept_keep(struct traces_database *store, const char *next);

/* Lets a reader see a kept experiment in place of the newest one, by temporary tables of the same
 * names. Returns false if the database keeps none of that name, or after an error, which is in
 * `store`. */
bool traces_kept_use(struct traces_database *store, const char *name);

/* Returns the name of kept experiment `i`, in alphabetical order, or NULL behind the last one. It
 * lives in the arena. */
const char *traces_kept_name(struct traces_database *store, size_t i,
                             struct lib_arena *arena);

#endif

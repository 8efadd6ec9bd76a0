/* Older experiments in a database of results. Their definitions are kept, so that their tables and
 * figures can be made after another experiment was run into the database.
 *
 * The tables `experiment`, `units`, `points` and the view `results` belong to the newest
 * experiment. Once there are older ones, the tables kept_experiment, kept_units and kept_points
 * have the same columns for them, after a first column with the name of the experiment. */
#ifndef TRACES_RESULTS_KEPT_H
#define TRACES_RESULTS_KEPT_H

#include "lib/arena.h"
#include "traces/results/database.h"

/* Copies the newest experiment to the tables of older ones, unless its name is `next`, so that it
 * will be replaced. To be called in a transaction, before experiment `next` is written. Returns
 * false after an error. */
bool traces_kept_keep(struct traces_database *store, const char *next);

/* Makes later queries see an older experiment instead of the newest one, by temporary tables with
 * the names of the usual ones. Returns false if it does not exist, or after an error, which is
 * recorded in `store`. */
bool traces_kept_use(struct traces_database *store, const char *name);

/* Returns the name with index `i` of the older experiments in alphabetical order, or NULL after the
 * last one. The string lives in the arena. */
const char *traces_kept_name(struct traces_database *store, size_t i,
                             struct lib_arena *arena);

#endif

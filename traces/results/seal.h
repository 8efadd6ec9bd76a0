/* Seal of a database of results: a digest of what its experiment asks for (the tables `experiment`,
 * `units` and `points`). Runs come and go, but these tables change only as a whole, when a sweep
 * begins or shards are merged, so a changed point is found without the files of the experiment. */
#ifndef TRACES_RESULTS_SEAL_H
#define TRACES_RESULTS_SEAL_H

#include "traces/results/database.h"

/* Stores the digest of the tables as they are now. Returns false after an error. */
bool traces_seal_write(struct traces_database *store);

/* Seals each older experiment of the database that was kept without a seal, as it is now. Returns
 * false after an error. */
bool traces_seal_complete_kept(struct traces_database *store);

/* Whether the tables are as they were sealed. False if the seal is missing, but true for databases
 * of a layout before TRACES_LAYOUT_SEALED, which may have none. True after an error, which is
 * recorded in `store`. After traces_kept_use, checks the tables of the older experiment. */
bool traces_seal_holds(struct traces_database *store);

/* Like traces_seal_holds, but returns false after an error, and adds a diagnostic if the tables are
 * not as they were sealed. */
bool traces_seal_check(struct traces_database *store);

#endif

/* Identification of databases of results, and versions of their layout (doc/results.md, "The
 * database"). */
#ifndef TRACES_RESULTS_LAYOUT_H
#define TRACES_RESULTS_LAYOUT_H

#include "traces/results/database.h"

/* Version 2 adds the tables `profile` and `pe`; 3 the table `images`, and the columns `features`,
 * `library` and `model` of `host`; 4 the table `files`; 5 the table `links`; 6 the table `epochs`;
 * 7 the table `sources`. Earlier versions can be read. A writer first upgrades a database to this
 * version, which an older hiaton refuses. */
enum {
    TRACES_LAYOUT_VERSION = 7,
    TRACES_LAYOUT_OLDEST = 1,
    TRACES_LAYOUT_APPLICATION = 0x4869616e, /* "Hian" */
};

/* Whether the file is a database of results of a known version. Adds a diagnostic if not. */
bool traces_layout_check(struct traces_database *store);

/* Upgrades a database of an earlier version, or a new one, to this version. For writers, within a
 * transaction. */
bool traces_layout_complete(struct traces_database *store);

/* Statuses of runs that have to be run again, as a list for SQL. */
#define TRACES_LAYOUT_UNFINISHED "('interrupted', 'crashed')"

#endif

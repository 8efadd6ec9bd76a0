/* What tells a database of results from others, and versions of its layout from each other
 * (doc/results.md, "The database"). */
#ifndef TRACES_RESULTS_LAYOUT_H
#define TRACES_RESULTS_LAYOUT_H

#include "traces/results/database.h"

/* 2: the tables `profile` and `pe`. 3: the table `images`; of `host` the columns `features`,
 * `library` and `model`. 4: the table `files`. 5: the table `links`. 6: the table `epochs`. 7: the
 * table `sources`. Earlier ones are read as they are; whoever writes to one makes it one of this
 * version, which an older hiaton refuses. */
enum {
    TRACES_LAYOUT_VERSION = 7,
    TRACES_LAYOUT_OLDEST = 1,
    TRACES_LAYOUT_APPLICATION = 0x4869616e, /* "Hian" */
};

/* Whether the file is a database of results of a version that is understood. */
bool traces_layout_check(struct traces_database *store);

/* Makes what a database of an earlier version lacks, or a new one: it is one of this version
 * then. For writers, within a transaction. */
bool traces_layout_complete(struct traces_database *store);

/* The statuses of runs that are to be run again, as a list of SQL. */
#define TRACES_LAYOUT_UNFINISHED "('interrupted', 'crashed')"

#endif

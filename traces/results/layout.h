/* What tells a database of results from others (doc/results.md, "The database"). */
#ifndef TRACES_RESULTS_LAYOUT_H
#define TRACES_RESULTS_LAYOUT_H

#include "traces/results/database.h"

enum {
    TRACES_LAYOUT_VERSION = 1,
    TRACES_LAYOUT_APPLICATION = 0x4869616e, /* "Hian" */
};

/* Whether the file is a database of results of this version: for readers. */
bool traces_layout_check(struct traces_database *store);

/* The statuses of runs that are to be run again, as a list of SQL. */
#define TRACES_LAYOUT_UNFINISHED "('interrupted', 'crashed')"

#endif

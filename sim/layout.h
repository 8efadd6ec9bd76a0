/* What tells a database of results from others (doc/results.md, "The database"). */
#ifndef SIM_LAYOUT_H
#define SIM_LAYOUT_H

#include "sim/store.h"

enum {
    SIM_SCHEMA_VERSION = 1,
    SIM_SCHEMA_APPLICATION = 0x4869616e, /* "Hian" */
};

/* Whether the file is a database of results of this version: for readers. */
bool sim_schema_check(struct sim_store *store);

/* The statuses of runs that are to be run again, as a list of SQL. */
#define SIM_SCHEMA_UNFINISHED "('interrupted', 'crashed')"

#endif

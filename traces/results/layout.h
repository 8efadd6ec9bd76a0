/* Recognition of databases of results, and versions of their tables (doc/results.md, "The
 * database"). */
#ifndef TRACES_RESULTS_LAYOUT_H
#define TRACES_RESULTS_LAYOUT_H

#include "traces/results/database.h"

/* Version of the tables. Version 2 adds the tables `profile` and `pe`; 3 adds `images`, and to
 * table `host` the columns `features`, `library` and `model`; 4 adds `files`; 5 `links`;
 * 6 `epochs`; 7 `sources`; from 8 on each
 * experiment has a seal. Older versions can be read. Before writing, a database is upgraded to
 * the newest version, which an older hiaton refuses to open. */
enum {
    TRACES_LAYOUT_VERSION = 8,
    TRACES_LAYOUT_OLDEST = 1,
    TRACES_LAYOUT_SEALED =
        8, /* the first version in which no experiment lacks its seal */
    TRACES_LAYOUT_APPLICATION = 0x4869616e, /* "Hian", identifies a database of results */
};

/* Whether the file is a database of results of a known version. Adds a diagnostic if not. */
bool traces_layout_check(struct traces_database *store);

/* Adds the tables, columns and seals of older experiments that a database lacks, and sets its
 * version, to complete a new database or upgrade an older one. The table `host` must exist. Call it
 * in a transaction that calls traces_seal_write, too. */
bool traces_layout_complete(struct traces_database *store);

/* SQL list of the statuses of runs that must be repeated. */
#define TRACES_LAYOUT_UNFINISHED "('interrupted', 'crashed')"

#endif

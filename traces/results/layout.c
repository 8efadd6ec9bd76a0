#include "traces/results/layout.h"

#include "traces/results/detail.h"
#include "traces/results/images.h"
#include "traces/results/seal.h"

bool traces_layout_check(struct traces_database *store)
{
    if (traces_database_ask(store, "PRAGMA application_id", 0) !=
        TRACES_LAYOUT_APPLICATION)
        return store->fault == LIB_FAULT_NONE &&
               traces_database_refuse(store, store->path,
                                      "this is a database, but not one of results");
    int64_t version = traces_database_ask(store, "PRAGMA user_version", 0);
    if (version > TRACES_LAYOUT_VERSION || version < TRACES_LAYOUT_OLDEST)
        return store->fault == LIB_FAULT_NONE &&
               traces_database_refuse(
                   store, store->path, "these results were written by %s hiaton",
                   version > TRACES_LAYOUT_VERSION ? "a newer" : "an older");
    return true;
}

/* Adds the columns that describe the host of a run, besides the processor. */
static bool add_host_columns(struct traces_database *store)
{
    return traces_database_need_column(store, "host", "features", "TEXT") &&
           traces_database_need_column(store, "host", "library", "TEXT") &&
           traces_database_need_column(store, "host", "model", "INTEGER");
}

bool traces_layout_complete(struct traces_database *store)
{
    return traces_detail_make_tables(store) && traces_images_make_tables(store) &&
           add_host_columns(store) &&
           (traces_database_ask(store, "PRAGMA user_version", 0) >=
                TRACES_LAYOUT_SEALED ||
            traces_seal_complete_kept(store)) &&
           traces_database_dof(store,
                               "PRAGMA application_id = %d; PRAGMA user_version = %d;",
                               TRACES_LAYOUT_APPLICATION, TRACES_LAYOUT_VERSION);
}

#include "sim/layout.h"

static bool refuse(struct sim_store *store, const char *why)
{
    lib_diag_error(store->diags, LIB_DIAG_FILE, NULL, (struct lib_pos){0}, "%s: %s",
                   store->path, why);
    store->fault = LIB_FAULT_INPUT;
    return false;
}

bool sim_schema_check(struct sim_store *store)
{
    if (sim_store_ask(store, "PRAGMA application_id", 0) != SIM_SCHEMA_APPLICATION)
        return store->fault == LIB_FAULT_NONE &&
               refuse(store, "this is a database, but not one of results");
    int64_t version = sim_store_ask(store, "PRAGMA user_version", 0);
    if (version != SIM_SCHEMA_VERSION)
        return store->fault == LIB_FAULT_NONE &&
               refuse(store, version > SIM_SCHEMA_VERSION
                                 ? "these results were written by a newer hiaton"
                                 : "these results were written by an older hiaton");
    return true;
}

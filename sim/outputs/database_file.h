/* Files that may be databases of results. */
#ifndef SIM_OUTPUTS_DATABASE_FILE_H
#define SIM_OUTPUTS_DATABASE_FILE_H

#include "lib/arena.h"
#include "lib/diag.h"

/* Checks that a file can be a database of results. Returns false and adds an error if it is
 * missing, unreadable or of another kind; where possible the error suggests another file or a
 * command. */
bool sim_database_file_check(const char *path, struct lib_diags *diags);

/* Return the folders of recordings and event files of the runs in a database: "dir/speedup.rec" and
 * "dir/speedup.events" for "dir/speedup.db". */
const char *sim_database_file_recordings(const char *path, struct lib_arena *arena);
const char *sim_database_file_events(const char *path, struct lib_arena *arena);

#endif

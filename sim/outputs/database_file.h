/* Whether a file that shall be read as a database of results may be one. */
#ifndef SIM_OUTPUTS_DATABASE_FILE_H
#define SIM_OUTPUTS_DATABASE_FILE_H

#include "lib/arena.h"
#include "lib/diag.h"

/* If not, adds an error: what the file is, or that there is none, and what may have been meant. A
 * database of something else is told apart when it is opened. */
bool sim_database_file_check(const char *path, struct lib_diags *diags);

/* The folders of the recordings and of the files of events of its runs: "dir/speedup.rec" and
 * "dir/speedup.events" of "dir/speedup.db". */
const char *sim_database_file_recordings(const char *path, struct lib_arena *arena);
const char *sim_database_file_events(const char *path, struct lib_arena *arena);

#endif

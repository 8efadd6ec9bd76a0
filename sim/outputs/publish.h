/* Writes results to files, as the options --csv, --json, --host, --series, --profile, --pe,
 * --links, --epochs and --outputs say. */
#ifndef SIM_OUTPUTS_PUBLISH_H
#define SIM_OUTPUTS_PUBLISH_H

#include "sim/messages/messages.h"
#include "traces/results/database.h"
#include "traces/results/export.h"

struct sim_publish {
    const char *csv, *json; /* file name, "-": standard output; NULL: not requested */
    const char *details[TRACES_DETAIL_COUNT];
    const char *outputs; /* folder for tables and figures; NULL: not requested */
    bool has_host;       /* JSON includes measurements of the host */
};

/* Checks that the requested files can be written, and makes the folder `outputs`. Reports an error
 * if that fails. */
enum sim_status sim_publish_check(const struct sim_publish *publish,
                                  const struct sim_printer *printer);

/* Writes the files row by row; each replaces an older one when it is complete. Reports errors,
 * except those of the database, which stay in its diagnostics. */
enum sim_status sim_publish_write(const struct sim_publish *publish,
                                  struct traces_database *store,
                                  const struct sim_printer *printer);

#endif

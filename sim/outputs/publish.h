/* Writes files with results: options --csv, --json, --host; --series, --profile, --pe, --links,
 * --epochs; --outputs. */
#ifndef SIM_OUTPUTS_PUBLISH_H
#define SIM_OUTPUTS_PUBLISH_H

#include "sim/messages/messages.h"
#include "traces/results/database.h"
#include "traces/results/export.h"

struct sim_publish {
    const char *csv, *json; /* file names; NULL: not requested */
    const char *details[TRACES_DETAIL_COUNT];
    const char *outputs; /* folder for tables and figures, or NULL */
    bool has_host;       /* JSON includes measurements of the host */
};

/* Checks that these files can be written, and reports an error if not. */
enum sim_status sim_publish_check(const struct sim_publish *publish,
                                  const struct sim_printer *printer);

/* Writes the files. Reports errors; those of the database are in its diagnostics. */
enum sim_status sim_publish_write(const struct sim_publish *publish,
                                  struct traces_database *store,
                                  const struct sim_printer *printer);

#endif

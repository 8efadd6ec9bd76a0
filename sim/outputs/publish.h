/* What a command on results writes: --csv, --json, --host; --series, --profile, --pe,
 * --links, --epochs; --outputs. */
#ifndef SIM_OUTPUTS_PUBLISH_H
#define SIM_OUTPUTS_PUBLISH_H

#include "sim/messages/messages.h"
#include "traces/results/database.h"
#include "traces/results/export.h"

struct sim_publish {
    const char *csv, *json; /* NULL: not asked for */
    const char *details[TRACES_DETAIL_COUNT];
    const char *outputs; /* a folder for tables and figures, or NULL */
    bool has_host;       /* in JSON */
};

/* Whether these files can be written; says so if not. */
enum sim_status sim_publish_check(const struct sim_publish *publish,
                                  const struct sim_voice *voice);

/* Writes them. Errors are told, those of the store into its diagnostics. */
enum sim_status sim_publish_write(const struct sim_publish *publish,
                                  struct traces_database *store,
                                  const struct sim_voice *voice);

#endif

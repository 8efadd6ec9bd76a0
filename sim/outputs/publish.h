/* What a command on results writes: --csv, --json, --host; --series, --profile, --pe,
 * --links, --epochs; --outputs. */
#ifndef SIM_OUTPUTS_PUBLISH_H
#define SIM_OUTPUTS_PUBLISH_H

#include "sim/cli/options.h"
#include "traces/results/database.h"
#include "traces/results/export.h"

struct sim_publish {
    const char *csv, *json; /* NULL: not asked for */
    const char *details[TRACES_DETAIL_COUNT];
    const char *outputs;          /* a folder for tables and figures, or NULL */
    enum traces_export_host host; /* in JSON */
};

/* The rows of a command's own options, and what parses them: ARGP_ERR_UNKNOWN if the key
 * is none of them. */
enum {
    SIM_KEY_CSV = 0x400,
    SIM_KEY_JSON_FILE,
    SIM_KEY_HOST,
    SIM_KEY_OUTPUTS,
    SIM_KEY_DETAILS, /* and one for each */
};
#define SIM_PUBLISH_OPTIONS                                                                \
    {"outputs", SIM_KEY_OUTPUTS, "DIR", 0, "Make the tables and figures in DIR", 0},       \
        {"csv", SIM_KEY_CSV, "FILE", 0, "Write the results as comma-separated values", 0}, \
        {"json", SIM_KEY_JSON_FILE, "FILE", 0, "Write the results as JSON", 0},            \
        {"series", SIM_KEY_DETAILS + TRACES_DETAIL_SERIES,       "FILE",                   \
         0,        "Write the series as comma-separated values", 0},                       \
        {"profile",                                                                        \
         SIM_KEY_DETAILS + TRACES_DETAIL_PROFILE,                                          \
         "FILE",                                                                           \
         0,                                                                                \
         "Write the parallelism profiles as comma-separated values",                       \
         0},                                                                               \
        {"pe",                                                                             \
         SIM_KEY_DETAILS + TRACES_DETAIL_PE,                                               \
         "FILE",                                                                           \
         0,                                                                                \
         "Write the rows of PEs as comma-separated values",                                \
         0},                                                                               \
        {"links",                                                                          \
         SIM_KEY_DETAILS + TRACES_DETAIL_LINKS,                                            \
         "FILE",                                                                           \
         0,                                                                                \
         "Write the rows of links as comma-separated values",                              \
         0},                                                                               \
        {"epochs",                                                                         \
         SIM_KEY_DETAILS + TRACES_DETAIL_EPOCHS,                                           \
         "FILE",                                                                           \
         0,                                                                                \
         "Write the rows of epochs as comma-separated values",                             \
         0},                                                                               \
    {                                                                                      \
        "host", SIM_KEY_HOST, NULL, 0,                                                     \
            "With --json: also what was measured of the host", 0                           \
    }
error_t sim_publish_parse(int key, char *text, const struct argp_state *state,
                          struct sim_publish *publish);

/* Whether these files can be written; says so if not. */
enum sim_status sim_publish_check(const struct sim_publish *publish,
                                  const struct sim_voice *voice);

/* Writes them. Errors are told, those of the store into its diagnostics. */
enum sim_status sim_publish_write(const struct sim_publish *publish,
                                  struct traces_database *store,
                                  const struct sim_voice *voice);

#endif

/* Options of commands that write files: results (sim/outputs/publish.h), figures
 * (sim/outputs/figure_file.h), tensors (sim/outputs/tensor_files.h). A command lists their rows among
 * its own options and calls their parsers, each of which returns ARGP_ERR_UNKNOWN for a key that is
 * not its own, and ends the process if a value is wrong. */
#ifndef SIM_CLI_OUTPUT_OPTIONS_H
#define SIM_CLI_OUTPUT_OPTIONS_H

#include "sim/cli/options.h"
#include "sim/outputs/publish.h"
#include "sim/outputs/figure_file.h"
#include "sim/outputs/tensor_files.h"

/* --- results ---------------------------------------------------------------------------- */

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

/* --- figures ---------------------------------------------------------------------------- */

/* Returns the value of --figure. Ends the process if its name does not end as a figure's. */
const char *sim_figure_path(const char *text, const char *command);

/* --- tensors ---------------------------------------------------------------------------- */

enum { SIM_KEY_OUT = 0x4a0 };
#define SIM_TENSOR_FILES_OPTIONS                                                         \
    {                                                                                    \
        "out", SIM_KEY_OUT, "NAME=FILE", 0,                                              \
            "Write a tensor, `result' or a constant that the program names, as "         \
            "FILE.npy; "                                                                 \
            "repeatable",                                                                \
            0                                                                            \
    }

error_t sim_tensor_files_parse(int key, const char *text, const struct argp_state *state,
                               struct sim_tensor_files *files);

#endif

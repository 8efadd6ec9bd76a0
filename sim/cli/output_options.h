/* Rows for the table of options of a command that writes results (sim/outputs/publish.h), figures
 * (sim/outputs/figure_file.h) or tensors (sim/outputs/tensor_files.h). */
#ifndef SIM_CLI_OUTPUT_OPTIONS_H
#define SIM_CLI_OUTPUT_OPTIONS_H

#include "sim/cli/options.h"
#include "sim/outputs/figure_file.h"
#include "sim/outputs/publish.h"
#include "sim/outputs/tensor_files.h"

#define SIM_PUBLISH_AT(at, member) ((at) + offsetof(struct sim_publish, member))
#define SIM_PUBLISH_DETAIL(at, name, DETAIL, what)                                       \
    SIM_OUTPUT(name, 0, FILE, "FILE",                                                    \
               SIM_PUBLISH_AT(at, details) + TRACES_DETAIL_##DETAIL * sizeof(char *),    \
               "Write " what " as comma-separated values")
#define SIM_PUBLISH_OPTIONS(at)                                                          \
    SIM_OUTPUT("outputs", 0, FILE, "DIR", SIM_PUBLISH_AT(at, outputs),                   \
               "Make the tables and figures in DIR"),                                    \
        SIM_OUTPUT("csv", 0, FILE, "FILE", SIM_PUBLISH_AT(at, csv),                      \
                   "Write the results as comma-separated values"),                       \
        SIM_OUTPUT("json", 0, FILE, "FILE", SIM_PUBLISH_AT(at, json),                    \
                   "Write the results as JSON"),                                         \
        SIM_PUBLISH_DETAIL(at, "series", SERIES, "the series"),                          \
        SIM_PUBLISH_DETAIL(at, "profile", PROFILE, "the parallelism profiles"),          \
        SIM_PUBLISH_DETAIL(at, "pe", PE, "the rows of PEs"),                             \
        SIM_PUBLISH_DETAIL(at, "links", LINKS, "the rows of links"),                     \
        SIM_PUBLISH_DETAIL(at, "epochs", EPOCHS, "the rows of epochs"),                  \
        SIM_FLAG("host", SIM_PUBLISH_AT(at, has_host),                                   \
                 "With --json: also what was measured of the host")

/* Stores a figure's file name, which ends in .pdf, .svg or .png, in a const char *. Returns false
 * and sets `why` for others. */
bool sim_figure_take(void *path, const char *text, struct lib_text *why);

#define SIM_TENSOR_FILES_OPTION(at)                                                      \
    SIM_OUTPUT_TAKEN_BY(                                                                 \
        "out", "NAME=FILE", at, sim_tensor_files_take,                                   \
        "Write a tensor, `result' or a constant that the program names, as "             \
        "FILE.npy; repeatable")
bool sim_tensor_files_take(void *files, const char *text, struct lib_text *why);

#endif

/* The record of a run: what ran, how it ended and what was measured. It is written as the JSON
 * object of doc/metrics.md, or as the table of `hiaton run`.
 *
 * A record borrows all its members. Records of equal runs differ only in the object `host`. */
#ifndef SIM_SESSION_RECORD_H
#define SIM_SESSION_RECORD_H

#include "isa/format/image.h"
#include "lib/json.h"
#include "sim/ending/ending.h"
#include "sim/loading/inputs.h"
#include "sim/loading/setup.h"
#include "sim/session/window.h"

struct sim_record {
    const char *program; /* name of the source, without its folder */
    const struct isa_graph *graph;
    /* Text of the program; NULL if there is none, because the program is an image. */
    const struct lib_source *source;
    const struct sim_inputs *inputs;
    const struct sim_setup *setup;
    uint64_t seed;
    struct isa_digest image_digest;
    /* Part of the run to which statistics are restricted; NULL: all of it. */
    const struct sim_window *window;
    const struct sim_ending *ending;
};

void sim_record_write_json(const struct sim_record *record, struct lib_text *out);

/* Writes a JSON object with the ending and the measurements of a run, without the host. */
void sim_record_write_measured(const struct sim_record *record, struct lib_text *out);

/* Writes a machine setting under its key, as a number or a string. */
void sim_record_write_setting(const struct sim_settings *settings,
                              const struct lib_setting *setting, struct lib_json *json);

/* Writes the key `settings`: each setting that differs from the chosen preset. */
void sim_record_write_settings(const struct sim_setup *setup, struct lib_json *json);

/* Writes the table of statistics, parallelism profile, energies and costs. */
void sim_record_write_table(const struct sim_record *record, struct lib_text *out);

#endif

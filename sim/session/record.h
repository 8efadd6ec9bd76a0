/* The record of a run: what ran, how it ended and what was measured; as the JSON object of
 * doc/metrics.md or as the table of `hiaton run`.
 *
 * A record borrows all that it refers to. Equal runs differ only in the object `host`. */
#ifndef SIM_SESSION_RECORD_H
#define SIM_SESSION_RECORD_H

#include "isa/format/image.h"
#include "lib/json.h"
#include "sim/ending/ending.h"
#include "sim/loading/load.h"
#include "sim/loading/setup.h"
#include "sim/session/window.h"

struct sim_record {
    const char *program; /* name of the source, without its folder */
    const struct isa_graph *graph;
    /* text of the program; NULL if unavailable, as for an image */
    const struct lib_source *source;
    const struct sim_inputs *inputs;
    const struct sim_setup *setup;
    uint64_t seed;
    struct isa_digest image_digest;
    /* part of the run that is measured; NULL: all of it */
    const struct sim_window *window;
    const struct sim_ending *ending;
};

void sim_record_write_json(const struct sim_record *record, struct lib_text *out);

/* Adds a JSON object with only what the run determines: its ending and its measurements. */
void sim_record_write_measured(const struct sim_record *record, struct lib_text *out);

/* Adds the value of a machine setting under its key, as a number or a string. */
void sim_record_write_setting(const struct machine_settings *settings,
                              const struct machine_setting *setting,
                              struct lib_json *json);

/* Adds the key `settings`: each setting that differs from the chosen preset. */
void sim_record_write_settings(const struct sim_setup *setup, struct lib_json *json);

/* Adds the table of statistics, the parallelism profile, the energies and the costs. */
void sim_record_write_table(const struct sim_record *record, struct lib_text *out);

#endif

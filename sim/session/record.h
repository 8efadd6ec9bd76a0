/* The record of a run: what ran, how it ended and what was measured; as the JSON object of
 * doc/metrics.md and as the table that `hiaton run` prints.
 *
 * A record borrows all that it refers to. Only `host` differs between equal runs. */
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
    const struct lib_source *source; /* NULL: not available, as for an image */
    const struct sim_inputs *inputs;
    const struct sim_setup *setup;
    uint64_t seed;
    struct isa_digest image_digest;
    const struct sim_window *window; /* part that is measured; NULL: all of the run */
    const struct sim_ending *ending;
};

/* Adds the JSON object. */
void sim_record_write_json(const struct sim_record *record, struct lib_text *out);

/* Adds the part of the object that is a function of the run: how it ended and what was measured. */
void sim_record_write_measured(const struct sim_record *record, struct lib_text *out);

/* Adds a setting under its key, as a number or a string. */
void sim_record_write_setting(const struct machine_settings *settings,
                              const struct machine_setting *setting,
                              struct lib_json *json);

/* Adds the key `settings`: every setting that differs from the preset. */
void sim_record_write_settings(const struct sim_setup *setup, struct lib_json *json);

/* Adds the table, the profile, the energies and the costs. */
void sim_record_write_table(const struct sim_record *record, struct lib_text *out);

#endif

/* The record of a run: what ran, how it ended and what was measured, as the JSON object
 * of doc/metrics.md and as the table that `hiaton run` prints.
 *
 * A record borrows everything but `stats`. Outside `host` it is deterministic. */
#ifndef SIM_RECORD_H
#define SIM_RECORD_H

#include "isa/exec.h"
#include "isa/image.h"
#include "sim/json.h"
#include "sim/setup.h"
#include "sim/load.h"
#include "traces/profile.h"
#include "traces/series.h"
#include "traces/stats.h"

struct sim_record {
    const char *program; /* its source, without the folder */
    const struct isa_graph *graph;
    const struct sim_inputs *inputs;
    const struct sim_setup *setup;
    bool on_machine; /* false: run by the untimed interpreter */
    uint64_t seed;
    struct isa_digest image_digest;
    enum isa_end end;
    const char *limit; /* the setting that ended it, or NULL */
    const struct isa_exec *exec;
    const struct traces_series *series;   /* NULL: not asked for */
    const struct traces_profile *profile; /* NULL: not asked for */
    struct traces_stats stats;            /* owned */
    double wall_seconds;
};

/* Fills in `stats` of an untimed run from its execution. */
void sim_record_measure(struct sim_record *record);

void sim_record_free(struct sim_record *record);

/* Adds the JSON object. */
void sim_record_write_json(const struct sim_record *record, struct lib_text *out);

/* Adds the key `settings`: every setting that differs from the preset. */
void sim_record_write_settings(const struct sim_setup *setup, struct sim_json *json);

/* Adds the table, and the profile. */
void sim_record_write_table(const struct sim_record *record, struct lib_text *out);

#endif

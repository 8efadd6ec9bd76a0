/* Sites: clusters for which `hiaton sweep emit` writes scripts (doc/experiments.md, Sites). */
#ifndef SIM_EXPERIMENT_SITE_H
#define SIM_EXPERIMENT_SITE_H

#include "lib/fields.h"

/* Maximum number of simulating processes on one computer. */
enum { SIM_MAX_JOBS = 4096 };

struct sim_site {
    const char *name;
    uint64_t shards, jobs;
    const char *time, *memory, *partition, *account, *qos; /* NULL: not specified */
    struct lib_texts options, setup;
    const char *hiaton;
};

struct sim_sites {
    /* owned; strings live in the arena of the file's reader */
    LIB_VEC(struct sim_site) list;
};

extern const struct lib_field_table sim_site_keys;

/* Reads the key `sites`, which is entry `i` of the file. */
void sim_sites_read(struct lib_fields *r, size_t i, struct sim_sites *sites);
void sim_sites_free(struct sim_sites *sites);

/* Returns a site with all values at their defaults. */
struct sim_site sim_site_default(void);

/* Returns the site called `name`, or NULL. */
const struct sim_site *sim_sites_find(const struct sim_sites *sites, const char *name);

#endif

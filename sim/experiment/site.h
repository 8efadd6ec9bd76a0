/* Sites: what `hiaton sweep emit` needs to know of a cluster (doc/experiments.md, Sites). */
#ifndef SIM_EXPERIMENT_SITE_H
#define SIM_EXPERIMENT_SITE_H

#include "lib/fields.h"

/* The most processes that simulate at once on one computer. */
enum { SIM_MAX_JOBS = 4096 };

struct sim_site {
    const char *name;
    uint64_t shards, jobs;
    const char *time, *memory, *partition, *account, *qos; /* NULL: not given */
    struct lib_texts options, setup;
    const char *hiaton;
};

struct sim_sites {
    LIB_VEC(struct sim_site) list; /* owned; texts live in the arena of the reading */
};

/* The keys of a site. */
extern const struct lib_field_table sim_site_keys;

/* Reads the value of `sites`, entry `i`. */
void sim_sites_read(struct lib_fields *r, size_t i, struct sim_sites *sites);
void sim_sites_free(struct sim_sites *sites);

/* A site of which nothing is given. */
struct sim_site sim_site_default(void);

/* The site of that name, or NULL. */
const struct sim_site *sim_sites_find(const struct sim_sites *sites, const char *name);

#endif

#include "sim/experiment/site.h"

#include <stddef.h>
#include <string.h>

enum { MAX_SHARDS = 100000 };

struct sim_site sim_site_default(void)
{
    return (struct sim_site){.name = "", .shards = 1, .jobs = 1, .hiaton = "hiaton"};
}

#define OF(member) .at = offsetof(struct sim_site, member)

static const struct lib_field fields[] = {
    {.name = "shards",
     .kind = LIB_FIELD_U64,
     OF(shards),
     .least = 1,
     .most = MAX_SHARDS,
     .value = "N",
     .help = "Jobs of the cluster; by default 1"},
    {.name = "jobs",
     .kind = LIB_FIELD_U64,
     OF(jobs),
     .least = 1,
     .most = SIM_MAX_JOBS,
     .value = "N",
     .help = "Processes of one shard, and processors asked for; by default 1"},
    {.name = "time",
     .kind = LIB_FIELD_TEXT,
     OF(time),
     .value = "TEXT",
     .help = "Of one shard, as the cluster wants it"},
    {.name = "memory",
     .kind = LIB_FIELD_TEXT,
     OF(memory),
     .value = "TEXT",
     .help = "Of one shard, as the cluster wants it"},
    {.name = "partition",
     .kind = LIB_FIELD_TEXT,
     OF(partition),
     .value = "TEXT",
     .help = "As the cluster names it"},
    {.name = "account",
     .kind = LIB_FIELD_TEXT,
     OF(account),
     .value = "TEXT",
     .help = "As the cluster names it"},
    {.name = "qos",
     .kind = LIB_FIELD_TEXT,
     OF(qos),
     .value = "TEXT",
     .help = "As the cluster names it"},
    {.name = "options",
     .kind = LIB_FIELD_TEXTS,
     OF(options),
     .value = "TEXT, or a list of such",
     .help = "More options, one per line of the head of the job"},
    {.name = "setup",
     .kind = LIB_FIELD_TEXTS,
     OF(setup),
     .value = "TEXT, or a list of such",
     .help = "Lines of shell before the run"},
    {.name = "hiaton",
     .kind = LIB_FIELD_TEXT,
     OF(hiaton),
     .value = "TEXT",
     .help = "The program; by default hiaton"},
};

const struct lib_field_table sim_site_keys = {fields, sizeof fields / sizeof *fields};

void sim_sites_read(struct lib_fields *r, size_t i, struct sim_sites *sites)
{
    const struct lib_yaml_entry *whole = lib_fields_entry(r, i);
    if (whole->kind != LIB_YAML_MAPPING) {
        lib_fields_expected(r, i, "a mapping of sites");
        return;
    }
    for (size_t c = i; (c = lib_fields_inside(r, i, c)) != SIZE_MAX;) {
        struct sim_site *site = LIB_VEC_PUSH(&sites->list);
        *site = sim_site_default();
        site->name = lib_fields_entry(r, c)->key + strlen(whole->key) + 1;
        lib_fields_mapping(r, c, "a site", fields, sim_site_keys.count, site);
    }
}

void sim_sites_free(struct sim_sites *sites)
{
    for (size_t i = 0; i < sites->list.count; i++) {
        LIB_VEC_FREE(&sites->list.items[i].options);
        LIB_VEC_FREE(&sites->list.items[i].setup);
    }
    LIB_VEC_FREE(&sites->list);
}

const struct sim_site *sim_sites_find(const struct sim_sites *sites, const char *name)
{
    for (size_t i = 0; i < sites->list.count; i++)
        if (strcmp(sites->list.items[i].name, name) == 0)
            return &sites->list.items[i];
    return NULL;
}

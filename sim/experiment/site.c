#include "sim/experiment/site.h"

#include <string.h>

enum { MAX_SHARDS = 100000 };

struct sim_site sim_site_default(void)
{
    return (struct sim_site){.name = "", .shards = 1, .jobs = 1, .hiaton = "hiaton"};
}

static void read_shards(struct lib_fields *r, size_t i, void *into)
{
    lib_fields_whole(r, i, 1, MAX_SHARDS, &((struct sim_site *)into)->shards);
}

static void read_jobs(struct lib_fields *r, size_t i, void *into)
{
    lib_fields_whole(r, i, 1, SIM_MAX_JOBS, &((struct sim_site *)into)->jobs);
}

#define TEXT(key)                                                                        \
    static void read_##key(struct lib_fields *r, size_t i, void *into)                   \
    {                                                                                    \
        lib_fields_text(r, i, &((struct sim_site *)into)->key);                          \
    }
TEXT(time)
TEXT(memory)
TEXT(partition)
TEXT(account)
TEXT(qos)
TEXT(hiaton)
#undef TEXT

static void add_option(struct lib_fields *r, size_t i, void *into)
{
    struct sim_site *site = into;
    *LIB_VEC_PUSH(&site->options) = lib_fields_entry(r, i)->value;
}

static void read_options(struct lib_fields *r, size_t i, void *into)
{
    lib_fields_each(r, i, "an option, or a list of them", add_option, into);
}

static void add_setup(struct lib_fields *r, size_t i, void *into)
{
    struct sim_site *site = into;
    *LIB_VEC_PUSH(&site->setup) = lib_fields_entry(r, i)->value;
}

static void read_setup(struct lib_fields *r, size_t i, void *into)
{
    lib_fields_each(r, i, "a line of shell, or a list of them", add_setup, into);
}

static const struct lib_field fields[] = {
    {.name = "shards",
     .read = read_shards,
     .value = "N",
     .help = "Jobs of the cluster; by default 1"},
    {.name = "jobs",
     .read = read_jobs,
     .value = "N",
     .help = "Processes of one shard, and processors asked for; by default 1"},
    {.name = "time",
     .read = read_time,
     .value = "TEXT",
     .help = "Of one shard, as the cluster wants it"},
    {.name = "memory",
     .read = read_memory,
     .value = "TEXT",
     .help = "Of one shard, as the cluster wants it"},
    {.name = "partition",
     .read = read_partition,
     .value = "TEXT",
     .help = "As the cluster names it"},
    {.name = "account",
     .read = read_account,
     .value = "TEXT",
     .help = "As the cluster names it"},
    {.name = "qos", .read = read_qos, .value = "TEXT", .help = "As the cluster names it"},
    {.name = "options",
     .read = read_options,
     .value = "TEXT, or a list of such",
     .help = "More options, one per line of the head of the job"},
    {.name = "setup",
     .read = read_setup,
     .value = "TEXT, or a list of such",
     .help = "Lines of shell before the run"},
    {.name = "hiaton",
     .read = read_hiaton,
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

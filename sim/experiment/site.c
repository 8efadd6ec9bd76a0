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
    LIB_FIELD("shards", U64, "N", "Jobs of the cluster; by default 1", OF(shards),
              .least = 1, .most = MAX_SHARDS),
    LIB_FIELD("jobs", U64, "N",
              "Processes of one shard, and processors asked for; by default 1", OF(jobs),
              .least = 1, .most = SIM_MAX_JOBS),
    LIB_FIELD("time", TEXT, "TEXT", "Of one shard, as the cluster wants it", OF(time)),
    LIB_FIELD("memory", TEXT, "TEXT", "Of one shard, as the cluster wants it",
              OF(memory)),
    LIB_FIELD("partition", TEXT, "TEXT", "As the cluster names it", OF(partition)),
    LIB_FIELD("account", TEXT, "TEXT", "As the cluster names it", OF(account)),
    LIB_FIELD("qos", TEXT, "TEXT", "As the cluster names it", OF(qos)),
    LIB_FIELD("options", TEXTS, "TEXT, or a list of such",
              "More options, one per line of the head of the job", OF(options)),
    LIB_FIELD("setup", TEXTS, "TEXT, or a list of such", "Lines of shell before the run",
              OF(setup)),
    LIB_FIELD("hiaton", TEXT, "TEXT", "The program; by default hiaton", OF(hiaton)),
};

const struct lib_field_table sim_site_keys = {fields, sizeof fields / sizeof *fields};

/* Rejects line breaks and other control characters in the values of entry i: a value is a line of a
 * script, or part of one. */
static void check_lines(struct lib_fields *r, size_t i)
{
    const size_t end = lib_yaml_behind(r->yaml, i);
    for (size_t k = i; k < end; k++) {
        const struct lib_yaml_entry *e = lib_fields_entry(r, k);
        if (e->kind == LIB_YAML_SCALAR && e->value && !lib_text_is_line(e->value))
            lib_fields_wrong(r, k,
                             "%s: expected one line of text, found a line break, another "
                             "control character or invalid UTF-8",
                             e->key);
    }
}

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
        check_lines(r, c);
    }
}

void sim_sites_free(struct sim_sites *sites)
{
    for (size_t i = 0; i < sites->list.count; i++)
        LIB_VEC_FREE(&sites->list.items[i].options, &sites->list.items[i].setup);
    LIB_VEC_FREE(&sites->list);
}

const struct sim_site *sim_sites_find(const struct sim_sites *sites, const char *name)
{
    for (size_t i = 0; i < sites->list.count; i++)
        if (strcmp(sites->list.items[i].name, name) == 0)
            return &sites->list.items[i];
    return NULL;
}

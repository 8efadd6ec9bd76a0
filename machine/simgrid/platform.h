/* A platform of SimGrid as a machine uses it: hosts, links, and the route from each host to each
 * other one. Numbers of hosts and links are those of machine/simgrid/plugin.h; node i of a machine
 * is host i. */
#ifndef MACHINE_SIMGRID_PLATFORM_H
#define MACHINE_SIMGRID_PLATFORM_H

#include "lib/arena.h"
#include "machine/settings.h"

struct machine_platform_link {
    const char *name;
    double bandwidth; /* bytes per second */
    double latency;   /* seconds */
    bool is_shared;   /* if false, each message gets the full bandwidth */
};

/* The route from a node to another one, as numbers of links. */
struct machine_platform_way {
    const uint32_t *links;
    uint32_t count;
};

struct machine_platform {
    uint32_t host_count, link_count;
    uint32_t node_count; /* number of nodes: the first hosts, whose routes are known */
    const char **hosts;
    struct machine_platform_link *links;
    /* Start in `ways` of the route of each pair of nodes, and the end of all. */
    uint64_t *first;
    uint32_t *ways;          /* links of all routes, one route after the other */
    struct lib_arena *arena; /* memory of `hosts` */
};

/* Reads a platform for `nodes` nodes. SimGrid reads it in another process, because it ends the
 * process on errors. Returns NULL after an error: the platform is invalid, or SimGrid is not
 * available. */
struct machine_platform *machine_platform_read(const struct machine_file *file,
                                               uint32_t nodes, struct lib_diags *diags);
/* `platform` may be NULL */
void machine_platform_free(struct machine_platform *platform);

static inline struct machine_platform_way
machine_platform_way(const struct machine_platform *p, uint32_t from, uint32_t to)
{
    const uint64_t *at = &p->first[(uint64_t)from * p->node_count + to];
    return (struct machine_platform_way){&p->ways[at[0]], (uint32_t)(at[1] - at[0])};
}

/* --- loading ---------------------------------------------------------------------------------- */

/* Sets `config` to configuration of SimGrid that the platform does not have: pairs of name and
 * value, then NULL. */
enum { MACHINE_PLATFORM_CONFIG = 16 };
void machine_platform_config(const struct lib_source *source,
                             const char *config[MACHINE_PLATFORM_CONFIG]);

/* Opens a file in memory with the bytes of `source`, and sets `path` to its path for this process
 * and its children. Returns its descriptor, or -1 if the host has no such files. */
enum { MACHINE_PLATFORM_PATH = 32 };
int machine_platform_file(const struct lib_source *source,
                          char path[MACHINE_PLATFORM_PATH]);

/* Returns false and adds a diagnostic if a platform would change over time or needs other files
 * (machine/simgrid/refused.c). */
bool machine_platform_is_fixed(const struct lib_source *source, struct lib_diags *diags);

#endif

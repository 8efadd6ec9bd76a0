/* A platform of SimGrid, as a machine needs it: hosts, links, and the routes from each host to each
 * other one. Hosts and links have the numbers of machine/simgrid/plugin.h; node i of a machine is
 * host i. */
#ifndef MACHINE_SIMGRID_PLATFORM_H
#define MACHINE_SIMGRID_PLATFORM_H

#include "lib/arena.h"
#include "machine/settings.h"

struct machine_platform_link {
    const char *name;
    double bandwidth; /* bytes per second */
    double latency;   /* seconds */
    bool is_shared;   /* if false, each message has all of its bandwidth */
};

/* The route from a node to another one. */
struct machine_platform_way {
    const uint32_t *links;
    uint32_t count;
};

struct machine_platform {
    uint32_t host_count, link_count;
    uint32_t node_count; /* number of hosts with known routes, the first ones */
    const char **hosts;
    struct machine_platform_link *links;
    uint64_t *first; /* begin of the route of each pair in `ways`, and the end of all */
    uint32_t *ways;  /* links of all routes */
    struct lib_arena *arena; /* arena of names */
};

/* Reads a platform, of which `nodes` hosts are used. SimGrid reads it in another process, since it
 * ends the process on errors. Returns NULL after an error: the platform is wrong, or there is no
 * SimGrid. */
struct machine_platform *machine_platform_read(const struct machine_file *file,
                                               uint32_t nodes, struct lib_diags *diags);
void machine_platform_free(struct machine_platform *platform); /* NULL is allowed */

static inline struct machine_platform_way
machine_platform_way(const struct machine_platform *p, uint32_t from, uint32_t to)
{
    const uint64_t *at = &p->first[(uint64_t)from * p->node_count + to];
    return (struct machine_platform_way){&p->ways[at[0]], (uint32_t)(at[1] - at[0])};
}

/* --- loading ---------------------------------------------------------------------------------- */

/* Sets the configuration of SimGrid that the platform does not set itself: pairs of a name and a
 * value, with NULL at the end. */
enum { MACHINE_PLATFORM_CONFIG = 16 };
void machine_platform_config(const struct lib_source *source,
                             const char *config[MACHINE_PLATFORM_CONFIG]);

/* Sets a path under which this process and its children can read the bytes, until the file is
 * closed. Returns its descriptor, or -1 if the host has no such file. */
enum { MACHINE_PLATFORM_PATH = 32 };
int machine_platform_file(const struct lib_source *source,
                          char path[MACHINE_PLATFORM_PATH]);

/* Returns false, after an error, if a platform would change with time, or needs other files
 * (machine/simgrid/refused.c). */
bool machine_platform_is_fixed(const struct lib_source *source, struct lib_diags *diags);

#endif

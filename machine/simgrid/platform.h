/* A platform of SimGrid as a machine sees it: its hosts, its links, and the links on the way from
 * each host to each other one. Hosts and links have the numbers of machine/simgrid/plugin.h; node
 * i of a machine is host i. */
#ifndef MACHINE_SIMGRID_PLATFORM_H
#define MACHINE_SIMGRID_PLATFORM_H

#include "lib/arena.h"
#include "machine/settings.h"

struct machine_platform_link {
    const char *name;
    double bandwidth; /* in bytes per second */
    double latency;   /* in seconds */
    bool is_shared;   /* false: each message has all of its bandwidth */
};

/* The way from a node to another one. */
struct machine_platform_way {
    const uint32_t *links;
    uint32_t count;
};

struct machine_platform {
    uint32_t host_count, link_count;
    uint32_t node_count; /* hosts whose ways are known: the first ones */
    const char **hosts;
    struct machine_platform_link *links;
    uint64_t *
        first; /* of each pair of nodes: where its way begins in `ways`; and one behind */
    uint32_t *ways;
    struct lib_arena *arena; /* of names */
};

/* Reads a platform, of which so many hosts are used: SimGrid does so in a process of its own,
 * which may end as it likes. NULL: it is no such platform, or there is no SimGrid, which is in
 * `diags`. */
struct machine_platform *machine_platform_read(const struct machine_file *file,
                                               uint32_t nodes, struct lib_diags *diags);
void machine_platform_free(struct machine_platform *platform); /* NULL is allowed */

static inline struct machine_platform_way
machine_platform_way(const struct machine_platform *p, uint32_t from, uint32_t to)
{
    const uint64_t *at = &p->first[(uint64_t)from * p->node_count + to];
    return (struct machine_platform_way){&p->ways[at[0]], (uint32_t)(at[1] - at[0])};
}

/* --- for who loads one -------------------------------------------------------------------------- */

/* What SimGrid is told, as pairs of a name and a value, with NULL behind the last: what the
 * platform does not say itself. */
enum { MACHINE_PLATFORM_CONFIG = 16 };
void machine_platform_config(const struct lib_source *source,
                             const char *config[MACHINE_PLATFORM_CONFIG]);

/* A path under which this process and its children can read the bytes, until the file is closed:
 * its number is returned; -1: the host has no such file. */
enum { MACHINE_PLATFORM_PATH = 32 };
int machine_platform_file(const struct lib_source *source,
                          char path[MACHINE_PLATFORM_PATH]);

/* What no platform of a machine may have: it would change with time, or ask for other files.
 * false: it has it, which is in `diags` (machine/simgrid/refused.c). */
bool machine_platform_is_fixed(const struct lib_source *source, struct lib_diags *diags);

#endif

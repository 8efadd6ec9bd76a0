/* A platform of SimGrid (a cluster): hosts, links, and the route from each host to each other
 * one. Hosts and links have the numbers of machine/simgrid/plugin.h; node i of a machine is host
 * i. */
#ifndef MACHINE_SIMGRID_PLATFORM_H
#define MACHINE_SIMGRID_PLATFORM_H

#include "lib/arena.h"
#include "machine/settings.h"

struct machine_platform_link {
    const char *name;
    double bandwidth; /* in bytes per second */
    double latency;   /* in seconds */
    bool is_shared;   /* false: each message gets the full bandwidth */
};

/* Route from one node to another: indices of its links in `links` of the platform, in order. */
struct machine_platform_way {
    const uint32_t *links;
    uint32_t count;
};

struct machine_platform {
    uint32_t host_count, link_count;
    /* Number of hosts that are nodes of the machine: the first ones. */
    uint32_t node_count;
    const char **hosts;
    struct machine_platform_link *links;
    /* Factors by which SimGrid's model of the network multiplies latencies and bandwidths, as the
     * <config> of the platform says. */
    double latency_factor, bandwidth_factor;
    /* For each pair of nodes: index in `ways` at which its route begins. The last item is the
     * length of `ways`. */
    uint64_t *first;
    /* Indices of the links of all routes, one route after another. */
    uint32_t *ways;
    struct lib_arena *arena; /* owns the names of hosts and links */
    uint32_t users;          /* of this platform, which they share */
};

/* Reads a platform for a machine of `nodes` nodes, in a child process, because SimGrid ends the
 * process on errors; or returns one of the same file that was read before. The caller frees it, and
 * does not change it. Returns NULL after an error: the platform is invalid, or SimGrid is missing.
 */
struct machine_platform *machine_platform_read(const struct lib_setting_file *file,
                                               uint32_t nodes, struct lib_diags *diags);
/* Reads a platform, and tries in the child process whether messages can pass it as in a run at
 * `clock` cycles per second. Returns NULL after an error: also if SimGrid ends or does not. */
struct machine_platform *machine_platform_try(const struct lib_setting_file *file,
                                              uint32_t nodes, uint64_t clock,
                                              struct lib_diags *diags);
/* Frees a platform, which may be NULL, unless it has other users. */
void machine_platform_free(struct machine_platform *platform);

static inline struct machine_platform_way
machine_platform_way(const struct machine_platform *p, uint32_t from, uint32_t to)
{
    const uint64_t *at = &p->first[(uint64_t)from * p->node_count + to];
    return (struct machine_platform_way){&p->ways[at[0]], (uint32_t)(at[1] - at[0])};
}

/* --- loading ---------------------------------------------------------------------------------- */

/* Max length of the list of options, its NULL included. */
enum { MACHINE_PLATFORM_CONFIG = 16 };
/* Sets `config` to SimGrid options that the platform file does not set: pairs of name and value,
 * then NULL. */
void machine_platform_config(const struct lib_source *source,
                             const char *config[MACHINE_PLATFORM_CONFIG]);

/* Bytes of the path of a file in memory. */
enum { MACHINE_PLATFORM_PATH = 32 };
/* Makes a file in memory with the bytes of `source`, and sets `path` to its path for this
 * process and its children. Returns its descriptor, or -1 if the host has no such files. */
int machine_platform_file(const struct lib_source *source,
                          char path[MACHINE_PLATFORM_PATH]);

/* Returns false and adds a diagnostic if the platform would change over time, needs other files,
 * sets options of SimGrid that are not about the network, or declares too many hosts. */
bool machine_platform_is_fixed(const struct lib_source *source, struct lib_diags *diags);

/* Finds where a platform names the link `name` a second time in one route. Returns false if it does
 * not, as when SimGrid composes the route. */
bool machine_platform_find_repeated(const struct lib_source *source, const char *name,
                                    struct lib_pos *pos);

/* An option of SimGrid in the <config> of a platform. The value is part of the source. */
struct machine_platform_option {
    const char *value;
    size_t length;
    struct lib_pos pos;
};
/* Finds the last setting of an option in a platform. Returns false if there is none. */
bool machine_platform_option(const struct lib_source *source, const char *name,
                             struct machine_platform_option *option);
/* Warns of each option that the native model does not use. */
void machine_platform_warn_of_options(const struct lib_source *source,
                                      struct lib_diags *diags);

/* Warns of speeds of hosts, which no model reads, if they differ, or are other ones than in the
 * platforms that come with Hiaton (machine/simgrid/ready.h). */
void machine_platform_warn_of_speeds(const struct lib_source *source,
                                     struct lib_diags *diags);

/* Returns where a platform declares a host or link. The name of a part of a cluster begins with
 * that of the cluster. If there is no declaration, returns the first line. */
struct lib_pos machine_platform_place(const struct lib_source *source, const char *name);

#endif

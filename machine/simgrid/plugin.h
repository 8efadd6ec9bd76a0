/* Interface between the simulator and a shared module linked with SimGrid, a simulator of clusters.
 * machine/simgrid/library.h loads the module when needed. For C and C++.
 *
 * SimGrid has one platform per process, for the whole life of the process, and ends the process on
 * an error. A caller that must survive errors forks a process. No function may be called from two
 * threads.
 *
 * Hosts and links are numbered from 0 by their names, in natural order: `h2` before `h10`. */
#ifndef MACHINE_SIMGRID_PLUGIN_H
#define MACHINE_SIMGRID_PLUGIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MACHINE_SIMGRID_VERSION = 2 };

/* Name of the module's only exported function, a machine_simgrid_plugin. */
#define MACHINE_SIMGRID_SYMBOL "hiaton_simgrid"

/* A message that has arrived at its host. */
struct machine_simgrid_done {
    double date; /* date of arrival in seconds */
    uint64_t number;
};

struct machine_simgrid_link {
    const char *name;
    double bandwidth; /* in bytes per second */
    double latency;   /* in seconds */
    bool is_shared;   /* false: each message gets the full bandwidth (FATPIPE) */
};

struct machine_simgrid {
    /* Returns the version of SimGrid: "3.32". */
    const char *(*version)(void);

    /* Loads a platform file, once, before any other call. `config` has options that override the
     * options in the file: pairs of name and value, then NULL. Returns NULL, or the error that
     * SimGrid reports. On other errors writes to standard error and ends the process, by a signal
     * or with a status other than 0. */
    const char *(*load)(const char *path, const char *const *config);

    /* Returns the line of the platform file that is being read. */
    int (*line)(void);

    uint32_t (*host_count)(void);
    const char *(*host_name)(uint32_t host);
    uint32_t (*link_count)(void);
    void (*link)(uint32_t link, struct machine_simgrid_link *about);

    /* Returns the factors by which the model of the network multiplies latencies and bandwidths. */
    void (*factors)(double *latency, double *bandwidth);

    /* Sets `links` to the first `most` links of the route. Returns how many links the route has. */
    uint32_t (*route)(uint32_t from, uint32_t to, uint32_t *links, uint32_t most);

    /* Sends a message of `bytes` bytes (at least 1) now. `from` and `to` must differ. */
    void (*send)(uint64_t number, uint32_t from, uint32_t to, uint64_t bytes);

    /* Advances to a date (seconds). Returns the messages that have arrived, by date and number,
     * valid until the next call. */
    const struct machine_simgrid_done *(*advance)(double date, size_t *count);

    /* Returns the next date at which a message arrives or begins to flow if none is sent until
     * then; or infinity. */
    double (*next)(void);
};

typedef const struct machine_simgrid *machine_simgrid_plugin(uint32_t version);

#endif

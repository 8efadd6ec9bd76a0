/* What Hiaton asks of SimGrid: the interface of a shared module that alone is linked with it, and
 * is opened when a run first needs it (machine/simgrid/library.h). C and C++ read this.
 *
 * SimGrid has one platform per process, for as long as that lives, and ends the process when it
 * finds one wrong. Where its state would matter, who calls is a process of its own. No function
 * may be called from two threads. Hosts and links are numbered from 0 by their names, in the
 * natural order: a run of digits counts as its number, so that `h2` comes before `h10`. */
#ifndef MACHINE_SIMGRID_PLUGIN_H
#define MACHINE_SIMGRID_PLUGIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MACHINE_SIMGRID_VERSION = 1 };

/* The symbol that the module has, of type machine_simgrid_plugin. */
#define MACHINE_SIMGRID_SYMBOL "hiaton_simgrid"

/* A message has come. */
struct machine_simgrid_done {
    double date; /* in seconds */
    uint64_t number;
};

struct machine_simgrid_link {
    const char *name;
    double bandwidth; /* in bytes per second */
    double latency;   /* in seconds */
    bool
        is_shared; /* messages share its bandwidth; false: each has all of it (FATPIPE) */
};

struct machine_simgrid {
    /* Of SimGrid, as 3.32. */
    const char *(*version)(void);

    /* Loads a platform: before all others, once. `config` are pairs of a name and a value, to which those of
     * the platform give way; NULL at the end. Returns NULL, or what is wrong, where SimGrid says so. Where it
     * does not, it writes to standard error, and the process ends: by a signal, or with a status other than 0.
     */
    const char *(*load)(const char *path, const char *const *config);

    /* The line of the platform that is read, while it is. */
    int (*line)(void);

    uint32_t (*host_count)(void);
    const char *(*host_name)(uint32_t host);
    uint32_t (*link_count)(void);
    void (*link)(uint32_t link, struct machine_simgrid_link *about);

    /* The links on the way, in their order: returns how many there are, of which up to `most` are
     * put. */
    uint32_t (*route)(uint32_t from, uint32_t to, uint32_t *links, uint32_t most);

    /* Sends so many bytes, at least 1, at the present date. The hosts differ. */
    void (*send)(uint64_t number, uint32_t from, uint32_t to, uint64_t bytes);

    /* Time goes on to this date, which is not before the present one. Returns the messages that
     * came, by date, then by number: until the next call. */
    const struct machine_simgrid_done *(*advance)(double date, size_t *count);

    /* When something happens next, if nothing is sent till then: a message comes, or begins to
     * flow. Infinity: nothing. */
    double (*next)(void);
};

typedef const struct machine_simgrid *machine_simgrid_plugin(uint32_t version);

#endif

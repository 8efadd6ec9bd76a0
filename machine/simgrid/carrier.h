/* Who carries messages between the nodes of a platform, and says when they come: SimGrid, or a
 * model of our own on the same links. Neither knows a machine. Dates are in seconds since the
 * start, and never go back. */
#ifndef MACHINE_SIMGRID_CARRIER_H
#define MACHINE_SIMGRID_CARRIER_H

#include "lib/pack.h"
#include "machine/simgrid/platform.h"
#include "machine/simgrid/plugin.h"

struct machine_carrier {
    /* Sends so many bytes, at least 1, at the present date, from a node to another one. Numbers
     * are 0, 1, ... */
    void (*send)(struct machine_carrier *c, uint64_t number, uint32_t from, uint32_t to,
                 uint64_t bytes);

    /* Time goes on to this date. Returns the messages of which it is now known when they come,
     * each once, until the next call. The native model knows it before that date. */
    const struct machine_simgrid_done *(*advance)(struct machine_carrier *c, double date,
                                                  size_t *count);

    /* When more may be known, if nothing is sent till then; infinity: nothing more. */
    double (*next)(struct machine_carrier *c);

    /* Its state; NULL: it cannot be had. */
    void (*pack)(struct lib_pack *pack, struct machine_carrier *c);
    void (*free)(struct machine_carrier *c);
};

/* SimGrid with a platform of its own, for as long as the process lives. The file has been read by
 * machine_platform_read. NULL: this process can have no more, and `why` says so. */
struct machine_carrier *machine_carrier_simgrid(const struct lib_source *source,
                                                struct lib_text *why);

/* The native model: cut-through, link by link. A message reserves a link when its head comes
 * there, in the order of dates, then of numbers: the link is busy for bytes / bandwidth, and the
 * head is behind it after its latency. Links that are not shared are never busy. The platform is
 * borrowed. */
struct machine_carrier *machine_carrier_native(const struct machine_platform *platform);

#endif

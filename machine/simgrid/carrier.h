/* Carriers of messages between the nodes of a platform, which compute their arrivals: SimGrid, or a
 * native model on the same links. Neither depends on a machine. Dates are in seconds since the
 * start, and never decrease. */
#ifndef MACHINE_SIMGRID_CARRIER_H
#define MACHINE_SIMGRID_CARRIER_H

#include "lib/pack.h"
#include "machine/simgrid/platform.h"
#include "machine/simgrid/plugin.h"

struct machine_carrier {
    /* Sends `bytes` bytes, at least 1, at the present date, from a node to another one. Numbers are
     * 0, 1, ... */
    void (*send)(struct machine_carrier *c, uint64_t number, uint32_t from, uint32_t to,
                 uint64_t bytes);

    /* Advances to a date. Returns the messages whose arrival is known now, each once, valid until
     * the next call. The native model knows an arrival before its date. */
    const struct machine_simgrid_done *(*advance)(struct machine_carrier *c, double date,
                                                  size_t *count);

    /* Returns the next date when more may be known, if nothing is sent until then; or infinity. */
    double (*next)(struct machine_carrier *c);

    /* Packs the state. NULL if it cannot be packed. */
    void (*pack)(struct lib_pack *pack, struct machine_carrier *c);
    void (*free)(struct machine_carrier *c);
};

/* Makes a SimGrid with its own platform, for the life of the process. The file must have been read
 * by machine_platform_read. If this process can have no more of them, returns NULL and sets `why`
 * to the reason. */
struct machine_carrier *machine_carrier_simgrid(const struct lib_source *source,
                                                struct lib_text *why);

/* Makes the native model: cut-through, link by link. A message reserves a link when its head comes
 * there, in the order of dates and numbers: the link is busy for bytes / bandwidth, and the head is
 * behind it after its latency. Links that are not shared are never busy. The platform is
 * borrowed. */
struct machine_carrier *machine_carrier_native(const struct machine_platform *platform);

#endif

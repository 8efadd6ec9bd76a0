/* Carriers of messages between the nodes of a platform, which compute their arrivals: SimGrid, or a
 * native model on the same links. Dates are in seconds since the start of the run, and never
 * decrease. */
#ifndef MACHINE_SIMGRID_CARRIER_H
#define MACHINE_SIMGRID_CARRIER_H

#include "lib/pack.h"
#include "machine/simgrid/platform.h"
#include "machine/simgrid/plugin.h"

struct machine_carrier {
    /* Sends a message of `bytes` bytes, at least 1, from one node to another now. Messages are
     * numbered 0, 1, ... */
    void (*send)(struct machine_carrier *c, uint64_t number, uint32_t from, uint32_t to,
                 uint64_t bytes);

    /* Advances to a date. Returns the messages whose arrival has become known, each once, valid
     * until the next call. The native model knows an arrival in advance. */
    const struct machine_simgrid_done *(*advance)(struct machine_carrier *c, double date,
                                                  size_t *count);

    /* Returns the next date at which `advance` may return messages, if nothing is sent until then;
     * or infinity. */
    double (*next)(struct machine_carrier *c);

    /* Packs the state of the carrier. NULL if it cannot be packed. */
    void (*pack)(struct lib_pack *pack, struct machine_carrier *c);
    void (*free)(struct machine_carrier *c);
};

/* Makes a carrier with a SimGrid of its own, which stays until the process ends. The file must have
 * been read by machine_platform_read. If this process can have no more SimGrids, returns NULL and
 * sets `why` to the reason. */
struct machine_carrier *machine_carrier_simgrid(const struct lib_source *source,
                                                struct lib_text *why);

/* Makes the native carrier, which models cut-through switching. A message reserves each link of its
 * route when its head arrives there, in the order of dates and numbers. It occupies the link for
 * bytes / bandwidth, and its head leaves the link after its latency. Links that are not shared are
 * never occupied. The platform is borrowed. */
struct machine_carrier *machine_carrier_native(const struct machine_platform *platform);

#endif

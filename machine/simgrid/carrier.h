/* A carrier computes when messages between the nodes of a cluster arrive: by SimGrid, or by a
 * native model of the same links. Dates are in seconds since the start of the run and never
 * decrease. */
#ifndef MACHINE_SIMGRID_CARRIER_H
#define MACHINE_SIMGRID_CARRIER_H

#include "lib/pack.h"
#include "machine/simgrid/platform.h"
#include "machine/simgrid/plugin.h"

struct machine_carrier {
    /* Sends a message of `bytes` bytes (at least 1) now. Messages are numbered 0, 1, ... */
    void (*send)(struct machine_carrier *c, uint64_t number, uint32_t from, uint32_t to,
                 uint64_t bytes);

    /* Advances to a date. Returns the messages whose arrival has become known, each once; the
     * native model knows arrivals in advance, SimGrid when they happen. The array is valid until
     * the next call. */
    const struct machine_simgrid_done *(*advance)(struct machine_carrier *c, double date,
                                                  size_t *count);

    /* Returns the next date at which `advance` may return messages if none is sent until then;
     * or infinity. */
    double (*next)(struct machine_carrier *c);

    /* Packs the state of the carrier for a checkpoint. NULL if the carrier cannot be packed. */
    void (*pack)(struct lib_pack *pack, struct machine_carrier *c);
    void (*free)(struct machine_carrier *c);
};

/* Makes a carrier with its own instance of SimGrid, which remains until the process ends.
 * machine_platform_read must have read the file. Returns NULL and sets `why` if the process can
 * have no more instances. */
struct machine_carrier *machine_carrier_simgrid(const struct lib_source *source,
                                                struct lib_text *why);

/* Makes the native carrier, which models cut-through switching. A message reserves each link of
 * its route when its head arrives there, in the order of dates and numbers. It occupies the link
 * for bytes / bandwidth; its head leaves after the latency of the link. A link that is not
 * shared is never occupied. The platform is borrowed. */
struct machine_carrier *machine_carrier_native(const struct machine_platform *platform);

#endif

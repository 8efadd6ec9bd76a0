/* Ports of a machine: the program that runs the simulator (its host) feeds elements to open arrays
 * of the simulated program, in given cycles (doc/model.md, "Ports").
 *
 * Between two calls a machine is at the beginning of the cycle machine_now. A feed is for this or a
 * later cycle, and takes effect at its beginning. Feeds of one cycle are ordered by the declaration
 * of their ports, then by the order of the calls. Only machines whose programs have ports look for
 * feeds, between cycles. */
#ifndef MACHINE_PORTS_H
#define MACHINE_PORTS_H

#include "isa/exec/port.h"
#include "isa/tensor/shape.h"
#include "lib/arena.h"
#include "lib/memory.h"
#include "lib/pack.h"

struct machine;
struct isa_graph;

/* Last cycle to which a host can advance time, and in which it can feed a port. What is in flight
 * then ends later, so that the sum of a cycle and latencies never wraps round. */
#define MACHINE_LAST_CYCLE ((uint64_t)INT64_MAX)

/* One component of an element that the host feeds: a scalar or a tensor. */
struct machine_fed {
    isa_value value; /* value of a scalar */
    bool is_tensor;
    struct isa_shape shape; /* shape of a tensor */
    const void *data;       /* elements of a tensor in row-major order */
};

/* An element that the host feeds to a port, or the closing of a port. */
struct machine_feed {
    uint64_t cycle;
    uint32_t port;
    struct machine_fed *parts; /* components of the element; NULL: the port is closed */
    uint64_t number;           /* order of the calls; set by the machine */
};

/* Pending feeds of a port. */
struct machine_pending {
    uint64_t feeds;    /* number of them, with the closing */
    uint64_t elements; /* number of elements */
    uint64_t last;     /* cycle of the last one */
    bool closes;
};

struct machine_ports {
    bool waits;     /* nothing can happen until the host feeds or closes a port */
    uint64_t taken; /* number of feeds and closings applied so far */
    uint64_t now;   /* executors only: first cycle that has not ended */
    /* Smallest memory.capacity that has room for a refused feed; 0: no feed was refused. */
    uint64_t needed;
    uint64_t due; /* cycle of the next event that is not a feed; MACHINE_NEVER: none */
    /* Pending feeds: a heap by cycle, port and order of the calls. `parts` of a feed are owned, in
     * one block with their data. */
    LIB_VEC(struct machine_feed) feeds;
    uint64_t number;              /* of the next feed that is given */
    struct machine_pending *of;   /* owned: pending feeds of each port */
    struct machine_room_sum *sum; /* owned: what feeds of this cycle need; or NULL */
};

/* Feeds an element to an open input port at the beginning of `cycle`, which must be at least
 * machine_now and the cycle of the port's previous feed. `parts` are copied and must have the types
 * of the port. In a machine with struct traces_timing, `cycle` is still in cycles, but machine_now
 * is in ticks. */
void machine_feed(struct machine *m, uint32_t port, const struct machine_fed *parts,
                  uint64_t cycle);

/* Closes an open input port at the beginning of `cycle`, with the conditions on `cycle` of
 * machine_feed. */
void machine_close(struct machine *m, uint32_t port, uint64_t cycle);

/* Makes values for isa_ports_feed from `count` components of an element. The caller owns the
 * tensors among them. Returns false if there is no memory for tensors. */
bool machine_fed_make(struct isa_exec *exec, const struct machine_fed *parts,
                      uint32_t count, struct isa_port_value *values);

/* Frees the tensors among values that machine_fed_make made and nobody fed. */
void machine_fed_free(struct isa_exec *exec, const struct isa_port_value *values,
                      uint32_t count);

/* Packs a feed for a checkpoint, or reads one; a reader allocates `parts` in the arena. */
void machine_feed_pack(struct lib_pack *pack, const struct isa_graph *graph,
                       struct machine_feed *feed, struct lib_arena *arena);

/* Elements that the host has fed to a port so far, including feeds for later cycles. */
struct machine_given {
    uint64_t elements;
    uint64_t last; /* cycle of the last pending feed or closing of the port; 0: none */
    bool is_closed;
};

struct machine_given machine_given(const struct machine *m, uint32_t port);

/* Returns the first cycle for which the host can still feed elements. */
uint64_t machine_now(const struct machine *m);

/* Whether machine_advance_to returned because nothing can happen before the host feeds or closes a
 * port. */
bool machine_waits(const struct machine *m);

/* Returns the cycle of the next event or feed; MACHINE_NEVER if the machine waits for its host.
 * Without ports, equals machine_next. */
uint64_t machine_due(const struct machine *m);

/* Advances time to `cycle` in a machine that waits for its host (machine_waits). Returns whether
 * the run continues. */
bool machine_lapse(struct machine *m, uint64_t cycle);

/* Whether an element can be fed to an open port in `cycle`: port.capacity allows it, and, if
 * `cycle` is machine_now, memory.capacity too. A feed for a later cycle that finds no room then
 * ends the run. */
bool machine_takes_feed(const struct machine *m, uint32_t port,
                        const struct machine_fed *parts, uint64_t cycle);

/* Returns how many more elements port.capacity allows the host to feed to a port now; UINT64_MAX:
 * unlimited. */
uint64_t machine_port_room(const struct machine *m, uint32_t port);

/* --- used inside machine/ --------------------------------------------------------------------- */

/* Makes m->ports at the start of a run, if the program has ports. */
void machine_ports_start(struct machine *m);

/* Frees m->ports with pending feeds, and sets it to NULL. */
void machine_ports_free(struct machine *m);

/* Writes pending feeds to a checkpoint, or reads them (machine/checkpoint.h). If the reading
 * machine already has all feeds of the run, it ignores the feeds in the checkpoint, and drops the
 * feeds that the saved machine had applied. */
void machine_ports_pack(struct lib_pack *pack, struct machine *m);

/* Returns the cycle of the next pending feed; MACHINE_NEVER if there is none. */
static inline uint64_t machine_ports_next(const struct machine_ports *p)
{
    return p->feeds.count ? p->feeds.items[0].cycle : UINT64_MAX;
}

/* Applies the feeds of this cycle, and answers the reads that waited for them. */
void machine_ports_take(struct machine *m);
#endif

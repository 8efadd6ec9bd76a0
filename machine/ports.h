/* Ports of a machine: the program that runs the machine (its host) feeds elements to open arrays of
 * the simulated program, in given cycles (doc/model.md, "Ports").
 *
 * Between two calls a machine is at the beginning of the cycle machine_now. A feed is for this
 * cycle or a later one, and takes effect at its beginning. Feeds of one cycle are ordered by the
 * declaration of their ports, then by the order of the calls. Only a machine whose program has
 * ports looks for feeds, between cycles. */
#ifndef MACHINE_PORTS_H
#define MACHINE_PORTS_H

#include "isa/exec/port.h"
#include "isa/tensor/shape.h"
#include "lib/arena.h"
#include "lib/memory.h"
#include "lib/pack.h"

struct machine;
struct isa_graph;

/* Part of an element, as the host passes it: a scalar or a tensor. */
struct machine_fed {
    isa_value value; /* value of a scalar */
    bool is_tensor;
    struct isa_shape shape; /* shape of a tensor */
    const void *data;       /* elements of a tensor in row-major order */
};

/* Element that is fed to a port, or the closing of a port. */
struct machine_feed {
    uint64_t cycle;
    uint32_t port;
    struct machine_fed *parts; /* parts of the element; NULL: the port is closed */
};

struct machine_ports {
    bool waits;     /* nothing can happen until the host feeds or closes a port */
    uint64_t taken; /* number of feeds and closings that have taken effect */
    uint64_t now;   /* executors: the first cycle that has not ended */
    /* Smallest memory.capacity for a feed that was refused; 0: none was. */
    uint64_t needed;
    uint64_t due; /* cycle of the next event except feeds; MACHINE_NEVER: none */
    /* Pending feeds, from index `at` on, ordered by cycle, port and order of the calls. The machine
     * owns their parts, each in one block with its data. */
    LIB_VEC(struct machine_feed) feeds;
    size_t at;
};

/* Feeds an element to an open port in at the beginning of `cycle`, which must be at least
 * machine_now and the cycle of the previous feed of the port. `parts` are copied and must have the
 * types of the port. */
void machine_feed(struct machine *m, uint32_t port, const struct machine_fed *parts,
                  uint64_t cycle);

/* Closes an open port in at the beginning of `cycle`, which must be as for machine_feed. */
void machine_close(struct machine *m, uint32_t port, uint64_t cycle);

/* Makes the values of an element for isa_ports_feed, from `count` parts. The caller owns the
 * tensors among them. Returns false if there is no memory for them. */
bool machine_fed_make(struct isa_exec *exec, const struct machine_fed *parts,
                      uint32_t count, struct isa_port_value *values);

/* Frees tensors of values that were made but not fed. */
void machine_fed_free(struct isa_exec *exec, const struct isa_port_value *values,
                      uint32_t count);

/* Packs a feed; a reader allocates the parts in the arena. */
void machine_feed_pack(struct lib_pack *pack, const struct isa_graph *graph,
                       struct machine_feed *feed, struct lib_arena *arena);

/* Feeds that a port was given so far, for later cycles too. */
struct machine_given {
    uint64_t elements;
    uint64_t last; /* cycle of the last pending feed or closing; 0: none */
    bool is_closed;
};

struct machine_given machine_given(const struct machine *m, uint32_t port);

/* Returns the first cycle for which a feed can be given. */
uint64_t machine_now(const struct machine *m);

/* Whether machine_advance_to returned because nothing can happen before the host feeds or closes a
 * port. */
bool machine_waits(const struct machine *m);

/* Returns the cycle of the next event, including feeds; MACHINE_NEVER if the machine waits for its
 * host. Without ports, equals machine_next. */
uint64_t machine_due(const struct machine *m);

/* Lets time pass up to `cycle` while machine_waits. Returns whether the run continues. */
bool machine_lapse(struct machine *m, uint64_t cycle);

/* Whether an element can be fed to an open port: port.capacity allows it, and, if `cycle` is
 * machine_now, so does memory.capacity. If a later feed has no room in its cycle, it ends the
 * run. */
bool machine_takes_feed(const struct machine *m, uint32_t port,
                        const struct machine_fed *parts, uint64_t cycle);

/* Returns how many more elements can be fed to a port now (port.capacity); UINT64_MAX:
 * unlimited. */
uint64_t machine_port_room(const struct machine *m, uint32_t port);

/* --- for the machine -------------------------------------------------------------------------- */

/* Makes m->ports for a run if the program has ports, after the root activation was placed. */
void machine_ports_start(struct machine *m);

/* Frees m->ports with the feeds to come, and sets it to NULL. */
void machine_ports_free(struct machine *m);

/* Packs pending feeds (machine/checkpoint.h). A machine that got all its feeds before it was read
 * keeps those after the packed state, whatever feeds were packed. */
void machine_ports_pack(struct lib_pack *pack, struct machine *m);

/* Returns the cycle of the next pending feed; MACHINE_NEVER if there is none. */
static inline uint64_t machine_ports_next(const struct machine_ports *p)
{
    return p->at < p->feeds.count ? p->feeds.items[p->at].cycle : UINT64_MAX;
}

/* Applies the feeds of this cycle, and sends answers to instructions that waited for them. */
void machine_ports_take(struct machine *m);
#endif

/* Ports of a machine: elements that the host of a run feeds, each in a cycle of simulated time
 * (doc/model.md, "Ports"). A machine stands between two cycles, at machine_next: a feed is given
 * for that cycle or a later one, and is there when that cycle begins, before anything happens in
 * it. Of one cycle those of the port that is declared first come first, and those of one port in
 * the order in which they were given.
 *
 * A machine whose program has ports asks for feeds between cycles; others never do. It ends a
 * skip of cycles where a feed is due, or where its caller wants it to stop. */
#ifndef MACHINE_PORTS_H
#define MACHINE_PORTS_H

#include "isa/exec/port.h"
#include "isa/tensor/shape.h"
#include "lib/arena.h"
#include "lib/memory.h"
#include "lib/pack.h"

struct machine;
struct isa_graph;

/* One part of an element, as the host has it. */
struct machine_fed {
    isa_value value; /* of a scalar */
    bool is_tensor;
    struct isa_shape shape; /* of a tensor, */
    const void *data;       /* and its elements, in row-major order */
};

/* An element for a port in, or its close, and its cycle. */
struct machine_feed {
    uint64_t cycle;
    uint32_t port;
    struct machine_fed
        *parts; /* NULL: a close. A machine owns those to come, each in one block */
};

struct machine_ports {
    bool is_there;  /* the program has ports */
    bool waits;     /* nothing goes on before the host feeds or closes a port */
    uint64_t taken; /* feeds and closes so far */
    size_t at;      /* the next one of: */
    uint64_t now;   /* of an executor: the first cycle that is not over */
    uint64_t
        due; /* the cycle in which something happens next, but for feeds; MACHINE_NEVER */
    LIB_VEC(struct machine_feed) feeds; /* by cycle, port and order */
};

/* Feeds an element to a port in, which is not closed, at the beginning of a cycle that is not
 * over and not before the last one that was given for the port. `parts` are copied; their types
 * fit. */
void machine_feed(struct machine *m, uint32_t port, const struct machine_fed *parts,
                  uint64_t cycle);

/* Closes a port in, which is not closed, as machine_feed. */
void machine_close(struct machine *m, uint32_t port, uint64_t cycle);

/* Makes the values of an element of `count` parts, whose tensors the caller owns, for
 * isa_ports_feed. Returns false if there is no memory for them. */
bool machine_fed_make(struct isa_exec *exec, const struct machine_fed *parts,
                      uint32_t count, struct isa_port_value *values);

/* Frees the tensors of values that were made and not fed. */
void machine_fed_free(struct isa_exec *exec, const struct isa_port_value *values,
                      uint32_t count);

/* Packs a feed of a program. A reader puts its parts into the arena. */
void machine_feed_pack(struct lib_pack *pack, const struct isa_graph *graph,
                       struct machine_feed *feed, struct lib_arena *arena);

/* What a port was given so far, those of later cycles too. */
struct machine_given {
    uint64_t elements;
    uint64_t
        last; /* the cycle of the last feed or close that is to come; 0: there is none */
    bool is_closed;
};

struct machine_given machine_given(const struct machine *m, uint32_t port);

/* The first cycle in which it can be fed. */
uint64_t machine_now(const struct machine *m);

/* Whether machine_advance_to has returned as the machine is quiet, and waits for its host. */
bool machine_waits(const struct machine *m);

/* The cycle in which something happens next, of a run that goes on; MACHINE_NEVER: it waits for its
 * host. Without ports as machine_next. */
uint64_t machine_due(const struct machine *m);

/* Lets time pass up to a cycle while machine_waits. Returns whether the run goes on. */
bool machine_lapse(struct machine *m, uint64_t cycle);

/* How many elements a port would take now, by port.capacity; UINT64_MAX: any number. */
uint64_t machine_port_room(const struct machine *m, uint32_t port);

/* --- for the machine -------------------------------------------------------------------------- */

/* Makes what a program with ports needs, once its root was placed; and before another run. */
void machine_ports_start(struct machine *m);
void machine_ports_free(struct machine *m);

/* Packs what is to come (machine/checkpoint.h). A machine that was given all its feeds when it
 * was made has those that come after the packed state, whatever the host of the packed one had
 * given until then. */
void machine_ports_pack(struct lib_pack *pack, struct machine *m);

/* The cycle of the next feed, which is not over; MACHINE_NEVER: none was given. */
static inline uint64_t machine_ports_next(const struct machine_ports *p)
{
    return p->at < p->feeds.count ? p->feeds.items[p->at].cycle : UINT64_MAX;
}

/* Takes the feeds of the present cycle, and sends what they answer. */
void machine_ports_take(struct machine *m);
#endif

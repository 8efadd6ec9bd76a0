/* The timetable of a crossbar whose queues and bandwidth are unlimited. A port passes one token per
 * cycle, first come, first served. So the cycle in which a token will pass is known when it comes
 * before the port: the token needs no queue, and is entered for that cycle.
 *
 *     before the output port --> entered for the arrival before the input port
 *                            --> passes at once, or is entered again for when it passes
 *
 * Tokens that arrive in one cycle are taken in the order of the output ports that they came
 * through, as in machine/network/links.h.
 *
 * The timetable is open only while the machine advances. When it is closed, all tokens are in
 * queues again, as if there were no timetable: statistics, snapshots and events see only the
 * queues. */
#ifndef MACHINE_NETWORK_TIMETABLE_H
#define MACHINE_NETWORK_TIMETABLE_H

#include "machine/network/network.h"

/* A token, its output port, and the number of the next one in its list, or 0. */
struct machine_timed {
    struct isa_token token;
    uint32_t from;
    uint32_t next;
};

/* The tokens of a cycle: a list of those that come before input ports, and one of those that pass
 * them, in any order. */
struct machine_due {
    uint32_t coming, leaving;
};

/* A port. All tokens that came before it are counted as if they had passed. `from` is, for an input
 * port, the output port of the last token, if that did not wait; else 0. */
struct machine_timed_port {
    uint64_t free, tokens, waits, from;
};

struct machine_timetable {
    struct machine_due *dues; /* wheel of cycles, which can grow */
    uint64_t mask;
    struct machine_timed *entries; /* number 0 is never used */
    uint32_t unused, capacity;     /* unused: first of the list of unused entries */
    struct machine_timed_port *outputs, *inputs; /* per PE */
    uint64_t latency;
    uint64_t last; /* last cycle in which a token passes an output port, or later */
    /* Last cycle in which a token that waited passes an input port. */
    uint64_t last_leaving;
    uint64_t done; /* first cycle that is not over */

    /* For sorting a list: a set of output ports, empty between uses, and the entry of each. */
    struct machine_set present;
    uint32_t *entry_of;
};

/* Makes the timetable for the crossbar of a machine. Returns NULL if it can have none. */
struct machine_timetable *machine_timetable_new(const struct machine *m);
void machine_timetable_free(struct machine_timetable *table); /* NULL is allowed */

/* While it is open: simulates one cycle; returns the next cycle with something to do, or
 * MACHINE_NEVER. */
void machine_timetable_serve(struct machine *m);
uint64_t machine_timetable_next(const struct machine *m);

#endif

/* The timetable: a fast simulation of a crossbar with unlimited queues and bandwidth. A port passes
 * one token per cycle, first come, first served. So when a token arrives at a port, the cycle in
 * which it will pass is known: the token needs no queue, and is put in a list for that cycle.
 *
 *     before the output port --> entered for the arrival before the input port
 *                            --> passes at once, or is entered again for when it passes
 *
 * Tokens that arrive in one cycle are ordered by the output ports that they came through, as in
 * machine/network/links.h.
 *
 * The timetable is open only while the machine advances. When it is closed, all tokens are in
 * queues again, as if there were no timetable: statistics, snapshots and events see only the
 * queues. */
#ifndef MACHINE_NETWORK_TIMETABLE_H
#define MACHINE_NETWORK_TIMETABLE_H

#include "machine/network/network.h"

/* A token, its output port, and the index of the next token in its list, or 0. */
struct machine_timed {
    struct isa_token token;
    uint32_t from;
    uint32_t next;
};

/* Two unordered lists of the tokens of a cycle: those that reach input ports, and those that pass
 * them. */
struct machine_due {
    uint32_t coming, leaving;
};

/* A port: when it is free, and its counts, which include tokens that will pass later. `from` of an
 * input port is the output port of its last token, if that did not wait; else 0. */
struct machine_timed_port {
    uint64_t free, tokens, waits, from;
};

struct machine_timetable {
    struct machine_due *dues; /* lists of the following cycles, as a ring that can grow */
    uint64_t mask;
    struct machine_timed *entries; /* index 0 is not used */
    uint32_t unused, capacity; /* `unused` is the first of the list of unused entries */
    struct machine_timed_port *outputs, *inputs; /* ports of each PE */
    uint64_t latency;
    uint64_t last; /* upper bound of the cycles in which tokens pass output ports */
    /* Last cycle in which a token that waited passes an input port. */
    uint64_t last_leaving;
    uint64_t done; /* first cycle that is not simulated completely */

    /* For sorting a list: the output ports in it (empty between uses), and the entry of each. */
    struct machine_set present;
    uint32_t *entry_of;
};

/* Makes the timetable for a crossbar. Returns NULL if queues or bandwidth are finite. */
struct machine_timetable *machine_timetable_new(const struct machine *m);
void machine_timetable_free(struct machine_timetable *table); /* `table` may be NULL */

/* While the timetable is open: simulate one cycle; return the next cycle with something to do, or
 * MACHINE_NEVER. */
void machine_timetable_serve(struct machine *m);
uint64_t machine_timetable_next(const struct machine *m);

#endif

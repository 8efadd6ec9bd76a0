/* The timetable of a crossbar whose queues and bandwidth are unlimited. A port lets one token
 * through in each cycle, first come, first served. So when a token comes before a port it is
 * known when it will go through: the token waits in no queue, and is entered for the cycle in
 * which something happens to it next.
 *
 * A token that comes before its output port is entered for the cycle in which it comes before its
 * input port. Then it goes through, or is entered once more, for when it does. Those that come in
 * one cycle are taken in the order of the output ports that they went through, as
 * machine/network/links.h has it.
 *
 * The timetable is open only while the machine advances. When it is closed all is in queues
 * again, as if there had been no timetable: whoever looks at a network, measures it, packs it or
 * tells of it sees only that. */
#ifndef MACHINE_NETWORK_TIMETABLE_H
#define MACHINE_NETWORK_TIMETABLE_H

#include "machine/network/network.h"

/* A token, its output port, and the number of the next one in its list; 0: there is none. */
struct machine_timed {
    struct isa_token token;
    uint32_t from;
    uint32_t next;
};

/* Lists of what happens in a cycle: tokens that come before input ports, and that go through
 * those. Neither has an order. */
struct machine_due {
    uint32_t coming, leaving;
};

/* What is known of a port: all tokens that have come before it are counted, as if they had gone
 * through. `from`, of an input port: the output port of what went through it last, if that did
 * not wait; else 0. */
struct machine_timed_port {
    uint64_t free, tokens, waits, from;
};

struct machine_timetable {
    struct machine_due *dues; /* per cycle, as a wheel, which grows */
    uint64_t mask;
    struct machine_timed
        *entries; /* a list of those that are `unused`; number 0 is never used */
    uint32_t unused, capacity;
    struct machine_timed_port *outputs, *inputs; /* per PE */
    uint64_t latency;
    uint64_t last; /* cycle in which a token goes through an output port, or later, */
    uint64_t last_leaving; /* and in which one that waited goes through an input port */
    uint64_t done;         /* all cycles before this one are over */

    /* For putting a list into order: the entry of each output port of a set, which is empty
     * else. */
    struct machine_set present;
    uint32_t *entry_of;
};

/* For the crossbar of a machine, which is made; NULL: it can have none. */
struct machine_timetable *machine_timetable_new(const struct machine *m);
void machine_timetable_free(struct machine_timetable *table); /* NULL is allowed */

/* While it is open: one cycle; and the next one in which there is something to do, or
 * MACHINE_NEVER. */
void machine_timetable_serve(struct machine *m);
uint64_t machine_timetable_next(const struct machine *m);

#endif

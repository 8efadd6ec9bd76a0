/* The timetable: a fast simulation of a crossbar with unlimited queues and bandwidth. A port passes
 * one token per cycle, first come, first served. So when a token arrives at a port, the cycle in
 * which it will pass is known: it needs no queue, but is put in a list for that cycle.
 *
 *     before the output port --> entered for the arrival before the input port
 *                            --> passes at once, or is entered again for when it passes
 *
 * Tokens that arrive in one cycle are ordered by the output ports that they came through, as in
 * machine/network/crossbar.h.
 *
 * The timetable is open only while the machine advances. Closing it puts all tokens into queues:
 * statistics, snapshots and events see only the queues.
 */
#ifndef MACHINE_NETWORK_TIMETABLE_H
#define MACHINE_NETWORK_TIMETABLE_H

#include "machine/network/crossbar.h"

/* A token in the timetable, the output port that it came through, and the index of the next token
 * in its list, or 0. */
struct machine_timed {
    struct isa_token token;
    uint32_t from;
    uint32_t next;
};

/* Two unordered lists of the tokens of a cycle: those that reach input ports, and those that pass
 * input ports. Values are indexes into `entries`; 0: empty. */
struct machine_due {
    uint32_t coming, leaving;
};

/* A port. `free` is the cycle from which it is free; the statistics `tokens` and `waits` already
 * include tokens that will pass later. `from` is used only for an input port: the output port from
 * which its last token came, if that token did not wait; else 0. */
struct machine_timed_port {
    uint64_t free, tokens, waits, from;
};

/* The members of the next struct (lib/state_table.h), whose table frees it. Nothing is packed or
 * reset: a timetable that is not open follows from its crossbar. */
#define MACHINE_TIMETABLE_FIELDS(F)                                                       \
    /* lists of the following cycles, as a ring that can grow */                          \
    F(OWNED, struct machine_due, dues)                                                    \
    F(KEPT, uint64_t, mask)                                                               \
    F(OWNED, struct machine_timed, entries) /* all tokens; index 0 is not used */         \
    F(KEPT, uint32_t, unused)               /* first of the list of unused entries */     \
    F(KEPT, uint32_t, capacity)                                                           \
    /* for each PE: its output port and its input port; one block */                      \
    F(OWNED, struct machine_timed_port, outputs)                                          \
    F(KEPT, struct machine_timed_port *, inputs)                                          \
    F(KEPT, uint64_t, latency)                                                            \
    F(KEPT, uint64_t, last) /* max cycle in which tokens can pass output ports */         \
    /* last cycle in which a token that waited passes an input port */                    \
    F(KEPT, uint64_t, last_leaving)                                                       \
    F(KEPT, uint64_t, done) /* first cycle that is not completely simulated */            \
    /* Work space for sorting a list: output ports in it (empty between uses), and the */ \
    /* entry of each. */                                                                  \
    F(APART, machine_set, present)                                                        \
    F(OWNED, uint32_t, entry_of)
struct machine_timetable {
    MACHINE_TIMETABLE_FIELDS(LIB_STATE_MEMBER)
};

/* Makes the timetable of a crossbar with unlimited queues and bandwidth. */
struct machine_timetable *machine_timetable_new(uint32_t pe_count, uint64_t latency);
void machine_timetable_free(struct machine_timetable *table); /* `table` may be NULL */

/* Opens the timetable of a crossbar, of which the cycles before `done` are simulated; or closes
 * it. */
void machine_timetable_open(struct machine_crossbar *crossbar, uint64_t done);
void machine_timetable_close(struct machine_crossbar *crossbar);

/* machine_timetable_serve simulates cycle `now`. machine_timetable_next returns the next cycle
 * before `end` with something to do, or MACHINE_NEVER. The timetable must be open. */
void machine_timetable_serve(struct machine_timetable *table,
                             const struct machine_crossbar_outside *out, uint64_t now);
uint64_t machine_timetable_next(const struct machine_timetable *table, uint64_t now,
                                uint64_t end);

#endif

/* The host walks the PEs backwards: for tests only.
 *
 * The order of events within a cycle is defined by the numbers of the PEs. The order in which
 * the host simulates them must not matter. Under `reverse` the host goes from the last PE to the
 * first, and no digest, statistic or result of a run that completes may change. One thing would
 * come in a different order, and is put right here: tokens formed by the issues of one kind are
 * put into the wheels in the order of those issues, as the definition says. The tests would find
 * anything else that depends on the walk.
 *
 * This is only for machines in which no PE can take something away from another in a cycle:
 * stores, tags and workers that copy are unlimited, copies are soon done
 * (machine/pe/graph_copy.h), and no fault holds messages until nothing else goes on. */
#ifndef MACHINE_REVERSE_H
#define MACHINE_REVERSE_H

#include "machine/state.h"

/* Of a machine that has not advanced yet. machine_free gives back what this takes. */
void machine_reverse_host(struct machine *m);
void machine_reverse_free(struct machine_reverse *reverse); /* NULL is allowed */

/* An issue of a PE begins. */
void machine_reverse_issue(struct machine *m, uint32_t pe);

/* Its instruction has fired, or waits. */
void machine_reverse_fired(struct machine *m);

/* What is sent next answers a read that was deferred. */
void machine_reverse_answer(struct machine *m, uint32_t deferred);

/* Room for tokens that will be put into a wheel; valid until the next call. */
struct isa_token *machine_reverse_put(struct machine *m, struct machine_wheel_slot *slot,
                                      uint32_t count);

/* Puts all such tokens into their wheels, in the order of the issues. */
void machine_reverse_flush(struct machine *m);

#endif

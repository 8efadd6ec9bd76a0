/* A random host of a machine whose program has ports, and what it gave, for the second
 * simulator. */
#ifndef TESTS_RANDOM_FEEDING_H
#define TESTS_RANDOM_FEEDING_H

#include "machine/machine.h"
#include "sim/session/feeds.h"
#include "tests/oracle/oracle.h"
#include "tests/random/generate_ports.h"

enum { FEEDING_MAX = PORTS_MAX * (PORTS_LENGTH_MAX + 1) };

struct feeding {
    struct oracle_host host;
    struct oracle_feed feeds[FEEDING_MAX];
    struct oracle_fed parts[FEEDING_MAX * PORTS_PARTS_MAX];
    struct isa_tensor_memory tensors;
    struct sim_feeds all; /* the same for a run of the engine alone */
    struct machine_fed fed[FEEDING_MAX * PORTS_PARTS_MAX];
};

/* Runs a machine to its end, or until it waits in vain, and feeds it: all at the start, each in its
 * cycle; whenever it waits; or both in turn. Returns whether it waits. One host in eight forgets to
 * close its ports. Where instructions have times of their own (`is_timed`) a host feeds at the
 * start alone, as a host that feeds while the run goes on has no such machine. */
bool feeding_run(struct feeding *f, struct machine *m, const struct isa_graph *graph,
                 const struct ports_program *program, uint64_t seed, bool is_timed);
void feeding_free(struct feeding *f);

/* The elements that can be taken from ports out, in the form of the second simulator. */
void feeding_write_taken(const struct machine *m, const struct isa_graph *graph,
                         struct lib_text *out);

#endif

/* A random host of a machine whose program has ports; records what it fed for the second
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
    struct sim_feeds all; /* all feeds of the host, for a run of the engine alone */
    struct machine_fed fed[FEEDING_MAX * PORTS_PARTS_MAX];
};

/* Runs a machine to its end, or until it waits for feeds that do not come. Feeds it in one of three
 * ways: everything at the start, each element with its cycle; whenever the machine waits; or by
 * turns. One host in eight does not close its ports. `is_timed`, times of single instructions:
 * everything is fed at the start. Returns whether the machine waits at the end. */
bool feeding_run(struct feeding *f, struct machine *m, const struct isa_graph *graph,
                 const struct ports_program *program, uint64_t seed, bool is_timed);
void feeding_free(struct feeding *f);

/* Writes the elements that a host can take from output ports, as the second simulator does. */
void feeding_write_taken(const struct machine *m, const struct isa_graph *graph,
                         struct lib_text *out);

#endif

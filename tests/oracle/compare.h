/* One run of an engine against the second simulator: every statistic, of the machine
 * and of each PE, both digests, the result, how it ends. */
#ifndef TESTS_ORACLE_COMPARE_H
#define TESTS_ORACLE_COMPARE_H

#include "isa/graph.h"
#include "machine/settings.h"
#include "tests/oracle/oracle.h"

struct machine_timing;
struct ports_program;

struct oracle_case {
    const struct isa_graph *graph;
    const isa_value *inputs; /* or NULL: the program's own */
    const struct machine_settings *settings;
    uint64_t seed;
    const struct machine_timing *timing; /* or NULL */
    const struct ports_program *ports;   /* that a host feeds; NULL: none does */
    enum oracle_mistake mistake;
    struct oracle_coverage *seen;
};

/* What was seen in all comparisons: the greatest value of each statistic, how runs
 * ended. */
struct oracle_coverage {
    struct oracle_stats most;
    uint64_t ended[ORACLE_END_COUNT];
    uint64_t cycles, tokens, depth, bytes; /* of the last run */
};

/* Says what was never seen, a line each. false: something. */
bool oracle_is_covered(const struct oracle_coverage *seen, struct lib_text *why);

/* false: they differ; adds what differs first, or with `all` everything, a line each. */
bool oracle_compare(const struct oracle_case *c, bool all, struct lib_text *why);

#endif

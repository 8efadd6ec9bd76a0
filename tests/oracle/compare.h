/* Comparison of one run of an engine with the second simulator: all statistics, of the machine
 * and of each PE, both digests, the result, and how the run ends. */
#ifndef TESTS_ORACLE_COMPARE_H
#define TESTS_ORACLE_COMPARE_H

#include "isa/graph.h"
#include "machine/settings.h"
#include "tests/oracle/oracle.h"

struct machine_timing;
struct ports_program;

struct oracle_case {
    const struct isa_graph *graph;
    const isa_value *inputs; /* NULL: the program's own values */
    const struct machine_settings *settings;
    uint64_t seed;
    const struct machine_timing *timing; /* times of instructions, or NULL */
    const struct ports_program *ports;   /* ports that a host feeds, or NULL */
    enum oracle_mistake mistake;
    struct oracle_coverage *seen;
};

/* What all comparisons have covered: the max value of each statistic, and how runs ended. */
struct oracle_coverage {
    struct oracle_stats most;
    uint64_t ended[ORACLE_END_COUNT];
    uint64_t cycles, tokens, depth, bytes; /* measures of the last run */
};

/* Returns whether everything was covered; if not, adds what was not to `why`, a line each. */
bool oracle_is_covered(const struct oracle_coverage *seen, struct lib_text *why);

/* Returns whether both simulators agree. If not, adds the first difference, or with `all` all
 * differences, a line each. */
bool oracle_compare(const struct oracle_case *c, bool all, struct lib_text *why);

#endif

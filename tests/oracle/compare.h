/* Comparison of an engine's run with the second simulator: statistics of the machine and of each
 * PE, digests, result, and how the run ends. */
#ifndef TESTS_ORACLE_COMPARE_H
#define TESTS_ORACLE_COMPARE_H

#include "isa/graph.h"
#include "machine/settings.h"
#include "tests/oracle/oracle.h"

struct traces_timing;
struct ports_program;

struct oracle_case {
    const struct isa_graph *graph;
    const isa_value *inputs; /* NULL: the program's own values */
    const struct machine_settings *settings;
    uint64_t seed;
    const struct traces_timing *timing; /* times of single instructions, or NULL */
    const struct ports_program *ports;  /* ports that a host feeds, or NULL */
    enum oracle_mistake mistake;
    struct oracle_coverage *seen;
};

/* What all comparisons have covered: max value of each statistic, and how runs ended. */
struct oracle_coverage {
    struct oracle_stats most;
    uint64_t ended[ORACLE_END_COUNT];
    uint64_t cycles, tokens, depth, bytes; /* measured in the last run */
};

/* Whether everything was covered. If not, adds a line to `why` for each thing that was not. */
bool oracle_is_covered(const struct oracle_coverage *seen, struct lib_text *why);

/* Whether both simulators agree. If not, adds the first difference, or with `all` all of them, a
 * line each. */
bool oracle_compare(const struct oracle_case *c, bool all, struct lib_text *why);

#endif

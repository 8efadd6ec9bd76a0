/* Who sends to whom: the patterns by which networks are studied (Dally and Towles, Principles and
 * Practices of Interconnection Networks, 2004, table 3.1), and matrices.
 *
 * Of n PEs, each sends as often as any other, but for a matrix, whose rows say how often. Rates
 * are relative: the mean over all PEs is 1. */
#ifndef MACHINE_TRAFFIC_PATTERN_H
#define MACHINE_TRAFFIC_PATTERN_H

#include "machine/network/graph.h"

/* ROW(NAME, name, help) */
/* clang-format off */
#define MACHINE_PATTERNS(ROW)                                                            \
    ROW(UNIFORM, uniform, "to any PE, itself included")                                  \
    ROW(TRANSPOSE, transpose, "of a square of PEs, from (x, y) to (y, x)")               \
    ROW(BITREV, bitrev, "to the PE whose number has the bits in reverse order")          \
    ROW(TORNADO, tornado, "almost half around, in each dimension")                       \
    ROW(HOTSPOT, hotspot, "a share of all to one PE, the rest to any")                   \
    ROW(NEIGHBOUR, neighbour, "one on, in each dimension")                               \
    ROW(MATRIX, matrix, "as a matrix says")
/* clang-format on */

enum machine_pattern_kind {
#define PATTERN(NAME, name, help) MACHINE_PATTERN_##NAME,
    MACHINE_PATTERNS(PATTERN)
#undef PATTERN
        MACHINE_PATTERN_COUNT
};

extern const char *const machine_pattern_names[MACHINE_PATTERN_COUNT];

/* What is asked for. */
struct machine_pattern_request {
    enum machine_pattern_kind kind;
    uint32_t hot_pe;  /* of a hotspot: to which PE, */
    double hot_share; /* and which share */
    const struct lib_source
        *matrix; /* of a matrix: comma-separated values `from,to,tokens` */
};

struct machine_pattern {
    enum machine_pattern_kind kind;
    uint32_t pe_count;
    uint32_t hot_pe;
    double hot_share;
    uint32_t *to; /* of permutations: to whom each PE sends; else NULL */
    double *rate; /* of a matrix: how often each PE sends; else NULL: 1 */
    double *
        share; /* of a matrix: [from * pe_count + to], which share of what `from` sends, summed up to `to` */
};

enum { MACHINE_MATRIX_MAX_PES = 2048 };

/* false: the network has no such pattern, or the matrix cannot be read; why is in `diags`. Give
 * back with machine_pattern_free in either case. */
bool machine_pattern_make(struct machine_pattern *pattern,
                          const struct machine_pattern_request *request,
                          const struct machine_graph *graph, struct lib_diags *diags);
void machine_pattern_free(struct machine_pattern *pattern);

/* How often a PE sends; the mean over all is 1. */
double machine_pattern_rate(const struct machine_pattern *pattern, uint32_t from);

/* Which share of what it sends goes to a PE. */
double machine_pattern_share(const struct machine_pattern *pattern, uint32_t from,
                             uint32_t to);

/* To whom a token goes, where `drawn` is a random number. */
uint32_t machine_pattern_draw(const struct machine_pattern *pattern, uint32_t from,
                              uint64_t drawn);

#endif

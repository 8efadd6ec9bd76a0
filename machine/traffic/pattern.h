/* Traffic patterns for studies of networks: which PE sends to which (Dally and Towles,
 * Principles and Practices of Interconnection Networks, 2004, table 3.1), and matrices. All PEs
 * send at the same rate, except with a matrix. The mean rate is 1. */
#ifndef MACHINE_TRAFFIC_PATTERN_H
#define MACHINE_TRAFFIC_PATTERN_H

#include "machine/network/graph.h"

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

struct machine_pattern_request {
    enum machine_pattern_kind kind;
    uint32_t hot_pe;  /* pattern `hotspot`: the PE to which more tokens go */
    double hot_share; /* pattern `hotspot`: share of all tokens that go to hot_pe */
    /* pattern `matrix`: CSV with columns from,to,tokens */
    const struct lib_source *matrix;
};

struct machine_pattern {
    enum machine_pattern_kind kind;
    uint32_t pe_count;
    uint32_t hot_pe;
    double hot_share;
    uint32_t *to; /* destination of each PE if the pattern is a permutation; else NULL */
    double *rate; /* relative rate at which each PE sends; NULL: 1 for all */
    /* Pattern `matrix`: [from * pe_count + to] is the share of the tokens of PE `from` that go
     * to PEs 0 to `to`. */
    double *share;
};

enum { MACHINE_MATRIX_MAX_PES = 2048 };

/* Makes a pattern; the caller frees it in any case. Returns false and adds a diagnostic if the
 * network does not allow the pattern or the matrix is invalid. */
bool machine_pattern_make(struct machine_pattern *pattern,
                          const struct machine_pattern_request *request,
                          const struct machine_graph *graph, struct lib_diags *diags);
void machine_pattern_free(struct machine_pattern *pattern);

/* Returns the rate at which a PE sends, relative to the mean. */
double machine_pattern_rate(const struct machine_pattern *pattern, uint32_t from);

/* Returns the share of the tokens of PE `from` that go to PE `to`. */
double machine_pattern_share(const struct machine_pattern *pattern, uint32_t from,
                             uint32_t to);

/* Returns the destination of a token of PE `from`. `drawn` is a random number. */
uint32_t machine_pattern_draw(const struct machine_pattern *pattern, uint32_t from,
                              uint64_t drawn);

#endif

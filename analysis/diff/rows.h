/* Sums of time shifts of firings between two runs, per function, line or opcode. */
#ifndef ANALYSIS_DIFF_ROWS_H
#define ANALYSIS_DIFF_ROWS_H

#include "analysis/cost/cost.h"
#include "analysis/diff/shifts.h"

struct analysis_diff_row {
    const char *name; /* name of the function or opcode; borrowed */
    uint32_t line;    /* 0: none */
    struct analysis_shift shift;
};

struct analysis_diff_rows {
    struct analysis_diff_row *items;
    size_t count;
};

/* Returns the rows, sorted by sum of shifts and by number of firings, greatest first, then by name
 * or line. A CALL and the APPLY that replaces it under the other strategy are in different rows.
 * Free rows.items with lib_mem_free. */
struct analysis_diff_rows analysis_diff_rows_by(const struct analysis_node_mapping *alike,
                                                const struct analysis_shifts *shifts,
                                                enum analysis_cost_by by);

#endif

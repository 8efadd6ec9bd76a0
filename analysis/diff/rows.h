/* Sums of the time shifts of firings between two runs, by function, line or opcode. */
#ifndef ANALYSIS_DIFF_ROWS_H
#define ANALYSIS_DIFF_ROWS_H

#include "analysis/cost/cost.h"
#include "analysis/diff/shifts.h"

struct analysis_diff_row {
    const char *name; /* borrowed; name of the function or opcode; "" for a line */
    uint32_t line;    /* source line; 0: none */
    struct analysis_shift shift;
};

struct analysis_diff_rows {
    struct analysis_diff_row *items;
    size_t count;
};

/* Returns a row for each function, line or opcode (`by`), sorted by the absolute sum of shifts,
 * then by number of firings (greatest first), then by name or line. By opcode, a matched firing of
 * a CALL and an APPLY, under different strategies, is in the row of the APPLY; one that is not
 * matched is in the row of its own opcode. Free `items` with lib_mem_free. */
struct analysis_diff_rows analysis_diff_rows_by(const struct analysis_node_mapping *alike,
                                                const struct analysis_shifts *shifts,
                                                enum analysis_cost_by by);

#endif

/* Shifts summed per function, line or opcode. */
#ifndef ANALYSIS_DIFF_ROWS_H
#define ANALYSIS_DIFF_ROWS_H

#include "analysis/cost/cost.h"
#include "analysis/diff/shifts.h"

struct analysis_diff_row {
    const char *name; /* of a function or an opcode; borrowed */
    uint32_t line;    /* 0: of none */
    struct analysis_shift shift;
};

struct analysis_diff_rows {
    struct analysis_diff_row *items;
    size_t count;
};

/* Those with the greatest sum of shifts first, then with the most firings, then by name or line.
 * Of opcodes each run counts its own: where strategies differ, a CALL and an APPLY are not one
 * row. Give back with lib_mem_free(rows.items). */
struct analysis_diff_rows analysis_diff_rows_by(const struct analysis_node_mapping *alike,
                                                const struct analysis_shifts *shifts,
                                                enum analysis_cost_by by);

#endif

/* Tables of costs for the user. */
#ifndef ANALYSIS_COST_COST_WRITE_H
#define ANALYSIS_COST_COST_WRITE_H

#include "analysis/cost/cost.h"
#include "lib/diag.h"
#include "lib/json.h"
#include "traces/stats.h"

/* Adds the key `by_function`, `by_line` or `by_opcode`: an array with an object per row. `source`
 * is the source of the program, or NULL. */
void analysis_costs_write_json(const struct analysis_costs *costs,
                               const struct lib_source *source, struct lib_json *json);

/* Adds a table with a line per row, without columns in which all numbers are 0. The last row has
 * the statistics of the run. */
void analysis_costs_write_table(const struct analysis_costs *costs,
                                const struct lib_source *source,
                                const struct traces_stats *stats, struct lib_text *out);

/* Adds the text of a line of the source without leading blanks, at most `most` bytes. */
void analysis_costs_write_line(const struct lib_source *source, uint32_t number,
                               size_t most, struct lib_text *out);

#endif

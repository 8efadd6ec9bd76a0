/* Writes the JSON Schema (draft 2020-12) of results as JSON, made from the columns that every
 * experiment has. */
#ifndef SIM_OUTPUTS_RESULTS_SCHEMA_H
#define SIM_OUTPUTS_RESULTS_SCHEMA_H

#include "lib/text.h"

void sim_results_write_schema(struct lib_text *out);

#endif

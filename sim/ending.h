/* How a run ended, in words: the same for who runs one program and for who reads the
 * results of a thousand. */
#ifndef SIM_ENDING_H
#define SIM_ENDING_H

#include "sim/record.h"

/* "completed", "store_full": the status of doc/metrics.md. */
const char *sim_end_name(enum isa_end end);

/* The exit status of a command that made one run. */
enum sim_status sim_end_status(enum isa_end end);

/* Adds a sentence on why a run has no result; `pos` is the place in the source, line 0
 * where it has none. Nothing for one that completed. */
void sim_ending_write(const struct sim_record *record, struct lib_text *out,
                      struct lib_pos *pos);

/* Adds lines on what waits in a deadlock. */
void sim_ending_write_waiting(const struct sim_record *record, struct lib_text *out);

#endif

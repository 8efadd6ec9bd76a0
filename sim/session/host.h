/* The computer that runs the simulator: clock, memory, processor. Results never depend on it; it
 * appears only on standard error and in the object `host` of a run's JSON. */
#ifndef SIM_SESSION_HOST_H
#define SIM_SESSION_HOST_H

#include "lib/text.h"

/* Returns seconds on a clock that never goes back. */
double sim_host_clock(void);

/* Returns the peak memory of the process in bytes, or 0 if it is unknown. */
uint64_t sim_host_peak_memory(void);

/* The same for a process that was forked and started no program, without reading a file. */
uint64_t sim_host_peak_memory_of_fork(void);

/* Returns the number of processors that the process may use; at least 1. */
unsigned sim_host_processors(void);

/* Appends the model name of the processor, or nothing if it is unknown. */
void sim_host_processor(struct lib_text *out);

/* Append the features of the processor that affect arithmetic, such as "sse4.2 avx avx2 fma"; and
 * the name and version of the C library. */
void sim_host_features(struct lib_text *out);
void sim_host_library(struct lib_text *out);

#endif

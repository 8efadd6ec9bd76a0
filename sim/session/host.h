/* The host: what is measured of the simulation itself, not of what it simulates. It goes
 * nowhere but to standard error and into `host`. */
#ifndef SIM_SESSION_HOST_H
#define SIM_SESSION_HOST_H

#include "lib/text.h"

/* Seconds on a clock that only goes forward. */
double sim_host_clock(void);

/* The most memory that the process has held, in bytes; 0: unknown. */
uint64_t sim_host_peak_memory(void);

/* How many processors the process may use; at least 1. */
unsigned sim_host_processors(void);

/* Adds the model name of the processor; nothing if it is unknown. */
void sim_host_processor(struct lib_text *out);

/* Adds those features of the processor that arithmetic may use: "sse4.2 avx avx2 fma"; and the name
 * and version of the C library. */
void sim_host_features(struct lib_text *out);
void sim_host_library(struct lib_text *out);

#endif

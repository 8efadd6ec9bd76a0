/* Which model of machines and programs is simulated. */
#ifndef SIM_LOADING_MODEL_H
#define SIM_LOADING_MODEL_H

/* Raised by whatever changes what an existing run measures (HACKING.md): runs of two models are
 * not compared. */
enum { SIM_MODEL_VERSION = 3 };

/* The same for what is measured of programs with tensors alone: other results stay. */
enum { SIM_TENSOR_MODEL_VERSION = 3 };

#endif

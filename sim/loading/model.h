/* Versions of what runs measure. */
#ifndef SIM_LOADING_MODEL_H
#define SIM_LOADING_MODEL_H

/* Raised by any change of what an existing run measures (HACKING.md). Runs of different versions
 * are never compared. */
enum { SIM_MODEL_VERSION = 3 };

/* Raised by a change of what only programs with tensors measure; other results stay comparable. */
enum { SIM_TENSOR_MODEL_VERSION = 3 };

#endif

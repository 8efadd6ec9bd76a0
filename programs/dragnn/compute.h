/* The computation of a session from its input to its predictions: the part that TensorFlow's
 * graph has in DRAGNN. It extracts features, has networks compute scores, and advances, component
 * by component. */
#ifndef PROGRAMS_DRAGNN_COMPUTE_H
#define PROGRAMS_DRAGNN_COMPUTE_H

#include "programs/dragnn/network.h"

/* Computes all components of a session that has its input and nothing more. `beam` is the size of
 * all beams; 0 takes those of the specification. Adds the work of component c to tallies[c];
 * tallies may be NULL. Afterwards the predictions can be serialized. */
bool dragnn_compute(struct dragnn_session *session,
                    const struct dragnn_networks *networks, int beam,
                    struct dragnn_tally *tallies, struct dragnn_error *error);

#endif

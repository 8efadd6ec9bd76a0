#ifndef PROGRAMS_DRAGNN_COMPUTE_H
#define PROGRAMS_DRAGNN_COMPUTE_H

#include "programs/dragnn/network.h"

/* Computes all components of a session whose input is set and whose components have not begun,
 * from sentences to predictions: extracts features, lets networks compute scores, and advances
 * by them. `beam` is the size of all beams; 0: as specified. Adds the work of component c to
 * tallies[c]; tallies may be NULL. The predictions can then be serialized. */
bool dragnn_compute(struct dragnn_session *session,
                    const struct dragnn_networks *networks, int beam,
                    struct dragnn_tally *tallies, struct dragnn_error *error);

#endif

/* A beam of beam search: up to `max` states of one sentence that are advanced together. Owns its
 * states. */
#ifndef PROGRAMS_DRAGNN_BEAM_H
#define PROGRAMS_DRAGNN_BEAM_H

#include "programs/dragnn/state.h"

struct dragnn_beam {
    const struct dragnn_system *system;
    int max, count;
    /* states of the beam, the best one first; the index is the slot */
    struct dragnn_state **states;
};

/* Begins a beam of a sentence. Its first states continue the best states of `before`, the beam
 * of the previous component, with their scores; `before` may be NULL. */
void dragnn_beam_begin(struct dragnn_beam *beam, const struct dragnn_system *system,
                       const struct dragnn_sentence *sentence, int max,
                       const struct dragnn_beam *before);
void dragnn_beam_free(struct dragnn_beam *beam);

bool dragnn_beam_is_terminal(const struct dragnn_beam *beam);

/* Advances each state that is not final by the transition towards the sentence's known tree or
 * tags. Returns false, and changes nothing, if a state has no such transition. */
bool dragnn_beam_advance_by_oracle(struct dragnn_beam *beam);

/* Advances the states by `scores`: `max` rows, each with a score for each of `actions` actions. The
 * best successors become the new states; final states stay as they are, and compete with them. */
void dragnn_beam_advance_by_scores(struct dragnn_beam *beam, const double *scores,
                                   int actions);

#endif

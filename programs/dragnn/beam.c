#include "programs/dragnn/beam.h"

#include <stdlib.h>

/* A possible state of the next beam. */
struct candidate {
    double total; /* score plus inherited score */
    double score;
    int slot, action; /* DRAGNN_NONE: a final state stays */
};

void dragnn_beam_begin(struct dragnn_beam *beam, const struct dragnn_system *system,
                       const struct dragnn_sentence *sentence, int max,
                       const struct dragnn_beam *before)
{
    const int count = !before ? 1 : before->count < max ? before->count : max;
    *beam = (struct dragnn_beam){.system = system, .max = max, .count = count};
    beam->states = dragnn_new((size_t)max * sizeof *beam->states);
    for (int slot = 0; slot < count; slot++) {
        beam->states[slot] = dragnn_state_new(system, sentence);
        beam->states[slot]->source = slot;
        beam->states[slot]->inherited = before ? before->states[slot]->inherited +
                                                     before->states[slot]->score
                                               : 0;
    }
}

void dragnn_beam_free(struct dragnn_beam *beam)
{
    for (int slot = 0; slot < beam->count; slot++)
        dragnn_state_free(beam->states[slot]);
    free(beam->states);
    *beam = (struct dragnn_beam){.states = NULL};
}

bool dragnn_beam_is_terminal(const struct dragnn_beam *beam)
{
    for (int slot = 0; slot < beam->count; slot++)
        if (!beam->system->is_final(beam->states[slot]))
            return false;
    return true;
}

bool dragnn_beam_advance_by_oracle(struct dragnn_beam *beam)
{
    const struct dragnn_system *system = beam->system;
    for (int slot = 0; slot < beam->count; slot++)
        if (!system->is_final(beam->states[slot]) &&
            system->find_oracle(beam->states[slot]) == DRAGNN_NONE)
            return false;
    for (int slot = 0; slot < beam->count; slot++)
        if (!system->is_final(beam->states[slot]))
            dragnn_state_advance(beam->states[slot], system,
                                 system->find_oracle(beam->states[slot]), slot);
    return true;
}

/* Orders candidates by total, greatest first, then by slot, then by action. */
static int compare_candidates(const void *a, const void *b)
{
    const struct candidate *x = a, *y = b;
    if (x->total != y->total)
        return x->total > y->total ? -1 : 1;
    if (x->slot != y->slot)
        return x->slot - y->slot;
    return x->action - y->action;
}

static int find_candidates(const struct dragnn_beam *beam, const double *scores,
                           int actions, struct candidate *candidates)
{
    int count = 0;
    for (int slot = 0; slot < beam->count; slot++) {
        const struct dragnn_state *state = beam->states[slot];
        const double *row = scores + (size_t)slot * (size_t)actions;
        if (beam->system->is_final(state)) {
            candidates[count++] = (struct candidate){state->inherited + state->score,
                                                     state->score, slot, DRAGNN_NONE};
            continue;
        }
        for (int action = 0; action < actions; action++)
            if (beam->system->is_legal(state, action)) {
                const double score = state->score + row[action];
                candidates[count++] = (struct candidate){state->inherited + score, score,
                                                         slot, action};
            }
    }
    return count;
}

void dragnn_beam_advance_by_scores(struct dragnn_beam *beam, const double *scores,
                                   int actions)
{
    struct candidate *candidates = dragnn_new((size_t)beam->count *
                                              ((size_t)actions + 1) * sizeof *candidates);
    struct dragnn_state **states = dragnn_new((size_t)beam->max * sizeof *states);
    int count = find_candidates(beam, scores, actions, candidates);
    qsort(candidates, (size_t)count, sizeof *candidates, compare_candidates);
    count = count < beam->max ? count : beam->max;
    for (int slot = 0; slot < count; slot++) {
        const struct candidate *chosen = &candidates[slot];
        states[slot] = dragnn_state_clone(beam->states[chosen->slot]);
        states[slot]->score = chosen->score;
        if (chosen->action != DRAGNN_NONE)
            dragnn_state_advance(states[slot], beam->system, chosen->action,
                                 chosen->slot);
    }
    for (int slot = 0; slot < beam->count; slot++)
        dragnn_state_free(beam->states[slot]);
    free(beam->states);
    free(candidates);
    beam->states = states;
    beam->count = count;
}

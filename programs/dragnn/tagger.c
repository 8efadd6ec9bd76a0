/* A tagger from left to right: step s gives token s its tag. It looks ahead by the features
 * input(1) and input(2). */
#include "programs/dragnn/state.h"

static int tagger_count_actions(const struct dragnn_lexicon *lexicon)
{
    return dragnn_lexicon_tags(lexicon);
}

static void tagger_begin(struct dragnn_state *state)
{
    (void)state;
}

static bool tagger_is_final(const struct dragnn_state *state)
{
    return state->next == state->sentence->length;
}

static bool tagger_is_legal(const struct dragnn_state *state, int action)
{
    return action >= 0 && !tagger_is_final(state);
}

static int tagger_find_oracle(const struct dragnn_state *state)
{
    const int tag = state->sentence->tokens[state->next].gold_tag;
    return tag == DRAGNN_UNKNOWN ? DRAGNN_NONE : tag;
}

static void tagger_perform(struct dragnn_state *state, int action)
{
    state->cells[state->next++] = action;
}

static void tagger_write(const struct dragnn_state *state,
                         struct dragnn_sentence *sentence)
{
    for (int i = 0; i < sentence->length; i++)
        sentence->tokens[i].tag = state->cells[i];
}

const struct dragnn_system dragnn_tagger = {
    .name = "tagger",
    .steps_per_token = 1,
    .cells_per_token = 1,
    .count_actions = tagger_count_actions,
    .begin = tagger_begin,
    .is_final = tagger_is_final,
    .is_legal = tagger_is_legal,
    .find_oracle = tagger_find_oracle,
    .perform = tagger_perform,
    .write = tagger_write,
};

/* A parser by the arc-hybrid transitions (Kuhlmann, Gomez-Rodriguez, Satta, 2011), numbered as
 * the language's conllu() numbers them:
 *
 *     0  SHIFT      pushes B0, the first token of the input
 *     1  LEFT-ARC   pops S0, the top of the stack; its head is B0
 *     2  RIGHT-ARC  pops S0; its head is S1, below it, or the root if there is none
 *
 * A parse of n tokens has 2n transitions. A sentence has one root: RIGHT-ARC to the root comes
 * last. */
#include "programs/dragnn/state.h"

enum { SHIFT, LEFT_ARC, RIGHT_ARC, ACTIONS };

/* Cells: arrays with a number for each token. */
enum {
    STACK,        /* [height]; the last one is the top */
    HEAD,         /* head; DRAGNN_UNKNOWN: none yet */
    CHILD,        /* newest child */
    ARC_STEP,     /* step in which the token was last shifted or given a child */
    REDUCED_STEP, /* step in which the token was popped */
    POPPED,       /* POPPED[0]: the token that was popped last */
    ARRAYS
};

static int *get_array(const struct dragnn_state *state, int array)
{
    return state->cells + array * state->sentence->length;
}

/* Returns an element of an array, or DRAGNN_NONE if `token` is not a token. */
static int get_cell(const struct dragnn_state *state, int array, int token)
{
    return token >= 0 && token < state->sentence->length ? get_array(state, array)[token]
                                                         : DRAGNN_NONE;
}

static int get_stack(const struct dragnn_state *state, int below)
{
    return below >= 0 && below < state->height
               ? get_array(state, STACK)[state->height - 1 - below]
               : DRAGNN_NONE;
}

static int hybrid_count_actions(const struct dragnn_lexicon *lexicon)
{
    (void)lexicon;
    return ACTIONS;
}

static void hybrid_begin(struct dragnn_state *state)
{
    for (int token = 0; token < state->sentence->length; token++) {
        get_array(state, HEAD)[token] = DRAGNN_UNKNOWN;
        get_array(state, CHILD)[token] = DRAGNN_NONE;
        get_array(state, ARC_STEP)[token] = DRAGNN_NONE;
        get_array(state, REDUCED_STEP)[token] = DRAGNN_NONE;
    }
    get_array(state, POPPED)[0] = DRAGNN_NONE;
}

static bool hybrid_is_final(const struct dragnn_state *state)
{
    return state->next == state->sentence->length && state->height == 0;
}

static bool hybrid_is_legal(const struct dragnn_state *state, int action)
{
    const bool has_next = state->next < state->sentence->length;
    if (action == SHIFT)
        return has_next;
    if (action == LEFT_ARC)
        return has_next && state->height > 0;
    return action == RIGHT_ARC &&
           (state->height > 1 || (state->height == 1 && !has_next));
}

/* Whether no token of the input has `token` for its head. */
static bool is_complete(const struct dragnn_state *state, int token)
{
    for (int i = state->next; i < state->sentence->length; i++)
        if (state->sentence->tokens[i].gold_head == token)
            return false;
    return true;
}

/* The static oracle: arcs as early as possible. A tree that is not projective ends in an illegal
 * SHIFT, one with several roots in an illegal arc. */
static int hybrid_find_oracle(const struct dragnn_state *state)
{
    const struct dragnn_token *tokens = state->sentence->tokens;
    const int top = get_stack(state, 0), below = get_stack(state, 1);
    int action = SHIFT;
    for (int i = 0; i < state->sentence->length; i++)
        if (tokens[i].gold_head == DRAGNN_UNKNOWN)
            return DRAGNN_NONE;
    if (top != DRAGNN_NONE && state->next < state->sentence->length &&
        tokens[top].gold_head == state->next)
        action = LEFT_ARC;
    else if (top != DRAGNN_NONE && tokens[top].gold_head == below &&
             is_complete(state, top))
        action = RIGHT_ARC;
    return hybrid_is_legal(state, action) ? action : DRAGNN_NONE;
}

static void add_arc(struct dragnn_state *state, int child, int head)
{
    get_array(state, HEAD)[child] = head;
    get_array(state, REDUCED_STEP)[child] = state->steps;
    get_array(state, POPPED)[0] = child;
    state->height--;
    if (head == DRAGNN_ROOT)
        return;
    get_array(state, CHILD)[head] = child;
    get_array(state, ARC_STEP)[head] = state->steps;
}

static void hybrid_perform(struct dragnn_state *state, int action)
{
    if (action == LEFT_ARC) {
        add_arc(state, get_stack(state, 0), state->next);
    } else if (action == RIGHT_ARC) {
        const int below = get_stack(state, 1);
        add_arc(state, get_stack(state, 0), below == DRAGNN_NONE ? DRAGNN_ROOT : below);
    } else {
        get_array(state, STACK)[state->height++] = state->next;
        get_array(state, ARC_STEP)[state->next++] = state->steps;
    }
}

static void hybrid_write(const struct dragnn_state *state,
                         struct dragnn_sentence *sentence)
{
    for (int i = 0; i < sentence->length; i++)
        sentence->tokens[i].head = get_array(state, HEAD)[i];
}

/* --- names ------------------------------------------------------------------------------ */

/* child(0): newest child of the next token; child(1): of the token after it. */
static int find_child(const struct dragnn_state *state, int offset)
{
    return get_cell(state, CHILD, state->next + offset);
}

static int find_popped(const struct dragnn_state *state, int offset)
{
    return offset == 0 ? get_array(state, POPPED)[0] : DRAGNN_NONE;
}

static const struct dragnn_place places[] = {
    {"stack", get_stack}, {"child", find_child}, {"popped", find_popped}, {NULL, NULL}};

/* shift-reduce-step(N): the step in which token N was last shifted or given a child. */
static int translate_shift_reduce(const struct dragnn_state *state, int value)
{
    return get_cell(state, ARC_STEP, value);
}

/* reduce-step(N): the step in which token N was given its head. */
static int translate_reduce(const struct dragnn_state *state, int value)
{
    return get_cell(state, REDUCED_STEP, value);
}

/* parent-shift-reduce-step(N): shift-reduce-step of the present head of token N. */
static int translate_parent(const struct dragnn_state *state, int value)
{
    return get_cell(state, ARC_STEP, get_cell(state, HEAD, value));
}

static const struct dragnn_translator translators[] = {
    {"shift-reduce-step", translate_shift_reduce},
    {"reduce-step", translate_reduce},
    {"parent-shift-reduce-step", translate_parent},
    {NULL, NULL}};

const struct dragnn_system dragnn_arc_hybrid = {
    .name = "arc-hybrid",
    .steps_per_token = 2,
    .cells_per_token = ARRAYS,
    .count_actions = hybrid_count_actions,
    .begin = hybrid_begin,
    .is_final = hybrid_is_final,
    .is_legal = hybrid_is_legal,
    .find_oracle = hybrid_find_oracle,
    .perform = hybrid_perform,
    .write = hybrid_write,
    .places = places,
    .translators = translators,
};

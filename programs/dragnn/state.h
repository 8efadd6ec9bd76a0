/* States of a component, and the transition systems, of which each component has one.
 *
 * A state is one block of memory without pointers of its own: a beam clones it by copying bytes. It
 * remembers all its steps: slots[s] is its slot in the beam when step s was computed, actions[s]
 * the action of that step.
 *
 * A system is a table of functions. To add one, write a file such as tagger.c, and name it in
 * dragnn_systems (systems.c). */
#ifndef PROGRAMS_DRAGNN_STATE_H
#define PROGRAMS_DRAGNN_STATE_H

#include "programs/dragnn/sentence.h"

enum { DRAGNN_NONE = -1 }; /* no token, step or action */

struct dragnn_state {
    const struct dragnn_sentence *sentence;
    double score;     /* sum of the scores of the actions of this component */
    double inherited; /* sum of the scores of earlier components */
    /* Slot of the state of the previous component that this state continues. */
    int source;
    int steps;    /* number of transitions so far */
    int next;     /* first token of the input that is not consumed */
    int height;   /* number of tokens on the stack, if the system has one */
    size_t size;  /* bytes of this block */
    int *slots;   /* for each step: slot of the state in the beam */
    int *actions; /* for each step: action of the state */
    int *cells;   /* data of the transition system: [cells_per_token * length] */
};

/* The three structs from here on are rows of tables that give functions for the names used in a
 * specification. This one is for a place of a token, such as `stack(1)`. */
struct dragnn_place {
    const char *name;
    /* Returns the token, or DRAGNN_NONE if no token is there. `offset` is the 1 of `stack(1)`. */
    int (*find)(const struct dragnn_state *state, int offset);
};
/* An attribute of a token, such as `.word`. */
struct dragnn_attribute {
    const char *name;
    /* Returns the attribute; `token` may be DRAGNN_NONE. */
    int64_t (*get)(const struct dragnn_state *state, int token,
                   const struct dragnn_lexicon *lexicon);
};
struct dragnn_translator {
    const char *name;
    /* Returns the step of the state that belongs to `value`, such as a token, or DRAGNN_NONE. */
    int (*find_step)(const struct dragnn_state *state, int value);
};

struct dragnn_system {
    const char *name;
    int steps_per_token; /* max transitions per token of the sentence */
    int cells_per_token; /* length of `cells` of a state, per token of the sentence */
    int (*count_actions)(const struct dragnn_lexicon *lexicon);
    /* Initialises the first state of a sentence, whose `cells` are 0. */
    void (*begin)(struct dragnn_state *state);
    bool (*is_final)(const struct dragnn_state *state);
    /* Whether an action is legal. In a beam whose states are not all final, at least one state must
     * have a legal action. */
    bool (*is_legal)(const struct dragnn_state *state, int action);
    /* Finds the action that leads to the sentence's known tree or tags. */
    int (*find_oracle)(
        const struct dragnn_state *state); /* returns a legal action or DRAGNN_NONE */
    /* Performs an action, which becomes step state->steps. */
    void (*perform)(struct dragnn_state *state, int action);
    void (*write)(const struct dragnn_state *state, struct dragnn_sentence *sentence);

    /* Places, attributes and translators that only this system has. Each list ends with a NULL
     * name; NULL: an empty list. */
    const struct dragnn_place *places;
    const struct dragnn_attribute *attributes;
    const struct dragnn_translator *translators;
};

extern const struct dragnn_system dragnn_tagger, dragnn_arc_hybrid;
/* Transition systems; ends with NULL. */
extern const struct dragnn_system *const dragnn_systems[];

struct dragnn_state *dragnn_state_new(const struct dragnn_system *system,
                                      const struct dragnn_sentence *sentence);
struct dragnn_state *dragnn_state_clone(const struct dragnn_state *state);
void dragnn_state_free(struct dragnn_state *state);

/* Performs a legal action and records it as a step; `slot` is the state's slot in the beam for
 * which the step was computed. */
void dragnn_state_advance(struct dragnn_state *state, const struct dragnn_system *system,
                          int action, int slot);

/* A feature of a state: if fixed, an attribute of the token at a place; if linked, that token. */
struct dragnn_feature {
    int (*find)(const struct dragnn_state *state, int offset);
    int offset;
    /* Returns the attribute of the token; NULL in a linked feature. */
    int64_t (*get)(const struct dragnn_state *state, int token,
                   const struct dragnn_lexicon *lexicon);
};

/* Reads a feature, such as `input(1).word`, or `stack(0)` if linked. Returns false with an error
 * without a position if the system has no such names. */
bool dragnn_feature_read(struct dragnn_feature *feature,
                         const struct dragnn_system *system, const char *text,
                         bool is_linked, struct dragnn_error *error);

/* Returns the translator `name`, one of the system's own or one that all systems have; NULL if
 * unknown. */
const struct dragnn_translator *dragnn_translator_find(const struct dragnn_system *system,
                                                       const char *name);

#endif

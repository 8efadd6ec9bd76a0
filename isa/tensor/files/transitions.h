/* Transition systems of dependency parsing: arc-hybrid (Kuhlmann, Gomez-Rodriguez, Satta, 2011) and
 * arc-eager (Nivre, 2003). A configuration is a stack and a buffer of words; a transition moves a
 * word or gives one its head. Pure functions on memory of the caller; nothing here fails.
 *
 * The words of a sentence are numbered from 0 on. The root of the sentence is below the stack, is
 * never popped, and has the index ISA_ROOT: S0, the top, is the root if the stack has no word.
 *
 * Every parse of n words takes 2n transitions in either system, as each word is pushed once and
 * popped once, and ends with no word in the stack or the buffer. */
#ifndef ISA_TENSOR_FILES_TRANSITIONS_H
#define ISA_TENSOR_FILES_TRANSITIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { ISA_ROOT = -1, ISA_NO_HEAD = -2 };

enum isa_transition_system { ISA_ARC_HYBRID, ISA_ARC_EAGER, ISA_TRANSITION_SYSTEMS };

/* Transitions of the parser. Files and programs contain these values. */
enum isa_transition {
    ISA_SHIFT, /* pushes B0, the first word of the buffer, on the stack */
    /* pops S0, the top of the stack; B0, the first word of the buffer, is its head */
    ISA_LEFT_ARC,
    /* arc-hybrid: pops S0, whose head is S1; arc-eager: pushes B0, whose head is S0 */
    ISA_RIGHT_ARC,
    ISA_REDUCE, /* arc-eager only: pops S0 */
    ISA_TRANSITIONS,
};

/* Effect of a transition on a stack, as the change of the stack's height. */
enum isa_stack_operation { ISA_POP = -1, ISA_HOLD = 0, ISA_PUSH = 1 };

struct isa_transition_effect {
    enum isa_stack_operation stack, buffer;
};

struct isa_configuration {
    enum isa_transition_system system;
    int64_t length; /* number of words in the sentence */
    /* first word of the buffer, which ends with the last word of the sentence */
    int64_t next;
    int64_t height; /* number of words in the stack */
    int64_t *stack; /* words in the stack; stack[height - 1] is the top */
    int64_t *head;  /* head of each word; ISA_NO_HEAD if it has none yet */
};

/* Returns the effect of a transition on the stack and on the buffer, viewed as a stack (table 1 of
 * Ding and Koehn, Parallelizable Stack Long Short-Term Memory, 2019). ISA_REDUCE has the effect of
 * arc-eager in both systems. */
struct isa_transition_effect isa_transition_effect(enum isa_transition_system system,
                                                   enum isa_transition transition);

/* Begins a parse, with an empty stack and all words in the buffer. `stack` and `head` must have
 * room for `length` elements each, and live as long as the configuration. */
void isa_configuration_begin(struct isa_configuration *c,
                             enum isa_transition_system system, int64_t length,
                             int64_t *stack, int64_t *head);
bool isa_configuration_is_final(const struct isa_configuration *c);

/* Whether a transition may be applied; at least one may, unless the configuration is final. In
 * arc-eager, REDUCE pops only words that have a head. Once the buffer is empty, it also pops words
 * without a head, which become children of the root. */
bool isa_transition_is_legal(const struct isa_configuration *c, enum isa_transition t);
/* Applies a transition, which must be legal. */
void isa_transition_apply(struct isa_configuration *c, enum isa_transition t);

/* The correct tree of a sentence, for isa_transition_find. */
struct isa_gold {
    const int64_t *head; /* head of each word; ISA_ROOT for a child of the root */
    /* for each word, its last child; -1 if there is none */
    const int64_t *last;
};

/* Sets last[w] to the last word whose head is word w, or to -1. */
void isa_gold_find_last(const int64_t *head, int64_t length, int64_t *last);

/* The static oracle: finds the next transition towards the correct tree, if all earlier ones were
 * the oracle's. Arcs come as early as possible, and REDUCE as soon as S0, the top of the stack, has
 * its head and all its children. Returns false if no transition leads there; this happens at some
 * point if the tree is not projective. */
bool isa_transition_find(const struct isa_configuration *c, const struct isa_gold *gold,
                         enum isa_transition *t);

/* Writes the oracle's 2 * length transitions for a tree. `memory` has room for 3 * length elements.
 * Returns the max height of the stack, or -1 if the tree is not projective: a word between another
 * word and its head is not a descendant of that head. */
int64_t isa_transitions_find(enum isa_transition_system system, const int64_t *head,
                             int64_t length, int64_t *transitions, int64_t *memory);

#endif

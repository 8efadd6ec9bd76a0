#include "isa/tensor/files/transitions.h"

#include <assert.h>

static const struct isa_transition_effect
    effects[ISA_TRANSITION_SYSTEMS][ISA_TRANSITIONS] = {
        [ISA_ARC_HYBRID] = {[ISA_SHIFT] = {ISA_PUSH, ISA_POP},
                            [ISA_LEFT_ARC] = {ISA_POP, ISA_HOLD},
                            [ISA_RIGHT_ARC] = {ISA_POP, ISA_HOLD},
                            [ISA_REDUCE] = {ISA_POP, ISA_HOLD}},
        [ISA_ARC_EAGER] = {[ISA_SHIFT] = {ISA_PUSH, ISA_POP},
                           [ISA_LEFT_ARC] = {ISA_POP, ISA_HOLD},
                           [ISA_RIGHT_ARC] = {ISA_PUSH, ISA_POP},
                           [ISA_REDUCE] = {ISA_POP, ISA_HOLD}},
};

struct isa_transition_effect isa_transition_effect(enum isa_transition_system system,
                                                   enum isa_transition transition)
{
    return effects[system][transition];
}

void isa_configuration_begin(struct isa_configuration *c,
                             enum isa_transition_system system, int64_t length,
                             int64_t *stack, int64_t *head)
{
    *c = (struct isa_configuration){
        .system = system, .length = length, .stack = stack, .head = head};
    for (int64_t word = 0; word < length; word++)
        head[word] = ISA_NO_HEAD;
}

bool isa_configuration_is_final(const struct isa_configuration *c)
{
    return c->next == c->length && c->height == 0;
}

/* Returns the word at a depth of the stack; the root is below all words. */
static int64_t get_word(const struct isa_configuration *c, int64_t below)
{
    return c->height > below ? c->stack[c->height - 1 - below] : ISA_ROOT;
}

bool isa_transition_is_legal(const struct isa_configuration *c, enum isa_transition t)
{
    const bool has_next = c->next<c->length, has_top = c->height> 0;
    const bool has_head = has_top && c->head[get_word(c, 0)] != ISA_NO_HEAD;
    switch (t) {
    case ISA_SHIFT:
        return has_next;
    case ISA_LEFT_ARC:
        return has_next && has_top && !has_head;
    case ISA_RIGHT_ARC:
        return c->system == ISA_ARC_EAGER ? has_next : has_top;
    default:
        return c->system == ISA_ARC_EAGER && has_top && (has_head || !has_next);
    }
}

void isa_transition_apply(struct isa_configuration *c, enum isa_transition t)
{
    const struct isa_transition_effect effect = isa_transition_effect(c->system, t);
    const int64_t top = get_word(c, 0);
    assert(isa_transition_is_legal(c, t));
    if (t == ISA_LEFT_ARC)
        c->head[top] = c->next;
    else if (t == ISA_RIGHT_ARC && c->system == ISA_ARC_EAGER)
        c->head[c->next] = top;
    else if (t == ISA_RIGHT_ARC)
        c->head[top] = get_word(c, 1);
    else if (t == ISA_REDUCE && c->head[top] == ISA_NO_HEAD)
        c->head[top] = ISA_ROOT;
    if (effect.stack == ISA_PUSH)
        c->stack[c->height] = c->next;
    c->height += effect.stack;
    c->next -= effect.buffer;
}

void isa_gold_find_last(const int64_t *head, int64_t length, int64_t *last)
{
    for (int64_t word = 0; word < length; word++)
        last[word] = -1;
    for (int64_t word = 0; word < length; word++)
        if (head[word] != ISA_ROOT)
            last[head[word]] = word;
}

bool isa_transition_find(const struct isa_configuration *c, const struct isa_gold *gold,
                         enum isa_transition *t)
{
    const bool has_next = c->next<c->length, has_top = c->height> 0;
    const int64_t top = get_word(c, 0);
    const bool is_complete = has_top && gold->last[top] < c->next;
    if (has_next && has_top && gold->head[top] == c->next)
        *t = ISA_LEFT_ARC;
    else if (c->system == ISA_ARC_HYBRID && is_complete &&
             gold->head[top] == get_word(c, 1))
        *t = ISA_RIGHT_ARC;
    else if (c->system == ISA_ARC_EAGER && has_next && gold->head[c->next] == top)
        *t = ISA_RIGHT_ARC;
    else if (c->system == ISA_ARC_EAGER && is_complete && c->head[top] != ISA_NO_HEAD)
        *t = ISA_REDUCE;
    else
        *t = ISA_SHIFT;
    /* Arcs are the tree's own, so a tree that is not projective ends in an illegal SHIFT. */
    return isa_transition_is_legal(c, *t);
}

int64_t isa_transitions_find(enum isa_transition_system system, const int64_t *head,
                             int64_t length, int64_t *transitions, int64_t *memory)
{
    struct isa_configuration c;
    int64_t *const last = memory + 2 * length;
    const struct isa_gold gold = {head, last};
    int64_t count = 0, height = 0;
    isa_gold_find_last(head, length, last);
    isa_configuration_begin(&c, system, length, memory, memory + length);
    while (!isa_configuration_is_final(&c)) {
        enum isa_transition t;
        if (!isa_transition_find(&c, &gold, &t))
            return -1;
        isa_transition_apply(&c, t);
        transitions[count++] = t;
        height = c.height > height ? c.height : height;
    }
    return height;
}

/* The loops of a form, for passes that change their variables. */
#ifndef PROGRAMS_OPTIMISE_LOOPS_H
#define PROGRAMS_OPTIMISE_LOOPS_H

#include "programs/optimise/rewrite.h"

struct loops_one {
    struct form_entry *entry;
    /* for each variable */
    struct form_entry **next;
    bool *is_taken;   /* an EXIT takes its last value */
    bool *is_dropped; /* loops_drop was called */
};

struct loops {
    struct loops_one *items; /* outer loops before those within them */
    uint32_t count;
    uint32_t *index; /* for each entry that is a LOOP: its index */
    LIB_ARENA_LIST(struct form_entry *) exits;
    struct lib_arena *arena;
};

struct loops loops_find(const struct form *form, struct lib_arena *arena);

/* Notes that variable `variable` of loop `loop` is removed. It is neither used nor taken. A loop
 * keeps at least one variable. */
void loops_drop(const struct loops *loops, uint32_t loop, uint32_t variable);

/* Removes the variables that were noted; their NEXTs are removed by `r`. */
void loops_end(struct loops *loops, struct rewrite *r);

#endif

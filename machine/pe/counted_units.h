/* Function units that are counted, and the issue queue before them (settings unit.*.count,
 * unit.*.interval, issue.*, match.bandwidth; doc/model/pe.md, "Units that are counted").
 *
 * At its turn a token that has all its operands goes to the issue queue of its PE, if the class of
 * its instruction is counted, or matching has a bandwidth of its own. At the end of each cycle
 * tokens leave the queue: each takes a unit of its class, and then passes the other gates and
 * fires. Its partner stays in its slot meanwhile, marked ISA_SLOT_SENT.
 *
 * The issue queue of a PE is a list per class, and one for all classes that are not counted. So a
 * token that cannot leave costs nothing; the order of arrival is in the tokens. */
#ifndef MACHINE_PE_COUNTED_UNITS_H
#define MACHINE_PE_COUNTED_UNITS_H

#include "machine/part.h"
#include "machine/settings.h"
#include "machine/state_table.h"

/* A token in an issue queue. */
#define MACHINE_UNISSUED_FIELDS(F)                                                       \
    F(TOKEN, token)                                                                      \
    F(NUMBER, uint64_t, came)   /* cycle of its turn */                                  \
    F(NUMBER, uint64_t, number) /* rank among all tokens that came to issue queues */    \
    F(BOOL, marks)              /* its partner is marked ISA_SLOT_SENT for it alone */
struct machine_unissued {
    MACHINE_UNISSUED_FIELDS(LIB_STATE_MEMBER)
};

/* Tokens for the units of a class, oldest first, from index `first` on. */
#define MACHINE_UNISSUED_LIST_FIELDS(F)                                                  \
    F(CALL, forget_issued(s))                                                            \
    F(EACH, machine_unissued, tokens)                                                    \
    F(SCRATCH, size_t, first)
struct machine_unissued_list {
    MACHINE_UNISSUED_LIST_FIELDS(LIB_STATE_MEMBER)
};

/* List of the classes that are not counted; and number of lists of a PE. */
enum { MACHINE_UNCOUNTED = ISA_UNIT_COUNT, MACHINE_ISSUE_LISTS };

#define MACHINE_COUNTED_UNITS_FIELDS(F)                                                  \
    F(KEPT, uint32_t, units) /* counted units of a PE */                                 \
    /* first of the units of each class among those of a PE */                           \
    F(OWNED, uint32_t, first_of)                                                         \
    F(KEPT, uint64_t, issues) /* tokens that leave per cycle and PE; 0: unlimited */     \
    F(STRUCTS, machine_unissued_list, lists, (size_t)m->pe_count *MACHINE_ISSUE_LISTS)   \
    /* for each unit of each PE: cycle when it is free */                                \
    F(ARRAY, uint64_t, free_at, (size_t)m->pe_count * s->units)                          \
    /* for each PE: tokens in its issue queue */                                         \
    F(ARRAY, uint64_t, held, m->pe_count)                                                \
    F(STRUCT, machine_set, waiting) /* PEs whose issue queue has tokens */               \
    F(NUMBER, uint64_t, came)       /* tokens that ever came to issue queues */
struct machine_counted_units {
    MACHINE_COUNTED_UNITS_FIELDS(LIB_STATE_MEMBER)
};

/* Whether PEs have issue queues. */
bool machine_has_issue_queues(const struct machine_settings *s);

/* Whether the other settings fit machines with issue queues; if not, adds a diagnostic. */
bool machine_counted_units_fit(const struct machine_settings *settings,
                               struct lib_diags *diags);

/* Returns how many of the `count` tokens in its input queue a PE takes in this cycle. */
uint32_t machine_counted_units_turns(const struct machine *m, uint32_t pe,
                                     uint32_t count);

#endif

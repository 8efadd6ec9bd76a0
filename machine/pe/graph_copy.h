/* Copying graphs (settings copy.*), in programs compiled with the expanding strategy. For an APPLY
 * (a call) with all its arguments, a worker copies the graph of the called function to the
 * instruction store of a PE. The arguments are sent when the copy is done. The copy is freed with
 * its activation.
 *
 * Workers and stores may be limited. An APPLY waits before it fires if no worker is free, if its
 * copy has no room, or if another APPLY waits for room at the same PE. At the beginning of each
 * cycle, waiting APPLYs are examined in order of arrival, and released under the same conditions.
 *
 * Tokens that take long, of copies and of tensor instructions, wait in a heap (struct
 * machine_late), so that the timing wheel (machine/tokens/wheel.h) can be small. */
#ifndef MACHINE_PE_GRAPH_COPY_H
#define MACHINE_PE_GRAPH_COPY_H

#include "machine/state_table.h"
#include "machine/part.h"
#include "machine/settings.h"

/* An APPLY that waits for a copy of a graph: the token of its last argument, and its PE. */
#define MACHINE_WAITING_COPY_FIELDS(F)                                                   \
    F(TOKEN, token)                                                                      \
    F(NUMBER, uint32_t, pe_number)                                                       \
    F(CHECK, s->pe_number < m->pe_count)
struct machine_waiting_copy {
    MACHINE_WAITING_COPY_FIELDS(LIB_STATE_MEMBER)
};

/* Tokens that a graph copy or tensor instruction sends at the distant cycle `when`. `when` and
 * `number` are the sort key of a heap. */
#define MACHINE_LATE_FIELDS(F)                                                           \
    F(NUMBER, uint64_t, when)                                                            \
    F(NUMBER, uint64_t, number)                                                          \
    F(STRUCT, machine_wheel_slot, home)                                                  \
    F(STRUCT, machine_wheel_slot, away)
struct machine_late {
    MACHINE_LATE_FIELDS(LIB_STATE_MEMBER)
};

/* Heap of tokens to be sent late, and the value of `number` for its next entry. */
#define MACHINE_LATES_FIELDS(F)                                                          \
    F(EACH, machine_late, list)                                                          \
    F(NUMBER, uint64_t, number)
struct machine_lates {
    MACHINE_LATES_FIELDS(LIB_STATE_MEMBER)
};

/* Max length of timing wheels in cycles; later tokens are kept in a heap. The order of events
 * depends on it (doc/model.md). */
enum { MACHINE_GRAPH_COPY_SOON = 1024 };

#define MACHINE_GRAPH_COPY_FIELDS(F)                                                     \
    F(KEPT, bool, is_finite) /* copy workers or instruction stores are limited */        \
    F(KEPT, uint64_t, workers)                                                           \
    F(KEPT, uint64_t, capacity)                                                          \
    /* for each PE: graph nodes of the copies in its instruction store */                \
    F(ARRAY, uint64_t, nodes, m->pe_count)                                               \
    /* for each PE: number of APPLYs in `waiting` */                                     \
    F(ARRAY, uint32_t, waiting_at, m->pe_count)                                          \
    /* for each PE: number of the last pass over `waiting` that found no room there */   \
    F(ARRAY, uint64_t, blocked_at, m->pe_count)                                          \
    /* heap of the cycles in which busy copy workers become free */                      \
    F(VEC, uint64_t, busy)                                                               \
    F(EACH, machine_waiting_copy, waiting)                                               \
    F(SCRATCH, bool, is_admitted) /* the APPLY that is firing was in `waiting` */
struct machine_graph_copy {
    MACHINE_GRAPH_COPY_FIELDS(LIB_STATE_MEMBER)
};

bool machine_graph_copy_has_worker(struct machine_graph_copy *copy, uint64_t cycle);

/* Returns the first cycle in which a copy worker is free again, if all are busy. */
static inline uint64_t
machine_graph_copy_next_worker(const struct machine_graph_copy *copy)
{
    return copy->busy.items[0];
}

static inline bool machine_graph_copy_fits(const struct machine_graph_copy *copy,
                                           uint32_t pe_number, uint32_t nodes)
{
    return copy->capacity == 0 || copy->nodes[pe_number] + nodes <= copy->capacity;
}

/* Makes one of the free workers that copy graphs for calls busy until cycle `until`. Does nothing
 * if their number is unlimited. */
void machine_graph_copy_occupy(struct machine_graph_copy *copy, uint64_t until);

void machine_graph_copy_wait(struct machine_graph_copy *copy,
                             const struct isa_token *apply, uint32_t pe_number);

struct machine_waiting_copy machine_graph_copy_take(struct machine_graph_copy *copy,
                                                    size_t i);

/* Whether token `t` is the last operand of an APPLY, and no operand is dead: the APPLY then makes a
 * call, for which a graph is copied. */
bool machine_apply_copies(const struct machine *m, const struct isa_token *t,
                          const struct isa_instr *apply);

/* Whether token `t` is the last operand of an APPLY that makes a call; false for other
 * instructions. */
static inline bool machine_makes_copy(const struct machine *m, const struct isa_token *t,
                                      const struct isa_instr *instr)
{
    return instr->op == ISA_OP_APPLY && machine_apply_copies(m, t, instr);
}

/* Returns how many graph nodes are copied for an APPLY. */
uint32_t machine_copy_nodes(const struct machine *m, const struct isa_token *apply);

/* Puts tokens to be sent late into the heap; does nothing if *late has none. */
void machine_late_keep(struct machine *m, struct machine_late *late);

#endif

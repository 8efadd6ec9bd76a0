/* Copying graphs (settings: copy.*), on machines that run expanding images. For an APPLY with all
 * its arguments, a worker copies the graph of the callee into the instruction store of a PE. The
 * arguments start when the copy is done. The copy is freed with its activation.
 *
 * Workers and stores may be finite. An APPLY waits, unfired, if no worker is free, if its copy
 * has no room, or if another one waits for room at the same PE. At the beginning of each cycle the
 * waiting APPLYs are examined in order of arrival. An APPLY is released if a worker is free, its
 * copy fits, and none before it waits for room at its PE.
 *
 * Tokens of copies, and of kernels on tensors, that take long are kept here until it is time
 * (struct machine_late), so that wheels are no larger than they must be. */
#ifndef MACHINE_PE_GRAPH_COPY_H
#define MACHINE_PE_GRAPH_COPY_H

#include "isa/exec/exec.h"
#include "machine/part.h"
#include "machine/pe/wheel.h"
#include "machine/settings.h"

/* An APPLY that waits: the token of its last argument. */
struct machine_waiting_copy {
    struct isa_token token;
    uint32_t pe_number; /* PE without room or worker */
};

/* Tokens of a copy or kernel that takes long, to be formed at cycle `when`. */
struct machine_late {
    uint64_t when, number; /* order in the heap */
    struct machine_wheel_slot home, away;
};

struct machine_lates {
    LIB_VEC(struct machine_late) list; /* a heap */
    uint64_t number;                   /* next number */
};

/* The most cycles for which wheels are made: tokens of longer copies are kept in a heap. The order
 * of events depends on it (doc/model.md). */
enum { MACHINE_GRAPH_COPY_SOON = 1024 };

struct machine_graph_copy {
    bool is_finite; /* workers or stores are finite */
    uint64_t latency, node_latency, workers, capacity;
    uint64_t *nodes;        /* nodes of copies, per PE */
    LIB_VEC(uint64_t) busy; /* cycles when busy workers are done: a heap */
    LIB_VEC(struct machine_waiting_copy) waiting;
    uint32_t *waiting_at; /* number of waiting APPLYs, per PE */
    uint64_t *blocked_at; /* last walk over `waiting` in which one had no room, per PE */
    bool is_admitted;     /* the APPLY that fires has waited, and found worker and room */
};

/* Returns the cycles of a copy of `nodes` nodes. */
static inline uint64_t machine_graph_copy_cost(const struct machine_graph_copy *copy,
                                               uint32_t nodes)
{
    return copy->latency + nodes * copy->node_latency;
}

/* Returns true if a worker is free at this cycle. */
bool machine_graph_copy_has_worker(struct machine_graph_copy *copy, uint64_t cycle);

/* Returns the cycle when the first worker is free again. All workers must be busy. */
static inline uint64_t
machine_graph_copy_next_worker(const struct machine_graph_copy *copy)
{
    return copy->busy.items[0];
}

/* Returns true if a copy of `nodes` nodes fits at a PE. */
static inline bool machine_graph_copy_fits(const struct machine_graph_copy *copy,
                                           uint32_t pe_number, uint32_t nodes)
{
    return copy->capacity == 0 || copy->nodes[pe_number] + nodes <= copy->capacity;
}

/* Makes a worker busy with a copy until a cycle. */
void machine_graph_copy_occupy(struct machine_graph_copy *copy, uint64_t until);

void machine_graph_copy_wait(struct machine_graph_copy *copy,
                             const struct isa_token *apply, uint32_t pe_number);

/* Removes the i-th waiting APPLY. */
struct machine_waiting_copy machine_graph_copy_take(struct machine_graph_copy *copy,
                                                    size_t i);

/* Whether the token of an APPLY makes a call, whose graph is copied. */
bool machine_apply_copies(const struct machine *m, const struct isa_token *t,
                          const struct isa_instr *apply);

/* Whether a token makes such a call. */
static inline bool machine_makes_copy(const struct machine *m, const struct isa_token *t,
                                      const struct isa_instr *instr)
{
    return instr->op == ISA_OP_APPLY && machine_apply_copies(m, t, instr);
}

/* Returns the graph nodes of the copy that an APPLY makes. */
uint32_t machine_copy_nodes(const struct machine *m, const struct isa_token *apply);

/* Keeps the tokens that were sent late; without any nothing is kept, so that no cycle is
 * simulated for it. */
void machine_late_keep(struct machine *m, struct machine_late *late);

#endif

/* Copying graphs (settings: copy.*), for programs compiled with the expanding strategy. For an
 * APPLY with all its arguments, a worker copies the graph of the called function to the instruction
 * store of a PE. The arguments are sent when the copy is done. The copy is freed with its
 * activation.
 *
 * The numbers of workers and the sizes of stores may be limited. An APPLY waits before it fires if
 * no worker is free, if its copy has no room, or if another APPLY waits for room at the same PE. At
 * the beginning of each cycle, waiting APPLYs are examined in order of arrival, and released under
 * the same conditions.
 *
 * Tokens that take long, of copies and of tensor instructions, wait in a heap (struct
 * machine_late), so that the timing wheel (machine/pe/wheel.h) can be small. */
#ifndef MACHINE_PE_GRAPH_COPY_H
#define MACHINE_PE_GRAPH_COPY_H

#include "isa/exec/exec.h"
#include "machine/part.h"
#include "machine/pe/wheel.h"
#include "machine/settings.h"

/* A waiting APPLY: the token of its last argument. */
struct machine_waiting_copy {
    struct isa_token token;
    uint32_t pe_number; /* PE where it waits */
};

/* Tokens to be sent at the distant cycle `when`, of a copy or tensor instruction. */
struct machine_late {
    uint64_t when, number; /* key of the heap */
    struct machine_wheel_slot home, away;
};

struct machine_lates {
    LIB_VEC(struct machine_late) list; /* heap of tokens */
    uint64_t number;                   /* number of the next entry */
};

/* Maximum length of wheels in cycles: later tokens are kept in a heap. The order of events depends
 * on it (doc/model.md). */
enum { MACHINE_GRAPH_COPY_SOON = 1024 };

struct machine_graph_copy {
    bool is_finite; /* the number of workers or the size of stores is limited */
    uint64_t latency, node_latency, workers, capacity;
    uint64_t *nodes;        /* for each PE: graph nodes of the copies in its store */
    LIB_VEC(uint64_t) busy; /* heap of the cycles when busy workers are done */
    LIB_VEC(struct machine_waiting_copy) waiting;
    uint32_t *waiting_at; /* for each PE: number of waiting APPLYs */
    /* For each PE: last pass over `waiting` in which an APPLY had no room there. */
    uint64_t *blocked_at;
    bool is_admitted; /* the APPLY that fires was released from waiting */
};

/* Returns how many cycles a copy of `nodes` nodes takes. */
static inline uint64_t machine_graph_copy_cost(const struct machine_graph_copy *copy,
                                               uint32_t nodes)
{
    return copy->latency + nodes * copy->node_latency;
}

bool machine_graph_copy_has_worker(struct machine_graph_copy *copy, uint64_t cycle);

/* Returns the first cycle in which a worker is free again. All must be busy. */
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

/* Makes a worker busy until a cycle. */
void machine_graph_copy_occupy(struct machine_graph_copy *copy, uint64_t until);

void machine_graph_copy_wait(struct machine_graph_copy *copy,
                             const struct isa_token *apply, uint32_t pe_number);

struct machine_waiting_copy machine_graph_copy_take(struct machine_graph_copy *copy,
                                                    size_t i);

/* Whether an APPLY makes a call, whose graph must be copied. */
bool machine_apply_copies(const struct machine *m, const struct isa_token *t,
                          const struct isa_instr *apply);

/* Whether a token is of an APPLY whose graph must be copied. */
static inline bool machine_makes_copy(const struct machine *m, const struct isa_token *t,
                                      const struct isa_instr *instr)
{
    return instr->op == ISA_OP_APPLY && machine_apply_copies(m, t, instr);
}

/* Returns how many graph nodes an APPLY copies. */
uint32_t machine_copy_nodes(const struct machine *m, const struct isa_token *apply);

/* Keeps tokens, if any, that must be sent late. */
void machine_late_keep(struct machine *m, struct machine_late *late);

#endif

/* An executor: workers that share one queue of what is ready, as the threads of TensorFlow's do.
 * A machine is one if executor.workers > 0. It has no PEs, stages or network, and its cycles are
 * nanoseconds.
 *
 * An instruction with its operands is ready. A worker takes it, and is occupied for the time of
 * its nodes (machine/engine/tf_cost.h). The effect on tags, slots and cells happens when the worker
 * begins; the tokens that it sends come when it ends. Tokens that wait for a partner cost
 * nothing. With executor.inline a worker fires itself what it made ready under the tag of what
 * it fired. It fires these one after the other, before it takes anything from the queue.
 *
 * The frames of activations are in one store with a lock, for which workers queue in order. A
 * firing has the lock at one time for all its uses. doc/model.md, "The lock", lists what needs
 * it how often. Who waits for longer than executor.sleep.latency is
 * woken first, which takes executor.handoff.latency.
 *
 * An iteration of a loop is a frame here. Where calls copy graphs, a copy has no frame. The
 * worker that fires the APPLY makes the copy, and holds the lock for part of that time. If
 * executor.dead_call_frame is on, the dead CALLs of a call look for a frame too, and one of them
 * makes and frees it. */
#ifndef MACHINE_ENGINE_EXECUTOR_H
#define MACHINE_ENGINE_EXECUTOR_H

#include "machine/engine/tf_cost.h"
#include "machine/machine.h"
#include "machine/pe/pe.h"

struct machine_worker {
    uint64_t until;           /* when what it does ends; not that of one that is idle */
    isa_tag tag;              /* of what it fires, */
    uint32_t instr;           /* and the instruction: who listens later is told, too */
    struct machine_queue own; /* what it will fire next */
    LIB_VEC(struct isa_token) sent; /* when that ends */
};

struct machine_executor {
    struct machine_tf_costs lowering;
    struct machine_worker *workers;
    uint32_t worker_count;
    struct machine_queue ready;
    uint32_t *busy; /* a heap of the workers that are not idle, by `until`, then number */
    uint32_t busy_count;
    struct machine_set idle;
    struct machine_worker *releases; /* the worker that ends, when gates release tokens */
    bool started;
    uint32_t starts; /* instructions of the start that have not fired */
    uint64_t events; /* that were verified, or could have been */
    uint32_t *loops; /* where expanding, the functions that are loops: they have frames */
    uint32_t loop_count;

    /* The worker that fired each instruction that waited at a port, in the order of waiting. */
    LIB_VEC(uint32_t) asked;

    uint64_t lock_free; /* when the lock is free */
    uint64_t lock_uses, lock_stalls;
    uint64_t live_nodes, dead_nodes;
    uint64_t busy_cycles; /* of all that was begun */
};

/* Whether one worker, of two that are busy, ends before the other. */
static inline bool machine_worker_is_before(const struct machine_executor *e, uint32_t a,
                                            uint32_t b)
{
    const uint64_t ta = e->workers[a].until, tb = e->workers[b].until;
    return ta < tb || (ta == tb && a < b);
}

/* When the first worker ends that is busy; MACHINE_NEVER: none is. */
static inline uint64_t machine_executor_ends(const struct machine_executor *e)
{
    return e->busy_count ? e->workers[e->busy[0]].until : MACHINE_NEVER;
}

/* As struct machine_kind has them. */
uint64_t machine_executor_next(const struct machine *m);

/* Sends what the last feed or close of a port has answered; the run may end. */
void machine_executor_answer_ports(struct machine *m);
void machine_executor_answer_ports_told(struct machine *m);

/* As `pass` of struct machine_kind, where there are m->events. */
bool machine_executor_pass_traced(struct machine *m, const struct isa_token *t);

/* Advances where there are m->events. */
bool machine_executor_advance_traced(struct machine *m, uint64_t cycle, uint64_t tokens);

extern const struct machine_kind machine_of_workers;

#endif

/* An executor: workers that share one queue of ready instructions, like the threads of TensorFlow.
 * A machine is an executor if executor.workers > 0. It has no PEs, stages or network, and its
 * cycles are nanoseconds. doc/model/executor.md defines it.
 *
 * A worker takes a ready instruction, and is busy for the time of its TensorFlow nodes
 * (machine/engine/tf_cost.h). Tags, slots and cells change when the firing begins; its tokens are
 * sent when it ends. With executor.inline, a worker first fires what it made ready itself under the
 * same tag.
 *
 * The frames of activations are in one store with a lock, for which workers queue in order. A
 * firing has the lock once for all its uses. An iteration of a loop has a frame; a copy of a graph
 * has none. */
#ifndef MACHINE_ENGINE_EXECUTOR_H
#define MACHINE_ENGINE_EXECUTOR_H

#include "machine/engine/tf_cost.h"
#include "machine/machine.h"
#include "machine/pe/pe.h"

struct machine_worker {
    uint64_t until;           /* time when the worker becomes idle; undefined if idle */
    isa_tag tag;              /* tag of the current firing */
    uint32_t instr;           /* instruction that fires, for events */
    struct machine_queue own; /* ready instructions that only this worker fires */
    LIB_VEC(struct isa_token) sent; /* tokens to be sent when the current firing ends */
};

struct machine_executor {
    struct machine_tf_costs lowering;
    struct machine_worker *workers;
    uint32_t worker_count;
    struct machine_queue ready;
    uint32_t *busy; /* indices of busy workers: a heap by `until`, then index */
    uint32_t busy_count;
    struct machine_set idle;
    /* The worker whose firing has just ended, while gates release tokens; NULL: none. Released
     * tokens with the tag of that firing may go to its list `own` (put_ready). */
    struct machine_worker *releases;
    bool started;
    uint32_t starts; /* instructions without token operands still to fire */
    /* Only with --enable-checks: number of steps so far (a firing ends, or feeds are applied). It
     * decides after which steps the state is verified. */
    uint64_t events;
    /* Expanding strategy: indices of the functions that are loops. Only activations of these have
     * frames. */
    uint32_t *loops;
    uint32_t loop_count;

    /* For each instruction that waits at a port, in the order of waiting: the worker that fired
     * it. */
    LIB_VEC(uint32_t) asked;

    uint64_t lock_free; /* time when the lock of the frames is free */
    uint64_t lock_uses, lock_stalls;
    uint64_t live_nodes, dead_nodes;
    uint64_t busy_cycles; /* busy time of all firings begun, even if not ended */
};

/* Whether busy worker `a` ends its firing before busy worker `b`. */
static inline bool machine_worker_is_before(const struct machine_executor *e, uint32_t a,
                                            uint32_t b)
{
    const uint64_t ta = e->workers[a].until, tb = e->workers[b].until;
    return ta < tb || (ta == tb && a < b);
}

/* Returns the time when the first busy worker ends its firing; MACHINE_NEVER: all are idle. */
static inline uint64_t machine_executor_ends(const struct machine_executor *e)
{
    return e->busy_count ? e->workers[e->busy[0]].until : MACHINE_NEVER;
}

uint64_t machine_executor_next(const struct machine *m);

/* Answers the instructions that waited for a feed or closing of a port that has just happened. May
 * end the run. The second function is for runs with events. */
void machine_executor_answer_ports(struct machine *m);
void machine_executor_answer_ports_told(struct machine *m);

/* Makes a released token ready, in a run with events (`pass` of struct machine_kind). */
bool machine_executor_pass_traced(struct machine *m, const struct isa_token *t);

/* Advances a run with events (`advance` of struct machine_kind). */
bool machine_executor_advance_traced(struct machine *m, uint64_t cycle, uint64_t tokens);

extern const struct machine_kind machine_of_workers;

#endif

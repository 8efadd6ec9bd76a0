/* An executor: workers that share one queue of ready instructions, like the threads of TensorFlow.
 * A machine is an executor if executor.workers > 0. It has no PEs, stages or network, and its
 * cycles are nanoseconds. doc/model/executor.md defines it.
 *
 * A worker takes a ready instruction, and is busy for the time of its TensorFlow nodes
 * (machine/engine/tf_cost.h). Tags, slots and cells change when the firing begins; its tokens are
 * sent when it ends. With executor.inline, a worker first fires what it made ready itself under the
 * same tag.
 *
 * A divided program has an executor for each machine, with workers, a queue and a lock of its own,
 * and a network between them (machine/engine/executor_network.h). One heap has the busy workers of
 * all.
 *
 * The frames of activations are in one store with a lock, for which workers queue in order. A
 * firing has the lock once for all its uses. An iteration of a loop has a frame; a copy of a graph
 * has none. */
#ifndef MACHINE_ENGINE_EXECUTOR_H
#define MACHINE_ENGINE_EXECUTOR_H

#include "machine/engine/executor_network.h"
#include "machine/engine/tf_cost.h"
#include "machine/machine.h"
#include "machine/state_table.h"

/* Times of a worker, by its class (machine/classes.h). */
struct machine_worker_times {
    uint64_t live, dead, tag, frame, lock;
};

#define MACHINE_WORKER_FIELDS(F)                                                         \
    F(KEPT, const struct machine_worker_times *, times) /* in `times` of the executor */ \
    F(NUMBER, uint64_t,                                                                  \
      until)                /* time when the worker becomes idle; undefined if idle */   \
    F(NUMBER, isa_tag, tag) /* tag of the current firing */                              \
    F(NUMBER, uint32_t, instr) /* instruction that fires, for events */                  \
    F(CHECK, s->instr < m->code->instr_count)                                            \
    F(STRUCT, machine_queue, own) /* ready instructions that only this worker fires */   \
    F(EACH, isa_token, sent)      /* tokens to be sent when the current firing ends */
struct machine_worker {
    MACHINE_WORKER_FIELDS(LIB_STATE_MEMBER)
};

#define MACHINE_EXECUTOR_FIELDS(F)                                                        \
    F(KEPT, struct machine_tf_costs, lowering)                                            \
    F(KEPT, uint32_t, worker_count)                                                       \
    F(OWNED, struct machine_worker_times, times) /* of each worker */                     \
    F(KEPT, uint32_t, machine_count)             /* of a divided program; else 1 */       \
    F(STRUCTS, machine_worker, workers, s->worker_count)                                  \
    F(STRUCTS, machine_queue, ready, s->machine_count)                                    \
    F(NUMBER, uint32_t, busy_count)                                                       \
    F(CALL, check_busy_count(pack, s))                                                    \
    /* indices of busy workers: a heap by `until`, then index */                          \
    F(ARRAY, uint32_t, busy, s->busy_count)                                               \
    F(STRUCTS, machine_set, idle, s->machine_count) /* numbers within the machine */      \
    /* while gates release tokens: the worker whose firing has just ended (put_ready) */  \
    F(SCRATCH, struct machine_worker *, releases)                                         \
    F(BOOL, started)                                                                      \
    F(NUMBER, uint32_t, starts) /* instructions without token operands still to fire */   \
    /* only with --enable-checks: steps so far, of which some are verified */             \
    F(NUMBER, uint64_t, events)                                                           \
    /* time when the lock of the frames is free, of each machine */                       \
    F(ARRAY, uint64_t, lock_free, s->machine_count)                                       \
    F(NUMBER, uint64_t, lock_uses)                                                        \
    F(NUMBER, uint64_t, lock_stalls)                                                      \
    F(NUMBER, uint64_t, live_nodes)                                                       \
    F(NUMBER, uint64_t, dead_nodes)                                                       \
    F(NUMBER, uint64_t, busy_cycles) /* of all firings begun, even if not ended */        \
    /* expanding strategy: the functions that are loops, whose activations have frames */ \
    F(OWNED, uint32_t, loops)                                                             \
    F(KEPT, uint32_t, loop_count)                                                         \
    /* for each instruction that waits at a port, in the order of waiting: its worker */  \
    F(SCRATCH_VEC, uint32_t, asked)                                                       \
    F(CALL, pack_asked(pack, m, s))                                                       \
    /* one of a divided program; else none */                                             \
    F(STRUCTS, machine_executor_network, network, s->machine_count > 1)
struct machine_executor {
    MACHINE_EXECUTOR_FIELDS(LIB_STATE_MEMBER)
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

/* Returns the time when the first worker ends its firing or a token comes from another machine;
 * MACHINE_NEVER: all are idle, and nothing is on its way. */
static inline uint64_t machine_executor_due(const struct machine_executor *e)
{
    const uint64_t ends = machine_executor_ends(e);
    const uint64_t comes = machine_executor_network_next(e->network);
    return comes < ends ? comes : ends;
}

uint64_t machine_executor_next(const struct machine *m);

/* Answers the instructions that waited for a feed or closing of a port that has just happened. May
 * end the run. */
void machine_executor_answer_ports(struct machine *m);

/* A compilation of machine/engine/executor_run.h: `advance` and `pass` are those of struct
 * machine_kind, and `answer_port` answers an instruction that waited at a port. */
struct machine_executor_run {
    bool (*advance)(struct machine *m, uint64_t cycle, uint64_t tokens);
    bool (*pass)(struct machine *m, const struct isa_token *t);
    bool (*answer_port)(struct machine *m, const struct isa_port_wait *wait,
                        isa_value value);
};
extern const struct machine_executor_run machine_executor_divided,
    machine_executor_traced;

extern const struct machine_kind machine_of_workers;

#endif

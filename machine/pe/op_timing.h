/* Machines whose instructions take times of their own (struct machine_timing): time is in ticks,
 * and a turn takes an issue slot for some of them. doc/model.md, "Instructions with times of
 * their own". */
#ifndef MACHINE_PE_OP_TIMING_H
#define MACHINE_PE_OP_TIMING_H

#include "machine/machine.h"
#include "machine/part.h"
#include "machine/pe/queue.h"

struct machine_op_timing {
    struct machine_queue *queues; /* owned: of each PE what needs an issue slot, */
    uint64_t *free_at;            /* owned: and when each of its units is free again */
    uint64_t units;               /* of a PE; 0: unlimited */
};

/* The latencies in ticks. */
void machine_op_timing_scale(struct machine_settings *settings,
                             const struct machine_timing *timing);

/* When a cycle begins, at `from` or next. */
uint64_t machine_op_timing_cycle(const struct machine *m, uint64_t from);

/* From a turn of an instruction to its result. */
uint64_t machine_op_timing_latency(const struct machine *m, uint32_t instr);

/* Of an executor: what an instruction takes that would take so many ticks by the settings. */
uint64_t machine_op_timing_share(const struct machine *m, uint32_t instr, uint64_t ticks);

/* Moves what needs an issue slot from the input queue of a PE to its own one; the others stay. */
void machine_op_timing_sort(struct machine *m, uint32_t pe);

/* A token that can have its turn now: it has a unit from now on. NULL: there is none, or no unit
 * is free. */
const struct isa_token *machine_op_timing_take(struct machine *m, uint32_t pe);

#endif

/* Machines whose instructions have their own times (struct machine_timing): time is in ticks, and a
 * turn occupies an issue slot for some of them (doc/model.md, "Instructions with times of their
 * own"). */
#ifndef MACHINE_PE_OP_TIMING_H
#define MACHINE_PE_OP_TIMING_H

#include "machine/machine.h"
#include "machine/part.h"
#include "machine/pe/queue.h"

struct machine_op_timing {
    struct machine_queue *queues; /* tokens that need an issue slot, per PE; owned */
    uint64_t *free_at;            /* when each unit of each PE is free; owned */
    uint64_t units;               /* units per PE; 0 if unlimited */
};

/* Scales the latencies of settings to ticks. */
void machine_op_timing_scale(struct machine_settings *settings,
                             const struct machine_timing *timing);

/* Returns the beginning of a cycle at or after `from`. */
uint64_t machine_op_timing_cycle(const struct machine *m, uint64_t from);

/* Returns the time from a turn of an instruction to its result. */
uint64_t machine_op_timing_latency(const struct machine *m, uint32_t instr);

/* For executors: returns the time of an instruction that takes `ticks` ticks by the settings. */
uint64_t machine_op_timing_share(const struct machine *m, uint32_t instr, uint64_t ticks);

/* Moves tokens that need an issue slot from the input queue of a PE to its queue here. */
void machine_op_timing_sort(struct machine *m, uint32_t pe);

/* Returns a token that can have its turn now, and occupies a unit for it; or NULL if there is none,
 * or no unit is free. */
const struct isa_token *machine_op_timing_take(struct machine *m, uint32_t pe);

#endif

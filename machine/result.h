/* Time at which the result of a run was complete (doc/metrics.md, result_cycle). An array in the
 * result may exist long before its elements, so a machine records the last write to each array;
 * which arrays belong to the result is found when the statistic is requested. The record of an
 * array is cleared when a new array gets its number. */
#ifndef MACHINE_RESULT_H
#define MACHINE_RESULT_H

#include "machine/state.h"

/* Counts a firing of OUTPUT, STORE, FILL or ROW whose result is formed at `cycle`, and records it
 * in *last if it is later than the write recorded there. It may be earlier: workers of an executor
 * may end in another order than they began. */
static inline void machine_result_write(struct machine *m, struct machine_written *last,
                                        uint64_t cycle)
{
    m->run.writes++;
    if (last->number == 0 || cycle > last->cycle)
        *last = (struct machine_written){cycle, m->run.writes};
}

/* Clears the last write recorded for array number `structure`. */
static inline void machine_result_clear(struct machine *m, uint32_t structure)
{
    while (m->run.written.count <= structure) /* tensors share these numbers */
        *LIB_VEC_PUSH(&m->run.written) = (struct machine_written){0};
    m->run.written.items[structure] = (struct machine_written){0};
}

/* Clears the last write recorded for the array or data that an ALLOC, OPEN or CONSTRUCT has just
 * made. */
static inline void machine_result_begin(struct machine *m)
{
    machine_result_clear(m, m->tokens.exec.array);
}

/* Value of `number` in struct machine_written: the host fed the element last written. */
#define MACHINE_WRITTEN_BY_HOST UINT64_MAX

/* Records that the host has fed an element of array number `structure`, which belongs to a port. */
static inline void machine_result_fed(struct machine *m, uint32_t structure)
{
    machine_result_clear(m, structure);
    m->run.written.items[structure] = (struct machine_written){m->run.cycle,
                                                               MACHINE_WRITTEN_BY_HOST};
}

/* Records a firing of ROW or GIVEN, which makes an array together with its elements, formed at
 * `cycle`. */
static inline void machine_result_row(struct machine *m, uint64_t cycle)
{
    machine_result_begin(m);
    machine_result_write(m, &m->run.written.items[m->tokens.exec.array], cycle);
}

/* Returns the last write so far to the result, including elements of arrays in the result, at any
 * depth. */
struct machine_written machine_result_written(const struct machine *m);

#endif

/* When the result of a run was complete (doc/metrics.md, result_cycle). An array in the result may
 * come long before its elements, so a machine records the last write to each array; which arrays
 * belong to the result is found when the statistic is requested. The record of an array is cleared
 * when its number is reused. */
#ifndef MACHINE_RESULT_H
#define MACHINE_RESULT_H

#include "machine/state.h"

/* Records a firing of OUTPUT, STORE or ROW whose result is formed at `cycle`. The maximum is kept,
 * because workers of an executor may end in another order. */
static inline void machine_result_write(struct machine *m, struct machine_written *last,
                                        uint64_t cycle)
{
    m->writes++;
    if (last->number == 0 || cycle > last->cycle)
        *last = (struct machine_written){cycle, m->writes};
}

/* Clears the record of a new array or tensor. */
static inline void machine_result_clear(struct machine *m, uint32_t structure)
{
    while (m->written.count <= structure) /* tensors have such numbers, too */
        *LIB_VEC_PUSH(&m->written) = (struct machine_written){0};
    m->written.items[structure] = (struct machine_written){0};
}

/* Clears the record of the array that an ALLOC or OPEN has made. */
static inline void machine_result_begin(struct machine *m)
{
    machine_result_clear(m, m->exec.array);
}

/* Value in place of the number of a firing: the host has fed the element. */
#define MACHINE_WRITTEN_BY_HOST UINT64_MAX

/* Records that the host has fed an element of the array of a port. */
static inline void machine_result_fed(struct machine *m, uint32_t structure)
{
    machine_result_clear(m, structure);
    m->written.items[structure] = (struct machine_written){m->cycle,
                                                           MACHINE_WRITTEN_BY_HOST};
}

/* Records a firing of ROW, which makes an array with its elements, formed at `cycle`. */
static inline void machine_result_row(struct machine *m, uint64_t cycle)
{
    machine_result_begin(m);
    machine_result_write(m, &m->written.items[m->exec.array], cycle);
}

/* Returns the last write so far to the result, including elements of its arrays, of arrays in
 * these, and so on. */
struct machine_written machine_result_written(const struct machine *m);

#endif

/* When the result of a run was there (doc/metrics.md, result_cycle). A part that is an array may
 * come long before its elements. So a machine keeps the last write of each array: which arrays
 * are of the result is looked up when someone asks. An array that is made begins anew with its
 * number. */
#ifndef MACHINE_RESULT_H
#define MACHINE_RESULT_H

#include "machine/state.h"

/* An OUTPUT, STORE or ROW has fired, and is formed at `cycle`: of workers the last need not end
 * last. */
static inline void machine_result_write(struct machine *m, struct machine_written *last,
                                        uint64_t cycle)
{
    m->writes++;
    if (last->number == 0 || cycle > last->cycle)
        *last = (struct machine_written){cycle, m->writes};
}

/* Nothing is written of a structure that is new. */
static inline void machine_result_clear(struct machine *m, uint32_t structure)
{
    while (m->written.count <= structure) /* tensors have numbers, too */
        *LIB_VEC_PUSH(&m->written) = (struct machine_written){0};
    m->written.items[structure] = (struct machine_written){0};
}

/* An ALLOC or OPEN has fired. */
static inline void machine_result_begin(struct machine *m)
{
    machine_result_clear(m, m->exec.array);
}

/* In place of the number of a firing: the host has fed an element. */
#define MACHINE_WRITTEN_BY_HOST UINT64_MAX

/* The host has fed an element of the array of a port. */
static inline void machine_result_fed(struct machine *m, uint32_t structure)
{
    machine_result_clear(m, structure);
    m->written.items[structure] = (struct machine_written){m->cycle,
                                                           MACHINE_WRITTEN_BY_HOST};
}

/* A ROW has fired, which makes an array and writes its elements; they are formed at `cycle`. */
static inline void machine_result_row(struct machine *m, uint64_t cycle)
{
    machine_result_begin(m);
    machine_result_write(m, &m->written.items[m->exec.array], cycle);
}

/* The last write so far of the parts of the result that have come, and of the elements of their
 * arrays, of these arrays' elements, and so on. */
struct machine_written machine_result_written(const struct machine *m);

#endif

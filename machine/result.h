/* When the result of a run was there (doc/metrics.md, result_cycle). A part that is an array may come long
 * before its elements. So a machine keeps the last write of each array: which arrays are of the result is
 * looked up when someone asks. An array that is made begins anew with its number. */
#ifndef MACHINE_RESULT_H
#define MACHINE_RESULT_H

#include "machine/state.h"

/* An OUTPUT, STORE or ROW has fired, and is formed at `cycle`: of workers the last need not end last. */
static inline void machine_result_write(struct machine *m, struct machine_written *last,
                                        uint64_t cycle)
{
    m->writes++;
    if (last->number == 0 || cycle > last->cycle)
        *last = (struct machine_written){cycle, m->writes};
}

/* An ALLOC has fired. */
static inline void machine_result_begin(struct machine *m)
{
    while (m->written.count <= m->exec.array) /* tensors have numbers, too */
        *LIB_VEC_PUSH(&m->written) = (struct machine_written){0};
    m->written.items[m->exec.array] = (struct machine_written){0};
}

/* A ROW has fired, which makes an array and writes its elements; they are formed at `cycle`. */
static inline void machine_result_row(struct machine *m, uint64_t cycle)
{
    machine_result_begin(m);
    machine_result_write(m, &m->written.items[m->exec.array], cycle);
}

/* The last write so far of the parts of the result that have come, and of the elements of their arrays,
 * of these arrays' elements, and so on. */
struct machine_written machine_result_written(const struct machine *m);

#endif

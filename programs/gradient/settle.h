/* Arrays whose elements are made of the array as a whole.
 *
 * The adjoints of elements that read each other depend on each other the other way round. Where
 * an element reads others by index, what it contributes is an array that is there before its
 * elements, and of these each but that which is read is a zero at once: so the adjoints find
 * their order by themselves (programs/gradient/elements.c). Where it gives the array to a call,
 * what that contributes is there when the call has returned, and that is when its adjoint is
 * known. So all elements would wait for each other. Then the adjoints are computed as often as
 * there are elements: one sweep over all of them is right for those that no other one reads, each
 * further one for those that only such elements read. */
#ifndef PROGRAMS_GRADIENT_SETTLE_H
#define PROGRAMS_GRADIENT_SETTLE_H

#include "programs/gradient/form.h"

/* Whether what elements are made of is read element by element, and not used as a whole. */
bool form_reads_elements(struct form_program *program, uint32_t routine, uint32_t param);

/* How many elements there are that are no arrays. */
uint32_t form_count_leaves(struct form_place p, uint32_t array);

/* A routine that makes, of the number of sweeps left, the count, what the elements are made of
 * (of `types`, and behind them those of the adjoints), the adjoints from outside, and those of
 * the last sweep, the adjoints in the end. `back` makes one sweep's contributions; own[k] is
 * which of what elements are made of adjoint k is of, or FORM_NONE, and own_result[k] which
 * contribution that is. */
uint32_t form_settle(struct form_program *program, uint32_t back,
                     const enum isa_type *types, uint32_t count, uint32_t adjoints,
                     const uint32_t *own, const uint32_t *own_result, struct lib_pos pos);

#endif

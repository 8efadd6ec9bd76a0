/* Adjoints (derivatives of the output) of arrays whose elements pass the array itself to calls.
 *
 * If elements read each other, their adjoints depend on each other in the opposite direction,
 * and find their order by themselves (programs/gradient/elements.c). But an element that passes
 * the array to a call contributes only when the call has returned, after its own adjoint is
 * known: all elements would wait for each other. Therefore the adjoints are computed in as many
 * sweeps as there are elements: the first sweep is right for elements that no other one reads,
 * each further sweep for elements that only such elements read. */
#ifndef PROGRAMS_GRADIENT_SETTLE_H
#define PROGRAMS_GRADIENT_SETTLE_H

#include "programs/form/form.h"

/* Whether a routine that makes array elements only reads elements of the array in parameter
 * `param`, and does not pass the array itself to a call. */
bool form_reads_elements(struct form_program *program, uint32_t routine, uint32_t param);

/* Returns the number of elements of an array; of nested arrays, of innermost elements. */
uint32_t form_count_leaves(struct form_place p, uint32_t array);

/* Makes a routine that sweeps until the adjoints of array elements are final. Its parameters are:
 * - the number of sweeps left, and the number of elements;
 * - `count` operands of the elements; `adjoints` adjoints from outside (`types`: their types);
 * - as many adjoints from the last sweep.
 * `back` is the routine that makes the contributions of one sweep. Adjoint k is that of operand
 * own[k], or FORM_NONE; result own_result[k] of `back` contributes to it. */
uint32_t form_settle(struct form_program *program, uint32_t back,
                     const enum isa_type *types, uint32_t count, uint32_t adjoints,
                     const uint32_t *own, const uint32_t *own_result, struct lib_pos pos);

#endif

/* Inlining of calls to which an element of an array passes the array itself. The contribution of
 * such a call to the derivative by the array would be known only when the call returns, so that
 * all elements would wait for each other (programs/gradient/settle.h). Such calls are inlined in
 * gradients, and where elements are paired with their gradients. */
#ifndef PROGRAMS_GRADIENT_EXPAND_H
#define PROGRAMS_GRADIENT_EXPAND_H

#include "programs/gradient/form.h"

/* Returns the routine that makes the elements of `tabulate`, after inlining calls to which
 * elements pass their array. Returns the routine itself if it has no such calls, or if inlining
 * would not end. */
uint32_t form_expand(struct form_program *program, const struct form_entry *tabulate);

#endif

/* Inlining of calls to which an element of an array passes the array itself. Such a call's
 * contribution to the derivative by the array would be known only when the call returns: all
 * elements would wait for each other (programs/gradient/settle.h). Such calls are inlined in
 * gradients, and where elements are paired with their gradients. */
#ifndef PROGRAMS_GRADIENT_EXPAND_H
#define PROGRAMS_GRADIENT_EXPAND_H

#include "programs/form/form.h"

/* Returns the routine that makes the elements of `tabulate`, after inlining calls to which
 * elements pass their array; or the routine itself if it has no such calls, or if inlining would
 * not end. */
uint32_t form_expand(struct form_program *program, const struct form_entry *tabulate);

#endif

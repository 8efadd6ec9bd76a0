/* Inlining of calls to which elements pass the array that they are part of. The contribution of
 * such a call to the array would only be known once it has returned, and so all elements would wait
 * for each other (programs/gradient/settle.h). So these functions are inlined, in the gradient and
 * where elements are paired. */
#ifndef PROGRAMS_GRADIENT_EXPAND_H
#define PROGRAMS_GRADIENT_EXPAND_H

#include "programs/gradient/form.h"

/* Returns the routine that makes the elements of a TABULATE, with such calls inlined; the routine
 * itself if it has none, or if inlining would not end. */
uint32_t form_expand(struct form_program *program, const struct form_entry *tabulate);

#endif

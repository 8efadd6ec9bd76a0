/* Elements that give the array that they are part of to functions. What such a call contributes
 * to the array would be known when it has returned, and so all elements would wait for each other
 * (programs/gradient/settle.h). So what the function does is done in place, as if it stood there,
 * in the gradient and where elements are paired. */
#ifndef PROGRAMS_GRADIENT_EXPAND_H
#define PROGRAMS_GRADIENT_EXPAND_H

#include "programs/gradient/form.h"

/* What makes the elements of a TABULATE, with such calls done in place; what does without them,
 * if there are none, or if they have no end. */
uint32_t form_expand(struct form_program *program, const struct form_entry *tabulate);

#endif

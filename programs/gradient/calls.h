/* Loops as calls: from the form of a function of the source to a form for gradients. A loop becomes
 * a routine that calls itself, whose parameters are the loop variables, then the values from
 * outside that the loop uses. The elements of a comprehension become a routine, the elements of a
 * literal array the operands of a LIST, and the call of a gradient the call of a routine. */
#ifndef PROGRAMS_GRADIENT_CALLS_H
#define PROGRAMS_GRADIENT_CALLS_H

#include "programs/form/form.h"

struct programs_settings;

/* Makes the form of the routine `source->routine`, in the arena of the program. */
struct form *form_loops_to_calls(struct form *source,
                                 const struct programs_settings *settings);

/* Adds the call that a DERIVE with the operands `arguments` stands for. Sets results[k] to result k
 * of the DERIVE. `manner`: of the gradient (enum form_manner). */
void form_call_gradient(struct form_place p, const struct form_entry *derive,
                        const uint32_t *arguments, unsigned manner, uint32_t *results);

#endif

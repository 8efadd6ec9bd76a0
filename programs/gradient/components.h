/* Components of the calls of a program: routines that call each other, directly or through others,
 * are one component. A component has a higher number than those that it calls. Components are found
 * once, when one of them is first asked for, and the forms of all routines that it reaches are
 * made. */
#ifndef PROGRAMS_GRADIENT_COMPONENTS_H
#define PROGRAMS_GRADIENT_COMPONENTS_H

#include "programs/form/form.h"

enum form_calls {
    FORM_CALLS_ALL, /* all calls; of a gradient as of its function */
    FORM_CALLS_DEFERRING, /* calls of routines whose gradients may be deferred (form_may_defer) */
};

struct form_component {
    struct form_ids members, callees; /* routines; components that they call */
    struct form_ids cells; /* for FORM_CALLS_ALL: cells that it and its callees read */
};

uint32_t form_component_of(struct form_program *program, enum form_calls calls,
                           uint32_t routine);
const struct form_component *form_component_at(const struct form_program *program,
                                               enum form_calls calls, uint32_t number);

/* Whether a routine whose gradient may be deferred calls itself, directly or through others. */
bool form_is_recursive(struct form_program *program, uint32_t routine);

/* Adds to `cells`, once, each param and constant that a routine, or one that it calls, reads. */
void form_cells(struct form_program *program, uint32_t routine, struct form_ids *cells);

#endif

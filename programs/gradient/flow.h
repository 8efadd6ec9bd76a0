/* Dependence of a routine's results on its parameters: smooth, with a derivative, or broken by
 * instructions that round or make ints. The condition of a conditional does not count. */
#ifndef PROGRAMS_GRADIENT_FLOW_H
#define PROGRAMS_GRADIENT_FLOW_H

#include "programs/form/form.h"

enum form_flow {
    FORM_FLOW_SMOOTH = 1,
    /* The result depends on the parameter through `int` or `floor`. */
    FORM_FLOW_BROKEN = 2,
};

/* Returns how a result depends on a parameter, as bits of enum form_flow; 0: not at all. */
unsigned form_flow(struct form_program *program, uint32_t routine, uint32_t param,
                   uint32_t result);

/* Returns how a result depends on a cell (a param or constant) that the routine, or one that it
 * calls, reads. */
unsigned form_flow_of_cell(struct form_program *program, uint32_t routine, uint32_t cell,
                           uint32_t result);

#endif

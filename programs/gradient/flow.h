/* Dependence of a routine's results on its parameters: smooth, with a derivative, or broken by
 * instructions that round or make ints. A result does not depend in this sense on the condition
 * of a conditional. */
#ifndef PROGRAMS_GRADIENT_FLOW_H
#define PROGRAMS_GRADIENT_FLOW_H

#include "programs/gradient/form.h"

enum form_flow {
    FORM_FLOW_SMOOTH = 1,
    FORM_FLOW_BROKEN = 2, /* through `int` or `floor` */
};

/* Returns how result `result` depends on parameter `param`, as enum form_flow flags; 0 if it
 * does not. */
unsigned form_flow(struct form_program *program, uint32_t routine, uint32_t param,
                   uint32_t result);

/* Returns how result `result` depends on a cell (a param or constant) that the routine, or one
 * that it calls, reads. */
unsigned form_flow_of_cell(struct form_program *program, uint32_t routine, uint32_t cell,
                           uint32_t result);

/* Adds the cells (params and constants) that a routine, or one that it calls, reads, each once. */
void form_cells(struct form_program *program, uint32_t routine, struct form_ids *cells);

#endif

/* Flow of values from the parameters of a routine to its results: smooth, with a derivative, or
 * broken by instructions that round or make ints. The condition of a conditional does not flow to
 * its results. */
#ifndef PROGRAMS_GRADIENT_FLOW_H
#define PROGRAMS_GRADIENT_FLOW_H

#include "programs/gradient/form.h"

enum form_flow {
    FORM_FLOW_SMOOTH = 1,
    FORM_FLOW_BROKEN = 2, /* through `int` or `floor` */
};

/* Returns the flow, enum form_flow flags, from parameter `param` to result `result`. */
unsigned form_flow(struct form_program *program, uint32_t routine, uint32_t param,
                   uint32_t result);

/* Returns the flow from a cell that the routine, or one that it calls, reads. */
unsigned form_flow_of_cell(struct form_program *program, uint32_t routine, uint32_t cell,
                           uint32_t result);

/* Adds the cells that a routine, or one that it calls, reads, each once. */
void form_cells(struct form_program *program, uint32_t routine, struct form_ids *cells);

#endif

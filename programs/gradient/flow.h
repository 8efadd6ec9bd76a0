/* How what a routine is given reaches what it gives: smoothly, so that there is a derivative, or
 * through what makes an int or rounds. What only decides a conditional does not reach it. */
#ifndef PROGRAMS_GRADIENT_FLOW_H
#define PROGRAMS_GRADIENT_FLOW_H

#include "programs/gradient/form.h"

enum form_flow {
    FORM_FLOW_SMOOTH = 1,
    FORM_FLOW_BROKEN = 2, /* through `int` or `floor` */
};

/* How parameter `param` reaches result `result`: some of the above, or 0. */
unsigned form_flow(struct form_program *program, uint32_t routine, uint32_t param,
                   uint32_t result);

/* The same of a cell that the routine reads, itself or in what it calls. */
unsigned form_flow_of_cell(struct form_program *program, uint32_t routine, uint32_t cell,
                           uint32_t result);

/* The cells that a routine reads, itself or in what it calls, added to those that are there. */
void form_cells(struct form_program *program, uint32_t routine, struct form_ids *cells);

#endif

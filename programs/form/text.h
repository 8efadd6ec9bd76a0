/* Forms as text, which reads back as the same form.
 *
 *     form "total" routine 0                     name; routine of a function
 *     param "n" @8:7+1                           name and position of each parameter
 *     tensor "numbers" real 1 2 : 80 80          of each tensor: element, rank, extents, elements
 *     #0 compute op=EQ_I type=int (param:0:int int:0) %3:bool @8:15
 *     #1 branch branch=0 inner=%3 (int:0 %6) %7:int @8:12 {      operands; results; position
 *     } {                                        its two blocks
 *     ...
 *     }
 *     end (%7)                                   results of the function
 *
 * A value is %NUMBER of an entry, a literal (int:5), in:NUMBER:TYPE, an input of the program, or
 * param:NUMBER:TYPE. Types of tensors of ints and bools end with '. */
#ifndef PROGRAMS_FORM_TEXT_H
#define PROGRAMS_FORM_TEXT_H

#include "programs/form/form.h"

/* Appends a form to a text. */
void form_write(const struct form *form, struct lib_text *out);

/* Reads a form, of a program whose routines, cells and tensors it refers to, into an arena. The
 * calls of gradients have no `source`. Returns NULL and adds a diagnostic if the text is not a
 * form; a form that is read need not be legal (form_check). */
struct form *form_read_text(struct form_program *program, struct lib_arena *arena,
                            const struct lib_source *source, struct lib_diags *diags);

#endif

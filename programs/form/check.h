/* Whether a form is legal: what the header of programs/form/form.h says of entries and values. */
#ifndef PROGRAMS_FORM_CHECK_H
#define PROGRAMS_FORM_CHECK_H

#include "programs/form/form.h"

/* Checks that
 *   - each value is made once, before its uses, and is used only where it is visible: in its block,
 *     in blocks within it, and in later blocks of the same side of a conditional;
 *   - entries have the operands, results, blocks and types of their kinds, and refer to routines,
 *     cells, tensors and instructions that exist;
 *   - an entry that continues another one comes after it; each element of an ARRAY and each
 *     variable of a LOOP is set once; no EXIT follows the CLOSE;
 *   - a form for gradients, which has no name, has no entries of the source.
 * Takes time and memory in proportion to the form. Returns false after the first fault, and adds
 * what it is to `fault`. */
bool form_check(const struct form *form, struct lib_text *fault);

/* Returns the name of a kind of entries in texts: "compute", "read", ... */
const char *form_kind_name(enum form_entry_kind kind);

#endif

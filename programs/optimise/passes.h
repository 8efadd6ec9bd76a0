/* The passes of the optimiser, from form to form, of the source and for gradients alike. Results
 * and traps stay (doc/optimising.md); what a pass did is told to the report of the program
 * (form_program). Each pass takes time in proportion to the form. */
#ifndef PROGRAMS_OPTIMISE_PASSES_H
#define PROGRAMS_OPTIMISE_PASSES_H

#include "programs/form/form.h"

struct programs_settings;

/* Replaces calls by what they call: small functions that do not call themselves; and a function in
 * itself, so many times as optimise.unroll says. A call waits for arguments that are ignored, and
 * so do the values in place of its results. */
struct form *optimise_inline(struct form *form, const struct programs_settings *settings);

/* Computes what only literals decide: instructions that do not trap, conditionals, lengths of
 * arrays that are written out, and the cells of constants known so far. */
struct form *optimise_fold(struct form *form, const struct programs_settings *settings);

/* Removes instructions that only pass a value on: x + 0, x * 1, not not x; conditionals that give
 * their condition; fields of data that is made in sight; variables of loops that never change. */
struct form *optimise_copies(struct form *form, const struct programs_settings *settings);

/* Computes once what is computed again where the first value is visible: instructions, elements
 * that are read, calls. */
struct form *optimise_share(struct form *form, const struct programs_settings *settings);

/* Moves out of loops and comprehensions what is the same in all iterations: from the condition of a
 * loop, which is always evaluated; from elsewhere only what cannot trap. */
struct form *optimise_hoist(struct form *form, const struct programs_settings *settings);

/* Removes what no result needs, if it can neither trap nor wait. */
struct form *optimise_dead(struct form *form, const struct programs_settings *settings);

#endif

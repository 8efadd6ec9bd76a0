/* Classes of PEs at which the activations of functions are: by the setting placement.functions, as
 * FUNCTION:CLASS,..., or else by the program (`--# on CLASS`; doc/model/pe.md, "Capabilities").
 * Texts and descriptions are borrowed. */
#ifndef MACHINE_PLACEMENT_FUNCTIONS_H
#define MACHINE_PLACEMENT_FUNCTIONS_H

#include "isa/graph.h"
#include "lib/diag.h"
#include "traces/machine.h"

/* Whether the setting, of value `text`, or the program (unless NULL) places some functions. */
bool machine_functions_are_placed(const char *text, const struct isa_graph *graph);

/* Checks that the setting names classes of the machine. With a `graph`, also that the setting names
 * functions of it, and that the machine, if it has PEs, has the classes that the program names.
 * Returns false and adds a diagnostic if not. */
bool machine_functions_fit(const char *text, const struct traces_machine *about,
                           const struct isa_graph *graph, struct lib_diags *diags);

/* Sets, for each function of a graph, the class of PEs at which its activations are, or NULL. That
 * of a loop is that of its function. */
void machine_functions_find(const char *text, const struct traces_machine *about,
                            const struct isa_graph *graph,
                            const struct traces_pe_class **classes);

#endif

/* The setting placement.functions: classes of PEs at which the activations of functions are, as
 * FUNCTION:CLASS,... (doc/model/pe.md, "Capabilities"). Texts and descriptions are borrowed. */
#ifndef MACHINE_PLACEMENT_FUNCTIONS_H
#define MACHINE_PLACEMENT_FUNCTIONS_H

#include "isa/graph.h"
#include "lib/diag.h"
#include "traces/machine.h"

/* Whether the setting, of value `text`, names some functions. */
bool machine_functions_are_placed(const char *text);

/* Checks that the setting names classes of the machine and, if `graph` is not NULL, functions of
 * it. Returns false and adds a diagnostic if not. */
bool machine_functions_fit(const char *text, const struct traces_machine *about,
                           const struct isa_graph *graph, struct lib_diags *diags);

/* Sets, for each function of a graph that the setting names, and for the loops in it, the class
 * of PEs at which its activations are. Others in `classes` are left. */
void machine_functions_find(const char *text, const struct traces_machine *about,
                            const struct isa_graph *graph,
                            const struct traces_pe_class **classes);

#endif

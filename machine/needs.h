/* Settings that have no effect unless another setting has a certain value (machine/needs.def). */
#ifndef MACHINE_NEEDS_H
#define MACHINE_NEEDS_H

#include "machine/settings.h"

/* Returns what must change for `setting` to have an effect: "match.store=hash", or a strategy,
 * "--strategy=expanding" or "--strategy=static"; NULL if it has an effect. `expands`: whether a
 * program is compiled with the strategy "expanding", by which each call copies the graph of the
 * function. */
const char *machine_setting_needs(const struct machine_settings *settings,
                                  const struct lib_setting *setting, bool expands);

/* Appends the setting named in `needed` with its current value: "match.store=frames" if `needed` is
 * "match.store=hash". `needed` is a result of machine_setting_needs; if it is a strategy, appends
 * the other one. */
void machine_setting_write_now(const struct machine_settings *settings,
                               const char *needed, struct lib_text *out);

/* Whether functions of a graph are at PEs of the class `name`, by placement.functions or the
 * program; or these do not fit the machine. */
bool machine_class_has_functions(const struct machine_settings *settings,
                                 const struct isa_graph *graph, const char *name);

#endif

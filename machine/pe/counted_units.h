/* Function units that are counted, and the issue queue before them (settings unit.*.count,
 * unit.*.interval, issue.*, match.bandwidth; doc/model/pe.md, "Units that are counted").
 *
 * At its turn a token that has all its operands goes to the issue queue of its PE, if the class of
 * its instruction is counted, or matching has a bandwidth of its own. At the end of each cycle
 * tokens leave the queue: each takes a unit of its class, and then passes the other gates and
 * fires. Its partner stays in its slot meanwhile, marked ISA_SLOT_SENT.
 *
 * The issue queue of a PE is a list per class, and one for all classes that are not counted. So a
 * token that cannot leave costs nothing; the order of arrival is in the tokens. */
#ifndef MACHINE_PE_COUNTED_UNITS_H
#define MACHINE_PE_COUNTED_UNITS_H

#include "lib/diag.h"
#include "machine/settings.h"

struct machine;

/* Whether a PE with these settings has an issue queue; whether some PE has one. */
bool machine_has_issue_queue(const struct machine_settings *own);
bool machine_has_issue_queues(const struct machine_settings *s);

/* Whether the other settings fit machines with issue queues; if not, adds a diagnostic. */
bool machine_counted_units_fit(const struct machine_settings *settings,
                               struct lib_diags *diags);

/* Returns how many of the `count` tokens in its input queue a PE takes in this cycle. */
uint32_t machine_counted_units_turns(const struct machine *m, uint32_t pe,
                                     uint32_t count);

#endif

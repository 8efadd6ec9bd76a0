/* The general engine with events (machine/events.h). */
#define MACHINE_GENERAL_TELLS true
#include "machine/engine/general_issue.h"

void machine_general_execute_traced(struct machine *m)
{
    execute(m);
}

bool machine_traced_pass(struct machine *m, const struct isa_token *t,
                         enum machine_gate_place behind, uint64_t extra)
{
    return pass(m, t, behind, extra);
}

void machine_traced_answer_ports(struct machine *m)
{
    machine_answer_ports(m, answer_port);
}

/* The general engine without events, and what parts call of both variants. */
#define MACHINE_GENERAL_TELLS false
#include "machine/engine/general_issue.h"

void machine_general_execute(struct machine *m)
{
    execute(m);
}

bool machine_general_pass(struct machine *m, const struct isa_token *t,
                          enum machine_gate_place behind, uint64_t extra)
{
    m->run.moved = true;
    if (m->watch.events)
        return machine_traced_pass(m, t, behind, extra);
    return pass(m, t, behind, extra);
}

void machine_general_answer_ports(struct machine *m)
{
    if (m->watch.events)
        machine_traced_answer_ports(m);
    else
        machine_answer_ports(m, answer_port);
}

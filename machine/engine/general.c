/* The engine that knows every setting, where nobody listens; and what parts call of either. */
#define MACHINE_GENERAL_TELLS false
#include "machine/engine/general_issue.h"

void machine_general_execute(struct machine *m)
{
    execute(m);
}

bool machine_general_go_on(struct machine *m, const struct isa_token *t)
{
    if (m->events)
        return machine_traced_go_on(m, t);
    return go_on(m, t);
}

bool machine_general_call(struct machine *m, const struct isa_token *t, uint64_t extra)
{
    if (m->events)
        return machine_traced_call(m, t, extra);
    return call(m, t, extra);
}

bool machine_general_fire(struct machine *m, const struct isa_token *t, uint64_t extra)
{
    if (m->events)
        return machine_traced_fire(m, t, extra);
    return fire(m, t, extra);
}

void machine_general_answer_ports(struct machine *m)
{
    if (m->events)
        machine_traced_answer_ports(m);
    else
        answer_ports(m);
}

/* The engine that knows every setting, where what happens is told (machine/events.h). */
#define MACHINE_GENERAL_TELLS true
#include "machine/engine/general_issue.h"

void machine_general_execute_traced(struct machine *m)
{
    execute(m);
}

bool machine_traced_go_on(struct machine *m, const struct isa_token *t)
{
    return go_on(m, t);
}

bool machine_traced_call(struct machine *m, const struct isa_token *t, uint64_t extra)
{
    return call(m, t, extra);
}

bool machine_traced_fire(struct machine *m, const struct isa_token *t, uint64_t extra)
{
    return fire(m, t, extra);
}

void machine_traced_answer_ports(struct machine *m)
{
    answer_ports(m);
}

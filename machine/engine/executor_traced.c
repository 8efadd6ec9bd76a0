/* Executors with events (machine/events.h). */
#define MACHINE_EXECUTOR_TELLS true
#include "machine/engine/executor_run.h"

bool machine_executor_advance_traced(struct machine *m, uint64_t cycle, uint64_t tokens)
{
    return advance(m, cycle, tokens);
}

bool machine_executor_pass_traced(struct machine *m, const struct isa_token *t)
{
    return pass(m, t);
}

void machine_executor_answer_ports_told(struct machine *m)
{
    machine_answer_ports(m, answer_port);
}

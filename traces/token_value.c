#include "traces/token_value.h"

/* Whether the token of an event has a value that can be shown. Sets *type to its type. */
static bool has_value(const struct isa_graph *graph, const struct traces_event *e,
                      enum isa_type *type)
{
    if (e->kind != TRACES_EVENT_SENT || e->instr >= graph->node_count)
        return false;
    const struct isa_node *node = &graph->nodes[e->instr];
    if (e->port >= isa_node_ports(node) || isa_node_operand_is_control(node, e->port) ||
        isa_node_operand_is_trigger(node, e->port))
        return false;
    *type = isa_node_operand_type(graph, node, e->port);
    return *type == ISA_INT || *type == ISA_REAL || *type == ISA_BOOL;
}

void traces_token_value_write(const struct isa_graph *graph,
                              const struct traces_event *event, struct lib_text *out)
{
    enum isa_type type;
    if (has_value(graph, event, &type))
        isa_value_write(out, type, event->b);
}

struct lib_value traces_token_value(const struct isa_graph *graph,
                                    const struct traces_event *event)
{
    enum isa_type type;
    return has_value(graph, event, &type) ? traces_value(type, event->b) : lib_none();
}

/* Ports of an execution: elements that a host can take, and waits for the host. */
#include "isa/exec/port.h"

#include "isa/exec/exec.h"

static const struct isa_ports *ports_of(const struct isa_exec *exec)
{
    return exec->structures.ports;
}

uint32_t isa_structure_port(const struct isa_ports *ports,
                            const struct isa_structure *structure)
{
    const struct isa_graph *graph = ports->graph;
    if (structure->instr >= graph->node_count)
        return ISA_PORT_NONE;
    const struct isa_node *made_by = &graph->nodes[structure->instr];
    if ((made_by->op != ISA_OP_PORT && made_by->op != ISA_OP_OPEN) ||
        made_by->index >= graph->array_count)
        return ISA_PORT_NONE;
    return (uint32_t)(isa_graph_port_of_array(graph, made_by->index) - graph->ports);
}

/* Returns the array of a part of an output port, or NULL if it has not arrived. */
static const struct isa_structure *taken_array(const struct isa_exec *exec,
                                               const struct isa_port *port, uint32_t part)
{
    const uint32_t at = isa_graph_result_parts(exec->code->graph) + port->first + part;
    return exec->has_result[at] ? isa_structures_get(&exec->structures, exec->results[at])
                                : NULL;
}

static const struct isa_port *port_out(const struct isa_exec *exec, uint32_t port)
{
    assert(!exec->code->graph->ports[port].is_input);
    return &exec->code->graph->ports[port];
}

bool isa_port_get(const struct isa_exec *exec, uint32_t port, uint64_t index,
                  isa_value *values)
{
    const struct isa_port *p = port_out(exec, port);
    for (uint32_t k = 0; k < p->part_count; k++) {
        const struct isa_structure *array = taken_array(exec, p, k);
        if (!array || index >= array->length ||
            !isa_element_is_written(&array->elements[index]))
            return false;
        values[k] = array->elements[index].value;
    }
    return true;
}

uint64_t isa_port_written(const struct isa_exec *exec, uint32_t port, uint64_t from)
{
    const struct isa_port *p = port_out(exec, port);
    uint64_t written = UINT64_MAX;
    for (uint32_t k = 0; k < p->part_count; k++) {
        const struct isa_structure *array = taken_array(exec, p, k);
        uint64_t end = from;
        while (array && end < array->length &&
               isa_element_is_written(&array->elements[end]))
            end++;
        written = end - from < written ? end - from : written;
    }
    return written;
}

bool isa_port_has_ended(const struct isa_exec *exec, uint32_t port, uint64_t count)
{
    const struct isa_port *p = port_out(exec, port);
    for (uint32_t k = 0; k < p->part_count; k++) {
        const struct isa_structure *array = taken_array(exec, p, k);
        if (!array || array->is_open || array->length > count)
            return false;
    }
    return true;
}

enum isa_port_fault isa_ports_out_fault(const struct isa_exec *exec, uint32_t *part,
                                        isa_value *element)
{
    const struct isa_graph *graph = exec->code->graph;
    const uint32_t own = isa_graph_result_parts(graph);
    for (uint32_t i = 0; i < graph->port_count; i++) {
        const struct isa_port *p = &graph->ports[i];
        for (uint32_t k = 0; !p->is_input && k < p->part_count; k++) {
            const struct isa_structure *array = taken_array(exec, p, k);
            *part = own + p->first + k;
            if (array->length != taken_array(exec, p, 0)->length)
                return ISA_PORT_UNEVEN;
            for (uint32_t e = 0; e < array->length; e++)
                if (!isa_element_is_written(&array->elements[e])) {
                    *element = exec->results[*part] | e;
                    return ISA_PORT_UNWRITTEN;
                }
        }
    }
    return ISA_PORT_WHOLE;
}

/* Whether a value is or holds an array that grows with `port` (ISA_PORT_NONE: with any port). */
static bool holds_open(const struct isa_exec *exec, isa_value value, enum isa_type type,
                       uint32_t port)
{
    if (isa_type_rank(type) == 0)
        return false;
    const struct isa_structure *array = isa_structures_get(&exec->structures, value);
    if (array->is_open &&
        (port == ISA_PORT_NONE || isa_structure_port(ports_of(exec), array) == port))
        return true;
    for (uint32_t i = 0; isa_type_rank(type) > 1 && i < array->length; i++)
        if (isa_element_is_written(&array->elements[i]) &&
            holds_open(exec, array->elements[i].value, isa_type_element(type), port))
            return true;
    return false;
}

static bool result_is_open(const struct isa_exec *exec, uint32_t part, uint32_t port)
{
    return exec->has_result[part] &&
           holds_open(exec, exec->results[part],
                      exec->code->graph->functions[0].results[part], port);
}

static bool has_open_arrays(const struct isa_ports *ports)
{
    for (uint32_t i = 0; i < ports->count; i++)
        if (ports->all[i].arrays.count)
            return true;
    return false;
}

bool isa_ports_wait_for_host(const struct isa_exec *exec)
{
    const struct isa_ports *ports = ports_of(exec);
    if (!ports || ports->waiting || !has_open_arrays(ports))
        return ports && ports->waiting;
    for (uint32_t part = 0; part < exec->code->graph->functions[0].result_count; part++)
        if (result_is_open(exec, part, ISA_PORT_NONE))
            return true;
    return false;
}

bool isa_port_is_waiting(const struct isa_exec *exec, uint32_t port)
{
    const struct isa_graph *graph = exec->code->graph;
    const struct isa_port *p = &graph->ports[port];
    const struct isa_port_state *state = &ports_of(exec)->all[port];
    if (!has_open_arrays(ports_of(exec)) || state->waiting)
        return state->waiting > 0;
    const uint32_t first = isa_graph_result_parts(graph) + p->first;
    for (uint32_t part = 0; part < graph->functions[0].result_count; part++)
        if ((p->is_input || part - first < p->part_count) &&
            result_is_open(exec, part, p->is_input ? port : ISA_PORT_NONE))
            return true;
    return false;
}

void isa_ports_count_references(const struct isa_exec *exec, uint64_t *held)
{
    const struct isa_ports *ports = ports_of(exec);
    for (uint32_t i = 0; ports && i < ports->count; i++)
        for (size_t k = 0; k < ports->all[i].arrays.count; k++) {
            const struct isa_port_array *a = &ports->all[i].arrays.items[k];
            if (a->part != ISA_PORT_NONE)
                held[a->structure]++;
        }
    for (uint32_t i = 0; ports && i < ports->array_count; i++)
        if (ports->pending[i] != ISA_STRUCTURE_NONE)
            held[ports->pending[i]]++;
    for (size_t i = 0; ports && i < ports->waits.count; i++)
        if (ports->waits.items[i].tag != ISA_TAG_NONE)
            held[ports->waits.items[i].structure]++;
}

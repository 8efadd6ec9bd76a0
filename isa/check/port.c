/* The checker: ports, and instructions that name their arrays. */
#include "isa/check/rules.h"
#include "lib/memory.h"
#include "lib/name_table.h"

#include <string.h>

static bool part_is_good(const struct isa_port_part *part)
{
    if (part->type == ISA_TENSOR)
        return (unsigned)part->element < ISA_ELEMENT_COUNT && part->rank <= ISA_RANK_MAX;
    return (part->type == ISA_INT || part->type == ISA_REAL || part->type == ISA_BOOL) &&
           part->element == ISA_ELEMENT_REAL && part->rank == 0;
}

static const char *find_wrong(const struct isa_graph *g, const struct isa_port *port)
{
    const struct isa_function *top = &g->functions[0];
    const uint32_t first = isa_graph_result_parts(g) + port->first;
    if (port->part_count == 0)
        return "its elements have no part";
    for (uint32_t k = 0; k < port->part_count; k++)
        if (!part_is_good(&port->parts[k]))
            return "its elements are ints, reals, bools and tensors of a rank, or tuples "
                   "of these";
    if (port->is_input)
        return NULL;
    if (g->taken_count > top->result_count)
        return "function 0 has no results for it";
    for (uint32_t k = 0; k < port->part_count; k++)
        if (top->results[first + k] != isa_type_array_of(port->parts[k].type))
            return "the results of function 0 that belong to it are not arrays of its "
                   "elements";
    return NULL;
}

void isa_check_ports(struct isa_check *c)
{
    const struct isa_graph *g = c->graph;
    struct lib_name_table *names = lib_name_table_new();
    for (uint32_t i = 0; i < g->port_count; i++) {
        const struct isa_port *port = &g->ports[i];
        const char *wrong = find_wrong(g, port);
        if (wrong)
            isa_check_say_of(c, LIB_DIAG_MEANING, port->pos,
                             "port %u " ISA_CHECK_NAME_FORMAT ": %s", i, port->name,
                             wrong);
        if (!lib_name_table_add(names, port->name, strlen(port->name), i))
            isa_check_say_of(c, LIB_DIAG_NAME, port->pos,
                             "port %u: a second port of the name " ISA_CHECK_NAME_FORMAT,
                             i, port->name);
    }
    lib_name_table_free(names);
}

void isa_check_arrays(struct isa_check *c)
{
    const struct isa_graph *g = c->graph;
    bool *sent = lib_mem_new((size_t)g->array_count + 1);
    for (uint32_t i = 0; i < g->node_count; i++) {
        const struct isa_node *n = &g->nodes[i];
        if (n->op != ISA_OP_PORT)
            continue;
        if (sent[n->index])
            isa_check_say(c, LIB_DIAG_MEANING, i, "a second PORT of array %u", n->index);
        sent[n->index] = true;
    }
    lib_mem_free(sent);
}

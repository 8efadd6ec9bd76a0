/* The checker: ranges, and nodes without their arcs. */
#include "isa/check/rules.h"
#include "isa/kernel_use.h"
#include "isa/op_columns.h"

/* Whether a literal is a value of a type. Of references only data without fields can be one. */
static bool is_value(const struct isa_graph *g, enum isa_type type, isa_value value)
{
    if (type == ISA_DATA)
        return value < g->constructor_count && g->constructors[value].field_count == 0;
    if (isa_type_is_reference(type))
        return false;
    if (type == ISA_BOOL)
        return value <= 1;
    return type == ISA_INT || value == isa_value_of_real(isa_value_real(value));
}

/* Whether the default value of an input is one of its type. isa_graph_bind_input has checked arrays
 * and tensors. */
static bool is_input_value(const struct isa_graph *g, const struct isa_input *input)
{
    return isa_type_is_reference(input->type) ? input->part_count > 0
                                              : is_value(g, input->type, input->value);
}

static bool check_pos(struct lib_pos pos)
{
    return pos.line == 0 || pos.column != 0;
}

static void check_function_ranges(struct isa_check *c, uint32_t f)
{
    const struct isa_function *function = &c->graph->functions[f];
    uint32_t params = function->param_count, results = function->result_count;
    uint32_t held = function->held_count;
    bool good = params <= ISA_MAX_PARAMS && results <= ISA_MAX_PARAMS &&
                held <= ISA_MAX_PARAMS;
    if (!good)
        isa_check_say_of(c, LIB_DIAG_LIMIT, function->pos,
                         "function %u: %u parameters, %u results and %u constants; at "
                         "most %d of each",
                         f, params, results, held, ISA_MAX_PARAMS);
    for (uint32_t i = 0; good && i < params; i++)
        good = isa_type_is_good(function->params[i]);
    for (uint32_t i = 0; good && i < results; i++)
        good = isa_type_is_good(function->results[i]);
    for (uint32_t i = 0; good && i < held; i++)
        good = isa_type_is_good(function->held[i]);
    if (!good || !check_pos(function->pos))
        isa_check_say_of(c, LIB_DIAG_MEANING, (struct lib_pos){0},
                         "function %u: invalid type or position", f);
}

static void check_constructor_ranges(struct isa_check *c, uint32_t number)
{
    const struct isa_constructor *of = &c->graph->constructors[number];
    bool good = of->field_count <= ISA_MAX_FIELDS;
    for (uint32_t i = 0; good && i < of->field_count; i++)
        good = isa_type_is_good(of->fields[i].type) &&
               !isa_type_is_address(of->fields[i].type);
    if (!good)
        isa_check_say_of(
            c, LIB_DIAG_MEANING, (struct lib_pos){0},
            "constructor %u: a field of an invalid type, or more than %d fields", number,
            ISA_MAX_FIELDS);
    else if (!isa_constructor_shape_fits(of))
        isa_check_say_of(c, LIB_DIAG_MEANING, (struct lib_pos){0},
                         "constructor %u: its shape does not fit its fields", number);
}

static void check_declaration_ranges(struct isa_check *c)
{
    const struct isa_graph *g = c->graph;
    struct lib_pos nowhere = {0};
    if ((unsigned)g->stage >= ISA_STAGE_COUNT || g->function_count == 0)
        isa_check_say_of(c, LIB_DIAG_MEANING, nowhere, "function 0 is missing");
    if ((g->machine_count > 0) != (g->stage == ISA_STAGE_PARTITIONED) ||
        g->machine_count > ISA_MAX_MACHINES)
        isa_check_say_of(
            c, LIB_DIAG_MEANING, nowhere,
            "%u machines: a graph of stage partitioned has 1 to %d, no other any",
            g->machine_count, ISA_MAX_MACHINES);
    if (g->node_count > ISA_MAX_NODES)
        isa_check_say_of(
            c, LIB_DIAG_LIMIT, c->source ? g->nodes[ISA_MAX_NODES].pos : nowhere,
            "%u nodes are too many: at most %d", g->node_count, ISA_MAX_NODES);
    if (g->constructor_count > ISA_MAX_CONSTRUCTORS ||
        g->field_count > ISA_MAX_CONSTRUCTORS)
        isa_check_say_of(c, LIB_DIAG_LIMIT, nowhere,
                         "%u constructors with %u fields; at most %d of each",
                         g->constructor_count, g->field_count, ISA_MAX_CONSTRUCTORS);
    for (uint32_t i = 0; i < g->constructor_count; i++)
        check_constructor_ranges(c, i);
    for (uint32_t f = 0; f < g->function_count; f++)
        check_function_ranges(c, f);
    for (uint32_t s = 0; s < g->site_count; s++)
        if (g->sites[s].caller >= g->function_count ||
            g->sites[s].callee >= g->function_count || !check_pos(g->sites[s].pos))
            isa_check_say_of(c, LIB_DIAG_MEANING, nowhere,
                             "site %u: invalid function or position", s);
    for (uint32_t i = 0; i < g->cell_count; i++)
        if (!isa_type_is_good(g->cells[i].type))
            isa_check_say_of(c, LIB_DIAG_MEANING, nowhere, "cell %u: no such type", i);
    for (uint32_t i = 0; i < g->input_count; i++)
        if (!isa_type_is_good(g->inputs[i].type) || g->inputs[i].type == ISA_DATA ||
            !is_input_value(g, &g->inputs[i]))
            isa_check_say_of(c, LIB_DIAG_MEANING, nowhere,
                             "input %u: its value is none of its type", i);
}

/* Returns the limit of a node's index. */
static uint32_t index_count(const struct isa_graph *g, const struct isa_node *n)
{
    switch (isa_op_table[n->op].attributes) {
    case ISA_ATTR_SITE_PARAM:
        return g->functions[g->sites[n->site].callee].param_count;
    case ISA_ATTR_SITE_PART:
        return g->functions[g->sites[n->site].callee].result_count;
    case ISA_ATTR_SITE_HELD:
        return g->functions[g->sites[n->site].callee].held_count;
    case ISA_ATTR_PARAM:
        return g->functions[n->function].param_count;
    case ISA_ATTR_PART:
        return g->functions[n->function].result_count;
    case ISA_ATTR_CELL:
        return g->cell_count;
    case ISA_ATTR_CONSTANT:
        return g->constant_count;
    case ISA_ATTR_CHANNEL:
        return g->node_count;
    case ISA_ATTR_ARRAY:
        return g->array_count;
    case ISA_ATTR_CONSTRUCTOR:
        return g->constructor_count;
    case ISA_ATTR_FIELD:
        return g->field_count;
    default:
        return UINT32_MAX;
    }
}

static const char *index_name(const struct isa_node *n)
{
    switch (isa_op_table[n->op].attributes) {
    case ISA_ATTR_CELL:
        return "cell";
    case ISA_ATTR_CHANNEL:
        return "channel";
    case ISA_ATTR_ARRAY:
        return "array";
    case ISA_ATTR_CONSTRUCTOR:
        return "constructor";
    case ISA_ATTR_FIELD:
        return "field";
    case ISA_ATTR_PARAM:
    case ISA_ATTR_SITE_PARAM:
        return "parameter";
    case ISA_ATTR_SITE_HELD:
    case ISA_ATTR_CONSTANT:
        return "constant";
    default:
        return "result";
    }
}

static const char *find_wrong_field(const struct isa_graph *g, const struct isa_node *n)
{
    if ((unsigned)n->op >= ISA_OP_COUNT)
        return "unknown opcode";
    if (isa_op_is_typed(n->op) && !isa_op_takes_type(n->op, n->type))
        return "unknown type";
    if (n->function >= g->function_count)
        return "unknown function";
    if (isa_op_has_site(n->op) && n->site >= g->site_count)
        return "unknown site";
    uint32_t operands = (uint32_t)isa_op_operands(n->op);
    uint32_t outputs = (uint32_t)isa_op_outputs(n->op);
    if (n->op == ISA_OP_APPLY) {
        operands = g->functions[g->sites[n->site].callee].param_count;
        outputs = g->functions[g->sites[n->site].callee].result_count;
    }
    if (n->machine && n->machine >= g->machine_count)
        return "unknown machine";
    if (n->operand_count != operands)
        return "another number of operands than the opcode has";
    if (isa_op_table[n->op].attributes == ISA_ATTR_KERNEL &&
        !isa_use_takes(n->index, (int)operands))
        return "a kernel that does not take such operands";
    if (n->output_count != outputs)
        return "another number of output lists than the opcode has";
    return check_pos(n->pos) ? NULL : "invalid position";
}

static void check_held_range(struct isa_check *c, uint32_t node, uint32_t port)
{
    const struct isa_graph *g = c->graph;
    const struct isa_node *n = &g->nodes[node];
    const struct isa_function *f = &g->functions[n->function];
    const uint32_t held = n->operands[port].held;
    const enum isa_type type = isa_node_operand_type(g, n, port);
    if (held >= f->held_count)
        isa_check_say(c, LIB_DIAG_NAME, node,
                      "operand %u: %s holds no constant %u: there are %u", port,
                      isa_check_function(c, n->function).text, held, f->held_count);
    else if (f->held[held] != type)
        isa_check_say(c, LIB_DIAG_TYPE, node,
                      "operand %u takes %s, but constant %u is %s", port,
                      isa_type_name(type), held, isa_type_name(f->held[held]));
}

static void check_operand_range(struct isa_check *c, uint32_t node, uint32_t port)
{
    const struct isa_graph *g = c->graph;
    const struct isa_node *n = &g->nodes[node];
    const struct isa_operand *operand = &n->operands[port];
    enum isa_type type = isa_node_operand_type(g, n, port);
    switch (operand->kind) {
    case ISA_OPERAND_TOKEN:
    case ISA_OPERAND_ABSENT:
        return;
    case ISA_OPERAND_LITERAL:
        if (!is_value(g, type, operand->value))
            isa_check_say(c, LIB_DIAG_TYPE, node, "the literal of operand %u is no %s",
                          port, isa_type_name(type));
        return;
    case ISA_OPERAND_INPUT:
        if (operand->input >= g->input_count)
            isa_check_say(c, LIB_DIAG_NAME, node, "operand %u: unknown input %u", port,
                          operand->input);
        else if (g->inputs[operand->input].type != type || isa_type_is_reference(type))
            isa_check_say(c, LIB_DIAG_TYPE, node,
                          "operand %u takes %s, but input %u is %s", port,
                          isa_type_name(type), operand->input,
                          isa_type_name(g->inputs[operand->input].type));
        return;
    case ISA_OPERAND_HELD:
        check_held_range(c, node, port);
        return;
    }
    isa_check_say(c, LIB_DIAG_MEANING, node, "operand %u has an invalid kind", port);
}

static void check_dest_range(struct isa_check *c, uint32_t node, struct isa_dest to)
{
    const struct isa_graph *g = c->graph;
    if (to.node == ISA_TO_RETURN) {
        if (g->stage != ISA_STAGE_IMAGE)
            isa_check_say(c, LIB_DIAG_MEANING, node,
                          "'return' is a destination in stage image only");
        return;
    }
    if (to.node >= g->node_count)
        isa_check_say(c, LIB_DIAG_NAME, node, "an arc leads to node %u; there are %u",
                      to.node, g->node_count);
    else if (to.port >= g->nodes[to.node].operand_count)
        isa_check_say(c, LIB_DIAG_NAME, node,
                      "an arc leads to operand %u of %s, which has %u", to.port,
                      isa_check_name(c, to.node).text, g->nodes[to.node].operand_count);
}

void isa_check_ranges(struct isa_check *c)
{
    const struct isa_graph *g = c->graph;
    size_t before = c->diags->errors;
    check_declaration_ranges(c);
    if (c->diags->errors == before)
        isa_check_ports(c);
    if (c->diags->errors > before)
        return;
    for (uint32_t i = 0; i < g->node_count; i++) {
        const struct isa_node *n = &g->nodes[i];
        const char *wrong = find_wrong_field(g, n);
        if (wrong) {
            isa_check_say(c, LIB_DIAG_MEANING, i, "%s", wrong);
            continue;
        }
        if (n->index >= index_count(g, n))
            isa_check_say(c, LIB_DIAG_NAME, i, "unknown %s %u: there are %u",
                          index_name(n), n->index, index_count(g, n));
        for (uint32_t port = 0; port < n->operand_count; port++)
            check_operand_range(c, i, port);
        for (uint32_t o = 0; o < n->output_count; o++)
            for (uint32_t k = 0; k < n->outputs[o].count; k++)
                check_dest_range(c, i, n->outputs[o].items[k]);
    }
}

static bool is_legal_at(enum isa_op op, enum isa_stage stage, bool in_loop)
{
    switch (isa_op_does[op].stands) {
    case ISA_STANDS_COPIES:
    case ISA_STANDS_BODY:
        return isa_stage_applies(stage);
    case ISA_STANDS_CALLS:
        return !isa_stage_applies(stage);
    case ISA_STANDS_CALLS_LOOP:
        return !isa_stage_applies(stage) || in_loop;
    case ISA_STANDS_PARTS:
        return stage == ISA_STAGE_PARTITIONED;
    default:
        return true;
    }
}

/* Returns the type of a node that names an array of an input port; for a PORT, that of the
 * elements. */
static enum isa_type type_of_array(const struct isa_graph *g, const struct isa_node *n)
{
    const struct isa_port *port = isa_graph_port_of_array(g, n->index);
    return n->op == ISA_OP_PORT ? port->parts[n->index - port->first].type : n->type;
}

/* Returns the type of the item that a node's index names. */
static enum isa_type named_type(const struct isa_graph *g, const struct isa_node *n)
{
    switch (isa_op_table[n->op].attributes) {
    case ISA_ATTR_SITE_PARAM:
        return g->functions[g->sites[n->site].callee].params[n->index];
    case ISA_ATTR_SITE_PART:
        return g->functions[g->sites[n->site].callee].results[n->index];
    case ISA_ATTR_SITE_HELD:
        return g->functions[g->sites[n->site].callee].held[n->index];
    case ISA_ATTR_PARAM:
        return g->functions[n->function].params[n->index];
    case ISA_ATTR_PART:
        return g->functions[n->function].results[n->index];
    case ISA_ATTR_CELL:
        return g->cells[n->index].type;
    case ISA_ATTR_ARRAY:
        return type_of_array(g, n);
    case ISA_ATTR_FIELD:
        return isa_graph_field_type(g, n->index);
    default:
        return n->type;
    }
}

static void check_standing(struct isa_check *c, uint32_t node)
{
    const struct isa_graph *g = c->graph;
    const struct isa_node *n = &g->nodes[node];
    const bool in_loop = g->functions[n->function].is_loop;
    if (!is_legal_at(n->op, g->stage, in_loop))
        isa_check_say(c, LIB_DIAG_MEANING, node, "not an opcode of stage %s",
                      isa_stage_name(g->stage));
    const enum isa_op_stands stands = isa_op_does[n->op].stands;
    if (stands == ISA_STANDS_TOP && n->function != 0)
        isa_check_say(c, LIB_DIAG_MEANING, node, "stands in function 0 only");
    if (n->op == ISA_OP_RESULT && n->function == 0)
        isa_check_say(c, LIB_DIAG_MEANING, node,
                      "the results of function 0 are its outputs");
    if (stands == ISA_STANDS_BODY && in_loop)
        isa_check_say(c, LIB_DIAG_MEANING, node, "is not in a loop");
    if (stands == ISA_STANDS_LOOP || n->op == ISA_OP_TRACK_NEXT) {
        if (!in_loop || g->sites[n->site].callee != n->function)
            isa_check_say(c, LIB_DIAG_MEANING, node,
                          "stands in %s, but site %u enters %s",
                          isa_check_function(c, n->function).text, n->site,
                          isa_check_function(c, g->sites[n->site].callee).text);
    } else if (isa_op_has_site(n->op) && g->sites[n->site].caller != n->function)
        isa_check_say(c, LIB_DIAG_MEANING, node,
                      "stands in %s, but site %u calls from %s",
                      isa_check_function(c, n->function).text, n->site,
                      isa_check_function(c, g->sites[n->site].caller).text);
    if (n->op == ISA_OP_GIVEN &&
        (g->constants[n->index].tensor->shape.rank != 1 ||
         isa_given_leaf(g->constants[n->index].tensor) != n->type))
        isa_check_say(c, LIB_DIAG_TYPE, node, "constant %u is not a row of %s", n->index,
                      isa_type_name(n->type));
    if (n->op == ISA_OP_CONSTRUCT && g->constructors[n->index].field_count == 0)
        isa_check_say(c, LIB_DIAG_MEANING, node,
                      "constructor %u has no fields: it is a literal", n->index);
    if (named_type(g, n) != n->type && isa_op_is_typed(n->op))
        isa_check_say(c, LIB_DIAG_TYPE, node, "%s %u is %s", index_name(n), n->index,
                      isa_type_name(named_type(g, n)));
}

/* Returns the rule that the kind of an operand breaks, or NULL. */
static const char *find_wrong_kind(const struct isa_node *n, uint32_t port)
{
    enum isa_operand_kind kind = n->operands[port].kind;
    bool immediate = isa_operand_is_immediate(&n->operands[port]);
    char letter = n->op == ISA_OP_APPLY ? 't' : isa_op_table[n->op].in[port];
    if (kind == ISA_OPERAND_ABSENT && letter != '?')
        return "only a trigger can be absent";
    if (kind == ISA_OPERAND_ABSENT && n->function != 0)
        return "a trigger can be absent in function 0 only";
    if (letter == 'v')
        return immediate ? NULL : "must be an immediate";
    const enum isa_op_takes takes = isa_op_does[n->op].takes;
    if (kind == ISA_OPERAND_HELD && takes == ISA_TAKES_UNHELD)
        return "cannot be a constant of the loop";
    if (immediate && letter == 'c')
        return "a control operand cannot be an immediate";
    if (immediate && letter == '?')
        return "a trigger cannot be an immediate";
    if (immediate &&
        (takes == ISA_TAKES_TOKEN || takes == ISA_TAKES_PAIR || takes == ISA_TAKES_MANY))
        return "must be a token";
    if (immediate && n->op == ISA_OP_APPLY && n->function != 0)
        return "must be a token: at top level only, an argument is an immediate";
    return NULL;
}

static void check_operands(struct isa_check *c, uint32_t node)
{
    const struct isa_node *n = &c->graph->nodes[node];
    uint32_t tokens = isa_node_tokens(n), immediates = 0;
    for (uint32_t port = 0; port < n->operand_count; port++) {
        const char *wrong = find_wrong_kind(n, port);
        if (wrong)
            isa_check_say(c, LIB_DIAG_MEANING, node, "operand %u: %s", port, wrong);
        immediates += isa_operand_is_immediate(&n->operands[port]);
    }
    if (immediates > 1 && n->op != ISA_OP_APPLY)
        isa_check_say(c, LIB_DIAG_MEANING, node, "%u immediates; at most one is possible",
                      immediates);
    if (tokens == 0 && n->function != 0 && !isa_op_is_fed(n->op))
        isa_check_say(c, LIB_DIAG_MEANING, node,
                      "no operand is a token, so it would never fire in a call");
}

void isa_check_nodes(struct isa_check *c)
{
    for (uint32_t i = 0; i < c->graph->node_count; i++) {
        check_standing(c, i);
        check_operands(c, i);
    }
    isa_check_arrays(c);
}

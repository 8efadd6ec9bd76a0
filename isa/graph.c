#include "isa/graph.h"

#include "isa/op_columns.h"
#include "lib/memory.h"

#include <assert.h>
#include <ctype.h>
#include <string.h>

struct isa_graph *isa_graph_new(enum isa_stage stage, const char *source)
{
    struct lib_arena *arena = lib_arena_new();
    struct isa_graph *graph = LIB_ARENA_NEW(arena, struct isa_graph);
    graph->arena = arena;
    graph->stage = stage;
    graph->source = lib_arena_copy(arena, source, strlen(source));
    graph->shape = "";
    return graph;
}

void isa_graph_free(struct isa_graph *graph)
{
    if (!graph)
        return;
    LIB_MEM_FREE(graph->nodes, graph->functions, graph->sites, graph->cells);
    lib_mem_free(graph->inputs);
    for (uint32_t i = 0; i < graph->constant_count; i++)
        isa_tensor_free(&graph->tensors, graph->constants[i].tensor);
    LIB_MEM_FREE(graph->constants, graph->ports, graph->placings, graph->constructors);
    isa_tensor_memory_free(&graph->tensors);
    lib_arena_free(graph->arena);
}

static const enum isa_type *copy_types(struct isa_graph *graph,
                                       const enum isa_type *types, uint32_t count)
{
    enum isa_type *copy = LIB_ARENA_ARRAY(graph->arena, enum isa_type, count);
    if (count)
        memcpy(copy, types, count * sizeof *copy);
    return copy;
}

#define GROW(graph, things, thing)                                                       \
    ((graph)->things = lib_mem_grow((graph)->things, &(graph)->thing##_capacity,         \
                                    (graph)->thing##_count, sizeof *(graph)->things),    \
     &(graph)->things[(graph)->thing##_count++])

static void flatten_shape(struct isa_graph *graph)
{
    struct lib_text shape = {0};
    isa_graph_flat_shape(graph->functions[0].results, isa_graph_result_parts(graph),
                         &shape);
    graph->shape = lib_arena_keep(graph->arena, &shape);
}

uint32_t isa_graph_add_function(struct isa_graph *graph, const char *name,
                                const enum isa_type *params, uint32_t param_count,
                                const enum isa_type *results, uint32_t result_count,
                                struct lib_pos pos)
{
    struct isa_function *f = GROW(graph, functions, function);
    *f = (struct isa_function){
        .name = lib_arena_copy(graph->arena, name, strlen(name)),
        .params = (enum isa_type *)copy_types(graph, params, param_count),
        .results = (enum isa_type *)copy_types(graph, results, result_count),
        .param_count = param_count,
        .result_count = result_count,
        .pos = pos,
    };
    if (graph->function_count == 1)
        flatten_shape(graph);
    return graph->function_count - 1;
}

void isa_graph_set_names(struct isa_graph *graph, uint32_t function,
                         const char *const *names)
{
    struct isa_function *f = &graph->functions[function];
    f->names = NULL;
    if (!names || f->param_count == 0)
        return;
    f->names = LIB_ARENA_ARRAY(graph->arena, const char *, f->param_count);
    for (uint32_t i = 0; i < f->param_count; i++)
        f->names[i] = names[i] ? lib_arena_copy(graph->arena, names[i], strlen(names[i]))
                               : NULL;
}

void isa_graph_set_early(struct isa_graph *graph, uint32_t function, uint32_t params,
                         uint32_t results)
{
    graph->functions[function].early_params = params;
    graph->functions[function].early_results = results;
}

void isa_graph_set_strand(struct isa_graph *graph, uint32_t function, uint32_t strand)
{
    graph->functions[function].strand = strand;
}

void isa_graph_set_loop(struct isa_graph *graph, uint32_t function, uint32_t bound)
{
    graph->functions[function].is_loop = true;
    graph->functions[function].bound = bound;
}

void isa_graph_set_constants(struct isa_graph *graph, uint32_t function,
                             const enum isa_type *held, uint32_t count)
{
    struct isa_function *f = &graph->functions[function];
    f->held = (enum isa_type *)copy_types(graph, held, count);
    f->held_count = count;
}

void isa_graph_set_types(struct isa_graph *graph, uint32_t function,
                         const enum isa_type *params, uint32_t param_count,
                         const enum isa_type *results, uint32_t result_count)
{
    struct isa_function *f = &graph->functions[function];
    f->params = (enum isa_type *)copy_types(graph, params, param_count);
    f->results = (enum isa_type *)copy_types(graph, results, result_count);
    f->param_count = param_count;
    f->names = NULL;
    f->result_count = result_count;
}

uint32_t isa_graph_add_site(struct isa_graph *graph, uint32_t caller, uint32_t callee,
                            struct lib_pos pos)
{
    *GROW(graph, sites, site) = (struct isa_site){caller, callee, pos};
    return graph->site_count - 1;
}

uint32_t isa_graph_add_cell(struct isa_graph *graph, const char *name, enum isa_type type)
{
    name = lib_arena_copy(graph->arena, name, strlen(name));
    *GROW(graph, cells, cell) = (struct isa_cell){name, type};
    return graph->cell_count - 1;
}

uint32_t isa_graph_add_input(struct isa_graph *graph, const char *name,
                             enum isa_type type, isa_value value)
{
    name = lib_arena_copy(graph->arena, name, strlen(name));
    *GROW(graph, inputs, input) = (struct isa_input){name, type, value,
                                                     0,    0,    isa_type_name(type)};
    return graph->input_count - 1;
}

void isa_graph_set_class(struct isa_graph *graph, uint32_t function, const char *on)
{
    graph->functions[function].on = on ? lib_arena_copy(graph->arena, on, strlen(on))
                                       : NULL;
}

bool isa_graph_has_classes(const struct isa_graph *graph)
{
    for (uint32_t f = 0; f < graph->function_count; f++)
        if (graph->functions[f].on)
            return true;
    return false;
}

bool isa_graph_bind_input(struct isa_graph *graph, uint32_t input, uint32_t first,
                          uint32_t count)
{
    struct isa_input *in = &graph->inputs[input];
    if (count == 0 || first > graph->constant_count ||
        count > graph->constant_count - first)
        return false;
    struct isa_given *given = LIB_ARENA_NEW(graph->arena, struct isa_given);
    const struct isa_tensor **parts = LIB_ARENA_ARRAY(graph->arena,
                                                      const struct isa_tensor *, count);
    for (uint32_t i = 0; i < count; i++)
        parts[i] = graph->constants[first + i].tensor;
    given->part_count = count;
    given->parts = parts;
    in->first = first;
    in->part_count = count;
    in->value = isa_value_of_given(given);
    if (!isa_given_fits(given, in->type, NULL))
        return false;
    LIB_TEXT_OWN text = {0};
    isa_given_write_type(&text, in->type, given);
    in->text = lib_arena_copy(graph->arena, lib_text_get(&text), text.length);
    return true;
}

void isa_graph_find_constants(const struct isa_graph *graph, const isa_value *inputs,
                              const struct isa_tensor **tensors)
{
    for (uint32_t i = 0; i < graph->constant_count; i++)
        tensors[i] = graph->constants[i].tensor;
    for (uint32_t i = 0; inputs && i < graph->input_count; i++) {
        const struct isa_input *input = &graph->inputs[i];
        for (uint32_t k = 0; k < input->part_count; k++)
            tensors[input->first + k] = isa_value_given(inputs[i])->parts[k];
    }
}

void isa_input_write(struct lib_text *out, const struct isa_input *input, isa_value value)
{
    if (input->part_count)
        isa_given_write(out, isa_value_given(value));
    else
        isa_value_write(out, input->type, value);
}

void isa_graph_add_placing(struct isa_graph *graph, struct isa_placing placing)
{
    *GROW(graph, placings, placing) = placing;
}

bool isa_placing_is_legal(const struct isa_placing *placing)
{
    return placing->first > 0 && placing->first <= placing->last &&
           placing->machine < ISA_MAX_MACHINES;
}

uint32_t isa_graph_add_constant(struct isa_graph *graph, const char *name,
                                struct isa_tensor *tensor)
{
    name = lib_arena_copy(graph->arena, name, strlen(name));
    *GROW(graph, constants, constant) = (struct isa_constant){name, tensor};
    return graph->constant_count - 1;
}

void isa_graph_add_constants(struct isa_graph *graph, const struct isa_graph *from)
{
    for (uint32_t i = 0; i < from->constant_count; i++) {
        const struct isa_tensor *t = from->constants[i].tensor;
        struct isa_tensor *copy = isa_tensor_new(&graph->tensors, &t->shape);
        if (t->bytes)
            memcpy(copy->data, t->data, t->bytes);
        isa_tensor_seal(copy, true);
        isa_graph_add_constant(graph, from->constants[i].name, copy);
    }
}

uint32_t isa_graph_add_port(struct isa_graph *graph, const char *name, bool is_input,
                            const struct isa_port_part *parts, uint32_t part_count,
                            struct lib_pos pos)
{
    uint32_t *const count = is_input ? &graph->array_count : &graph->taken_count;
    struct isa_port *port = GROW(graph, ports, port);
    *port = (struct isa_port){
        .name = lib_arena_copy(graph->arena, name, strlen(name)),
        .is_input = is_input,
        .parts = LIB_ARENA_ARRAY(graph->arena, struct isa_port_part, part_count),
        .part_count = part_count,
        .first = *count,
        .pos = pos,
    };
    for (uint32_t k = 0; k < part_count; k++)
        port->parts[k] = parts[k];
    *count += part_count;
    if (!is_input)
        flatten_shape(graph);
    return graph->port_count - 1;
}

void isa_graph_add_ports(struct isa_graph *graph, const struct isa_graph *from)
{
    for (uint32_t i = 0; i < from->port_count; i++) {
        const struct isa_port *p = &from->ports[i];
        isa_graph_add_port(graph, p->name, p->is_input, p->parts, p->part_count, p->pos);
    }
}

uint32_t isa_graph_add_constructor(struct isa_graph *graph,
                                   const struct isa_constructor *constructor)
{
    struct lib_arena *arena = graph->arena;
    const uint32_t count = constructor->field_count;
    struct isa_constructor *c = GROW(graph, constructors, constructor);
    *c = *constructor;
    c->name = lib_arena_copy(arena, c->name, strlen(c->name));
    c->type = lib_arena_copy(arena, c->type, strlen(c->type));
    c->first = graph->field_count;
    c->has_references = false;
    c->fields = LIB_ARENA_ARRAY(arena, struct isa_field, count);
    for (uint32_t i = 0; i < count; i++) {
        const char *name = constructor->fields[i].name;
        c->fields[i] = constructor->fields[i];
        c->fields[i].name = name ? lib_arena_copy(arena, name, strlen(name)) : NULL;
        c->has_references |= isa_type_is_reference(c->fields[i].type);
    }
    struct lib_text flat = {0};
    if (!c->shape)
        isa_constructor_flat_shape(c, &flat);
    c->shape = c->shape ? lib_arena_copy(arena, c->shape, strlen(c->shape))
                        : lib_arena_keep(arena, &flat);
    graph->field_count += count;
    return graph->constructor_count - 1;
}

void isa_graph_add_constructors(struct isa_graph *graph, const struct isa_graph *from)
{
    for (uint32_t i = 0; i < from->constructor_count; i++)
        isa_graph_add_constructor(graph, &from->constructors[i]);
}

const struct isa_constructor *isa_graph_constructor_of(const struct isa_graph *graph,
                                                       uint32_t field)
{
    uint32_t low = 0, high = graph->constructor_count;
    assert(field < graph->field_count);
    while (high - low > 1) { /* the last one that begins at or before the field has it */
        const uint32_t middle = low + (high - low) / 2;
        if (graph->constructors[middle].first <= field)
            low = middle;
        else
            high = middle;
    }
    return &graph->constructors[low];
}

enum isa_type isa_graph_field_type(const struct isa_graph *graph, uint32_t field)
{
    const struct isa_constructor *c = isa_graph_constructor_of(graph, field);
    return c->fields[field - c->first].type;
}

void isa_constructor_write_field(const struct isa_constructor *constructor,
                                 uint32_t field, struct lib_text *out)
{
    if (constructor->fields[field].name)
        lib_text_printf(out, "field `%s`", constructor->fields[field].name);
    else
        lib_text_printf(out, "field %u", field);
    lib_text_printf(out, " of `%s`", constructor->name);
}

static const struct isa_port *find_port(const struct isa_graph *graph, bool is_input,
                                        uint32_t number)
{
    for (uint32_t i = 0; i < graph->port_count; i++) {
        const struct isa_port *p = &graph->ports[i];
        if (p->is_input == is_input && number - p->first < p->part_count)
            return p;
    }
    return NULL;
}

const struct isa_port *isa_graph_port_of_array(const struct isa_graph *graph,
                                               uint32_t array)
{
    return find_port(graph, true, array);
}

const struct isa_port *isa_graph_port_of_part(const struct isa_graph *graph,
                                              uint32_t part)
{
    const uint32_t own = isa_graph_result_parts(graph);
    return part < own ? NULL : find_port(graph, false, part - own);
}

uint32_t isa_graph_add_node(struct isa_graph *graph, enum isa_op op, enum isa_type type,
                            uint32_t function, uint32_t site, uint32_t index,
                            struct lib_pos pos)
{
    uint32_t operands = (uint32_t)isa_op_operands(op);
    uint32_t outputs = (uint32_t)isa_op_outputs(op);
    if (op == ISA_OP_APPLY) {
        const struct isa_function *callee = &graph->functions[graph->sites[site].callee];
        operands = callee->param_count;
        outputs = callee->result_count;
    }
    struct isa_node *n = GROW(graph, nodes, node);
    *n = (struct isa_node){
        .op = op,
        .type = type,
        .function = function,
        .site = site,
        .index = index,
        .operands = LIB_ARENA_ARRAY(graph->arena, struct isa_operand, operands),
        .operand_count = operands,
        .outputs = LIB_ARENA_ARRAY(graph->arena, struct isa_dests, outputs),
        .output_count = outputs,
        .pos = pos,
    };
    return graph->node_count - 1;
}

uint32_t isa_graph_move_node(struct isa_graph *graph, const struct isa_node *node)
{
    *GROW(graph, nodes, node) = *node;
    return graph->node_count - 1;
}

void isa_graph_set_written(struct isa_graph *graph, uint32_t node,
                           const struct isa_written *written)
{
    struct isa_written *copy = NULL;
    if (written) {
        copy = lib_arena_alloc(graph->arena, sizeof *copy);
        *copy = *written;
        copy->label = lib_arena_copy(graph->arena, written->label,
                                     strlen(written->label));
    }
    graph->nodes[node].written = copy;
}

void isa_graph_set_literal(struct isa_graph *graph, uint32_t node, uint32_t port,
                           isa_value value)
{
    graph->nodes[node].operands[port] = (struct isa_operand){.kind = ISA_OPERAND_LITERAL,
                                                             .value = value};
}

void isa_graph_set_input(struct isa_graph *graph, uint32_t node, uint32_t port,
                         uint32_t input)
{
    graph->nodes[node].operands[port] = (struct isa_operand){.kind = ISA_OPERAND_INPUT,
                                                             .input = input};
}

void isa_graph_set_absent(struct isa_graph *graph, uint32_t node, uint32_t port)
{
    graph->nodes[node].operands[port] = (struct isa_operand){.kind = ISA_OPERAND_ABSENT};
}

void isa_graph_set_held(struct isa_graph *graph, uint32_t node, uint32_t port,
                        uint32_t held)
{
    graph->nodes[node].operands[port] = (struct isa_operand){.kind = ISA_OPERAND_HELD,
                                                             .held = held};
}

void isa_graph_connect(struct isa_graph *graph, uint32_t node, uint32_t output,
                       struct isa_dest to)
{
    struct isa_dests *d = &graph->nodes[node].outputs[output];
    *LIB_ARENA_PUSH(graph->arena, d) = to;
}

static void write_flat(enum isa_type type, struct lib_text *out)
{
    const int rank = (int)isa_type_rank(type);
    lib_text_printf(out, "%.*s_%.*s", rank, "[[[[[[[[[[[[[[[", rank, "]]]]]]]]]]]]]]]");
}

void isa_graph_flat_shape(const enum isa_type *results, uint32_t parts,
                          struct lib_text *out)
{
    for (uint32_t i = 0; i < parts; i++) {
        lib_text_puts(out, i ? ", " : parts > 1 ? "(" : "");
        write_flat(results[i], out);
    }
    if (parts > 1)
        lib_text_puts(out, ")");
}

void isa_constructor_flat_shape(const struct isa_constructor *constructor,
                                struct lib_text *out)
{
    for (uint32_t i = 0; i < constructor->field_count; i++) {
        lib_text_puts(out, i ? ", " : "(");
        write_flat(constructor->fields[i].type, out);
    }
    if (constructor->field_count)
        lib_text_puts(out, ")");
}

/* State of the reader of a shape: of the result, or of the fields of a constructor. */
struct shape {
    const struct isa_graph *graph; /* NULL: of `constructor` */
    const struct isa_constructor *constructor;
    uint32_t parts; /* `_` read */
    int open;       /* open parentheses */
    unsigned rank;  /* open brackets */
    /* `open` and `parts` at each open bracket. */
    int open_before[ISA_MAX_RANK];
    uint32_t parts_before[ISA_MAX_RANK];
};

static bool read_bracket(struct shape *s, char bracket)
{
    if (bracket == '[') {
        if (s->rank == ISA_MAX_RANK)
            return false;
        s->open_before[s->rank] = s->open;
        s->parts_before[s->rank++] = s->parts;
        return true;
    }
    if (s->rank == 0)
        return false;
    s->rank--;
    return s->open == s->open_before[s->rank] && s->parts > s->parts_before[s->rank];
}

static uint32_t shape_parts(const struct shape *s)
{
    return s->graph ? isa_graph_result_parts(s->graph) : s->constructor->field_count;
}

static bool read_shape_part(struct shape *s)
{
    if (s->parts == shape_parts(s))
        return false;
    const uint32_t part = s->parts++;
    const enum isa_type type = s->graph ? s->graph->functions[0].results[part]
                                        : s->constructor->fields[part].type;
    return isa_type_rank(type) == s->rank;
}

/* Reads one character of a shape. Returns false if it cannot come next. */
static bool read_shape_char(struct shape *s, char c)
{
    switch (c) {
    case '_':
        return read_shape_part(s);
    case '[':
    case ']':
        return read_bracket(s, c);
    case '(':
        s->open++;
        return true;
    case ')':
        return s->open-- > (s->rank ? s->open_before[s->rank - 1] : 0);
    default:
        return c == ',' || c == ' ';
    }
}

size_t isa_shape_name(const char *shape)
{
    size_t length = 0;
    if (!isupper((unsigned char)*shape))
        return 0;
    while (isalnum((unsigned char)shape[length]) || shape[length] == '_' ||
           shape[length] == '\'')
        length++;
    return length;
}

static bool read_shape(struct shape *s, const char *shape)
{
    for (const char *p = shape; *p; p++) {
        const size_t length = isa_shape_name(p);
        p += length;
        if ((length && *p != '(') || !read_shape_char(s, *p))
            return false;
    }
    return !s->open && !s->rank && s->parts == shape_parts(s);
}

bool isa_constructor_shape_fits(const struct isa_constructor *constructor)
{
    struct shape s = {.constructor = constructor};
    const char *shape = constructor->shape;
    return read_shape(&s, shape) && (*shape == '(') == (constructor->field_count > 0);
}

bool isa_graph_set_shape(struct isa_graph *graph, const char *shape)
{
    struct shape s = {.graph = graph};
    if (graph->function_count == 0 || !read_shape(&s, shape))
        return false;
    graph->shape = lib_arena_copy(graph->arena, shape, strlen(shape));
    return true;
}

struct isa_graph *isa_graph_copy(const struct isa_graph *graph)
{
    struct isa_graph *copy = isa_graph_new(graph->stage, graph->source);
    for (uint32_t i = 0; i < graph->function_count; i++) {
        const struct isa_function *f = &graph->functions[i];
        isa_graph_add_function(copy, f->name, f->params, f->param_count, f->results,
                               f->result_count, f->pos);
        isa_graph_set_names(copy, i, f->names);
        copy->functions[i].is_loop = f->is_loop;
        copy->functions[i].bound = f->bound;
        isa_graph_set_class(copy, i, f->on);
        isa_graph_set_early(copy, i, f->early_params, f->early_results);
        isa_graph_set_strand(copy, i, f->strand);
        isa_graph_set_constants(copy, i, f->held, f->held_count);
    }
    isa_graph_add_ports(copy, graph);
    copy->shape = lib_arena_copy(copy->arena, graph->shape, strlen(graph->shape));
    for (uint32_t i = 0; i < graph->site_count; i++)
        isa_graph_add_site(copy, graph->sites[i].caller, graph->sites[i].callee,
                           graph->sites[i].pos);
    for (uint32_t i = 0; i < graph->cell_count; i++)
        isa_graph_add_cell(copy, graph->cells[i].name, graph->cells[i].type);
    isa_graph_add_constants(copy, graph);
    for (uint32_t i = 0; i < graph->input_count; i++) {
        const struct isa_input *input = &graph->inputs[i];
        isa_graph_add_input(copy, input->name, input->type, input->value);
        if (input->part_count)
            isa_graph_bind_input(copy, i, input->first, input->part_count);
    }
    isa_graph_add_constructors(copy, graph);
    for (uint32_t i = 0; i < graph->placing_count; i++)
        isa_graph_add_placing(copy, graph->placings[i]);
    copy->machine_count = graph->machine_count;
    for (uint32_t i = 0; i < graph->node_count; i++) {
        const struct isa_node *n = &graph->nodes[i];
        isa_graph_add_node(copy, n->op, n->type, n->function, n->site, n->index, n->pos);
        copy->nodes[i].machine = n->machine;
        isa_graph_set_written(copy, i, n->written);
        if (n->operand_count)
            memcpy(copy->nodes[i].operands, n->operands,
                   n->operand_count * sizeof *n->operands);
        for (uint32_t o = 0; o < n->output_count; o++)
            for (uint32_t k = 0; k < n->outputs[o].count; k++)
                isa_graph_connect(copy, i, o, n->outputs[o].items[k]);
    }
    return copy;
}

bool isa_operand_is_immediate(const struct isa_operand *operand)
{
    return operand->kind == ISA_OPERAND_LITERAL || operand->kind == ISA_OPERAND_INPUT ||
           operand->kind == ISA_OPERAND_HELD;
}

void isa_node_write_opcode(const struct isa_node *node, struct lib_text *out)
{
    lib_text_puts(out, isa_op_table[node->op].text);
    if (isa_op_is_typed(node->op))
        lib_text_printf(out, ".%s", isa_type_name(node->type));
}

void isa_graph_write_label(const struct isa_graph *graph, uint32_t node,
                           struct lib_text *out)
{
    const struct isa_written *written = graph->nodes[node].written;
    if (written)
        lib_text_puts(out, written->label);
    else
        lib_text_printf(out, "%%%u", node);
}

void isa_graph_write_node(const struct isa_graph *graph, uint32_t node,
                          struct lib_text *out)
{
    isa_graph_write_label(graph, node, out);
    lib_text_puts(out, " ");
    isa_node_write_opcode(&graph->nodes[node], out);
}

void isa_node_write_place(const struct isa_node *node, struct lib_text *out)
{
    if (node->pos.line)
        lib_text_printf(out, " at %u:%u", node->pos.line, node->pos.column);
    else if (node->written && node->written->line)
        lib_text_printf(out, " of assembly line %u", node->written->line);
}

uint32_t isa_node_tokens(const struct isa_node *node)
{
    uint32_t tokens = 0;
    for (uint32_t port = 0; port < node->operand_count; port++)
        tokens += node->operands[port].kind == ISA_OPERAND_TOKEN;
    return tokens;
}

uint32_t isa_node_frame(const struct isa_graph *graph, const struct isa_node *node)
{
    return isa_op_takes_control(node->op) ? graph->sites[node->site].callee
                                          : node->function;
}

enum isa_type isa_node_operand_type(const struct isa_graph *graph,
                                    const struct isa_node *node, uint32_t port)
{
    if (node->op == ISA_OP_APPLY)
        return graph->functions[graph->sites[node->site].callee].params[port];
    return isa_op_operand_type(node->op, (int)port, node->type);
}

enum isa_type isa_node_output_type(const struct isa_graph *graph,
                                   const struct isa_node *node, uint32_t output)
{
    if (node->op == ISA_OP_APPLY)
        return graph->functions[graph->sites[node->site].callee].results[output];
    return isa_op_output_type(node->op, (int)output, node->type);
}

bool isa_node_operand_is_control(const struct isa_node *node, uint32_t port)
{
    return node->op != ISA_OP_APPLY && isa_op_table[node->op].in[port] == 'c';
}

bool isa_node_output_is_control(const struct isa_node *node, uint32_t output)
{
    return node->op != ISA_OP_APPLY && isa_op_table[node->op].out[output] == 'c';
}

bool isa_node_operand_is_trigger(const struct isa_node *node, uint32_t port)
{
    return node->op != ISA_OP_APPLY && isa_op_table[node->op].in[port] == '?';
}

uint32_t isa_graph_find_input(const struct isa_graph *graph, const char *name)
{
    for (uint32_t i = 0; i < graph->input_count; i++)
        if (strcmp(graph->inputs[i].name, name) == 0)
            return i;
    return UINT32_MAX;
}

bool isa_graph_has_tensors(const struct isa_graph *graph)
{
    for (uint32_t i = 0; i < graph->node_count; i++)
        if (isa_op_is_on_tensors(graph->nodes[i].op))
            return true;
    return false;
}

const char *isa_stage_name(enum isa_stage stage)
{
    static const char *const names[ISA_STAGE_COUNT] = {"functions", "static", "image",
                                                       "expanding", "partitioned"};
    return names[stage];
}

const char *isa_stage_about(enum isa_stage stage)
{
    static const char *const texts[ISA_STAGE_COUNT] = {
        "a graph per function, in which a call is a node",
        "one graph for all calls",
        "the instructions of the one graph",
        "the graphs of the functions, which calls copy",
        "the instructions of the one graph, divided among machines",
    };
    return texts[stage];
}

enum isa_stage isa_stage_find(const char *name)
{
    int stage = 0;
    while (stage < ISA_STAGE_COUNT &&
           strcmp(name, isa_stage_name((enum isa_stage)stage)) != 0)
        stage++;
    return (enum isa_stage)stage;
}

const char *isa_strategy_name(enum isa_stage stage)
{
    assert(isa_stage_is_executable(stage));
    return stage == ISA_STAGE_EXPANDING ? "expanding" : "static";
}

enum isa_stage isa_strategy_find(const char *name)
{
    for (int stage = 0; stage < ISA_STAGE_COUNT; stage++)
        if (isa_stage_is_executable((enum isa_stage)stage) &&
            strcmp(name, isa_strategy_name((enum isa_stage)stage)) == 0)
            return (enum isa_stage)stage;
    return ISA_STAGE_COUNT;
}

bool isa_graph_is_result_arc(const struct isa_graph *graph, struct isa_dest to)
{
    return to.node != ISA_TO_RETURN && graph->nodes[to.node].op == ISA_OP_RETURN &&
           to.port == 0;
}

/* Replaces a list's arcs to the RETURNs of one result by one arc to ISA_TO_RETURN. */
static void lower_output(struct isa_graph *graph, struct isa_dests *dests)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < dests->count; i++) {
        struct isa_dest to = dests->items[i];
        if (isa_graph_is_result_arc(graph, to)) {
            to = (struct isa_dest){ISA_TO_RETURN, graph->nodes[to.node].index};
            bool known = false;
            for (uint32_t k = 0; k < kept; k++)
                known |= dests->items[k].node == to.node &&
                         dests->items[k].port == to.port;
            if (known)
                continue;
        }
        dests->items[kept++] = to;
    }
    dests->count = kept;
}

void isa_graph_lower(struct isa_graph *graph)
{
    for (uint32_t i = 0; i < graph->node_count; i++)
        for (uint32_t o = 0; o < graph->nodes[i].output_count; o++)
            lower_output(graph, &graph->nodes[i].outputs[o]);
    graph->stage = ISA_STAGE_IMAGE;
}

#include "programs/graph/build.h"

#include "lib/file.h"
#include "programs/form/check.h"
#include "programs/form/text.h"
#include "programs/graph/builder.h"
#include "programs/types/type.h"

#include <string.h>

/* `result` has cells only if definitions use it. */
bool programs_build_has_cells(struct programs_builder *b,
                              const struct programs_binding *binding)
{
    if (binding->equation == b->ast->result)
        return b->ast->reads_result;
    return binding->used && !programs_build_alias(b, binding);
}

static void declare_constant(struct programs_builder *b,
                             const struct programs_equation *q)
{
    b->cells[q->index] = LIB_ARENA_ARRAY(b->arena, uint32_t, q->name_count);
    for (size_t n = 0; n < q->name_count; n++) {
        const struct programs_binding *binding = q->names[n];
        if (!programs_build_has_cells(b, binding))
            continue;
        const uint32_t width = (uint32_t)programs_type_width(binding->type);
        enum isa_type *types = LIB_ARENA_ARRAY(b->arena, enum isa_type, width);
        programs_type_flatten(binding->type, types);
        b->cells[q->index][n] = b->graph->cell_count;
        for (uint32_t k = 0; k < width; k++)
            isa_graph_add_cell(b->graph, programs_build_part_name(b, binding, k, width),
                               types[k]);
        programs_build_form_cells(b, binding->type, q->value);
    }
}

static bool is_port_out(const struct programs_equation *q)
{
    return q->port && !q->port->is_input;
}

/* The results of the top level are those of `result`, then those of the output ports. */
static void declare_results(struct programs_builder *b,
                            const struct programs_binding *result)
{
    const struct programs_ast *ast = b->ast;
    uint32_t width = (uint32_t)programs_type_width(result->type);
    for (size_t i = 0; i < ast->constant_count; i++)
        if (is_port_out(ast->constants[i]))
            width += (uint32_t)programs_type_width(ast->constants[i]->names[0]->type);
    enum isa_type *results = LIB_ARENA_ARRAY(b->arena, enum isa_type, width);
    uint32_t at = (uint32_t)programs_type_width(result->type);
    programs_type_flatten(result->type, results);
    for (size_t i = 0; i < ast->constant_count; i++) {
        struct programs_type *type = ast->constants[i]->names[0]->type;
        if (!is_port_out(ast->constants[i]))
            continue;
        programs_type_flatten(type, &results[at]);
        at += (uint32_t)programs_type_width(type);
    }
    isa_graph_add_function(b->graph, "result", NULL, 0, results, width, result->pos);
}

static uint32_t list_parts(struct programs_type *type, struct isa_port_part *parts)
{
    type = programs_type_find(type);
    if (type->kind == PROGRAMS_TYPE_TUPLE) {
        uint32_t count = 0;
        for (size_t i = 0; i < type->part_count; i++)
            count += list_parts(type->parts[i], &parts[count]);
        return count;
    }
    *parts = (struct isa_port_part){.type = programs_build_type(type)};
    if (type->kind == PROGRAMS_TYPE_TENSOR) {
        parts->element = programs_type_element(type);
        parts->rank = (uint32_t)programs_type_tensor_rank(type);
    }
    return 1;
}

static void declare_ports(struct programs_builder *b)
{
    const struct programs_ast *ast = b->ast;
    b->port_index = LIB_ARENA_ARRAY(b->arena, uint32_t, ast->constant_count);
    for (size_t i = 0; i < ast->constant_count; i++) {
        const struct programs_equation *q = ast->constants[i];
        if (!q->port)
            continue;
        const struct programs_binding *name = q->names[0];
        struct programs_type *type = programs_type_find(name->type);
        const uint32_t width = (uint32_t)programs_type_width(type);
        struct isa_port_part *parts = LIB_ARENA_ARRAY(b->arena, struct isa_port_part,
                                                      width);
        b->port_index[q->index] = isa_graph_add_port(
            b->graph, name->name, q->port->is_input, parts,
            list_parts(type->parts[0], parts), name->pos);
    }
}

/* Adds the tensors of an array or a tensor that is given, and the input that it may be. */
static void add_given(struct programs_builder *b, const struct programs_equation *q)
{
    const struct programs_data *data = q->given->data;
    const char *name = q->names[0]->name;
    b->given_index[q->index] = b->graph->constant_count;
    for (uint32_t i = 0; i < data->part_count; i++) {
        const struct isa_tensor *read = data->tensors[i];
        struct isa_tensor *tensor = isa_tensor_new(&b->graph->tensors, &read->shape);
        if (read->bytes)
            memcpy(tensor->data, read->data, read->bytes);
        isa_tensor_seal(tensor, true);
        isa_graph_add_constant(
            b->graph,
            data->part_count == 1 ? name : lib_arena_printf(b->arena, "%s.%u", name, i),
            tensor);
    }
    if (!q->given->is_input)
        return;
    enum isa_type types[PROGRAMS_DATA_PARTS];
    programs_type_flatten(q->names[0]->type, types);
    const uint32_t input = isa_graph_add_input(b->graph, name, types[0], 0);
    isa_graph_bind_input(b->graph, input, b->given_index[q->index], data->part_count);
}

/* Declares the inputs, in the order of the source, and used files with a type. */
static void declare_given(struct programs_builder *b)
{
    struct programs_walk walk = {0};
    b->given_index = LIB_ARENA_ARRAY(b->arena, uint32_t, b->ast->constant_count);
    for (struct programs_item item; programs_ast_next(b->ast, &walk, &item);) {
        const struct programs_input *input = item.input;
        if (input)
            b->input_index[input->index] = isa_graph_add_input(
                b->graph, input->binding->name, programs_build_type(input->binding->type),
                programs_build_literal(input->literal));
        else if (item.constant && item.constant->given &&
                 (item.constant->used || item.constant->given->is_input))
            add_given(b, item.constant);
    }
}

static void declare(struct programs_builder *b)
{
    const struct programs_ast *ast = b->ast;
    for (size_t i = 0; i < ast->placing_count; i++)
        if (!ast->placings[i].class)
            isa_graph_add_placing(b->graph, ast->placings[i].lines);
    struct programs_binding *result = ast->result->names[0];
    declare_results(b, result);
    isa_graph_set_class(b->graph, 0, ast->on);
    declare_ports(b);
    LIB_TEXT_OWN shape = {0};
    programs_type_shape(result->type, &shape);
    isa_graph_set_shape(b->graph, shape.bytes);

    /* Functions that only code calls which is not needed, or removed, are not linked. */
    const bool all = !ast->has_gradients && !ast->has_unreached &&
                     !b->options->settings->optimise;
    for (size_t i = 0; i < ast->function_count && all; i++)
        if (ast->functions[i]->used && !ast->functions[i]->is_instance)
            programs_build_link(b, (uint32_t)i);
    declare_given(b);
    b->cells = LIB_ARENA_ARRAY(b->arena, uint32_t *, ast->constant_count);
    for (size_t i = 0; i < ast->constant_count; i++)
        if (ast->constants[i]->used)
            declare_constant(b, ast->constants[i]);
    /* Whether a constant is an alias is known before its expressions are freed. */
    for (size_t i = 0; i < ast->constant_count; i++)
        if (ast->constants[i]->used)
            programs_build_alias(b, ast->constants[i]->names[0]);
}

/* Returns the first part of the results that belongs to `result`, or to an output port. */
static uint32_t first_part(const struct programs_builder *b,
                           const struct programs_equation *q)
{
    return q == b->ast->result ? 0
                               : isa_graph_result_parts(b->graph) +
                                     b->graph->ports[b->port_index[q->index]].first;
}

/* --- forms -------------------------------------------------------------------------------- */

static struct form *start_form(struct programs_builder *b, struct lib_arena *arena,
                               const char *name, uint32_t routine)
{
    struct form *form = form_new(&b->forms, arena);
    form->name = name;
    form->routine = routine;
    b->scratch = arena;
    b->bound_at = (struct lib_arena_map){0};
    b->at = form_at(&form->top, (struct lib_pos){0});
    return form;
}

/* A form that is not legal is a fault of the compiler, but is reported like others. */
void programs_build_check(struct programs_builder *b, const char *pass,
                          const struct form *form)
{
    struct lib_text fault = {0};
    if (!b->fault && !form_check(form, &fault))
        b->fault = lib_arena_printf(b->arena, "pass %s, form of `%s`: %s", pass,
                                    form->name ? form->name : "gradient",
                                    lib_text_get(&fault));
    lib_text_free(&fault);
}

/* Whether a pass is one of the optimiser's, and chosen. */
static bool is_chosen(const struct programs_builder *b, const struct programs_pass *pass)
{
    return pass->option && b->options->settings->optimise >> (pass->option - 1) & 1;
}

static struct form *run_pass(struct programs_builder *b, struct form *form,
                             const struct programs_pass *pass)
{
    form = pass->run(form, b->options->settings);
    programs_build_check(b, pass->name, form);
    return form;
}

bool programs_build_inlines(const struct programs_builder *b)
{
    return b->options->settings->optimise >> PROGRAMS_PASS_INLINE & 1;
}

struct form *programs_build_passed(struct programs_builder *b, struct form *form,
                                   bool for_gradients)
{
    programs_build_check(b, "build", form);
    for (const struct programs_pass *pass = b->passes; pass->name && !b->fault; pass++)
        if (pass->option ? is_chosen(b, pass) : !pass->for_gradients || for_gradients)
            form = run_pass(b, form, pass);
    return form;
}

struct form *programs_build_optimised(struct programs_builder *b, struct form *form)
{
    if (b->options->settings->optimise)
        form = form_copy(&b->forms, form);
    for (const struct programs_pass *pass = b->passes; pass->name && !b->fault; pass++)
        if (is_chosen(b, pass))
            form = run_pass(b, form, pass);
    return form;
}

static void write_value(struct form *form, enum isa_op op, uint32_t index, uint32_t value,
                        struct lib_pos pos)
{
    const struct form_place p = form_at(&form->top, pos);
    struct form_entry *write = form_add_entry(p, FORM_WRITE);
    write->op = op;
    write->index = index;
    form_add_operand(p, write, value);
}

/* Builds the form of a constant that is computed. */
static struct form *build_constant(struct programs_builder *b, struct lib_arena *arena,
                                   const struct programs_equation *q)
{
    struct form *form = start_form(b, arena, q->names[0]->name, FORM_NONE);
    const struct form_ids v = programs_build_expr(b, q->value);
    const bool is_taken = q == b->ast->result || is_port_out(q);
    const uint32_t first = is_taken ? first_part(b, q) : 0;
    for (uint32_t k = 0; is_taken && k < v.count; k++)
        write_value(form, ISA_OP_OUTPUT, first + k, v.items[k], q->names[0]->pos);
    uint32_t at = 0;
    for (size_t n = 0; n < q->name_count; n++) {
        const struct programs_binding *binding = q->names[n];
        uint32_t width = (uint32_t)programs_type_width(binding->type);
        for (uint32_t k = 0; programs_build_has_cells(b, binding) && k < width; k++)
            write_value(form, ISA_OP_WRITE, b->cells[q->index][n] + k, v.items[at + k],
                        binding->pos);
        at += width;
    }
    return form;
}

struct form *programs_build_source(struct programs_builder *b, struct lib_arena *arena,
                                   const struct programs_function *f)
{
    struct form *form = start_form(b, arena, f->name, (uint32_t)f->index);
    const uint32_t count = b->forms.routines[f->index].param_count;
    struct form_name *params = LIB_ARENA_ARRAY(arena, struct form_name, count);
    b->param_values = LIB_ARENA_ARRAY(arena, struct form_ids, f->param_count);
    uint32_t at = 0;
    for (size_t i = 0; i < f->param_count; i++) {
        uint32_t width = (uint32_t)programs_type_width(f->params[i]->type);
        b->param_values[i] = programs_build_values(b, width);
        for (uint32_t k = 0; k < width; k++, at++) {
            params[at] = (struct form_name){f->params[i]->name, f->params[i]->pos};
            b->param_values[i].items[k] = form_param(
                form, b->forms.routines[f->index].params[at], at);
        }
    }
    form->params = params;
    const struct form_ids v = programs_build_expr(b, f->body);
    for (uint32_t k = 0; k < v.count; k++)
        form_push_id(arena, &form->results, v.items[k]);
    return form;
}

struct form *programs_build_lone(struct programs_builder *b, struct lib_arena *arena,
                                 const struct programs_equation *q, uint32_t routine)
{
    struct form *form = start_form(b, arena, q->names[0]->name, routine);
    programs_build_expr(b, q->value);
    return form;
}

/* --- the graph ---------------------------------------------------------------------------- */

/* Frees the expressions of a definition whose form is built. Gradients and inlining build forms
 * again, and the value of an alias is used wherever its name is. */
static void release_nodes(struct programs_builder *b, const struct programs_function *f,
                          const struct programs_equation *q)
{
    if (!b->ast->has_gradients && !programs_build_inlines(b) &&
        (f || !b->aliases[q->index]))
        programs_ast_release(f ? f->nodes : q->nodes);
}

void programs_build_form(struct programs_builder *b, const struct programs_function *f,
                         const struct programs_equation *q)
{
    struct lib_arena *arena = lib_arena_new();
    struct form *form = f ? programs_build_source(b, arena, f)
                          : build_constant(b, arena, q);
    release_nodes(b, f, q);
    form = programs_build_passed(b, form, false);
    if (b->options->forms)
        form_write(form, b->options->forms);
    if (!b->fault)
        programs_build_emit(b, form, f ? programs_build_link(b, (uint32_t)f->index) : 0,
                            f ? f->pos : q->names[0]->pos);
    lib_arena_free(arena);
}

struct isa_graph *programs_build(const struct programs_ast *ast,
                                 const struct programs_options *options,
                                 const struct programs_pass *passes,
                                 struct lib_diags *diags)
{
    bool good = true;
    struct lib_arena *arena = lib_arena_new();
    struct programs_builder b = {
        .ast = ast,
        .options = options,
        .passes = passes,
        .arena = arena,
        .graph = isa_graph_new(ISA_STAGE_FUNCTIONS, lib_file_name(ast->source->name)),
        .input_index = LIB_ARENA_ARRAY(arena, uint32_t, ast->input_count),
        .aliases = LIB_ARENA_ARRAY(arena, const struct programs_expr *,
                                   ast->constant_count),
        .alias_known = LIB_ARENA_ARRAY(arena, bool, ast->constant_count),
    };
    programs_build_forms(&b);
    declare(&b);
    for (size_t i = 0; i < ast->constant_count; i++) {
        const struct programs_equation *q = ast->constants[i];
        if (q->used &&
            (q == ast->result || q->port || !programs_build_alias(&b, q->names[0])))
            programs_build_form(&b, NULL, q);
    }
    if (!b.fault)
        good = programs_build_linked(&b, diags);
    if (b.fault)
        lib_diag_error(diags, LIB_DIAG_MEANING, ast->source, (struct lib_pos){0}, "%s",
                       b.fault);
    good = good && !b.fault;
    LIB_VEC_FREE(&b.gradients);
    form_calls_end(&b.reached);
    lib_arena_free(arena);
    if (good)
        return b.graph;
    isa_graph_free(b.graph);
    return NULL;
}

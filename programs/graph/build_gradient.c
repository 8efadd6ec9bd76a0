/* Builds gradients. In a program with gradients each function is a routine
 * (programs/gradient/form.h), which becomes a function of the graph when first called: a
 * function of the program from its text, a gradient from its form. */
#include "programs/graph/builder.h"

#include "lib/text.h"
#include "programs/gradient/deferred.h"
#include "programs/types/gradient_type.h"
#include "programs/types/type.h"

#include <inttypes.h>
#include <string.h>

static const struct programs_function *function_of(const struct programs_builder *b,
                                                   uint32_t routine)
{
    return b->forms->routines[routine].function;
}

/* --- routines -------------------------------------------------------------------------------- */

/* Records a form while something else is being built. */
static void record(struct form_program *program, uint32_t routine)
{
    struct programs_builder *b = program->context;
    const struct programs_function *f = function_of(b, routine);
    struct programs_values *outer = b->param_values;
    const char *recording = program->recording;
    program->recording = f->name;
    programs_build_body(b, f, region_recording(program, routine));
    program->recording = recording;
    b->param_values = outer;
}

static uint32_t nothing(struct form_program *program, enum form_empty which)
{
    static const char *const names[] = {"no.rows", "no.indices", "no.columns"};
    struct programs_builder *b = program->context;
    uint32_t *constant = &program->nothings[which];
    if (*constant == FORM_NONE) {
        const struct isa_shape shape = {which == FORM_NO_INDICES ? ISA_ELEMENT_INT
                                                                 : ISA_ELEMENT_REAL,
                                        which == FORM_NO_COLUMNS ? 2 : 1,
                                        {0}};
        struct isa_tensor *tensor = isa_tensor_new(&b->graph->tensors, &shape);
        isa_tensor_seal(tensor, true);
        *constant = isa_graph_add_constant(b->graph, names[which], tensor);
    }
    return *constant;
}

/* A routine has the number of its function. */
void programs_build_forms(struct programs_builder *b)
{
    b->forms = LIB_ARENA_NEW(b->arena, struct form_program);
    form_program_init(b->forms, b->arena, b->graph);
    b->forms->record = record;
    b->forms->nothing = nothing;
    b->forms->defers = !b->options->dense_gradients;
    b->forms->hands_rows = b->options->given_rows != NULL;
    b->forms->context = b;
    for (size_t i = 0; i < b->ast->function_count; i++) {
        const struct programs_function *f = b->ast->functions[i];
        uint32_t width = 0, result_count, at = 0;
        for (size_t k = 0; k < f->param_count; k++)
            width += (uint32_t)programs_type_width(f->params[k]->type);
        enum isa_type *params = LIB_ARENA_ARRAY(b->arena, enum isa_type, width), *results;
        for (size_t k = 0; k < f->param_count; k++) {
            programs_type_flatten_with(f->params[k]->type, FORM_WHOLES, &params[at]);
            at += (uint32_t)programs_type_width(f->params[k]->type);
        }
        programs_build_form_types(b, f->result_type, &results, &result_count);
        const uint32_t routine = form_add_routine(b->forms, FORM_SOURCE, f->name, f->pos);
        form_set_types(b->forms, routine, params, width, results, result_count);
        b->forms->routines[routine].function = f;
    }
}

/* --- params whose gradients are deferred --------------------------------------------------- */

enum {
    UNKNOWN = -1,
    /* number of rows that is never a burden */
    ROWS_AT_LEAST = 32,
    /* passes over a tensor: it is written, then read and written again when added */
    TENSOR_COST = 3,
    /* max rows for a param whose extents are unknown */
    ROWS_USUAL = 32,
    NAMES_MAX = 16,
};

/* Returns an extent for the program's values of inputs; UNKNOWN if it depends on the run. */
static int64_t extent_of(const struct programs_expr *e, unsigned depth)
{
    if (e->kind == PROGRAMS_EXPR_INT)
        return e->integer;
    if (e->kind == PROGRAMS_EXPR_NAME && e->name.binding->kind == PROGRAMS_BIND_INPUT)
        return extent_of(e->name.binding->input->literal, depth);
    if (e->kind == PROGRAMS_EXPR_NAME && e->name.binding->kind == PROGRAMS_BIND_CONST &&
        e->name.binding->equation->name_count == 1 && depth < NAMES_MAX)
        return extent_of(e->name.binding->equation->value, depth + 1);
    if (e->kind != PROGRAMS_EXPR_BINARY)
        return UNKNOWN;
    const int64_t a = extent_of(e->operands[0], depth);
    const int64_t b = extent_of(e->operands[1], depth);
    if (a < 0 || b < 0 || a > ISA_EXTENT_MAX || b > ISA_EXTENT_MAX)
        return UNKNOWN;
    switch (e->op) {
    case PROGRAMS_ADD:
        return a + b;
    case PROGRAMS_SUB:
        return a - b;
    case PROGRAMS_MUL:
        return a * b;
    default:
        return UNKNOWN;
    }
}

/* Returns the number of rows from which a tensor is made; `tensor` and `row` are numbers of
 * elements. With k rows, a call reads and writes some k / 2 of them, and a tensor is made every
 * k calls. The cost k row + TENSOR_COST tensor / k is least at k = sqrt(TENSOR_COST tensor /
 * row). */
static uint32_t most_rows(double tensor, double row)
{
    if (tensor < 0 || row < 0)
        return ROWS_USUAL;
    return tensor > ROWS_AT_LEAST * row
               ? (uint32_t)__builtin_sqrt(TENSOR_COST * tensor / row)
               : 0;
}

/* Only gradients of params are deferred. */
static void add_limits(struct programs_builder *b, const struct programs_expr *value)
{
    const size_t rank = value->kind == PROGRAMS_EXPR_PARAM ? value->param->rank : 0;
    double extents[PROGRAMS_PARAM_RANK_MAX];
    for (size_t i = 0; i < rank; i++)
        extents[i] = (double)extent_of(value->operands[i], 0);
    uint32_t products = 0;
    if (rank == 2)
        products = extents[0] < 0 || extents[1] < 0
                       ? ROWS_USUAL
                       : most_rows(extents[0] * extents[1], extents[0] + extents[1]);
    form_push_id(b->arena, &b->forms->most_products, products);
    form_push_id(b->arena, &b->forms->most_rows, rank ? most_rows(extents[0], 1) : 0);
}

void programs_build_form_cells(struct programs_builder *b, struct programs_type *type,
                               const struct programs_expr *value)
{
    enum isa_type *types;
    uint32_t width;
    programs_build_form_types(b, type, &types, &width);
    for (uint32_t k = 0; k < width; k++)
        form_push_id(b->arena, &b->forms->cell_types, types[k]);
    for (uint32_t k = 0; k < width; k++)
        add_limits(b, value);
}

static enum isa_type *graph_types(struct programs_builder *b, const enum isa_type *types,
                                  uint32_t count)
{
    enum isa_type *copy = LIB_ARENA_ARRAY(b->arena, enum isa_type, count);
    for (uint32_t i = 0; i < count; i++)
        copy[i] = form_graph_type(types[i]);
    return copy;
}

/* Names the parameters of a gradient: as those of its function, then `d` for each result. */
static void name_params(struct programs_builder *b, uint32_t routine)
{
    const struct form_routine *r = &b->forms->routines[routine];
    const char **names = LIB_ARENA_ARRAY(b->arena, const char *, r->param_count);
    uint32_t at = 0;
    if (r->kind == FORM_HELPER || b->forms->routines[r->of].kind != FORM_SOURCE)
        return;
    const struct programs_function *f = function_of(b, r->of);
    for (size_t i = 0; i < f->param_count; i++) {
        const uint32_t width = (uint32_t)programs_type_width(f->params[i]->type);
        for (uint32_t k = 0; k < width; k++)
            names[at++] = programs_build_part_name(b, f->params[i], k, width);
    }
    const uint32_t seeds = r->param_count - at;
    for (uint32_t k = 0; k < seeds; k++)
        names[at++] = seeds == 1 ? "d" : lib_arena_printf(b->arena, "d.%u", k);
    isa_graph_set_names(b->graph, r->graph_function, names);
}

uint32_t programs_build_link(struct programs_builder *b, uint32_t routine)
{
    struct form_routine *r = &b->forms->routines[routine];
    if (r->is_linked)
        return r->graph_function;
    r->is_linked = true;
    form_push_id(b->arena, &b->linked, routine);
    if (r->kind == FORM_SOURCE) {
        programs_build_declare(b, r->function);
        r->graph_function = b->function_index[function_of(b, routine)->index];
    } else {
        r->graph_function = isa_graph_add_function(
            b->graph, r->name, graph_types(b, r->params, r->param_count), r->param_count,
            graph_types(b, r->results, r->result_count), r->result_count, r->pos);
        name_params(b, routine);
        if (r->kind == FORM_PAIR)
            isa_graph_set_early(b->graph, r->graph_function,
                                b->forms->routines[r->of].param_count,
                                b->forms->routines[r->of].result_count);
    }
    return r->graph_function;
}

static uint32_t callee(struct programs_builder *b, const struct region *r,
                       uint32_t routine)
{
    return region_is_recording(r) ? routine : programs_build_link(b, routine);
}

uint32_t programs_build_function_of(struct programs_builder *b, struct region *r,
                                    const struct programs_function *f)
{
    return b->forms ? callee(b, r, f->index) : b->function_index[f->index];
}

/* A gradient is built again when the form of its function is recorded. */
static void remember(struct programs_builder *b, const struct programs_expr *e)
{
    for (size_t i = 0; i < b->gradients.count; i++)
        if (b->gradients.items[i] == e)
            return;
    *LIB_VEC_PUSH(&b->gradients) = e;
}

/* Returns the values of a gradient, three for each param; two are empty if the gradient gives a
 * tensor. */
static struct programs_values with_rows(struct programs_builder *b, struct region *r,
                                        uint32_t routine, struct programs_values given,
                                        struct lib_pos pos)
{
    const struct form_routine gradient = b->forms->routines[routine];
    const uint32_t count = gradient.wanted.count;
    bool *are_rows = b->options->given_rows;
    uint32_t from = given.count;
    for (uint32_t i = 0; i < count; i++) {
        are_rows[i] = form_given_as(b->forms, gradient.giving, gradient.of,
                                    gradient.wanted.items[i]) != FORM_DENSE;
        from -= are_rows[i] ? 3 : 1;
    }
    struct programs_values all = programs_build_values(b, from + 3 * count);
    memcpy(all.items, given.items, from * sizeof *all.items);
    struct region_value *to = &all.items[from];
    for (uint32_t i = 0; i < count; i++)
        for (unsigned part = 0; part < 3; part++)
            *to++ = part == 0 || are_rows[i]
                        ? given.items[from++]
                        : region_load(r,
                                      nothing(b->forms,
                                              part == 1 ? FORM_NO_INDICES : FORM_NO_ROWS),
                                      pos);
    return all;
}

/* The gradient is called with the derivative of the output by its one result: 1. */
struct programs_values programs_build_gradient(struct programs_builder *b,
                                               struct region *r,
                                               const struct programs_expr *e)
{
    const struct programs_gradient *g = e->gradient;
    struct programs_values arguments = programs_build_operands(b, r, e);
    struct programs_values all = programs_build_values(b, arguments.count + 1);
    struct form_ids wanted = {0};
    for (size_t i = 0; i < g->param_count; i++)
        form_push_id(b->arena, &wanted,
                     b->cells[g->params[i]->equation->index][g->params[i]->index]);
    memcpy(all.items, arguments.items, arguments.count * sizeof *all.items);
    all.items[arguments.count] = region_literal(ISA_REAL, isa_value_of_real(1));
    const bool is_paired = b->options->pairs_gradients && !region_is_recording(r);
    const uint32_t routine = (is_paired ? form_paired_gradient : form_gradient)(
        b->forms, g->function->index, &wanted,
        g->gives_rows && b->forms->defers ? FORM_GIVES_TABLES : FORM_GIVES_DENSE);
    remember(b, e);
    struct programs_values results = programs_build_values(
        b, b->forms->routines[routine].result_count);
    region_apply(r, callee(b, r, routine), all.items, all.count, results.items, e->pos);
    return g->gives_rows ? with_rows(b, r, routine, results, e->pos) : results;
}

/* --- all that are called ------------------------------------------------------------ */

/* Makes the forms that a routine needs, until there are all or one cannot be. */
static void reach(struct form_program *program, uint32_t routine);

static void reach_block(struct form_program *program, const struct form_block *block)
{
    for (uint32_t i = 0; i < block->count; i++) {
        const struct form_entry *e = block->items[i];
        for (int side = 0; e->kind == FORM_BRANCH && side < 2; side++)
            reach_block(program, e->blocks[side]);
        if (e->routine != FORM_NONE)
            reach(program, e->is_kept ? e->pair : e->routine);
    }
}

static void reach(struct form_program *program, uint32_t routine)
{
    if (program->routines[routine].is_reached || program->too_deep.line)
        return;
    program->routines[routine].is_reached = true;
    reach_block(program, &form_of(program, routine)->top);
}

/* Warns of each loop that has become a recursion although it has a bound. A linked routine is the
 * loop itself, which a gradient computes again, or its gradient. */
static void warn_of_bounds(struct programs_builder *b, struct lib_diags *diags)
{
    const uint64_t set = b->options->loop_bound;
    for (uint32_t i = 0; i < b->forms->routine_count; i++) {
        const struct form_routine *r = &b->forms->routines[i];
        if (!r->is_linked)
            continue;
        while (r->kind == FORM_GRADIENT || r->kind == FORM_PAIR)
            r = &b->forms->routines[r->of];
        if (!r->is_loop || (r->bound == 0 && set == 0))
            continue;
        LIB_TEXT_OWN bound = {0};
        if (r->bound)
            lib_text_printf(&bound, "`--# bound %" PRIu32 "`", r->bound);
        else
            lib_text_printf(&bound, "loop.bound = %" PRIu64, set);
        lib_diag_warning(diags, LIB_DIAG_MEANING, b->ast->source, r->pos,
                         "%s has no effect on this loop in gradients, where it "
                         "becomes a function that calls itself",
                         lib_text_get(&bound));
    }
}

bool programs_build_linked(struct programs_builder *b, struct lib_diags *diags)
{
    for (uint32_t i = 0; i < b->linked.count; i++) {
        const uint32_t routine = b->linked.items[i];
        if (b->forms->routines[routine].kind == FORM_SOURCE) {
            const struct programs_function *f = function_of(b, routine);
            programs_build_body(
                b, f,
                region_top(b->graph, b->arena, b->function_index[f->index], b->options));
            continue;
        }
        reach(b->forms, routine);
        if (b->forms->too_deep.line) {
            lib_diag_error(diags, LIB_DIAG_LIMIT, b->ast->source, b->forms->too_deep,
                           "this function is differentiated more than %d times: a "
                           "function that uses its own gradient has no gradient",
                           FORM_ORDER_ASK);
            return false;
        }
        programs_build_routine(b, routine);
    }
    const size_t from = diags->count;
    bool good = true;
    for (size_t i = 0; i < b->gradients.count; i++)
        good = programs_build_check_gradient(b, b->gradients.items[i], diags) && good;
    if (good)
        warn_of_bounds(b, diags);
    programs_sort_diags(diags, from);
    return good;
}

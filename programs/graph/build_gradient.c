/* Builds gradients. In a program with gradients each function is a routine
 * (programs/form/form.h), which becomes a function of the graph when first called: a
 * function of the program from its text, a gradient from its form. */
#include "programs/graph/builder.h"

#include "lib/text.h"
#include "programs/gradient/deferred.h"
#include "programs/gradient/loops.h"
#include "programs/types/gradient_type.h"
#include "programs/types/on_class.h"
#include "programs/types/type.h"

#include <inttypes.h>
#include <string.h>

static const struct programs_function *function_of(const struct programs_builder *b,
                                                   uint32_t routine)
{
    return b->forms.routines[routine].function;
}

/* --- routines -------------------------------------------------------------------------------- */

/* Makes the form of a function for gradients while other forms are made. */
static void make_form(struct form_program *program, uint32_t routine)
{
    struct programs_builder *b = program->context;
    if (program->routines[routine].kind != FORM_SOURCE) {
        form_differentiate(program, routine);
        programs_build_check(b, "gradient", program->routines[routine].form);
        return;
    }
    struct lib_arena *arena = lib_arena_new();
    programs_build_passed(b, programs_build_source(b, arena, function_of(b, routine)),
                          true);
    lib_arena_free(arena);
}

/* Builds a function's form again. Calls of one that is placed on a class of PEs stay. */
static struct form *make_source(struct form_program *program, struct lib_arena *arena,
                                uint32_t routine)
{
    struct programs_builder *b = program->context;
    const struct programs_function *f = function_of(b, routine);
    return programs_class_at(b->ast, f->pos) ? NULL : programs_build_source(b, arena, f);
}

/* A gradient is called again where the form of its function is made. */
static void remember(struct form_program *program, const void *source)
{
    struct programs_builder *b = program->context;
    for (size_t i = 0; i < b->gradients.count; i++)
        if (b->gradients.items[i] == source)
            return;
    if (source)
        *LIB_VEC_PUSH(&b->gradients) = source;
}

/* A routine has the number of its function. */
void programs_build_forms(struct programs_builder *b)
{
    form_program_init(&b->forms, b->arena, b->graph);
    b->forms.make = make_form;
    b->forms.derived = remember;
    if (b->options->settings->grad_mode == PROGRAMS_GRADIENTS_PAIRED)
        b->forms.manner |= FORM_PAIRED;
    if (b->options->settings->grad_loop == PROGRAMS_GRADIENTS_LOOP)
        b->forms.manner |= FORM_LOOPING;
    b->forms.given_rows = b->options->given_rows;
    b->forms.defers = b->options->settings->grad_params == PROGRAMS_GRADIENTS_DEFERRED;
    b->forms.context = b;
    b->forms.report = b->options->report;
    if (programs_build_inlines(b))
        b->forms.source = make_source;
    b->reached.program = &b->forms;
    for (size_t i = 0; i < b->ast->function_count; i++) {
        const struct programs_function *f = b->ast->functions[i];
        const uint32_t routine = form_add_routine(&b->forms, FORM_SOURCE, f->name,
                                                  f->pos);
        uint32_t width = 0, result_count, at = 0;
        b->forms.routines[routine].function = f;
        if (!f->used && !b->ast->has_gradients)
            continue;
        for (size_t k = 0; k < f->param_count; k++)
            width += (uint32_t)programs_type_width(f->params[k]->type);
        enum isa_type *params = LIB_ARENA_ARRAY(b->arena, enum isa_type, width), *results;
        for (size_t k = 0; k < f->param_count; k++) {
            programs_type_flatten_with(f->params[k]->type, FORM_WHOLES, &params[at]);
            at += (uint32_t)programs_type_width(f->params[k]->type);
        }
        programs_build_form_types(b, f->result_type, &results, &result_count);
        form_set_types(&b->forms, routine, params, width, results, result_count);
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
    form_push_id(b->arena, &b->forms.most_products, products);
    form_push_id(b->arena, &b->forms.most_rows, rank ? most_rows(extents[0], 1) : 0);
}

void programs_build_form_cells(struct programs_builder *b, struct programs_type *type,
                               const struct programs_expr *value)
{
    enum isa_type *types;
    uint32_t width;
    programs_build_form_types(b, type, &types, &width);
    for (uint32_t k = 0; k < width; k++)
        form_push_id(b->arena, &b->forms.cell_types, types[k]);
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

/* Names the parameters of a function; those of its gradient likewise, then `d` for each result. */
static void name_params(struct programs_builder *b, const struct form_routine *r)
{
    const bool is_gradient = r->kind == FORM_GRADIENT || r->kind == FORM_PAIR;
    const struct programs_function *f = is_gradient ? function_of(b, r->of) : r->function;
    const char **names = LIB_ARENA_ARRAY(b->arena, const char *, r->param_count);
    uint32_t at = 0;
    if (!f)
        return;
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
    struct form_routine *r = &b->forms.routines[routine];
    if (r->is_linked)
        return r->graph_function;
    r->is_linked = true;
    form_push_id(b->arena, &b->linked, routine);
    r->graph_function = isa_graph_add_function(
        b->graph, r->name, graph_types(b, r->params, r->param_count), r->param_count,
        graph_types(b, r->results, r->result_count), r->result_count, r->pos);
    isa_graph_set_class(b->graph, r->graph_function, programs_class_at(b->ast, r->pos));
    name_params(b, r);
    if (r->kind == FORM_PAIR)
        isa_graph_set_early(b->graph, r->graph_function,
                            b->forms.routines[r->of].param_count,
                            b->forms.routines[r->of].result_count);
    return r->graph_function;
}

/* --- calls of gradients ------------------------------------------------------------------- */

static void add_types(struct programs_builder *b, const struct programs_gradient *g,
                      struct form_place p, struct form_entry *e)
{
    const struct form_routine *f = &b->forms.routines[g->function->index];
    for (uint32_t i = 0; i < f->param_count; i++)
        if (form_is_real(f->params[i]))
            form_add_result(p, e, f->params[i]);
    for (uint32_t i = 0; i < e->derive->wanted.count; i++) {
        form_add_result(p, e, b->graph->cells[e->derive->wanted.items[i]].type);
        for (unsigned part = 1; g->gives_rows && part < 3; part++)
            form_add_result(p, e, deferred_type(FORM_ROWS, part));
    }
}

/* The gradient is called with the derivative of the output by its one result: 1. */
struct form_ids programs_build_gradient(struct programs_builder *b,
                                        const struct programs_expr *e)
{
    const struct programs_gradient *g = e->gradient;
    const struct form_place p = b->at;
    const struct form_ids arguments = programs_build_operands(b, e);
    struct form_derive *derive = LIB_ARENA_NEW(b->scratch, struct form_derive);
    struct form_entry *made = form_add_entry(p, FORM_DERIVE);
    *derive = (struct form_derive){.gives_rows = g->gives_rows, .source = e};
    for (size_t i = 0; i < g->param_count; i++)
        form_push_id(b->scratch, &derive->wanted,
                     b->cells[g->params[i]->equation->index][g->params[i]->index]);
    made->routine = (uint32_t)g->function->index;
    made->derive = derive;
    for (uint32_t i = 0; i < arguments.count; i++)
        form_add_operand(p, made, arguments.items[i]);
    form_add_operand(p, made, form_real(b->at.form, 1));
    add_types(b, g, p, made);
    return made->results;
}

/* --- all that are called ------------------------------------------------------------ */

/* Makes the forms that a routine needs, in the order of calls, until there are all or one cannot
 * be. */
static void reach(struct programs_builder *b, uint32_t routine)
{
    form_calls_enter(&b->reached, routine);
    for (const struct form_entry *e; (e = form_calls_next(&b->reached));)
        if (e->routine != FORM_NONE && !b->forms.too_deep.line)
            form_calls_enter(&b->reached, e->is_kept ? e->pair : e->routine);
}

/* Warns of each loop that has become a recursion although it has a bound. A linked routine is the
 * loop itself, which a gradient computes again, or its gradient. */
static void warn_of_bounds(struct programs_builder *b, struct lib_diags *diags)
{
    const uint64_t set = b->options->loop_bound;
    for (uint32_t i = 0; i < b->forms.routine_count; i++) {
        const struct form_routine *r = &b->forms.routines[i];
        if (!r->is_linked || (r->loop && b->forms.manner & FORM_LOOPING))
            continue;
        while (r->kind == FORM_GRADIENT || r->kind == FORM_PAIR)
            r = &b->forms.routines[r->of];
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

/* Returns false and adds a diagnostic if a form for gradients could not be made. */
static bool check_reached(const struct programs_builder *b, struct lib_diags *diags)
{
    if (b->forms.scattered.line)
        lib_diag_error(
            diags, LIB_DIAG_MEANING, b->ast->source, b->forms.scattered,
            "`scatter` and `accumulate` of `[k -> E | ...]` have no gradient, and a "
            "gradient uses this function");
    else if (b->forms.too_deep.line)
        lib_diag_error(diags, LIB_DIAG_LIMIT, b->ast->source, b->forms.too_deep,
                       "this function is differentiated more than %d times: a "
                       "function that uses its own gradient has no gradient",
                       FORM_ORDER_ASK);
    return !b->forms.scattered.line && !b->forms.too_deep.line;
}

bool programs_build_linked(struct programs_builder *b, struct lib_diags *diags)
{
    for (uint32_t i = 0; i < b->linked.count; i++) {
        const uint32_t routine = b->linked.items[i];
        if (b->forms.routines[routine].kind == FORM_SOURCE) {
            programs_build_form(b, function_of(b, routine), NULL);
            continue;
        }
        reach(b, routine);
        if (b->fault)
            return false;
        if (!check_reached(b, diags))
            return false;
        struct form *form = form_as_loop(&b->forms, routine);
        if (form->has_loops)
            programs_build_check(b, "loops", form);
        form = programs_build_optimised(b, form);
        if (b->fault)
            return false;
        programs_build_emit(b, form, b->forms.routines[routine].graph_function,
                            b->forms.routines[routine].pos);
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

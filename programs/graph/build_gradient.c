/* The graph builder: gradients. In a program that has any, each function is a routine
 * (programs/gradient/form.h), and becomes a function of the graph when something calls it: a function of the
 * program from its text, its gradient from the form that programs/gradient/differentiate.h makes. */
#include "programs/graph/builder.h"

#include "isa/kernel_use.h"

#include "programs/gradient/deferred.h"
#include "programs/gradient/flow.h"
#include "programs/types/gradient_type.h"
#include "programs/types/type.h"

#include <string.h>

static const struct programs_function *function_of(const struct programs_builder *b,
                                                   uint32_t routine)
{
    return b->forms->routines[routine].function;
}

/* --- routines -------------------------------------------------------------------------------- */

/* A form is recorded while something else is being built. */
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

/* An empty tensor for gradients in deferred form. */
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
    /* A tensor as large as so many rows is no burden. */
    ROWS_AT_LEAST = 32,
    /* A product is written, and read and written again where it is added. */
    TENSOR_COST = 3,
    /* Of a param whose extents are not known. */
    ROWS_USUAL = 32,
    NAMES_MOST = 16,
};

/* An extent, for the inputs that the program has; UNKNOWN: it is not known before a run. */
static int64_t extent_of(const struct programs_expr *e, unsigned depth)
{
    if (e->kind == PROGRAMS_EXPR_INT)
        return e->integer;
    if (e->kind == PROGRAMS_EXPR_NAME && e->name.binding->kind == PROGRAMS_BIND_INPUT)
        return extent_of(e->name.binding->input->literal, depth);
    if (e->kind == PROGRAMS_EXPR_NAME && e->name.binding->kind == PROGRAMS_BIND_CONST &&
        e->name.binding->equation->name_count == 1 && depth < NAMES_MOST)
        return extent_of(e->name.binding->equation->value, depth + 1);
    if (e->kind != PROGRAMS_EXPR_BINARY)
        return UNKNOWN;
    const int64_t a = extent_of(e->operands[0], depth);
    const int64_t b = extent_of(e->operands[1], depth);
    if (a < 0 || b < 0 || a > ISA_EXTENT_MOST || b > ISA_EXTENT_MOST)
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

/* How many rows are copied on before a tensor is made of them, where the tensor and a row have so
 * many elements. With k rows, each call copies some k / 2 of them, which is read and written, and
 * every k calls pay for a tensor: the sum k row + TENSOR_COST tensor / k is least for the square
 * root of TENSOR_COST tensor / row. */
static uint32_t most_rows(double tensor, double row)
{
    if (tensor < 0 || row < 0)
        return ROWS_USUAL;
    return tensor > ROWS_AT_LEAST * row
               ? (uint32_t)__builtin_sqrt(TENSOR_COST * tensor / row)
               : 0;
}

/* Only of params are gradients deferred. */
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

/* For figures: a gradient's parameters are called like those of its function, and then `d` for each result. */
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

/* The function of the graph that a routine is. */
static uint32_t link(struct programs_builder *b, uint32_t routine)
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
    return region_is_recording(r) ? routine : link(b, routine);
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

/* What a gradient gives, and of each param three values: empty ones where it gives a tensor. */
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

/* --- from forms to nodes ------------------------------------------------------------------------ */

struct emit {
    struct programs_builder *b;
    const struct form *form;
    struct region_value *values;       /* that entries made */
    const struct region_value *params; /* what the parameters are */
};

static void emit_block(struct emit *m, struct region *r, const struct form_block *block);
static void emit_entry(struct emit *m, struct region *r, struct form_entry *e);

static struct region_value get(const struct emit *m, uint32_t id)
{
    const struct form_value *v = &m->form->values[id];
    switch (v->kind) {
    case FORM_LITERAL:
        return region_literal(v->type, v->literal);
    case FORM_INPUT:
        return (struct region_value){
            .kind = REGION_INPUT, .type = v->type, .input = v->index};
    case FORM_PARAM:
        return m->params[v->index];
    default:
        return m->values[id];
    }
}

static struct programs_values get_all(const struct emit *m, const struct form_ids *ids)
{
    struct programs_values all = programs_build_values(m->b, ids->count);
    for (uint32_t i = 0; i < ids->count; i++)
        all.items[i] = get(m, ids->items[i]);
    return all;
}

static void set_all(struct emit *m, const struct form_ids *ids,
                    const struct region_value *values)
{
    for (uint32_t k = 0; k < ids->count; k++)
        m->values[ids->items[k]] = values[k];
}

/* What a routine does, in a region, of these arguments; its results. */
static struct programs_values emit_form(struct programs_builder *b, struct region *r,
                                        uint32_t routine,
                                        const struct region_value *params)
{
    const struct form *form = form_of(b->forms, routine);
    struct emit m = {b, form,
                     LIB_ARENA_ARRAY(b->arena, struct region_value, form->value_count),
                     params};
    emit_block(&m, r, &form->top);
    form_forget(&form->top);
    return get_all(&m, &form->results);
}

static struct region_value compute(struct region *r, enum isa_op op, enum isa_type type,
                                   struct region_value a, struct region_value b,
                                   struct lib_pos pos)
{
    const struct region_value operands[] = {a, b};
    return region_compute(r, op, type, operands, 2, pos);
}

static void emit_branch(struct emit *m, struct region *r, const struct form_entry *e)
{
    struct region **inner = e->branch->inner;
    if (!inner) {
        e->branch->inner = inner = LIB_ARENA_ARRAY(m->b->arena, struct region *, 2);
        region_split(r, get(m, e->branch->condition), e->pos, inner);
    }
    for (int side = 0; side < 2; side++)
        emit_block(m, inner[side], e->blocks[side]);
    for (uint32_t k = 0; k < e->results.count; k++)
        m->values[e->results.items[k]] = region_merge(
            r, inner, get(m, e->operands.items[2 * k]),
            get(m, e->operands.items[2 * k + 1]), e->pos);
}

/* Arrays whose elements are made by a loop: while nodes of it are made. Paired elements are left open until their adjoints
 * are there: what makes these stands in the same loop, and finds under the tag of an iteration what it
 * computed. The adjoints come to it as constants of the loop, which come late. */
struct elements {
    struct emit m;
    struct region_loop *loop;
    struct region *body;
    struct region_value *params; /* of the routine */
    uint32_t count;              /* those that are there at once */
    struct region_value length;
    bool *is_late; /* per value: it depends on the others */
};

static struct region_value new_array(struct region *r, const struct emit *m,
                                     uint32_t array, struct region_value length,
                                     struct lib_pos pos)
{
    const enum isa_type type = form_graph_type(form_type(m->form, array));
    return region_compute(r, ISA_OP_ALLOC, isa_type_element(type), &length, 1, pos);
}

/* The results of an entry from `first` of the routine's on, stored element by element. */
static void emit_stores(const struct emit *m, const struct elements *t,
                        const struct form_entry *e, uint32_t first)
{
    for (uint32_t k = 0; k < e->results.count; k++) {
        const struct region_value array = m->values[e->results.items[k]];
        const enum isa_type type = isa_type_element(array.type);
        region_store(t->body, type,
                     compute(t->body, ISA_OP_INDEX, type, array, t->params[0], e->pos),
                     get(&t->m, t->m.form->results.items[first + k]), e->pos);
    }
}

static bool uses_late(const struct elements *t, const struct form_entry *e)
{
    for (uint32_t i = 0; i < e->operands.count; i++)
        if (t->is_late[e->operands.items[i]])
            return true;
    for (int side = 0; e->kind == FORM_BRANCH && side < 2; side++)
        for (uint32_t i = 0; i < e->blocks[side]->count; i++)
            if (uses_late(t, e->blocks[side]->items[i]))
                return true;
    return e->kind == FORM_BRANCH && t->is_late[e->branch->condition];
}

static void set_late(const struct elements *t, const struct form_entry *e)
{
    for (uint32_t k = 0; k < e->results.count; k++)
        t->is_late[e->results.items[k]] = true;
    for (int side = 0; e->kind == FORM_BRANCH && side < 2; side++)
        for (uint32_t i = 0; i < e->blocks[side]->count; i++)
            set_late(t, e->blocks[side]->items[i]);
}

/* Makes nodes of what does not depend on what comes late, or of the rest. */
static void emit_half(struct elements *t, bool late)
{
    const struct form *form = t->m.form;
    for (uint32_t v = 0; v < form->value_count; v++)
        t->is_late[v] = form->values[v].kind == FORM_PARAM &&
                        form->values[v].index >= t->count;
    for (uint32_t i = 0; i < form->top.count; i++) {
        struct form_entry *e = form->top.items[i];
        const bool is_late = uses_late(t, e);
        if (is_late)
            set_late(t, e);
        if (is_late == late)
            emit_entry(&t->m, t->body, e);
    }
}

static struct elements *open_elements(struct emit *m, struct region *r,
                                      const struct form_entry *e)
{
    struct programs_builder *b = m->b;
    const uint32_t routine = e->is_kept ? e->pair : e->routine;
    const struct form *form = form_of(b->forms, routine);
    const struct region_value zero = region_literal(ISA_INT, isa_value_of_int(0));
    struct elements *t = LIB_ARENA_NEW(b->arena, struct elements);
    t->length = get(m, e->operands.items[0]);
    for (uint32_t k = 0; k < e->results.count; k++)
        m->values[e->results.items[k]] = new_array(r, m, e->results.items[k], t->length,
                                                   e->pos);
    const struct programs_values given = get_all(m, &e->operands);
    const uint32_t width = b->forms->routines[routine].param_count;
    t->count = given.count;
    t->params = LIB_ARENA_ARRAY(b->arena, struct region_value, width);
    t->is_late = LIB_ARENA_ARRAY(b->arena, bool, form->value_count);
    memcpy(t->params, given.items, given.count * sizeof *t->params);
    t->m = (struct emit){
        b, form, LIB_ARENA_ARRAY(b->arena, struct region_value, form->value_count),
        t->params};
    t->loop = region_loop_open(r, "array", ISA_LOOP_UNBOUNDED, e->pos);
    t->params[0] = region_loop_enter(t->loop, zero, NULL, e->pos);
    t->body = region_loop_test(t->loop,
                               compute(region_loop_header(t->loop), ISA_OP_LT_I, ISA_INT,
                                       t->params[0], t->length, e->pos));
    return t;
}

static void close_elements(struct elements *t, struct lib_pos pos)
{
    const struct region_value one = region_literal(ISA_INT, isa_value_of_int(1));
    region_loop_next(
        t->loop, 0, compute(t->body, ISA_OP_ADD_I, ISA_INT, t->params[0], one, pos), pos);
    region_loop_close(t->loop);
    form_forget(&t->m.form->top);
}

static void emit_tabulate(struct emit *m, struct region *r, struct form_entry *e)
{
    struct elements *t = open_elements(m, r, e);
    emit_half(t, false);
    emit_stores(m, t, e, 0);
    if (e->is_kept)
        e->half = t;
    else
        close_elements(t, e->pos);
}

static void emit_late_elements(struct emit *m, struct region *r,
                               const struct form_entry *e)
{
    struct elements *t = e->early->half;
    for (uint32_t k = 0; k < e->results.count; k++)
        m->values[e->results.items[k]] = new_array(r, m, e->results.items[k], t->length,
                                                   e->pos);
    const struct programs_values given = get_all(m, &e->operands);
    memcpy(&t->params[t->count], given.items, given.count * sizeof *t->params);
    emit_half(t, true);
    emit_stores(m, t, e, e->early->results.count);
    close_elements(t, e->early->pos);
}

static void emit_late(struct emit *m, struct region *r, const struct form_entry *e)
{
    if (e->early->kind == FORM_TABULATE) {
        emit_late_elements(m, r, e);
        return;
    }
    struct programs_values arguments = get_all(m, &e->operands);
    struct programs_values results = programs_build_values(m->b, e->results.count);
    region_apply_late(r, e->early->node, arguments.items, results.items, e->pos);
    set_all(m, &e->results, results.items);
}

static void emit_apply(struct emit *m, struct region *r, struct form_entry *e)
{
    struct programs_builder *b = m->b;
    struct programs_values arguments = get_all(m, &e->operands);
    struct programs_values results = programs_build_values(b, e->results.count);
    if (e->is_kept)
        e->node = region_apply_early(r, link(b, e->pair), arguments.items, results.items,
                                     e->pos);
    else
        region_apply(r, link(b, e->routine), arguments.items, arguments.count,
                     results.items, e->pos);
    set_all(m, &e->results, results.items);
}

/* What an instruction has as its index, without what forms note there. */
static uint32_t graph_index(const struct form_entry *e)
{
    if (e->op == ISA_OP_ITEM)
        return 0;
    return e->op == ISA_OP_COMBINE && isa_use_of(e->index) == ISA_KERNEL_MATMUL
               ? isa_use(ISA_KERNEL_MATMUL, ISA_USE_NO_AXIS, 0)
               : e->index;
}

static void emit_entry(struct emit *m, struct region *r, struct form_entry *e)
{
    struct programs_values in = get_all(m, &e->operands);
    struct region_value made;
    switch (e->kind) {
    case FORM_BRANCH:
        emit_branch(m, r, e);
        return;
    case FORM_TABULATE:
        emit_tabulate(m, r, e);
        return;
    case FORM_APPLY:
        emit_apply(m, r, e);
        return;
    case FORM_LATE:
        emit_late(m, r, e);
        return;
    case FORM_READ:
        made = region_read(r, e->index, e->pos);
        break;
    case FORM_LOAD:
        made = region_load(r, e->index, e->pos);
        break;
    case FORM_LIST:
        made = programs_build_list(
            m->b, r,
            form_graph_type(isa_type_element(form_type(m->form, e->results.items[0]))),
            in.items, in.count, e->pos);
        break;
    case FORM_FETCH:
        made = programs_build_fetch(r, in.items[0], in.items[1], e->pos);
        break;
    case FORM_TO_TENSOR:
        made = programs_build_tensor_of(m->b, r, in.items[0],
                                        (enum isa_element_kind)e->index, e->pos);
        break;
    case FORM_TO_ARRAY:
        made = programs_build_array_of(r, in.items[0], (enum isa_element_kind)e->index,
                                       form_type(m->form, e->results.items[0]), e->pos);
        break;
    case FORM_SUM:
        made = programs_build_sum_of(m->b, r, in.items[0], e->pos);
        break;
    default:
        if (in.count == 3) {
            in.items[1] = region_compute(r, ISA_OP_PAIR, ISA_INT, &in.items[1], 2,
                                         e->pos);
            in.count = 2;
        }
        made = region_compute_with(r, e->op, e->type, graph_index(e), in.items, in.count,
                                   e->pos);
    }
    m->values[e->results.items[0]] = made;
}

static void emit_block(struct emit *m, struct region *r, const struct form_block *block)
{
    for (uint32_t i = 0; i < block->count; i++)
        emit_entry(m, r, block->items[i]);
}

static void emit_function(struct programs_builder *b, uint32_t routine)
{
    const struct form_routine r = b->forms->routines[routine];
    struct region *top = region_top(b->graph, b->arena, r.graph_function, b->options);
    struct programs_values params = programs_build_values(b, r.param_count);
    for (uint32_t i = 0; i < r.param_count; i++)
        params.items[i] = region_param(top, i, r.pos);
    struct programs_values results = emit_form(b, top, routine, params.items);
    for (uint32_t k = 0; k < results.count; k++)
        region_consume(top, ISA_OP_RESULT, k, results.items[k], r.pos);
}

/* --- all that are called ---------------------------------------------------------------------------- */

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

/* --- gradients that cannot be -------------------------------------------------------------------------- */

/* A parameter or param that is rounded, and reaches the result in no other way. */
static bool is_rounded(struct programs_builder *b, const struct programs_expr *e,
                       size_t operand, const char *name, unsigned flow,
                       struct lib_diags *diags)
{
    if (flow != FORM_FLOW_BROKEN)
        return false;
    lib_diag_error(diags, LIB_DIAG_TYPE, b->ast->source, e->operands[operand]->start,
                   "`%s` of `%s` reaches the result through `int` or `floor` alone: it "
                   "has no derivative",
                   name, e->gradient->function->name);
    return true;
}

static bool check_rounded(struct programs_builder *b, const struct programs_expr *e,
                          struct lib_diags *diags)
{
    const struct programs_gradient *g = e->gradient;
    const struct programs_function *f = g->function;
    uint32_t at = 0;
    bool good = true;
    for (size_t i = 0; i < f->param_count; i++) {
        const uint32_t width = (uint32_t)programs_type_width(f->params[i]->type);
        unsigned flow = 0;
        for (uint32_t k = 0; k < width; k++, at++)
            if (programs_gradient_is_real(b->forms->routines[f->index].params[at]))
                flow |= form_flow(b->forms, f->index, at, 0);
        good &= !is_rounded(b, e, i, f->params[i]->name, flow, diags);
    }
    for (size_t p = 0; p < g->param_count; p++) {
        const uint32_t cell = b->cells[g->params[p]->equation->index][0];
        const unsigned flow = form_flow_of_cell(b->forms, f->index, cell, 0);
        good &= !is_rounded(b, e, e->operand_count + p, g->params[p]->name, flow, diags);
    }
    return good;
}

/* The cells that the constant reads of which a cell is, or none. */
static void add_cells_behind(struct programs_builder *b, uint32_t cell,
                             struct form_ids *cells)
{
    for (size_t i = 0; i < b->ast->constant_count; i++) {
        const struct programs_equation *q = b->ast->constants[i];
        bool is_it = false;
        for (size_t n = 0; q->used && n < q->name_count; n++) {
            const uint32_t first = b->cells[q->index][n];
            const uint32_t width = (uint32_t)programs_type_width(q->names[n]->type);
            is_it |= programs_build_has_cells(b, q->names[n]) && cell >= first &&
                     cell < first + width;
        }
        if (!is_it)
            continue;
        const uint32_t routine = form_add_routine(b->forms, FORM_HELPER, "constant",
                                                  q->names[0]->pos);
        b->forms->recording = q->names[0]->name;
        programs_build_expr(b, region_recording(b->forms, routine), q->value);
        form_cells(b->forms, routine, cells);
        return;
    }
}

/* A param that reaches the function through another constant, which has no derivatives. */
static bool check_constants(struct programs_builder *b, const struct programs_expr *e,
                            struct lib_diags *diags)
{
    const struct programs_gradient *g = e->gradient;
    struct form_ids own = {0}, behind = {0};
    bool good = true;
    if (g->param_count == 0)
        return true;
    form_cells(b->forms, g->function->index, &own);
    for (uint32_t i = 0; i < own.count; i++)
        add_cells_behind(b, own.items[i], &behind);
    for (uint32_t i = 0; i < behind.count; i++) {
        const uint32_t before = behind.count;
        add_cells_behind(b, behind.items[i], &behind);
        for (uint32_t k = before; k < behind.count; k++)
            for (uint32_t j = 0; j < before; j++)
                if (behind.items[j] == behind.items[k]) {
                    behind.items[k--] = behind.items[--behind.count];
                    break;
                }
    }
    for (size_t p = 0; p < g->param_count; p++)
        for (uint32_t i = 0; i < behind.count; i++)
            if (behind.items[i] == b->cells[g->params[p]->equation->index][0]) {
                lib_diag_error(diags, LIB_DIAG_TYPE, b->ast->source,
                               e->operands[e->operand_count + p]->start,
                               "`%s` reaches `%s` through a constant that is computed of "
                               "it: make this a function",
                               g->params[p]->name, g->function->name);
                good = false;
                break;
            }
    return good;
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
            lib_diag_error(
                diags, LIB_DIAG_LIMIT, b->ast->source, b->forms->too_deep,
                "this function is differentiated more than %d times: a function "
                "that uses its own gradient has no gradient",
                FORM_ORDER_ASK);
            return false;
        }
        emit_function(b, routine);
    }
    const size_t from = diags->count;
    bool good = true;
    for (size_t i = 0; i < b->gradients.count; i++) {
        good = check_rounded(b, b->gradients.items[i], diags) && good;
        good = check_constants(b, b->gradients.items[i], diags) && good;
    }
    programs_sort_diags(diags, from);
    return good;
}

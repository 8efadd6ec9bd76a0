/* Reports calls of `grad` with an argument or param that reaches the result only through `int` or
 * `floor`, or with a param that reaches the function through another constant. */
#include "isa/kernel_use.h"
#include "programs/gradient/components.h"
#include "programs/gradient/differentiate.h"
#include "programs/graph/builder.h"
#include "programs/types/type.h"

/* --- dependence of results -------------------------------------------------------------- */

/* Search for the dependence of results on parameters: smooth, with a derivative, or broken by
 * instructions that round or make ints. The condition of a conditional does not count. The tables
 * of routines grow until nothing is added. */
struct flow {
    struct form_program *program;
    struct form_ids routines; /* routines whose tables are being computed */
    uint32_t cell;            /* cell whose flow is followed; FORM_NONE: parameters */
    bool changed;
};

enum flow_bits {
    FLOW_SMOOTH = 1,
    FLOW_BROKEN = 2, /* the result depends on the parameter through `int` or `floor` */
};

static uint8_t *new_table(struct flow *flow, uint32_t routine, uint32_t size)
{
    form_push_id(flow->program->arena, &flow->routines, routine);
    flow->changed = true;
    return LIB_ARENA_ARRAY(flow->program->arena, uint8_t, size + 1);
}

/* Returns the table of a routine: how each result depends on each parameter, or on the cell. */
static uint8_t *table_of(struct flow *flow, uint32_t routine)
{
    struct form_routine *r = &flow->program->routines[routine];
    if (flow->cell == FORM_NONE) {
        if (!r->flow)
            r->flow = new_table(flow, routine, r->param_count * r->result_count);
        return r->flow;
    }
    if (!r->cell_flow || r->flowing != flow->cell)
        r->cell_flow = new_table(flow, routine, r->result_count);
    r->flowing = flow->cell;
    return r->cell_flow;
}

static unsigned flow_of_param(struct form_program *program, uint32_t routine,
                              uint32_t param, uint32_t result);

static uint8_t through_routine(struct flow *flow, uint32_t routine, uint32_t param,
                               uint32_t result)
{
    if (flow->cell != FORM_NONE)
        return (uint8_t)flow_of_param(flow->program, routine, param, result);
    const uint32_t width = flow->program->routines[routine].result_count;
    return table_of(flow, routine)[param * width + result];
}

static uint8_t any(const uint8_t *reached, const struct form_ids *ids)
{
    uint8_t all = 0;
    for (uint32_t i = 0; i < ids->count; i++)
        all |= reached[ids->items[i]];
    return all;
}

static uint8_t of_compute(const uint8_t *reached, const struct form_entry *e)
{
    const uint8_t all = any(reached, &e->operands);
    if (differ_is_smooth(e))
        return all;
    if (e->op == ISA_OP_FLOOR_R || e->op == ISA_OP_INT_R ||
        (e->op == ISA_OP_MAP && (isa_use_of(e->index) == ISA_KERNEL_FLOOR ||
                                 isa_use_of(e->index) == ISA_KERNEL_TO_INT)))
        return all ? FLOW_BROKEN : 0;
    return all & FLOW_BROKEN;
}

/* Gradients count as smooth in what they are given. */
static uint8_t of_call(struct flow *flow, const uint8_t *reached,
                       const struct form_entry *e, uint32_t result)
{
    const uint32_t first = e->kind == FORM_TABULATE; /* operand 0 is the length */
    const bool has_cell = flow->cell != FORM_NONE;
    if (flow->program->routines[e->routine].kind == FORM_GRADIENT)
        return any(reached, &e->operands) | (has_cell ? FLOW_SMOOTH : 0);
    uint8_t all = has_cell ? table_of(flow, e->routine)[result] : 0;
    for (uint32_t i = first; i < e->operands.count; i++) {
        const uint8_t in = reached[e->operands.items[i]];
        const uint8_t through = through_routine(flow, e->routine, i, result);
        all |= in & through & FLOW_SMOOTH;
        if (in && through && ((in | through) & FLOW_BROKEN))
            all |= FLOW_BROKEN;
    }
    return all;
}

static void follow(struct flow *flow, uint8_t *reached, const struct form_block *block)
{
    struct form_walk walk = form_walk_of(block);
    for (const struct form_entry *e; (e = form_walk_next(&walk));)
        for (uint32_t k = 0; k < e->results.count; k++) {
            uint8_t *to = &reached[e->results.items[k]];
            if (e->kind == FORM_COMPUTE)
                *to = of_compute(reached, e);
            else if (e->kind == FORM_BRANCH)
                *to = reached[e->operands.items[2 * k]] |
                      reached[e->operands.items[2 * k + 1]];
            else if (e->kind == FORM_READ && flow->cell != FORM_NONE)
                *to = e->index == flow->cell ? FLOW_SMOOTH : 0;
            else if (e->routine != FORM_NONE)
                *to |= of_call(flow, reached, e, k);
            else
                *to = any(reached, &e->operands);
        }
}

/* Whether the dependence begins at a value: at the parameter. A cell begins where it is read. */
static bool begins(const struct flow *flow, const struct form *form, uint32_t value,
                   uint32_t param)
{
    return flow->cell == FORM_NONE && form->values[value].kind == FORM_PARAM &&
           form->values[value].index == param;
}

static void look_at(struct flow *flow, uint32_t routine)
{
    const struct form *form = form_of(flow->program, routine);
    const struct form_routine *r = &flow->program->routines[routine];
    const uint32_t rows = flow->cell == FORM_NONE ? r->param_count : 1;
    const uint32_t results = r->result_count;
    struct lib_arena *scratch = lib_arena_new();
    uint8_t *reached = LIB_ARENA_ARRAY(scratch, uint8_t, form->value_count);
    for (uint32_t p = 0; p < rows; p++) {
        for (uint32_t v = 0; v < form->value_count; v++)
            reached[v] = begins(flow, form, v, p) ? FLOW_SMOOTH : 0;
        follow(flow, reached, &form->top);
        for (uint32_t k = 0; k < results; k++) {
            uint8_t *to = &table_of(flow, routine)[p * results + k];
            const uint8_t more = *to | reached[form->results.items[k]];
            flow->changed |= more != *to;
            *to = more;
        }
    }
    lib_arena_free(scratch);
}

static void follow_all(struct flow *flow, uint32_t routine)
{
    (void)table_of(flow, routine);
    while (flow->changed) {
        flow->changed = false;
        /* Callees are found by their callers, and looked at before these are again. */
        for (uint32_t i = flow->routines.count; i-- > 0;) {
            const uint32_t count = flow->routines.count;
            look_at(flow, flow->routines.items[i]);
            if (flow->routines.count > count)
                i = flow->routines.count;
        }
    }
}

/* Returns how a result depends on a parameter, as bits of enum flow_bits; 0: not at all. */
static unsigned flow_of_param(struct form_program *program, uint32_t routine,
                              uint32_t param, uint32_t result)
{
    struct flow flow = {.program = program, .cell = FORM_NONE};
    follow_all(&flow, routine);
    const struct form_routine *r = &program->routines[routine];
    return r->flow[param * r->result_count + result];
}

/* Returns how a result depends on a cell (a param or constant) that the routine, or one that it
 * calls, reads. */
static unsigned flow_of_cell(struct form_program *program, uint32_t routine,
                             uint32_t cell, uint32_t result)
{
    struct flow flow = {.program = program, .cell = cell};
    follow_all(&flow, routine);
    return program->routines[routine].cell_flow[result];
}

/* --- calls of `grad` --------------------------------------------------------------------- */

/* Whether a parameter or param is rounded, and reaches the result in no other way. */
static bool is_rounded(struct programs_builder *b, const struct programs_expr *e,
                       size_t operand, const char *name, unsigned flow,
                       struct lib_diags *diags)
{
    if (flow != FLOW_BROKEN)
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
            if (form_is_real(b->forms.routines[f->index].params[at]))
                flow |= flow_of_param(&b->forms, f->index, at, 0);
        good &= !is_rounded(b, e, i, f->params[i]->name, flow, diags);
    }
    for (size_t p = 0; p < g->param_count; p++) {
        const uint32_t cell = b->cells[g->params[p]->equation->index][0];
        const unsigned flow = flow_of_cell(&b->forms, f->index, cell, 0);
        good &= !is_rounded(b, e, e->operand_count + p, g->params[p]->name, flow, diags);
    }
    return good;
}

/* Returns the constant that is stored in a cell. */
static const struct programs_equation *equation_of(struct programs_builder *b,
                                                   uint32_t cell)
{
    for (size_t i = 0;; i++) {
        const struct programs_equation *q = b->ast->constants[i];
        for (size_t n = 0; q->used && n < q->name_count; n++)
            if (programs_build_has_cells(b, q->names[n]) &&
                cell - b->cells[q->index][n] < programs_type_width(q->names[n]->type))
                return q;
    }
}

/* Adds the cells that the constant in a cell reads. */
static void add_cells_behind(struct programs_builder *b, uint32_t cell,
                             struct form_ids *cells)
{
    const struct programs_equation *q = equation_of(b, cell);
    const uint32_t routine = form_add_routine(&b->forms, FORM_HELPER, "constant",
                                              q->names[0]->pos);
    struct lib_arena *arena = lib_arena_new();
    programs_build_passed(b, programs_build_lone(b, arena, q, routine), true);
    lib_arena_free(arena);
    form_cells(&b->forms, routine, cells);
}

/* Rejects a param that reaches the function through another constant, which has no derivatives. */
static bool check_constants(struct programs_builder *b, const struct programs_expr *e,
                            struct lib_diags *diags)
{
    const struct programs_gradient *g = e->gradient;
    struct form_ids own = {0}, behind = {0};
    bool good = true;
    if (g->param_count == 0)
        return true;
    form_cells(&b->forms, g->function->index, &own);
    for (uint32_t i = 0; i < own.count; i++)
        add_cells_behind(b, own.items[i], &behind);
    for (uint32_t i = 0; i < behind.count; i++)
        add_cells_behind(b, behind.items[i], &behind);
    for (size_t p = 0; p < g->param_count; p++) {
        if (form_find_id(&behind, b->cells[g->params[p]->equation->index][0]) ==
            FORM_NONE)
            continue;
        lib_diag_error(diags, LIB_DIAG_TYPE, b->ast->source,
                       e->operands[e->operand_count + p]->start,
                       "`%s` reaches `%s` through a constant that is computed of "
                       "it: make this a function",
                       g->params[p]->name, g->function->name);
        good = false;
    }
    return good;
}

static bool has_data(const struct form *form, const struct form_ids *values)
{
    for (uint32_t i = 0; i < values->count; i++)
        if (isa_type_leaf(form_type(form, values->items[i])) == ISA_DATA)
            return true;
    return false;
}

/* Rejects a function that uses boxed data, through which no derivatives pass. */
static bool check_data(struct programs_builder *b, const struct programs_expr *e,
                       struct lib_diags *diags)
{
    const struct programs_function *f = e->gradient->function;
    struct form_calls_walk walk = {.program = &b->forms};
    const struct form_entry *found = NULL;
    form_calls_enter(&walk, f->index);
    for (const struct form_entry *at; !found && (at = form_calls_next(&walk));) {
        const struct form *form = walk.stack.items[walk.stack.count - 1].at.block->form;
        if (has_data(form, &at->results) || has_data(form, &at->operands))
            found = at;
        if (at->routine != FORM_NONE)
            form_calls_enter(&walk, at->routine);
    }
    form_calls_end(&walk);
    if (found)
        lib_diag_error(diags, LIB_DIAG_TYPE, b->ast->source, e->pos,
                       "`%s` has no gradient: it uses, in line %u, data of a type with "
                       "several constructors or one that contains itself; derivatives "
                       "pass through tuples, arrays and records",
                       f->name, found->pos.line);
    return !found;
}

bool programs_build_check_gradient(struct programs_builder *b,
                                   const struct programs_expr *e, struct lib_diags *diags)
{
    if (b->ast->datatype_count && !check_data(b, e, diags))
        return false;
    const bool good = check_rounded(b, e, diags);
    return check_constants(b, e, diags) && good;
}

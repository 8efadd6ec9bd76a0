#include "programs/gradient/flow.h"

#include "isa/kernel_use.h"
#include "programs/gradient/differentiate.h"

/* Search for flows: tables of routines, which grow until nothing is added. */
struct flow {
    struct form_program *program;
    struct form_ids routines; /* routines whose tables are being computed */
    uint32_t cell;            /* cell whose flow is followed; FORM_NONE: parameters */
    bool changed;
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

static uint8_t through_routine(struct flow *flow, uint32_t routine, uint32_t param,
                               uint32_t result)
{
    if (flow->cell != FORM_NONE)
        return (uint8_t)form_flow(flow->program, routine, param, result);
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
        return all ? FORM_FLOW_BROKEN : 0;
    return all & FORM_FLOW_BROKEN;
}

/* Gradients count as smooth in what they are given. */
static uint8_t of_call(struct flow *flow, const uint8_t *reached,
                       const struct form_entry *e, uint32_t result)
{
    const uint32_t first = e->kind == FORM_TABULATE; /* operand 0 is the length */
    const bool has_cell = flow->cell != FORM_NONE;
    if (flow->program->routines[e->routine].kind == FORM_GRADIENT)
        return any(reached, &e->operands) | (has_cell ? FORM_FLOW_SMOOTH : 0);
    uint8_t all = has_cell ? table_of(flow, e->routine)[result] : 0;
    for (uint32_t i = first; i < e->operands.count; i++) {
        const uint8_t in = reached[e->operands.items[i]];
        const uint8_t through = through_routine(flow, e->routine, i, result);
        all |= in & through & FORM_FLOW_SMOOTH;
        if (in && through && ((in | through) & FORM_FLOW_BROKEN))
            all |= FORM_FLOW_BROKEN;
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
                *to = e->index == flow->cell ? FORM_FLOW_SMOOTH : 0;
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
            reached[v] = begins(flow, form, v, p) ? FORM_FLOW_SMOOTH : 0;
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

unsigned form_flow(struct form_program *program, uint32_t routine, uint32_t param,
                   uint32_t result)
{
    struct flow flow = {.program = program, .cell = FORM_NONE};
    follow_all(&flow, routine);
    const struct form_routine *r = &program->routines[routine];
    return r->flow[param * r->result_count + result];
}

unsigned form_flow_of_cell(struct form_program *program, uint32_t routine, uint32_t cell,
                           uint32_t result)
{
    struct flow flow = {.program = program, .cell = cell};
    follow_all(&flow, routine);
    return program->routines[routine].cell_flow[result];
}

/* Makes nodes of forms. */
#include "programs/graph/builder.h"

#include "isa/kernel_use.h"
#include "programs/gradient/form.h"

#include <string.h>

struct emit {
    struct programs_builder *b;
    const struct form *form;
    struct region_value *values;       /* values of the form */
    const struct region_value *params; /* values of the parameters */
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

/* State while a loop that makes array elements is built. Paired elements stay open until their
 * adjoints are available: the nodes that make these are in the same loop, to find the values of
 * an iteration under its tag. The adjoints enter as loop constants, which may arrive late. */
struct elements {
    struct emit m;
    struct region_loop *loop;
    struct region *body;
    struct region_value *params; /* of the routine */
    uint32_t count;              /* parameters that are available at once */
    struct region_value length;
    bool *is_late; /* for each value: whether it depends on the others */
};

static struct region_value new_array(struct region *r, const struct emit *m,
                                     uint32_t array, struct region_value length,
                                     struct lib_pos pos)
{
    const enum isa_type type = form_graph_type(form_type(m->form, array));
    return region_compute(r, ISA_OP_ALLOC, isa_type_element(type), &length, 1, pos);
}

/* Stores the results of an entry, from the routine's result `first` on, element by element. */
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

/* Makes nodes of entries that do not depend on late values, or of the rest. */
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
        e->node = region_apply_early(r, programs_build_link(b, e->pair), arguments.items,
                                     results.items, e->pos);
    else
        region_apply(r, programs_build_link(b, e->routine), arguments.items,
                     arguments.count, results.items, e->pos);
    set_all(m, &e->results, results.items);
}

/* Returns the `index` of an instruction without the marks that only forms have. */
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

void programs_build_routine(struct programs_builder *b, uint32_t routine)
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

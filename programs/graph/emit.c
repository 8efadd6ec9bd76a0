/* The emitter: makes the nodes of a graph from forms, entry by entry in their order. */
#include "isa/kernel_use.h"
#include "lib/memory.h"
#include "programs/gradient/calls.h"
#include "programs/graph/emit_internal.h"

/* What an entry has left for entries that continue it. */
union left {
    struct region_loop *loop;  /* of a DECLARE of a loop */
    struct elements *elements; /* of a TABULATE that is paired with its gradient */
    uint32_t number; /* function of a DECLARE of a sum; node of an early APPLY */
};

struct emit {
    struct programs_builder *b;
    struct lib_arena *arena;
    struct form *form;
    struct region_value *values;       /* values of the form */
    const struct region_value *params; /* values of the parameters */
    union left *left;                  /* for each entry */
    struct region *(*branches)[2];     /* for each conditional: its regions */
    uint32_t value_capacity, entry_capacity, branch_capacity;
};

static void emit_block(struct emit *m, struct region *r, const struct form_block *block);

/* Whether the graph has more nodes than isa_check accepts: it is refused, and need not be finished.
 * An immediate that is chosen by a conditional on an immediate enters through all the branches
 * around it, so that the nodes of `if a then 1 else if a then 2 ...` with an input a grow with the
 * square of the chain. */
static bool is_full(const struct emit *m)
{
    return m->b->graph->node_count > ISA_MAX_NODES;
}

/* --- values ------------------------------------------------------------------------------ */

/* Makes room for all values and entries of the form. */
static void reserve_all(struct emit *m)
{
    LIB_ARENA_RESERVE(m->arena, m->values, &m->value_capacity, m->form->value_count);
    LIB_ARENA_RESERVE(m->arena, m->left, &m->entry_capacity, m->form->entry_count);
    LIB_ARENA_RESERVE(m->arena, m->branches, &m->branch_capacity, m->form->branch_count);
}

static struct emit start_emit(struct programs_builder *b, struct lib_arena *arena,
                              struct form *form, const struct region_value *params)
{
    struct emit m = {.b = b, .arena = arena, .form = form, .params = params};
    reserve_all(&m);
    return m;
}

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

static struct region_value *get_all(const struct emit *m, const struct form_ids *ids)
{
    struct region_value *all = LIB_ARENA_ARRAY(m->arena, struct region_value, ids->count);
    for (uint32_t i = 0; i < ids->count; i++)
        all[i] = get(m, ids->items[i]);
    return all;
}

static void set_all(struct emit *m, const struct form_ids *ids,
                    const struct region_value *values)
{
    for (uint32_t k = 0; k < ids->count; k++)
        m->values[ids->items[k]] = values[k];
}

/* --- elements that a routine makes ------------------------------------------------------- */

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

static enum isa_type element_type(const struct emit *m, uint32_t array)
{
    return isa_type_element(form_graph_type(form_type(m->form, array)));
}

static void make_arrays(struct emit *m, struct region *r, const struct form_entry *e,
                        struct region_value length)
{
    for (uint32_t k = 0; k < e->results.count; k++)
        m->values[e->results.items[k]] = emit_alloc(
            r, element_type(m, e->results.items[k]), length, e->pos);
}

/* Stores the results of an entry, from the routine's result `first` on, element by element. */
static void store_results(const struct emit *m, const struct elements *t,
                          const struct form_entry *e, uint32_t first)
{
    for (uint32_t k = 0; k < e->results.count; k++)
        emit_store(t->body, m->values[e->results.items[k]], t->params[0],
                   get(&t->m, t->m.form->results.items[first + k]), e->pos);
}

static bool is_any_late(const struct elements *t, const struct form_entry *e)
{
    for (uint32_t i = 0; i < e->operands.count; i++)
        if (t->is_late[e->operands.items[i]])
            return true;
    return e->kind == FORM_BRANCH && t->is_late[e->branch->condition];
}

static bool uses_late(const struct elements *t, struct form_entry *e)
{
    const struct form_block one = {t->m.form, &e, 1, 1};
    struct form_walk walk = form_walk_of(&one);
    for (const struct form_entry *inner; (inner = form_walk_next(&walk));)
        if (is_any_late(t, inner)) {
            form_walk_end(&walk);
            return true;
        }
    return false;
}

static void set_late(const struct elements *t, struct form_entry *e)
{
    const struct form_block one = {t->m.form, &e, 1, 1};
    struct form_walk walk = form_walk_of(&one);
    for (const struct form_entry *inner; (inner = form_walk_next(&walk));)
        for (uint32_t k = 0; k < inner->results.count; k++)
            t->is_late[inner->results.items[k]] = true;
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
        if (is_late == late && !is_full(&t->m)) {
            const struct form_block one = {t->m.form, &e, 1, 1};
            emit_block(&t->m, t->body, &one);
        }
    }
}

struct region *emit_open_body(struct region_loop *loop, const char *name,
                              const struct region_value *follows,
                              struct region_value length, struct region_value *counter,
                              struct lib_pos pos)
{
    *counter = region_loop_enter(loop, emit_integer(0), name, pos);
    struct region *header = region_loop_header(loop);
    return region_loop_test(
        loop, follows ? emit_two(header, ISA_OP_MORE, isa_type_element(follows->type),
                                 *follows, *counter, pos)
                      : emit_two(header, ISA_OP_LT_I, ISA_INT, *counter, length, pos));
}

void emit_close_body(struct region_loop *loop, struct region *body,
                     struct region_value counter, struct lib_pos pos)
{
    region_loop_next(loop, 0,
                     emit_two(body, ISA_OP_ADD_I, ISA_INT, counter, emit_integer(1), pos),
                     pos);
    region_loop_close(loop);
}

static struct elements *open_elements(struct emit *m, struct region *r,
                                      const struct form_entry *e)
{
    struct form_program *program = &m->b->forms;
    const uint32_t routine = e->is_kept ? e->pair : e->routine;
    struct form *form = form_of(program, routine);
    struct elements *t = LIB_ARENA_NEW(m->arena, struct elements);
    t->length = get(m, e->operands.items[0]);
    make_arrays(m, r, e, t->length);
    const uint32_t width = program->routines[routine].param_count;
    t->count = e->operands.count;
    t->params = LIB_ARENA_ARRAY(m->arena, struct region_value, width);
    t->is_late = LIB_ARENA_ARRAY(m->arena, bool, form->value_count);
    for (uint32_t i = 0; i < t->count; i++)
        t->params[i] = get(m, e->operands.items[i]);
    t->m = start_emit(m->b, m->arena, form, t->params);
    t->loop = region_loop_open(r, "array", ISA_LOOP_UNBOUNDED, e->pos);
    t->body = emit_open_body(t->loop, NULL, NULL, t->length, &t->params[0], e->pos);
    return t;
}

static void emit_elements(struct emit *m, struct region *r, const struct form_entry *e)
{
    struct elements *t = open_elements(m, r, e);
    emit_half(t, false);
    if (is_full(m))
        return;
    store_results(m, t, e, 0);
    if (e->is_kept)
        m->left[e->id].elements = t;
    else
        emit_close_body(t->loop, t->body, t->params[0], e->pos);
}

static void emit_late_elements(struct emit *m, struct region *r,
                               const struct form_entry *e)
{
    struct elements *t = m->left[e->early->id].elements;
    make_arrays(m, r, e, t->length);
    for (uint32_t i = 0; i < e->operands.count; i++)
        t->params[t->count + i] = get(m, e->operands.items[i]);
    emit_half(t, true);
    if (is_full(m))
        return;
    store_results(m, t, e, e->early->results.count);
    emit_close_body(t->loop, t->body, t->params[0], e->early->pos);
}

/* --- elements that a block makes --------------------------------------------------------- */

static void emit_table(struct emit *m, struct region *r, const struct form_entry *e)
{
    const struct region_value from = get(m, e->operands.items[0]);
    const bool follows = e->kind == FORM_FOLLOW;
    if (!follows)
        make_arrays(m, r, e, from);
    for (uint32_t k = 0; follows && k < e->results.count; k++)
        m->values[e->results.items[k]] = region_source(
            r, ISA_OP_OPEN, element_type(m, e->results.items[k]), e->index, e->pos);
    struct region_loop *loop = region_loop_open(r, "array", ISA_LOOP_UNBOUNDED, e->pos);
    struct region_value counter;
    struct region *body = emit_open_body(loop, e->names ? e->names->text : NULL,
                                         follows ? &from : NULL, from, &counter, e->pos);
    m->values[e->inner] = counter;
    emit_block(m, body, &e->blocks[0]);
    if (is_full(m))
        return;
    emit_close_body(loop, body, counter, e->pos);
}

static void emit_element(struct emit *m, struct region *r, const struct form_entry *e)
{
    const struct region_value index = e->early->kind == FORM_ARRAY
                                          ? emit_integer(e->index)
                                          : m->values[e->early->inner];
    for (uint32_t k = 0; k < e->operands.count; k++)
        emit_store(r, m->values[e->early->results.items[k]], index,
                   get(m, e->operands.items[k]), e->pos);
}

/* --- loops ------------------------------------------------------------------------------- */

static void emit_declare(struct emit *m, struct region *r, const struct form_entry *e)
{
    if (e->index == FORM_OF_SUM)
        m->left[e->id].number = emit_sum_function(r, e->type, e->pos);
    else
        m->left[e->id].loop = region_loop_open(r, "loop", e->inner, e->pos);
}

static struct region_loop *loop_of(const struct emit *m, const struct form_entry *e)
{
    return m->left[(e->kind == FORM_LOOP ? e : e->early)->early->id].loop;
}

static void emit_loop(struct emit *m, const struct form_entry *e)
{
    struct region_loop *loop = loop_of(m, e);
    for (uint32_t i = 0; i < e->operands.count; i++)
        m->values[e->results.items[i]] = region_loop_enter(
            loop, get(m, e->operands.items[i]), e->names[i].text, e->names[i].pos);
    emit_block(m, region_loop_header(loop), &e->blocks[0]);
    if (is_full(m))
        return;
    emit_block(m, region_loop_test(loop, get(m, e->inner)), &e->blocks[1]);
}

/* --- calls ------------------------------------------------------------------------------- */

static void emit_late(struct emit *m, struct region *r, const struct form_entry *e)
{
    if (e->early->kind == FORM_TABULATE) {
        emit_late_elements(m, r, e);
        return;
    }
    struct region_value *results = LIB_ARENA_ARRAY(m->arena, struct region_value,
                                                   e->results.count);
    region_apply_late(r, m->left[e->early->id].number, get_all(m, &e->operands), results,
                      e->pos);
    set_all(m, &e->results, results);
}

static void emit_apply(struct emit *m, struct region *r, const struct form_entry *e)
{
    const struct region_value *arguments = get_all(m, &e->operands);
    const uint32_t function = programs_build_link(m->b,
                                                  e->is_kept ? e->pair : e->routine);
    struct region_value *results = LIB_ARENA_ARRAY(m->arena, struct region_value,
                                                   e->results.count);
    if (e->is_kept)
        m->left[e->id].number = region_apply_early(r, function, arguments, results,
                                                   e->pos);
    else
        region_apply(r, function, arguments, e->operands.count, results, e->pos);
    set_all(m, &e->results, results);
}

/* The call that a DERIVE stands for is known now: finding it may have added tensors to the graph.
 */
static void emit_derive(struct emit *m, struct region *r, const struct form_entry *e)
{
    struct form_block call = {.form = m->form};
    uint32_t *results = LIB_ARENA_ARRAY(m->arena, uint32_t, e->results.count);
    form_call_gradient(form_at(&call, e->pos), e, e->operands.items, m->b->forms.pairs,
                       results);
    reserve_all(m);
    emit_block(m, r, &call);
    for (uint32_t k = 0; k < e->results.count; k++)
        m->values[e->results.items[k]] = m->values[results[k]];
}

/* --- entries ----------------------------------------------------------------------------- */

/* Returns the `index` of an instruction without the marks that only forms have. */
static uint32_t graph_index(const struct form_entry *e)
{
    if (e->op == ISA_OP_ITEM || e->op == ISA_OP_ITEM_I || e->op == ISA_OP_ITEM_B)
        return 0;
    return e->op == ISA_OP_COMBINE && isa_use_of(e->index) == ISA_KERNEL_MATMUL
               ? isa_use(ISA_KERNEL_MATMUL, ISA_USE_NO_AXIS, 0)
               : e->index;
}

static struct region_value emit_compute(struct emit *m, struct region *r,
                                        const struct form_entry *e)
{
    struct region_value in[3];
    uint32_t count = e->operands.count;
    for (uint32_t i = 0; i < count; i++)
        in[i] = get(m, e->operands.items[i]);
    if (count == 3) {
        in[1] = emit_two(r, ISA_OP_PAIR, ISA_INT, in[1], in[2], e->pos);
        count = 2;
    }
    return region_compute(r, e->op, form_graph_type(e->type), graph_index(e), in, count,
                          e->pos);
}

/* Makes the nodes of an entry with one result. */
static struct region_value emit_one(struct emit *m, struct region *r,
                                    const struct form_entry *e)
{
    const uint32_t result = e->results.items[0];
    const struct region_value in = e->operands.count ? get(m, e->operands.items[0])
                                                     : (struct region_value){0};
    struct isa_graph *graph = m->b->graph;
    switch (e->kind) {
    case FORM_READ:
        return region_source(r, ISA_OP_READ, graph->cells[e->index].type, e->index,
                             e->pos);
    case FORM_LOAD:
        return region_source(r, ISA_OP_LOAD, ISA_INT, e->index, e->pos);
    case FORM_TENSOR:
        return region_source(r, ISA_OP_LOAD, ISA_INT,
                             isa_graph_add_constant(graph,
                                                    m->form->tensors[e->index].name,
                                                    m->form->tensors[e->index].tensor),
                             e->pos);
    case FORM_PORT:
        return region_source(r, ISA_OP_PORT, e->type, e->index, e->pos);
    case FORM_EXIT:
        return region_loop_exit(loop_of(m, e), e->index, e->pos);
    case FORM_LIST:
        return emit_list(r, element_type(m, result), get_all(m, &e->operands),
                         e->operands.count, e->pos);
    case FORM_FETCH:
        return emit_fetch(r, in, get(m, e->operands.items[1]), e->pos);
    case FORM_TO_TENSOR:
        return emit_tensor_of(r, in, (enum isa_element_kind)e->index, e->pos);
    case FORM_TO_ARRAY:
        return emit_array_of(r, in, form_graph_type(form_type(m->form, result)), e->pos);
    case FORM_SUM:
        return emit_sum(r,
                        e->early
                            ? m->left[e->early->id].number
                            : emit_sum_function(r, isa_type_element(in.type), e->pos),
                        in, e->pos);
    default:
        return emit_compute(m, r, e);
    }
}

static void emit_entry(struct emit *m, struct region *r, const struct form_entry *e)
{
    switch (e->kind) {
    case FORM_TABULATE:
    case FORM_FOLLOW:
        (e->blocks ? emit_table : emit_elements)(m, r, e);
        return;
    case FORM_APPLY:
        emit_apply(m, r, e);
        return;
    case FORM_LATE:
        emit_late(m, r, e);
        return;
    case FORM_DERIVE:
        emit_derive(m, r, e);
        return;
    case FORM_ARRAY:
        make_arrays(m, r, e, emit_integer(e->index));
        return;
    case FORM_STORE:
        emit_element(m, r, e);
        return;
    case FORM_DECLARE:
        emit_declare(m, r, e);
        return;
    case FORM_LOOP:
        emit_loop(m, e);
        return;
    case FORM_NEXT:
        region_loop_next(loop_of(m, e), e->index, get(m, e->operands.items[0]), e->pos);
        return;
    case FORM_CLOSE:
        region_loop_close(loop_of(m, e));
        return;
    case FORM_WRITE:
        region_consume(r, e->op, e->index, get(m, e->operands.items[0]), e->pos);
        return;
    default:
        m->values[e->results.items[0]] = emit_one(m, r, e);
    }
}

/* --- blocks ------------------------------------------------------------------------------ */

/* A block of which nodes are being made; of a BRANCH `branch`, if that is not NULL. */
struct frame {
    const struct form_block *block;
    struct region *region;
    uint32_t next;
    const struct form_entry *branch;
};

static struct frame enter_branch(struct emit *m, struct region *r,
                                 const struct form_entry *e)
{
    struct region **inner = m->branches[e->branch->id];
    if (!inner[0])
        region_split(r, get(m, e->branch->condition), e->pos, inner);
    return (struct frame){&e->blocks[0], inner[0], 0, e};
}

static void merge_results(struct emit *m, struct region *r, const struct form_entry *e)
{
    for (uint32_t k = 0; k < e->results.count; k++)
        m->values[e->results.items[k]] = region_merge(
            r, m->branches[e->branch->id], get(m, e->operands.items[2 * k]),
            get(m, e->operands.items[2 * k + 1]), e->pos);
}

/* Chains of conditionals may be long: these take no stack. */
static void emit_block(struct emit *m, struct region *r, const struct form_block *block)
{
    LIB_VEC(struct frame) stack = {0};
    *LIB_VEC_PUSH(&stack) = (struct frame){.block = block, .region = r};
    while (stack.count && !is_full(m)) {
        struct frame *f = &stack.items[stack.count - 1];
        if (f->next < f->block->count) {
            const struct form_entry *e = f->block->items[f->next++];
            if (e->kind == FORM_BRANCH)
                *LIB_VEC_PUSH(&stack) = enter_branch(m, f->region, e);
            else
                emit_entry(m, f->region, e);
            continue;
        }
        const struct form_entry *branch = f->branch;
        if (branch && f->block == &branch->blocks[0]) {
            *f = (struct frame){&branch->blocks[1], m->branches[branch->branch->id][1], 0,
                                branch};
            continue;
        }
        stack.count--;
        if (branch)
            merge_results(m, stack.items[stack.count - 1].region, branch);
    }
    LIB_VEC_FREE(&stack);
}

void programs_build_emit(struct programs_builder *b, struct form *form, uint32_t function,
                         struct lib_pos pos)
{
    struct lib_arena *arena = lib_arena_new();
    struct region *top = region_top(b->graph, arena, function, b->options);
    const uint32_t count = b->graph->functions[function].param_count;
    struct region_value *params = LIB_ARENA_ARRAY(arena, struct region_value, count);
    for (uint32_t i = 0; i < count; i++)
        params[i] = region_param(top, i, form->params ? form->params[i].pos : pos);
    struct emit m = start_emit(b, arena, form, params);
    emit_block(&m, top, &form->top);
    for (uint32_t k = 0; k < form->results.count && !is_full(&m); k++)
        region_consume(top, ISA_OP_RESULT, k, get(&m, form->results.items[k]), pos);
    lib_arena_free(arena);
}

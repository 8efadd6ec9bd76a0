/* The emitter: makes the nodes of a graph from forms, entry by entry in their order. An array of
 * tuples is a tuple of arrays, part by part, so that an element is always one value.
 *
 *   [E1, E2]             ALLOC of 2; for each element INDEX and STORE
 *   a[E]                 INDEX, which makes the address of the element, and FETCH
 *   [E | ..]             loops (programs/graph/strands.h) that STORE elements
 *   accumulate(.., [..]) an ACCUMULATE; loops of CONTRIBUTEs; when all have answered, of TOTALs
 *   Node(E1, E2)         CONSTRUCT; for each field FILL
 *   sum(a), tensor(a), array(t)    see programs/graph/folds.h */
#include "isa/kernel_use.h"
#include "lib/memory.h"
#include "programs/gradient/calls.h"
#include "programs/graph/builder.h"
#include "programs/graph/folds.h"
#include "programs/graph/places.h"
#include "programs/graph/strands.h"

#include <string.h>

/* Makes data of constructor `index`. */
static struct region_value emit_construct(struct region_place p, uint32_t index,
                                          const struct region_value *fields)
{
    const struct isa_constructor c = region_graph(p.region)->constructors[index];
    const struct region_value data = region_source(p, ISA_OP_CONSTRUCT, ISA_INT, index);
    for (uint32_t i = 0; i < c.field_count; i++)
        region_fill(p, c.fields[i].type, c.first + i, data, fields[i]);
    return data;
}

/* --- state ------------------------------------------------------------------------------- */

/* What an entry has left for entries that continue it. */
union left {
    bool is_taken; /* of an EXIT: it was emitted outside the block that has it */
    struct region_loop *loop;  /* of a DECLARE of a loop */
    struct elements *elements; /* of a TABULATE that is paired with its gradient */
    uint32_t number; /* function of a DECLARE of a sum; node of an early APPLY */
};

/* What an entry has made for all places where its form is emitted: those in the elements of arrays
 * are emitted twice by trees (programs/graph/strands.h). */
struct shared {
    struct strands_tree *tree; /* of a TABULATE; NULL: not made yet */
    struct shared *elements;   /* of the form of its elements; NULL: not emitted yet */
    uint32_t constant; /* of a TENSOR: its index in the graph plus 1; 0: none yet */
};

struct emit {
    struct programs_builder *b;
    struct lib_arena *arena;
    struct form *form;
    struct region_value *values;        /* values of the form */
    const struct region_value *params;  /* values of the parameters */
    union left *left;                   /* for each entry */
    struct region_place (*branches)[2]; /* for each conditional: its regions */
    struct shared *shared;              /* for each entry */
    /* For each value: the last walk through a block that found it made there, or used from there
     * (list_outside). */
    uint32_t *walked;
    uint32_t walks;
    uint32_t value_capacity, entry_capacity, branch_capacity, shared_capacity,
        walked_capacity;
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
    LIB_ARENA_RESERVE(m->arena, m->shared, &m->shared_capacity, m->form->entry_count);
    LIB_ARENA_RESERVE(m->arena, m->walked, &m->walked_capacity, m->form->value_count);
}

static struct emit start_emit(struct programs_builder *b, struct lib_arena *arena,
                              struct form *form, const struct region_value *params)
{
    struct emit m = {.b = b, .arena = arena, .form = form, .params = params};
    reserve_all(&m);
    return m;
}

static struct strands strands_of(const struct emit *m)
{
    return (struct strands){m->arena, m->b->options->settings};
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
        return m->params ? m->params[v->index] : m->values[id];
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

/* --- elements ---------------------------------------------------------------------------- */

static enum isa_type element_type(const struct emit *m, uint32_t array)
{
    return isa_type_element(form_graph_type(form_type(m->form, array)));
}

static void make_arrays(struct emit *m, struct region_place p, const struct form_entry *e,
                        struct region_value length)
{
    for (uint32_t k = 0; k < e->results.count; k++)
        m->values[e->results.items[k]] = region_op(
            p, ISA_OP_ALLOC, element_type(m, e->results.items[k]), length);
}

static bool is_tree(const struct emit *m, const struct form_entry *e)
{
    const struct strands s = strands_of(m);
    bool reads_itself = e->reads_itself;
    for (uint32_t i = 0; i < e->operands.count; i++)
        reads_itself |= form_has_id(&e->results, e->operands.items[i]);
    return !reads_itself && strands_are_tree(&s, e->index);
}

/* --- elements that a routine makes ------------------------------------------------------- */

/* A loop of elements that a routine makes, while it is built: of a chain, of the first strand of an
 * array, or of a tree. */
struct part {
    struct emit m; /* of the routine's form */
    struct strands_loop loop;
    struct region_value *params; /* of the routine */
};

/* State while array elements are made by a routine. Paired elements stay open until their adjoints
 * are available: the nodes that make these are in the same loops, to find the values of an
 * iteration under its tag. The adjoints enter as loop constants, and as arguments of the calls of a
 * tree, which may arrive late. */
struct elements {
    struct part parts[2];
    uint32_t part_count;
    uint32_t count; /* parameters that are available at once */
    bool *is_late;  /* for each entry at the top: whether it depends on the others */
    /* Tree of the other strands; NULL: none. If its loop is open, parts[1] is that. */
    struct strands_tree *tree;
    struct strands_root root;
    uint32_t early_count; /* values from outside that are available at once */
};

/* Finds the entries at the top of the routine that depend on late parameters. */
static void find_late(struct elements *t)
{
    const struct emit *m = &t->parts[0].m;
    const struct form *form = m->form;
    t->is_late = LIB_ARENA_ARRAY(m->arena, bool, form->top.count);
    uint32_t *entry_of = LIB_ARENA_ARRAY(m->arena, uint32_t, form->value_count);
    struct form_walk walk = form_walk_of(&form->top);
    for (const struct form_entry *e; (e = form_walk_next(&walk));) {
        const uint32_t at = (walk.outer.count ? walk.outer.items[0] : walk.at).next - 1;
        const bool is_branch = e->kind == FORM_BRANCH;
        for (uint32_t k = 0; k < e->results.count; k++)
            entry_of[e->results.items[k]] = at;
        for (uint32_t i = 0; i < e->operands.count + is_branch; i++) {
            const uint32_t value = i < e->operands.count ? e->operands.items[i]
                                                         : e->branch->condition;
            const struct form_value *v = &form->values[value];
            t->is_late[at] |= v->kind == FORM_PARAM
                                  ? v->index >= t->count
                                  : v->kind == FORM_MADE && t->is_late[entry_of[value]];
        }
    }
}

/* Makes nodes of entries that do not depend on late values, or of the rest. */
static void emit_half(const struct elements *t, struct part *part, bool late)
{
    const struct form_block *top = &part->m.form->top;
    for (uint32_t i = 0; i < top->count && !is_full(&part->m); i++) {
        const struct form_block one = {part->m.form, &top->items[i], 1, 1};
        if (t->is_late[i] == late)
            emit_block(&part->m, part->loop.at.region, &one);
    }
}

/* Makes the nodes of one half in all loops, which store the results from the routine's result
 * `first` on. `outside`: the arrays `e` makes, and the operands for the parameters from `param` on,
 * as the part at the array has them; that of a tree has them from `at` on. */
static void emit_parts(struct elements *t, const struct form_entry *e, bool late,
                       uint32_t first, const struct region_value *outside, uint32_t param,
                       uint32_t count, uint32_t at)
{
    const uint32_t arrays = e->results.count;
    for (uint32_t i = 0; i < t->part_count; i++) {
        struct part *part = &t->parts[i];
        const struct region_value *v = i ? &t->tree->outside[at] : outside;
        for (uint32_t k = arrays; k < count; k++)
            part->params[param + k - arrays] = v[k];
        emit_half(t, part, late);
        if (is_full(&part->m))
            return;
        for (uint32_t k = 0; k < arrays; k++)
            region_put(region_at(part->loop.at.region, e->pos), v[k], part->params[0],
                       get(&part->m, part->m.form->results.items[first + k]));
    }
}

static void close_parts(const struct elements *t)
{
    for (uint32_t i = 0; i < t->part_count; i++)
        strands_close(&t->parts[i].loop);
}

/* Returns the arrays that an entry makes and its operands from `from` on. */
static struct region_value *list_values(const struct emit *m, const struct form_entry *e,
                                        uint32_t from, uint32_t *count)
{
    const uint32_t arrays = e->results.count;
    *count = arrays + e->operands.count - from;
    struct region_value *all = LIB_ARENA_ARRAY(m->arena, struct region_value, *count);
    for (uint32_t k = 0; k < *count; k++)
        all[k] = get(m, k < arrays ? e->results.items[k]
                                   : e->operands.items[from + k - arrays]);
    return all;
}

static void start_part(struct emit *m, struct elements *t, const struct form_entry *e,
                       struct strands_loop loop)
{
    struct form_program *program = &m->b->forms;
    const uint32_t routine = e->is_kept ? e->pair : e->routine;
    struct part *part = &t->parts[t->part_count++];
    part->params = LIB_ARENA_ARRAY(m->arena, struct region_value,
                                   program->routines[routine].param_count);
    part->params[0] = loop.counter;
    part->loop = loop;
    part->m = start_emit(m->b, m->arena, form_of(program, routine), part->params);
    if (m->shared[e->id].elements)
        part->m.shared = m->shared[e->id].elements;
    m->shared[e->id].elements = part->m.shared;
}

/* Makes the tree of an entry. If it is paired, the arrays and operands of its LATE come later. */
static struct strands_tree *new_paired_tree(const struct emit *m, struct region_place p,
                                            const struct form_entry *e,
                                            const struct region_value *outside,
                                            uint32_t count)
{
    const struct strands s = strands_of(m);
    if (!e->is_kept)
        return strands_tree_new(&s, p, NULL, false, outside, count, NULL, 0);
    const struct form_routine *r = &m->b->forms.routines[e->pair];
    const uint32_t arrays = r->result_count - e->results.count;
    const uint32_t late = arrays + r->param_count - e->operands.count;
    enum isa_type *types = LIB_ARENA_ARRAY(m->arena, enum isa_type, late);
    for (uint32_t k = 0; k < late; k++)
        types[k] = form_graph_type(
            k < arrays ? isa_type_array_of(r->results[e->results.count + k])
                       : r->params[e->operands.count + k - arrays]);
    return strands_tree_new(&s, p, NULL, false, outside, count, types, late);
}

static void emit_elements(struct emit *m, struct region_place p,
                          const struct form_entry *e)
{
    struct elements *t = LIB_ARENA_NEW(m->arena, struct elements);
    const struct region_value length = get(m, e->operands.items[0]);
    const struct strands s = strands_of(m);
    struct strands_tree *made = NULL;
    uint32_t count;
    make_arrays(m, p, e, length);
    t->count = e->operands.count;
    const struct region_value *outside = list_values(m, e, 1, &count);
    t->early_count = count;
    if (!is_tree(m, e)) {
        start_part(m, t, e, strands_chain(p, NULL, false, false, length));
    } else {
        t->tree = m->shared[e->id].tree;
        if (!t->tree)
            t->tree = made = new_paired_tree(m, p, e, outside, count);
        m->shared[e->id].tree = t->tree;
        t->root = strands_root_open(&s, p, NULL, e->index, length, false, t->tree,
                                    outside, count);
        start_part(m, t, e, t->root.loop);
        if (made)
            start_part(m, t, e, made->loop);
    }
    find_late(t);
    emit_parts(t, e, false, 0, outside, 1, count, 0);
    if (is_full(m))
        return;
    if (e->is_kept)
        m->left[e->id].elements = t;
    else
        close_parts(t);
}

static void emit_late_elements(struct emit *m, struct region_place p,
                               const struct form_entry *e)
{
    struct elements *t = m->left[e->early->id].elements;
    uint32_t count;
    make_arrays(m, p, e, get(m, e->early->operands.items[0]));
    const struct region_value *outside = list_values(m, e, 0, &count);
    if (t->tree)
        strands_root_add(&t->root, outside, count);
    emit_parts(t, e, true, e->early->results.count, outside, t->count, count,
               t->early_count);
    if (!is_full(m))
        close_parts(t);
}

/* --- elements that a block makes --------------------------------------------------------- */

static void add_outside(struct emit *m, struct form_ids *outside, uint32_t value)
{
    const enum form_value_kind kind = m->form->values[value].kind;
    if (kind == FORM_LITERAL || kind == FORM_INPUT || m->walked[value] == m->walks)
        return;
    m->walked[value] = m->walks;
    form_push_id(m->arena, outside, value);
}

static void add_operands(struct emit *m, const struct form_entry *e,
                         struct form_ids *outside)
{
    for (uint32_t i = 0; i < e->operands.count; i++)
        add_outside(m, outside, e->operands.items[i]);
}

static bool is_walked(const struct emit *m, uint32_t value)
{
    return m->walked[value] == m->walks;
}

static bool leaves_outer_loop(const struct emit *m, const struct form_entry *e)
{
    return e->kind == FORM_EXIT && !is_walked(m, e->early->results.items[0]);
}

static void emit_entry(struct emit *m, struct region_place p, const struct form_entry *e);

/* Adds the values from outside that an entry of a block uses. The EXIT of a loop around the block
 * is emitted at `p`, around the array. */
static void add_used(struct emit *m, struct region_place p, const struct form_entry *e,
                     struct form_ids *outside)
{
    if (e->kind == FORM_BRANCH)
        add_outside(m, outside, e->branch->condition);
    else
        add_operands(m, e, outside);
    for (uint32_t k = 0; e->kind == FORM_STORE && k < e->early->results.count; k++)
        add_outside(m, outside, e->early->results.items[k]);
    if (leaves_outer_loop(m, e)) {
        emit_entry(m, p, e);
        m->left[e->id].is_taken = true;
        add_outside(m, outside, e->results.items[0]);
    }
    if (form_has_elements(e))
        m->walked[e->inner] = m->walks;
    for (uint32_t k = 0; k < e->results.count; k++)
        m->walked[e->results.items[k]] = m->walks;
}

/* Returns the arrays that an entry makes, and the values from outside that its elements use. */
static struct form_ids list_outside(struct emit *m, struct region_place p,
                                    const struct form_entry *e)
{
    struct form_ids outside = {0};
    m->walks++;
    m->walked[e->inner] = m->walks;
    for (uint32_t k = 0; e->kind != FORM_EVERY && k < e->results.count; k++)
        add_outside(m, &outside, e->results.items[k]);
    struct form_walk walk = form_walk_of(&e->blocks[0]);
    while (form_walk_step(&walk))
        if (walk.step != FORM_STEP_END)
            add_used(m, p, walk.entry, &outside);
        else if (walk.entry->kind == FORM_BRANCH)
            add_operands(m, walk.entry, &outside);
    return outside;
}

/* Forgets what the nodes of a block have left, so that it can be emitted once more. */
static void forget_block(struct emit *m, const struct form_block *block)
{
    m->walks++;
    struct form_walk walk = form_walk_of(block);
    for (const struct form_entry *e; (e = form_walk_next(&walk));) {
        if (e->kind == FORM_BRANCH)
            memset(m->branches[e->branch->id], 0, sizeof m->branches[e->branch->id]);
        else if (e->kind == FORM_LOOP && e->results.count)
            m->walked[e->results.items[0]] = m->walks;
        else if (e->kind == FORM_EXIT && !leaves_outer_loop(m, e))
            m->left[e->id].is_taken = false;
    }
}

static void set_values(struct emit *m, const struct form_ids *ids,
                       const struct region_value *values)
{
    for (uint32_t i = 0; i < ids->count; i++)
        m->values[ids->items[i]] = values[i];
}

/* Emits the elements of an array in the function of a tree, in which `ids` are the values from
 * outside. Parameters of the form are found as values while m->params is NULL. */
static void emit_strand(struct emit *m, const struct form_entry *e,
                        struct strands_tree *tree, const struct form_ids *ids)
{
    const struct region_value *params = m->params;
    struct region_value *outer = LIB_ARENA_ARRAY(m->arena, struct region_value,
                                                 ids->count);
    for (uint32_t i = 0; i < ids->count; i++)
        outer[i] = m->values[ids->items[i]];
    set_values(m, ids, tree->outside);
    m->params = NULL;
    m->values[e->inner] = tree->loop.counter;
    emit_block(m, tree->loop.at.region, &e->blocks[0]);
    m->params = params;
    set_values(m, ids, outer);
    forget_block(m, &e->blocks[0]);
}

/* Whether the elements of an entry answer. While they are emitted, the answer of one of them is the
 * value of the entry's result. */
static bool has_answer(const struct form_entry *e)
{
    return e->kind == FORM_EVERY && e->results.count;
}

/* Emits the elements of an entry by a tree. */
static void emit_strands(struct emit *m, struct region_place p,
                         const struct form_entry *e, struct region_value length)
{
    const struct strands s = strands_of(m);
    const char *name = e->names ? e->names->text : NULL;
    const struct form_ids ids = list_outside(m, p, e);
    const struct region_value *outside = get_all(m, &ids);
    const bool joins = has_answer(e), is_free = e->scatters || e->kind == FORM_EVERY;
    struct strands_tree *tree = m->shared[e->id].tree;
    if (!tree) {
        tree = strands_tree_new(&s, p, name, joins, outside, ids.count, NULL, 0);
        m->shared[e->id].tree = tree;
        emit_strand(m, e, tree, &ids);
        if (is_full(m))
            return;
        if (joins)
            strands_tree_join(tree, m->values[e->results.items[0]]);
        else
            strands_close(&tree->loop);
    }
    const struct strands_root root = strands_root_open(&s, p, name, e->index, length,
                                                       is_free, tree, outside, ids.count);
    m->values[e->inner] = root.loop.counter;
    emit_block(m, root.loop.at.region, &e->blocks[0]);
    if (is_full(m))
        return;
    if (joins)
        m->values[e->results.items[0]] = strands_root_join(
            &root, m->values[e->results.items[0]]);
    else
        strands_close(&root.loop);
}

/* Emits the elements of an entry by a chain. */
static void emit_chain(struct emit *m, struct region_place p, const struct form_entry *e,
                       struct region_value from)
{
    const struct strands_loop b = strands_chain(
        p, e->names ? e->names->text : NULL, e->kind == FORM_FOLLOW, has_answer(e), from);
    m->values[e->inner] = b.counter;
    emit_block(m, b.at.region, &e->blocks[0]);
    if (is_full(m))
        return;
    if (has_answer(e))
        m->values[e->results.items[0]] = strands_join(&b, m->values[e->results.items[0]]);
    else
        strands_close(&b);
}

static void emit_table(struct emit *m, struct region_place p, const struct form_entry *e)
{
    const struct region_value from = get(m, e->operands.items[0]);
    const bool follows = e->kind == FORM_FOLLOW;
    if (!follows)
        make_arrays(m, p, e, e->scatters ? get(m, e->operands.items[1]) : from);
    if (!follows && is_tree(m, e)) {
        emit_strands(m, p, e, from);
        return;
    }
    for (uint32_t k = 0; follows && k < e->results.count; k++)
        m->values[e->results.items[k]] = region_source(
            p, ISA_OP_OPEN, element_type(m, e->results.items[k]), e->index);
    emit_chain(m, p, e, from);
}

static void emit_every(struct emit *m, struct region_place p, const struct form_entry *e)
{
    const struct strands s = strands_of(m);
    (strands_are_tree(&s, e->index) ? emit_strands
                                    : emit_chain)(m, p, e, get(m, e->operands.items[0]));
}

/* Emits a CONTRIBUTE or TOTAL. */
static struct region_value emit_contribution(struct emit *m, struct region_place p,
                                             const struct form_entry *e)
{
    const struct region_value array = get(m, e->operands.items[0]);
    return region_contribute(p, e->kind == FORM_TOTAL, array,
                             get(m, e->operands.items[1]), get(m, e->operands.items[2]));
}

static void emit_list(struct emit *m, struct region_place p, const struct form_entry *e)
{
    make_arrays(m, p, e, region_integer(e->operands.count));
    for (uint32_t i = 0; i < e->operands.count; i++)
        region_put(p, m->values[e->results.items[0]], region_integer(i),
                   get(m, e->operands.items[i]));
}

static void emit_element(struct emit *m, struct region_place p,
                         const struct form_entry *e)
{
    for (uint32_t k = 0; e->places && k < e->operands.count && !is_full(m); k++)
        region_put(region_at(p.region, e->places[k]),
                   m->values[e->early->results.items[0]], region_integer(e->index + k),
                   get(m, e->operands.items[k]));
    if (e->places)
        return;
    const uint32_t indices = e->early->scatters;
    const struct region_value index = indices ? get(m, e->operands.items[0])
                                      : e->early->kind == FORM_ARRAY
                                          ? region_integer(e->index)
                                          : m->values[e->early->inner];
    for (uint32_t k = indices; k < e->operands.count; k++)
        region_put(p, m->values[e->early->results.items[k - indices]], index,
                   get(m, e->operands.items[k]));
}

/* --- loops ------------------------------------------------------------------------------- */

static void emit_declare(struct emit *m, struct region_place p,
                         const struct form_entry *e)
{
    if (e->index == FORM_OF_SUM)
        m->left[e->id].number = folds_sum_function(p, e->type);
    else
        m->left[e->id].loop = region_loop_open(p, "loop", e->inner);
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
    emit_block(m, region_loop_header(loop).region, &e->blocks[0]);
    if (!is_full(m))
        emit_block(m, region_loop_test(loop, get(m, e->inner)).region, &e->blocks[1]);
}

/* --- calls ------------------------------------------------------------------------------- */

/* Sets the results of an entry to those of a call from result `first` on. */
static void set_results(struct emit *m, struct region *r, const struct form_entry *e,
                        uint32_t call, uint32_t first)
{
    for (uint32_t k = 0; k < e->results.count; k++)
        m->values[e->results.items[k]] = region_result(r, call, first + k);
}

static void emit_late(struct emit *m, struct region_place p, const struct form_entry *e)
{
    if (e->early->kind == FORM_TABULATE) {
        emit_late_elements(m, p, e);
        return;
    }
    const uint32_t call = m->left[e->early->id].number;
    region_pass(p, call, e->early->operands.count, get_all(m, &e->operands),
                e->operands.count);
    set_results(m, p.region, e, call, e->early->results.count);
}

static void emit_apply(struct emit *m, struct region_place p, const struct form_entry *e)
{
    const struct region_value *arguments = get_all(m, &e->operands);
    const uint32_t function = programs_build_link(m->b,
                                                  e->is_kept ? e->pair : e->routine);
    uint32_t call;
    if (e->is_kept) {
        call = m->left[e->id].number = region_apply_paired(p, function);
        region_pass(p, call, 0, arguments, e->operands.count);
    } else {
        call = region_apply(p, function, arguments, e->operands.count);
    }
    set_results(m, p.region, e, call, 0);
}

/* The call that a DERIVE stands for is known now: finding it may have added tensors to the graph.
 */
static void emit_derive(struct emit *m, struct region_place p, const struct form_entry *e)
{
    struct form_block call = {.form = m->form};
    uint32_t *results = LIB_ARENA_ARRAY(m->arena, uint32_t, e->results.count);
    form_call_gradient(form_at(&call, p.pos), e, e->operands.items, m->b->forms.manner,
                       results);
    reserve_all(m);
    emit_block(m, p.region, &call);
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

static struct region_value emit_compute(struct emit *m, struct region_place p,
                                        const struct form_entry *e)
{
    struct region_value in[3];
    uint32_t count = e->operands.count;
    for (uint32_t i = 0; i < count; i++)
        in[i] = get(m, e->operands.items[i]);
    if (count == 3) {
        in[1] = region_two(p, ISA_OP_PAIR, ISA_INT, in[1], in[2]);
        count = 2;
    }
    return region_compute(p, e->op, form_graph_type(e->type), graph_index(e), in, count);
}

/* Returns the index in the graph of the tensor of a TENSOR. */
static uint32_t find_constant(const struct emit *m, const struct form_entry *e)
{
    const struct form_tensor *tensor = &m->form->tensors[e->index];
    uint32_t *constant = &m->shared[e->id].constant;
    if (!*constant)
        *constant = isa_graph_add_constant(m->b->graph, tensor->name, tensor->tensor) + 1;
    return *constant - 1;
}

/* Makes the nodes of an entry with one result. */
static struct region_value emit_one(struct emit *m, struct region_place p,
                                    const struct form_entry *e)
{
    const uint32_t result = e->results.items[0];
    const struct region_value in = e->operands.count ? get(m, e->operands.items[0])
                                                     : (struct region_value){0};
    const struct isa_graph *graph = m->b->graph;
    switch (e->kind) {
    case FORM_READ:
        return region_source(p, ISA_OP_READ, graph->cells[e->index].type, e->index);
    case FORM_LOAD:
        return region_source(p, ISA_OP_LOAD, ISA_INT, e->index);
    case FORM_TENSOR:
        return region_source(p, ISA_OP_LOAD, ISA_INT, find_constant(m, e));
    case FORM_PORT:
        return region_source(p, ISA_OP_PORT, e->type, e->index);
    case FORM_GIVEN:
        return region_source(p, ISA_OP_GIVEN, e->type, e->index);
    case FORM_CONTRIBUTE:
        return emit_contribution(m, p, e);
    case FORM_FETCH:
        return region_get(p, in, get(m, e->operands.items[1]));
    case FORM_CONSTRUCT:
        return emit_construct(p, e->index, get_all(m, &e->operands));
    case FORM_TO_TENSOR:
        return folds_tensor(p, in, (enum isa_element_kind)(e->index % FORM_AXIS),
                            e->index / FORM_AXIS);
    case FORM_TO_ARRAY:
        return folds_rows(p, in, form_graph_type(form_type(m->form, result)), 0,
                          region_integer(0));
    case FORM_SUM:
        return folds_sum(p,
                         e->early ? m->left[e->early->id].number
                                  : folds_sum_function(p, isa_type_element(in.type)),
                         in);
    default:
        return emit_compute(m, p, e);
    }
}

static void set_two(struct emit *m, const struct form_entry *e,
                    const struct region_value values[2])
{
    for (uint32_t k = 0; k < 2; k++)
        m->values[e->results.items[k]] = values[k];
}

static void emit_sift(struct emit *m, struct region_place p, const struct form_entry *e)
{
    const struct strands s = strands_of(m);
    struct region_value results[2];
    places_sift(p, strands_length(&s), get(m, e->operands.items[0]), results);
    set_two(m, e, results);
}

static void emit_expand(struct emit *m, struct region_place p, const struct form_entry *e)
{
    struct region_value results[2];
    places_expand(p, get(m, e->operands.items[0]), results);
    set_two(m, e, results);
}

static void emit_entry(struct emit *m, struct region_place p, const struct form_entry *e)
{
    switch (e->kind) {
    case FORM_TABULATE:
    case FORM_FOLLOW:
        (e->blocks ? emit_table : emit_elements)(m, p, e);
        return;
    case FORM_EVERY:
        emit_every(m, p, e);
        return;
    case FORM_DONE:
        m->values[e->early->results.items[0]] = get(m, e->operands.items[0]);
        return;
    case FORM_TOTAL:
        emit_contribution(m, p, e);
        return;
    case FORM_APPLY:
        emit_apply(m, p, e);
        return;
    case FORM_LATE:
        emit_late(m, p, e);
        return;
    case FORM_DERIVE:
        emit_derive(m, p, e);
        return;
    case FORM_SIFT:
        emit_sift(m, p, e);
        return;
    case FORM_EXPAND:
        emit_expand(m, p, e);
        return;
    case FORM_ARRAY:
        make_arrays(m, p, e, region_integer(e->index));
        return;
    case FORM_LIST:
        emit_list(m, p, e);
        return;
    case FORM_STORE:
        emit_element(m, p, e);
        return;
    case FORM_DECLARE:
        emit_declare(m, p, e);
        return;
    case FORM_LOOP:
        emit_loop(m, e);
        return;
    case FORM_NEXT:
        region_loop_next(loop_of(m, e), e->index, get(m, e->operands.items[0]), p.pos);
        return;
    case FORM_CLOSE:
        region_loop_close(loop_of(m, e));
        return;
    case FORM_EXIT:
        if (!m->left[e->id].is_taken)
            m->values[e->results.items[0]] = region_loop_exit(loop_of(m, e), e->index,
                                                              p.pos);
        return;
    case FORM_WRITE:
        region_consume(p, e->op, e->index, get(m, e->operands.items[0]));
        return;
    default:
        m->values[e->results.items[0]] = emit_one(m, p, e);
    }
}

/* --- blocks ------------------------------------------------------------------------------ */

static void split_region(struct emit *m, struct region_place p,
                         const struct form_entry *e)
{
    struct region_place *inner = m->branches[e->branch->id];
    if (!inner[0].region)
        region_split(p, get(m, e->branch->condition), inner);
}

static void merge_results(struct emit *m, struct region_place p,
                          const struct form_entry *e)
{
    for (uint32_t k = 0; k < e->results.count; k++)
        m->values[e->results.items[k]] = region_merge(
            p, m->branches[e->branch->id], get(m, e->operands.items[2 * k]),
            get(m, e->operands.items[2 * k + 1]));
}

static void emit_block(struct emit *m, struct region *r, const struct form_block *block)
{
    struct form_walk walk = form_walk_branches(block);
    while (!is_full(m) && form_walk_step(&walk)) {
        const struct form_entry *e = walk.entry, *of = walk.at.of;
        const struct region_place p = region_at(
            of ? m->branches[of->branch->id][walk.at.side].region : r, e->pos);
        if (walk.step == FORM_STEP_ENTRY)
            emit_entry(m, p, e);
        else if (walk.step == FORM_STEP_BEGIN)
            split_region(m, p, e);
        else
            merge_results(m, p, e);
    }
    form_walk_end(&walk);
}

void programs_build_emit(struct programs_builder *b, struct form *form, uint32_t function,
                         struct lib_pos pos)
{
    struct lib_arena *arena = lib_arena_new();
    struct region *top = region_top(b->graph, arena, function, b->options);
    const uint32_t count = b->graph->functions[function].param_count;
    struct region_value *params = LIB_ARENA_ARRAY(arena, struct region_value, count);
    for (uint32_t i = 0; i < count; i++)
        params[i] = region_param(region_at(top, form->params ? form->params[i].pos : pos),
                                 i);
    struct emit m = start_emit(b, arena, form, params);
    emit_block(&m, top, &form->top);
    for (uint32_t k = 0; k < form->results.count && !is_full(&m); k++)
        region_consume(region_at(top, pos), ISA_OP_RESULT, k,
                       get(&m, form->results.items[k]));
    lib_arena_free(arena);
}

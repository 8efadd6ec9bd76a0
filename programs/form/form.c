#include "programs/form/form.h"

#include "isa/kernel_use.h"
#include "isa/tensor/element.h"

#include <assert.h>
#include <string.h>

/* --- routines ----------------------------------------------------------------------------- */

void form_program_init(struct form_program *program, struct lib_arena *arena,
                       struct isa_graph *graph)
{
    *program = (struct form_program){.arena = arena, .graph = graph};
    for (unsigned type = 0; type < ISA_TYPE_LIMIT; type++)
        program->zeros[type] = program->adds[type] = program->totals[type] =
            program->puts[type] = FORM_NONE;
    for (int i = 0; i < FORM_EMPTIES; i++)
        program->nothings[i] = FORM_NONE;
}

uint32_t form_add_routine(struct form_program *program, enum form_routine_kind kind,
                          const char *name, struct lib_pos pos)
{
    LIB_ARENA_RESERVE(program->arena, program->routines, &program->routine_capacity,
                      program->routine_count + 1);
    program->routines[program->routine_count] = (struct form_routine){
        .kind = kind, .name = name, .pos = pos};
    return program->routine_count++;
}

static enum isa_type *copy_types(struct lib_arena *arena, const enum isa_type *types,
                                 uint32_t count)
{
    enum isa_type *copy = LIB_ARENA_ARRAY(arena, enum isa_type, count);
    if (count)
        memcpy(copy, types, count * sizeof *types);
    return copy;
}

void form_set_types(struct form_program *program, uint32_t routine,
                    const enum isa_type *params, uint32_t param_count,
                    const enum isa_type *results, uint32_t result_count)
{
    struct form_routine *r = &program->routines[routine];
    r->params = copy_types(program->arena, params, param_count);
    r->param_count = param_count;
    r->results = copy_types(program->arena, results, result_count);
    r->result_count = result_count;
}

struct form *form_of(struct form_program *program, uint32_t routine)
{
    if (!program->routines[routine].form)
        program->make(program, routine);
    return program->routines[routine].form;
}

/* --- values --------------------------------------------------------------------------------- */

struct form *form_new(struct form_program *program, struct lib_arena *arena)
{
    struct form *form = LIB_ARENA_NEW(arena, struct form);
    *form = (struct form){
        .program = program, .arena = arena, .routine = FORM_NONE, .top = {.form = form}};
    return form;
}

void form_push_id(struct lib_arena *arena, struct form_ids *ids, uint32_t id)
{
    *LIB_ARENA_PUSH(arena, ids) = id;
}

bool form_push_id_once(struct lib_arena *arena, struct form_ids *ids, uint32_t id)
{
    if (form_find_id(ids, id) != FORM_NONE)
        return false;
    form_push_id(arena, ids, id);
    return true;
}

uint32_t form_find_id(const struct form_ids *ids, uint32_t id)
{
    for (uint32_t i = 0; i < ids->count; i++)
        if (ids->items[i] == id)
            return i;
    return FORM_NONE;
}

uint32_t form_add_value(struct form *form, struct form_value value)
{
    LIB_ARENA_RESERVE(form->arena, form->values, &form->value_capacity,
                      form->value_count + 1);
    form->values[form->value_count] = value;
    return form->value_count++;
}

uint32_t form_literal(struct form *form, enum isa_type type, isa_value value)
{
    return form_add_value(
        form, (struct form_value){.kind = FORM_LITERAL, .type = type, .literal = value});
}

uint32_t form_real(struct form *form, double real)
{
    return form_literal(form, ISA_REAL, isa_value_of_real(real));
}

uint32_t form_param(struct form *form, enum isa_type type, uint32_t index)
{
    return form_add_value(
        form, (struct form_value){.kind = FORM_PARAM, .type = type, .index = index});
}

uint32_t form_find_param(const struct form *form, uint32_t index)
{
    for (uint32_t v = 0; v < form->value_count; v++)
        if (form->values[v].kind == FORM_PARAM && form->values[v].index == index)
            return v;
    return FORM_NONE;
}

uint32_t form_add_tensor(struct form *form, const char *name, struct isa_tensor *tensor)
{
    LIB_ARENA_RESERVE(form->arena, form->tensors, &form->tensor_capacity,
                      form->tensor_count + 1);
    form->tensors[form->tensor_count] = (struct form_tensor){name, tensor};
    return form->tensor_count++;
}

/* --- entries --------------------------------------------------------------------------------- */

void form_add_to_block(struct form_block *block, struct form_entry *entry)
{
    *LIB_ARENA_PUSH(block->form->arena, block) = entry;
}

struct form_entry *form_add_entry(struct form_place p, enum form_entry_kind kind)
{
    struct form_entry *entry = LIB_ARENA_NEW(p.form->arena, struct form_entry);
    *entry = (struct form_entry){.kind = kind,
                                 .id = p.form->entry_count++,
                                 .routine = FORM_NONE,
                                 .pair = FORM_NONE,
                                 .pos = p.pos};
    form_add_to_block(p.block, entry);
    return entry;
}

void form_add_blocks(struct form_place p, struct form_entry *entry)
{
    entry->blocks = LIB_ARENA_ARRAY(p.form->arena, struct form_block, 2);
    entry->blocks[0].form = entry->blocks[1].form = p.form;
}

void form_add_operand(struct form_place p, struct form_entry *entry, uint32_t value)
{
    form_push_id(p.form->arena, &entry->operands, value);
}

uint32_t form_add_result(struct form_place p, struct form_entry *entry,
                         enum isa_type type)
{
    const uint32_t value = form_add_value(
        p.form, (struct form_value){.kind = FORM_MADE, .type = type});
    form_push_id(p.form->arena, &entry->results, value);
    return value;
}

/* Returns the type that a MAP or COMBINE makes: whether its elements have a derivative follows
 * from the rule of the kernel. */
static enum isa_type tensor_type(const struct form *form, uint32_t index,
                                 const uint32_t *operands)
{
    const unsigned use = isa_use_of(index);
    if (use >= ISA_USE_LIFT)
        return form_type(form, operands[0]);
    if (use >= ISA_KERNEL_COUNT)
        return ISA_TENSOR;
    const struct isa_element_rule *rule = isa_kernel_elements((enum isa_kernel)use);
    if (rule->result == ISA_RESULT_GIVEN)
        return isa_element_is_real((enum isa_element_kind)rule->given) ? ISA_TENSOR
                                                                       : FORM_WHOLES;
    return form_type(form, operands[rule->result == ISA_RESULT_SECOND]);
}

static enum isa_type type_of(struct form_place p, enum isa_op op, enum isa_type type,
                             uint32_t index, const uint32_t *operands)
{
    const struct isa_node node = {.op = op, .type = type};
    if (op == ISA_OP_MAP || op == ISA_OP_COMBINE)
        return tensor_type(p.form, index, operands);
    if (op == ISA_OP_VECTOR)
        return form_type(p.form, operands[0]);
    if (op == ISA_OP_SCALAR_I || op == ISA_OP_SCALAR_B || op == ISA_OP_SHAPE)
        return FORM_WHOLES;
    return isa_node_output_type(p.program->graph, &node, 0);
}

uint32_t form_compute(struct form_place p, enum isa_op op, enum isa_type type,
                      uint32_t index, const uint32_t *operands, uint32_t count)
{
    struct form_entry *entry = form_add_entry(p, FORM_COMPUTE);
    entry->op = op;
    entry->type = type;
    entry->index = index;
    for (uint32_t i = 0; i < count; i++)
        form_add_operand(p, entry, operands[i]);
    const uint32_t result = form_add_result(p, entry,
                                            type_of(p, op, type, index, operands));
    p.form->values[result].index = op;
    return result;
}

uint32_t form_compute_1(struct form_place p, enum isa_op op, uint32_t a)
{
    return form_compute(p, op, ISA_INT, 0, &a, 1);
}

uint32_t form_compute_2(struct form_place p, enum isa_op op, uint32_t a, uint32_t b)
{
    return form_compute(p, op, ISA_INT, 0, (const uint32_t[]){a, b}, 2);
}

uint32_t form_integer(struct form_place p, int64_t i)
{
    return form_literal(p.form, ISA_INT, isa_value_of_int(i));
}

uint32_t form_fetch(struct form_place p, uint32_t array, uint32_t index)
{
    struct form_entry *entry = form_add_entry(p, FORM_FETCH);
    form_add_operand(p, entry, array);
    form_add_operand(p, entry, index);
    return form_add_result(p, entry, isa_type_element(form_type(p.form, array)));
}

uint32_t form_length(struct form_place p, uint32_t array)
{
    return form_compute(p, ISA_OP_LENGTH, isa_type_element(form_type(p.form, array)), 0,
                        &array, 1);
}

static bool is_same_name(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

/* Whether two constructors are the same; `b`, in a graph, has a shape. */
static bool is_same_constructor(const struct isa_constructor *a,
                                const struct isa_constructor *b)
{
    if (a->number != b->number || a->field_count != b->field_count ||
        strcmp(a->name, b->name) != 0 || strcmp(a->type, b->type) != 0 ||
        (a->shape && strcmp(a->shape, b->shape) != 0))
        return false;
    for (uint32_t i = 0; i < a->field_count; i++)
        if (a->fields[i].type != b->fields[i].type ||
            !is_same_name(a->fields[i].name, b->fields[i].name))
            return false;
    return true;
}

uint32_t form_constructor(struct form_program *program,
                          const struct isa_constructor *constructor)
{
    struct isa_graph *graph = program->graph;
    for (uint32_t i = 0; i < graph->constructor_count; i++)
        if (is_same_constructor(constructor, &graph->constructors[i]))
            return i;
    return isa_graph_add_constructor(graph, constructor);
}

uint32_t form_construct(struct form_place p, uint32_t constructor, const uint32_t *fields)
{
    const struct isa_constructor *c = &p.program->graph->constructors[constructor];
    if (c->field_count == 0)
        return form_literal(p.form, ISA_DATA, constructor);
    struct form_entry *entry = form_add_entry(p, FORM_CONSTRUCT);
    entry->index = constructor;
    for (uint32_t i = 0; i < c->field_count; i++)
        form_add_operand(p, entry, fields[i]);
    return form_add_result(p, entry, ISA_DATA);
}

uint32_t form_field(struct form_place p, uint32_t constructor, uint32_t field,
                    uint32_t data)
{
    const struct isa_constructor *c = &p.program->graph->constructors[constructor];
    assert(field < c->field_count);
    return form_compute(p, ISA_OP_FIELD, c->fields[field].type, c->first + field, &data,
                        1);
}

uint32_t form_constructor_number(struct form_place p, uint32_t data)
{
    return form_compute_1(p, ISA_OP_CONSTRUCTOR, data);
}

uint32_t form_read(struct form_place p, uint32_t cell, enum isa_type type)
{
    return form_convert(p, FORM_READ, FORM_NONE, cell, type);
}

uint32_t form_convert(struct form_place p, enum form_entry_kind kind, uint32_t operand,
                      uint32_t index, enum isa_type type)
{
    struct form_entry *entry = form_add_entry(p, kind);
    entry->index = index;
    if (operand != FORM_NONE)
        form_add_operand(p, entry, operand);
    return form_add_result(p, entry, type);
}

uint32_t form_shape(struct form_place p, uint32_t tensor)
{
    struct form *form = p.form;
    LIB_ARENA_RESERVE(form->arena, form->extents, &form->extents_count,
                      form->value_count);
    if (form->extents[tensor].in != p.block)
        form->extents[tensor] = (struct form_extents){
            form_compute_1(p, ISA_OP_SHAPE, tensor), p.block};
    return form->extents[tensor].value;
}

struct form_entry *form_apply(struct form_place p, uint32_t routine,
                              const uint32_t *arguments, uint32_t count)
{
    struct form_entry *entry = form_add_entry(p, FORM_APPLY);
    const struct form_routine *r = &p.program->routines[routine];
    entry->routine = routine;
    for (uint32_t i = 0; i < count; i++)
        form_add_operand(p, entry, arguments[i]);
    for (uint32_t k = 0; k < r->result_count; k++)
        form_add_result(p, entry, r->results[k]);
    return entry;
}

struct form_entry form_store_of(const struct form_entry *entry, uint32_t k)
{
    struct form_entry one = *entry;
    if (entry->kind != FORM_STORE || !entry->places)
        return one;
    one.id += k;
    one.index += k;
    one.pos = entry->places[k];
    one.places = NULL;
    one.operands = (struct form_ids){&entry->operands.items[k], 1, 1};
    return one;
}

struct form_entry *form_go_on(struct form_place p, struct form_branch *branch)
{
    struct form_entry *entry = form_add_entry(p, FORM_BRANCH);
    entry->branch = branch;
    form_add_blocks(p, entry);
    return entry;
}

struct form_entry *form_split(struct form_place p, uint32_t condition)
{
    struct form_branch *branch = LIB_ARENA_NEW(p.form->arena, struct form_branch);
    *branch = (struct form_branch){condition, p.form->branch_count++};
    return form_go_on(p, branch);
}

struct form_place form_side(struct form_place p, const struct form_entry *branch,
                            unsigned side)
{
    p.block = &branch->blocks[side];
    return p;
}

uint32_t form_merge(struct form_place p, struct form_entry *branch, uint32_t when_true,
                    uint32_t when_false)
{
    form_add_operand(p, branch, when_true);
    form_add_operand(p, branch, when_false);
    return form_add_result(p, branch, form_type(p.form, when_true));
}

static void replace_id(struct form_ids *ids, uint32_t from, uint32_t to)
{
    for (uint32_t i = 0; i < ids->count; i++)
        if (ids->items[i] == from)
            ids->items[i] = to;
}

void form_replace(struct form *form, uint32_t from, uint32_t to)
{
    struct form_walk walk = form_walk_of(&form->top);
    for (struct form_entry *e; (e = form_walk_next(&walk));) {
        replace_id(&e->operands, from, to);
        if (e->kind == FORM_BRANCH && e->branch->condition == from)
            e->branch->condition = to;
    }
    replace_id(&form->results, from, to);
}

/* --- walks -------------------------------------------------------------------------- */

static void open_block(struct form_walk *walk, const struct form_entry *of, uint32_t side)
{
    const struct form_block *block = &of->blocks[side];
    walk->at = (struct form_walk_frame){block, walk->is_back ? block->count : 0, of,
                                        side};
}

enum form_step form_walk_step(struct form_walk *walk)
{
    struct form_walk_frame *at = &walk->at;
    if (walk->step == FORM_STEP_BEGIN) {
        *LIB_VEC_PUSH(&walk->outer) = *at;
        open_block(walk, walk->entry, 0);
    }
    while (at->next == (walk->is_back ? 0 : at->block->count)) {
        if (!at->of) {
            form_walk_end(walk);
            return walk->step = FORM_STEP_NONE;
        }
        if (at->side == 1) {
            *at = walk->outer.items[--walk->outer.count];
            walk->entry = at->block->items[walk->is_back ? at->next : at->next - 1];
            return walk->step = FORM_STEP_END;
        }
        open_block(walk, at->of, 1);
    }
    struct form_entry *e = at->block->items[walk->is_back ? --at->next : at->next++];
    const bool enters = e->blocks && (e->kind == FORM_BRANCH || !walk->only_branches);
    walk->entry = e;
    return walk->step = enters ? FORM_STEP_BEGIN : FORM_STEP_ENTRY;
}

struct form_entry *form_walk_next(struct form_walk *walk)
{
    while (form_walk_step(walk) == FORM_STEP_BEGIN)
        ;
    return walk->step == FORM_STEP_NONE ? NULL : walk->entry;
}

void form_walk_end(struct form_walk *walk)
{
    LIB_VEC_FREE(&walk->outer);
}

void form_calls_enter(struct form_calls_walk *walk, uint32_t routine)
{
    while (walk->is_seen.count <= routine)
        *LIB_VEC_PUSH(&walk->is_seen) = false;
    if (walk->is_seen.items[routine])
        return;
    walk->is_seen.items[routine] = true;
    const struct form *form = form_of(walk->program, routine);
    *LIB_VEC_PUSH(&walk->stack) = form_walk_of(&form->top);
}

const struct form_entry *form_calls_next(struct form_calls_walk *walk)
{
    for (; walk->stack.count; walk->stack.count--) {
        const struct form_entry *e = form_walk_next(
            &walk->stack.items[walk->stack.count - 1]);
        if (e)
            return e;
    }
    return NULL;
}

void form_calls_end(struct form_calls_walk *walk)
{
    for (size_t i = 0; i < walk->stack.count; i++)
        form_walk_end(&walk->stack.items[i]);
    LIB_VEC_FREE(&walk->stack, &walk->is_seen);
}

const struct form_entry *form_find_maker(const struct form *form, uint32_t value)
{
    struct form_walk walk = form_walk_of(&form->top);
    const struct form_entry *e;
    while ((e = form_walk_next(&walk)) && form_find_id(&e->results, value) == FORM_NONE)
        ;
    form_walk_end(&walk);
    return e;
}

/* --- copies ------------------------------------------------------------------------- */

/* A copy of a form, or of a part of one, into another. */
struct copy {
    struct form *to;
    const uint32_t *map;         /* for each value: its id in the copy; NULL: the same */
    struct form_entry **entries; /* for each entry: its copy, or NULL */
    struct form_branch **branches; /* for each conditional: its copy, or NULL */
};

static struct form_ids copy_ids(const struct copy *c, const struct form_ids *ids)
{
    struct form_ids copy = {0};
    for (uint32_t i = 0; i < ids->count; i++)
        form_push_id(c->to->arena, &copy, c->map ? c->map[ids->items[i]] : ids->items[i]);
    return copy;
}

static struct form_branch *copy_branch(const struct copy *c,
                                       const struct form_branch *branch)
{
    struct form_branch **copy = &c->branches[branch->id];
    if (!*copy) {
        *copy = LIB_ARENA_NEW(c->to->arena, struct form_branch);
        **copy = c->map ? (struct form_branch){c->map[branch->condition],
                                               c->to->branch_count++}
                        : *branch;
    }
    return *copy;
}

static void copy_entry(const struct copy *c, struct form_block *to,
                       const struct form_entry *e)
{
    const struct form_place p = form_at(to, e->pos);
    struct form_entry *copy = form_add_entry(p, e->kind);
    const uint32_t id = c->map ? copy->id : e->id;
    *copy = *e;
    copy->id = id;
    c->entries[e->id] = copy;
    copy->operands = copy_ids(c, &e->operands);
    copy->results = copy_ids(c, &e->results);
    if (e->early)
        copy->early = c->entries[e->early->id];
    if (e->kind == FORM_BRANCH)
        copy->branch = copy_branch(c, e->branch);
    if (e->blocks)
        form_add_blocks(p, copy);
    if (e->blocks && e->kind != FORM_BRANCH && c->map)
        copy->inner = c->map[e->inner];
}

static void copy_block(const struct copy *c, struct form_block *to,
                       const struct form_block *from)
{
    struct form_walk walk = form_walk_of(from);
    while (form_walk_step(&walk)) {
        const struct form_entry *of = walk.at.of;
        if (walk.step != FORM_STEP_END)
            copy_entry(c, of ? &c->entries[of->id]->blocks[walk.at.side] : to,
                       walk.entry);
    }
}

static struct copy start_copy(const struct form *from, struct form *to,
                              const uint32_t *map)
{
    struct lib_arena *arena = from->program->arena;
    return (struct copy){
        to, map, LIB_ARENA_ARRAY(arena, struct form_entry *, from->entry_count),
        LIB_ARENA_ARRAY(arena, struct form_branch *, from->branch_count)};
}

struct form *form_copy(struct form_program *program, const struct form *form)
{
    struct form *to = form_new(program, program->arena);
    const struct copy c = start_copy(form, to, NULL);
    for (uint32_t v = 0; v < form->value_count; v++)
        form_add_value(to, form->values[v]);
    to->results = copy_ids(&c, &form->results);
    copy_block(&c, &to->top, &form->top);
    to->has_loops = form->has_loops;
    to->entry_count = form->entry_count;
    to->branch_count = form->branch_count;
    return to;
}

void form_copy_block(struct form_block *to, const struct form_block *from,
                     const uint32_t *map)
{
    const struct copy c = start_copy(from->form, to->form, map);
    copy_block(&c, to, from);
}

void form_inline(struct form_place p, uint32_t routine, const uint32_t *arguments,
                 struct form_ids *results)
{
    const struct form *from = form_of(p.program, routine);
    uint32_t *map = LIB_ARENA_ARRAY(p.program->arena, uint32_t, from->value_count);
    for (uint32_t v = 0; v < from->value_count; v++)
        map[v] = from->values[v].kind == FORM_PARAM
                     ? arguments[from->values[v].index]
                     : form_add_value(p.form, from->values[v]);
    form_copy_block(p.block, &from->top, map);
    for (uint32_t k = 0; k < from->results.count; k++)
        form_push_id(p.program->arena, results, map[from->results.items[k]]);
}

#include "programs/gradient/calls.h"

#include "lib/memory.h"
#include "programs/gradient/deferred.h"

#include <assert.h>

/* The form of a routine that is being made: of a function, or of a loop or comprehension in it. */
struct level {
    struct form *form;
    struct level *outer; /* NULL: the function */
    uint32_t routine;
    struct form_ids from,
        to; /* values of `outer` that are used here, and their parameters */
    struct form_ids types; /* types of all parameters */
};

/* A value of the source in the form of a level. */
struct made {
    struct level *level;
    uint32_t id;
};

/* A loop that is being made. */
struct loop {
    struct level *outside, *inside;
    struct form_block *block;   /* of `outside` */
    struct form_entry *entered; /* call that enters the loop, before its uses */
    struct form_entry *test;    /* conditional in the loop */
    struct form_ids variables,
        next;              /* values of each variable: at the start and end of the body */
    struct form_ids exits; /* variables that are results, in order */
};

struct calls {
    struct form_program *program;
    const struct form *source;
    struct made
        *values; /* for each value of the source that is neither literal nor input */
    struct loop **loops;      /* for each DECLARE of a loop */
    struct form_entry **made; /* for each BRANCH: what it has become */
    uint32_t **elements; /* for each ARRAY: values of the source, element by element */
};

static void convert_block(struct calls *c, struct level *level, struct form_block *to,
                          const struct form_block *from);

/* --- levels ------------------------------------------------------------------------------ */

static uint32_t new_param(struct level *level, enum isa_type type)
{
    const uint32_t id = form_param(level->form, type, level->types.count);
    form_push_id(level->form->arena, &level->types, type);
    return id;
}

/* Returns the id of a value of the source in the form of a level. A value of another form becomes
 * a parameter. */
static uint32_t value_in(struct calls *c, struct level *level, uint32_t value)
{
    const struct form_value *v = &c->source->values[value];
    if (v->kind == FORM_LITERAL || v->kind == FORM_INPUT)
        return form_add_value(level->form, *v);
    if (c->values[value].level == level)
        return c->values[value].id;
    assert(level->outer); /* values are used where they are visible */
    const uint32_t outside = value_in(c, level->outer, value);
    const uint32_t known = form_find_id(&level->from, outside);
    if (known != FORM_NONE)
        return level->to.items[known];
    const uint32_t id = new_param(level, v->type);
    form_push_id(level->form->arena, &level->from, outside);
    form_push_id(level->form->arena, &level->to, id);
    return id;
}

static void set_value(struct calls *c, uint32_t value, struct level *level, uint32_t id)
{
    c->values[value] = (struct made){level, id};
}

static struct form_ids values_in(struct calls *c, struct level *level,
                                 const struct form_ids *values)
{
    struct form_ids ids = {0};
    for (uint32_t i = 0; i < values->count; i++)
        form_push_id(c->program->arena, &ids, value_in(c, level, values->items[i]));
    return ids;
}

static struct level *open_level(struct calls *c, struct level *outer, const char *what,
                                struct lib_pos pos)
{
    struct form_program *program = c->program;
    struct level *level = LIB_ARENA_NEW(program->arena, struct level);
    const char *name = lib_arena_printf(program->arena, "%s.%s", c->source->name, what);
    *level = (struct level){
        .form = form_new(program, program->arena),
        .outer = outer,
        .routine = form_add_routine(program, FORM_HELPER, name, pos),
    };
    program->routines[level->routine].form = level->form;
    return level;
}

/* Adds the values from outside to the operands of the entry that calls the routine of a level. */
static void add_captures(struct form_place p, const struct level *level,
                         struct form_entry *call)
{
    for (uint32_t i = 0; i < level->from.count; i++)
        form_add_operand(p, call, level->from.items[i]);
}

static void close_level(struct level *level)
{
    const struct form *form = level->form;
    struct lib_arena *arena = form->arena;
    const uint32_t results = form->results.count;
    enum isa_type *params = LIB_ARENA_ARRAY(arena, enum isa_type, level->types.count);
    enum isa_type *types = LIB_ARENA_ARRAY(arena, enum isa_type, results);
    for (uint32_t i = 0; i < level->types.count; i++)
        params[i] = (enum isa_type)level->types.items[i];
    for (uint32_t k = 0; k < results; k++)
        types[k] = form_type(form, form->results.items[k]);
    form_set_types(form->program, level->routine, params, level->types.count, types,
                   results);
}

/* --- loops ------------------------------------------------------------------------------- */

static void declare_loop(struct calls *c, struct level *level, struct form_block *to,
                         const struct form_entry *e)
{
    struct loop *loop = LIB_ARENA_NEW(c->program->arena, struct loop);
    *loop = (struct loop){
        .outside = level, .block = to, .inside = open_level(c, level, "loop", e->pos)};
    struct form_routine *r = &c->program->routines[loop->inside->routine];
    r->is_loop = true;
    r->bound = e->inner;
    c->loops[e->id] = loop;
}

static struct loop *loop_of(const struct calls *c, const struct form_entry *e)
{
    return c->loops[(e->kind == FORM_LOOP ? e : e->early)->early->id];
}

static void convert_loop(struct calls *c, struct form_place p, const struct form_entry *e)
{
    struct loop *loop = loop_of(c, e);
    struct lib_arena *arena = c->program->arena;
    struct level *inside = loop->inside;
    struct form_block *top = &inside->form->top;
    struct form_ids initial = {0};
    for (uint32_t i = 0; i < e->operands.count; i++) {
        const uint32_t value = e->operands.items[i];
        form_push_id(arena, &initial, value_in(c, loop->outside, value));
        const uint32_t id = new_param(inside, form_type(c->source, value));
        form_push_id(arena, &loop->variables, id);
        form_push_id(arena, &loop->next, id);
        set_value(c, e->results.items[i], inside, id);
    }
    convert_block(c, inside, top, &e->blocks[0]);
    loop->entered = form_add_entry(p, FORM_APPLY);
    loop->entered->routine = inside->routine;
    loop->entered->operands = initial;
    loop->test = form_split(form_at(top, e->pos), value_in(c, inside, e->inner));
    convert_block(c, inside, &loop->test->blocks[0], &e->blocks[1]);
}

static void exit_loop(struct calls *c, const struct form_entry *e)
{
    struct loop *loop = loop_of(c, e);
    const struct form_place p = form_at(loop->block, e->pos);
    const uint32_t variable = loop->variables.items[e->index];
    const uint32_t after = form_add_result(p, loop->entered,
                                           form_type(loop->inside->form, variable));
    set_value(c, e->results.items[0], loop->outside, after);
    form_push_id(c->program->arena, &loop->exits, e->index);
}

static void drop_entry(struct form_block *block, const struct form_entry *entry)
{
    uint32_t left = 0;
    for (uint32_t i = 0; i < block->count; i++)
        if (block->items[i] != entry)
            block->items[left++] = block->items[i];
    block->count = left;
}

/* Ends a loop: in the body, the routine returns the result of calling itself; else, the
 * variables. A loop whose variables are not used afterwards is not entered, as a routine has a
 * result. */
static void close_loop(struct calls *c, const struct form_entry *e)
{
    struct loop *loop = loop_of(c, e);
    struct level *inside = loop->inside;
    const struct lib_pos pos = e->early->pos;
    const struct form_place top = form_at(&inside->form->top, pos);
    const struct form_place body = form_side(top, loop->test, 0);
    struct form_entry *again = form_add_entry(body, FORM_APPLY);
    again->routine = inside->routine;
    for (uint32_t i = 0; i < loop->next.count; i++)
        form_add_operand(body, again, loop->next.items[i]);
    for (uint32_t i = 0; i < inside->to.count; i++)
        form_add_operand(body, again, inside->to.items[i]);
    add_captures(form_at(loop->block, pos), inside, loop->entered);
    for (uint32_t k = 0; k < loop->exits.count; k++) {
        const uint32_t last = loop->variables.items[loop->exits.items[k]];
        const uint32_t result = form_add_result(body, again,
                                                form_type(inside->form, last));
        form_push_id(c->program->arena, &inside->form->results,
                     form_merge(top, loop->test, result, last));
    }
    close_level(inside);
    struct form_loop *made = LIB_ARENA_NEW(c->program->arena, struct form_loop);
    *made = (struct form_loop){loop->test, again, loop->variables.count, loop->exits};
    c->program->routines[inside->routine].loop = made;
    if (loop->exits.count == 0)
        drop_entry(loop->block, loop->entered);
}

/* --- arrays ------------------------------------------------------------------------------ */

/* A form for gradients has no arrays that grow: they have the length of the port. */
static void convert_elements(struct calls *c, struct level *level, struct form_place p,
                             const struct form_entry *e)
{
    uint32_t length = value_in(c, level, e->operands.items[0]);
    if (e->kind == FORM_FOLLOW)
        length = form_length(p, length);
    struct form_entry *made = form_add_entry(p, FORM_TABULATE);
    if (e->scatters && !c->program->scattered.line)
        c->program->scattered = e->pos;
    made->index = e->kind == FORM_TABULATE ? e->index : 0;
    made->reads_itself = e->reads_itself || e->kind == FORM_FOLLOW;
    form_add_operand(p, made, length);
    for (uint32_t k = 0; k < e->results.count; k++)
        set_value(c, e->results.items[k], level,
                  form_add_result(p, made, form_type(c->source, e->results.items[k])));
    struct level *inside = open_level(c, level, "array", e->pos);
    made->routine = inside->routine;
    set_value(c, e->inner, inside, new_param(inside, ISA_INT));
    convert_block(c, inside, &inside->form->top, &e->blocks[0]);
    add_captures(p, inside, made);
    close_level(inside);
}

/* Adds the LISTs of an ARRAY whose elements are all known. */
static void add_lists(struct calls *c, struct level *level, struct form_block *to,
                      const struct form_entry *array)
{
    const struct form_place p = form_at(to, array->pos);
    const uint32_t width = array->results.count;
    for (uint32_t k = 0; k < width; k++) {
        struct form_ids ids = {0};
        for (uint32_t i = 0; i < array->index; i++)
            form_push_id(p.form->arena, &ids,
                         value_in(c, level, c->elements[array->id][i * width + k]));
        struct form_entry *list = form_add_entry(p, FORM_LIST);
        list->operands = ids;
        const uint32_t result = array->results.items[k];
        set_value(c, result, level,
                  form_add_result(p, list, form_type(c->source, result)));
    }
}

static void convert_array(struct calls *c, struct level *level, struct form_block *to,
                          const struct form_entry *e)
{
    c->elements[e->id] = LIB_ARENA_ARRAY(c->program->arena, uint32_t,
                                         e->index * e->results.count);
    if (e->index == 0)
        add_lists(c, level, to, e);
}

static void convert_store(struct calls *c, struct level *level, struct form_block *to,
                          const struct form_entry *e)
{
    const uint32_t width = e->operands.count;
    const bool is_list = e->early->kind == FORM_ARRAY;
    for (uint32_t k = e->early->scatters; k < width; k++)
        if (is_list)
            c->elements[e->early->id][e->index * width + k] = e->operands.items[k];
        else
            form_push_id(c->program->arena, &level->form->results,
                         value_in(c, level, e->operands.items[k]));
    if (is_list && e->index + 1 == e->early->index)
        add_lists(c, level, to, e->early);
}

/* --- gradients --------------------------------------------------------------------------- */

/* Sets `results` to the values of a gradient, three for each param; two are empty if the gradient
 * gives a tensor. */
static void list_rows(struct form_place p, uint32_t routine, const struct form_ids *given,
                      uint32_t *results)
{
    const struct form_routine gradient = p.program->routines[routine];
    const uint32_t count = gradient.wanted.count;
    bool *are_rows = p.program->given_rows;
    uint32_t from = given->count, next = 0;
    for (uint32_t i = 0; i < count; i++) {
        are_rows[i] = form_given_as(p.program, gradient.giving, gradient.of,
                                    gradient.wanted.items[i]) != FORM_DENSE;
        from -= are_rows[i] ? 3 : 1;
    }
    for (; next < from; next++)
        results[next] = given->items[next];
    for (uint32_t i = 0; i < count; i++)
        for (unsigned part = 0; part < 3; part++)
            results[next++] = part == 0 || are_rows[i] ? given->items[from++]
                                                       : form_nothing(p, FORM_ROWS, part);
}

void form_call_gradient(struct form_place p, const struct form_entry *derive,
                        const uint32_t *arguments, unsigned manner, uint32_t *results)
{
    const bool gives_rows = derive->derive->gives_rows;
    const uint32_t routine = form_gradient(
        p.program, FORM_GRADIENT, manner,
        gives_rows && p.program->defers ? FORM_GIVES_TABLES : FORM_GIVES_DENSE,
        derive->routine, &derive->derive->wanted);
    p.program->derived(p.program, derive->derive->source);
    const struct form_entry *call = form_apply(p, routine, arguments,
                                               derive->operands.count);
    if (gives_rows)
        list_rows(p, routine, &call->results, results);
    for (uint32_t k = 0; !gives_rows && k < derive->results.count; k++)
        results[k] = call->results.items[k];
}

/* --- other entries ----------------------------------------------------------------------- */

static void copy_entry(struct calls *c, struct level *level, struct form_place p,
                       const struct form_entry *e)
{
    const struct form_ids operands = values_in(c, level, &e->operands);
    struct form_entry *copy = form_add_entry(p, e->kind);
    copy->op = e->op;
    copy->type = e->type;
    copy->index = e->index;
    copy->routine = e->routine;
    copy->operands = operands;
    for (uint32_t k = 0; k < e->results.count; k++) {
        const struct form_value *v = &c->source->values[e->results.items[k]];
        const uint32_t result = form_add_result(p, copy, v->type);
        p.form->values[result].index = v->index;
        set_value(c, e->results.items[k], level, result);
    }
}

/* Adds a LOAD of a tensor, which becomes a tensor of the graph. */
static uint32_t load_tensor(struct calls *c, struct form_place p,
                            const struct form_entry *e)
{
    const struct form_tensor *t = &c->source->tensors[e->index];
    return form_convert(p, FORM_LOAD, FORM_NONE,
                        isa_graph_add_constant(p.program->graph, t->name, t->tensor),
                        form_type(c->source, e->results.items[0]));
}

/* An element of a vector is the only element of a row, as the adjoint of an ITEM is that of a
 * tensor's only element. */
static uint32_t convert_item(struct calls *c, struct level *level, struct form_place p,
                             const struct form_entry *e)
{
    const uint32_t tensor = value_in(c, level, e->operands.items[0]);
    const uint32_t index = form_number(p, value_in(c, level, e->operands.items[1]));
    const uint32_t row = form_map_at(p, ISA_USE_DROP, 0,
                                     form_join(p, ISA_KERNEL_GATHER, tensor, index));
    return form_compute_2(p, e->op, row, form_integer(p, 0));
}

static bool is_item_of_vector(const struct form_entry *e)
{
    return e->kind == FORM_COMPUTE && e->index == FORM_OF_VECTOR &&
           (e->op == ISA_OP_ITEM || e->op == ISA_OP_ITEM_I || e->op == ISA_OP_ITEM_B);
}

static void convert_entry(struct calls *c, struct level *level, struct form_place p,
                          const struct form_entry *e)
{
    switch (e->kind) {
    case FORM_DECLARE:
        if (e->index != FORM_OF_SUM)
            declare_loop(c, level, p.block, e);
        return;
    case FORM_LOOP:
        convert_loop(c, p, e);
        return;
    case FORM_NEXT:
        loop_of(c, e)->next.items[e->index] = value_in(c, level, e->operands.items[0]);
        return;
    case FORM_EXIT:
        exit_loop(c, e);
        return;
    case FORM_CLOSE:
        close_loop(c, e);
        return;
    case FORM_TABULATE:
    case FORM_FOLLOW:
        convert_elements(c, level, p, e);
        return;
    case FORM_EVERY: /* not in forms for gradients */
        if (!c->program->scattered.line)
            c->program->scattered = e->pos;
        for (uint32_t k = 0; k < e->results.count; k++)
            set_value(c, e->results.items[k], level, form_integer(p, 0));
        return;
    case FORM_ARRAY:
        convert_array(c, level, p.block, e);
        return;
    case FORM_STORE:
        convert_store(c, level, p.block, e);
        return;
    case FORM_TENSOR:
        set_value(c, e->results.items[0], level, load_tensor(c, p, e));
        return;
    case FORM_DERIVE: {
        const struct form_ids arguments = values_in(c, level, &e->operands);
        uint32_t *results = LIB_ARENA_ARRAY(c->program->arena, uint32_t,
                                            e->results.count);
        form_call_gradient(p, e, arguments.items, 0, results);
        for (uint32_t k = 0; k < e->results.count; k++)
            set_value(c, e->results.items[k], level, results[k]);
        return;
    }
    default:
        if (is_item_of_vector(e))
            set_value(c, e->results.items[0], level, convert_item(c, level, p, e));
        else
            copy_entry(c, level, p, e);
    }
}

static void convert_results(struct calls *c, struct level *level, struct form_place p,
                            const struct form_entry *e)
{
    for (uint32_t k = 0; k < e->results.count; k++) {
        const uint32_t yes = value_in(c, level, e->operands.items[2 * k]);
        const uint32_t no = value_in(c, level, e->operands.items[2 * k + 1]);
        set_value(c, e->results.items[k], level, form_merge(p, c->made[e->id], yes, no));
    }
}

static void convert_block(struct calls *c, struct level *level, struct form_block *to,
                          const struct form_block *from)
{
    struct form_walk walk = form_walk_branches(from);
    while (form_walk_step(&walk)) {
        const struct form_entry *e = walk.entry, *of = walk.at.of;
        const struct form_place p = form_at(
            of ? &c->made[of->id]->blocks[walk.at.side] : to, e->pos);
        if (walk.step == FORM_STEP_ENTRY)
            convert_entry(c, level, p, e);
        else if (walk.step == FORM_STEP_BEGIN)
            c->made[e->id] = form_split(p, value_in(c, level, e->branch->condition));
        else
            convert_results(c, level, p, e);
    }
}

struct form *form_loops_to_calls(struct form *source,
                                 const struct programs_settings *settings)
{
    (void)settings;
    struct form_program *program = source->program;
    struct lib_arena *scratch = lib_arena_new();
    struct level top = {.form = form_new(program, program->arena),
                        .routine = source->routine};
    struct calls c = {
        .program = program,
        .source = source,
        .values = LIB_ARENA_ARRAY(scratch, struct made, source->value_count),
        .loops = LIB_ARENA_ARRAY(scratch, struct loop *, source->entry_count),
        .made = LIB_ARENA_ARRAY(scratch, struct form_entry *, source->entry_count),
        .elements = LIB_ARENA_ARRAY(scratch, uint32_t *, source->entry_count),
    };
    program->routines[source->routine].form = top.form;
    for (uint32_t v = 0; v < source->value_count; v++)
        if (source->values[v].kind == FORM_PARAM)
            set_value(&c, v, &top, form_add_value(top.form, source->values[v]));
    convert_block(&c, &top, &top.form->top, &source->top);
    for (uint32_t k = 0; k < source->results.count; k++)
        form_push_id(program->arena, &top.form->results,
                     value_in(&c, &top, source->results.items[k]));
    lib_arena_free(scratch);
    return top.form;
}

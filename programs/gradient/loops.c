#include "programs/gradient/loops.h"

#include "lib/memory.h"

#include <assert.h>

/* --- loops of a form ------------------------------------------------------------------------ */

/* A LOOP that is being made. */
struct maker {
    struct form_place p; /* around it */
    struct form_entry *loop;
    struct form_block *body;
    struct lib_pos pos;
};

static struct maker open_loop(struct form_place p, uint32_t bound)
{
    struct form_entry *declared = form_add_entry(p, FORM_DECLARE);
    struct form_entry *loop = form_add_entry(p, FORM_LOOP);
    declared->inner = bound;
    loop->early = declared;
    form_add_blocks(p, loop);
    p.form->has_loops = true;
    return (struct maker){p, loop, &loop->blocks[1], p.pos};
}

/* Adds a variable with an initial value. Returns its value in the loop. */
static uint32_t add_variable(const struct maker *m, uint32_t initial)
{
    form_add_operand(m->p, m->loop, initial);
    return form_add_result(m->p, m->loop, form_type(m->p.form, initial));
}

/* Sets the next values of all variables. */
static void set_next(const struct maker *m, const struct form_ids *next)
{
    const struct form_place body = form_at(m->body, m->pos);
    struct form_name *names = LIB_ARENA_ARRAY(m->p.form->arena, struct form_name,
                                              next->count);
    for (uint32_t i = 0; i < next->count; i++) {
        struct form_entry *e = form_add_entry(body, FORM_NEXT);
        e->early = m->loop;
        e->index = i;
        form_add_operand(body, e, next->items[i]);
        names[i].pos = m->pos;
    }
    m->loop->names = names;
}

/* Returns the last value of a variable. */
static uint32_t exit_loop(const struct maker *m, uint32_t variable)
{
    struct form_entry *e = form_add_entry(m->p, FORM_EXIT);
    e->early = m->loop;
    e->index = variable;
    return form_add_result(m->p, e,
                           form_type(m->p.form, m->loop->results.items[variable]));
}

static void close_loop(const struct maker *m)
{
    form_add_entry(m->p, FORM_CLOSE)->early = m->loop;
}

/* --- from a routine that calls itself to a loop --------------------------------------------- */

static struct form_entry *find_entry(const struct form_block *block, uint32_t id)
{
    for (uint32_t i = 0; i < block->count; i++)
        if (block->items[i]->id == id)
            return block->items[i];
    return NULL;
}

/* The loop of a routine, in a copy of its form, in which the variables become values that the LOOP
 * makes. */
struct forward {
    struct form *form;
    struct form_entry *test, *again;
    uint32_t *variables; /* values */
};

static struct forward copy_loop(struct form_program *program, uint32_t routine)
{
    const struct form_routine r = program->routines[routine];
    struct forward w = {
        .form = form_copy(program, r.form),
        .variables = LIB_ARENA_ARRAY(program->arena, uint32_t, r.loop->variable_count)};
    w.test = find_entry(&w.form->top, r.loop->test->id);
    w.again = find_entry(&w.test->blocks[0], r.loop->again->id);
    for (uint32_t i = 0; i < r.loop->variable_count; i++)
        w.variables[i] = form_find_param(w.form, i);
    return w;
}

/* What the body of a forward loop pushes: values of its form. */
struct push {
    uint32_t empty; /* the stack before the loop */
    uint32_t stack; /* the stack in the loop */
    uint32_t cell;  /* the stack with what was pushed */
};

/* Turns the copy into the loop. Unless `last` is NULL it is a forward loop: further results are the
 * last values of the variables `last`, the number of iterations and, unless `push` is NULL, the
 * stack. */
static void make_loop(struct forward *w, const struct form_routine *r,
                      const struct form_ids *last, const struct push *push)
{
    struct form *form = w->form;
    struct lib_arena *arena = form->arena;
    struct form_block header = {.form = form};
    struct form_block body = w->test->blocks[0];
    const struct form_block old = form->top;
    form->top = (struct form_block){.form = form};
    form->results = (struct form_ids){0};
    for (uint32_t i = 0; old.items[i] != w->test; i++)
        form_add_to_block(&header, old.items[i]);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < body.count; i++)
        if (body.items[i] != w->again)
            body.items[kept++] = body.items[i];
    body.count = kept;
    const struct maker m = open_loop(form_at(&form->top, w->test->pos), r->bound);
    struct form_ids next = {0};
    for (uint32_t i = 0; i < r->loop->variable_count; i++) {
        const uint32_t v = w->variables[i];
        form->values[v].kind = FORM_MADE;
        form_add_operand(m.p, m.loop, form_param(form, form_type(form, v), i));
        form_push_id(arena, &m.loop->results, v);
        form_push_id(arena, &next, w->again->operands.items[i]);
    }
    const uint32_t first = next.count;
    m.loop->blocks[0] = header;
    m.loop->blocks[1] = body;
    m.loop->inner = w->test->branch->condition;
    if (last) {
        const uint32_t n = add_variable(&m, form_integer(m.p, 0));
        form_push_id(arena, &next,
                     form_compute_2(form_at(m.body, m.pos), ISA_OP_ADD_I, n,
                                    form_integer(m.p, 1)));
    }
    if (push) {
        form_add_operand(m.p, m.loop, push->empty);
        form_push_id(arena, &m.loop->results, push->stack);
        form_push_id(arena, &next, push->cell);
    }
    set_next(&m, &next);
    for (uint32_t k = 0; k < r->loop->exits.count; k++)
        form_push_id(arena, &form->results, exit_loop(&m, r->loop->exits.items[k]));
    for (uint32_t k = 0; last && k < last->count; k++)
        form_push_id(arena, &form->results, exit_loop(&m, last->items[k]));
    for (uint32_t i = first; i < next.count; i++)
        form_push_id(arena, &form->results, exit_loop(&m, i));
    close_loop(&m);
}

struct form *form_as_loop(struct form_program *program, uint32_t routine)
{
    const struct form_routine r = program->routines[routine];
    if (!r.loop || !(program->manner & FORM_LOOPING))
        return form_of(program, routine);
    struct forward w = copy_loop(program, routine);
    make_loop(&w, &r, NULL, NULL);
    return w.form;
}

/* --- what the adjoints need ----------------------------------------------------------------- */

/* Scopes are the sides of the conditionals of the loop, among them that with the body. */
static uint32_t scope_of(const struct form_branch *branch, uint32_t side)
{
    return 2 * branch->id + side;
}

/* What the stack keeps of a scope: values of the gradient, and values of the forward loop. */
struct kept {
    struct form_ids back, forward;
};

enum { OF_HEADER = -2, OF_ADJOINTS = -1 };

struct parts {
    struct form_program *program;
    uint32_t routine, gradient;
    const struct form_loop *loop;
    const struct form *f; /* of the routine */
    struct form *g;       /* of the gradient; it has the values of f, and further ones */
    struct form_entry
        *now;             /* conditional of g with the adjoints of the body, and with E */
    struct form_ids tail; /* indices of the entries of g after it, in the top block */
    struct form_entry *deeper; /* call of itself */
    uint32_t body;             /* scope */
    /* For each value of g: the scope in which the loop makes it, OF_HEADER outside the body,
     * OF_ADJOINTS if the loop does not make it; and whether it is the same in each iteration, made
     * in the body. Values of inner forward loops are in no form but g and the forward loop. */
    uint32_t *home;
    bool *is_fixed;
    uint32_t *
        in_forward; /* for each value of an inner forward loop: that in the forward loop */
    /* For each value of g: whether it is needed; the entry that makes it in the forward loop
     * instead of the back loop, or NULL. */
    bool *is_needed;
    const struct form_entry **early;
    bool *is_repeated; /* for each entry of f: whether the back loop repeats it */
    bool *is_last, *is_constant; /* for each parameter of the loop */
    struct kept *scopes;
    struct form_entry **backs; /* for each conditional: its adjoints */
    struct forward w;
};

static bool is_variable(const struct parts *s, uint32_t v)
{
    const struct form_value *value = &s->g->values[v];
    return value->kind == FORM_PARAM && value->index < s->loop->variable_count;
}

static bool is_of_loop(const struct parts *s, uint32_t v)
{
    return s->home[v] != (uint32_t)OF_ADJOINTS;
}

/* Whether a value of the body, or one that it uses, does not change. */
static bool is_unchanged(const struct parts *s, uint32_t v)
{
    return is_of_loop(s, v) ? s->is_fixed[v] : !is_variable(s, v);
}

static uint32_t scope_at(const struct form_walk *walk)
{
    return walk->at.of ? scope_of(walk->at.of->branch, walk->at.side)
                       : (uint32_t)OF_HEADER;
}

/* Whether an entry of g is that of an inner loop in f, which has become a forward loop. */
static bool is_forward(const struct parts *s, const struct form_entry *e)
{
    return e->kind == FORM_APPLY && e->id < s->f->entry_count;
}

static void find_homes(struct parts *s)
{
    for (uint32_t v = 0; v < s->g->value_count; v++)
        s->home[v] = (uint32_t)OF_ADJOINTS;
    struct form_walk walk = form_walk_of(&s->g->top);
    for (const struct form_entry *e; (e = form_walk_next(&walk));)
        for (uint32_t k = 0; is_forward(s, e) && k < e->results.count; k++)
            s->home[e->results.items[k]] = scope_at(&walk);
    walk = form_walk_of(&s->f->top);
    for (const struct form_entry *e; (e = form_walk_next(&walk));) {
        const uint32_t scope = scope_at(&walk);
        bool fixed = scope == s->body && (e->kind == FORM_COMPUTE ||
                                          e->kind == FORM_READ || e->kind == FORM_LOAD);
        for (uint32_t i = 0; i < e->operands.count; i++)
            fixed = fixed && is_unchanged(s, e->operands.items[i]);
        for (uint32_t k = 0; k < e->results.count; k++) {
            s->home[e->results.items[k]] = scope;
            s->is_fixed[e->results.items[k]] = fixed;
        }
    }
}

static void keep(struct parts *s, uint32_t scope, uint32_t v)
{
    if (!s->is_needed[v])
        form_push_id(s->program->arena, &s->scopes[scope].back, v);
    s->is_needed[v] = true;
}

/* Notes that B, or E if `ends`, needs a value. Returns false if it cannot be kept: a condition has
 * made it. */
static bool need(struct parts *s, uint32_t v, bool ends)
{
    const struct form_value *value = &s->g->values[v];
    if (is_variable(s, v) && ends)
        s->is_last[value->index] = true;
    else if (is_variable(s, v))
        keep(s, s->body, v);
    else if (value->kind == FORM_PARAM &&
             value->index < s->program->routines[s->routine].param_count)
        s->is_constant[value->index] = true;
    else if (is_of_loop(s, v) && s->home[v] == (uint32_t)OF_HEADER)
        return false;
    else if (is_of_loop(s, v) && s->is_fixed[v])
        s->is_needed[v] = true;
    else if (is_of_loop(s, v))
        keep(s, s->home[v], v);
    return true;
}

/* Whether an entry makes the shape, or an extent, of a tensor of the forward loop. */
static bool is_shape(const struct parts *s, const struct form_entry *e)
{
    if (e->kind != FORM_COMPUTE || (e->op != ISA_OP_SHAPE && e->op != ISA_OP_DIM) ||
        (e->op == ISA_OP_DIM && s->g->values[e->operands.items[1]].kind != FORM_LITERAL))
        return false;
    const uint32_t v = e->operands.items[0];
    return is_variable(s, v) ||
           (is_of_loop(s, v) && s->home[v] != (uint32_t)OF_HEADER && !s->is_fixed[v]);
}

static bool need_operands(struct parts *s, const struct form_entry *e, bool ends)
{
    for (uint32_t i = 0; i < e->operands.count; i++)
        if (!need(s, e->operands.items[i], ends))
            return false;
    return e->kind != FORM_BRANCH || need(s, e->branch->condition, ends);
}

/* `stays`: the entry is also used where the forward loop has ended. */
static bool need_entry(struct parts *s, struct form_entry *e, bool stays)
{
    if (e == s->deeper)
        return true;
    if (e->kind == FORM_BRANCH && e->branch->id < s->f->branch_count)
        s->backs[e->branch->id] = e;
    if (stays || !is_shape(s, e))
        return need_operands(s, e, false);
    const uint32_t v = e->operands.items[0];
    s->early[e->results.items[0]] = e;
    keep(s, is_variable(s, v) ? s->body : s->home[v], e->results.items[0]);
    return true;
}

/* Values of the body that do not change are made again: also those of which others are made. */
static bool need_fixed(struct parts *s)
{
    const struct form_block *body = &s->loop->test->blocks[0];
    for (uint32_t i = body->count; i-- > 0;) {
        const struct form_entry *e = body->items[i];
        if (e->results.count == 0 || !s->is_fixed[e->results.items[0]] ||
            !s->is_needed[e->results.items[0]])
            continue;
        s->is_repeated[e->id] = true;
        if (!need_operands(s, e, false))
            return false;
    }
    return true;
}

/* Of the entries behind the conditional, `is_tail`, those in blocks are not taken apart. */
static bool need_all(struct parts *s, const struct form_block *block, bool is_tail,
                     bool ends)
{
    bool good = true;
    struct form_walk walk = form_walk_of(block);
    for (struct form_entry *e; good && (e = form_walk_next(&walk));)
        good = ends ? need_operands(s, e, true) : need_entry(s, e, is_tail && walk.at.of);
    form_walk_end(&walk);
    return good;
}

static struct form_block tail_of(const struct parts *s)
{
    struct form_block tail = {.form = s->g};
    for (uint32_t i = 0; i < s->tail.count; i++)
        form_add_to_block(&tail, s->g->top.items[s->tail.items[i]]);
    return tail;
}

static bool need_for_adjoints(struct parts *s)
{
    const struct form_block tail = tail_of(s);
    bool good = need_all(s, &s->now->blocks[0], false, false) &&
                need_all(s, &tail, true, false) &&
                need_all(s, &s->now->blocks[1], false, true) &&
                need_all(s, &tail, true, true);
    for (uint32_t k = 0; good && k < s->now->results.count; k++)
        good = need(s, s->now->operands.items[2 * k], false) &&
               need(s, s->now->operands.items[2 * k + 1], true);
    for (uint32_t k = 0; good && k < s->g->results.count; k++)
        good = need(s, s->g->results.items[k], false) &&
               need(s, s->g->results.items[k], true);
    return good && need_fixed(s);
}

/* Finds the parts of a gradient. Returns false if it has not the expected ones. */
static bool find_parts(struct parts *s)
{
    const struct form_block *top = &s->g->top;
    for (uint32_t i = 0; i < top->count; i++) {
        struct form_entry *e = top->items[i];
        const bool is_of_g = e->results.count && e->results.items[0] >= s->f->value_count;
        if (s->now)
            form_push_id(s->program->arena, &s->tail, i);
        else if (is_of_g && e->kind == FORM_BRANCH &&
                 e->branch->id == s->loop->test->branch->id)
            s->now = e;
        else if (is_of_g)
            return false;
    }
    const struct form_block *block = s->now ? &s->now->blocks[0] : NULL;
    for (uint32_t i = 0; block && i < block->count; i++)
        if (block->items[i]->kind == FORM_APPLY &&
            block->items[i]->routine == s->gradient)
            s->deeper = block->items[i];
    return s->deeper;
}

/* --- the stack ------------------------------------------------------------------------------ */

/* Adds a constructor for values of the gradient. `type` is the name of its type. */
static uint32_t make_constructor(const struct parts *s, const char *type,
                                 const char *name, uint32_t number,
                                 const struct form_ids *values)
{
    struct isa_field *fields = LIB_ARENA_ARRAY(s->program->arena, struct isa_field,
                                               values->count);
    for (uint32_t i = 0; i < values->count; i++)
        fields[i].type = form_graph_type(form_type(s->g, values->items[i]));
    const struct isa_constructor made = {.name = name,
                                         .type = type,
                                         .number = number,
                                         .fields = fields,
                                         .field_count = values->count};
    return form_constructor(s->program, &made);
}

static uint32_t new_data(struct form *form)
{
    return form_add_value(form, (struct form_value){.kind = FORM_MADE, .type = ISA_DATA});
}

/* Adds entries of g that take all fields of data, which become `values`. */
static void add_fields(struct form_block *to, uint32_t constructor, uint32_t data,
                       const struct form_ids *values, struct lib_pos pos)
{
    for (uint32_t i = 0; i < values->count; i++) {
        form_field(form_at(to, pos), constructor, i, data);
        to->items[to->count - 1]->results.items[0] = values->items[i];
    }
}

static void append(struct form_block *to, const struct form_block *from)
{
    for (uint32_t i = 0; i < from->count; i++)
        form_add_to_block(to, from->items[i]);
}

/* Removes from a block what the forward loop does. */
static void drop_early(const struct parts *s, struct form_block *block)
{
    uint32_t left = 0;
    for (uint32_t i = 0; i < block->count; i++) {
        struct form_entry *e = block->items[i];
        const bool is_early = e->kind == FORM_COMPUTE && s->early[e->results.items[0]];
        if (!is_early && e != s->deeper)
            block->items[left++] = e;
    }
    block->count = left;
}

static void drop_all_early(const struct parts *s, struct form_block *block)
{
    struct form_walk walk = form_walk_branches(block);
    while (form_walk_step(&walk))
        for (unsigned side = 0; walk.step == FORM_STEP_END && side < 2; side++)
            drop_early(s, &walk.entry->blocks[side]);
    drop_early(s, block);
}

/* Lists the values of the forward loop that a scope keeps; adds the shapes that are kept. */
static void list_forward(struct parts *s, uint32_t scope, struct form_place p)
{
    struct kept *kept = &s->scopes[scope];
    for (uint32_t i = kept->forward.count; i < kept->back.count; i++) {
        uint32_t v = kept->back.items[i];
        const struct form_entry *e = s->early[v];
        if (!e && v >= s->f->value_count) {
            v = s->in_forward[v];
        } else if (e) {
            v = e->op == ISA_OP_SHAPE
                    ? form_compute_1(p, e->op, e->operands.items[0])
                    : form_compute_2(
                          p, e->op, e->operands.items[0],
                          form_add_value(p.form, s->g->values[e->operands.items[1]]));
        }
        form_push_id(s->program->arena, &kept->forward, v);
    }
}

/* Keeps what a conditional of the loop, whose sides are complete, has made for its adjoints: as
 * data, which the scope around it keeps. */
static void keep_sides(struct parts *s, struct form_place p, struct form_entry *e,
                       struct kept *around)
{
    struct form_entry *back = s->backs[e->branch->id];
    const char *type = lib_arena_printf(s->program->arena, "%s.%u.if.%u",
                                        s->program->routines[s->routine].name, s->routine,
                                        e->branch->id);
    uint32_t arms[2];
    bool any = false;
    for (unsigned side = 0; side < 2; side++)
        any |= s->scopes[scope_of(e->branch, side)].back.count > 0;
    if (!any)
        return;
    const uint32_t data = new_data(s->g);
    for (unsigned side = 0; side < 2; side++) {
        const uint32_t scope = scope_of(e->branch, side);
        const struct form_place inner = form_side(p, e, side);
        list_forward(s, scope, inner);
        const struct kept *kept = &s->scopes[scope];
        const uint32_t constructor = make_constructor(s, type, side ? "Else" : "Then",
                                                      side, &kept->back);
        arms[side] = form_construct(inner, constructor, kept->forward.items);
        struct form_block block = {.form = s->g};
        add_fields(&block, constructor, data, &kept->back, e->pos);
        append(&block, &back->blocks[side]);
        back->blocks[side] = block;
    }
    form_push_id(s->program->arena, &around->back, data);
    form_push_id(s->program->arena, &around->forward, form_merge(p, e, arms[0], arms[1]));
}

/* Keeps what conditionals in the body have made, the inner ones first. */
static void keep_conditionals(struct parts *s)
{
    struct form_block *body = &s->w.test->blocks[0];
    struct form_walk walk = form_walk_branches(body);
    while (form_walk_step(&walk)) {
        const struct form_entry *of = walk.at.of;
        struct form_block *block = of ? &of->blocks[walk.at.side] : body;
        const uint32_t scope = of ? scope_of(of->branch, walk.at.side) : s->body;
        if (walk.step != FORM_STEP_END)
            continue;
        const struct form_place p = form_at(block, walk.entry->pos);
        list_forward(s, scope, p);
        keep_sides(s, p, walk.entry, &s->scopes[scope]);
    }
}

/* --- the two loops -------------------------------------------------------------------------- */

static uint32_t add_routine(const struct parts *s, const char *what, struct form *form)
{
    const struct form_routine r = s->program->routines[s->routine];
    const uint32_t made = form_add_routine(
        s->program, FORM_HELPER,
        lib_arena_printf(s->program->arena, "%s.%s", r.name, what), r.pos);
    s->program->routines[made].form = form;
    return made;
}

/* Sets the types of a routine from its form, of which `params` are the parameters. */
static void set_types(struct form_program *program, uint32_t routine,
                      const struct form_ids *params)
{
    const struct form *form = program->routines[routine].form;
    const uint32_t count = form->results.count;
    enum isa_type *types = LIB_ARENA_ARRAY(program->arena, enum isa_type,
                                           params->count + count);
    for (uint32_t i = 0; i < params->count; i++)
        types[i] = form_type(form, params->items[i]);
    for (uint32_t k = 0; k < count; k++)
        types[params->count + k] = form_type(form, form->results.items[k]);
    form_set_types(program, routine, types, params->count, types + params->count, count);
}

/* The stack of a loop. */
struct stack {
    uint32_t cell, nil; /* constructors */
    uint32_t top, rest; /* values of g: the topmost cell, and the cell below it */
};

/* Makes calls of inner loops those of their forward loops, as they are in g. */
static void call_inner_forward(struct parts *s)
{
    struct form_entry **called = LIB_ARENA_ARRAY(s->program->arena, struct form_entry *,
                                                 s->f->entry_count);
    struct form_walk walk = form_walk_of(&s->g->top);
    for (struct form_entry *e; (e = form_walk_next(&walk));)
        if (is_forward(s, e))
            called[e->id] = e;
    walk = form_walk_of(&s->w.form->top);
    for (struct form_entry *e; (e = form_walk_next(&walk));) {
        const struct form_entry *of = e->id < s->f->entry_count ? called[e->id] : NULL;
        if (!of || e == s->w.again)
            continue;
        e->routine = of->routine;
        for (uint32_t k = e->results.count; k < of->results.count; k++) {
            const uint32_t v = of->results.items[k];
            s->in_forward[v] = form_add_result(form_at(&s->w.form->top, e->pos), e,
                                               form_type(s->g, v));
        }
    }
}

/* Adds the push to the body of the forward loop, and makes that loop. */
static void make_forward(struct parts *s, struct form_two_loops *made,
                         struct stack *stack)
{
    struct lib_arena *arena = s->program->arena;
    const struct form_routine r = s->program->routines[s->routine];
    const struct form_place body = form_at(&s->w.test->blocks[0], s->w.test->pos);
    struct kept *kept = &s->scopes[s->body];
    struct push push;
    list_forward(s, s->body, body);
    made->has_stack = kept->back.count > 0;
    if (made->has_stack) {
        const char *type = lib_arena_printf(arena, "%s.%u", r.name, s->routine);
        const struct form_ids none = {0};
        stack->top = new_data(s->g);
        stack->rest = new_data(s->g);
        push.stack = new_data(s->w.form);
        form_push_id(arena, &kept->back, stack->rest);
        form_push_id(arena, &kept->forward, push.stack);
        stack->nil = make_constructor(s, type, "Nil", 0, &none);
        stack->cell = make_constructor(s, type, "Cell", 1, &kept->back);
        push.cell = form_construct(body, stack->cell, kept->forward.items);
        push.empty = form_literal(s->w.form, ISA_DATA, stack->nil);
    }
    make_loop(&s->w, &r, &made->last, made->has_stack ? &push : NULL);
    made->forward = add_routine(s, "forward", s->w.form);
    struct form_ids params = {0};
    for (uint32_t i = 0; i < r.param_count; i++) {
        const uint32_t v = form_find_param(s->w.form, i);
        form_push_id(arena, &params,
                     v != FORM_NONE ? v : form_param(s->w.form, r.params[i], i));
    }
    set_types(s->program, made->forward, &params);
}

/* Adds a copy of entries of g, and sets map[v] to the copies of its values that have none yet.
 * Ends with the conditional: its results are the values of one side. */
static void copy_part(const struct parts *s, struct form_block *to, uint32_t *map,
                      const struct form_block *from, unsigned side)
{
    for (uint32_t v = 0; v < s->g->value_count; v++)
        if (map[v] == FORM_NONE) {
            struct form_value value = s->g->values[v];
            if (value.kind == FORM_PARAM)
                value.kind = FORM_MADE;
            map[v] = form_add_value(to->form, value);
        }
    for (uint32_t k = 0; k < s->now->results.count; k++)
        map[s->now->results.items[k]] = map[s->now->operands.items[2 * k + side]];
    form_copy_block(to, from, map);
}

static struct form_ids mapped(struct lib_arena *arena, const uint32_t *map,
                              const struct form_ids *values)
{
    struct form_ids ids = {0};
    for (uint32_t i = 0; i < values->count; i++)
        form_push_id(arena, &ids, map[values->items[i]]);
    return ids;
}

/* Adds parameter `index` of the gradient to those of the back loop. */
static void add_param(struct parts *s, struct form *form, struct form_ids *params,
                      uint32_t index, uint32_t *known)
{
    const enum isa_type type = s->program->routines[s->gradient].params[index];
    known[index] = form_param(form, type, params->count);
    form_push_id(s->program->arena, params, known[index]);
}

/* Returns a map in which parameters are known; variables are not, unless `ends`. */
static uint32_t *start_map(const struct parts *s, const uint32_t *known, bool ends)
{
    uint32_t *map = LIB_ARENA_ARRAY(s->program->arena, uint32_t, s->g->value_count);
    for (uint32_t v = 0; v < s->g->value_count; v++)
        map[v] = s->g->values[v].kind == FORM_PARAM && (ends || !is_variable(s, v))
                     ? known[s->g->values[v].index]
                     : FORM_NONE;
    return map;
}

/* The entries of B: pops, what is made again, the adjoints of the body, and what follows. */
static struct form_block list_body(struct parts *s, const struct stack *stack,
                                   bool has_stack)
{
    struct form_block block = {.form = s->g}, tail = tail_of(s);
    if (has_stack)
        add_fields(&block, stack->cell, stack->top, &s->scopes[s->body].back,
                   s->w.test->pos);
    const struct form_block *body = &s->loop->test->blocks[0];
    for (uint32_t i = 0; i < body->count; i++)
        if (s->is_repeated[body->items[i]->id])
            form_add_to_block(&block, body->items[i]);
    drop_early(s, &tail);
    append(&block, &s->now->blocks[0]);
    append(&block, &tail);
    return block;
}

static void make_back(struct parts *s, struct form_two_loops *made,
                      const struct stack *stack)
{
    struct lib_arena *arena = s->program->arena;
    const struct form_routine r = s->program->routines[s->routine];
    const uint32_t all = s->program->routines[s->gradient].param_count;
    uint32_t *known = LIB_ARENA_ARRAY(arena, uint32_t, all);
    struct form *form = form_new(s->program, arena);
    const struct form_place p = form_at(&form->top, s->w.test->pos);
    struct form_ids params = {0}, next = {0};
    for (uint32_t i = 0; i < all; i++)
        known[i] = FORM_NONE;
    for (uint32_t i = 0; i < made->last.count; i++)
        add_param(s, form, &params, made->last.items[i], known);
    for (uint32_t i = 0; i < made->constants.count; i++)
        add_param(s, form, &params, made->constants.items[i], known);
    for (uint32_t i = r.param_count; i < all; i++)
        add_param(s, form, &params, i, known);
    const uint32_t count = form_param(form, ISA_INT, params.count);
    form_push_id(arena, &params, count);
    const uint32_t stacked = params.count;
    if (made->has_stack)
        form_push_id(arena, &params, form_param(form, ISA_DATA, stacked));

    uint32_t *map = start_map(s, known, true);
    struct form_block end = {.form = s->g};
    const struct form_block tail = tail_of(s);
    append(&end, &s->now->blocks[1]);
    append(&end, &tail);
    copy_part(s, &form->top, map, &end, 1);
    const struct form_ids first = mapped(arena, map, &s->g->results);

    const struct maker m = open_loop(p, r.bound);
    const struct form_place header = form_at(&m.loop->blocks[0], p.pos);
    const struct form_place body = form_at(m.body, p.pos);
    const uint32_t n = add_variable(&m, count);
    const struct form_block block = list_body(s, stack, made->has_stack);
    map = start_map(s, known, false);
    m.loop->inner = form_compute_2(header, ISA_OP_GT_I, n, form_integer(p, 0));
    form_push_id(arena, &next, form_compute_2(body, ISA_OP_SUB_I, n, form_integer(p, 1)));
    if (made->has_stack)
        map[stack->top] = add_variable(&m, params.items[stacked]);
    for (uint32_t k = 0; k < first.count; k++)
        map[s->deeper->results.items[k]] = add_variable(&m, first.items[k]);
    copy_part(s, m.body, map, &block, 0);
    if (made->has_stack)
        form_push_id(arena, &next, map[stack->rest]);
    const struct form_ids adjoints = mapped(arena, map, &s->g->results);
    for (uint32_t k = 0; k < adjoints.count; k++)
        form_push_id(arena, &next, adjoints.items[k]);
    set_next(&m, &next);
    for (uint32_t k = 0; k < first.count; k++)
        form_push_id(arena, &form->results, exit_loop(&m, 1 + made->has_stack + k));
    close_loop(&m);
    made->back = add_routine(s, "back", form);
    set_types(s->program, made->back, &params);
}

static struct form_ids list_marked(struct lib_arena *arena, const bool *marks,
                                   uint32_t count)
{
    struct form_ids ids = {0};
    for (uint32_t i = 0; i < count; i++)
        if (marks[i])
            form_push_id(arena, &ids, i);
    return ids;
}

static void make_both(struct form_program *program, uint32_t gradient,
                      struct form_two_loops *made)
{
    struct lib_arena *arena = program->arena;
    struct form *g = form_of(program, gradient);
    const uint32_t routine = program->routines[gradient].of;
    const struct form_routine r = program->routines[routine];
    const uint32_t branches = g->branch_count;
    struct parts s = {
        .program = program,
        .routine = routine,
        .gradient = gradient,
        .loop = r.loop,
        .f = r.form,
        .g = g,
        .body = scope_of(r.loop->test->branch, 0),
        .home = LIB_ARENA_ARRAY(arena, uint32_t, g->value_count),
        .is_fixed = LIB_ARENA_ARRAY(arena, bool, g->value_count),
        .in_forward = LIB_ARENA_ARRAY(arena, uint32_t, g->value_count),
        .is_needed = LIB_ARENA_ARRAY(arena, bool, g->value_count),
        .early = LIB_ARENA_ARRAY(arena, const struct form_entry *, g->value_count),
        .is_repeated = LIB_ARENA_ARRAY(arena, bool, r.form->entry_count),
        .is_last = LIB_ARENA_ARRAY(arena, bool, r.param_count),
        .is_constant = LIB_ARENA_ARRAY(arena, bool, r.param_count),
        .scopes = LIB_ARENA_ARRAY(arena, struct kept, 2 * branches),
        .backs = LIB_ARENA_ARRAY(arena, struct form_entry *, branches),
    };
    struct stack stack = {0};
    if (!find_parts(&s))
        return;
    find_homes(&s);
    if (!need_for_adjoints(&s))
        return;
    made->exist = true;
    made->last = list_marked(arena, s.is_last, r.param_count);
    made->constants = list_marked(arena, s.is_constant, r.param_count);
    s.w = copy_loop(program, routine);
    call_inner_forward(&s);
    drop_all_early(&s, &s.now->blocks[0]);
    keep_conditionals(&s);
    make_forward(&s, made, &stack);
    make_back(&s, made, &stack);
}

const struct form_two_loops *form_two_loops(struct form_program *program,
                                            uint32_t gradient)
{
    if (!program->routines[gradient].two_loops) {
        struct form_two_loops *made = LIB_ARENA_NEW(program->arena,
                                                    struct form_two_loops);
        *made = (struct form_two_loops){0};
        make_both(program, gradient, made);
        program->routines[gradient].two_loops = made;
    }
    return program->routines[gradient].two_loops;
}

const struct form_entry *form_reverse_loop(struct form_place p,
                                           const struct form_two_loops *loops,
                                           struct form_entry *call,
                                           const struct form_ids *adjoints)
{
    struct form_ids arguments = {0};
    struct lib_arena *arena = p.program->arena;
    const struct form_routine forward = p.program->routines[loops->forward];
    const uint32_t first = call->results.count;
    call->routine = loops->forward;
    for (uint32_t k = first; k < forward.result_count; k++)
        form_add_result(p, call, forward.results[k]);
    const uint32_t *given = &call->results.items[first];
    for (uint32_t i = 0; i < loops->last.count; i++)
        form_push_id(arena, &arguments, *given++);
    for (uint32_t i = 0; i < loops->constants.count; i++)
        form_push_id(arena, &arguments, call->operands.items[loops->constants.items[i]]);
    for (uint32_t k = 0; k < adjoints->count; k++)
        form_push_id(arena, &arguments, adjoints->items[k]);
    for (uint32_t k = first + loops->last.count; k < forward.result_count; k++)
        form_push_id(arena, &arguments, *given++);
    return form_apply(p, loops->back, arguments.items, arguments.count);
}

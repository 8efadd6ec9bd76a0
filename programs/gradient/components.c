#include "programs/gradient/components.h"

#include "programs/gradient/deferred.h"

/* State of a routine in the search for components (Tarjan's). */
struct visited {
    uint32_t number, low; /* order of visits, from 1; 0: not visited yet */
    uint32_t component;   /* 1 + number of its component; 0: not known yet */
};

struct form_components {
    struct visited *routines;
    uint32_t routine_count; /* those that `routines` has room for */
    struct form_component *items;
    uint32_t count, capacity;
    uint32_t visits;
    struct form_ids open; /* visited routines whose component is not known yet */
    struct form_ids
        seen_cells; /* for each cell: 1 + last component that it was added to */
};

struct frame {
    uint32_t routine;
    struct form_walk walk;
};

static struct form_components *components_of(struct form_program *program,
                                             enum form_calls calls)
{
    if (!program->components[calls])
        program->components[calls] = LIB_ARENA_NEW(program->arena,
                                                   struct form_components);
    return program->components[calls];
}

static struct visited *visited_at(struct form_program *program, struct form_components *c,
                                  uint32_t routine)
{
    LIB_ARENA_RESERVE(program->arena, c->routines, &c->routine_count,
                      program->routine_count);
    return &c->routines[routine];
}

/* Returns the routine that an entry calls, or FORM_NONE. A gradient reads no cell that its function
 * does not read. */
static uint32_t callee_of(const struct form_program *program, enum form_calls calls,
                          const struct form_entry *e)
{
    uint32_t routine = e->routine;
    if (routine == FORM_NONE)
        return FORM_NONE;
    if (calls == FORM_CALLS_DEFERRING)
        return form_may_defer(program, routine) ? routine : FORM_NONE;
    while (program->routines[routine].kind == FORM_GRADIENT)
        routine = program->routines[routine].of;
    return routine;
}

static void add_cell(struct form_program *program, struct form_components *c,
                     struct form_ids *cells, uint32_t cell)
{
    while (c->seen_cells.count <= cell)
        form_push_id(program->arena, &c->seen_cells, 0);
    if (c->seen_cells.items[cell] != c->count + 1)
        form_push_id(program->arena, cells, cell);
    c->seen_cells.items[cell] = c->count + 1;
}

/* Adds the callees of a new component, and the cells that it reads. */
static void describe(struct form_program *program, enum form_calls calls,
                     struct form_components *c, struct form_component *made)
{
    for (uint32_t i = 0; i < made->members.count; i++) {
        struct form_walk walk = form_walk_of(
            &form_of(program, made->members.items[i])->top);
        for (const struct form_entry *e; (e = form_walk_next(&walk));) {
            if (calls == FORM_CALLS_ALL && e->kind == FORM_READ)
                add_cell(program, c, &made->cells, e->index);
            const uint32_t callee = callee_of(program, calls, e);
            const uint32_t component = callee == FORM_NONE
                                           ? 0
                                           : c->routines[callee].component;
            if (component && component != c->count + 1)
                form_push_id(program->arena, &made->callees, component - 1);
        }
    }
    for (uint32_t i = 0; i < made->callees.count; i++) {
        const struct form_ids *cells = &c->items[made->callees.items[i]].cells;
        for (uint32_t k = 0; k < cells->count; k++)
            add_cell(program, c, &made->cells, cells->items[k]);
    }
}

static void end_component(struct form_program *program, enum form_calls calls,
                          struct form_components *c, uint32_t root)
{
    struct form_component made = {0};
    uint32_t member;
    do {
        member = c->open.items[--c->open.count];
        c->routines[member].component = c->count + 1;
        form_push_id(program->arena, &made.members, member);
    } while (member != root);
    describe(program, calls, c, &made);
    *LIB_ARENA_PUSH(program->arena, c) = made;
}

static struct frame visit(struct form_program *program, struct form_components *c,
                          uint32_t routine)
{
    const struct form *form = form_of(program, routine);
    struct visited *v = visited_at(program, c, routine);
    v->number = v->low = ++c->visits;
    form_push_id(program->arena, &c->open, routine);
    return (struct frame){routine, form_walk_of(&form->top)};
}

static void search(struct form_program *program, enum form_calls calls, uint32_t routine)
{
    struct form_components *c = components_of(program, calls);
    LIB_VEC(struct frame) stack = {0};
    *LIB_VEC_PUSH(&stack) = visit(program, c, routine);
    while (stack.count) {
        struct frame *f = &stack.items[stack.count - 1];
        const struct form_entry *e = form_walk_next(&f->walk);
        if (e) {
            const uint32_t callee = callee_of(program, calls, e);
            if (callee == FORM_NONE)
                continue;
            const struct visited to = *visited_at(program, c, callee);
            struct visited *from = &c->routines[f->routine];
            if (!to.number)
                *LIB_VEC_PUSH(&stack) = visit(program, c, callee);
            else if (!to.component && to.number < from->low)
                from->low = to.number;
            continue;
        }
        const uint32_t done = f->routine;
        stack.count--;
        if (c->routines[done].low == c->routines[done].number)
            end_component(program, calls, c, done);
        if (stack.count) {
            struct visited *from = &c->routines[stack.items[stack.count - 1].routine];
            if (c->routines[done].low < from->low)
                from->low = c->routines[done].low;
        }
    }
    LIB_VEC_FREE(&stack);
}

uint32_t form_component_of(struct form_program *program, enum form_calls calls,
                           uint32_t routine)
{
    struct form_components *c = components_of(program, calls);
    if (!visited_at(program, c, routine)->component)
        search(program, calls, routine);
    return c->routines[routine].component - 1;
}

const struct form_component *form_component_at(const struct form_program *program,
                                               enum form_calls calls, uint32_t number)
{
    return &program->components[calls]->items[number];
}

/* --- cells, recursion -------------------------------------------------------------------- */

void form_cells(struct form_program *program, uint32_t routine, struct form_ids *cells)
{
    struct form_calls_walk walk = {.program = program};
    while (program->routines[routine].kind == FORM_GRADIENT)
        routine = program->routines[routine].of;
    form_calls_enter(&walk, routine);
    for (const struct form_entry *e; (e = form_calls_next(&walk));) {
        const uint32_t callee = callee_of(program, FORM_CALLS_ALL, e);
        if (e->kind == FORM_READ)
            form_push_id_once(program->arena, cells, e->index);
        if (callee != FORM_NONE)
            form_calls_enter(&walk, callee);
    }
    form_calls_end(&walk);
}

/* Whether a routine calls itself, directly or through others. Makes no forms but those of the calls
 * before, as tensors come to the graph in the order of forms. */
static bool calls_itself(struct form_program *program, uint32_t routine)
{
    struct form_calls_walk walk = {.program = program};
    bool found = false;
    form_calls_enter(&walk, routine);
    for (const struct form_entry *e; !found && (e = form_calls_next(&walk));) {
        const uint32_t callee = callee_of(program, FORM_CALLS_DEFERRING, e);
        found = callee == routine;
        if (callee != FORM_NONE)
            form_calls_enter(&walk, callee);
    }
    form_calls_end(&walk);
    return found;
}

/* Whether a routine, whose component is known, calls itself. */
static bool is_cycle(struct form_program *program, uint32_t routine)
{
    const uint32_t number = form_component_of(program, FORM_CALLS_DEFERRING, routine);
    if (form_component_at(program, FORM_CALLS_DEFERRING, number)->members.count > 1)
        return true;
    struct form_walk walk = form_walk_of(&form_of(program, routine)->top);
    const struct form_entry *e;
    while ((e = form_walk_next(&walk)) && e->routine != routine)
        ;
    form_walk_end(&walk);
    return e != NULL;
}

bool form_is_recursive(struct form_program *program, uint32_t routine)
{
    if (program->routines[routine].recursion == FORM_RECURSION_UNKNOWN) {
        struct form_components *c = components_of(program, FORM_CALLS_DEFERRING);
        const bool is = visited_at(program, c, routine)->component
                            ? is_cycle(program, routine)
                            : calls_itself(program, routine);
        program->routines[routine].recursion = is ? FORM_RECURSIVE : FORM_NOT_RECURSIVE;
        if (!is) /* all forms that it reaches are made */
            form_component_of(program, FORM_CALLS_DEFERRING, routine);
    }
    return program->routines[routine].recursion == FORM_RECURSIVE;
}

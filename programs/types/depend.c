#include "programs/types/depend.h"

#include "lib/memory.h"

#include <stdlib.h>
#include <string.h>

/* A name in the text of a node. References of one node are chained in source order. */
struct reference {
    uint32_t target; /* a node, or NONE */
    uint32_t next;   /* next reference of the same node; 0: none */
    const char *name;
    struct programs_binding *binding; /* NULL: a function */
};

struct node {
    struct programs_function *function;
    struct programs_equation *equation; /* of a constant and its range, or of a `let` */
    bool marked;                        /* reachable from `result` */
    uint32_t first, last;               /* first and last reference; 0: none */
    uint32_t number;    /* position in Tarjan's search, from 1; 0: not reached */
    uint32_t low;       /* min number known to be reachable within the component */
    uint32_t component; /* component, from 1; 0: not complete */
    uint32_t resume;    /* next reference to follow */
};

struct programs_depend {
    uint32_t functions, constants, lets, variables; /* numbers of nodes, by kind */
    uint32_t count;
    struct node *nodes;
    LIB_VEC(struct reference) references; /* [0] is unused */
};

/* --- nodes -------------------------------------------------------------------------- */

uint32_t programs_depend_function(const struct programs_depend *depend,
                                  const struct programs_function *function)
{
    (void)depend;
    return function->index;
}

uint32_t programs_depend_equation(const struct programs_depend *depend,
                                  const struct programs_equation *equation)
{
    /* a pattern without names is of a parameter or a `let` */
    bool let = equation->name_count == 0 || equation->names[0]->kind == PROGRAMS_BIND_LET;
    return depend->functions + (let ? depend->constants : 0) + equation->index;
}

uint32_t programs_depend_variable(const struct programs_depend *depend,
                                  const struct programs_binding *variable)
{
    return depend->functions + depend->constants + depend->lets +
           variable->expr->loop->first + variable->index;
}

uint32_t programs_depend_ends(const struct programs_depend *depend,
                              const struct programs_equation *equation)
{
    return depend->functions + depend->constants + depend->lets + depend->variables +
           equation->index;
}

static void add_reference(struct programs_depend *d, uint32_t from,
                          struct reference reference)
{
    uint32_t id = (uint32_t)d->references.count;
    *LIB_VEC_PUSH(&d->references) = reference;
    if (d->nodes[from].last)
        d->references.items[d->nodes[from].last].next = id;
    else
        d->nodes[from].first = id;
    d->nodes[from].last = id;
}

static void add_ends(struct programs_depend *d, struct programs_equation *q)
{
    uint32_t ends = programs_depend_ends(d, q);
    d->nodes[ends].equation = q;
    add_reference(d, programs_depend_equation(d, q),
                  (struct reference){ends, 0, q->names[0]->name, NULL});
}

struct programs_depend *programs_depend_new(const struct programs_ast *ast)
{
    struct programs_depend *d = lib_mem_new(sizeof *d);
    d->functions = (uint32_t)ast->function_count;
    d->constants = (uint32_t)ast->constant_count;
    d->lets = (uint32_t)ast->let_count;
    d->variables = (uint32_t)ast->variable_count;
    d->count = d->functions + 2 * d->constants + d->lets + d->variables;
    d->nodes = lib_mem_new(sizeof *d->nodes * (d->count + 1));
    for (uint32_t i = 0; i < d->functions; i++)
        d->nodes[i].function = ast->functions[i];
    for (uint32_t i = 0; i < d->constants; i++)
        d->nodes[d->functions + i].equation = ast->constants[i];
    LIB_VEC_PUSH(&d->references);
    for (uint32_t i = 0; i < d->constants; i++)
        if (programs_equation_comprehension(ast->constants[i]))
            add_ends(d, ast->constants[i]);
    return d;
}

void programs_depend_free(struct programs_depend *depend)
{
    LIB_VEC_FREE(&depend->references);
    LIB_MEM_FREE(depend->nodes, depend);
}

void programs_depend_on_function(struct programs_depend *depend, uint32_t from,
                                 struct programs_function *function)
{
    add_reference(depend, from,
                  (struct reference){function->index, 0, function->name, NULL});
}

void programs_depend_on_binding(struct programs_depend *depend, uint32_t from,
                                struct programs_binding *binding)
{
    uint32_t target = PROGRAMS_DEPEND_NONE;
    if (binding->kind == PROGRAMS_BIND_LET || binding->kind == PROGRAMS_BIND_CONST) {
        target = programs_depend_equation(depend, binding->equation);
        depend->nodes[target].equation = binding->equation;
    } else if (binding->kind == PROGRAMS_BIND_LOOP) {
        target = programs_depend_variable(depend, binding);
    }
    add_reference(depend, from, (struct reference){target, 0, binding->name, binding});
}

/* --- what is used ------------------------------------------------------------------- */

/* Returns true if the node was not marked before. */
static bool mark_node(struct node *node)
{
    bool is_new = !node->marked;
    node->marked = true;
    if (node->function)
        node->function->used = true;
    if (node->equation)
        node->equation->used = true;
    return is_new;
}

void programs_depend_mark(struct programs_depend *depend, struct programs_ast *ast)
{
    LIB_VEC(uint32_t) open = {0};
    ast->result->names[0]->used = true;
    for (size_t i = 0; i < ast->constant_count; i++) {
        const struct programs_equation *q = ast->constants[i];
        const uint32_t start = programs_depend_equation(depend, q);
        if ((q == ast->result || (q->port && !q->port->is_input)) &&
            mark_node(&depend->nodes[start]))
            *LIB_VEC_PUSH(&open) = start;
    }
    while (open.count) {
        uint32_t id = depend->nodes[open.items[--open.count]].first;
        for (const struct reference *r; id; id = r->next) {
            r = &depend->references.items[id];
            if (r->binding)
                r->binding->used = true;
            ast->reads_result |= r->binding == ast->result->names[0];
            if (r->target != PROGRAMS_DEPEND_NONE && mark_node(&depend->nodes[r->target]))
                *LIB_VEC_PUSH(&open) = r->target;
        }
    }
    LIB_VEC_FREE(&open);
}

/* --- circles and order -------------------------------------------------------------- */

static bool is_constant(const struct programs_depend *d, uint32_t node)
{
    return node >= d->functions && node < d->functions + d->constants;
}

static bool is_ends(const struct programs_depend *d, uint32_t node)
{
    return node >= d->count - d->constants;
}

/* Whether a cycle through the node is an error. */
static bool excludes_circles(const struct programs_depend *d, uint32_t node)
{
    const struct programs_equation *q = d->nodes[node].equation;
    return is_ends(d, node) ||
           (is_constant(d, node) && !programs_equation_comprehension(q));
}

enum { PATH_SHOWN = 200 };

/* Writes the shortest path from `start` to itself within its component, without lets and loop
 * variables. A range has the name of its constant, which precedes it. */
static void write_circle(const struct programs_depend *d, uint32_t start,
                         struct lib_text *path)
{
    /* Reference by which each node was reached. */
    const struct reference **by = lib_mem_new(sizeof *by * d->count);
    uint32_t *from = lib_mem_new(sizeof *from * d->count);
    LIB_VEC(uint32_t) queue = {0};
    LIB_VEC(const char *) way = {0}; /* backwards */
    *LIB_VEC_PUSH(&queue) = start;
    for (size_t at = 0; at < queue.count && !by[start]; at++) {
        uint32_t node = queue.items[at], id = d->nodes[node].first;
        for (const struct reference *r; id; id = r->next) {
            r = &d->references.items[id];
            if (r->target == PROGRAMS_DEPEND_NONE || by[r->target] ||
                d->nodes[r->target].component != d->nodes[start].component)
                continue;
            by[r->target] = r;
            from[r->target] = node;
            *LIB_VEC_PUSH(&queue) = r->target;
        }
    }
    uint32_t last = is_ends(d, start) ? from[from[start]] : from[start];
    for (uint32_t node = last; node != start; node = from[node])
        if (node < d->functions + d->constants)
            *LIB_VEC_PUSH(&way) = by[node]->name;
    lib_text_printf(path, "%s", by[start]->name);
    for (size_t i = way.count; i > 0 && path->length < PATH_SHOWN; i--)
        lib_text_printf(path, " -> %s", way.items[i - 1]);
    lib_text_printf(path, "%s -> %s", path->length < PATH_SHOWN ? "" : " -> ...",
                    by[start]->name);
    LIB_VEC_FREE(&way, &queue);
    LIB_MEM_FREE(from, by);
}

static void report_circle(const struct programs_depend *d, struct programs_ast *ast,
                          struct lib_diags *diags, uint32_t start)
{
    const struct programs_binding *name = d->nodes[start].equation->names[0];
    LIB_TEXT_OWN path = {0};
    write_circle(d, start, &path);
    int length = (int)strcspn(path.bytes, " ");
    if (is_ends(d, start))
        lib_diag_error(diags, LIB_DIAG_MEANING, ast->source, name->pos,
                       "the range of `%.*s` depends on `%.*s`: %s", length, path.bytes,
                       length, path.bytes, path.bytes);
    else
        lib_diag_error(diags, LIB_DIAG_MEANING, ast->source, name->pos,
                       "`%.*s` depends on itself: %s", length, path.bytes, path.bytes);
}

typedef LIB_VEC(uint32_t) node_stack;

static bool names_itself(const struct programs_depend *d, uint32_t node)
{
    for (uint32_t id = d->nodes[node].first; id; id = d->references.items[id].next)
        if (d->references.items[id].target == node)
            return true;
    return false;
}

static int by_number(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

static void mark_circular(const struct programs_equation *q)
{
    struct programs_expr *comprehension = programs_equation_comprehension(q);
    if (comprehension)
        comprehension->reads_itself = true;
}

static void complete_component(struct programs_depend *d, struct programs_ast *ast,
                               struct lib_diags *diags, node_stack *stack, size_t base,
                               uint32_t component)
{
    uint32_t *members = stack->items + base;
    size_t count = stack->count - base;
    for (size_t i = 0; i < count; i++) {
        d->nodes[members[i]].component = component;
        if (d->nodes[members[i]].function)
            d->nodes[members[i]].function->component = component;
    }
    qsort(members, count, sizeof *members, by_number);
    bool circle = count > 1 || names_itself(d, members[0]);
    bool reported = false;
    for (size_t i = 0; i < count; i++) {
        struct node *node = &d->nodes[members[i]];
        if (circle && is_constant(d, members[i]))
            mark_circular(node->equation);
        if (circle && !reported && excludes_circles(d, members[i])) {
            report_circle(d, ast, diags, members[i]);
            reported = true;
        }
        if (members[i] < d->functions + d->constants)
            ast->order[ast->order_count++] = (struct programs_item){
                .function = node->function,
                .constant = node->equation,
            };
    }
    stack->count = base;
}

/* Tarjan's strong components (SIAM J. Comput. 1, 1972), with an explicit stack: a program may be
 * a chain of many thousand functions. A component is found after those that it depends on. */
static void search_node(struct programs_depend *d, struct programs_ast *ast,
                        struct lib_diags *diags, uint32_t start, uint32_t *counter,
                        uint32_t *components)
{
    node_stack stack = {0}, path = {0};
    *LIB_VEC_PUSH(&path) = start;
    while (path.count) {
        uint32_t id = path.items[path.count - 1];
        struct node *node = &d->nodes[id];
        if (!node->number) {
            node->number = node->low = ++*counter;
            node->resume = node->first;
            *LIB_VEC_PUSH(&stack) = id;
        }
        uint32_t deeper = PROGRAMS_DEPEND_NONE;
        while (node->resume && deeper == PROGRAMS_DEPEND_NONE) {
            const struct reference *r = &d->references.items[node->resume];
            struct node *to = r->target == PROGRAMS_DEPEND_NONE ? NULL
                                                                : &d->nodes[r->target];
            if (to && !to->number) {
                deeper = r->target; /* visited again afterwards */
                break;
            }
            if (to && !to->component && to->low < node->low)
                node->low = to->low;
            node->resume = r->next;
        }
        if (deeper != PROGRAMS_DEPEND_NONE) {
            *LIB_VEC_PUSH(&path) = deeper;
            continue;
        }
        path.count--;
        if (node->low != node->number)
            continue;
        size_t base = stack.count;
        while (stack.items[base - 1] != id)
            base--;
        complete_component(d, ast, diags, &stack, base - 1, ++*components);
    }
    LIB_VEC_FREE(&path, &stack);
}

void programs_depend_order(struct programs_depend *depend, struct programs_ast *ast,
                           struct lib_diags *diags)
{
    uint32_t counter = 0, components = 0;
    uint32_t top = depend->functions + depend->constants;
    ast->order = LIB_ARENA_ARRAY(ast->arena, struct programs_item, top);
    ast->order_count = 0;
    for (uint32_t i = 0; i < top; i++)
        if (!depend->nodes[i].number)
            search_node(depend, ast, diags, i, &counter, &components);
}

#include "isa/format/draw_internal.h"

#include "lib/memory.h"

#include <stdlib.h>
#include <string.h>

enum { NODES_MAX = 200 };

struct planning {
    const struct isa_graph *graph;
    const struct isa_draw_choice *choice;
    struct isa_draw_plan *plan;
    uint32_t *depth; /* per function: min calls from a root; UINT32_MAX: not reached */
};

/* Finds the function that contains each loop, however deeply nested. The site that enters a loop
 * names what contains it. */
static void find_owners(struct planning *p)
{
    const struct isa_graph *g = p->graph;
    uint32_t *owners = p->plan->owners;
    for (uint32_t f = 0; f < g->function_count; f++)
        owners[f] = f;
    for (uint32_t s = 0; s < g->site_count; s++)
        if (g->functions[g->sites[s].callee].is_loop)
            owners[g->sites[s].callee] = g->sites[s].caller;
    for (uint32_t f = 0; f < g->function_count; f++)
        while (owners[owners[f]] != owners[f])
            owners[f] = owners[owners[f]];
}

static void count_bodies(struct planning *p)
{
    for (uint32_t i = 0; i < p->graph->node_count; i++)
        p->plan->bodies[p->plan->owners[p->graph->nodes[i].function]]++;
}

struct walk {
    const struct isa_graph *graph;
    const uint32_t *owners; /* per function: function whose depth its calls have */
    uint32_t *first, *next; /* lists of the sites of each function */
    uint32_t *queue, *depth;
    uint32_t tail;
};

static void visit(struct walk *w, uint32_t f, uint32_t depth)
{
    f = w->owners[f];
    if (w->depth[f] != UINT32_MAX)
        return;
    w->depth[f] = depth;
    w->queue[w->tail++] = f;
}

void isa_draw_depths(const struct isa_graph *graph, const uint32_t *owners,
                     const struct isa_draw_choice *choice, uint32_t *depth)
{
    const size_t functions = graph->function_count * sizeof(uint32_t);
    struct walk w = {graph,
                     owners,
                     lib_mem_new(functions),
                     lib_mem_new(graph->site_count * sizeof(uint32_t)),
                     lib_mem_new(functions),
                     depth,
                     0};
    memset(w.first, 0xff, functions);
    memset(depth, 0xff, functions);
    for (uint32_t s = graph->site_count; s-- > 0;) {
        const uint32_t caller = owners[graph->sites[s].caller];
        w.next[s] = w.first[caller];
        w.first[caller] = s;
    }
    for (size_t i = 0; i < choice->root_count; i++)
        visit(&w, choice->roots[i], 0);
    if (choice->root_count == 0)
        visit(&w, 0, 0);
    for (uint32_t head = 0; head < w.tail; head++) {
        const uint32_t at = depth[w.queue[head]];
        for (uint32_t s = w.first[w.queue[head]]; s != UINT32_MAX && at < choice->depth;
             s = w.next[s])
            visit(&w, graph->sites[s].callee, at + 1);
    }
    LIB_MEM_FREE(w.first, w.next, w.queue);
}

static int by_size(const void *a, const void *b, void *context)
{
    const struct planning *p = context;
    const uint32_t f = *(const uint32_t *)a, g = *(const uint32_t *)b;
    const uint32_t *bodies = p->plan->bodies, *depth = p->depth;
    if (bodies[f] != bodies[g])
        return bodies[f] > bodies[g] ? 1 : -1;
    if (depth[f] != depth[g])
        return depth[f] > depth[g] ? 1 : -1;
    return (f > g) - (f < g);
}

/* Folds the largest functions until at most NODES_MAX nodes are left, if the roots have no more. */
static void fold_sanely(struct planning *p)
{
    const uint32_t count = p->graph->function_count;
    uint32_t *others = lib_mem_new(count * sizeof *others);
    uint32_t other_count = 0, total = 0;
    for (uint32_t f = 0; f < count; f++) {
        if (p->plan->owners[f] != f || p->depth[f] == UINT32_MAX)
            continue;
        if (p->depth[f] == 0)
            total += p->plan->bodies[f];
        else
            others[other_count++] = f;
    }
    qsort_r(others, other_count, sizeof *others, by_size, p);
    for (uint32_t i = 0; i < other_count; i++) {
        total += p->plan->bodies[others[i]];
        p->plan->is_too_large[others[i]] = total > NODES_MAX;
    }
    lib_mem_free(others);
}

static void fold_above(struct planning *p, uint32_t most)
{
    for (uint32_t f = 0; f < p->graph->function_count; f++)
        p->plan->is_too_large[f] = p->plan->owners[f] == f && p->depth[f] != UINT32_MAX &&
                                   p->depth[f] > 0 && p->plan->bodies[f] > most;
}

/* Adds callers and callees of drawn functions as folded ones, as arcs of CALLs and RETURNs need two
 * ends. */
static void add_callees(struct planning *p)
{
    const struct isa_graph *g = p->graph;
    enum isa_draw_part *parts = p->plan->parts;
    for (uint32_t s = 0; s < g->site_count && !isa_stage_applies(g->stage); s++) {
        const uint32_t from = p->plan->owners[g->sites[s].caller],
                       to = p->plan->owners[g->sites[s].callee];
        if (parts[from] == ISA_DRAW_WHOLE && parts[to] == ISA_DRAW_NONE)
            parts[to] = ISA_DRAW_FOLDED;
        if (parts[to] == ISA_DRAW_WHOLE && parts[from] == ISA_DRAW_NONE)
            parts[from] = ISA_DRAW_FOLDED;
    }
}

void isa_draw_choose(const struct isa_graph *graph, const struct isa_draw_choice *choice,
                     struct lib_arena *arena, struct isa_draw_plan *plan)
{
    const uint32_t count = graph->function_count;
    *plan = (struct isa_draw_plan){
        .parts = LIB_ARENA_ARRAY(arena, enum isa_draw_part, count),
        .owners = LIB_ARENA_ARRAY(arena, uint32_t, count),
        .bodies = LIB_ARENA_ARRAY(arena, uint32_t, count),
        .is_too_large = LIB_ARENA_ARRAY(arena, bool, count),
    };
    struct planning p = {graph, choice, plan, LIB_ARENA_ARRAY(arena, uint32_t, count)};
    find_owners(&p);
    count_bodies(&p);
    isa_draw_depths(graph, plan->owners, choice, p.depth);
    if (choice->fold == ISA_DRAW_SANE)
        fold_sanely(&p);
    else if (choice->fold > 0)
        fold_above(&p, choice->fold);
    for (uint32_t f = 0; f < count; f++) {
        if (plan->owners[f] != f || p.depth[f] == UINT32_MAX)
            continue;
        plan->parts[f] = plan->is_too_large[f] ? ISA_DRAW_NONE : ISA_DRAW_WHOLE;
    }
    add_callees(&p);
    for (uint32_t f = 0; f < count; f++)
        plan->parts[f] = plan->parts[plan->owners[f]];
}

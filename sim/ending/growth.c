#include "sim/ending/growth.h"

#include <inttypes.h>

enum {
    /* Calls of the deepest chain, from the innermost, that are examined: enough to see which
     * functions call each other. */
    CHAIN = 4096,
    NAMED = 3,
    LONG = 1000, /* minimum number of iterations of a loop that is reported */
};

struct walk {
    const struct isa_exec *exec;
    isa_tag deepest;
    uint32_t depth;
    isa_tag newest; /* live iteration with the greatest number */
    uint64_t iteration;
};

static void walk_visit(isa_tag tag, struct isa_activation *a, void *context)
{
    struct walk *w = context;
    if (a->depth > w->depth) {
        w->depth = a->depth;
        w->deepest = tag;
    }
    if (!w->exec->tags.shapes[a->function].is_loop)
        return;
    const uint64_t number = isa_iteration_number(a);
    if (number > w->iteration) {
        w->iteration = number;
        w->newest = tag;
    }
}

/* Calls in the deepest chain by site and by function, without loops. */
struct chain {
    uint32_t *sites, *functions;
    uint32_t most; /* greatest of `functions` */
};

static void count_chain(struct chain *chain, const struct isa_exec *exec, isa_tag tag)
{
    chain->sites = lib_mem_new((exec->code->graph->site_count + 1) * sizeof(uint32_t));
    chain->functions = lib_mem_new(exec->code->graph->function_count * sizeof(uint32_t));
    for (int i = 0; i < CHAIN && tag != ISA_TAG_ROOT; i++) {
        const struct isa_activation *a = isa_activations_get(&exec->tags, tag);
        tag = a->parent;
        if (exec->tags.shapes[a->function].is_loop)
            continue;
        chain->sites[a->site]++;
        const uint32_t count = ++chain->functions[a->function];
        chain->most = count > chain->most ? count : chain->most;
    }
}

static void free_chain(struct chain *chain)
{
    LIB_MEM_FREE(chain->sites, chain->functions);
}

/* Whether a function is part of the recursion. Functions that call each other occur about equally
 * often in the chain; other functions are rare. */
static bool takes_part(const struct chain *chain, uint32_t function)
{
    return (uint64_t)chain->functions[function] * 4 >= chain->most;
}

static void name_functions(struct sim_growth *g, const struct isa_graph *graph,
                           const bool *functions)
{
    uint32_t count = 0, named = 0;
    for (uint32_t f = 0; f < graph->function_count; f++)
        count += functions[f];
    for (uint32_t f = 0; f < graph->function_count && named < NAMED; f++) {
        if (!functions[f])
            continue;
        named++;
        const bool last = named == count;
        lib_text_printf(&g->names, "%s`%s`",
                        named == 1 ? ""
                        : last     ? " and "
                                   : ", ",
                        graph->functions[f].name);
    }
    if (count > named)
        lib_text_printf(&g->names, " and %" PRIu32 " more", count - named);
}

static struct lib_pos find_call(const struct isa_graph *graph, const struct chain *chain,
                                const bool *functions)
{
    struct lib_pos pos = {0};
    uint32_t most = 0;
    for (uint32_t s = 0; s < graph->site_count; s++)
        if (functions[graph->sites[s].callee] && chain->sites[s] > most) {
            most = chain->sites[s];
            pos = graph->sites[s].pos;
        }
    return pos;
}

static bool find_recursion(struct sim_growth *g, const struct isa_exec *exec,
                           const struct machine *machine, const struct walk *walk,
                           uint64_t least)
{
    const struct isa_graph *graph = exec->code->graph;
    const struct isa_activations *tags = &exec->tags;
    struct chain chain = {0};
    count_chain(&chain, exec, walk->deepest);
    bool *functions = lib_mem_new(graph->function_count * sizeof *functions);
    for (uint32_t f = 1; f < graph->function_count; f++) {
        functions[f] = chain.functions[f] > 0 && takes_part(&chain, f);
        g->alive += functions[f] ? isa_activations_alive(tags, f) : 0;
        g->ended += functions[f] ? tags->freed[f] : 0;
    }
    const bool found = chain.most > 1 && g->alive >= least;
    if (found) {
        g->kind = SIM_GROWTH_RECURSION;
        g->depth = walk->depth;
        g->has_since = g->ended > 0 && machine &&
                       machine_none_freed(machine, functions, &g->since);
        g->none_ended = g->ended == 0 || g->has_since;
        g->grows = g->none_ended || tags->deepest == walk->depth;
        g->pos = find_call(graph, &chain, functions);
        name_functions(g, graph, functions);
    }
    lib_mem_free(functions);
    free_chain(&chain);
    return found;
}

static void find_loop(struct sim_growth *g, const struct isa_exec *exec,
                      const struct walk *walk)
{
    const struct isa_activations *tags = &exec->tags;
    if (walk->iteration < LONG)
        return;
    const uint32_t loop = isa_activations_get(tags, walk->newest)->function;
    const struct isa_function *f = &exec->code->graph->functions[loop];
    g->kind = SIM_GROWTH_LOOP;
    g->iteration = walk->iteration;
    g->alive = isa_activations_alive(tags, loop);
    g->ended = tags->freed[loop];
    g->is_bounded = f->bound != 0;
    g->pos = f->pos;
}

bool sim_growth_is_most(const struct sim_growth *g, const struct isa_exec *exec)
{
    return g->alive >= SIM_GROWTH_ENOUGH && g->alive >= exec->tags.count / 2;
}

void sim_growth_find(struct sim_growth *growth, const struct isa_exec *exec,
                     const struct machine *machine, uint64_t least)
{
    struct walk walk = {.exec = exec, .deepest = ISA_TAG_ROOT};
    struct sim_growth recursion = {0}, loop = {0};
    isa_activations_each(&exec->tags, walk_visit, &walk);
    find_loop(&loop, exec, &walk);
    const bool recurs = find_recursion(&recursion, exec, machine, &walk, least);
    /* A loop inside or around a recursion is the cause if it made most of all iterations and calls
     * end. */
    const bool loops = loop.kind && loop.iteration >= exec->tags.iterations / 2;
    const bool by_calls = recurs && (recursion.none_ended || !loops);
    *growth = by_calls ? recursion : loops ? loop : (struct sim_growth){0};
    if (!by_calls)
        sim_growth_free(&recursion);
}

void sim_growth_free(struct sim_growth *growth)
{
    lib_text_free(&growth->names);
}

void sim_growth_write_name(const struct sim_growth *g, struct lib_text *out)
{
    if (g->kind == SIM_GROWTH_RECURSION)
        lib_text_printf(out, "recursion of %s", lib_text_get(&g->names));
    else
        lib_text_puts(out, "the loop");
}

void sim_growth_write_place(const struct sim_growth *g, struct lib_text *out)
{
    if (g->pos.line)
        lib_text_printf(out, " at %" PRIu32 ":%" PRIu32, g->pos.line, g->pos.column);
}

static void write_recursion(const struct sim_growth *g, struct lib_text *out)
{
    lib_text_printf(out, ", depth %" PRIu64 "%s, %" PRIu64 " calls alive", g->depth,
                    g->grows ? " and growing" : "", g->alive);
    if (!g->none_ended)
        lib_text_printf(out, " at once; %" PRIu64 " have ended", g->ended);
    else
        lib_text_puts(out, ", and none has ended");
    if (g->has_since)
        lib_text_printf(out, " since cycle %" PRIu64, g->since);
}

void sim_growth_write_facts(const struct sim_growth *g, struct lib_text *out)
{
    if (g->kind == SIM_GROWTH_RECURSION)
        write_recursion(g, out);
    else
        lib_text_printf(out, ", in iteration %" PRIu64 ", with %" PRIu64 " of them alive",
                        g->iteration, g->alive);
}

#include "machine/network/proof.h"

#include "lib/memory.h"
#include "machine/network/graph_internal.h"

#include <assert.h>

/* Shrinks the network between nodes. One PE per node is enough, as all have the same routes. */
static void shrink_nodes(const struct machine_shape *shape, struct machine_shape *judged)
{
    struct machine_shape between = *shape, smaller;
    between.pe_count = shape->nodes;
    between.nodes = between.node_pes = 0;
    machine_proof_shape(&between, &smaller);
    *judged = smaller;
    judged->nodes = smaller.pe_count;
    judged->node_pes = 1;
}

void machine_proof_shape(const struct machine_shape *shape, struct machine_shape *judged)
{
    *judged = *shape;
    if (shape->pe_count <= MACHINE_PROOF_MAX_PES)
        return;
    if (shape->nodes > 0) {
        shrink_nodes(shape, judged);
        return;
    }
    const struct machine_rules *rules = machine_rules_of(shape->kind);
    if (rules->shrink)
        rules->shrink(judged, MACHINE_PROOF_MAX_PES);
}

/* Searches for cycles. Channels are numbers made of link and class. With adaptive routing, numbers
 * for each router and target follow. */
struct prover {
    const struct machine_graph *g;
    struct machine_proof *proof;
    uint32_t classes, channels;
    uint32_t *targets; /* one PE for each set of equal routes */
    uint32_t target_count;

    /* Dependencies as a set of `from << 32 | to`: open addressing; 0 is empty, as channels start at
     * 1. */
    uint64_t *set;
    size_t mask, count;
    /* Dependencies by channel: those of c start at after[first[c]]. */
    size_t *first;
    uint32_t *after;

    uint32_t *seen; /* for each channel: last search that found it */
    uint32_t walk;
    LIB_VEC(uint32_t) left; /* channels still to be followed */
};

static uint32_t channel_of(const struct prover *p, uint32_t link, uint32_t cls)
{
    return (link - 2 * p->g->pe_count) * p->classes + cls;
}

static uint32_t link_of(const struct prover *p, uint32_t channel)
{
    return channel / p->classes + 2 * p->g->pe_count;
}

static size_t place_of(const struct prover *p, uint64_t pair)
{
    size_t i = (size_t)((pair * UINT64_C(0x9e3779b97f4a7c15)) >> 20) & p->mask;
    while (p->set[i] && p->set[i] != pair)
        i = (i + 1) & p->mask;
    return i;
}

static void grow(struct prover *p)
{
    uint64_t *old = p->set;
    const size_t size = old ? p->mask + 1 : 0;
    p->mask = size ? 2 * size - 1 : 1023;
    p->set = lib_mem_new((p->mask + 1) * sizeof *p->set);
    for (size_t i = 0; i < size; i++)
        if (old[i])
            p->set[place_of(p, old[i])] = old[i];
    lib_mem_free(old);
}

static void depend(struct prover *p, uint32_t from, uint32_t to)
{
    if (2 * (p->count + 1) > p->mask)
        grow(p);
    const uint64_t pair = ((uint64_t)(from + 1) << 32) | (to + 1);
    const size_t i = place_of(p, pair);
    p->count += p->set[i] == 0;
    p->set[i] = pair;
}

static bool judges(const struct prover *p, uint32_t channel)
{
    return p->g->shape.routing != MACHINE_ROUTING_ADAPTIVE || p->g->rules->adapts_free ||
           channel % p->classes < p->g->rules->classes;
}

static void visit(struct prover *p, uint32_t channel)
{
    if (p->seen[channel] == p->walk)
        return;
    p->seen[channel] = p->walk;
    *LIB_VEC_PUSH(&p->left) = channel;
}

/* Records the dependencies of a token that came over `link` in class `cls`. `from` is that channel,
 * or UINT32_MAX for an injection. */
static void go_on(struct prover *p, uint32_t from, uint32_t link, uint32_t cls,
                  uint32_t to, uint32_t via)
{
    struct machine_route routes[MACHINE_MAX_ROUTES];
    const unsigned count = machine_route(p->g, link, cls, to, via, routes);
    for (unsigned i = 0; i < count; i++) {
        if (p->g->links[routes[i].link].kind == MACHINE_LINK_EJECTION)
            continue;
        const uint32_t next = channel_of(p, routes[i].link, routes[i].channel_class);
        if (from != UINT32_MAX && judges(p, from) && judges(p, next))
            depend(p, from, next);
        visit(p, next);
    }
}

/* Follows all routes from the channels in `left`. `ends` is the router where the first phase of
 * Valiant's routing ends. */
static void walk_on(struct prover *p, uint32_t to, uint32_t via, uint32_t ends)
{
    while (p->left.count > 0) {
        const uint32_t channel = p->left.items[--p->left.count];
        const uint32_t link = link_of(p, channel);
        if (p->g->links[link].to != ends)
            go_on(p, channel, link, channel % p->classes, to, via);
    }
}

static void walk_direct(struct prover *p)
{
    for (uint32_t t = 0; t < p->target_count; t++) {
        p->walk++;
        for (uint32_t pe = 0; pe < p->g->pe_count; pe++)
            go_on(p, UINT32_MAX, pe, 0, p->targets[t], MACHINE_NO_VIA);
        walk_on(p, p->targets[t], MACHINE_NO_VIA, UINT32_MAX);
    }
}

/* Returns a PE at another router, if there is one. */
static uint32_t elsewhere(const struct machine_graph *g, uint32_t pe)
{
    return g->cluster && pe < g->shape.node_pes ? g->pe_count - 1 : 0;
}

/* Follows Valiant's first phase to each router, then the second to each target, from any router and
 * channel in which the first phase can end. */
static void walk_valiant(struct prover *p)
{
    const struct machine_graph *g = p->g;
    /* for each channel: whether the first phase can end with it */
    uint8_t *ends = lib_mem_new(p->channels + 1u);
    for (uint32_t via = machine_graph_first_via(g); via < g->router_count; via++) {
        p->walk++;
        for (uint32_t pe = 0; pe < g->pe_count; pe++)
            if (machine_graph_source(g, pe) != via)
                go_on(p, UINT32_MAX, pe, 0, elsewhere(g, pe), via);
        walk_on(p, 0, via, via);
        for (uint32_t i = g->in_first[via]; i < g->in_first[via + 1]; i++)
            for (uint32_t cls = 0; cls < g->phase_classes; cls++) {
                if (g->links[g->in[i]].kind == MACHINE_LINK_INJECTION)
                    continue;
                const uint32_t channel = channel_of(p, g->in[i], cls);
                ends[channel] = p->seen[channel] == p->walk;
            }
    }
    for (uint32_t t = 0; t < p->target_count; t++) {
        p->walk++;
        /* In a cluster each route begins with a link up, which is in the first phase. */
        for (uint32_t pe = 0; pe < g->pe_count && !g->cluster; pe++)
            go_on(p, UINT32_MAX, pe, 0, p->targets[t], machine_graph_source(g, pe));
        for (uint32_t c = 0; c < p->channels; c++)
            if (ends[c]) {
                const uint32_t link = link_of(p, c);
                go_on(p, c, link, c % p->classes, p->targets[t], g->links[link].to);
            }
        walk_on(p, p->targets[t], machine_graph_first_via(g), UINT32_MAX);
    }
    lib_mem_free(ends);
}

static void sort(struct prover *p)
{
    p->first = lib_mem_new((p->channels + 2u) * sizeof *p->first);
    p->after = lib_mem_new((p->count + 1) * sizeof *p->after);
    for (size_t i = 0; p->set && i <= p->mask; i++)
        if (p->set[i])
            p->first[(p->set[i] >> 32) + 1]++;
    for (uint32_t c = 0; c < p->channels; c++)
        p->first[c + 2] += p->first[c + 1];
    for (size_t i = 0; p->set && i <= p->mask; i++)
        if (p->set[i])
            p->after[p->first[p->set[i] >> 32]++] = (uint32_t)p->set[i] - 1;
}

/* Returns the `i`th successor of a node, or UINT64_MAX. Nodes are channels and, with adaptive
 * routing, tokens for a target at a router and in no escape channel. */
typedef uint64_t successor(const struct prover *p, uint64_t node, size_t i);

static uint64_t after_direct(const struct prover *p, uint64_t node, size_t i)
{
    const size_t at = p->first[node] + i;
    return at < p->first[node + 1] ? p->after[at] : UINT64_MAX;
}

static uint64_t at_router(const struct prover *p, uint32_t target, uint32_t router)
{
    return p->channels + (uint64_t)target * p->g->router_count + router;
}

static uint64_t after_adaptive(const struct prover *p, uint64_t node, size_t i)
{
    const struct machine_graph *g = p->g;
    if (node < p->channels) {
        const size_t at = p->first[node] + i;
        return at < p->first[node + 1]
                   ? at_router(p, p->after[at], g->links[link_of(p, (uint32_t)node)].to)
                   : UINT64_MAX;
    }
    const uint32_t target = (uint32_t)((node - p->channels) / g->router_count);
    const uint32_t router = (uint32_t)((node - p->channels) % g->router_count);
    struct machine_route routes[MACHINE_MAX_ROUTES];
    const uint32_t injection = g->in[g->in_first[router]];
    const unsigned count = machine_route(g, injection, 0, p->targets[target],
                                         MACHINE_NO_VIA, routes);
    if (i >= count || g->links[routes[i].link].kind == MACHINE_LINK_EJECTION)
        return UINT64_MAX;
    return routes[i].is_escape ? channel_of(p, routes[i].link, routes[i].channel_class)
                               : at_router(p, target, g->links[routes[i].link].to);
}

/* With adaptive routing: lists, for each escape channel, the targets of tokens that take it. Tokens
 * for any target can be at any router, as each router has a PE. */
static void sort_escapes(struct prover *p)
{
    const struct machine_graph *g = p->g;
    p->first = lib_mem_new((p->channels + 2u) * sizeof *p->first);
    p->after = lib_mem_new(((size_t)g->router_count * p->target_count + 1) *
                           sizeof *p->after);
    for (int fill = 0; fill < 2; fill++) {
        for (uint32_t t = 0; t < p->target_count; t++)
            for (uint32_t r = 0; r < g->router_count; r++) {
                struct machine_route routes[MACHINE_MAX_ROUTES];
                assert(g->links[g->in[g->in_first[r]]].kind == MACHINE_LINK_INJECTION ||
                       g->links[g->in[g->in_first[r]]].kind == MACHINE_LINK_UP);
                const unsigned count = machine_route(
                    g, g->in[g->in_first[r]], 0, p->targets[t], MACHINE_NO_VIA, routes);
                const struct machine_route *last = &routes[count - 1];
                if (g->links[last->link].kind == MACHINE_LINK_EJECTION)
                    continue;
                const uint32_t c = channel_of(p, last->link, last->channel_class);
                if (fill)
                    p->after[p->first[c + 1]++] = t;
                else
                    p->first[c + 2]++;
                p->count += (size_t)fill;
            }
        for (uint32_t c = 0; c < p->channels && !fill; c++)
            p->first[c + 2] += p->first[c + 1];
    }
}

struct step {
    uint64_t node;
    size_t i;
};

static void tell_circle(const struct prover *p, const struct step *steps, size_t count)
{
    struct machine_proof *proof = p->proof;
    proof->circle = lib_mem_new(count * sizeof *proof->circle);
    for (size_t i = 0; i < count; i++) {
        if (steps[i].node >= p->channels)
            continue;
        const uint32_t channel = (uint32_t)steps[i].node, link = link_of(p, channel);
        proof->circle[proof->circle_length++] = (struct machine_channel){
            link, p->g->links[link].from, p->g->links[link].to, channel % p->classes};
    }
}

/* Searches for a cycle, depth first. `colour` is 1 for nodes on the path, 2 for nodes that lead to
 * no cycle. */
static bool find_circle(struct prover *p, successor *after, uint64_t nodes)
{
    uint8_t *colour = lib_mem_new(nodes + 1);
    LIB_VEC(struct step) steps = {0};
    bool found = false;
    for (uint32_t start = 0; start < p->channels && !found; start++) {
        if (colour[start])
            continue;
        colour[start] = 1;
        *LIB_VEC_PUSH(&steps) = (struct step){start, 0};
        while (steps.count > 0 && !found) {
            struct step *top = &steps.items[steps.count - 1];
            const uint64_t next = after(p, top->node, top->i++);
            if (next == UINT64_MAX) {
                colour[top->node] = 2;
                steps.count--;
            } else if (colour[next] == 0) {
                colour[next] = 1;
                *LIB_VEC_PUSH(&steps) = (struct step){next, 0};
            } else if (colour[next] == 1) {
                size_t from = steps.count - 1;
                while (steps.items[from].node != next)
                    from--;
                tell_circle(p, steps.items + from, steps.count - from);
                found = true;
            }
        }
    }
    LIB_VEC_FREE(&steps);
    lib_mem_free(colour);
    return found;
}

/* Lists the targets: one PE per router, unless routes depend on the PE. */
static void list_targets(struct prover *p)
{
    const struct machine_graph *g = p->g;
    uint8_t *has = lib_mem_new(g->router_count);
    p->targets = lib_mem_new(g->pe_count * sizeof *p->targets);
    for (uint32_t pe = 0; pe < g->pe_count; pe++) {
        const uint32_t sink = machine_graph_sink(g, pe);
        if ((g->rules->by_pe && !g->cluster) || !has[sink])
            p->targets[p->target_count++] = pe;
        has[sink] = true;
    }
    lib_mem_free(has);
}

static void prove(const struct machine_graph *g, struct machine_proof *proof)
{
    struct prover p = {.g = g, .proof = proof, .classes = g->channel_classes};
    p.channels = (g->link_count - 2 * g->pe_count) * p.classes;
    p.seen = lib_mem_new((p.channels + 1u) * sizeof *p.seen);
    list_targets(&p);
    uint64_t nodes = p.channels;
    successor *after = after_direct;
    if (g->shape.routing == MACHINE_ROUTING_ADAPTIVE && !g->rules->adapts_free &&
        !g->rules->stays_escape) {
        sort_escapes(&p);
        after = after_adaptive;
        nodes += (uint64_t)p.target_count * g->router_count;
    } else {
        if (g->shape.routing == MACHINE_ROUTING_VALIANT)
            walk_valiant(&p);
        else
            walk_direct(&p);
        sort(&p);
    }
    proof->channels = p.channels;
    proof->dependencies = p.count;
    proof->is_free = !find_circle(&p, after, nodes);
    LIB_VEC_FREE(&p.left);
    LIB_MEM_FREE(p.targets, p.set, p.first, p.after, p.seen);
}

void machine_graph_prove(const struct machine_graph *graph, struct machine_proof *proof)
{
    *proof = (struct machine_proof){.judged = graph->shape};
    if (graph->pe_count <= MACHINE_PROOF_MAX_PES || graph->rules->by_file) {
        prove(graph, proof);
        return;
    }
    struct lib_diags diags = {0};
    machine_proof_shape(&graph->shape, &proof->judged);
    struct machine_graph *smaller = machine_graph_make(&proof->judged, &diags);
    assert(smaller && diags.count == 0);
    prove(smaller, proof);
    proof->judged = smaller->shape;
    machine_graph_free(smaller);
    lib_diags_free(&diags);
}

void machine_proof_write(const struct machine_proof *proof, struct lib_text *out)
{
    enum { SHOWN = 12 };
    for (size_t i = 0; i < proof->circle_length && i < SHOWN; i++) {
        const struct machine_channel *c = &proof->circle[i];
        lib_text_printf(out, "%s%u -> %u in class %u", i ? ", " : "router ", c->from,
                        c->to, c->channel_class);
    }
    if (proof->circle_length > SHOWN)
        lib_text_printf(out, ", ... (%zu channels)", proof->circle_length);
}

void machine_proof_free(struct machine_proof *proof)
{
    lib_mem_free(proof->circle);
    *proof = (struct machine_proof){0};
}

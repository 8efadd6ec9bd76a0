#include "programs/partition/track.h"

#include "isa/op_columns.h"
#include "isa/parts.h"
#include "programs/partition/condition.h"
#include "programs/partition/partition_internal.h"
#include "lib/memory.h"

/* Maker of tags: a site, and for a loop whether its ENTERs or its NEXTs. */
struct need {
    uint32_t site, machine;
};

struct work {
    const struct isa_graph *image;
    struct programs_tracker *tracker;
    struct programs_conditions *conditions;
    uint32_t machines;
    uint32_t *home;     /* for each site: its machine */
    uint32_t *maker;    /* for each maker: CALL, ENTER or NEXT of parameter 0 */
    uint32_t *first_of; /* for each function: first site that calls it */
    uint32_t *next_of;  /* for each site: next site that calls the same function */
    struct lib_key_map needed, copies, switches;
    LIB_VEC(struct need) stack;
};

/* --- what is scheduled together -------------------------------------------------------------- */

/* Keys of MERGEs of state machines. A MERGE is on one machine and serves some tags of a
 * function: all, those of one maker, or those of the sites on that machine. */
static uint64_t key_of(uint32_t machine, uint64_t what)
{
    return 1 + ((uint64_t)machine << 40 | what);
}

static uint64_t all_of(uint32_t function)
{
    return (uint64_t)function << 2;
}

static uint64_t at_home_of(uint32_t function)
{
    return (uint64_t)function << 2 | 1;
}

static uint64_t made_by(uint32_t maker)
{
    return (uint64_t)maker << 2 | 2;
}

static uint32_t maker_of(const struct isa_node *n)
{
    return n->site << 1 | (isa_op_does[n->op].tag == ISA_UNDER_NEXT);
}

/* Returns the tags under which tokens of an output list arrive at another machine. */
static uint64_t tags_of(const struct isa_graph *g, const struct isa_node *n, bool result)
{
    if (isa_op_makes_tag(n->op))
        return made_by(maker_of(n));
    return result ? at_home_of(isa_node_output_frame(g, n))
                  : all_of(isa_node_output_frame(g, n));
}

static uint32_t add_node(struct work *w, enum isa_op op, uint32_t machine,
                         uint32_t function, uint32_t site, struct lib_pos pos)
{
    struct programs_tracker *t = w->tracker;
    const uint32_t node = isa_graph_add_node(t->graph, op, ISA_BOOL, function, site, 0,
                                             pos);
    t->machine_of = lib_mem_resize(t->machine_of, ((size_t)node + 1) * sizeof(uint32_t));
    t->machine_of[node] = machine;
    return node;
}

static uint32_t find_merge(struct work *w, uint32_t machine, uint32_t function,
                           uint64_t tags)
{
    const uint64_t key = key_of(machine, tags);
    const uint64_t *known = lib_key_map_find(&w->tracker->merges, key);
    if (known)
        return (uint32_t)*known;
    const uint32_t merge = add_node(w, ISA_OP_TRACK_MERGE, machine, function, 0,
                                    w->image->functions[function].pos);
    if (function == 0)
        isa_graph_set_absent(w->tracker->graph, merge, 0);
    lib_key_map_put(&w->tracker->merges, key, merge);
    return merge;
}

uint32_t programs_tracker_schedule(const struct programs_tracker *tracker, uint32_t node,
                                   uint32_t machine, bool result)
{
    const struct isa_graph *g = tracker->graph;
    const uint64_t tags = tags_of(g, &g->nodes[node], result);
    return (uint32_t)*lib_key_map_find(&tracker->merges, key_of(machine, tags));
}

/* --- what must be followed ----------------------------------------------------------------- */

/* Records that a machine must know which tags a site makes. */
static void need_site(struct work *w, uint32_t site, uint32_t machine)
{
    const uint64_t key = key_of(machine, site);
    if (w->home[site] == machine || lib_key_map_find(&w->needed, key))
        return;
    lib_key_map_put(&w->needed, key, 1);
    *LIB_VEC_PUSH(&w->stack) = (struct need){site, machine};
}

/* Records that a machine must know all tags of a function; then it can also know those that the
 * function makes. */
static void need_function(struct work *w, uint32_t function, uint32_t machine)
{
    for (uint32_t s = w->first_of[function]; s != UINT32_MAX; s = w->next_of[s])
        need_site(w, s, machine);
}

static void need_all_callers(struct work *w)
{
    while (w->stack.count) {
        const struct need n = w->stack.items[--w->stack.count];
        need_function(w, w->image->sites[n.site].caller, n.machine);
    }
}

/* Records the tags that other machines must know for the arcs of an output list. */
static void need_arcs(struct work *w, const uint32_t *machine_of, uint32_t node,
                      const struct programs_partition_ends *to)
{
    const struct isa_node *n = &w->image->nodes[node];
    const uint32_t function = isa_node_output_frame(w->image, n);
    for (size_t k = 0; k < to->count; k++) {
        const uint32_t machine = machine_of[to->items[k].node];
        const bool result = isa_graph_is_result_arc(w->image, to->items[k]);
        if (machine == machine_of[node])
            continue;
        find_merge(w, machine, function, tags_of(w->image, n, result));
        if (isa_op_makes_tag(n->op))
            need_site(w, n->site, machine);
        else if (!result)
            need_function(w, function, machine);
    }
}

/* --- the state machines ---------------------------------------------------------------------- */

/* Source of a decision in a state machine: a node, and one of its output lists. */
struct end {
    uint32_t node, output;
};

/* Copy of a maker of tags: where it is, the function in which it is, and the machine of the maker
 * itself. */
struct copy {
    uint32_t machine, function, home;
};

static struct end find_end(struct work *w, struct copy copy, uint32_t condition);

/* Returns the machine that has the copy of the SWITCHes that decide a condition. A loop constant is
 * on the loop's machine alone. For an immediate no machine waits: only at home is there a maker,
 * which is sure to wait for tokens, so that the tag lives until all machines know of it. */
static uint32_t machine_of_switch(const struct work *w, struct copy copy,
                                  const struct isa_predicate *p)
{
    return p->operand.kind == ISA_OPERAND_TOKEN  ? copy.machine
           : p->operand.kind == ISA_OPERAND_HELD ? w->home[w->first_of[copy.function]]
                                                 : copy.home;
}

static uint32_t find_switch(struct work *w, struct copy copy,
                            const struct programs_condition *c)
{
    struct isa_graph *g = w->tracker->graph;
    const struct isa_predicate *p = &w->conditions->predicates.items[c->predicate];
    const uint32_t machine = copy.machine = machine_of_switch(w, copy, p);
    const uint64_t key = 1 + ((uint64_t)machine << 47 | (uint64_t)c->outer << 23 |
                              c->predicate); /* nodes are fewer than 2^23 */
    const uint64_t *known = lib_key_map_find(&w->switches, key);
    if (known)
        return (uint32_t)*known;
    const struct end outer = find_end(w, copy, c->outer);
    const uint32_t node = add_node(w, ISA_OP_TRACK_SWITCH, machine, copy.function, 0,
                                   c->pos);
    isa_graph_connect(g, outer.node, outer.output, (struct isa_dest){node, 0});
    if (p->operand.kind == ISA_OPERAND_TOKEN)
        isa_graph_connect(g, p->node, p->output, (struct isa_dest){node, 1});
    else
        g->nodes[node].operands[1] = p->operand;
    lib_key_map_put(&w->switches, key, node);
    return node;
}

static struct end find_end(struct work *w, struct copy copy, uint32_t condition)
{
    const struct programs_condition *c = &w->conditions->all.items[condition];
    const uint32_t merge = find_merge(w, copy.machine, copy.function,
                                      all_of(copy.function));
    if (condition == PROGRAMS_CONDITION_NONE)
        return (struct end){merge, 0};
    return (struct end){find_switch(w, copy, c), c->side};
}

static void copy_maker(struct work *w, uint32_t maker, uint32_t machine)
{
    static const enum isa_op copies[] = {[ISA_UNDER_CALLEE] = ISA_OP_TRACK_CALL,
                                         [ISA_UNDER_ENTERED] = ISA_OP_TRACK_ENTER,
                                         [ISA_UNDER_NEXT] = ISA_OP_TRACK_NEXT};
    const struct isa_node n = w->image->nodes[w->maker[maker]];
    const uint32_t condition = w->conditions->of_node[w->maker[maker]];
    const struct end end = find_end(
        w, (struct copy){machine, n.function, w->home[n.site]}, condition);
    const uint32_t copy = add_node(w, copies[isa_op_does[n.op].tag], machine, n.function,
                                   n.site, n.pos);
    isa_graph_connect(w->tracker->graph, end.node, end.output,
                      (struct isa_dest){copy, 0});
    lib_key_map_put(&w->copies, key_of(machine, maker), copy);
}

static bool can_follow(struct work *w, uint32_t site, struct lib_diags *diags)
{
    const bool is_loop = w->image->functions[w->image->sites[site].callee].is_loop;
    for (uint32_t k = 0; k < (is_loop ? 2 : 1); k++) {
        const uint32_t maker = w->maker[site << 1 | k];
        if (w->conditions->of_node[maker] != PROGRAMS_CONDITION_UNKNOWN)
            continue;
        lib_diag_error(diags, LIB_DIAG_USAGE, NULL, w->image->sites[site].pos,
                       "no list of decisions says whether this call is made, or this "
                       "loop goes on, so that other machines cannot follow its tags "
                       "(partition.receive=scheduled): expected partition.receive=match");
        return false;
    }
    return true;
}

static bool copy_makers(struct work *w, struct lib_diags *diags)
{
    for (uint32_t m = 0; m < w->machines; m++)
        for (uint32_t s = 0; s < w->image->site_count; s++) {
            const uint32_t callee = w->image->sites[s].callee;
            if (!lib_key_map_find(&w->needed, key_of(m, s)))
                continue;
            if (!can_follow(w, s, diags))
                return false;
            copy_maker(w, s << 1, m);
            if (w->image->functions[callee].is_loop)
                copy_maker(w, s << 1 | 1, m);
        }
    return true;
}

/* Connects a maker, or its copy on another machine, to a MERGE, which so gets each tag. */
static void join_maker(struct work *w, uint32_t maker, uint32_t merge)
{
    const uint32_t machine = w->tracker->machine_of[merge];
    const uint64_t *copy = lib_key_map_find(&w->copies, key_of(machine, maker));
    const bool home = w->home[maker >> 1] == machine;
    if (home || copy)
        isa_graph_connect(w->tracker->graph, home ? w->maker[maker] : (uint32_t)*copy, 0,
                          (struct isa_dest){merge, 0});
}

static void join_function(struct work *w, uint32_t function, uint32_t machine)
{
    struct lib_key_map *merges = &w->tracker->merges;
    const uint64_t *all = lib_key_map_find(merges, key_of(machine, all_of(function)));
    const uint64_t *home = lib_key_map_find(merges,
                                            key_of(machine, at_home_of(function)));
    for (uint32_t s = w->first_of[function]; s != UINT32_MAX; s = w->next_of[s])
        for (uint32_t k = 0; k < (w->image->functions[function].is_loop ? 2 : 1); k++) {
            const uint32_t maker = s << 1 | k;
            const uint64_t *own = lib_key_map_find(merges,
                                                   key_of(machine, made_by(maker)));
            if (all)
                join_maker(w, maker, (uint32_t)*all);
            if (home && w->home[s] == machine)
                join_maker(w, maker, (uint32_t)*home);
            if (own)
                join_maker(w, maker, (uint32_t)*own);
        }
}

/* --- all of it ------------------------------------------------------------------------------ */

static void find_makers(struct work *w, const uint32_t *machine_of)
{
    for (uint32_t i = 0; i < w->image->node_count; i++) {
        const struct isa_node *n = &w->image->nodes[i];
        if (!isa_op_makes_tag(n->op))
            continue;
        w->home[n->site] = machine_of[i];
        if (n->index == 0)
            w->maker[maker_of(n)] = i;
    }
    for (uint32_t f = 0; f < w->image->function_count; f++)
        w->first_of[f] = UINT32_MAX;
    for (uint32_t s = w->image->site_count; s-- > 0;) {
        w->next_of[s] = w->first_of[w->image->sites[s].callee];
        w->first_of[w->image->sites[s].callee] = s;
    }
}

static bool make_tracker(struct work *w, const uint32_t *machine_of,
                         struct lib_diags *diags)
{
    struct programs_partition_ends to = {0};
    find_makers(w, machine_of);
    for (uint32_t i = 0; i < w->image->node_count; i++)
        for (uint32_t o = 0; o < w->image->nodes[i].output_count; o++) {
            to.count = 0;
            programs_partition_dests(w->image, i, o, &to);
            need_arcs(w, machine_of, i, &to);
        }
    LIB_VEC_FREE(&to);
    need_all_callers(w);
    if (!copy_makers(w, diags))
        return false;
    for (uint32_t f = 0; f < w->image->function_count; f++)
        for (uint32_t m = 0; m < w->machines; m++)
            join_function(w, f, m);
    return true;
}

struct programs_tracker *programs_tracker_make(const struct isa_graph *image,
                                               const uint32_t *machine_of,
                                               uint32_t machines, struct lib_diags *diags)
{
    const size_t sites = (size_t)image->site_count + 1;
    struct programs_tracker *tracker = lib_mem_new(sizeof *tracker);
    tracker->graph = isa_graph_copy(image);
    tracker->machine_of = lib_mem_new(((size_t)image->node_count + 1) * sizeof(uint32_t));
    for (uint32_t i = 0; i < image->node_count; i++)
        tracker->machine_of[i] = machine_of[i];
    struct work w = {
        .image = image,
        .tracker = tracker,
        .conditions = programs_conditions_make(image),
        .machines = machines,
        .home = lib_mem_new(sites * sizeof *w.home),
        .maker = lib_mem_new(2 * sites * sizeof *w.maker),
        .first_of = lib_mem_new(image->function_count * sizeof *w.first_of),
        .next_of = lib_mem_new(sites * sizeof *w.next_of),
    };
    const bool good = make_tracker(&w, machine_of, diags);
    programs_conditions_free(w.conditions);
    LIB_MEM_FREE(w.home, w.maker, w.first_of, w.next_of);
    lib_key_map_free(&w.needed);
    lib_key_map_free(&w.copies);
    lib_key_map_free(&w.switches);
    LIB_VEC_FREE(&w.stack);
    if (good)
        return tracker;
    programs_tracker_free(tracker);
    return NULL;
}

void programs_tracker_free(struct programs_tracker *tracker)
{
    isa_graph_free(tracker->graph);
    lib_mem_free(tracker->machine_of);
    lib_key_map_free(&tracker->merges);
    lib_mem_free(tracker);
}

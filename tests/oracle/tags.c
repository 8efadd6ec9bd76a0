/* "Tags and activations": the tree of activations, and when they are freed. */
#include "tests/oracle/state.h"

#include <assert.h>

/* An activation for i:t, or for i.n:t. */
struct activation *oracle_activation_new(struct oracle *o, struct activation *parent,
                                         uint32_t site, bool is_iteration,
                                         uint64_t iteration)
{
    struct activation *a = lib_mem_new(sizeof *a);
    a->next = o->activations;
    a->link = &o->activations;
    if (a->next)
        a->next->link = &a->next;
    o->activations = a;
    a->parent = parent;
    a->site = site;
    a->place = NONE;
    a->why = (struct stamp){NOWHERE, 0};
    a->is_iteration = is_iteration;
    a->iteration = iteration;
    a->id = o->made++;
    o->alive++;
    if (!parent) {
        a->path = oracle_path_root();
        a->live = 1; /* held by the run */
        return a;
    }
    a->function = o->graph->sites[site].callee;
    a->depth = parent->depth + 1;
    a->path = oracle_path(parent->path, site);
    parent->live++;
    oracle_share(o, parent, oracle_home_of_site(o, site), 1);
    o->frames_made += oracle_has_frame(o, a);
    if (++o->numbers[a->function] > o->frames[a->function]) {
        o->frames[a->function]++;
        o->frame_bytes += oracle_frame_bytes(o, a->function);
    }
    if (a->depth > o->outcome->stats.peak_tag_depth)
        o->outcome->stats.peak_tag_depth = a->depth;
    if (is_iteration) {
        struct loop *loop = oracle_loop(o, parent, site);
        a->path = oracle_path_iteration(a->path, iteration);
        a->variables_to_come = o->graph->functions[a->function].param_count +
                               oracle_followers(o, site);
        a->live = a->variables_to_come;
        oracle_share(o, a, oracle_home_of_site(o, site), (int)a->live);
        if (!loop->begun && loop->held > 0) {
            parent->live++; /* until its constants are consumed */
            oracle_share(o, parent, oracle_home_of_site(o, site), 1);
        }
        loop->begun = true;
        loop->alive++;
        oracle_why_begun(o, loop);
    }
    return a;
}

bool oracle_has_frame(const struct oracle *o, const struct activation *a)
{
    return a->parent && (o->graph->stage != ISA_STAGE_EXPANDING || a->is_iteration);
}

/* What others will look for in this activation under a site, or NULL. */
struct child *oracle_child(struct activation *a, uint32_t site)
{
    for (size_t i = 0; i < a->children.count; i++)
        if (a->children.items[i].site == site)
            return &a->children.items[i];
    return NULL;
}

void oracle_child_remove(struct activation *a, uint32_t site)
{
    struct child *c = oracle_child(a, site);
    *c = a->children.items[--a->children.count];
}

static void free_activation(struct activation *a)
{
    *a->link = a->next;
    if (a->next)
        a->next->link = a->link;
    for (size_t l = 0; l < a->loops.count; l++) {
        for (uint32_t k = 0; k < a->loops.items[l].held; k++)
            LIB_VEC_FREE(&a->loops.items[l].parked[k]);
        lib_mem_free(a->loops.items[l].parked);
        lib_mem_free(a->loops.items[l].constants);
    }
    LIB_VEC_FREE(&a->waiting);
    LIB_VEC_FREE(&a->children);
    LIB_VEC_FREE(&a->loops);
    lib_mem_free(a->shares);
    lib_mem_free(a);
}

void oracle_activations_free(struct oracle *o)
{
    while (o->activations)
        free_activation(o->activations);
}

/* One thing less, on a machine (or NONE), can still send to the activation. "When an activation is
 * freed". */
void oracle_release(struct oracle *o, struct activation *a, uint32_t machine)
{
    assert(a->live > 0);
    oracle_share(o, a, machine, -1);
    if (--a->live > 0 || !a->parent)
        return;
    struct activation *parent = a->parent;
    oracle_why_freed(o, a);
    o->frames_freed += oracle_has_frame(o, a);
    o->alive--;
    o->numbers[a->function]--;
    oracle_leave_frame(o, a);
    if (a->is_copy) {
        const uint64_t nodes = oracle_copy_nodes(o, a->function);
        o->pes[a->place].nodes -= nodes;
        o->nodes -= nodes;
    }
    if (a->is_iteration) {
        struct loop *loop = oracle_loop(o, parent, a->site);
        loop->alive--;
        oracle_loop_check(o, parent, loop);
    }
    const uint32_t home = oracle_home_of_site(o, a->site);
    free_activation(a);
    oracle_release(o, parent, home);
}

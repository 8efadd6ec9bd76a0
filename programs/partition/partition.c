#include "programs/partition/partition.h"

#include "isa/check/check.h"
#include "programs/partition/partition_internal.h"
#include "programs/partition/track.h"
#include "lib/memory.h"
#include "lib/random.h"

#include <string.h>

/* --- groups ------------------------------------------------------------------------------ */

/* Returns the first node of the group so far, and shortens the path to it (union-find). */
static uint32_t first_of(uint32_t *group_of, uint32_t node)
{
    while (group_of[node] != node) {
        group_of[node] = group_of[group_of[node]];
        node = group_of[node];
    }
    return node;
}

static void join(uint32_t *group_of, uint32_t a, uint32_t b)
{
    a = first_of(group_of, a);
    b = first_of(group_of, b);
    if (a < b)
        group_of[b] = a;
    else
        group_of[a] = b;
}

/* Joins a node to the group of *first, or makes it *first if there is none yet. */
static void join_with(uint32_t *group_of, uint32_t *first, uint32_t node)
{
    if (*first == UINT32_MAX)
        *first = node;
    else
        join(group_of, *first, node);
}

static uint32_t *none_of(uint32_t count)
{
    uint32_t *all = lib_mem_new(((size_t)count + 1) * sizeof *all);
    for (uint32_t i = 0; i < count; i++)
        all[i] = UINT32_MAX;
    return all;
}

uint32_t *programs_partition_groups(const struct isa_graph *image)
{
    uint32_t *group_of = lib_mem_new(((size_t)image->node_count + 1) * sizeof *group_of);
    uint32_t *of_site = none_of(image->site_count), *of_cell = none_of(image->cell_count);
    uint32_t *site_of = none_of(image->function_count);
    for (uint32_t s = 0; s < image->site_count; s++)
        if (image->functions[image->sites[s].callee].is_loop)
            site_of[image->sites[s].callee] = s;
    for (uint32_t i = 0; i < image->node_count; i++)
        group_of[i] = i;
    for (uint32_t i = 0; i < image->node_count; i++) {
        const struct isa_node *n = &image->nodes[i];
        if (isa_op_has_site(n->op))
            join_with(group_of, &of_site[n->site], i);
        if (isa_op_table[n->op].attributes == ISA_ATTR_CELL)
            join_with(group_of, &of_cell[n->index], i);
        for (uint32_t port = 0; port < n->operand_count; port++)
            if (n->operands[port].kind == ISA_OPERAND_HELD)
                join_with(group_of, &of_site[site_of[n->function]], i);
    }
    for (uint32_t i = 0; i < image->node_count; i++)
        group_of[i] = first_of(group_of, i);
    LIB_MEM_FREE(of_site, of_cell, site_of);
    return group_of;
}

/* --- choosing ---------------------------------------------------------------------------- */

uint32_t *programs_partition_homes(const struct isa_graph *image)
{
    uint32_t *home = lib_mem_new(image->function_count * sizeof *home);
    uint32_t *entered = lib_mem_new(image->function_count * sizeof *entered);
    for (uint32_t s = 0; s < image->site_count; s++)
        entered[image->sites[s].callee] = image->sites[s].caller;
    for (uint32_t f = 0; f < image->function_count; f++) {
        home[f] = f;
        for (uint32_t i = 0;
             image->functions[home[f]].is_loop && i < image->function_count; i++)
            home[f] = entered[home[f]];
    }
    lib_mem_free(entered);
    return home;
}

/* Functions take machines in turn; a loop is with its ENTERs. */
static void by_function(const struct isa_graph *image, uint32_t machines,
                        uint32_t *machine_of)
{
    uint32_t *of_function = lib_mem_new(image->function_count * sizeof *of_function);
    uint32_t *home = programs_partition_homes(image), next = 0;
    for (uint32_t f = 0; f < image->function_count; f++)
        if (!image->functions[f].is_loop)
            of_function[f] = next++ % machines;
    for (uint32_t i = 0; i < image->node_count; i++)
        machine_of[i] = of_function[home[image->nodes[i].function]];
    LIB_MEM_FREE(of_function, home);
}

static void by_chance(const struct isa_graph *image, uint64_t seed, uint32_t machines,
                      uint32_t *machine_of)
{
    for (uint32_t i = 0; i < image->node_count; i++) {
        const uint64_t drawn = lib_random_draw(seed, LIB_RANDOM_PARTITION, i, 0);
        machine_of[i] = (uint32_t)(((drawn >> 32) * machines) >> 32);
    }
}

static const struct isa_placing *find_placing(const struct isa_graph *image,
                                              uint32_t line)
{
    for (uint32_t i = image->placing_count; i-- > 0;)
        if (image->placings[i].first <= line && line <= image->placings[i].last)
            return &image->placings[i];
    return NULL;
}

/* Reports a directive for a machine that does not exist. An image has no source, only its name. */
static void no_machine(const struct isa_graph *image, const struct isa_placing *p,
                       const struct programs_partition_choice *choice,
                       struct lib_diags *diags)
{
    LIB_TEXT_OWN place = {0};
    if (!choice->source)
        lib_text_printf(&place, "%s:%u:%u: ", image->source, p->pos.line, p->pos.column);
    lib_diag_error(diags, LIB_DIAG_USAGE, choice->source, p->pos,
                   "%sunknown machine %u: expected a number from 0 to %u",
                   lib_text_get(&place), p->machine, choice->machines - 1);
}

/* Chooses machines by the directives of the source; machine 0 for nodes without one. */
static bool by_source(const struct isa_graph *image,
                      const struct programs_partition_choice *choice,
                      uint32_t *machine_of, struct lib_diags *diags)
{
    bool good = image->placing_count > 0;
    if (!good)
        lib_diag_error(diags, LIB_DIAG_USAGE, choice->source, (struct lib_pos){0},
                       "nothing in the source says which machine it is on: expected "
                       "`--# machine N` before an equation, or at the end of a line");
    for (uint32_t i = 0; i < image->placing_count; i++) {
        const struct isa_placing *p = &image->placings[i];
        if (p->machine < choice->machines)
            continue;
        no_machine(image, p, choice, diags);
        good = false;
    }
    for (uint32_t i = 0; i < image->node_count && good; i++) {
        const struct isa_placing *p = find_placing(image, image->nodes[i].pos.line);
        machine_of[i] = p ? p->machine : 0;
    }
    return good;
}

static bool choose_groups(const struct isa_graph *image, const uint32_t *group_of,
                          const struct programs_partition_choice *choice,
                          uint32_t *machine_of, struct lib_diags *diags)
{
    switch (choice->by) {
    case PROGRAMS_PARTITION_NONE: /* all on machine 0 */
        return true;
    case PROGRAMS_PARTITION_FUNCTION:
        by_function(image, choice->machines, machine_of);
        return true;
    case PROGRAMS_PARTITION_RANDOM:
        by_chance(image, choice->seed, choice->machines, machine_of);
        return true;
    case PROGRAMS_PARTITION_METIS:
        return programs_partition_by_metis(image, group_of, choice, machine_of, diags);
    case PROGRAMS_PARTITION_FILE:
        return programs_partition_read_map(image, group_of, choice->map, choice->machines,
                                           machine_of, diags);
    case PROGRAMS_PARTITION_SOURCE:
        return by_source(image, choice, machine_of, diags);
    }
    return false;
}

struct isa_graph *programs_partition_split(const struct isa_graph *image,
                                           const uint32_t *machine_of, uint32_t machines,
                                           bool schedules, struct lib_diags *diags)
{
    if (!schedules)
        return programs_partition_split_as(image, machine_of, machines, NULL);
    struct programs_tracker *tracker = programs_tracker_make(image, machine_of, machines,
                                                             diags);
    if (!tracker)
        return NULL;
    struct isa_graph *graph = programs_partition_split_as(
        tracker->graph, tracker->machine_of, machines, tracker);
    programs_tracker_free(tracker);
    return graph;
}

bool programs_partition_choose(const struct isa_graph *image,
                               const struct programs_partition_choice *choice,
                               uint32_t *machine_of, struct lib_diags *diags)
{
    uint32_t *group_of = programs_partition_groups(image);
    memset(machine_of, 0, image->node_count * sizeof *machine_of);
    const bool good = choose_groups(image, group_of, choice, machine_of, diags);
    for (uint32_t i = 0; good && i < image->node_count; i++)
        machine_of[i] = machine_of[group_of[i]];
    lib_mem_free(group_of);
    return good;
}

struct isa_graph *programs_partition(const struct isa_graph *image,
                                     const struct programs_partition_choice *choice,
                                     struct lib_diags *diags)
{
    uint32_t *machine_of = lib_mem_new(((size_t)image->node_count + 1) *
                                       sizeof *machine_of);
    struct isa_graph *graph = NULL;
    if (programs_partition_choose(image, choice, machine_of, diags))
        graph = programs_partition_split(image, machine_of, choice->machines,
                                         choice->schedules, diags);
    if (graph && !isa_check(graph, NULL, diags)) {
        isa_graph_free(graph);
        graph = NULL;
    }
    lib_mem_free(machine_of);
    return graph;
}

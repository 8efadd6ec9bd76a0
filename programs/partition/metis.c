/* Partitions by METIS (Karypis and Kumar, SIAM J. Scientific Computing 20(1), 1998): vertices
 * are groups, weighted by firings; edges are arcs between groups, weighted by the firings of the
 * sources. */
#include "config.h"

#include "programs/partition/partition_internal.h"
#include "programs/partition/weights.h"
#include "lib/memory.h"
#include "lib/order.h"

#ifdef HIATON_METIS

#include <fcntl.h>
#include <metis.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

bool programs_partition_has_metis(void)
{
    return true;
}

struct edge {
    uint32_t from, to;
    uint64_t weight;
};

struct edges {
    struct edge *items;
    size_t count, capacity;
};

static int compare_edges(const void *a, const void *b)
{
    const struct edge *x = a, *y = b;
    return LIB_ORDER(x->from, y->from) ?: LIB_ORDER(x->to, y->to);
}

/* Makes edges in both directions for arcs between groups; arcs of the same two groups are one
 * edge. */
static void find_edges(const struct isa_graph *image, const uint32_t *number_of,
                       const uint64_t *weights, struct edges *edges)
{
    struct programs_partition_ends to = {0};
    for (uint32_t i = 0; i < image->node_count; i++)
        for (uint32_t o = 0; o < image->nodes[i].output_count; o++) {
            to.count = 0;
            programs_partition_dests(image, i, o, &to);
            for (size_t k = 0; k < to.count; k++) {
                const uint32_t a = number_of[i], b = number_of[to.items[k].node];
                if (a == b)
                    continue;
                *LIB_VEC_PUSH(edges) = (struct edge){a, b, weights[i]};
                *LIB_VEC_PUSH(edges) = (struct edge){b, a, weights[i]};
            }
        }
    LIB_VEC_FREE(&to);
    if (edges->count == 0)
        return;
    qsort(edges->items, edges->count, sizeof *edges->items, compare_edges);
    size_t kept = 0;
    for (size_t i = 1; i < edges->count; i++) {
        struct edge *last = &edges->items[kept];
        const struct edge *e = &edges->items[i];
        if (last->from == e->from && last->to == e->to)
            last->weight += e->weight;
        else
            edges->items[++kept] = *e;
    }
    edges->count = kept + 1;
}

/* Scales weights so that METIS can add them up in 32 bits: the sum is at most a billion, and
 * none is 0. */
static void scale_weights(const uint64_t *from, idx_t *to, size_t count, size_t stride)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += *(const uint64_t *)(const void *)((const char *)from + i * stride);
    const uint64_t by = sum / 500000000 + 1;
    for (size_t i = 0; i < count; i++)
        to[i] = (idx_t)(*(const uint64_t *)(const void *)((const char *)from +
                                                          i * stride) /
                            by +
                        1);
}

/* Redirects standard output to /dev/null, as METIS writes to it if a half has no vertices left.
 * Nothing else may write meanwhile. Returns a descriptor to restore it from, or -1. */
static int hold_output(void)
{
    fflush(stdout);
    const int kept = dup(STDOUT_FILENO);
    const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (kept >= 0 && nowhere >= 0)
        dup2(nowhere, STDOUT_FILENO);
    if (nowhere >= 0)
        close(nowhere);
    return kept;
}

static void give_output(int kept)
{
    fflush(stdout);
    if (kept < 0)
        return;
    dup2(kept, STDOUT_FILENO);
    close(kept);
}

static bool cut_graph(const struct edges *edges, const uint64_t *work, uint32_t groups,
                      const struct programs_partition_choice *choice, uint32_t *part,
                      struct lib_diags *diags)
{
    idx_t vertices = (idx_t)groups, constraints = 1, parts = (idx_t)choice->machines,
          cost;
    idx_t options[METIS_NOPTIONS];
    idx_t *first = lib_mem_new(((size_t)groups + 1) * sizeof *first);
    idx_t *to = lib_mem_new((edges->count + 1) * sizeof *to);
    idx_t *edge_weights = lib_mem_new((edges->count + 1) * sizeof *edge_weights);
    idx_t *weights = lib_mem_new(((size_t)groups + 1) * sizeof *weights);
    idx_t *found = lib_mem_new(((size_t)groups + 1) * sizeof *found);
    for (size_t i = 0; i < edges->count; i++) {
        first[edges->items[i].from + 1]++;
        to[i] = (idx_t)edges->items[i].to;
    }
    for (uint32_t g = 0; g < groups; g++)
        first[g + 1] += first[g];
    if (edges->count)
        scale_weights(&edges->items[0].weight, edge_weights, edges->count,
                      sizeof(struct edge));
    scale_weights(work, weights, groups, sizeof *work);
    METIS_SetDefaultOptions(options);
    options[METIS_OPTION_SEED] = (idx_t)(choice->seed & 0x7fffffff);
    options[METIS_OPTION_NUMBERING] = 0;
    const int output = hold_output();
    const int done = METIS_PartGraphKway(&vertices, &constraints, first, to, weights,
                                         NULL, edge_weights, &parts, NULL, NULL, options,
                                         &cost, found);
    give_output(output);
    /* METIS catches SIGTERM, and then returns this error. */
    struct sigaction own;
    if (done == METIS_ERROR && sigaction(SIGTERM, NULL, &own) == 0 &&
        own.sa_handler != SIG_DFL)
        raise(SIGTERM);
    for (uint32_t g = 0; g < groups; g++)
        part[g] = (uint32_t)found[g];
    LIB_MEM_FREE(first, to, edge_weights, weights, found);
    if (done != METIS_OK)
        lib_diag_plain(diags, LIB_DIAG_MEANING,
                       "METIS cannot divide the graph (its error %d)", done);
    return done == METIS_OK;
}

bool programs_partition_by_metis(const struct isa_graph *image, const uint32_t *group_of,
                                 const struct programs_partition_choice *choice,
                                 uint32_t *machine_of, struct lib_diags *diags)
{
    const size_t nodes = (size_t)image->node_count + 1;
    uint64_t *weights = programs_partition_weights(image, choice->weights, diags);
    if (!weights)
        return false;
    uint32_t *number_of = lib_mem_new(nodes * sizeof *number_of);
    uint64_t *work = lib_mem_new(nodes * sizeof *work);
    uint32_t *part = lib_mem_new(nodes * sizeof *part);
    struct edges edges = {0};
    uint32_t groups = 0;
    bool good = true;
    for (uint32_t i = 0; i < image->node_count; i++) {
        number_of[i] = group_of[i] == i ? groups++ : number_of[group_of[i]];
        work[number_of[i]] += weights[i];
    }
    find_edges(image, number_of, weights, &edges);
    if (groups <= choice->machines || choice->machines == 1)
        for (uint32_t g = 0; g < groups; g++)
            part[g] = choice->machines == 1 ? 0 : g;
    else
        good = cut_graph(&edges, work, groups, choice, part, diags);
    for (uint32_t i = 0; good && i < image->node_count; i++)
        machine_of[i] = part[number_of[i]];
    LIB_VEC_FREE(&edges);
    LIB_MEM_FREE(weights, number_of, work, part);
    return good;
}

#else

bool programs_partition_has_metis(void)
{
    return false;
}

bool programs_partition_by_metis(const struct isa_graph *image, const uint32_t *group_of,
                                 const struct programs_partition_choice *choice,
                                 uint32_t *machine_of, struct lib_diags *diags)
{
    (void)image;
    (void)group_of;
    (void)choice;
    (void)machine_of;
    lib_diag_plain(diags, LIB_DIAG_USAGE,
                   "partition.by=metis: this hiaton was built without METIS (Debian "
                   "package libmetis-dev); install it and run configure again, or take "
                   "another partition.by");
    return false;
}

#endif

#include "lib/wait_graph.h"

/* Values in `seen`. */
enum { IS_OVER, IS_ON_THE_WAY };

static void come_to(struct lib_wait_graph *g, uint64_t place)
{
    const size_t first = g->ahead.count;
    lib_key_map_put(&g->seen, place + 1, IS_ON_THE_WAY);
    *LIB_VEC_PUSH(&g->way) = (struct lib_wait_step){place, first, first};
    g->waits_for(g->context, place, &g->ahead);
}

static void go_back(struct lib_wait_graph *g)
{
    const struct lib_wait_step *last = &g->way.items[--g->way.count];
    g->ahead.count = last->first;
    lib_key_map_put(&g->seen, last->place + 1, IS_OVER);
}

size_t lib_wait_graph_follow(struct lib_wait_graph *g, uint64_t start)
{
    if (lib_key_map_find(&g->seen, start + 1))
        return SIZE_MAX;
    come_to(g, start);
    while (g->way.count && (!g->max_places || g->seen.count < g->max_places)) {
        struct lib_wait_step *last = &g->way.items[g->way.count - 1];
        if (last->next == g->ahead.count) {
            go_back(g);
            continue;
        }
        const uint64_t next = g->ahead.items[last->next++];
        const uint64_t *mark = lib_key_map_find(&g->seen, next + 1);
        if (!mark) {
            come_to(g, next);
            continue;
        }
        for (size_t i = 0; *mark == IS_ON_THE_WAY && i < g->way.count; i++)
            if (g->way.items[i].place == next)
                return i;
    }
    return SIZE_MAX;
}

void lib_wait_graph_free(struct lib_wait_graph *g)
{
    LIB_VEC_FREE(&g->ahead, &g->way);
    lib_key_map_free(&g->seen);
}

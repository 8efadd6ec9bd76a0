#include "sim/ending/growth_watch.h"

enum { CALLS = 100 }; /* in each of the seconds: fewer may just be slow */

struct sim_growth_seen {
    uint64_t made, freed; /* a second ago */
    uint64_t first;       /* made before the first of these seconds */
    unsigned seconds;     /* in which it was called, and no call ended */
};

/* Another second has passed. */
static bool look(struct sim_growth_seen *s, uint64_t made, uint64_t freed)
{
    const bool none_ended = freed == s->freed && made >= s->made + CALLS;
    if (s->seconds == 0)
        s->first = s->made;
    s->seconds = none_ended ? s->seconds + 1 : 0;
    s->made = made;
    s->freed = freed;
    return s->seconds >= SIM_GROWTH_SECONDS;
}

bool sim_growth_watch_look(struct sim_growth_watch *watch, const struct isa_exec *exec,
                           double now, uint32_t *function, uint64_t *calls)
{
    const struct isa_activations *tags = &exec->tags;
    const struct isa_graph *graph = exec->code->graph;
    if (watch->told || now < watch->next)
        return false;
    if (!watch->seen)
        watch->seen = lib_mem_new(graph->function_count * sizeof *watch->seen);
    watch->next = now + 1;
    for (uint32_t f = 1; f < graph->function_count && !watch->told; f++) {
        if (graph->functions[f].is_loop ||
            !look(&watch->seen[f], tags->made[f], tags->freed[f]))
            continue;
        *function = f;
        *calls = watch->seen[f].made - watch->seen[f].first;
        watch->told = true;
    }
    return watch->told;
}

void sim_growth_watch_end(struct sim_growth_watch *watch)
{
    lib_mem_free(watch->seen);
    *watch = (struct sim_growth_watch){0};
}

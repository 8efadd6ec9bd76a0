#include "sim/ending/growth_watch.h"

enum {
    CALLS = 100, /* minimum calls per second for a warning; fewer may just be slow */
    ITERATIONS = 1000, /* minimum iterations of a loop per second */
};

struct sim_growth_seen {
    uint64_t made, freed; /* calls, one second ago */
    uint64_t newest;      /* iteration of a loop, one second ago */
    uint64_t now;         /* newest live iteration */
    uint64_t first;       /* calls made before the first of these seconds */
    unsigned seconds;     /* successive seconds with growth */
};

static bool count_second(struct sim_growth_seen *s, bool continues, uint64_t made)
{
    if (s->seconds == 0)
        s->first = s->made;
    s->seconds = continues ? s->seconds + 1 : 0;
    s->made = made;
    return s->seconds >= SIM_GROWTH_SECONDS;
}

static bool look_at_calls(struct sim_growth_seen *s, uint64_t made, uint64_t freed)
{
    const bool none_ended = freed == s->freed && made >= s->made + CALLS;
    s->freed = freed;
    return count_second(s, none_ended, made);
}

/* The numbers of iterations restart at 0 when a loop is entered again. */
static bool look_at_loop(struct sim_growth_seen *s, uint64_t made)
{
    const bool goes_up = s->now >= s->newest + ITERATIONS;
    s->newest = s->now;
    s->now = 0;
    return count_second(s, goes_up, made);
}

struct walk {
    const struct isa_activations *tags;
    struct sim_growth_seen *seen;
};

static void walk_visit(isa_tag tag, struct isa_activation *a, void *context)
{
    const struct walk *w = context;
    (void)tag;
    if (!w->tags->shapes[a->function].is_loop)
        return;
    struct sim_growth_seen *s = &w->seen[a->function];
    const uint64_t number = isa_iteration_number(a);
    s->now = number > s->now ? number : s->now;
}

static void find_iterations(struct sim_growth_watch *watch, const struct isa_exec *exec)
{
    const struct isa_graph *graph = exec->code->graph;
    struct walk walk = {&exec->tags, watch->seen};
    bool is_any = false;
    for (uint32_t f = 1; f < graph->function_count; f++)
        is_any = is_any || (graph->functions[f].is_loop &&
                            exec->tags.made[f] >= watch->seen[f].made + ITERATIONS);
    if (is_any)
        isa_activations_each(&exec->tags, walk_visit, &walk);
}

bool sim_growth_watch_look(struct sim_growth_watch *watch, const struct isa_exec *exec,
                           double now, uint32_t *function, uint64_t *calls)
{
    const struct isa_activations *tags = &exec->tags;
    const struct isa_graph *graph = exec->code->graph;
    if (watch->is_reported || now < watch->next)
        return false;
    if (!watch->seen)
        watch->seen = lib_mem_new(graph->function_count * sizeof *watch->seen);
    watch->next = now + 1;
    find_iterations(watch, exec);
    for (uint32_t f = 1; f < graph->function_count && !watch->is_reported; f++) {
        if (!(graph->functions[f].is_loop
                  ? look_at_loop(&watch->seen[f], tags->made[f])
                  : look_at_calls(&watch->seen[f], tags->made[f], tags->freed[f])))
            continue;
        *function = f;
        *calls = watch->seen[f].made - watch->seen[f].first;
        watch->is_reported = true;
    }
    return watch->is_reported;
}

void sim_growth_watch_end(struct sim_growth_watch *watch)
{
    lib_mem_free(watch->seen);
    *watch = (struct sim_growth_watch){0};
}

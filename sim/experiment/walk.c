#include "sim/experiment/walk.h"

#include <string.h>

struct sim_walk {
    const struct sim_experiment *experiment;
    struct lib_arena *arena; /* what the configuration holds */
    struct sim_config config;
    uint64_t seed; /* as the experiment gives it */
    bool started;
    size_t *places; /* by axis: which of its values stand in the configuration */
    bool *moved;    /* by axis: whether the newest step changed that */
};

struct sim_walk *sim_walk_new(const struct sim_experiment *experiment)
{
    struct sim_walk *walk = lib_mem_new(sizeof *walk);
    walk->experiment = experiment;
    walk->arena = lib_arena_new();
    walk->places = lib_mem_new(experiment->axes.count * sizeof *walk->places);
    walk->moved = lib_mem_new(experiment->axes.count * sizeof *walk->moved);
    return walk;
}

void sim_walk_free(struct sim_walk *walk)
{
    lib_arena_free(walk->arena);
    lib_mem_free(walk->places);
    lib_mem_free(walk->moved);
    lib_mem_free(walk);
}

/* --- a step ------------------------------------------------------------------------- */

static void move(struct sim_walk *walk, uint64_t combination)
{
    const struct sim_experiment *x = walk->experiment;
    for (size_t a = x->axes.count; a-- > 0;) {
        size_t length = x->axes.items[a].length, place = combination % length;
        combination /= length;
        walk->moved[a] = place != walk->places[a];
        walk->places[a] = place;
    }
}

static const struct sim_value *value_of(const struct sim_walk *walk,
                                        const struct sim_param *param)
{
    return &param->values.list.items[walk->places[param->axis]];
}

/* Puts a value into the configuration. false: all of it must be settled anew, since other
 * parameters say what it means, or it says what others mean. */
static bool put(struct sim_walk *walk, const struct sim_param *param)
{
    const struct sim_value *value = value_of(walk, param);
    struct sim_config *config = &walk->config;
    const struct isa_graph *graph = config->image->graph;
    const uint64_t constants = config->setup.settings.loop_constants;
    uint32_t input;
    switch (param->kind) {
    case SIM_PARAM_SEED:
        walk->seed = value->number;
        return true;
    case SIM_PARAM_SETTING:
        machine_setting_put(&config->setup.settings, param->setting, value->number);
        return config->setup.settings.loop_constants == constants;
    case SIM_PARAM_INPUT:
        input = isa_graph_find_input(graph, param->name + strlen("inputs."));
        return isa_value_read(value->text, graph->inputs[input].type,
                              &config->inputs.values[input]);
    default:
        return false;
    }
}

static void settle(struct sim_walk *walk, uint64_t combination)
{
    const struct sim_experiment *x = walk->experiment;
    const struct sim_run run = {.combination = combination};
    lib_arena_clear(walk->arena);
    sim_settle(x, &run, walk->arena, &walk->config);
    for (size_t i = 0; i < x->params.count; i++)
        if (x->params.items[i].kind == SIM_PARAM_SEED)
            walk->seed = value_of(walk, &x->params.items[i])->number;
    walk->started = true;
}

const struct sim_config *sim_walk_to(struct sim_walk *walk, uint64_t combination)
{
    const struct sim_experiment *x = walk->experiment;
    bool good = walk->started;
    move(walk, combination);
    for (size_t i = 0; good && i < x->params.count; i++)
        good = !walk->moved[x->params.items[i].axis] || put(walk, &x->params.items[i]);
    if (!good)
        settle(walk, combination);
    walk->config.seed = walk->seed;
    walk->config.repetition = 1;
    walk->config.identity = NULL;
    return &walk->config;
}

const struct sim_config *sim_walk_to_run(struct sim_walk *walk, const struct sim_run *run)
{
    sim_walk_to(walk, run->combination);
    walk->config.seed = run->seed;
    walk->config.repetition = run->repetition;
    walk->config.identity = &run->identity;
    return &walk->config;
}

#include "sim/experiment/walk.h"

#include "sim/experiment/params.h"
#include "sim/experiment/suite.h"

#include <string.h>

struct sim_walk {
    const struct sim_experiment *experiment;
    struct lib_arena *arena; /* memory of `config` */
    struct sim_config config;
    uint64_t seed; /* seed in the experiment file */
    bool started;
    size_t *places; /* by axis: current position */
    size_t *before; /* by axis: position before */
};

struct sim_walk *sim_walk_new(const struct sim_experiment *experiment)
{
    struct sim_walk *walk = lib_mem_new(sizeof *walk);
    walk->experiment = experiment;
    walk->arena = lib_arena_new();
    walk->places = lib_mem_new(experiment->axes.count * sizeof *walk->places);
    walk->before = lib_mem_new(experiment->axes.count * sizeof *walk->before);
    return walk;
}

void sim_walk_free(struct sim_walk *walk)
{
    lib_arena_free(walk->arena);
    LIB_MEM_FREE(walk->places, walk->before, walk);
}

/* --- a step ------------------------------------------------------------------------- */

static void move(struct sim_walk *walk, uint64_t combination)
{
    const struct sim_experiment *x = walk->experiment;
    for (size_t a = x->axes.count; a-- > 0;) {
        size_t length = x->axes.items[a].length;
        walk->before[a] = walk->places[a];
        walk->places[a] = combination % length;
        combination /= length;
    }
}

/* Applies a value. Returns false if all must be settled afresh, as other parameters depend on this
 * one. */
static bool put(struct sim_walk *walk, const struct sim_param *param,
                const struct sim_value *value)
{
    struct sim_config *config = &walk->config;
    struct programs_settings *compile = &config->setup.settings.compile;
    const struct programs_settings before = *compile;
    switch (param->kind) {
    case SIM_PARAM_SEED:
        walk->seed = value->number;
        return true;
    case SIM_PARAM_SETTING:
        sim_params_put_setting(&config->setup.settings, param->setting, value);
        return memcmp(compile, &before, sizeof before) == 0;
    case SIM_PARAM_INPUT:
        sim_config_put_input(walk->experiment, config, param, value);
        return true;
    default:
        return false;
    }
}

/* Moves between positions of one program. */
static bool put_own(struct sim_walk *walk, const struct sim_entry *e, size_t axis)
{
    const struct sim_experiment *x = walk->experiment;
    const size_t place = walk->places[axis], before = walk->before[axis];
    bool good = place - e->first < e->length; /* false: another program */
    for (size_t i = e->own; good && i < e->own + e->own_count; i++) {
        const struct sim_param *param = &x->own.items[i];
        const struct sim_value *value = sim_suite_value(e, param, place);
        good = value == sim_suite_value(e, param, before) || put(walk, param, value);
    }
    return good;
}

static bool follow(struct sim_walk *walk, const struct sim_param *param)
{
    const struct sim_entry *e = walk->config.entry;
    const size_t place = walk->places[param->axis];
    if (place == walk->before[param->axis])
        return true;
    if (param->kind == SIM_PARAM_PROGRAM && e)
        return put_own(walk, e, param->axis);
    return put(walk, param, &param->values.list.items[place]);
}

static void settle(struct sim_walk *walk, uint64_t combination)
{
    lib_arena_clear(walk->arena);
    sim_settle_combination(walk->experiment, combination, walk->arena, &walk->config);
    walk->seed = walk->config.seed;
    walk->started = true;
}

const struct sim_config *sim_walk_to(struct sim_walk *walk, uint64_t combination)
{
    const struct sim_experiment *x = walk->experiment;
    bool good = walk->started;
    move(walk, combination);
    for (size_t i = 0; good && i < x->params.count; i++)
        good = follow(walk, &x->params.items[i]);
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

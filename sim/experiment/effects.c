#include "sim/experiment/effects.h"

#include "machine/needs.h"

#include <string.h>

struct sim_effect {
    /* Either `param`, or `machine` and `idle`: a setting in the file of a machine. */
    const struct sim_param *param;
    const struct sim_experiment_machine *machine;
    const struct sim_setup_named *idle;
    const char *needs;   /* KEY=VALUE with which the setting would have an effect */
    struct lib_text now; /* value of that KEY in the first combination */
};

static bool expands(const struct sim_config *config)
{
    return config->image->graph->stage == ISA_STAGE_EXPANDING;
}

static void begin(struct sim_effects *effects, const sim_param_list *params)
{
    for (size_t i = 0; i < params->count; i++)
        if (params->items[i].kind == SIM_PARAM_SETTING)
            *LIB_VEC_PUSH(&effects->open) = (struct sim_effect){
                .param = &params->items[i]};
}

static bool has_param(const sim_param_list *params, const struct lib_setting *setting)
{
    for (size_t i = 0; i < params->count; i++)
        if (params->items[i].setting == setting)
            return true;
    return false;
}

/* Adds the settings of machine files that no parameter replaces. */
static void begin_machines(struct sim_effects *effects, const struct sim_experiment *x)
{
    for (size_t m = 0; m < x->machines.count; m++) {
        const struct sim_experiment_machine *machine = &x->machines.items[m];
        for (size_t i = 0; i < machine->setup.idle_count; i++)
            if (!has_param(&x->params, machine->setup.idle[i].setting) &&
                !has_param(&x->own, machine->setup.idle[i].setting))
                *LIB_VEC_PUSH(&effects->open) = (struct sim_effect){
                    .machine = machine, .idle = &machine->setup.idle[i]};
    }
}

static const char a_loop[] = "one"; /* what loop.bound needs besides settings */

/* Returns what a setting needs to affect a run; NULL: nothing. */
static const char *find_needs(const struct sim_effect *e, const struct sim_config *config)
{
    if (e->param && strcmp(e->param->name, "loop.bound") == 0 &&
        !sim_graph_has_loops(config->image->graph))
        return a_loop;
    return e->param ? sim_setting_needs(&config->setup.settings, e->param->setting,
                                        expands(config))
                    : sim_setup_idle_needs(&e->machine->setup, &config->setup.settings,
                                           e->idle);
}

void sim_effects_look(struct sim_effects *effects,
                      const struct sim_experiment *experiment,
                      const struct sim_config *config)
{
    if (!effects->has_begun && !experiment->trains) {
        begin(effects, &experiment->params);
        begin(effects, &experiment->own);
        begin_machines(effects, experiment);
    }
    effects->has_begun = true;
    size_t kept = 0;
    for (size_t i = 0; i < effects->open.count; i++) {
        struct sim_effect *e = &effects->open.items[i];
        const bool is_other = e->machine && e->machine != config->machine;
        const char *needs = is_other ? NULL : find_needs(e, config);
        if (!needs && !is_other) {
            lib_text_free(&e->now);
            continue;
        }
        if (!e->needs && !is_other) {
            e->needs = needs;
            if (needs == a_loop)
                lib_text_puts(&e->now, "programs that have no loop");
            else
                machine_setting_write_now(&config->setup.settings.machine, needs,
                                          &e->now);
        }
        effects->open.items[kept++] = *e;
    }
    effects->open.count = kept;
}

void sim_effects_warn(const struct sim_effects *effects,
                      const struct sim_experiment *experiment, struct lib_diags *diags)
{
    for (size_t i = 0; i < effects->open.count; i++) {
        const struct sim_effect *e = &effects->open.items[i];
        if (!e->needs)
            continue; /* no run is on that machine */
        lib_diag_warning(diags, LIB_DIAG_MEANING,
                         e->param ? experiment->source : e->idle->source,
                         e->param ? e->param->pos : e->idle->pos,
                         "%s has no effect in any run: with %s it needs %s",
                         e->param ? e->param->name : e->idle->setting->key,
                         lib_text_get((struct lib_text *)&e->now), e->needs);
    }
}

void sim_effects_free(struct sim_effects *effects)
{
    for (size_t i = 0; i < effects->open.count; i++)
        lib_text_free(&effects->open.items[i].now);
    LIB_VEC_FREE(&effects->open);
}

#include "sim/experiment/effects.h"

#include "machine/needs.h"

#include <string.h>

struct sim_effect {
    const struct sim_param *param;
    const char *needs;   /* the setting that would let it have an effect, KEY=VALUE, */
    struct lib_text now; /* and what that is in the first combination */
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

void sim_effects_look(struct sim_effects *effects,
                      const struct sim_experiment *experiment,
                      const struct sim_config *config)
{
    if (!effects->has_begun && !experiment->trains) {
        begin(effects, &experiment->params);
        begin(effects, &experiment->own);
    }
    effects->has_begun = true;
    size_t kept = 0;
    for (size_t i = 0; i < effects->open.count; i++) {
        struct sim_effect *e = &effects->open.items[i];
        const char *needs = machine_setting_needs(&config->setup.settings,
                                                  e->param->setting, expands(config));
        if (!needs) {
            lib_text_free(&e->now);
            continue;
        }
        if (!e->needs) {
            e->needs = needs;
            machine_setting_write_now(&config->setup.settings, needs, &e->now);
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
        lib_diag_warning(diags, LIB_DIAG_MEANING, experiment->source, e->param->pos,
                         "%s has no effect in any run: with %s it needs %s",
                         e->param->name, lib_text_get((struct lib_text *)&e->now),
                         e->needs);
    }
}

void sim_effects_free(struct sim_effects *effects)
{
    for (size_t i = 0; i < effects->open.count; i++)
        lib_text_free(&effects->open.items[i].now);
    LIB_VEC_FREE(&effects->open);
}

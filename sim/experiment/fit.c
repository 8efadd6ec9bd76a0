#include "sim/experiment/fit.h"

#include <string.h>
#include <xxhash.h>

#include "lib/key_map.h"
#include "sim/experiment/params.h"
#include "sim/experiment/walk.h"
#include "sim/loading/fit.h"

/* --- where the mistake is ------------------------------------------------------------- */

/* Settings of a machine after the first `wanted` setting values of a combination were applied. */
struct beginning {
    struct sim_settings settings;
    size_t wanted, count;    /* values to apply; values seen so far */
    struct lib_pos pos;      /* of the last value applied; initially of the machine */
    struct lib_text varying; /* values of settings that have several */
};

static void put_setting(void *context, const struct sim_param *param,
                        const struct sim_value *value)
{
    struct beginning *b = context;
    if (param->kind == SIM_PARAM_MACHINE && b->count == 0)
        b->pos = value->pos;
    if (param->kind != SIM_PARAM_SETTING || b->count++ >= b->wanted)
        return;
    sim_params_put_setting(&b->settings, param->setting, value);
    b->pos = value->pos;
    if (param->values.list.count > 1)
        lib_text_printf(&b->varying, "%s%s=%s", b->varying.length ? ", " : " (where ",
                        param->setting->key, value->text);
}

static struct beginning begin_with(const struct sim_experiment *x, uint64_t combination,
                                   const struct sim_config *config, size_t wanted)
{
    struct beginning b = {.settings = config->machine->setup.settings, .wanted = wanted};
    sim_combination_each(x, combination, put_setting, &b);
    return b;
}

/* Reports what is wrong with a combination at the first value from which on the settings do not
 * fit: a later value may correct a mistake. */
static void refuse(const struct sim_experiment *x, uint64_t combination,
                   const struct sim_config *config, struct lib_diags *found,
                   struct lib_diags *diags)
{
    struct beginning all = begin_with(x, combination, config, SIZE_MAX);
    struct lib_pos pos = all.pos;
    for (size_t wanted = all.count; wanted-- > 0;) {
        struct lib_diags ignored = {0};
        struct beginning b = begin_with(x, combination, config, wanted);
        const bool good = sim_program_fits(config->image->graph, &b.settings.machine,
                                           NULL, &ignored);
        lib_diags_free(&ignored);
        lib_text_free(&b.varying);
        if (good)
            break;
        pos = b.pos;
    }
    if (all.varying.length)
        lib_text_puts(&all.varying, ")");
    lib_diags_adopt(diags, found, x->source, pos, "", lib_text_get(&all.varying));
    lib_text_free(&all.varying);
}

/* --- all runs ------------------------------------------------------------------------- */

/* Returns a hash of what sim_program_fits depends on. */
static uint64_t key_of(const struct sim_config *config, struct lib_text *text)
{
    const struct sim_settings *settings = &config->setup.settings;
    lib_text_clear(text);
    isa_digest_write(config->image->digest, text);
    struct machine_class_row made;
    const struct lib_setting *s;
    for (size_t i = 0; (s = sim_setting_of(settings, i, &made)); i++) {
        if (lib_setting_is_standard(settings, s))
            continue;
        lib_text_printf(text, "\n%s=", s->key);
        lib_setting_identify(settings, s, text);
    }
    const uint64_t key = XXH3_64bits(text->bytes, text->length);
    return key ? key : 1;
}

static struct lib_pos find_option(const struct sim_experiment *x, const char *name)
{
    for (size_t i = 0; i < x->params.count + x->own.count; i++) {
        const struct sim_param *param = i < x->params.count
                                            ? &x->params.items[i]
                                            : &x->own.items[i - x->params.count];
        if (param->kind == SIM_PARAM_TRAIN &&
            strcmp(param->option->field.name, name) == 0)
            return param->pos;
    }
    return x->train;
}

static bool check_training(const struct sim_experiment *x,
                           const struct sim_config *config, struct lib_diags *diags)
{
    const struct sim_training_options *o = &config->training;
    const struct programs_training *has = &config->program->training;
    const char *why = NULL;
    const struct sim_training_option *clash = sim_training_options_clash(o, &why);
    if (clash) {
        lib_diag_error(diags, LIB_DIAG_MEANING, x->source,
                       find_option(x, clash->field.name), "train.%s: %s",
                       clash->field.name, why);
        return false;
    }
    if ((o->form == SIM_BATCH_LOSS && !has->has_loss) ||
        (o->form == SIM_BATCH_LOSSES && !has->has_losses)) {
        lib_diag_error(diags, LIB_DIAG_MEANING, x->source, find_option(x, "form"),
                       "train.form: %s has no function `%s`", config->program->name,
                       sim_batch_forms[o->form]);
        return false;
    }
    return true;
}

bool sim_runs_fit(const struct sim_experiment *experiment, const struct sim_runs *runs,
                  const bool *wanted, struct lib_diags *diags)
{
    struct sim_walk *walk = sim_walk_new(experiment);
    struct lib_key_map known = {0}; /* settings that fit */
    LIB_TEXT_OWN text = {0};
    uint64_t last =
        UINT64_MAX; /* combination checked last; its repetitions are adjacent */
    const size_t before = diags->count;
    bool good = true;
    for (size_t i = 0; good && i < runs->list.count; i++) {
        const struct sim_run *run = &runs->list.items[i];
        struct lib_diags found = {0};
        if ((wanted && !wanted[i]) || run->combination == last)
            continue;
        last = run->combination;
        const struct sim_config *config = sim_walk_to_run(walk, run);
        good = !experiment->trains || check_training(experiment, config, diags);
        if (!good)
            break;
        const uint64_t key = key_of(config, &text);
        if (lib_key_map_find(&known, key))
            continue;
        good = sim_program_fits(config->image->graph, &config->setup.settings.machine,
                                NULL, &found);
        lib_key_map_put(&known, key, 1);
        if (!good)
            refuse(experiment, run->combination, config, &found, diags);
        else if (diags->count == before)
            lib_diags_adopt(diags, &found, NULL, (struct lib_pos){0}, "", "");
        lib_diags_free(&found); /* warnings that another combination had too */
    }
    lib_key_map_free(&known);
    sim_walk_free(walk);
    return good;
}

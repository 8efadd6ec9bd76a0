#include "sim/experiment/identity.h"

#include "sim/loading/model.h"

#include <inttypes.h>
#include <string.h>
#include <xxhash.h>

static bool names(const struct sim_experiment *x, const struct sim_entry *entry,
                  const struct lib_setting *setting)
{
    for (size_t i = 0; i < x->params.count; i++)
        if (x->params.items[i].setting == setting)
            return true;
    for (size_t i = 0; entry && i < entry->own_count; i++)
        if (x->own.items[entry->own + i].setting == setting)
            return true;
    return false;
}

/* Only settings that are not the default are described, so that new ones change no description.
 * Seeds keep the defaults of model 1: copy.placement=caller and cluster.nic.messages=0. */
static bool tells(const struct sim_experiment *x, const struct sim_config *config,
                  const struct lib_setting *setting, unsigned model)
{
    const struct sim_settings *s = &config->setup.settings;
    if (model == SIM_SEED_MODEL &&
        setting->offset == offsetof(struct machine_settings, copy_placement))
        return lib_setting_get(s, setting) == MACHINE_COPY_PLACED &&
               names(x, config->entry, setting);
    if (model == SIM_SEED_MODEL &&
        setting->offset == offsetof(struct machine_settings, nic_messages))
        return lib_setting_get(s, setting) != 0 &&
               (!lib_setting_is_standard(&config->setup.settings, setting) ||
                names(x, config->entry, setting));
    return !lib_setting_is_standard(&config->setup.settings, setting);
}

/* Describes what is measured besides counts of the whole run. Seeds do not depend on it. */
static void describe_measures(const struct sim_experiment *x,
                              const struct sim_config *config, struct lib_text *out)
{
    const struct sim_window *w = config->window;
    if (w && w->function)
        lib_text_printf(out, "window %s\n", w->function);
    else if (w)
        lib_text_printf(out, "window %" PRIu64 " %" PRIu64 "\n", w->from, w->to);
    if (config->setup.energy)
        analysis_energy_describe(config->setup.energy, out);
    for (size_t i = 0; i < SIM_MEASURES_COUNT; i++)
        if (x->measures.wanted[i])
            lib_text_printf(out, "measure %s\n", sim_measures_names[i]);
}

static void describe_training(const struct sim_config *config, unsigned model,
                              struct lib_text *out)
{
    const struct sim_training_options standard = sim_training_defaults();
    LIB_TEXT_OWN usual = {0}, value = {0};
    if (model == SIM_MODEL_VERSION)
        lib_text_printf(out, "training %d, tensors %d\n", SIM_TRAINING_MODEL_VERSION,
                        SIM_TENSOR_MODEL_VERSION);
    lib_text_puts(out, "trained ");
    isa_digest_write(config->trained->digest, out);
    lib_text_puts(out, "\n");
    for (size_t i = 0; i < sim_training_option_count; i++) {
        const struct sim_training_option *option = &sim_training_option_table[i];
        if (option->field.kind == LIB_FIELD_FILE)
            continue; /* the digest is of the file too */
        lib_text_clear(&usual);
        lib_text_clear(&value);
        sim_training_option_write(&standard, option, &usual);
        sim_training_option_write(&config->training, option, &value);
        if (strcmp(usual.bytes, value.bytes) != 0)
            lib_text_printf(out, "train.%s=%s\n", option->field.name, value.bytes);
    }
}

void sim_identity_describe(const struct sim_experiment *x,
                           const struct sim_config *config, unsigned model,
                           struct lib_text *out)
{
    const struct isa_graph *graph = config->image->graph;
    lib_text_printf(out, "model %u\nimage ", model);
    isa_digest_write(config->image->digest, out);
    lib_text_printf(out, "\nstrategy %s\nseries %d\n", config->strategy,
                    x->keeps[TRACES_DETAIL_SERIES]);
    for (enum traces_detail d = TRACES_DETAIL_PROFILE; d < TRACES_DETAIL_COUNT; d++)
        if (x->keeps[d] && model != SIM_SEED_MODEL)
            lib_text_printf(out, "%s 1\n", traces_detail_names[d]);
    struct machine_class_row made;
    const struct lib_setting *s;
    for (size_t i = 0; (s = sim_setting_of(&config->setup.settings, i, &made)); i++) {
        if (!tells(x, config, s, model))
            continue;
        lib_text_printf(out, "%s=", s->key);
        lib_setting_identify(&config->setup.settings, s, out);
        lib_text_puts(out, "\n");
    }
    for (uint32_t i = 0; i < graph->input_count; i++) {
        lib_text_printf(out, "inputs.%s=", graph->inputs[i].name);
        sim_input_identify(out, &graph->inputs[i], config->inputs.values[i]);
        lib_text_puts(out, "\n");
    }
    if (x->trains)
        describe_training(config, model, out);
    if (model == SIM_MODEL_VERSION && isa_graph_has_tensors(graph))
        lib_text_printf(out, "tensors %u\n", SIM_TENSOR_MODEL_VERSION);
    if (model == SIM_MODEL_VERSION)
        describe_measures(x, config, out);
}

/* 48 bits: every tool that reads results can hold them. */
static uint64_t hash_seed(const struct lib_text *text)
{
    return XXH3_64bits(text->bytes, text->length) >> 16;
}

uint64_t sim_identity_draw_seed(const struct sim_experiment *x,
                                const struct sim_config *config, uint32_t repetition,
                                struct lib_text *text)
{
    if (!x->repetitions)
        return config->seed;
    size_t length = text->length;
    lib_text_printf(text, "seed %" PRIu64 " repetition %" PRIu32 "\n", config->seed,
                    repetition);
    uint64_t seed = hash_seed(text);
    text->length = length;
    return seed;
}

struct isa_digest sim_identity_of(struct lib_text *description, const uint64_t *seed)
{
    size_t length = description->length;
    if (seed)
        lib_text_printf(description, "seed=%" PRIu64 "\n", *seed);
    struct isa_digest digest = isa_digest_of(description->bytes, description->length);
    description->length = length;
    return digest;
}

/* --- stored runs ---------------------------------------------------------------------- */

/* Whether `identity` is that of a run with the details of the bits of `kept`. */
static bool is_identity(const struct sim_config *config,
                        const struct sim_measures *measures, unsigned kept,
                        const uint64_t *seed, const char *identity)
{
    struct sim_experiment x = {.measures = *measures};
    LIB_TEXT_OWN description = {0}, digest = {0};
    for (enum traces_detail d = 0; d < TRACES_DETAIL_COUNT; d++)
        x.keeps[d] = kept >> d & 1;
    sim_identity_describe(&x, config, SIM_MODEL_VERSION, &description);
    isa_digest_write(sim_identity_of(&description, seed), &digest);
    return strcmp(digest.bytes, identity) == 0;
}

bool sim_identity_fits(const struct sim_config *config,
                       const struct sim_measures *measures, const char *identity)
{
    static const struct sim_measures none;
    const uint64_t *seed = sim_config_draws(config) ? &config->seed : NULL;
    for (unsigned kept = 0; kept < 1U << TRACES_DETAIL_COUNT; kept++)
        if (is_identity(config, measures, kept, seed, identity) ||
            is_identity(config, &none, kept, seed, identity))
            return true;
    return false;
}

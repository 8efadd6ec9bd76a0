/* Configuration of a machine: a preset or a YAML file, changed by -s KEY=VALUE.
 *
 * A file is a mapping of settings (lib/yaml.h). It starts from the preset that its key `base`
 * names, or from the defaults. Its key `energy` names an energy table (sim/loading/energy.h). Paths
 * in a file are relative to its folder, paths in -s to the working directory. */
#ifndef SIM_LOADING_SETUP_H
#define SIM_LOADING_SETUP_H

#include "analysis/energy.h"
#include "lib/arena.h"
#include "lib/diag.h"
#include "sim/loading/setting.h"

struct isa_graph;

/* Setting of a machine's configuration file, and its position in the file. */
struct sim_setup_named {
    const struct lib_setting *setting;
    const struct lib_source *source;
    struct lib_pos pos;
};

struct sim_setup {
    const char *machine; /* name of the preset, or of the file without folder */
    bool is_preset;
    struct sim_settings preset;   /* settings of the preset; defaults for a file */
    struct sim_settings settings; /* settings after all changes */
    const struct analysis_energy *energy; /* energy table, in the arena; NULL: none */
    /* Settings changed by -s, in order; the array is in the arena. */
    const struct lib_setting **given;
    size_t given_count;
    /* Settings in the configuration file that have no effect on its machine, whatever the strategy;
     * the array is in the arena. */
    const struct sim_setup_named *idle;
    size_t idle_count;
};

/* Loads configuration `machine`, a preset or a file (NULL: `default`), and applies `sets`, each
 * KEY=VALUE. Sources of diagnostics live in the arena. Returns false and adds diagnostics on
 * errors. */
bool sim_setup_load(struct sim_setup *setup, struct lib_arena *arena, const char *machine,
                    const char *const *sets, size_t set_count, struct lib_diags *diags);

/* Like sim_setup_load, but looks in `files` first for files that settings name, and adds those that
 * it reads. */
bool sim_setup_load_with(struct sim_setup *setup, struct sim_setting_files *files,
                         const char *machine, const char *const *sets, size_t set_count,
                         struct lib_diags *diags);

/* Splits KEY=VALUE of -s: returns the setting and sets `value`, which is not empty. Returns NULL
 * and adds a diagnostic on errors. */
const struct lib_setting *sim_setup_find(struct lib_arena *arena, const char *set,
                                         const char **value, struct lib_diags *diags);

/* Warns if a setting has another effect than its value says: network.latency=0 may count as 1.
 * Returns whether it warned. `pos` in `source` (may be NULL) is the position of the setting. Works
 * even if settings do not fit together. */
bool sim_setup_warn(const struct sim_setup *setup, const struct lib_source *source,
                    struct lib_pos pos, struct lib_diags *diags);

/* Like sim_setup_warn, for settings that need not come from a configuration. */
bool sim_settings_warn(const struct machine_settings *settings,
                       const struct lib_source *source, struct lib_pos pos,
                       struct lib_diags *diags);

/* Returns what the setting `idle` needs to have an effect, as sim_setting_needs does: another
 * setting and its value. Returns NULL if `idle` has an effect with `settings`, or if -s sets it. */
const char *sim_setup_idle_needs(const struct sim_setup *setup,
                                 const struct sim_settings *settings,
                                 const struct sim_setup_named *idle);

/* Warns of each setting of the configuration file that has no effect with any strategy, with its
 * position, unless -s replaces it. */
void sim_setup_warn_idle(const struct sim_setup *setup, struct lib_diags *diags);

/* Warns like sim_setup_warn_idle, and also of each setting of -s that has no effect because it
 * needs another setting. `expands`: the program is also compiled with the strategy `expanding`,
 * with which more settings have an effect. */
void sim_setup_warn_needs(const struct sim_setup *setup, bool expands,
                          struct lib_diags *diags);

/* Warns of each of the `count` settings in `given` that has no effect because it needs another
 * setting. `expands`: see sim_setup_warn_needs. */
void sim_settings_warn_needs(const struct sim_settings *settings,
                             const struct lib_setting *const *given, size_t count,
                             bool expands, struct lib_diags *diags);

/* Warns that a seed has no effect, if neither the machine (`setup` NULL: none) nor the program uses
 * random numbers. */
void sim_setup_warn_seed(const struct sim_setup *setup, const struct isa_graph *graph,
                         struct lib_diags *diags);

/* Returns the help of a preset, from the first line of its text: "# NAME: HELP". */
const char *sim_preset_help(struct lib_arena *arena, const char *text);

#endif

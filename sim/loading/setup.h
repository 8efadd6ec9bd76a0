/* The configuration of a machine: a preset or a YAML file, changed by -s KEY=VALUE.
 *
 * A file is a mapping of settings (lib/yaml.h). It starts from the preset that its key `base`
 * names, or from the defaults. Its key `energy` names an energy table (sim/loading/energy.h). Paths
 * in a file are relative to its folder, those of -s to the working directory. */
#ifndef SIM_LOADING_SETUP_H
#define SIM_LOADING_SETUP_H

#include "analysis/energy.h"
#include "lib/arena.h"
#include "lib/diag.h"
#include "sim/loading/setting.h"

struct isa_graph;

struct sim_setup {
    const char *machine; /* name of the preset, or of the file without its folder */
    bool is_preset;
    struct machine_settings preset; /* settings of the preset; for a file, the defaults */
    struct machine_settings settings;     /* settings with all changes */
    const struct analysis_energy *energy; /* in the arena; NULL: none */
    /* Settings that -s changed, in order; the list is in the arena. */
    const struct machine_setting **given;
    size_t given_count;
};

/* Loads `machine`, a preset or a file (NULL: `default`), and applies `sets`, each KEY=VALUE.
 * Sources of diagnostics live in the arena. Returns false and adds diagnostics on errors. */
bool sim_setup_load(struct sim_setup *setup, struct lib_arena *arena, const char *machine,
                    const char *const *sets, size_t set_count, struct lib_diags *diags);

/* Like sim_setup_load, but looks for files that settings name in `files` first, and adds those that
 * it reads. */
bool sim_setup_load_with(struct sim_setup *setup, struct sim_setting_files *files,
                         const char *machine, const char *const *sets, size_t set_count,
                         struct lib_diags *diags);

/* Splits KEY=VALUE of -s: returns the setting and sets `value`, which is not empty. Returns NULL
 * and adds a diagnostic on errors. */
const struct machine_setting *sim_setup_find(struct lib_arena *arena, const char *set,
                                             const char **value, struct lib_diags *diags);

/* Warns if a setting does not mean its value, as network.latency=0 where it counts as 1. Returns
 * whether it warned. The setting is at `pos` of `source`, which may be NULL. Works for settings
 * that do not fit together. */
bool sim_setup_warn(const struct sim_setup *setup, const struct lib_source *source,
                    struct lib_pos pos, struct lib_diags *diags);

/* Warns of each setting of -s that has no effect as it needs another setting. `expands`: the
 * program is also compiled with the strategy `expanding`. */
void sim_setup_warn_needs(const struct sim_setup *setup, bool expands,
                          struct lib_diags *diags);

/* Like sim_setup_warn_needs, for settings that did not come from -s. */
void sim_settings_warn_needs(const struct machine_settings *settings,
                             const struct machine_setting *const *given, size_t count,
                             bool expands, struct lib_diags *diags);

/* Warns that a seed has no effect if neither the machine (NULL: none) nor the program uses random
 * numbers. */
void sim_setup_warn_seed(const struct sim_setup *setup, const struct isa_graph *graph,
                         struct lib_diags *diags);

/* Returns the help in the first line of a preset's text: "# NAME: HELP". */
const char *sim_preset_help(struct lib_arena *arena, const char *text);

#endif

/* The configuration of a machine: a preset or a YAML file, then -s KEY=VALUE.
 *
 * A file is a mapping of settings (lib/yaml.h), and may name with `base` the preset from
 * which it starts; without it it starts from the defaults. Paths in it are relative to its folder,
 * those of -s to the working directory. And it may name a table of energies with
 * `energy` (sim/loading/energy.h): one that comes with the program, or a file beside it. */
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
    struct machine_settings preset;       /* of the preset; of a file: the defaults */
    struct machine_settings settings;     /* what holds */
    const struct analysis_energy *energy; /* in the arena of the loading; NULL: none */
    const struct machine_setting *
        *given; /* by -s, in order; in the arena of the loading */
    size_t given_count;
};

/* `machine` is a preset or a file (NULL: the preset `default`), `sets` are KEY=VALUE.
 * What diagnostics point to lives in the arena. false after errors. */
bool sim_setup_load(struct sim_setup *setup, struct lib_arena *arena, const char *machine,
                    const char *const *sets, size_t set_count, struct lib_diags *diags);

/* The same with files of settings that are known; the others that are read are added to them. */
bool sim_setup_load_with(struct sim_setup *setup, struct sim_setting_files *files,
                         const char *machine, const char *const *sets, size_t set_count,
                         struct lib_diags *diags);

/* The setting that `KEY=VALUE`, as -s has it, names; its value is not empty. NULL after an
 * error. */
const struct machine_setting *sim_setup_find(struct lib_arena *arena, const char *set,
                                             const char **value, struct lib_diags *diags);

/* Warns of a setting that means something else than it says: network.latency=0, where it counts
 * as 1. Returns whether it did. `pos` of `source` is where the setting stands; NULL: on no page.
 * The settings need not fit. */
bool sim_setup_warn(const struct sim_setup *setup, const struct lib_source *source,
                    struct lib_pos pos, struct lib_diags *diags);

/* Warns of each setting given by -s that has no effect, as it needs another one. `expands`: the
 * strategy expanding is used, too. */
void sim_setup_warn_needs(const struct sim_setup *setup, bool expands,
                          struct lib_diags *diags);

/* The same of settings that were given otherwise. */
void sim_settings_warn_needs(const struct machine_settings *settings,
                             const struct machine_setting *const *given, size_t count,
                             bool expands, struct lib_diags *diags);

/* Warns that a seed changes nothing, if neither the machine nor the program draws. `setup`: NULL if
 * there is no machine. */
void sim_setup_warn_seed(const struct sim_setup *setup, const struct isa_graph *graph,
                         struct lib_diags *diags);

/* What a preset's text says of it in its first line, "# NAME: HELP". */
const char *sim_preset_help(struct lib_arena *arena, const char *text);

#endif

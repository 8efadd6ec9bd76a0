/* The settings of a machine, and the table that describes them (lib/setting.h). A run has those of
 * the compiler too (sim/loading/setting.h). */
#ifndef MACHINE_SETTINGS_H
#define MACHINE_SETTINGS_H

#include "isa/op.h"
#include "lib/diag.h"
#include "lib/setting.h"
#include "machine/classes.h"
#include "machine/topologies.h"

/* An enum for each setting that is a choice: its options, from 0, in the order of
 * machine/settings.def. */
#define OPTION(ENUMERATOR, name) ENUMERATOR,
#define CHOICE(key, field, options, standard, help) enum { options };
#include "machine/settings.def"
#undef OPTION

enum { MACHINE_MAX_PES = 65536 }; /* max value of the setting pe.count */

/* The values of all settings: a member for each row of machine/settings.def. */
struct machine_settings {
    /* Latency in cycles of each class of function unit. */
    uint64_t latency[ISA_UNIT_COUNT];
    /* Units of each class at a PE, or 0; cycles until such a unit takes its next instruction. */
    uint64_t unit_count[ISA_UNIT_COUNT], unit_interval[ISA_UNIT_COUNT];
#define NUMBER(key, field, unit, standard, least, greatest, help) uint64_t field;
/* Index of the chosen option. */
#define CHOICE(key, field, options, standard, help) uint64_t field;
#define LIST(key, field, ...) struct lib_setting_list field;
#define TEXT(key, field, ...) const char *field;
#define PATH(key, field, ...) const struct lib_setting_file *field; /* NULL: no file */
#include "machine/settings.def"
    /* Classes of PEs, by name; the last one is always "" in settings that fit. */
    struct machine_class classes[MACHINE_MAX_CLASSES + 1];
    bool has_pe_count; /* the user has set pe.count; else it follows from cluster.* */
};

extern const struct lib_setting machine_setting_table[];
extern const size_t machine_setting_count;

const struct lib_setting *machine_setting_find(const char *key);

void machine_settings_default(struct machine_settings *settings);

/* Multiplies all settings that are times in cycles by `ticks`. */
void machine_settings_scale(struct machine_settings *settings, uint64_t ticks);

/* Whether some setting asks for something random, such as random placement. */
bool machine_settings_are_random(const struct machine_settings *settings);

/* Whether a run depends on its seed: something is random and has more than one possible outcome. */
bool machine_settings_draw(const struct machine_settings *settings);

#endif

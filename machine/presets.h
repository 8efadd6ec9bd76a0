/* Presets of settings: the files machine/presets/NAME.yaml, embedded in the program. Each has the
 * settings that differ from the defaults. */
#ifndef MACHINE_PRESETS_H
#define MACHINE_PRESETS_H

struct machine_preset_text {
    /* Name of the preset; the table is sorted by names, and NULL ends it. */
    const char *name;
    const char *text; /* contents of the preset's file */
};

extern const struct machine_preset_text machine_preset_texts[];

#endif

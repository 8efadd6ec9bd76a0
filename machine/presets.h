/* The presets: machine/presets/NAME.yaml, embedded in the program. Each lists the
 * settings that differ from the defaults. */
#ifndef MACHINE_PRESETS_H
#define MACHINE_PRESETS_H

struct machine_preset_text {
    const char *name; /* NULL ends the list, which is sorted by name */
    const char *text; /* YAML */
};

extern const struct machine_preset_text machine_preset_texts[];

#endif

/* The settings of a machine and the table that describes them. */
#ifndef MACHINE_SETTINGS_H
#define MACHINE_SETTINGS_H

#include "isa/op.h"
#include "lib/text.h"
#include "machine/network/topologies.h"

/* The options of each choice, from 0, in the order of machine/settings.def. */
#define NUMBER(...)
#define UNIT_LATENCY(...)
#define DIMS(...)
#define OPTION(ENUMERATOR, name) ENUMERATOR,
#define CHOICE(key, field, options, standard, help) enum { options };
#include "machine/settings.def"
#undef CHOICE
#undef OPTION
#undef DIMS
#undef UNIT_LATENCY
#undef NUMBER

/* A value per row of machine/settings.def. */
struct machine_settings {
    uint64_t latency[ISA_UNIT_COUNT]; /* the rows UNIT_LATENCY */
#define NUMBER(key, field, unit, standard, least, greatest, help) uint64_t field;
#define UNIT_LATENCY(...)
#define DIMS(key, field, help) uint64_t field;
#define CHOICE(key, field, options, standard, help) uint64_t field; /* an OPTION of it */
#include "machine/settings.def"
#undef CHOICE
#undef DIMS
#undef UNIT_LATENCY
#undef NUMBER
};

struct machine_setting {
    const char *key;
    size_t offset;       /* of its uint64_t in struct machine_settings */
    const char *choices; /* "a|b|c"; NULL: a number, or dimensions */
    bool is_dims;
    const char *unit; /* of a number */
    uint64_t standard, least, greatest;
    const char *help;
};

extern const struct machine_setting machine_setting_table[];
extern const size_t machine_setting_count;

/* Whether a value is a text, in results and where it is asked for: a choice, or dimensions. */
static inline bool machine_setting_is_text(const struct machine_setting *setting)
{
    return setting->choices || setting->is_dims;
}

/* NULL: no such setting. */
const struct machine_setting *machine_setting_find(const char *key);

/* The nearest key to a wrong one, or NULL. */
const char *machine_setting_nearest(const char *key);

void machine_settings_default(struct machine_settings *settings);

/* Whether anything is said to be random: one of the components of lib/random.h. */
bool machine_settings_are_random(const struct machine_settings *settings);

/* Whether it is, so that the seed of a run matters: more than one thing can be drawn. */
bool machine_settings_draw(const struct machine_settings *settings);

uint64_t machine_setting_get(const struct machine_settings *settings,
                             const struct machine_setting *setting);

/* `value` is one that the setting can have. */
void machine_setting_put(struct machine_settings *settings,
                         const struct machine_setting *setting, uint64_t value);

/* Sets one from text. On failure returns false and says in `why` what was expected and
 * what was found. */
bool machine_setting_set(struct machine_settings *settings,
                         const struct machine_setting *setting, const char *text,
                         struct lib_text *why);

/* Adds the value as text that machine_setting_set reads. */
void machine_setting_write(const struct machine_settings *settings,
                           const struct machine_setting *setting, struct lib_text *out);

#endif

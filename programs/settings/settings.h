/* The settings of the compiler (programs/settings/settings.def). The same source, strategy and
 * settings give the same graph. */
#ifndef PROGRAMS_SETTINGS_SETTINGS_H
#define PROGRAMS_SETTINGS_SETTINGS_H

#include "isa/graph.h"

#include <stdint.h>

/* An enum for each setting that is a choice or a set: its options, from 0. */
#define NUMBER(...)
#define OPTION(ENUMERATOR, name) ENUMERATOR,
#define CHOICE(key, field, options, standard, strategies, help) enum { options };
#define WORDS(key, field, options, strategies, help) enum { options };
#define OWNER(path)
#define NEEDS(...)
#include "programs/settings/settings.def"
#undef NEEDS
#undef OWNER
#undef WORDS
#undef CHOICE
#undef OPTION
#undef NUMBER

/* The values: a number, the index of the chosen option, or the bits of those of a set. */
struct programs_settings {
#define NUMBER(key, field, ...) uint64_t field;
#define CHOICE(key, field, ...) uint64_t field;
#define WORDS(key, field, ...) uint64_t field;
#define OWNER(path)
#define NEEDS(...)
#include "programs/settings/settings.def"
#undef NEEDS
#undef OWNER
#undef WORDS
#undef CHOICE
#undef NUMBER
};

/* Whether a graph of `stage` depends on the setting `key`. True if the compiler has no such
 * setting. */
bool programs_setting_has_effect(const char *key, enum isa_stage stage);

/* Returns the assignment without which the setting `key` has no effect, "KEY=VALUE"; or NULL if it
 * has one with these settings, or if the compiler has no such setting. */
const char *programs_setting_needs(const struct programs_settings *settings,
                                   const char *key);

/* Returns the settings (NULL: defaults) on which a graph of `stage` depends; the others have their
 * defaults. So graphs of a source and a stage are the same if the bytes of these are. */
struct programs_settings programs_settings_of(const struct programs_settings *settings,
                                              enum isa_stage stage);

#endif

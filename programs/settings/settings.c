#include "programs/settings/settings.h"

#include <string.h>

/* Whether graphs of a stage depend on a setting, by its strategies. */
#define HAS_EFFECT_BOTH(stage) true
#define HAS_EFFECT_STATIC(stage) ((stage) != ISA_STAGE_EXPANDING)

bool programs_setting_has_effect(const char *key, enum isa_stage stage)
{
#define ROW(key_, strategies)                                                            \
    if (strcmp(key, key_) == 0)                                                          \
        return HAS_EFFECT_##strategies(stage);
#define NUMBER(key_, field, unit, standard, least, greatest, strategies, help)           \
    ROW(key_, strategies)
#define CHOICE(key_, field, options, standard, strategies, help) ROW(key_, strategies)
#define WORDS(key_, field, options, strategies, help) ROW(key_, strategies)
#define OWNER(path)
#define NEEDS(...)
#include "programs/settings/settings.def"
#undef NEEDS
#undef OWNER
#undef WORDS
#undef CHOICE
#undef NUMBER
#undef ROW
    return true;
}

const char *programs_setting_needs(const struct programs_settings *settings,
                                   const char *key)
{
#define NEEDS(key_, field, option, needed)                                               \
    if (strcmp(key, key_) == 0 && settings->field != (option))                           \
        return needed;
#define NUMBER(...)
#define CHOICE(...)
#define WORDS(...)
#define OWNER(path)
#include "programs/settings/settings.def"
#undef OWNER
#undef WORDS
#undef CHOICE
#undef NUMBER
#undef NEEDS
    return NULL;
}

struct programs_settings programs_settings_of(const struct programs_settings *settings,
                                              enum isa_stage stage)
{
    const struct programs_settings *const s = settings;
    return (struct programs_settings){
#define ROW(field, standard, strategies)                                                 \
    .field = s && HAS_EFFECT_##strategies(stage) ? s->field : (standard),
#define NUMBER(key, field, unit, standard, least, greatest, strategies, help)            \
    ROW(field, standard, strategies)
#define CHOICE(key, field, options, standard, strategies, help)                          \
    ROW(field, standard, strategies)
#define WORDS(key, field, options, strategies, help) ROW(field, 0, strategies)
#define OWNER(path)
#define NEEDS(...)
#include "programs/settings/settings.def"
#undef NEEDS
#undef OWNER
#undef WORDS
#undef CHOICE
#undef NUMBER
#undef ROW
    };
}

#include "machine/settings.h"

#include "machine/network/shape.h"

#include <inttypes.h>

/* The names of options are joined as "|first|second". */
#define ROW(key, field, choices, unit, standard, least, greatest, help)                  \
    {key,     offsetof(struct machine_settings, field),                                  \
     choices, false,                                                                     \
     unit,    standard,                                                                  \
     least,   greatest,                                                                  \
     help},

const struct machine_setting machine_setting_table[] = {
#define NUMBER(key, field, unit, standard, least, greatest, help)                        \
    ROW(key, field, NULL, unit, standard, least, greatest, help)
#define UNIT_LATENCY(key, UNIT, standard, help)                                          \
    ROW(key, latency[ISA_UNIT_##UNIT], NULL, "cycles", standard, 1, 1000, help)
#define DIMS(key, field, help)                                                           \
    {key,       offsetof(struct machine_settings, field),                                \
     NULL,      true,                                                                    \
     "routers", 0,                                                                       \
     0,         UINT64_MAX,                                                              \
     help},
#define OPTION(ENUMERATOR, name) "|" name
#define CHOICE(key, field, options, standard, help)                                      \
    ROW(key, field, &(options)[1], NULL, standard, 0, 0, help)
#include "machine/settings.def"
#undef CHOICE
#undef OPTION
#undef DIMS
#undef UNIT_LATENCY
#undef NUMBER
};

const size_t machine_setting_count = sizeof machine_setting_table /
                                     sizeof machine_setting_table[0];

const struct machine_setting *machine_setting_find(const char *key)
{
    for (size_t i = 0; i < machine_setting_count; i++)
        if (strcmp(machine_setting_table[i].key, key) == 0)
            return &machine_setting_table[i];
    return NULL;
}

static const char *key_of(size_t i, const void *context)
{
    (void)context;
    return machine_setting_table[i].key;
}

const char *machine_setting_nearest(const char *key)
{
    return lib_text_nearest(key, machine_setting_count, key_of, NULL);
}

static uint64_t *field(struct machine_settings *settings,
                       const struct machine_setting *setting)
{
    return (uint64_t *)((char *)settings + setting->offset);
}

uint64_t machine_setting_get(const struct machine_settings *settings,
                             const struct machine_setting *setting)
{
    return *(const uint64_t *)((const char *)settings + setting->offset);
}

void machine_setting_put(struct machine_settings *settings,
                         const struct machine_setting *setting, uint64_t value)
{
    *field(settings, setting) = value;
}

void machine_settings_default(struct machine_settings *settings)
{
    for (size_t i = 0; i < machine_setting_count; i++)
        *field(settings, &machine_setting_table[i]) = machine_setting_table[i].standard;
}

/* LIB_RANDOM_PLACEMENT, in machine/placement/place.c; LIB_RANDOM_ROUTING, in machine/network/graph.c. */
bool machine_settings_are_random(const struct machine_settings *s)
{
    const bool has_routers = s->network_topology != MACHINE_NETWORK_IDEAL &&
                             s->network_topology != MACHINE_NETWORK_CROSSBAR;
    return s->placement_policy == MACHINE_PLACE_RANDOM ||
           (has_routers && s->network_routing == MACHINE_ROUTED_VALIANT);
}

/* An executor has no places, and one PE is the only one. */
bool machine_settings_draw(const struct machine_settings *settings)
{
    return machine_settings_are_random(settings) && settings->pe_count > 1 &&
           settings->executor_workers == 0;
}

/* The place of `name` among "a|b|c", or -1. */
static int find_choice(const char *choices, const char *name)
{
    size_t length = strlen(name);
    int place = 0;
    for (const char *p = choices;; p++, place++) {
        size_t here = strcspn(p, "|");
        if (here == length && strncmp(p, name, length) == 0)
            return place;
        p += here;
        if (!*p)
            return -1;
    }
}

bool machine_setting_set(struct machine_settings *settings,
                         const struct machine_setting *setting, const char *text,
                         struct lib_text *why)
{
    if (setting->choices) {
        int place = find_choice(setting->choices, text);
        if (place < 0) {
            lib_text_printf(why, "%s: expected one of %s, found `%s`", setting->key,
                            setting->choices, text);
            lib_text_hint_choice(why, text, setting->choices);
            return false;
        }
        *field(settings, setting) = (uint64_t)place;
        return true;
    }
    uint64_t value;
    if (setting->is_dims) {
        if (machine_dims_read(text, field(settings, setting)))
            return true;
        lib_text_printf(
            why,
            "%s: expected up to three numbers of routers, such as 8x8, or 0, found `%s`",
            setting->key, text);
        return false;
    }
    if (!lib_text_to_whole(text, &value) || value < setting->least ||
        value > setting->greatest) {
        lib_text_printf(
            why,
            "%s: expected a number of %s from %" PRIu64 " to %" PRIu64 ", found `%s`",
            setting->key, setting->unit, setting->least, setting->greatest, text);
        lib_text_hint_whole(why, text, setting->least, setting->greatest);
        return false;
    }
    *field(settings, setting) = value;
    return true;
}

void machine_setting_write(const struct machine_settings *settings,
                           const struct machine_setting *setting, struct lib_text *out)
{
    uint64_t value = machine_setting_get(settings, setting);
    if (setting->is_dims) {
        machine_dims_write(value, out);
        return;
    }
    if (!setting->choices) {
        lib_text_printf(out, "%" PRIu64, value);
        return;
    }
    const char *p = setting->choices;
    while (value-- > 0)
        p += strcspn(p, "|") + 1;
    lib_text_add(out, p, strcspn(p, "|"));
}

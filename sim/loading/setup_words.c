#include "sim/loading/setup_words.h"

#include <string.h>

#include "lib/file.h"

void sim_setting_write_shown(const struct sim_settings *settings,
                             const struct lib_setting *setting, struct lib_text *out)
{
    LIB_TEXT_OWN value = {0};
    lib_setting_write(settings, setting, &value);
    lib_text_puts(out, setting->kind == LIB_SETTING_FILE
                           ? lib_file_name(lib_text_get(&value))
                           : lib_text_get(&value));
}

void sim_setup_write_name(const struct sim_setup *setup, struct lib_text *out)
{
    enum { SHOWN = 4 };
    size_t count = 0;
    lib_text_puts(out, setup->machine);
    struct machine_class_row made;
    const struct lib_setting *s;
    for (size_t i = 0; (s = sim_setting_of(&setup->settings, i, &made)); i++) {
        if (lib_setting_is_equal(&setup->settings, &setup->preset, s) || count++ >= SHOWN)
            continue;
        lib_text_printf(out, ", %s=", s->key);
        sim_setting_write_shown(&setup->settings, s, out);
    }
    if (count > SHOWN)
        lib_text_printf(out, " and %zu more setting%s", count - SHOWN,
                        count == SHOWN + 1 ? "" : "s");
}

/* Whether `name` is the last component of a key: `latency` of `network.latency`. */
static bool ends_with(const char *key, const char *name)
{
    const size_t length = strlen(key), of_name = strlen(name);
    return of_name > 0 && length > of_name && key[length - of_name - 1] == '.' &&
           strcmp(key + length - of_name, name) == 0;
}

/* Adds up to `room` quoted keys that end with `name`: those of two components, or longer ones.
 * Returns their number. */
static size_t add_keys(const char *name, bool is_long, size_t room, size_t shown,
                       struct lib_text *hint)
{
    size_t count = 0;
    for (size_t i = 0; i < sim_setting_count && count < room; i++) {
        const char *key = sim_setting_at(i)->key;
        if (!ends_with(key, name) || is_long != (strchr(key, '.') != strrchr(key, '.')))
            continue;
        lib_text_printf(hint, "%s`%s`", shown + count > 0 ? ", " : "; did you mean ",
                        key);
        count++;
    }
    return count;
}

void sim_setup_hint(const char *wrong, struct lib_text *hint)
{
    enum { SHOWN = 4 };
    const char *nearest = sim_setting_nearest(wrong);
    size_t count = 0;
    if (nearest) {
        lib_text_printf(hint, "; did you mean `%s`?", nearest);
        return;
    }
    for (size_t i = 0; i < sim_setting_count; i++)
        count += ends_with(sim_setting_at(i)->key, wrong);
    const size_t shown = add_keys(wrong, false, SHOWN, 0, hint);
    add_keys(wrong, true, SHOWN - shown, shown, hint);
    lib_text_puts(hint, count > SHOWN ? ", ...?" : count ? "?" : "");
}

void sim_setup_hint_several(const struct lib_setting *setting, const char *value,
                            struct lib_text *why)
{
    const char *comma = strchr(value, ',');
    const bool is_list = comma && comma > value && comma[1],
               is_range = strstr(value, "..");
    if ((!is_list && !is_range) || strstr(lib_text_get(why), "did you mean") ||
        !lib_setting_has_number(setting))
        return;
    lib_text_printf(why,
                    "; a run has one value of each setting; `hiaton sweep run` takes "
                    "several, as `%s: %s%s%s` in the grid of an experiment",
                    setting->key, is_list ? "[" : "", value, is_list ? "]" : "");
}

#include "machine/needs.h"

#include "machine/pe/counted_units.h"

#include <string.h>

/* Whether one of the words of `keys` is `key`, or begins it and ends with `*`. */
static bool has_key(const char *keys, const char *key)
{
    for (size_t length; *keys; keys += length + (keys[length] == ' ')) {
        length = strcspn(keys, " ");
        const bool is_begin = keys[length - 1] == '*';
        if (strncmp(keys, key, length - is_begin) == 0 && (is_begin || !key[length]))
            return true;
    }
    return false;
}

const char *machine_setting_needs(const struct machine_settings *settings,
                                  const struct lib_setting *setting, bool expands)
{
    const struct machine_class *of = machine_class_find(settings, setting->key);
    const char *key = machine_class_key(setting->key);
    const struct machine_settings *s = settings;
    struct machine_settings own;
    if (of) {
        own = *settings;
        machine_class_apply(of, &own);
        own.classes[0].name[0] = '\0';
        s = &own;
    }
#define NEEDS(keys, condition, needed)                                                   \
    if (has_key(keys, key) && !(condition))                                              \
        return needed;
#include "machine/needs.def"
    return NULL;
}

void machine_setting_write_now(const struct machine_settings *settings,
                               const char *needed, struct lib_text *out)
{
    LIB_TEXT_OWN key = {0};
    lib_text_add(&key, needed, strcspn(needed, "="));
    const struct lib_setting *setting = machine_setting_find(key.bytes);
    if (setting) {
        lib_text_printf(out, "%s=", setting->key);
        lib_setting_write(settings, setting, out);
    } else {
        lib_text_puts(out, strcmp(needed, "--strategy=static") == 0
                               ? "--strategy=expanding"
                               : "--strategy=static");
    }
}

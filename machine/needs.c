#include "machine/needs.h"

#include <string.h>

const char *machine_setting_needs(const struct machine_settings *settings,
                                  const struct lib_setting *setting, bool expands)
{
    const struct machine_settings *const s = settings;
#define NEEDS(key_, condition, needed)                                                   \
    if (strcmp(setting->key, key_) == 0 && !(condition))                                 \
        return needed;
#include "machine/needs.def"
#undef NEEDS
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

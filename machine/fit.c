/* Whether settings are consistent: asks all modules whose settings depend on others. Each setting
 * alone is valid. */
#include "machine/machine.h"

#define FITS(function)                                                                   \
    bool function(const struct machine_settings *settings, struct lib_diags *diags);
#include "machine/parts.def"

typedef bool settings_fit(const struct machine_settings *settings,
                          struct lib_diags *diags);

static settings_fit *const owners[] = {
#define FITS(function) function,
#include "machine/parts.def"
};

bool machine_settings_fit(const struct machine_settings *s, struct lib_diags *diags)
{
    for (size_t i = 0; i < sizeof owners / sizeof *owners; i++)
        if (!owners[i](s, diags))
            return false;
    return true;
}

/* Whether a set of settings fits: one walk over the modules that own settings which depend on
 * others. A single setting out of its range never comes here. */
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

/* Whether settings are consistent: asks all modules whose settings depend on others. Each setting
 * alone is valid. */
#include "machine/describe.h"
#include "machine/machine.h"
#include "machine/placement/capability.h"

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

bool machine_program_fits(const struct machine_settings *settings,
                          const struct isa_graph *graph, struct lib_diags *diags)
{
    const struct traces_machine about = machine_describe(settings, graph, NULL);
    const bool in_nodes = graph->stage == ISA_STAGE_EXPANDING && about.copies_in_nodes;
    return machine_capability_fits(&about, graph, settings,
                                   in_nodes ? machine_node_pes(settings) : 0, diags);
}

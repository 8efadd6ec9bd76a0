/* Whether a set of settings fits: one walk over the modules that own settings which depend on
 * others. A single setting out of its range never comes here. */
#include "machine/machine.h"
#include "machine/network/network.h"
#include "machine/network/shape.h"
#include "machine/nodes/nodes.h"
#include "machine/placement/coordinator.h"

typedef bool settings_fit(const struct machine_settings *s, struct lib_diags *diags);

/* In this order: the first that finds a fault reports it. Later ones may rely on earlier ones. */
static settings_fit *const owners[] = {
    machine_nodes_fit,         /* cluster.termination, fault */
    machine_network_nodes_fit, /* cluster */
    machine_copies_fit,        /* copy.placement, copy.coordinator */
    machine_network_fits,      /* network */
    machine_memory_fits,       /* memory */
};

bool machine_settings_fit(const struct machine_settings *s, struct lib_diags *diags)
{
    for (size_t i = 0; i < sizeof owners / sizeof *owners; i++)
        if (!owners[i](s, diags))
            return false;
    return true;
}

#include "machine/network/shape.h"

/* The kind of shape and 1 of each choice of network.topology; 0: no routers. */
static const uint8_t kinds[] = {
#define SHAPE(NAME, name, help) [MACHINE_NETWORK_##NAME] = MACHINE_SHAPE_##NAME + 1,
    MACHINE_SHAPES(SHAPE)
#undef SHAPE
};

bool machine_network_shape(const struct machine_settings *s, struct machine_shape *shape)
{
    const uint64_t topology = s->network_topology;
    if (topology >= sizeof kinds || kinds[topology] == 0)
        return false;
    *shape = (struct machine_shape){
        .kind = (enum machine_shape_kind)(kinds[topology] - 1),
        .routing = (enum machine_routing_kind)s->network_routing,
        .pe_count = (uint32_t)s->pe_count,
        .concentration = (uint32_t)s->network_concentration,
        .file = s->network_file ? &s->network_file->source : NULL,
    };
    shape->dim_count = (uint32_t)s->network_dims.count;
    for (uint32_t i = 0; i < shape->dim_count && i < MACHINE_MOST_DIMS; i++)
        shape->dims[i] = s->network_dims.items[i];
    return true;
}

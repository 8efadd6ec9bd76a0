#include "machine/network/shape.h"

#include "machine/settings.h"

enum { DIM_BITS = 20, DIM_MASK = (1 << DIM_BITS) - 1 };

uint64_t machine_dims_pack(const uint32_t *dims, uint32_t count)
{
    uint64_t packed = 0;
    for (uint32_t i = 0; i < count; i++)
        packed |= (uint64_t)dims[i] << (i * DIM_BITS);
    return packed;
}

uint32_t machine_dims_unpack(uint64_t packed, uint32_t dims[MACHINE_MOST_DIMS])
{
    uint32_t count = 0;
    for (; packed && count < MACHINE_MOST_DIMS; packed >>= DIM_BITS)
        dims[count++] = packed & DIM_MASK;
    return count;
}

bool machine_dims_read(const char *text, uint64_t *packed)
{
    uint32_t dims[MACHINE_MOST_DIMS], count = 0;
    if (text[0] == '0' && text[1] == '\0') {
        *packed = 0;
        return true;
    }
    for (const char *c = text;; c++) {
        uint32_t number = 0;
        if (count == MACHINE_MOST_DIMS || *c < '1' || *c > '9')
            return false;
        for (; *c >= '0' && *c <= '9' && number <= MACHINE_MOST_ROUTERS; c++)
            number = 10 * number + (uint32_t)(*c - '0');
        if (number > MACHINE_MOST_ROUTERS)
            return false;
        dims[count++] = number;
        if (*c != 'x')
            *packed = machine_dims_pack(dims, count);
        if (*c != 'x')
            return *c == '\0';
    }
}

void machine_dims_write(uint64_t packed, struct lib_text *out)
{
    uint32_t dims[MACHINE_MOST_DIMS];
    const uint32_t count = machine_dims_unpack(packed, dims);
    if (count == 0)
        lib_text_puts(out, "0");
    for (uint32_t i = 0; i < count; i++)
        lib_text_printf(out, "%s%u", i ? "x" : "", dims[i]);
}

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
    };
    shape->dim_count = machine_dims_unpack(s->network_dims, shape->dims);
    return true;
}

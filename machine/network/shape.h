/* The shape of a network that settings ask for. */
#ifndef MACHINE_NETWORK_SHAPE_H
#define MACHINE_NETWORK_SHAPE_H

#include "lib/text.h"
#include "machine/network/graph.h"

struct machine_settings;

/* false: a network without routers. */
bool machine_network_shape(const struct machine_settings *settings,
                           struct machine_shape *shape);

/* Dimensions as one number, which a setting holds: 20 bits each, the first one lowest; 0: none. */
uint64_t machine_dims_pack(const uint32_t *dims, uint32_t count);
uint32_t machine_dims_unpack(uint64_t packed, uint32_t dims[MACHINE_MOST_DIMS]);

/* "8x8", or "0". false: it is neither. */
bool machine_dims_read(const char *text, uint64_t *packed);
void machine_dims_write(uint64_t packed, struct lib_text *out);

#endif

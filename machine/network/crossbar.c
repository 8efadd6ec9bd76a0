/* A crossbar: each output port is connected to all input ports. */
#include "machine/network/links.h"

static uint64_t latency(const struct machine_network *network,
                        const struct machine_settings *s, uint32_t link)
{
    (void)network, (void)link;
    return s->network_latency > 1 ? s->network_latency : 1;
}

static inline uint32_t next(const struct machine_network *network, uint32_t at,
                            uint32_t to)
{
    (void)at;
    return machine_link_input(network, to);
}

MACHINE_LINKS_SERVE(next)

const struct machine_topology machine_crossbar = {
    .latency = latency,
    .next = next,
    .serve_unlimited = serve_unlimited,
    .serve_finite = serve_finite,
};

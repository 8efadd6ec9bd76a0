/* Channels with buffers and credits, and the switch of a router: what the two files have in
 * common. */
#ifndef MACHINE_NETWORK_FABRIC_CHANNELS_H
#define MACHINE_NETWORK_FABRIC_CHANNELS_H

#include "machine/network/fabric_internal.h"

/* The first packet of a buffer asks for an output link, in a class there. */
struct request {
    uint32_t in, channel; /* place of the input link at its router; the virtual channel */
    uint32_t link;        /* output */
    uint32_t packet;
    uint8_t cls;
    bool is_gone;
};

struct fabric_channels {
    uint32_t per_link, speedup, iterations, capacity;
    bool is_oldest;
    uint32_t *first;             /* channel of each class; behind them all */
    struct fabric_list *buffers; /* of the channels of each link */
    uint32_t *credits;           /* likewise, at the near end */
    uint32_t *credit_delay;      /* per link */
    uint64_t *port_free; /* per link, of its ports into the switch behind: when each is */
    uint32_t *place_in;  /* of a link among those that come to its router, */
    uint32_t *place_out; /* and among those that leave it */
    uint32_t *grants_at; /* per output link: the input that is first */
    uint32_t *accepts_at, *channel_at; /* per input link: the output, the channel */
    struct fabric_set active;          /* routers that have packets */
    uint32_t *words_first;             /* per router, of: */
    uint64_t *occupied;                /* bits of its channels, by input and channel */
    uint64_t waiting;                  /* packets in buffers */
    /* Of the router that is served. */
    LIB_VEC(struct request) requests;
    LIB_VEC(uint32_t) ins;        /* that ask, ascending */
    LIB_VEC(uint32_t) granted;    /* requests */
    uint32_t *ports_left;         /* per input */
    uint32_t *best_in, *best_out; /* requests, or NONE */
    uint32_t *asked;              /* per output: how many ask for it */
};

/* Of some channels of a link the one that has most credits, of equal ones the first; NONE: no
 * credit. `sum`: of all of them. */
static inline uint32_t fabric_most_credits(const struct fabric_channels *c, uint32_t link,
                                           uint32_t first, uint32_t end, uint64_t *sum)
{
    const uint32_t *credits = c->credits + (size_t)link * c->per_link;
    uint32_t best = FABRIC_NONE;
    *sum = 0;
    for (uint32_t v = first; v < end; v++) {
        *sum += credits[v];
        if (credits[v] && (best == FABRIC_NONE || credits[v] > credits[best]))
            best = v;
    }
    return best;
}

/* The same of the channels that a class has on a link. */
static inline uint32_t fabric_most_of_class(const struct machine_fabric *f, uint32_t link,
                                            uint32_t cls, uint64_t *sum)
{
    const struct fabric_channels *c = f->channels;
    if (f->links[link].has_one_class)
        return fabric_most_credits(c, link, 0, c->per_link, sum);
    return fabric_most_credits(c, link, c->first[cls], c->first[cls + 1], sum);
}

/* A packet has passed a link, and takes a place behind it. */
void fabric_take_place(struct machine_fabric *f, uint64_t now, uint64_t delay,
                       uint32_t packet, uint32_t channel);

/* The first packet of a buffer, which leaves it. */
uint32_t fabric_take_from_buffer(struct machine_fabric *f, uint32_t link,
                                 uint32_t channel);

/* A router passes on what it can. */
void fabric_switch_serve(struct machine_fabric *f,
                         const struct machine_fabric_outside *outside, uint64_t now,
                         uint32_t router);

#endif

/* State of routers with finite buffers: virtual channels, buffers, credits, and the switch inside a
 * router. Shared by fabric_channels.c and fabric_switch.c. */
#ifndef MACHINE_NETWORK_FABRIC_CHANNELS_H
#define MACHINE_NETWORK_FABRIC_CHANNELS_H

#include "machine/network/fabric_internal.h"

/* A request: the first packet of a buffer asks for an output link of its router, in a channel
 * class. */
struct request {
    /* index of the input link at its router, and virtual channel of that link */
    uint32_t in, channel;
    uint32_t link; /* requested output link */
    uint32_t packet;
    uint8_t cls;
    bool is_gone;
};

struct fabric_channels {
    uint32_t per_link, speedup, iterations, capacity;
    bool is_oldest;
    /* First virtual channel of each class; the last element is the number of virtual channels. */
    uint32_t *first;
    /* for each virtual channel of each link: packets in its buffer */
    struct fabric_list *buffers;
    /* for each virtual channel of each link: credits that the sender has */
    uint32_t *credits;
    /* For each link: cycles from a packet's last cycle in the switch until its credit is back. */
    uint32_t *credit_delay;
    /* Each input link has `speedup` ports into the switch of its router. For each port: cycle from
     * which it is free. */
    uint64_t *port_free;
    uint32_t *place_in; /* for each link: its index among the input links of its router */
    /* For each link: its index among the output links of its router. */
    uint32_t *place_out;
    /* Round robin: for each output link, the input link to be served next, as in `place_in`. */
    uint32_t *grants_at;
    /* Round robin: for each input link, the output link to be served next, as in `place_out`, and
     * the virtual channel. */
    uint32_t *accepts_at, *channel_at;
    struct fabric_set active; /* routers that have packets */
    /* for each router: where its bits begin in `occupied`, as index of a word */
    uint32_t *words_first;
    /* For each router: a bit for each virtual channel of its input links; 1: its buffer has
     * packets. */
    uint64_t *occupied;
    uint64_t waiting; /* number of packets in all buffers */

    /* Work space of the router that is being served. First, its requests for output links: */
    LIB_VEC(struct request) requests;
    LIB_VEC(uint32_t) ins;     /* input links with packets, in ascending order */
    LIB_VEC(uint32_t) granted; /* granted requests, as indexes into `requests` */
    uint32_t *ports_left;      /* for each input link: free ports into the switch */
    /* for each input and output link: index of its best request, or FABRIC_NONE */
    uint32_t *best_in, *best_out;
    uint32_t *asked; /* for each output link: number of requests */
};

/* Returns the virtual channel of a link with the most credits among `first` to `end` - 1, the first
 * of equal ones; FABRIC_NONE if no channel has credits. Sets *sum to all their credits. */
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

/* Returns the virtual channel of a link with the most credits in class `cls`; in any class if the
 * link has one class (fabric_most_credits). */
static inline uint32_t fabric_most_of_class(const struct machine_fabric *f, uint32_t link,
                                            uint32_t cls, uint64_t *sum)
{
    const struct fabric_channels *c = f->channels;
    if (f->links[link].has_one_class)
        return fabric_most_credits(c, link, 0, c->per_link, sum);
    return fabric_most_credits(c, link, c->first[cls], c->first[cls + 1], sum);
}

/* Takes a credit of virtual channel `channel` for a packet, that is, reserves a place in the buffer
 * after its link. Sends the packet, which arrives `delay` cycles after `now`. */
void fabric_take_place(struct machine_fabric *f, uint64_t now, uint64_t delay,
                       uint32_t packet, uint32_t channel);

/* Removes and returns the first packet in the buffer of a virtual channel. */
uint32_t fabric_take_from_buffer(struct machine_fabric *f, uint32_t link,
                                 uint32_t channel);

/* Forwards the packets of a router that can move in this cycle. */
void fabric_switch_serve(struct machine_fabric *f,
                         const struct machine_fabric_outside *outside, uint64_t now,
                         uint32_t router);

#endif
